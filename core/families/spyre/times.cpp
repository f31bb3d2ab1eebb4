// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/times.h"

#include "core/families/spyre/measured.h"
#include "core/families/spyre/measured_equations.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fivefold::families::spyre {

using base::Seconds;
using lowering::Bound;
using lowering::Estimate;

namespace {

std::string microseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f µs", seconds * 1e6);
    return text;
}

/// What is known of nothing but the defaults.
const machines::Machine& machineOf(const Constants& c) {
    static const machines::Machine kDefaults;
    return c.machine ? *c.machine : kDefaults;
}

void total(Estimate& e) {
    e.time = e.computeShare + e.memoryShare + e.schedulingShare;
    if (e.schedulingShare > e.computeShare && e.schedulingShare > e.memoryShare)
        e.bound = Bound::Scheduling;
    else
        e.bound = e.computeShare >= e.memoryShare ? Bound::Compute : Bound::Memory;
}

void memoryTime(Estimate& e, double seconds) {
    for (lowering::LevelTraffic& level : e.traffic)
        if (level.level == e.boundLevel)
            level.time = Seconds(seconds);
}

/// With rows of a core rounded up, and sticks along n and k.
double paddedFlops(const MatmulShape& shape, const MatmulDivision& split) {
    const auto stick = shape.elementsPerStick;
    const auto part = [](std::int64_t extent, std::int64_t parts) {
        return lowering::ceilDiv(extent, parts);
    };
    return 2 * static_cast<double>(split.cores()) * static_cast<double>(part(shape.batch, split.b))
        * static_cast<double>(part(shape.m, split.m))
        * static_cast<double>(lowering::roundUp(part(shape.n, split.n), stick))
        * static_cast<double>(lowering::roundUp(part(shape.k, split.k), stick));
}

void idealTime(Estimate& e, const Constants& c, const OpTraffic& t) {
    const double compute = c.peak > 0 ? e.flops.value / c.peak : 0;
    e.ideal = Seconds(std::max(compute, t.logical / c.deviceBytesPerSecond));
}

} // namespace

double measuredSeconds(const Constants& c, const roofline::MeasuredOperator& row) {
    const machines::Machine& machine = machineOf(c);
    const roofline::MeasuredEquation* equation = measuredEquation(machine, row);
    double microseconds = 0;
    if (equation)
        equation->evaluate(
            machine, valuesOf(*equation, machine), std::span(&row, 1), std::span(&microseconds, 1));
    return std::isfinite(microseconds) ? std::max(0.0, microseconds) * 1e-6 : 0;
}

void scale(Estimate& e, double factor) {
    for (Seconds* time : {&e.compute, &e.computeShare, &e.memoryShare, &e.schedulingShare, &e.time})
        *time = *time * factor;
    for (lowering::LevelTraffic& level : e.traffic)
        level.time = level.time * factor;
    for (lowering::TimePart& part : e.scheduling)
        part.time = part.time * factor;
}

void addPart(Estimate& e, lowering::TimePart part) {
    e.schedulingShare += part.time;
    e.time += part.time;
    e.scheduling.push_back(std::move(part));
}

void setBand(Estimate& e, const Constants& c, std::string_view key) {
    if (c.isHalf && !key.empty())
        roofline::setBand(e, machineOf(c), key);
}

Constants constants(const machines::Machine& machine, machines::Precision precision) {
    Constants c;
    c.machine = &machine;
    c.isHalf = precision == machines::Precision::Fp16;
    const auto read = [&machine](const char* key, double& value) {
        value = machine.parameterOr(key, value);
    };
    read("kernel_fixed_s", c.kernelFixedSeconds);
    read("pass_rows", c.fillRows);
    read("cycles_per_s", c.cyclesPerSecond);
    read("mac_per_cycle_core", c.macsPerCycle);
    read("stream_bytes_per_s", c.streamBytesPerSecond);
    read("program_handoff_s", c.handoffSeconds);
    c.vectorSecondsPerElement =
        machine.parameterOr("softmax_core_s_per_element", c.vectorSecondsPerElement * 5) / 5;
    const auto peak = machine.peak(precision), half = machine.peak(machines::Precision::Fp16);
    if (peak && half && *half > 0)
        c.macsPerCycle *= *peak / *half;
    c.peak = peak.value_or(half.value_or(0));
    for (const machines::Link& link : machine.links)
        if (link.role == "host" && link.bandwidth.isKnown())
            c.hostBytesPerSecond = *link.bandwidth.value;
    if (const machines::Memory* device = machine.memory(machines::MemoryKind::Device))
        c.deviceBytesPerSecond = device->bandwidth.valueOr(c.deviceBytesPerSecond);
    return c;
}

void timeMatmul(Estimate& e, const Constants& c, const MatmulShape& shape,
    const MatmulDivision& division, const OpTraffic& t, const RowOrder& order) {
    using measured::ProductForm;
    roofline::MeasuredOperator row;
    row.b = shape.batch;
    row.m = shape.m;
    row.n = shape.n;
    row.k = shape.k;
    row.options["A"] = order.isLeftOuter ? "row-outer" : "batch-outer";
    row.options["B"] = order.isRightOuter ? "row-outer" : "batch-outer";
    const ProductForm form = shape.batch <= 1 ? ProductForm::Plain
        : shape.isRightShared                 ? ProductForm::Shared
                                              : ProductForm::Batched;
    const measured::ProductTime time = measured::productTime(machineOf(c), c.macsPerCycle, form,
        row, {division.b, division.m, division.n, division.k}, {t.input, t.weight, t.output});
    const bool isComputeLonger = time.compute >= time.weight;
    const double rest = time.activations * time.factor + time.output;
    const double second = std::max(time.compute, time.weight) * time.factor;
    e.compute = Seconds(time.compute * time.factor);
    e.paddedFlops = base::Flops(paddedFlops(shape, division));
    memoryTime(e, time.weight * time.factor + rest);
    e.scheduling.push_back(
        {"fixed", Seconds(time.fixed * time.factor), lowering::PartKind::Launch});
    e.schedulingShare = Seconds(time.fixed * time.factor);
    e.computeShare = Seconds(isComputeLonger ? second : 0);
    e.memoryShare = Seconds(rest + (isComputeLonger ? 0 : second));
    total(e);
    idealTime(e, c, t);
    setBand(e, c,
        form == ProductForm::Plain        ? "error_matmul"
            : form == ProductForm::Shared ? "error_matmul_shared"
                                          : "error_matmul_batched");
    e.because = std::string(isComputeLonger ? "The array" : "Reading the second operand")
        + " takes " + microseconds(second) + ", the other operands " + microseconds(rest)
        + " on LPDDR5 and the fixed cost of a kernel " + microseconds(e.schedulingShare.value)
        + (order.isLeftOuter || order.isRightOuter
                ? "; an operand whose rows lie outside its batches slows the array down."
                : ".");
}

void timePass(Estimate& e, const Constants& c, const Pass& pass, const OpTraffic& t) {
    roofline::MeasuredOperator row = pass.row;
    row.group = pass.series;
    row.bytesRead = t.read();
    row.bytesWritten = t.output;
    const double bytes = t.read() + t.output;
    const double all = bytes > 0 ? pass.share * measuredSeconds(c, row) : 0;
    const double fixed = pass.fixedKey.empty() || bytes <= 0
        ? 0
        : std::min(all, machineOf(c).parameterOr(pass.fixedKey, 0));
    // No level is faster than its published bandwidth.
    const double memory = std::max(all - fixed, bytes / c.deviceBytesPerSecond);
    const auto n = static_cast<double>(std::max<std::int64_t>(1, row.cores));
    const double vector = pass.elements / n * c.vectorSecondsPerElement;
    const double compute = pass.isWholeInMemory ? std::min(vector, memory) : vector;
    e.compute = Seconds(compute);
    e.paddedFlops = e.flops;
    memoryTime(e, memory);
    if (fixed > 0)
        e.scheduling.push_back({"fixed", Seconds(fixed), lowering::PartKind::Launch});
    e.schedulingShare = Seconds(fixed);
    const bool isMemoryLonger = memory >= compute;
    e.memoryShare = Seconds(isMemoryLonger ? memory : 0);
    e.computeShare = Seconds(isMemoryLonger ? 0 : compute);
    total(e);
    idealTime(e, c, t);
    if (pass.isWholeInMemory)
        setBand(e, c, pass.band);
    if (bytes <= 0)
        e.because =
            "All operands lie in LX, so only the vector unit's pass over the elements takes time.";
    else if (!isMemoryLonger)
        e.because =
            "The vector unit's passes take longer than the " + microseconds(memory) + " on LPDDR5.";
    else
        e.because = "It moves " + std::to_string(static_cast<std::int64_t>(bytes))
            + " bytes through LPDDR5 with " + std::to_string(row.cores)
            + (row.cores == 1 ? " core" : " cores") + ", reads and writes taking turns.";
}

void timeRelayout(Estimate& e, const Constants& c, const OpTraffic& t) {
    Pass pass;
    pass.series = "spyre_relayout";
    pass.band = "error_relayout";
    pass.fixedKey = "transpose_fixed_s";
    timePass(e, c, pass, t);
    e.because = "A relayout reads and writes the whole tensor through LPDDR5 ("
        + microseconds(e.memoryShare.value) + ") after a fixed "
        + microseconds(e.schedulingShare.value) + ".";
}

double compilerIdealSeconds(
    const machines::Machine& machine, double flops, double read, double written) {
    const double compute = flops / machine.parameterOr("compiler_flops_per_s", 72.96e12);
    const double memory = (read + written) / machine.parameterOr("compiler_bytes_per_s", 150e9)
        + machine.parameterOr("compiler_turnaround_s_per_byte", 5.74e-12) * std::min(read, written);
    return std::max(compute, memory);
}

void timeFallback(Estimate& e, const Constants& c, const OpTraffic& t) {
    const double transfer = (t.read() + t.output) / c.hostBytesPerSecond;
    e.scheduling = {{"hand-off", Seconds(c.handoffSeconds), lowering::PartKind::Launch},
        {"host copy", Seconds(transfer), lowering::PartKind::Launch}};
    e.schedulingShare = Seconds(c.handoffSeconds + transfer);
    e.paddedFlops = e.flops;
    total(e);
    e.bound = Bound::Scheduling;
    idealTime(e, c, t);
    e.because = "The tensors cross PCIe to the host and back (" + microseconds(transfer)
        + ") and the device program stops and starts again (" + microseconds(c.handoffSeconds)
        + "); the host's own arithmetic is not known and not in it.";
}

} // namespace fivefold::families::spyre
