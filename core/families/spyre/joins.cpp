// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/joins.h"

#include "core/families/spyre/operators.h"
#include "core/families/spyre/options.h"
#include "core/lowering/family.h"
#include "core/memory/placement.h"

#include <algorithm>
#include <set>

namespace fivefold::families::spyre {

namespace {

using namespace lowering;

/// Tensors of the nodes that are not their own intermediates: read from outside, or read outside.
std::size_t foreignTensors(const StageGraph& graph, const std::set<NodeId>& inside) {
    std::set<ValueId> foreign;
    for (const NodeId id : inside) {
        for (const ValueId input : graph.nodes[id].inputs)
            if (input.isValid() && !inside.contains(graph.values[input].producer))
                foreign.insert(input);
        for (const ValueId output : graph.nodes[id].outputs)
            if (output.isValid()
                && std::any_of(graph.values[output].users.begin(), graph.values[output].users.end(),
                    [&](NodeId user) { return !inside.contains(user); }))
                foreign.insert(output);
    }
    return foreign.size();
}

std::string joinRefusal(
    const Context& context, const StageGraph& fused, KernelId first, KernelId second) {
    const Kernel &a = fused.kernels[first], &b = fused.kernels[second];
    const NodeId from = std::min(a.nodes.front(), b.nodes.front());
    const NodeId to = std::max(a.nodes.back(), b.nodes.back());
    for (std::size_t i = from.index(); i <= to.index(); ++i) {
        const Node& node = fused.nodes[NodeId(i)];
        if (node.kernel != first && node.kernel != second)
            return "A bundle is consecutive device operators; " + node.name + " of "
                + fused.kernels[node.kernel].name + " stands between them.";
    }
    const std::size_t limit = options(context.settings, context.machine).bundleTensorLimit();
    if (limit == 0)
        return {};
    std::set<NodeId> inside(a.nodes.begin(), a.nodes.end());
    inside.insert(b.nodes.begin(), b.nodes.end());
    const std::size_t tensors = foreignTensors(fused, inside);
    if (tensors <= limit)
        return {};
    return "The bundle would have " + std::to_string(tensors)
        + " tensors that are not its own; seven address segments allow " + std::to_string(limit)
        + ".";
}

std::string kindOfKernel(const StageGraph&, std::span<const NodeId>) {
    return "bundle";
}

/// LX is planned bundle by bundle: what crosses a border lies in LPDDR5.
std::optional<std::size_t> handOver(
    const machines::Machine& machine, const Settings&, base::Bytes) {
    return memory::levelOf(machine, machines::MemoryKind::Device);
}

bool isView(const StageGraph&, const Node& node) {
    return !isOpSpec(node);
}

} // namespace

FusionRules fusionRules() {
    return {joinRefusal, nullptr, kindOfKernel, handOver, nullptr, isView};
}

} // namespace fivefold::families::spyre
