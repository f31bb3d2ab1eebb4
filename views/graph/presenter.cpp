// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/presenter_parts.h"

namespace fivefold::views::graph {

namespace detail {

int Picture::boxOfProducer(lowering::ValueId value) const {
    if (!graph.values.contains(value))
        return -1;
    const lowering::NodeId producer = graph.values[value].producer;
    if (producer.isValid() && producer.index() < boxOfNode.size())
        return isHidden[producer.index()] ? -1 : boxOfNode[producer.index()];
    return pillOf[value];
}

void addIndex(Picture& picture) {
    DisplayGraph& out = picture.out;
    out.boxesOf.resize(picture.result.graph().nodes.size());
    const auto note = [&](ir::NodeId node, int box) {
        if (!out.boxesOf.contains(node))
            return;
        std::vector<int>& boxes = out.boxesOf[node];
        if (boxes.empty() || boxes.back() != box)
            boxes.push_back(box);
    };
    for (std::size_t b = 0; b < out.boxes.size(); ++b) {
        for (const ir::NodeId node : out.boxes[b].captured)
            note(node, static_cast<int>(b));
        for (const ir::ValueId value : out.boxes[b].values)
            out.boxOfValue[value.value] = static_cast<int>(b);
    }
    for (std::size_t n = 0; n < picture.boxOfNode.size(); ++n) {
        const lowering::Node& node = picture.graph.nodes[lowering::NodeId(n)];
        const int box = picture.boxOfNode[n];
        if (box < 0)
            continue;
        if (node.sources.empty())
            out.boxOfAdded.emplace(node.name, box);
        if (picture.isHidden[n])
            for (const ir::NodeId source : node.sources)
                note(source, box);
    }
    for (const lowering::Value& value : picture.graph.values)
        if (value.source.isValid() && value.producer.isValid()
            && value.producer.index() < picture.boxOfNode.size())
            out.boxOfValue.try_emplace(
                value.source.value, picture.boxOfNode[value.producer.index()]);
}

} // namespace detail

DisplayGraph present(const analysis::Result& result, lowering::Stage stage,
    std::shared_ptr<const ScopeTree> tree, const PresentOptions& options) {
    DisplayGraph out;
    out.stage = stage;
    out.tree = tree;
    const auto& graph = result.program.stages[static_cast<std::size_t>(stage)];
    if (!graph || !tree || tree->containerOf.size() != graph->nodes.size())
        return out;
    out.expansion = expand(*tree, options.folding);
    detail::Picture picture{result, *graph, *tree, options, std::move(out), {}, {}, {}, {}, {}, {}};
    if (stage != lowering::Stage::Captured)
        if (const auto& before = result.program.stages[static_cast<std::size_t>(stage) - 1])
            for (const lowering::Node& node : before->nodes)
                picture.before.insert(node.name);
    detail::addBoxes(picture);
    detail::addPills(picture);
    detail::addRemoved(picture);
    detail::addTimes(picture);
    detail::addEdges(picture);
    detail::addGroups(picture);
    detail::addIndex(picture);
    return std::move(picture.out);
}

} // namespace fivefold::views::graph
