// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/times.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fivefold::families::spyre {

using base::Seconds;
using lowering::Bound;
using lowering::Estimate;

namespace {

// Geometric-mean errors of the equations on rows that took no part in fitting.
constexpr double kMatmulError = 0.128, kStreamError = 0.079, kRelayoutError = 0.079;

std::string microseconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f µs", seconds * 1e6);
    return text;
}

void band(Estimate& e, double error) {
    e.low = Seconds(e.time.value / (1 + error));
    e.high = Seconds(e.time.value * (1 + error));
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

void idealTime(Estimate& e, const Constants& c, const OpTraffic& t) {
    const double compute = c.peak > 0 ? e.flops.value / c.peak : 0;
    e.ideal = Seconds(std::max(compute, t.logical / c.deviceBytesPerSecond));
}

} // namespace

Constants constants(const machines::Machine& machine, machines::Precision precision) {
    Constants c;
    const auto read = [&machine](const char* key, double& value) {
        value = machine.parameterOr(key, value);
    };
    read("kernel_fixed_s", c.kernelFixedSeconds);
    read("pass_rows", c.fillRows);
    read("cycles_per_s", c.cyclesPerSecond);
    read("mac_per_cycle_core", c.macsPerCycle);
    read("matmul_bytes_per_s", c.matmulBytesPerSecond);
    read("core_bytes_per_s", c.coreBytesPerSecond);
    read("stream_bytes_per_s", c.streamBytesPerSecond);
    read("turnaround_s_per_byte", c.turnaroundSecondsPerByte);
    read("relayout_fixed_s", c.relayoutFixedSeconds);
    read("relayout_bytes_per_s", c.relayoutBytesPerSecond);
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
    const MatmulDivision& split, const OpTraffic& t) {
    const auto stick = shape.elementsPerStick;
    const auto rows = static_cast<double>(lowering::ceilDiv(shape.m, split.m));
    const auto n =
        static_cast<double>(lowering::roundUp(lowering::ceilDiv(shape.n, split.n), stick));
    const auto k =
        static_cast<double>(lowering::roundUp(lowering::ceilDiv(shape.k, split.k), stick));
    const auto batch = static_cast<double>(lowering::ceilDiv(shape.batch, split.b));
    const double rate = c.macsPerCycle * c.cyclesPerSecond;
    const double compute = batch * (rows + c.fillRows) * n * k / rate;
    const double fill = batch * c.fillRows * n * k / rate;
    const double bandwidth =
        std::min(c.matmulBytesPerSecond, c.coreBytesPerSecond * static_cast<double>(split.cores()));
    const double weights = t.weight / bandwidth, activations = (t.input + t.output) / bandwidth;
    const bool isComputeLonger = compute >= weights;
    e.compute = Seconds(compute);
    e.paddedFlops = base::Flops(2 * static_cast<double>(split.cores()) * batch * rows * n * k);
    memoryTime(e, weights + activations);
    e.scheduling.push_back({"fixed", Seconds(c.kernelFixedSeconds), lowering::PartKind::Launch});
    e.schedulingShare = Seconds(c.kernelFixedSeconds);
    e.computeShare = Seconds(isComputeLonger ? compute : 0);
    e.memoryShare = Seconds(activations + (isComputeLonger ? 0 : weights));
    total(e);
    idealTime(e, c, t);
    band(e, kMatmulError);
    e.because = std::string(isComputeLonger ? "The array" : "Reading the second operand")
        + " takes " + microseconds(std::max(compute, weights)) + " (" + microseconds(fill)
        + " of the array's time fills it), the other operands " + microseconds(activations)
        + " on LPDDR5 and the fixed cost of a kernel " + microseconds(c.kernelFixedSeconds) + ".";
}

void timeStream(
    Estimate& e, const Constants& c, double elements, std::int64_t cores, const OpTraffic& t) {
    const auto n = static_cast<double>(std::max<std::int64_t>(1, cores));
    const double bytes = t.read() + t.output;
    const double shared =
        bytes / c.streamBytesPerSecond + c.turnaroundSecondsPerByte * std::min(t.read(), t.output);
    const double perCore = bytes / (c.coreBytesPerSecond * n);
    const double memory = std::max(shared, perCore);
    const double compute = elements / n * c.vectorSecondsPerElement;
    e.compute = Seconds(compute);
    e.paddedFlops = e.flops;
    memoryTime(e, memory);
    const bool isMemoryLonger = memory >= compute;
    e.memoryShare = Seconds(isMemoryLonger ? memory : 0);
    e.computeShare = Seconds(isMemoryLonger ? 0 : compute);
    total(e);
    idealTime(e, c, t);
    band(e, kStreamError);
    if (bytes <= 0)
        e.because =
            "All operands lie in LX, so only the vector unit's pass over the elements takes time.";
    else if (!isMemoryLonger)
        e.because =
            "The vector unit's passes take longer than the " + microseconds(memory) + " on LPDDR5.";
    else if (perCore > shared)
        e.because = "With " + std::to_string(cores) + (cores == 1 ? " core" : " cores")
            + " working, what a core can draw from LPDDR5 limits it.";
    else
        e.because = "It moves " + std::to_string(static_cast<std::int64_t>(bytes))
            + " bytes through LPDDR5, reads and writes taking turns.";
}

void timeRelayout(Estimate& e, const Constants& c, const OpTraffic& t) {
    const double memory = (t.read() + t.output) / c.relayoutBytesPerSecond;
    memoryTime(e, memory);
    e.scheduling.push_back({"fixed", Seconds(c.relayoutFixedSeconds), lowering::PartKind::Launch});
    e.schedulingShare = Seconds(c.relayoutFixedSeconds);
    e.memoryShare = Seconds(memory);
    e.paddedFlops = e.flops;
    total(e);
    idealTime(e, c, t);
    band(e, kRelayoutError);
    e.because = "A relayout reads and writes the whole tensor through LPDDR5 ("
        + microseconds(memory) + ") after a fixed " + microseconds(c.relayoutFixedSeconds) + ".";
}

void timeFallback(Estimate& e, const Constants& c, const OpTraffic& t) {
    const double transfer = (t.read() + t.output) / c.hostBytesPerSecond;
    e.scheduling = {{"hand-off", Seconds(c.handoffSeconds), lowering::PartKind::Launch}, {"host copy", Seconds(transfer)}};
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
