// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/predict.h"

#include "core/families/cerebras/measured.h"
#include "core/families/gpu/measured.h"
#include "core/families/spyre/measured.h"
#include "core/families/tpu/measured.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fivefold::analysis {

using base::CsvTable;
using machines::Precision;
using roofline::MeasuredOperator;

namespace {

std::optional<double> toNumber(std::string_view text) {
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::optional<Precision> toPrecision(const std::string& text) {
    static const std::map<std::string, Precision> kLongNames = {{"float32", Precision::Fp32},
        {"float16", Precision::Fp16}, {"bfloat16", Precision::Bf16}, {"half", Precision::Fp16}};
    const auto found = kLongNames.find(text);
    return found != kLongNames.end() ? found->second : machines::parsePrecision(text);
}

/// Access to one row by column name; a column that is not there reads as empty.
class Cells {
public:
    explicit Cells(const CsvTable& table)
        : m_table(table) { }

    void moveTo(const std::vector<std::string>& row) {
        m_row = &row;
        m_isReadable = true;
    }
    const std::string& text(std::string_view name) {
        static const std::string kEmpty;
        const auto column = m_table.column(name);
        return column ? (*m_row)[*column] : kEmpty;
    }
    /// Non-negative whole number up to 2^53; `fallback` where the cell is empty.
    std::int64_t integer(std::string_view name, std::int64_t fallback = 0) {
        constexpr double kLargest = 9007199254740992.0;
        const std::string& cell = text(name);
        if (cell.empty())
            return fallback;
        const auto number = toNumber(cell);
        if (!number || *number < 0 || *number > kLargest || *number != std::floor(*number)) {
            m_isReadable = false;
            return fallback;
        }
        return static_cast<std::int64_t>(*number);
    }
    bool isReadable() const { return m_isReadable; }
    void markUnreadable() { m_isReadable = false; }

private:
    const CsvTable& m_table;
    const std::vector<std::string>* m_row = nullptr;
    bool m_isReadable = true;
};

/// "2048x1024;lx=0" → extents and options.
void readShape(MeasuredOperator& op, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (const std::size_t equals = part.find('='); equals != std::string_view::npos) {
            op.options[std::string(part.substr(0, equals))] = part.substr(equals + 1);
            continue;
        }
        std::vector<std::int64_t> extents;
        while (!part.empty()) {
            const std::size_t cross = std::min(part.find('x'), part.size());
            const auto extent = toNumber(part.substr(0, cross));
            if (!extent || *extent < 1 || *extent > 1e15)
                return;
            extents.push_back(static_cast<std::int64_t>(*extent));
            part.remove_prefix(std::min(cross + 1, part.size()));
        }
        op.shape = std::move(extents);
    }
}

/// "1_4_8_1" → the split of b, m, n and k.
void readSplit(Cells& cells, MeasuredOperator& op) {
    std::string_view text = cells.text("split");
    for (std::size_t i = 0; i < op.split.size() && !text.empty(); ++i) {
        const std::size_t end = std::min(text.find('_'), text.size());
        const auto part = toNumber(text.substr(0, end));
        if (!part || *part < 1 || *part > 1e6)
            return cells.markUnreadable();
        op.split[i] = static_cast<std::int64_t>(*part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void readSeries(Cells& cells, MeasuredOperator& op) {
    op.machine = cells.text("machine");
    op.group = cells.text("group");
    op.op = cells.text("op");
    readShape(op, cells.text("shape"));
    readSplit(cells, op);
    op.b = cells.integer("b", 1);
    op.cores = cells.integer("cores");
    op.side = cells.integer("pes");
    op.modelWidth = cells.integer("d_model");
    op.feedForwardWidth = cells.integer("d_ff");
    op.sequence = cells.integer("seq");
    op.bytesRead = static_cast<double>(cells.integer("bytes_read"));
    op.bytesWritten = static_cast<double>(cells.integer("bytes_written"));
}

void readAttention(Cells& cells, MeasuredOperator& op) {
    const std::string& stage = cells.text("stage");
    op.machine = cells.text("device");
    op.attention = stage == "prefill" ? MeasuredOperator::Attention::Prefill
        : stage == "decode"           ? MeasuredOperator::Attention::Decode
                                      : MeasuredOperator::Attention::None;
    if (op.attention == MeasuredOperator::Attention::None)
        cells.markUnreadable();
    op.op = "attention";
    op.b = cells.integer("batch", 1);
    op.sequence = op.attention == MeasuredOperator::Attention::Decode ? cells.integer("step") + 1
                                                                      : cells.integer("seq");
    op.heads = cells.integer("heads");
    op.keyValueHeads = cells.integer("kv_heads", op.heads);
    op.headSize = cells.integer("head_dim");
    if (std::min({op.b, op.sequence, op.heads, op.keyValueHeads, op.headSize}) < 1)
        cells.markUnreadable();
}

void readProduct(Cells& cells, MeasuredOperator& op) {
    op.machine = cells.text("device");
    op.op = "matmul";
    op.b = cells.integer("b", 1);
}

base::Result<OperatorTable::Kind> kindOf(const CsvTable& table) {
    const auto has = [&table](std::string_view name) { return table.column(name).has_value(); };
    if (has("group") && has("machine") && has("op"))
        return OperatorTable::Kind::Series;
    if (has("stage") && has("device") && has("heads"))
        return OperatorTable::Kind::Attention;
    if (has("device") && has("dtype") && has("m") && has("n") && has("k"))
        return OperatorTable::Kind::Products;
    return base::Error{base::ErrorCode::Malformed,
        "The columns are those of no table of operators: matrix products have device, dtype, m, n "
        "and k; attention has device, stage, batch, seq, step, heads, kv_heads, head_dim and "
        "dtype; "
        "a series has group, machine, op and dtype.",
        {}};
}

} // namespace

std::string OperatorTable::predictionColumn() const {
    return kind == Kind::Series ? "predicted" : "predicted_us";
}

base::Result<OperatorTable> readOperators(const CsvTable& table) {
    const auto kind = kindOf(table);
    if (!kind)
        return kind.error();
    OperatorTable result;
    result.kind = *kind;
    Cells cells(table);
    for (const std::vector<std::string>& row : table.rows) {
        cells.moveTo(row);
        MeasuredOperator op;
        switch (*kind) {
        case OperatorTable::Kind::Series:
            readSeries(cells, op);
            break;
        case OperatorTable::Kind::Attention:
            readAttention(cells, op);
            break;
        case OperatorTable::Kind::Products:
            readProduct(cells, op);
            break;
        }
        op.m = cells.integer("m");
        op.n = cells.integer("n");
        op.k = cells.integer("k");
        const std::string& dtype = cells.text("dtype");
        op.precision = toPrecision(dtype);
        const bool hasUnknownType = !op.precision && dtype != "-";
        const bool isProduct = op.op == "matmul";
        if (!cells.isReadable() || hasUnknownType
            || (isProduct && std::min({op.m, op.n, op.k}) < 1))
            op.machine.clear();
        result.measured.push_back(
            toNumber(cells.text(*kind == OperatorTable::Kind::Series ? "measured" : "latency_us")));
        result.rows.push_back(std::move(op));
    }
    return result;
}

Predictor predictorFor(const MeasuredOperator& row) {
    Predictor predictor{machines::findMachine(row.machine), nullptr};
    if (!predictor.machine)
        return {};
    const machines::Machine& machine = *predictor.machine;
    if (machine.family == "gpu")
        predictor.equation = families::gpu::measuredEquation(machine, row);
    else if (machine.family == "tpu")
        predictor.equation = families::tpu::measuredEquation(machine, row);
    else if (machine.family == "cerebras")
        predictor.equation = families::cerebras::measuredEquation(machine, row);
    else if (machine.family == "spyre")
        predictor.equation = families::spyre::measuredEquation(machine, row);
    return predictor.equation ? predictor : Predictor{};
}

std::vector<std::optional<double>> predict(const std::vector<MeasuredOperator>& rows) {
    std::vector<std::optional<double>> result(rows.size());
    std::size_t first = 0;
    while (first < rows.size()) {
        // Neighbours mostly share a machine and an equation: constants are looked up once a run.
        const Predictor predictor = predictorFor(rows[first]);
        std::size_t last = first + 1;
        while (last < rows.size() && rows[last].machine == rows[first].machine
            && predictorFor(rows[last]) == predictor)
            ++last;
        if (predictor.equation) {
            std::vector<double> out(last - first);
            predictor.equation->evaluate(*predictor.machine,
                valuesOf(*predictor.equation, *predictor.machine),
                std::span(rows).subspan(first, last - first), out);
            for (std::size_t i = first; i < last; ++i)
                if (std::isfinite(out[i - first]) && out[i - first] > 0)
                    result[i] = out[i - first];
        }
        first = last;
    }
    return result;
}

} // namespace fivefold::analysis
