// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// The stages of the family, one source file each. Contracts are those of lowering::Family.
namespace fivefold::families::groq {

lowering::StageGraph decompose(const lowering::Context& context, lowering::StageGraph inlined);
lowering::StageGraph chain(const lowering::Context& context, lowering::StageGraph decomposed);
lowering::StageGraph layOut(const lowering::Context& context, lowering::StageGraph fused);
lowering::StageGraph place(
    const lowering::Context& context, lowering::StageGraph laidOut, lowering::Program& program);
lowering::StageGraph schedule(
    const lowering::Context& context, lowering::StageGraph placed, lowering::Program& program);

} // namespace fivefold::families::groq
