// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/memory.h"

#include <algorithm>

namespace fivefold::memory {

using lowering::NodeId;
using lowering::StepId;
using lowering::ValueId;

base::IdVector<ValueId, Lifetime> lifetimes(
    const lowering::StageGraph& graph, const base::IdVector<StepId, lowering::Step>& steps) {
    base::IdVector<ValueId, Lifetime> result(graph.values.size());
    if (steps.empty())
        return result;
    const StepId last(steps.size() - 1);
    std::vector<StepId> stepOf(graph.nodes.size());
    for (std::size_t s = 0; s < steps.size(); ++s)
        for (const NodeId node : steps[StepId(s)].nodes)
            if (graph.nodes.contains(node))
                stepOf[node.index()] = StepId(s);
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const lowering::Value& value = graph.values[ValueId(i)];
        Lifetime& life = result[ValueId(i)];
        life.first = StepId(0);
        if (value.producer.isValid() && stepOf[value.producer.index()].isValid())
            life.first = stepOf[value.producer.index()];
        life.last = life.first;
        for (const NodeId user : value.users)
            if (stepOf[user.index()].isValid())
                life.last = std::max(life.last, stepOf[user.index()]);
    }
    for (const ValueId output : graph.outputs)
        result[output].last = last;
    return result;
}

} // namespace fivefold::memory
