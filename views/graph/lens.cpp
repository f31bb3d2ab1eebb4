// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/lens.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>

namespace fivefold::views::graph {

using common::Lens;
using common::Palette;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::graph", text);
}

void paintDashedBox(QPainter& painter, const QRectF& rect, const QColor& colour) {
    painter.setPen(common::dashedPen(colour, 1.5, {3, 2}));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 2, 2);
}

std::vector<std::optional<common::VerdictState>> verdictsOf(
    const DisplayGraph& graph, const common::VerdictMap& verdicts) {
    std::vector<std::optional<common::VerdictState>> states;
    for (const DisplayBox& box : graph.boxes) {
        auto state = verdicts.of(box.captured);
        if (!state && box.values.size() == 1)
            state = verdicts.of(box.values.front());
        states.push_back(state);
    }
    return states;
}

} // namespace

Bands bandsOf(const DisplayGraph& graph, const common::LensColours& lens) {
    Bands bands;
    for (const DisplayBox& box : graph.boxes) {
        common::LensMark mark = lens.nodes(graph.stage, box.lowered);
        if (lens.lens()
            == Lens::OperatorClass) // a folded box has the class of most of its operators
            mark = {Palette::current().operatorClass(box.opClass), common::className(box.opClass)};
        bands.colours.push_back(mark.fill);
        bands.words.push_back(mark.word);
    }
    if (lens.lens() == Lens::Verdict && lens.divergence())
        bands.verdicts = verdictsOf(graph, common::VerdictMap(lens.divergence()));
    return bands;
}

QString wrongText(const common::VerdictState& state) {
    return state.wrong == 0
        ? QString()
        : tr("%1 of %2").arg(common::formatCount(state.wrong), common::formatCount(state.total));
}

common::Legend legendOf(Lens lens, const DisplayGraph& graph) {
    common::Legend legend;
    std::array<bool, 6> isUsed{}; // by operator class
    for (const DisplayBox& box : graph.boxes)
        if (!box.lowered.empty())
            isUsed[static_cast<std::size_t>(box.opClass)] = true;
    if (lens != Lens::OperatorClass)
        legend = common::lensLegend(lens);
    else
        for (std::size_t c = 0; c < isUsed.size(); ++c)
            if (isUsed[c])
                legend << common::classEntry(static_cast<ir::OpClass>(c));
    const auto hasBox = [&](auto test) {
        return std::any_of(graph.boxes.begin(), graph.boxes.end(), test);
    };
    if (hasBox([](const DisplayBox& box) { return box.isAdded; }))
        legend << common::LegendEntry{
            tr("added by the compiler"), [](QPainter& painter, const QRectF& rect) {
                paintDashedBox(
                    painter, rect, Palette::current().operatorClass(ir::OpClass::Movement));
            }};
    const bool hasFusions = std::any_of(graph.groups.begin(), graph.groups.end(),
        [](const DisplayGroup& group) { return group.isAdded; });
    if (hasFusions)
        legend << common::LegendEntry{
            tr("fused by this stage"), [](QPainter& painter, const QRectF& rect) {
                paintDashedBox(painter, rect, Palette::current().role("textSecondary"));
            }};
    if (hasBox([](const DisplayBox& box) { return box.kind == BoxKind::Removed; }))
        legend << common::LegendEntry{tr("removed"), [](QPainter& painter, const QRectF& rect) {
                                          painter.setOpacity(painter.opacity() * 0.6);
                                          paintDashedBox(
                                              painter, rect, Palette::current().role("text"));
                                          painter.drawLine(QPointF(rect.left(), rect.center().y()),
                                              QPointF(rect.right(), rect.center().y()));
                                          painter.setOpacity(1);
                                      }};
    return legend;
}

} // namespace fivefold::views::graph
