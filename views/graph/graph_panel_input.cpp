// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/graph_panel.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/graph/clipboard.h"
#include "views/graph/labels.h"
#include "views/graph/sentence.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <limits>

/// What clicks and keys mean.
namespace fivefold::views::graph {

namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

} // namespace

common::Selection GraphPanel::selectionOf(const std::vector<int>& boxes) const {
    common::Selection selection;
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return selection;
    const auto& stage = result->program.stages[static_cast<std::size_t>(shown->stage)];
    for (const int b : boxes) {
        const DisplayBox& box = shown->boxes[index(b)];
        for (const ir::NodeId node : box.captured)
            if (!selection.contains(node))
                selection.nodes.push_back(node);
        if (box.captured.empty() && !box.lowered.empty() && stage)
            selection.added = stage->nodes[box.lowered.front()].name;
        if (box.lowered.empty() && box.captured.empty() && !box.values.empty())
            selection.value = box.values.front();
    }
    return selection;
}

void GraphPanel::selectBoxes(const std::vector<int>& boxes) {
    m_isOwnSelection = true;
    state().setSelection(selectionOf(boxes));
    m_isOwnSelection = false;
}

void GraphPanel::boxClicked(int number, Qt::KeyboardModifiers modifiers) {
    const DisplayGraph* shown = graph();
    if (shownResult() != state().result())
        return; // an old picture, about to be replaced
    const DisplayBox& box = shown->boxes[index(number)];
    if (modifiers & Qt::ShiftModifier) {
        if (const int from = primaryBox(); from >= 0 && from != number) {
            selectPath(from, number);
            return;
        }
    }
    if (modifiers & Qt::ControlModifier) {
        std::vector<int> boxes = selectedBoxes();
        const auto found = std::find(boxes.begin(), boxes.end(), number);
        if (found != boxes.end())
            boxes.erase(found);
        else
            boxes.push_back(number);
        selectBoxes(boxes);
        return;
    }
    m_isOwnSelection = true;
    if (box.lowered.size() == 1)
        state().selectLowered(shown->stage, box.lowered.front());
    else if (box.lowered.empty() && !box.values.empty())
        state().selectValue(box.values.front());
    else
        state().setSelection(selectionOf({number}));
    m_isOwnSelection = false;
}

void GraphPanel::hitClicked(const Hit& hit, Qt::KeyboardModifiers modifiers) {
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return;
    const auto& stage = result->program.stages[static_cast<std::size_t>(shown->stage)];
    const auto selectEdge = [&](int e) {
        const DisplayEdge& edge = shown->edges[index(e)];
        const ir::ValueId source =
            edge.values.empty() || !stage->values.contains(edge.values.front())
            ? ir::ValueId()
            : stage->values[edge.values.front()].source;
        if (source.isValid()) {
            m_isOwnSelection = true;
            state().selectValue(source);
            m_isOwnSelection = false;
        } else {
            selectBoxes({edge.from});
        }
    };
    if (hit.box >= 0) {
        boxClicked(hit.box, modifiers);
    } else if (hit.stub >= 0) {
        const int e = m_canvas->placed()->geometry.stubs[index(hit.stub)].edges.front();
        selectEdge(e);
        m_canvas->showBoxes({shown->edges[index(e)].from});
    } else if (hit.edge >= 0) {
        selectEdge(hit.edge);
    } else if (hit.group >= 0) {
        common::Selection selection;
        for (const ir::NodeId node : shown->groups[index(hit.group)].captured)
            if (!selection.contains(node))
                selection.nodes.push_back(node);
        m_isOwnSelection = true;
        state().setSelection(std::move(selection));
        m_isOwnSelection = false;
    } else if (!(modifiers & (Qt::ControlModifier | Qt::ShiftModifier))) {
        state().clearSelection();
    }
}

void GraphPanel::hitDoubleClicked(const Hit& hit) {
    const DisplayGraph* shown = graph();
    if (!shown)
        return;
    if (hit.box >= 0 && shown->boxes[index(hit.box)].kind == BoxKind::Folded)
        expandBox(hit.box);
    else if (hit.box >= 0)
        emit showRequested(QStringLiteral("inspector"));
    else if (hit.group >= 0 && shown->groups[index(hit.group)].container > 0)
        collapse(shown->groups[index(hit.group)].container);
}

/// The shortest way along edges, with the flow where there is one, else against it.
void GraphPanel::selectPath(int from, int to) {
    const DisplayGraph* shown = graph();
    for (const bool isForward : {true, false}) {
        std::vector<int> before(shown->boxes.size(), -1);
        std::vector<int> open(1, from);
        before[index(from)] = from;
        std::vector<std::vector<int>> next(shown->boxes.size());
        for (const DisplayEdge& edge : shown->edges)
            next[index(isForward ? edge.from : edge.to)].push_back(isForward ? edge.to : edge.from);
        for (std::size_t i = 0; i < open.size() && before[index(to)] < 0; ++i)
            for (const int b : next[index(open[i])])
                if (before[index(b)] < 0) {
                    before[index(b)] = open[i];
                    open.push_back(b);
                }
        if (before[index(to)] < 0)
            continue;
        std::vector<int> path;
        for (int at = to; at != from; at = before[index(at)])
            path.push_back(at);
        path.push_back(from);
        std::reverse(path.begin(), path.end());
        selectBoxes(path);
        return;
    }
    selectBoxes({from, to});
}

/// With and against the flow along edges (the nearest end), across it to the neighbour in the row.
void GraphPanel::moveSelection(Qt::Key arrow) {
    const DisplayGraph* shown = graph();
    if (!shown || shown->boxes.empty())
        return;
    const int at = primaryBox();
    const std::vector<QRectF>& rects = m_canvas->placed()->geometry.boxes;
    const auto go = [&](int box) {
        boxClicked(box, Qt::NoModifier);
        m_canvas->showBoxes({box});
    };
    if (at < 0) {
        go(0);
        return;
    }
    const bool isAlong = m_isLeftToRight ? arrow == Qt::Key_Left || arrow == Qt::Key_Right
                                         : arrow == Qt::Key_Up || arrow == Qt::Key_Down;
    const bool isOnward = arrow == Qt::Key_Down || arrow == Qt::Key_Right;
    const QPointF here = rects[index(at)].center();
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](int box) {
        const QPointF there = rects[index(box)].center();
        const double distance = std::hypot(there.x() - here.x(), there.y() - here.y());
        if (box != at && distance < least) {
            least = distance;
            best = box;
        }
    };
    if (isAlong) {
        for (const DisplayEdge& edge : shown->edges) {
            if (isOnward && edge.from == at)
                consider(edge.to);
            else if (!isOnward && edge.to == at)
                consider(edge.from);
        }
    } else {
        for (std::size_t b = 0; b < rects.size(); ++b) {
            const QPointF step = rects[b].center() - here;
            const double across = m_isLeftToRight ? step.y() : step.x();
            const double along = m_isLeftToRight ? step.x() : step.y();
            const double row =
                m_isLeftToRight ? rects[index(at)].width() : rects[index(at)].height();
            if (std::abs(along) < row && (across > 0) == isOnward && across != 0)
                consider(static_cast<int>(b));
        }
    }
    if (best >= 0)
        go(best);
}

void GraphPanel::expandBox(int box) {
    const DisplayGraph* shown = graph();
    if (!shown || box < 0 || shown->boxes[index(box)].container < 0)
        return;
    const std::string& key = shown->tree->containers[index(shown->boxes[index(box)].container)].key;
    PresentOptions options = m_options;
    options.folding.isOpen[key] = true;
    options.folding.last = key;
    setOptions(options);
}

void GraphPanel::collapse(int container) {
    const DisplayGraph* shown = graph();
    if (!shown || container <= 0)
        return;
    const Container& closed = shown->tree->containers[index(container)];
    // A branch cannot be closed alone.
    const std::string key = closed.kind == ContainerKind::Branch
        ? shown->tree->containers[index(closed.parent)].key
        : closed.key;
    PresentOptions options = m_options;
    options.folding.isOpen[key] = false;
    options.folding.last.clear();
    setOptions(options);
}

void GraphPanel::expandSelected() {
    const DisplayGraph* shown = graph();
    for (const int box : selectedBoxes())
        if (shown->boxes[index(box)].kind == BoxKind::Folded) {
            expandBox(box);
            return;
        }
}

void GraphPanel::collapseSelected() {
    const DisplayGraph* shown = graph();
    const int box = primaryBox();
    if (!shown || box < 0)
        return;
    const DisplayBox& at = shown->boxes[index(box)];
    int container = 0;
    if (at.container > 0)
        container = shown->tree->containers[index(at.container)].parent;
    else if (!at.lowered.empty())
        container = shown->tree->containerOf[at.lowered.front().index()];
    collapse(container);
}

void GraphPanel::setAllBelow(bool isOpen) {
    const DisplayGraph* shown = graph();
    if (!shown || !shown->tree)
        return;
    PresentOptions options = m_options;
    std::vector<int> roots;
    for (const int box : selectedBoxes()) {
        const DisplayBox& at = shown->boxes[index(box)];
        if (at.container > 0)
            roots.push_back(at.container);
        else if (!at.lowered.empty())
            roots.push_back(shown->tree->containerOf[at.lowered.front().index()]);
    }
    if (roots.empty() || std::find(roots.begin(), roots.end(), 0) != roots.end()) {
        options.folding = {};
        options.folding.mode = isOpen ? FoldMode::Expanded : FoldMode::Folded;
    } else {
        for (const int c : shown->tree->order)
            for (const int root : roots)
                if (c > 0 && shown->tree->isBelow(c, root))
                    options.folding.isOpen[shown->tree->containers[index(c)].key] = isOpen;
        options.folding.last.clear();
    }
    setOptions(options);
}

void GraphPanel::trace(bool isInputs) {
    const DisplayGraph* shown = graph();
    const int direction = isInputs ? -1 : 1;
    if (!shown || m_traceDirection == direction) {
        endTrace();
        return;
    }
    std::vector<int> open = selectedBoxes();
    if (open.empty())
        return;
    std::vector<std::vector<int>> next(shown->boxes.size());
    for (const DisplayEdge& edge : shown->edges)
        next[index(isInputs ? edge.to : edge.from)].push_back(isInputs ? edge.from : edge.to);
    m_traced.assign(shown->boxes.size(), 0);
    for (const int b : open)
        m_traced[index(b)] = 1;
    for (std::size_t i = 0; i < open.size(); ++i)
        for (const int b : next[index(open[i])])
            if (!m_traced[index(b)]) {
                m_traced[index(b)] = 1;
                open.push_back(b);
            }
    m_traceDirection = direction;
    updateMarks();
}

void GraphPanel::endTrace() {
    if (m_traceDirection == 0)
        return;
    m_traceDirection = 0;
    m_traced.clear();
    updateMarks();
}

common::CardContent GraphPanel::cardFor(const Hit& hit) const {
    common::CardContent card;
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return card;
    const auto& stage = result->program.stages[static_cast<std::size_t>(shown->stage)];
    const auto addValue = [&](const DisplayEdge& edge) {
        for (const lowering::ValueId id : edge.values) {
            if (!stage->values.contains(id))
                continue;
            const lowering::Value& value = stage->values[id];
            card.lines << QStringLiteral("%1  %2 %3")
                              .arg(QString::fromStdString(value.name),
                                  common::formatShape(value.shape), common::dtypeName(value.dtype));
            if (value.layout && edge.values.size() == 1)
                card.lines << QString::fromStdString(value.layout->notation)
                           << common::formatBytes(value.deviceBytes());
        }
        card.lines << tr("from %1 to %2")
                          .arg(shown->boxes[index(edge.from)].title,
                              shown->boxes[index(edge.to)].title);
    };
    if (hit.box >= 0) {
        card.title = shown->boxes[index(hit.box)].fullName;
        card.lines = cardLines(*result, *shown, hit.box);
    } else if (hit.stub >= 0) {
        const StubShape& stub = m_canvas->placed()->geometry.stubs[index(hit.stub)];
        card.title = stub.text;
        for (const int e : stub.edges)
            addValue(shown->edges[index(e)]);
    } else if (hit.edge >= 0) {
        card.title = tr("Value");
        addValue(shown->edges[index(hit.edge)]);
    } else if (hit.group >= 0) {
        const DisplayGroup& group = shown->groups[index(hit.group)];
        card.title = group.name;
        card.lines << (group.isAdded ? tr("%1 · added by stage 3").arg(group.details)
                                     : group.details);
        if (!group.reason.isEmpty())
            card.lines << group.reason;
        if (const analysis::GroupCard* fusion = group.isKernel ? cardOf(group.kernel) : nullptr)
            card.lines << fusionLines(*fusion);
    }
    return card;
}

void GraphPanel::fillMenu(QMenu& menu, const Hit& hit) {
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return;
    if (hit.box < 0) {
        if (hit.group >= 0)
            fillFusionMenu(menu, editableNode(hit));
        return;
    }
    const int box = hit.box;
    const std::vector<int> selected = selectedBoxes();
    if (std::find(selected.begin(), selected.end(), box) == selected.end())
        boxClicked(box, Qt::NoModifier);
    const auto copy = [](const QString& text) { QApplication::clipboard()->setText(text); };
    const QString name = shown->boxes[index(box)].fullName;
    menu.addAction(tr("Copy name"), this, [copy, name] { copy(name); });
    QMenu* as = menu.addMenu(tr("Copy as"));
    as->addAction(tr("Text"), this, [copy, text = asText(*result, *shown, box)] { copy(text); });
    as->addAction(tr("JSON"), this, [copy, text = asJson(*result, *shown, box)] { copy(text); });
    as->addAction(
        tr("Markdown"), this, [copy, text = asMarkdown(*result, *shown, box)] { copy(text); });
    menu.addSeparator();
    menu.addAction(tr("Trace inputs"), this, [this] { trace(true); });
    menu.addAction(tr("Trace outputs"), this, [this] { trace(false); });
    if (shown->boxes[index(box)].kind == BoxKind::Folded)
        menu.addAction(tr("Expand"), this, [this, box] { expandBox(box); });
    menu.addAction(tr("Collapse around"), this, [this] { collapseSelected(); });
    fillFusionMenu(menu, editableNode(hit));
    menu.addSeparator();
    QMenu* show = menu.addMenu(tr("Show in"));
    const std::pair<const char*, QString> panels[] = {{"layout", tr("Layout")},
        {"timeline", tr("Memory timeline")}, {"roofline", tr("Roofline")},
        {"operators", tr("Operators")}, {"inspector", tr("Inspector")}};
    for (const auto& [panel, text] : panels)
        show->addAction(
            text, this, [this, id = QString::fromLatin1(panel)] { emit showRequested(id); });
}

} // namespace fivefold::views::graph
