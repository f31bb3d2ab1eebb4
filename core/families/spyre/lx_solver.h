// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Addresses in the LX scratchpad. Nothing is ever moved or evicted: a request that fits nowhere
/// stays out of LX (torch-spyre, scratchpad/greedy_solver.py and firstfit_bestfit_solver.py,
/// August 2026).
namespace fivefold::families::spyre {

/// One buffer that wants room in LX, at the same address on every core.
struct LxRequest {
    std::int64_t bytes = 0; ///< a core: size ÷ cores of the writing op
    std::int64_t first = 0; ///< tick of the write (of the first read for a copied-in input)
    std::int64_t last = 0; ///< tick of the last read
    /// Requests whose slot it may take over when they die at `first`, in order of preference.
    std::vector<std::size_t> inPlaceParents;
    /// Requests that are placed with it or not at all, right after it: the copies of a relayout.
    /// Greedy only.
    std::vector<std::size_t> companions;
    std::int64_t uses = 2; ///< ticks that touch it; first fit and best fit rank by it
    bool isCopiedIn = false; ///< a graph input: its first use is a read
};

enum class LxSolver : std::uint8_t { Greedy, FirstFit, BestFit };
std::string_view toString(LxSolver solver); ///< "greedy", "firstfit", "bestfit": LAYOUT_SOLVER
std::optional<LxSolver> parseLxSolver(std::string_view text);

constexpr std::int64_t kLxAlignment = 128; ///< one stick

/// Bytes of a core's LX that the front end may use: (2 MiB − 64 KiB) × (1 − share of the backend),
/// rounded up to a stick; 1,625,344 B at the default share 0.2 (torch-spyre scratchpad_planning).
std::int64_t usableLxBytes(std::int64_t lxBytes, double backendShare = 0.2);

/// Addresses parallel to the requests; nullopt where nothing fits below `capacity`.
///
/// Greedy walks the ticks: it frees what was last read before, then takes the requests that start,
/// in request order: the slot of an in-place parent (each handed over once), else address 0 when
/// the lowest address in use leaves room, else above the high-water mark, else the lowest gap.
/// First and best fit place by rank: ticks alive (a quarter less for each side of an in-place
/// relation) over uses (half a use more where the write is saved too), parents before children,
/// into the first or the tightest gap of the whole lifetime.
///
/// Two placed requests that live together never overlap, except an in-place child with its parent
/// at the tick of the child's write. O(n log n + n · alive).
std::vector<std::optional<std::int64_t>> planLx(const std::vector<LxRequest>& requests,
    std::int64_t capacity, LxSolver solver = LxSolver::Greedy);

} // namespace fivefold::families::spyre
