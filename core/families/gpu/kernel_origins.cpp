// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_graph.h"

#include <algorithm>
#include <set>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using ir::Op;

bool isNamed(const StageGraph& graph, const BufferPlan& plan, NodeId id) {
    return plan.rules[id].kind != gpu::Lowering::View && graph.nodes[id].canonical != Op::Cast;
}

void addSources(const StageGraph& graph, NodeId id, std::set<ir::NodeId>& names) {
    const auto& sources = graph.nodes[id].sources;
    names.insert(sources.begin(), sources.end());
}

} // namespace

std::vector<std::vector<ir::NodeId>> kernelOrigins(const Context&, const StageGraph& graph,
    const BufferPlan& plan, const std::vector<KernelGroup>& groups) {
    std::set<ir::NodeId> owners, seen;
    for (const KernelGroup& group : groups)
        for (const int id : group.buffers) {
            const PlannedBuffer& buffer = plan.buffers[static_cast<std::size_t>(id)];
            const bool isStatistics =
                buffer.owner.isValid() && graph.nodes[buffer.owner].canonical == Op::VarianceMean;
            if (buffer.owner.isValid() && !isStatistics)
                addSources(graph, buffer.owner, owners);
        }
    std::vector<std::vector<ir::NodeId>> origins;
    for (const KernelGroup& group : groups) {
        std::set<ir::NodeId> names, own;
        bool isCall = false;
        for (const int id : group.buffers) {
            const PlannedBuffer& buffer = plan.buffers[static_cast<std::size_t>(id)];
            isCall |= buffer.kind == BufferKind::Library || buffer.kind == BufferKind::Joined;
            if (buffer.owner.isValid())
                addSources(graph, buffer.owner, own);
            if (isCall) {
                addSources(graph, buffer.node, names);
                continue;
            }
            for (const NodeId origin : buffer.origins)
                if (isNamed(graph, plan, origin))
                    addSources(graph, origin, names);
        }
        if (!isCall) {
            std::erase_if(names, [&](ir::NodeId name) {
                return owners.count(name) != 0 && seen.count(name) != 0 && own.count(name) == 0;
            });
            if (names.size() > 1)
                seen.insert(names.begin(), names.end());
        }
        origins.emplace_back(names.begin(), names.end());
    }
    return origins;
}

} // namespace fivefold::families::gpu
