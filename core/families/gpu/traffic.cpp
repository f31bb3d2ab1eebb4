// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/traffic.h"

#include "core/families/gpu/operators.h"
#include "core/lowering/aliases.h"

#include <algorithm>
#include <map>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

bool readsThroughIndex(const Node& node, ValueId value) {
    switch (node.canonical) {
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
        graph, id, kernel,
        [](const Node& node, ValueId value) {
            return kindOf(node) == OpKind::View || readsThroughIndex(node, value);
        },
        [](const Value& value) { return value.bytes(); });
}

} // namespace

base::IdVector<ValueId, ValueId> storedValues(const StageGraph& graph) {
    return lowering::storedValues(
        graph, [](const Node& node) { return kindOf(node) == OpKind::View; });
}

KernelBytes kernelBytes(const StageGraph& graph, const Boundary& boundary, KernelId kernel,
    const base::IdVector<ValueId, ValueId>& stored) {
    KernelBytes bytes;
    std::map<ValueId, std::int64_t> reads;
    for (const ValueId id : boundary.inputs) {
        const std::optional<base::Bytes> whole = graph.values[stored[id]].bytes();
        const std::optional<std::int64_t> part = touched(graph, id, kernel);
        if (!whole || !part) {
            bytes.isKnown = false;
            continue;
        }
        std::int64_t& sum = reads[stored[id]];
        sum = std::min(whole->value, sum + *part);
    }
    for (const auto& [id, read] : reads)
        bytes.read += base::Bytes(read);
    std::map<ValueId, bool> isWritten;
    for (const ValueId id : boundary.outputs) {
        const ValueId base = stored[id];
        const NodeId producer = graph.values[base].producer;
        if (!producer.isValid() || graph.nodes[producer].kernel != kernel
            || !isWritten.emplace(base, true).second)
            continue;
        if (const std::optional<base::Bytes> size = graph.values[base].bytes())
            bytes.written += *size;
        else
            bytes.isKnown = false;
    }
    return bytes;
}

} // namespace fivefold::families::gpu
