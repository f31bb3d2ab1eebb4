// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/measured_equations.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

// Everything but products; sources as in measured_products.cpp.
namespace fivefold::families::spyre::measured {

namespace {

constexpr double kMicro = 1e6;
constexpr std::int64_t kStick = 64; ///< fp16 elements
constexpr double kHalfBytes = 2;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

constexpr double kAllCores = 32;
constexpr std::string_view kCopy = "copy", kColumnSum = "sumcol"; ///< words of the series

/// c: bytes a second, turnaround, bytes a second of a core, factor of few cores.
double streamSeconds(Values c, double read, double written, double cores) {
    const double bytes = read + written;
    const double shared = bytes / c[0] + c[1] * std::min(read, written);
    return std::max(shared * (cores < kAllCores ? c[3] : 1), bytes / (c[2] * std::max(1.0, cores)));
}

double coresOf(const MeasuredOperator& row) {
    return row.cores > 0 ? static_cast<double>(row.cores) : kAllCores;
}

/// Bytes of a matrix in sticks along its last dimension.
double matrixBytes(std::int64_t rows, std::int64_t columns) {
    return kHalfBytes * static_cast<double>(rows)
        * static_cast<double>(lowering::roundUp(columns, kStick));
}

std::int64_t trailingNumber(std::string_view text, std::int64_t fallback) {
    const std::size_t digits = text.find_first_of("0123456789");
    std::int64_t number = fallback;
    if (digits != std::string_view::npos)
        std::from_chars(text.data() + digits, text.data() + text.size(), number);
    return number;
}

double option(const MeasuredOperator& row, const char* name, double fallback) {
    const auto found = row.options.find(name);
    return found == row.options.end()
        ? fallback
        : static_cast<double>(trailingNumber(found->second, static_cast<std::int64_t>(fallback)));
}

template <typename Equation>
void forEach(Rows rows, std::span<double> out, const Equation& equation) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        out[i] = kMicro * equation(rows[i]);
}

/// The same for rows that name a matrix; others have no value.
template <typename Equation>
void forEachMatrix(Rows rows, std::span<double> out, const Equation& equation) {
    forEach(rows, out, [&equation](const MeasuredOperator& row) {
        return row.shape.size() < 2 ? kNoValue : equation(row, row.shape[0], row.shape[1]);
    });
}

double usableLx(const machines::Machine& machine) {
    return machine.parameterOr("lx_usable_bytes", 1625344);
}

} // namespace

void stream(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row) {
        const bool isAcross = row.op == kColumnSum;
        const std::array<double, 4> constants = {isAcross ? c[3] : c[0], c[1], c[2], c[4]};
        return streamSeconds(constants, row.bytesRead, row.bytesWritten, coresOf(row));
    });
}

void relayout(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row) {
        return c[0] + (row.bytesRead + row.bytesWritten) / c[1];
    });
}

void pointwise(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row) {
        const double perCore = row.op == kCopy ? c[3] : c[4];
        const std::array<double, 4> constants = {c[0], c[1], perCore, c[2]};
        return streamSeconds(constants, row.bytesRead, row.bytesWritten, coresOf(row));
    });
}

void broadcast(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    forEach(rows, out, [c](const MeasuredOperator& row) {
        return c[0] + (row.bytesRead + row.bytesWritten) / c[1]
            + c[2] * std::min(row.bytesRead, row.bytesWritten);
    });
}

void reduceRows(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    constexpr double kManyRows = 2048, kMidCores = 8;
    const double all = machine.parameterOr("cores", 32);
    forEachMatrix(rows, out, [&](const MeasuredOperator& row, std::int64_t lines, std::int64_t) {
        const double cores = coresOf(row);
        const double rate = cores >= all ? c[0] : cores >= kMidCores ? c[2] : c[3] * cores;
        const double slope = cores >= all && static_cast<double>(lines) > kManyRows
            ? 1 + c[1] * std::log2(static_cast<double>(lines) / kManyRows)
            : 1;
        return (row.bytesRead + row.bytesWritten) / rate * slope;
    });
}

void addChain(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    const double onChip = machine.parameterOr("cores", 32) * usableLx(machine);
    forEachMatrix(rows, out, [&](const MeasuredOperator& row, std::int64_t r, std::int64_t w) {
        const double n = matrixBytes(r, w);
        const bool isIndependent = row.op.find("indep") != std::string::npos;
        const auto count = static_cast<double>(trailingNumber(row.op, 2));
        const double adds = isIndependent ? count : count - 1;
        const bool isFused = !isIndependent && option(row, "lx", 1) > 0 && n <= onChip;
        const double read = isFused ? count * n : 2 * adds * n;
        const double written = isFused ? n : adds * n;
        return c[4] * streamSeconds(c, read, written, coresOf(row));
    });
}

void softmax(const machines::Machine& machine, Values c, Rows rows, std::span<double> out) {
    constexpr double kSpilledReads = 5, kSpilledWrites = 3;
    forEachMatrix(rows, out, [&](const MeasuredOperator& row, std::int64_t r, std::int64_t w) {
        const double n = matrixBytes(r, w), cores = coresOf(row);
        const double tiles = std::max(1.0, option(row, "tiles", 1));
        const double compute = c[2] * static_cast<double>(r) * static_cast<double>(w) / cores;
        const double memory = n / tiles / cores <= usableLx(machine)
            ? 2 * n / c[3]
            : streamSeconds(c.subspan(4), kSpilledReads * n, kSpilledWrites * n, cores);
        return c[0] + c[1] * (tiles - 1)
            + std::pow(std::pow(compute, 1.5) + std::pow(memory, 1.5), 2.0 / 3);
    });
}

void transpose(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    forEachMatrix(rows, out, [c](const MeasuredOperator&, std::int64_t r, std::int64_t w) {
        return c[0] + 2 * matrixBytes(r, w) / c[1];
    });
}

void transposeOuter(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    constexpr double kUsualMiddle = 8, kUsualColumns = 1024;
    forEach(rows, out, [c](const MeasuredOperator& row) {
        if (row.shape.size() != 3 || row.shape[1] <= 0)
            return kNoValue;
        const auto middle = static_cast<double>(row.shape[1]);
        const auto columns = static_cast<double>(row.shape[2]);
        return 2 * middle * matrixBytes(row.shape[0], row.shape[2]) / c[0]
            * std::max(1.0, std::pow(kUsualMiddle / middle, c[1]))
            * std::pow(columns / kUsualColumns, c[2]) * (middle > kUsualMiddle ? c[3] : 1);
    });
}

void catFirst(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    constexpr double kNarrowColumns = 512, kUsualRows = 1024;
    forEachMatrix(rows, out, [c](const MeasuredOperator& row, std::int64_t r, std::int64_t w) {
        return 3 * matrixBytes(r, w) / c[0]
            * std::max(1.0, 1 + c[1] * std::log2(static_cast<double>(w) / kNarrowColumns))
            * std::pow(static_cast<double>(r) / kUsualRows, c[2])
            * (coresOf(row) < kAllCores ? c[3] : 1);
    });
}

void catLast(const machines::Machine&, Values c, Rows rows, std::span<double> out) {
    forEachMatrix(rows, out, [c](const MeasuredOperator&, std::int64_t r, std::int64_t w) {
        return 3 * matrixBytes(r, w) / c[0];
    });
}

} // namespace fivefold::families::spyre::measured
