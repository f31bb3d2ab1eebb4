// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/csv.h"
#include "core/roofline/measured_operator.h"

#include <memory>
#include <optional>
#include <vector>

namespace fivefold::analysis {

/// A table of operators, read by the names of its columns. Three kinds of rows: matrix products
/// (device, dtype, m, n, k), attention (device, stage, batch, seq, step, heads, kv_heads, head_dim,
/// dtype), and rows of a published series (group, machine, op, dtype, …).
struct OperatorTable {
    enum class Kind : std::uint8_t { Products, Attention, Series };
    Kind kind = Kind::Products;
    std::vector<roofline::MeasuredOperator> rows;
    std::vector<std::optional<double>> measured; ///< in the row's own unit; nullopt: not stated
    /// "predicted_us", or "predicted" for a series, whose rows have units of their own.
    std::string predictionColumn() const;
};

/// Fails when the columns fit none of the three kinds, with the names that are missing. A cell that
/// cannot be read makes its row one without a prediction.
base::Result<OperatorTable> readOperators(const base::CsvTable& table);

/// The equation of a row and the machine it runs on; null where machine, precision or operator is
/// unknown.
struct Predictor {
    std::shared_ptr<const machines::Machine> machine;
    const roofline::MeasuredEquation* equation = nullptr;
    bool operator==(const Predictor&) const = default;
};
Predictor predictorFor(const roofline::MeasuredOperator& row);

/// Predicted value of every row, in its own unit; nullopt where there is no equation. O(rows).
std::vector<std::optional<double>> predict(const std::vector<roofline::MeasuredOperator>& rows);

} // namespace fivefold::analysis
