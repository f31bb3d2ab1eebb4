// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// The baseline that the five targets are held against: a processor that runs one operator after
/// another, row-major, nothing fused, every tensor in main memory. Each operator takes the larger
/// of its arithmetic at the peak rate and its traffic at the memory's bandwidth (Williams,
/// Waterman, Patterson: Roofline, CACM 52(4), 2009). A view (Reshape, Squeeze, …) is the same bytes
/// under another shape: it takes no time and no room.
///
/// Machine figures it reads: the peak of the precision (else the highest peak there is), bandwidth
/// of the first Device memory (else the first memory there is), and the parameters
/// - launch_s: seconds to start one operator (absent: 0),
/// - compute_efficiency, memory_efficiency: reachable shares of peak and bandwidth (absent: 1).
namespace fivefold::families::cpu {

const lowering::Family& family();

} // namespace fivefold::families::cpu
