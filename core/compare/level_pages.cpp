// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/evidence.h"

#include <array>

namespace fivefold::compare {

namespace {

using numerics::FaultId;
using numerics::Level;

/// Levels, symptoms and evidence: reconstructed from public descriptions of accelerator stacks; the
/// bugs are named by their public trackers.
const std::array<LevelPage, numerics::kLevels>& pages() {
    static const std::array<LevelPage, numerics::kLevels> kPages{{
        {Level::Capture, "Graph capture",
            "The first call is right, a second shape or value is not; the error is a clean ratio "
            "or "
            "an old value; an operator of the program is missing.",
            "The captured graph's text, its guards, its table of constants, the log of graph "
            "breaks.",
            "The captured graph, run operator by operator on a CPU, equals the program for every "
            "recorded set of inputs: two shapes and two values at least.",
            {"pytorch 197811: two closures over different tensor methods share one graph; 9 comes "
             "back where 18 is right",
                "pytorch 108898: a global function is swapped, the old graph runs again",
                "pytorch/xla 3392: a view follows a rebinding that it should not see"},
            FaultId{1}},
        {Level::Decomposition, "Decomposition of operators",
            "A smooth error that depends on the data and is the same on all machines that share "
            "the "
            "table; NaN for large inputs.",
            "The entry of the decomposition table; the nodes before and after.",
            "The decomposed graph in fp64 equals the captured graph in fp64.",
            {"TileGym PR 197: exact gelu computed by the tanh form, off by up to 4.7e-4",
                "iree 24175: attention without a guard for fully masked rows gives NaN",
                "pytorch 93824: an in-place reciprocal of a squeezed view is lost"},
            FaultId{4}},
        {Level::Fusion, "Fusion and graph rewriting",
            "The error is constant along rows or columns, or appears only at the ends of the "
            "range; "
            "it vanishes when an intermediate value becomes an output.",
            "The fusion groups and the log of rewrites; the graph before and after fusion.",
            "The fused graph in fp64 equals the decomposed one.",
            {"jax 39336: alpha is folded into a product and misses the bias",
                "openxla 42732: log(exp(x)) becomes x beyond overflow",
                "pytorch 101950: a flip is done in place though it reads and writes by different "
                "indices"},
            FaultId{9}},
        {Level::Layout, "Layout, tiling and padding",
            "Wrong elements from a multiple of the stick or tile on, in the last row or column, or "
            "in every second stick; the right values in other places; it depends on the shape's "
            "remainder, not on the data.",
            "The layout descriptor, the generated loop bounds, the value of the padding.",
            "Execution in physical lanes, private buffers, one after another, in fp64, equals the "
            "logical one, and padding lanes hold the declared value.",
            {"torch-spyre 524: the copy of 65 elements covers one stick of two",
                "torch-spyre 4390: the padding of a mean holds 1/N instead of 0",
                "tt-metal 4599: a soft-max is padded by 0 instead of −∞"},
            FaultId{12}},
        {Level::Conflict, "Scheduling and placement conflict",
            "Blocks that hold another tensor's data, or those of the iteration before; it changes "
            "with the number of cores, stages or buffers.",
            "The map of addresses over time, the table of slices by core, the schedule.",
            "Execution with real addresses and order equals execution with private buffers, one "
            "after another.",
            {"torch-spyre 2868: a value stays on one core and four read their own scratchpad",
                "torch-spyre 3222: a buffer of the back end lies inside the front end's partition",
                "triton PR 8139: a pipelined loop has one buffer too few"},
            FaultId{20}},
        {Level::Deadlock, "Deadlock, lost progress",
            "Nothing comes back; cores are busy; it depends on shape or depth, and timing hides "
            "it.",
            "The wait-for graph, the occupancy of the queues, the last event of each unit.",
            "The event simulation ends with all tokens consumed; the wait-for graph has no cycle.",
            {"tt-metal PR 45142: one token, two consumers, one takes it before the other looks",
                "tt-metal 44280: a multicast handshake waits on itself",
                "torch-spyre 2879: a detector is planned: a full pass without progress"},
            FaultId{25}},
        {Level::Transfer, "DMA and transfers",
            "Stale or half old buffers, a wrong suffix, only above a size, different by run; or a "
            "time-out.",
            "The log of transfers: issued, completed, first read, checksums.",
            "Every transfer's bytes at its target equal those at its source before they are read "
            "first, and it meets its deadline.",
            {"ninfer-3090 PR 38: an upload is not ordered with the stream; 146 of 200 runs race",
                "torch-spyre 4712: a job never answers and nothing times out",
                "tt-metal 53849: the time-out of an operation does not cover waits on sockets"},
            FaultId{28}},
        {Level::Numerics, "Numerics",
            "The error grows with the depth of the sum or with magnitude and does not follow the "
            "index; small integers come out exact; infinity, then NaN.",
            "Least and largest value of each tensor against the format's range, the histogram of "
            "ULPs, the ratio against fp64.",
            "The result equals the emulated arithmetic of the machine, and that is within its "
            "budget of fp64.",
            {"LiteRT 9249: a sum in fp16 passes 65,504 and gives NaN",
                "pytorch 126848: compiled code flushes subnormals",
                "openxla 41579: a contraction keeps one product unrounded: 4.99e21 instead of 0"},
            FaultId{32}},
    }};
    return kPages;
}

} // namespace

const LevelPage& levelPage(numerics::Level level) {
    return pages()[static_cast<std::size_t>(level) - 1];
}

} // namespace fivefold::compare
