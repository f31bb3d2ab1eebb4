// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"
#include "core/numerics/rearrange.h"

#include <bit>
#include <cmath>
#include <cstdint>

/// What kernels share about single elements: types, wrapping, rounding, broadcasting.
namespace fivefold::numerics {

/// An integer as the type keeps it: its low bits, sign-extended for signed types; Bool is 0 or 1.
std::int64_t wrapped(std::int64_t value, ir::DType dtype);
bool isUnsigned(ir::DType dtype);
/// Range of an integer type within int64 (uint64 reaches to INT64_MAX by this measure).
std::pair<std::int64_t, std::int64_t> integerRange(ir::DType dtype);

/// A double rounded to a declared float type of 16 bits or fewer, as ONNX casts: nearest even;
/// beyond the largest of an 8- or 4-bit type saturated or else NaN or infinity, as that type has
/// it. Wider types: unchanged.
double roundedTo(double value, ir::DType dtype, bool saturates = true);

/// The same values under another type, for results whose declared type is not the operator's:
/// floats are only renamed, integers wrap, and the two kinds are converted.
Tensor ofType(const Tensor& tensor, ir::DType dtype, Carrier carrier);

/// "The result of 70000×70000 elements …".
base::Error tooLargeError(const Call& call, const Extents& shape);

/// Rounds to one format in the way of an arithmetic; the common case in a few instructions.
class Rounder {
public:
    Rounder() = default; ///< leaves values as they are
    Rounder(Format format, const Arithmetic& arithmetic);
    bool isExact() const { return m_isExact; }
    double operator()(double value) const {
        if (m_isExact)
            return value;
        const double magnitude = std::abs(value);
        if (!(magnitude >= m_low && magnitude <= m_high) || magnitude == m_exception)
            return value == 0 ? value : round(value, m_format, m_rounding, m_flushes);
        auto bits = std::bit_cast<std::uint64_t>(value);
        bits += m_bias + (m_odd & (bits >> m_dropped));
        return std::bit_cast<double>(bits >> m_dropped << m_dropped);
    }

private:
    bool m_isExact = true;
    Format m_format = Format::Fp64;
    Rounding m_rounding = Rounding::NearestEven;
    bool m_flushes = false;
    double m_low = 1, m_high = 0; ///< magnitudes that rounding by bits is right for
    double m_exception = 0; ///< the one tie of DLFloat16 that goes inwards (see round())
    int m_dropped = 0;
    std::uint64_t m_bias = 0, m_odd = 0;
};

} // namespace fivefold::numerics
