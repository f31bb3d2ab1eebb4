// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/machines/machine.h"

#include <cstdint>

namespace fivefold::families::cerebras {

/// The wafer as the rules see it, read from the machine's parameters of the names given. The cycle
/// constants were fitted to runs on a CS-3 that researchers published (WaferLLM and
/// Wang-oss-tech/Wafer-Scale-Accelerator-Experiments: tree all-reduce GEMV and MeshGEMM); the
/// defaults are those values.
struct Fabric {
    std::int64_t columns = 762, rows = 1172; ///< fabric_columns, fabric_rows
    double peBytes = 49152; ///< pe_bytes
    double usableShare =
        0.7; ///< pe_utilisation: the rest of a PE's memory is code, stack and queues
    double simd = 8; ///< 16-bit multiply-adds a cycle and PE
    double clockHz = 1.1e9; ///< equation_clock_hz
    double linkBytesPerCycle = 4; ///< link_bits_per_cycle ÷ 8
    double hopCycles = 1; ///< hop_cycles
    double offWaferBytesPerSecond = 150e9; ///< off_wafer_bytes_per_s: 12 × 100 Gb Ethernet
    double peBytesPerSecond = 26.4e9; ///< of one PE's memory
    double waferBytesPerSecond = 21e15; ///< of all PEs' memories
    double gemvBase = 307, gemvPerSide = 2.39, gemvPerMac = 0.335; ///< gemv_tree_…
    double gemmStep = 236.8, gemmIssue = 6.81; ///< meshgemm_step, meshgemm_n2
    double peak = 0; ///< FLOP/s of the chosen precision, dense; 0 = unknown

    std::int64_t pes() const { return columns * rows; }
    double usableBytes() const { return peBytes * usableShare; } ///< of one PE
};
Fabric fabric(const machines::Machine& machine, machines::Precision precision);

/// Cycles of one kernel part on a square of PEs, by what they are spent on.
struct Cycles {
    double compute = 0; ///< arithmetic and its instruction issue
    double steps = 0; ///< shifting operands from neighbour to neighbour, once a step
    double allReduce = 0; ///< reductions across the square
    double moves = 0; ///< data rearranged over the fabric
    double total() const { return compute + steps + allReduce + moves; }
    Cycles& operator+=(const Cycles& other);
};

/// A square product by shifting operand blocks `side` times. n³ = ⌈M/side⌉·⌈N/side⌉·⌈K/side⌉; a
/// step costs `step` cycles and n² vector instructions of n elements, each `issue` + n/simd cycles.
Cycles meshCycles(double step, double issue, double simd, std::int64_t m, std::int64_t n,
    std::int64_t k, std::int64_t side);
/// A matrix times a vector and its all-reduce: base + perSide·side + perMac·⌈K/side⌉·⌈N/side⌉.
Cycles gemvCycles(
    double base, double perSide, double perMac, std::int64_t n, std::int64_t k, std::int64_t side);
/// M × N × K product on a square of `side` PEs: meshCycles, or for few rows M times gemvCycles; the
/// cheaper of the two. A single row is always a GEMV.
Cycles productCycles(
    const Fabric& fabric, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t side);
/// A batch of products, on sub-squares side by side and in rounds, whichever cut is cheapest.
Cycles batchCycles(const Fabric& fabric, std::int64_t batch, std::int64_t m, std::int64_t n,
    std::int64_t k, std::int64_t side);
/// Elements over all PEs of the square, `simd` a cycle, and the issue of one vector instruction.
Cycles elementwiseCycles(const Fabric& fabric, double elements, std::int64_t side);
/// Elementwise cycles plus one tree all-reduce across the square.
Cycles reductionCycles(const Fabric& fabric, double elements, std::int64_t side);
/// A tensor rearranged inside the square: its bytes over the links of a bisection, and the hops
/// across.
Cycles moveCycles(const Fabric& fabric, double bytes, std::int64_t side);

} // namespace fivefold::families::cerebras
