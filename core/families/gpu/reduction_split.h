// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace fivefold::families::gpu {

/// In how many parts Inductor reduces `reduced` elements to each of `results` (1: one kernel), for
/// a device of `sms` multiprocessors of 2048 threads (InductorChoices.reduction_split_factor and
/// Reduction.num_splits of PyTorch 2.13/2.14, compute capability below 10). `isInner`: the reduced
/// axes are contiguous in most of the full-size reads. O(√reduced).
std::int64_t reductionParts(
    std::int64_t results, std::int64_t reduced, bool isInner, std::int64_t sms);

/// An order of loops from the strides that accesses have along each, fastest first
/// (scheduler.pick_loop_order): a loop goes before another when it has the smaller stride in more
/// accesses; loops of length 1 come last, equal ones in reverse order. `strides` is one row an
/// access, in elements.
std::vector<std::size_t> pickLoopOrder(
    const std::vector<std::vector<std::int64_t>>& strides, const std::vector<std::int64_t>& sizes);

} // namespace fivefold::families::gpu
