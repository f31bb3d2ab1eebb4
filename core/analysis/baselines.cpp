// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/baselines.h"

#include <algorithm>
#include <cmath>

namespace fivefold::analysis {

using machines::Machine;
using roofline::MeasuredEquation;
using roofline::MeasuredOperator;
using Attention = MeasuredOperator::Attention;

namespace {

constexpr double kMicro = 1e6;

struct Demand {
    double flops = 0, bytes = 0;
};

double number(std::int64_t value) {
    return static_cast<double>(value);
}

/// Work and bytes that a row states; zeros where it states none.
Demand demandOf(const MeasuredOperator& row) {
    const double width = row.precision ? machines::storageBits(*row.precision) / 8.0 : 1;
    if (row.attention != Attention::None) {
        const bool isDecode = row.attention == Attention::Decode;
        const double keys = number(row.sequence), queries = isDecode ? 1 : keys;
        const double pairs =
            number(row.b) * number(row.heads) * queries * keys * (isDecode ? 1 : 0.5);
        const double rows = queries * number(row.heads) * 2 + keys * number(row.keyValueHeads) * 2;
        return {
            4 * pairs * number(row.headSize), width * number(row.b) * number(row.headSize) * rows};
    }
    if (row.m > 0 && row.n > 0 && row.k > 0) {
        const double b = number(row.b), m = number(row.m), n = number(row.n), k = number(row.k);
        return {2 * b * m * n * k, width * b * (m * k + k * n + m * n)};
    }
    if (row.bytesRead + row.bytesWritten > 0)
        return {0, row.bytesRead + row.bytesWritten};
    double elements = row.shape.empty() ? 0 : 1;
    for (const std::int64_t extent : row.shape)
        elements *= number(extent);
    return {0, 2 * width * elements}; // read once, written once
}

/// Share of both rates and constant seconds. Results in µs.
void roofline(const Machine& machine, double share, double constant,
    std::span<const MeasuredOperator> rows, std::span<double> out) {
    const machines::Memory* memory = machine.memory(machines::MemoryKind::Device);
    const double bandwidth = memory ? memory->totalBandwidth().value_or(0) : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Demand demand = demandOf(rows[i]);
        const double peak =
            machine.peak(rows[i].precision.value_or(machine.defaultPrecision())).value_or(0);
        const double compute = peak > 0 ? demand.flops / (peak * share) : 0;
        const double memoryTime = bandwidth > 0 ? demand.bytes / (bandwidth * share) : 0;
        out[i] = kMicro * (std::max(compute, memoryTime) + constant);
    }
}

void peakRoofline(const Machine& machine, std::span<const double>,
    std::span<const MeasuredOperator> rows, std::span<double> out) {
    roofline(machine, 1, 0, rows, out);
}

/// values: the constant, s.
void deratedRoofline(const Machine& machine, std::span<const double> values,
    std::span<const MeasuredOperator> rows, std::span<double> out) {
    constexpr double kShare = 0.8; // what GPU calculators commonly assume of both rates
    roofline(machine, kShare, values[0], rows, out);
}

/// The wafer's series are in cycles and have no device memory: no roofline applies to them.
bool applies(const Machine& machine, const std::vector<Sample>& samples) {
    if (machine.family == "cerebras" || !machine.memory(machines::MemoryKind::Device))
        return false;
    return std::all_of(samples.begin(), samples.end(), [](const Sample& sample) {
        const Demand demand = demandOf(sample.row);
        return demand.flops > 0 || demand.bytes > 0;
    });
}

} // namespace

std::optional<double> peakRooflineError(
    const Machine& machine, const std::vector<Sample>& samples) {
    if (!applies(machine, samples))
        return std::nullopt;
    return summarise(logErrors({"peak_roofline", {}, {}, peakRoofline}, machine, samples, {}))
        .geomean;
}

std::optional<double> deratedRooflineError(
    const Machine& machine, const std::vector<Sample>& samples) {
    if (!applies(machine, samples))
        return std::nullopt;
    return crossValidate(
        {"derated_roofline", {"constant"}, {3e-6}, deratedRoofline}, machine, samples)
        .geomean;
}

} // namespace fivefold::analysis
