// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/labels.h"
#include "views/graph/presenter_parts.h"
#include "views/graph/times.h"

#include "views/common/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace fivefold::views::graph::detail {

namespace {

void addSources(DisplayBox& box, const lowering::Node& node) {
    box.captured.insert(box.captured.end(), node.sources.begin(), node.sources.end());
}

DisplayBox boxOfContainer(const Picture& picture, int number) {
    const Container& container = picture.tree.containers[Picture::index(number)];
    DisplayBox box;
    box.kind = BoxKind::Folded;
    box.key = container.key;
    box.title = titleOf(container);
    box.fullName = QString::fromStdString(
        container.kind == ContainerKind::Scope ? container.key.substr(6) : container.label);
    box.container = number;
    if (container.owner.isValid() && picture.result.graph().nodes.contains(container.owner))
        box.origin = picture.result.graph().nodes[container.owner].name;
    box.count = 0;
    box.repeats =
        container.kind == ContainerKind::Run ? static_cast<int>(container.items.size()) : 1;
    box.isPale = container.isInsideUntaken;
    return box;
}

DisplayBox boxOfNode(const Picture& picture, std::size_t n) {
    const lowering::Node& node = picture.graph.nodes[lowering::NodeId(n)];
    DisplayBox box;
    box.key = "node:" + node.name;
    const ir::Graph& captured = picture.result.graph();
    if (!node.sources.empty() && captured.nodes.contains(node.sources.front())) {
        // The main source is the last one: of a matched pattern the one whose result it gives.
        const ir::Node& source = captured.nodes[node.sources.back()];
        box.origin = source.name;
        if (!picture.before.empty() && node.addedBy.empty() && !picture.before.contains(node.name))
            box.from = QString::fromStdString(source.sourceOp);
    }
    box.title = picture.options.showsNames ? QString::fromStdString(node.name)
                                           : titleOf(node, picture.tree.prefixOf[n]);
    box.fullName = QString::fromStdString(node.name);
    box.opClass = node.opClass();
    box.isAdded = !node.addedBy.empty();
    box.addedAt = node.addedAt;
    box.reason = QString::fromStdString(node.addedBy.empty() ? node.rule : node.addedBy);
    const int container = picture.tree.containerOf[n];
    box.isPale = picture.tree.containers[Picture::index(container)].isInsideUntaken;
    return box;
}

/// The class that most operators of a folded box have; contractions win ties, they are what takes
/// time.
void chooseClasses(Picture& picture) {
    for (DisplayBox& box : picture.out.boxes) {
        if (box.kind != BoxKind::Folded)
            continue;
        std::array<int, 6> count{};
        for (const lowering::NodeId id : box.lowered)
            ++count[static_cast<std::size_t>(picture.graph.nodes[id].opClass())];
        const auto most = std::max_element(count.begin(), count.end());
        const bool hasContraction = count[static_cast<std::size_t>(ir::OpClass::Contraction)] > 0;
        box.opClass = hasContraction ? ir::OpClass::Contraction
                                     : static_cast<ir::OpClass>(most - count.begin());
    }
}

/// A chunk is called by the places of its operators in the order of execution.
void nameChunks(Picture& picture) {
    for (DisplayBox& box : picture.out.boxes) {
        if (box.container < 0 || box.lowered.empty()
            || picture.tree.containers[Picture::index(box.container)].kind != ContainerKind::Chunk)
            continue;
        box.title = QCoreApplication::translate("fivefold::views::graph", "operators %1–%2")
                        .arg(box.lowered.front().index() + 1)
                        .arg(box.lowered.back().index() + 1);
    }
}

void listWeights(Picture& picture) {
    constexpr qsizetype kLongest = 120;
    for (std::size_t n = 0; n < picture.graph.nodes.size(); ++n) {
        const int b = picture.boxOfNode[n];
        if (b < 0 || picture.isHidden[n])
            continue;
        QString& weights = picture.out.boxes[Picture::index(b)].weights;
        for (const lowering::ValueId id : picture.graph.nodes[lowering::NodeId(n)].inputs) {
            if (!picture.graph.values.contains(id) || weights.size() > kLongest)
                continue;
            const lowering::Value& value = picture.graph.values[id];
            if (value.producer.isValid()
                || (value.role != lowering::ValueRole::Weight
                    && value.role != lowering::ValueRole::Constant))
                continue;
            if (!weights.isEmpty())
                weights += QStringLiteral(", ");
            weights += stubName(value) + ' ' + common::formatShape(value.shape);
        }
    }
}

/// Hidden constants belong to the box that reads them, so that selecting one shows where it goes.
void adoptHidden(Picture& picture) {
    for (std::size_t n = picture.boxOfNode.size(); n-- > 0;) {
        if (!picture.isHidden[n])
            continue;
        ++picture.out.hiddenConstants;
        for (const lowering::ValueId output : picture.graph.nodes[lowering::NodeId(n)].outputs)
            if (picture.graph.values.contains(output))
                for (const lowering::NodeId user : picture.graph.values[output].users)
                    if (picture.boxOfNode[n] < 0 && user.index() < picture.boxOfNode.size())
                        picture.boxOfNode[n] = picture.boxOfNode[user.index()];
    }
}

/// One pill each, or one for all where there are many.
void addPillsOf(Picture& picture, const std::vector<lowering::ValueId>& values, BoxKind kind) {
    const char* many = kind == BoxKind::Input
        ? QT_TRANSLATE_NOOP("fivefold::views::graph", "%1 inputs")
        : kind == BoxKind::Output ? QT_TRANSLATE_NOOP("fivefold::views::graph", "%1 outputs")
                                  : QT_TRANSLATE_NOOP("fivefold::views::graph", "%1 constants");
    const bool isOne = values.size() > kManyPills;
    int shared = -1;
    for (const lowering::ValueId id : values) {
        if (!picture.graph.values.contains(id))
            continue;
        const lowering::Value& value = picture.graph.values[id];
        if (!isOne || shared < 0) {
            DisplayBox box;
            box.kind = kind;
            box.key = (kind == BoxKind::Output ? "out:" : "in:") + (isOne ? "all" : value.name);
            box.title = isOne
                ? QCoreApplication::translate("fivefold::views::graph", many).arg(values.size())
                : stubName(value);
            box.fullName = QString::fromStdString(value.name);
            shared = static_cast<int>(picture.out.boxes.size());
            picture.out.boxes.push_back(std::move(box));
        }
        if (value.source.isValid())
            picture.out.boxes.back().values.push_back(value.source);
        if (kind != BoxKind::Output)
            picture.pillOf[id] = shared;
    }
}

/// The box that a step's time belongs to: the one that holds all its nodes, or all but movement
/// that only tells its main operator where to read; −1: several.
int boxOfStep(
    const Picture& picture, lowering::StepId id, const std::vector<lowering::NodeId>& nodes) {
    const auto& scheduled = picture.result.program.stages.back();
    const lowering::NodeId main = picture.result.program.steps[id].mainNode;
    const std::string_view name = scheduled && scheduled->nodes.contains(main)
        ? std::string_view(scheduled->nodes[main].name)
        : std::string_view();
    int whole = -2, working = -2; // none seen yet
    const auto note = [](int& seen, int box) { seen = seen == -2 || seen == box ? box : -1; };
    for (const lowering::NodeId node : nodes) {
        const int box =
            node.index() < picture.boxOfNode.size() ? picture.boxOfNode[node.index()] : -1;
        const lowering::Node& at = picture.graph.nodes[node];
        note(whole, box);
        if (at.name == name || at.opClass() != ir::OpClass::Movement)
            note(working, box);
    }
    return whole >= 0 ? whole : working;
}

} // namespace

void addBoxes(Picture& picture) {
    const std::size_t count = picture.graph.nodes.size();
    picture.boxOfNode.assign(count, -1);
    picture.isHidden.assign(count, 0);
    picture.boxOfContainer.assign(picture.tree.containers.size(), -1);
    for (std::size_t n = 0; n < count; ++n) {
        const lowering::Node& node = picture.graph.nodes[lowering::NodeId(n)];
        const int closed =
            picture.out.expansion.foldedInto[Picture::index(picture.tree.containerOf[n])];
        if (closed < 0 && !picture.options.showsConstants && picture.tree.isConstant[n]) {
            picture.isHidden[n] = 1;
            continue;
        }
        int box = closed < 0 ? -1 : picture.boxOfContainer[Picture::index(closed)];
        if (box < 0) {
            box = static_cast<int>(picture.out.boxes.size());
            picture.out.boxes.push_back(
                closed < 0 ? boxOfNode(picture, n) : boxOfContainer(picture, closed));
            if (closed >= 0)
                picture.boxOfContainer[Picture::index(closed)] = box;
        }
        picture.boxOfNode[n] = box;
        DisplayBox& at = picture.out.boxes[Picture::index(box)];
        at.lowered.push_back(lowering::NodeId(n));
        if (closed >= 0)
            ++at.count;
        addSources(at, node);
    }
    for (DisplayBox& box : picture.out.boxes) {
        std::vector<ir::NodeId> unique;
        for (const ir::NodeId id : box.captured)
            if (unique.empty() || unique.back() != id)
                unique.push_back(id);
        box.captured = std::move(unique);
    }
    adoptHidden(picture);
    chooseClasses(picture);
    nameChunks(picture);
    listWeights(picture);
}

void addPills(Picture& picture) {
    picture.pillOf.assign(picture.graph.values.size(), -1);
    addPillsOf(picture, picture.graph.inputs, BoxKind::Input);
    if (picture.options.showsConstants) {
        std::vector<lowering::ValueId> constants;
        for (std::size_t v = 0; v < picture.graph.values.size(); ++v) {
            const lowering::Value& value = picture.graph.values[lowering::ValueId(v)];
            const bool isStored = value.role == lowering::ValueRole::Weight
                || value.role == lowering::ValueRole::Constant;
            const bool isVisible =
                std::any_of(value.users.begin(), value.users.end(), [&](lowering::NodeId user) {
                    const int box = user.index() < picture.boxOfNode.size()
                        ? picture.boxOfNode[user.index()]
                        : -1;
                    return box >= 0
                        && picture.out.boxes[Picture::index(box)].kind == BoxKind::Operator;
                });
            if (isStored && !value.producer.isValid() && isVisible
                && constants.size() < Picture::index(kMaxBoxes))
                constants.push_back(lowering::ValueId(v));
        }
        // One pill each whatever their number: a shared one would tie everything together.
        for (const lowering::ValueId id : constants)
            addPillsOf(picture, {id}, BoxKind::Constant);
    }
    addPillsOf(picture, picture.graph.outputs, BoxKind::Output);
}

void addRemoved(Picture& picture) {
    const ir::Graph& captured = picture.result.graph();
    picture.removedBox.assign(captured.nodes.size(), -1);
    if (!picture.options.showsRemoved)
        return;
    std::size_t drawn = 0;
    for (const lowering::Removed& removed : picture.graph.removed) {
        if (!captured.nodes.contains(removed.node) || picture.removedBox[removed.node] >= 0
            || drawn == kManyRemoved)
            continue;
        const ir::Node& node = captured.nodes[removed.node];
        DisplayBox box;
        box.kind = BoxKind::Removed;
        box.key = "removed:" + node.name;
        box.title = QString::fromStdString(node.name.substr(node.name.rfind('/') + 1));
        box.fullName = QString::fromStdString(node.name);
        box.opClass = ir::opClass(node.op);
        box.captured = {removed.node};
        box.addedAt = removed.stage;
        box.reason = QString::fromStdString(removed.rule);
        picture.removedBox[removed.node] = static_cast<int>(picture.out.boxes.size());
        picture.out.boxes.push_back(std::move(box));
        ++drawn;
    }
}

void addTimes(Picture& picture) {
    const auto nodes = nodesOfSteps(picture.result, picture.graph.stage);
    const double total = picture.result.totals.time.value;
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        const int box = boxOfStep(picture, lowering::StepId(s), nodes[lowering::StepId(s)]);
        if (box < 0)
            continue;
        DisplayBox& target = picture.out.boxes[Picture::index(box)];
        const auto time = timeOf(picture.result.program.steps[lowering::StepId(s)]);
        if (!time) {
            target.isTimeUnknown = true;
            continue;
        }
        if (time->value <= 0) // hidden behind others: no time of its own
            continue;
        target.time = target.time.value_or(base::Seconds(0)) + *time;
        if (total > 0)
            target.share += time->value / total;
    }
}

} // namespace fivefold::views::graph::detail
