// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::roofline {

/// One operator as a table of measurements states it. What a row does not state is 0 or empty.
struct MeasuredOperator {
    std::string machine; ///< id
    std::string
        group; ///< of a published series ("spyre_matmul"); empty: a matrix product or attention
    std::string op; ///< the series' own word: "matmul", "add3", "sumcol"
    std::optional<machines::Precision> precision; ///< nullopt: the row gives bytes instead
    std::int64_t b = 1, m = 0, n = 0, k = 0; ///< C[b,m,n] = A[b,m,k]·B[(b,)k,n], elements
    std::vector<std::int64_t> shape; ///< elements, of the operand
    std::map<std::string, std::string> options; ///< "lx" → "0", "tiles" → "16", "A" → "row-outer"
    std::array<std::int64_t, 4> split{}; ///< of b, m, n, k over cores; zeros: not stated
    std::int64_t cores = 0;
    std::int64_t side = 0; ///< processing elements along one side of the square that works
    std::int64_t modelWidth = 0, feedForwardWidth = 0, sequence = 0; ///< of a transformer layer
    double bytesRead = 0, bytesWritten = 0;

    /// Attention: `b` sequences. Prefill: `sequence` queries and keys each, causal. Decode: one
    /// query against `sequence` keys.
    enum class Attention : std::uint8_t { None, Prefill, Decode };
    Attention attention = Attention::None;
    std::int64_t heads = 0, keyValueHeads = 0, headSize = 0;
};

/// An equation for one class of operators of one machine. Its fitted constants are parameters of
/// the machine's JSON, where their source and fit set stand.
struct MeasuredEquation {
    std::string_view name; ///< "spyre_matmul", "gpu_gemm"
    std::vector<std::string_view> constants; ///< parameter keys, in the order of `values`
    std::vector<double>
        defaults; ///< where a machine has no such parameter; parallel to `constants`
    /// Predicted value of each row, in µs, or cycles for the Cerebras series; NaN where the row is
    /// beyond the equation. `values` and `out` are parallel to `constants` and `rows`.
    void (*evaluate)(const machines::Machine& machine, std::span<const double> values,
        std::span<const MeasuredOperator> rows, std::span<double> out) = nullptr;
    /// The constants that this series determines: `ownConstants` from `firstOwn` on. The others are
    /// those of another series.
    std::size_t firstOwn = 0, ownConstants = std::numeric_limits<std::uint16_t>::max();
};

/// The equation of the row's series, or null. O(equations).
inline const MeasuredEquation* equationOf(
    std::span<const MeasuredEquation> equations, const MeasuredOperator& row) {
    for (const MeasuredEquation& equation : equations)
        if (equation.name == row.group)
            return &equation;
    return nullptr;
}

/// The machine's values of an equation's constants.
inline std::vector<double> valuesOf(
    const MeasuredEquation& equation, const machines::Machine& machine) {
    std::vector<double> values;
    for (std::size_t i = 0; i < equation.constants.size(); ++i)
        values.push_back(machine.parameterOr(equation.constants[i], equation.defaults[i]));
    return values;
}

/// Sets the estimate's band from the machine's parameter `key`: a series' 90th percentile of the
/// ratio error − 1, whose source says how it was found; never faster than the ideal time. Leaves
/// the estimate *not validated* where the machine has none.
inline void setBand(
    lowering::Estimate& estimate, const machines::Machine& machine, std::string_view key) {
    const machines::Figure* error = machine.parameter(key);
    if (!error || !error->isKnown() || !estimate.isKnown)
        return;
    estimate.low = std::max(
        estimate.time * (1 / (1 + *error->value)), std::min(estimate.ideal, estimate.time));
    estimate.high = estimate.time * (1 + *error->value);
    estimate.bandSource = error->source;
}

/// Nothing that was measured stands for the estimate.
inline void clearBand(lowering::Estimate& estimate) {
    estimate.low = estimate.high = std::nullopt;
    estimate.bandSource.clear();
}

} // namespace fivefold::roofline
