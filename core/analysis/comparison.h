// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <span>

namespace fivefold::analysis {

/// One machine's answer for the whole graph or a selection: a row of the five panel.
struct ComparisonRow {
    std::string family, machine; ///< ids
    std::string programs; ///< "6 kernels", "19 OpSpecs in 2 bundles"
    std::string detail; ///< "3 library, 3 generated"
    std::int64_t kernels = 0;
    base::Bytes padding; ///< of the tensors that are kept, in excess of their logical size
    std::string paddingDetail; ///< "lanes of 320"; may be empty
    std::vector<std::pair<std::size_t, base::Bytes>>
        bytesByLevel; ///< far to near, levels that move bytes
    std::optional<base::Seconds> time, low, high; ///< time nullopt: unknown
    bool isAtLeast = false; ///< steps without a time are not in it
    std::string validation; ///< "±12.8 % on 49 points", "not validated"
    bool isValidated = false;
    lowering::Bound bound = lowering::Bound::Unknown;
    std::int64_t unsupported = 0; ///< operators refused or on the host
    std::string because; ///< one sentence why
};

/// The row of a result; `nodes` empty: the whole graph, else the steps that hold these captured
/// nodes.
ComparisonRow compare(const Result& result, std::span<const ir::NodeId> nodes);

} // namespace fivefold::analysis
