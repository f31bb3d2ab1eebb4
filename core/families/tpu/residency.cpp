// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/residency.h"

#include "core/lowering/aliases.h"

#include <map>

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
        return graph.kernels.contains(node.kernel) && graph.kernels[node.kernel].kind == "bitcast";
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

KernelBytes kernelBytes(const StageGraph& graph, const Boundary& boundary, KernelId kernel,
    const base::IdVector<ValueId, ValueId>& stored,
    const base::IdVector<ValueId, std::uint8_t>& isNear) {
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
