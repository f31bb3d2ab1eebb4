// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/dtype.h"
#include "core/machines/machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fivefold::numerics {

/// Number formats of the machines.
enum class Format : std::uint8_t {
    Fp64,
    Fp32,
    Tf32, ///< 1-8-10, products only; stored as fp32
    Bf16, ///< 1-8-7
    Fp16, ///< 1-5-10, IEEE binary16
    DlFloat16, ///< 1-6-9 of Spyre: no subnormals, NaN and infinity share one pattern
    Fp8E4M3, ///< OCP: no infinity, largest 448
    Fp8E5M2,
    Int8,
    Int4,
};
std::string_view toString(Format format); ///< "fp16", "dlfloat16", "e4m3"
std::optional<Format> parseFormat(std::string_view text);
Format formatOf(ir::DType dtype); ///< Fp64 for integers wider than 8 bits: exact

enum class Rounding : std::uint8_t { NearestEven, TowardZero };

struct FormatFacts {
    int bits = 64, exponentBits = 11, mantissaBits = 52; ///< integers: mantissa = bits − 1
    double largest = 0; ///< finite
    double smallestNormal = 0;
    double unitRoundoff = 0; ///< 2^−(mantissaBits + 1)
    bool hasSubnormals = true;
    bool hasInfinity = true;
};
const FormatFacts& facts(Format format);

/// The nearest value of the format. Beyond `largest`: infinity, NaN for DLFloat16, saturated for
/// e4m3 and integers (per `facts`). NaN stays NaN. Exact for values of the format. Source of the
/// formats: IEEE 754, OCP 8-bit floating point specification 1.0, Agrawal et al., DLFloat (ARITH
/// 2019).
double round(double value, Format format, Rounding rounding = Rounding::NearestEven,
    bool flushesSubnormals = false);
/// Distance to the next larger magnitude of the format.
double ulp(double value, Format format);
/// Values of the format between the two, at most INT64_MAX; infinities count as one step beyond the
/// largest; nullopt with a NaN on one side only; 0 for NaN on both.
std::optional<std::int64_t> ulpDistance(double a, double b, Format format);

/// How a machine computes at a precision: what the rung "numerics" runs, and what a benign verdict
/// cites.
struct Arithmetic {
    Format storage = Format::Fp64; ///< results of every operator
    Format multiply = Format::Fp64; ///< operands of products, rounded before they are multiplied
    Format accumulate = Format::Fp64; ///< sums of contractions and reductions
    Rounding rounding = Rounding::NearestEven;
    bool flushesSubnormals = false;
    std::string policy; ///< "bf16 products, fp32 sums, fp16 results", shown as the reason
    std::string source;
    bool isExact() const { return storage == Format::Fp64; }
};
Arithmetic exactArithmetic(); ///< fp64 throughout
Arithmetic singleArithmetic(); ///< fp32 throughout
/// The machine's declared numerics by family and precision; source in the result.
Arithmetic arithmeticOf(const machines::Machine& machine, machines::Precision precision);

} // namespace fivefold::numerics
