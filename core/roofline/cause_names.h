// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/step_borders.h"

#include <string>

/// Words of causes.
namespace fivefold::roofline {

/// The first sentence without its full stop, to stand in a chain.
std::string clause(std::string sentences);

/// "x lies as stick d1"; where nothing names the layout "x as it lies in memory".
std::string layoutClause(const lowering::StageGraph& graph, lowering::ValueId value);

/// The dimension of a value's layout that is padded most, in the words of the step's product where
/// it has one: "padding of k from 65 to 128"; "padding of dimension 1 from 65 to 128"; "padding"
/// where no dimension grows.
std::string paddingName(
    const lowering::StageGraph& graph, lowering::ValueId value, const lowering::Work& work);

} // namespace fivefold::roofline
