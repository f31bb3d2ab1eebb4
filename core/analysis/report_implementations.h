// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/implementations.h"

#include <ostream>

namespace fivefold::analysis {

/// `node`, `choices[]{key, name, values[], preset, applied}` and `rows[]{choice{}, flops,
/// padded_flops, bytes_by_level{}, syncs, units, time_s, because, misfit}` as JSON: the rows given,
/// or without any the sweep over each key. An Error names a choice that the machine does not have.
base::Result<base::Done> writeImplementations(std::ostream& out, const Result& result,
    ir::NodeId node, const std::vector<lowering::ImplementationValues>& choices);

} // namespace fivefold::analysis
