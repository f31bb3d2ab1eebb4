// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

/// The baseline that the five targets are held against: a processor that runs one operator after
/// another, row-major, nothing fused, every tensor in main memory. Each operator takes the larger
/// of its arithmetic at the peak rate and its traffic at the memory's bandwidth (Williams,
/// Waterman, Patterson: Roofline, CACM 52(4), 2009).
///
/// Machine figures it reads: peak of the precision (else the highest peak there is), the first
/// Device or Host memory's bandwidth, parameter "dispatch_s" (seconds to start one operator;
/// absent: 0).
namespace fivefold::families::cpu {

const lowering::Family& family();

} // namespace fivefold::families::cpu
