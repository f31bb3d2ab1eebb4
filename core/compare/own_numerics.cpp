// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/own_numerics.h"

#include "core/compare/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fivefold::compare {

using numerics::Tensor;

namespace {

/// Of a kernel that is run as a whole: a bundle that holds most of a model says nothing of a node.
constexpr std::size_t kLargestKernel = 64;

/// Elements of the set that differ once both are rounded to the format.
ElementSet differing(
    const ElementSet& set, const Tensor& device, const Tensor& own, numerics::Format format) {
    const Numbers a(device), b(own);
    ElementSet left;
    left.total = set.total;
    for (const auto& [begin, end] : set.runs)
        for (std::int64_t i = begin; i < end; ++i) {
            const double x = numerics::round(a[i], format), y = numerics::round(b[i], format);
            if (!(x == y || (std::isnan(x) && std::isnan(y))))
                left.add(i);
        }
    return left;
}

} // namespace

OwnNumerics::OwnNumerics(const numerics::Subject& subject, SideValues& device,
    const numerics::Inputs& inputs, const base::Progress& progress)
    : m_subject(subject)
    , m_device(device)
    , m_inputs(inputs)
    , m_progress(progress) { }

OwnNumerics::Nodes OwnNumerics::kernelOf(ir::NodeId node) const {
    std::set<ir::NodeId> nodes;
    const auto& graph = m_subject.program->stage(lowering::Stage::Fused);
    for (const lowering::Kernel& kernel : graph.kernels) {
        std::set<ir::NodeId> own;
        for (const lowering::NodeId id : kernel.nodes)
            own.insert(graph.nodes[id].sources.begin(), graph.nodes[id].sources.end());
        if (own.contains(node))
            nodes.merge(own);
    }
    return nodes.size() <= kLargestKernel ? Nodes(nodes.begin(), nodes.end()) : Nodes();
}

/// Runs the node and, back from it, `inside` and whatever makes a value that was not dumped.
std::optional<Tensor> OwnNumerics::run(ir::NodeId node, ir::ValueId value, const Nodes& inside) {
    ++m_runs;
    const ir::Graph& graph = m_subject.graph();
    numerics::RungOptions options;
    options.poison = 0;
    std::set<ir::NodeId> wanted{node};
    std::vector<ir::NodeId> open{node};
    while (!open.empty()) {
        const ir::NodeId at = open.back();
        open.pop_back();
        for (const ir::ValueId input : graph.nodes[at].inputs) {
            if (!input.isValid() || options.given.contains(input))
                continue;
            const ir::NodeId producer = graph.values[input].producer;
            const bool isInside =
                producer.isValid() && std::ranges::binary_search(inside, producer);
            if (const Tensor& dumped = m_device.tensor(input); dumped.isDefined() && !isInside)
                options.given.emplace(input, dumped.carried<double>());
            else if (producer.isValid() && wanted.insert(producer).second)
                open.push_back(producer);
        }
    }
    options.only.assign(wanted.begin(), wanted.end());
    options.keeps = [value](ir::ValueId id) { return id == value; };
    auto result =
        numerics::runRung(m_subject, numerics::Rung::Numerics, m_inputs, options, m_progress);
    if (!result)
        return std::nullopt;
    const auto found = result->values.find(value);
    if (found == result->values.end() || !found->second.tensor.isDefined())
        return std::nullopt;
    return found->second.tensor;
}

ElementSet OwnNumerics::unexplained(
    ir::NodeId node, ir::ValueId value, const Tensor& device, ElementSet wrong) {
    if (!m_subject.program || !m_subject.weights || !ir::isFloat(device.dtype()))
        return wrong;
    std::vector<Nodes> ways{{}};
    if (Nodes kernel = kernelOf(node); kernel.size() > 1)
        ways.push_back(std::move(kernel));
    for (const Nodes& inside : ways) {
        if (wrong.isEmpty() || m_runs >= kMostRuns)
            break;
        const auto own = run(node, value, inside);
        if (own && own->size() == device.size())
            wrong = differing(wrong, device, *own, numerics::formatOf(device.dtype()));
    }
    return wrong;
}

} // namespace fivefold::compare
