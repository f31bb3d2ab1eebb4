// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/residency.h"

#include "core/lowering/aliases.h"

#include <algorithm>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::Op;

bool readsPart(const Node& node, ValueId value) {
    switch (node.canonical) {
    case Op::Slice:
    case Op::Split:
    case Op::Gather:
    case Op::GatherND:
    case Op::GatherElements:
        return !node.inputs.empty() && node.inputs.front() == value;
    default:
        return false;
    }
}

std::optional<std::int64_t> touched(const StageGraph& graph, ValueId id, KernelId kernel) {
    return touchedBytes(
        graph, id, kernel, readsPart, [](const Value& value) { return value.deviceBytes(); });
}

} // namespace

base::IdVector<ValueId, ValueId> storedValues(const StageGraph& graph) {
    return lowering::storedValues(graph, [&graph](const Node& node) {
        return graph.kernels.contains(node.kernel)
            && (graph.kernels[node.kernel].kind == "bitcast"
                || graph.kernels[node.kernel].kind == kCopyDone);
    });
}

base::IdVector<ValueId, std::uint8_t> nearValues(
    const StageGraph& graph, const Program& program, const Device& device) {
    base::IdVector<ValueId, std::uint8_t> isNear(graph.values.size(), 0);
    for (const Buffer& buffer : program.buffers)
        if (device.nearLevel && buffer.level == *device.nearLevel && isNear.contains(buffer.value))
            isNear[buffer.value] = 1;
    return isNear;
}

bool isAsyncCopy(const StageGraph& graph, KernelId kernel) {
    return graph.kernels[kernel].kind == kCopyStart || graph.kernels[kernel].kind == kCopyDone;
}

LateBytes lateBytes(const StageGraph& graph, const Program& program, const Device& device,
    const base::IdVector<ValueId, std::uint8_t>& isNear) {
    LateBytes late;
    const double rate = device.hbmBandwidth * device.hbmEfficiency;
    for (const Step& step : program.steps) {
        if (graph.kernels[step.kernel].kind != kCopyStart)
            continue;
        const ValueId copy = graph.nodes[step.mainNode].outputs.front();
        const auto bytes = graph.values[copy].deviceBytes();
        if (!bytes || isNear[copy] == 0)
            continue;
        const double early = std::min(step.estimate.hidden.value * rate, 9e18);
        const std::int64_t left = bytes->value - static_cast<std::int64_t>(early + 0.5);
        if (left > 0)
            late[copy] = left;
    }
    return late;
}

namespace {

/// The first reader of a late value reads the late bytes from HBM.
void waitFor(const StageGraph& graph, KernelId kernel, const LateBytes& late,
    const base::IdVector<ValueId, ValueId>& stored, ValueId value, KernelBytes& bytes) {
    const auto found = late.find(stored[value]);
    if (found == late.end())
        return;
    const auto& users = graph.values[value].users;
    const bool isFirst = std::all_of(users.begin(), users.end(), [&](NodeId user) {
        return graph.nodes[user].kernel == kernel || user > graph.kernels[kernel].nodes.front();
    });
    if (!isFirst)
        return;
    bytes.hbmRead += base::Bytes(found->second);
    bytes.nearRead -= base::Bytes(std::min(found->second, bytes.nearRead.value));
}

} // namespace

KernelBytes kernelBytes(const StageGraph& graph, const Boundary& boundary, KernelId kernel,
    const base::IdVector<ValueId, ValueId>& stored,
    const base::IdVector<ValueId, std::uint8_t>& isNear, const LateBytes& late) {
    KernelBytes bytes;
    std::map<ValueId, std::int64_t> reads;
    for (const ValueId id : boundary.inputs) {
        const std::optional<base::Bytes> whole = graph.values[stored[id]].deviceBytes();
        const std::optional<std::int64_t> part = touched(graph, id, kernel);
        if (!whole || !part) {
            bytes.isKnown = false;
            continue;
        }
        std::int64_t& sum = reads[stored[id]];
        sum = std::min(whole->value, sum + *part);
    }
    for (const auto& [id, read] : reads)
        (isNear[id] != 0 ? bytes.nearRead : bytes.hbmRead) += base::Bytes(read);
    if (!late.empty())
        for (const ValueId id : boundary.inputs)
            waitFor(graph, kernel, late, stored, id, bytes);
    for (const ValueId id : boundary.outputs) {
        const std::optional<base::Bytes> size = graph.values[id].deviceBytes();
        if (!size)
            bytes.isKnown = false;
        else
            (isNear[stored[id]] != 0 ? bytes.nearWritten : bytes.hbmWritten) += *size;
    }
    return bytes;
}

} // namespace fivefold::families::tpu
