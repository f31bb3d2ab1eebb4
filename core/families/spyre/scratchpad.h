// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fivefold::families::spyre {

/// One buffer that wants room in LX, the same address on every core.
struct LxRequest {
    std::int64_t bytes = 0; ///< a core: size ÷ cores of the writing op
    std::int64_t first = 0; ///< tick of the write
    std::int64_t last = 0; ///< tick of the last read
    std::vector<std::size_t>
        inPlaceParents; ///< requests whose slot it may take over when they die at `first`
};

constexpr std::int64_t kLxAlignment = 128; ///< one stick

/// Bytes of a core's LX that the front end may use: (2 MiB − 64 KiB) × (1 − share of the backend),
/// rounded up to a stick; 1,625,344 B at the default share 0.2 (torch-spyre scratchpad_planning).
std::int64_t usableLxBytes(std::int64_t lxBytes, double backendShare = 0.2);

/// Greedy addresses in request order (which is the order of the writes): free what has died, then
/// take an in-place parent's slot, else address 0, else above the high-water mark, else the first
/// gap; nullopt where nothing fits. Nothing is ever moved or evicted. Two placed requests that live
/// together never overlap, except in-place children at the tick of their write. O(n · alive).
std::vector<std::optional<std::int64_t>> planLx(
    const std::vector<LxRequest>& requests, std::int64_t capacity);

} // namespace fivefold::families::spyre
