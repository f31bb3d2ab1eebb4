// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/labels.h"
#include "views/graph/presenter_parts.h"
#include "views/graph/times.h"

#include "views/common/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace fivefold::views::graph::detail {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::graph", text);
}

/// A candidate frame: the boxes it would hold.
struct Region {
    DisplayGroup group;
    std::vector<int> boxes; ///< sorted
    int depth = 0; ///< of the container; kernels −1
};

/// The kernel that all nodes of a box belong to, or invalid.
lowering::KernelId kernelOf(const Picture& picture, const DisplayBox& box) {
    lowering::KernelId kernel;
    for (const lowering::NodeId id : box.lowered) {
        const lowering::KernelId at = picture.graph.nodes[id].kernel;
        if (!at.isValid() || (kernel.isValid() && kernel != at))
            return {};
        kernel = at;
    }
    return kernel;
}

std::vector<Region> kernelRegions(const Picture& picture) {
    std::vector<Region> byKernel(picture.graph.kernels.size());
    for (std::size_t b = 0; b < picture.out.boxes.size(); ++b) {
        const lowering::KernelId kernel = kernelOf(picture, picture.out.boxes[b]);
        if (picture.graph.kernels.contains(kernel))
            byKernel[kernel.index()].boxes.push_back(static_cast<int>(b));
    }
    std::vector<Region> regions;
    for (std::size_t k = 0; k < byKernel.size(); ++k) {
        Region& region = byKernel[k];
        if (region.boxes.size() < 2)
            continue; // a kernel of one box is that box
        const lowering::Kernel& kernel = picture.graph.kernels[lowering::KernelId(k)];
        region.depth = -1;
        region.group.isKernel = true;
        region.group.kernel = lowering::KernelId(k);
        region.group.key = "kernel:" + kernel.name;
        region.group.name = kernelName(kernel);
        region.group.reason = QString::fromStdString(kernel.reason);
        region.group.isAdded = picture.graph.stage == lowering::Stage::Fused;
        region.group.isEdited = kernel.decidedBy == lowering::DecidedBy::Programmer;
        regions.push_back(std::move(region));
    }
    return regions;
}

std::vector<Region> scopeRegions(const Picture& picture) {
    std::vector<Region> byContainer(picture.tree.containers.size());
    const auto addAncestors = [&](int container, int box) {
        for (int at = container; at > 0; at = picture.tree.containers[Picture::index(at)].parent)
            byContainer[Picture::index(at)].boxes.push_back(box);
    };
    for (std::size_t b = 0; b < picture.out.boxes.size(); ++b) {
        const DisplayBox& box = picture.out.boxes[b];
        if (box.container >= 0)
            addAncestors(
                picture.tree.containers[Picture::index(box.container)].parent, static_cast<int>(b));
        else if (box.kind == BoxKind::Operator && !box.lowered.empty())
            addAncestors(
                picture.tree.containerOf[box.lowered.front().index()], static_cast<int>(b));
    }
    std::vector<Region> regions;
    for (std::size_t c = 1; c < byContainer.size(); ++c) {
        Region& region = byContainer[c];
        if (region.boxes.empty())
            continue;
        const Container& container = picture.tree.containers[c];
        for (int at = container.parent; at > 0;
             at = picture.tree.containers[Picture::index(at)].parent)
            ++region.depth;
        region.group.container = static_cast<int>(c);
        region.group.key = container.key;
        region.group.name = titleOf(container);
        region.group.isPale = container.isInsideUntaken;
        regions.push_back(std::move(region));
    }
    return regions;
}

bool crosses(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return !both.empty() && both.size() != a.size() && both.size() != b.size();
}

/// A frame may lie inside or around a kernel, not across it: kernels win.
void dropCrossing(
    std::vector<Region>& scopes, const std::vector<Region>& kernels, std::size_t boxCount) {
    std::vector<int> kernelOfBox(boxCount, -1);
    for (std::size_t k = 0; k < kernels.size(); ++k)
        for (const int b : kernels[k].boxes)
            kernelOfBox[Picture::index(b)] = static_cast<int>(k);
    std::erase_if(scopes, [&](const Region& scope) {
        std::set<int> touched;
        for (const int b : scope.boxes)
            if (kernelOfBox[Picture::index(b)] >= 0)
                touched.insert(kernelOfBox[Picture::index(b)]);
        return std::any_of(touched.begin(), touched.end(),
            [&](int k) { return crosses(scope.boxes, kernels[Picture::index(k)].boxes); });
    });
}

void describe(Picture& picture, Region& region,
    const base::IdVector<lowering::NodeId, char>& counted) {
    base::Seconds time(0);
    bool isKnown = false, isUnknown = false;
    qint64 operators = 0;
    for (const int b : region.boxes) {
        const DisplayBox& box = picture.out.boxes[Picture::index(b)];
        for (const lowering::NodeId node : box.lowered)
            operators += counted[node];
        region.group.captured.insert(
            region.group.captured.end(), box.captured.begin(), box.captured.end());
    }
    if (region.group.isKernel) {
        const std::string& name = picture.graph.kernels[region.group.kernel].name;
        const auto& scheduled = picture.result.program.stages.back();
        for (const lowering::Step& step : picture.result.program.steps) {
            const bool isOwn = scheduled && scheduled->kernels.contains(step.kernel)
                && scheduled->kernels[step.kernel].name == name;
            const auto stepTime = isOwn ? timeOf(step) : std::nullopt;
            isUnknown |= isOwn && !stepTime;
            if (stepTime) {
                time += *stepTime;
                isKnown = true;
            }
        }
    }
    QString details = QString::number(operators) + ' '
        + operatorWord(picture.result, picture.graph.stage, operators);
    if (isKnown && !isUnknown) {
        details += QStringLiteral(" · ") + common::formatTime(std::optional(time));
        if (picture.result.totals.time.value > 0)
            details += QStringLiteral(" · ")
                + common::formatShare(time.value / picture.result.totals.time.value);
    }
    if (region.group.isEdited)
        details += QStringLiteral(" · ") + tr("your change");
    region.group.details = details;
}

/// A Run, Chunk or Branch frame around exactly what its parent frame holds says nothing new.
void dropDoubles(std::vector<Region>& regions) {
    std::set<std::vector<int>> seen;
    std::erase_if(regions, [&](const Region& region) { return !seen.insert(region.boxes).second; });
}

/// Inside a frame that names the operator, "from Softmax" says nothing new.
void dropNamedOrigins(Picture& picture) {
    for (DisplayBox& box : picture.out.boxes)
        for (int at = box.group; at >= 0 && !box.from.isEmpty();
             at = picture.out.groups[Picture::index(at)].parent) {
            const int container = picture.out.groups[Picture::index(at)].container;
            if (container > 0
                && picture.tree.containers[Picture::index(container)].kind == ContainerKind::Origin)
                box.from.clear();
        }
}

} // namespace

void addGroups(Picture& picture) {
    std::vector<Region> regions = kernelRegions(picture);
    std::vector<Region> scopes = scopeRegions(picture);
    std::erase_if(scopes, [](const Region& region) { return region.boxes.size() < 2; });
    dropCrossing(scopes, regions, picture.out.boxes.size());
    regions.insert(regions.end(), std::make_move_iterator(scopes.begin()),
        std::make_move_iterator(scopes.end()));
    dropDoubles(regions);
    // Largest first; of equal ones the outer scope: parents come before their children.
    std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
        return a.boxes.size() != b.boxes.size() ? a.boxes.size() > b.boxes.size()
                                                : a.depth < b.depth;
    });
    std::vector<int> innermost(picture.out.boxes.size(), -1);
    const auto counted = countedNodes(picture.result, picture.graph.stage);
    for (Region& region : regions) {
        describe(picture, region, counted);
        region.group.parent = innermost[Picture::index(region.boxes.front())];
        const int number = static_cast<int>(picture.out.groups.size());
        for (const int b : region.boxes)
            innermost[Picture::index(b)] = number;
        picture.out.groups.push_back(std::move(region.group));
    }
    for (std::size_t b = 0; b < innermost.size(); ++b)
        picture.out.boxes[b].group = innermost[b];
    dropNamedOrigins(picture);
    // A removed node stands in the frame of what it fed or read.
    for (const DisplayEdge& edge : picture.out.edges)
        if (edge.isRemoved) {
            DisplayBox& from = picture.out.boxes[Picture::index(edge.from)];
            DisplayBox& to = picture.out.boxes[Picture::index(edge.to)];
            if (from.kind == BoxKind::Removed && from.group < 0)
                from.group = to.group;
            else if (to.kind == BoxKind::Removed && to.group < 0)
                to.group = from.group;
        }
}

} // namespace fivefold::views::graph::detail
