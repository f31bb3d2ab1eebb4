// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/verdict.h"

#include "views/common/marks.h"
#include "views/common/palette.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace fivefold::views::common {

using compare::Verdict;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("words", text);
}

/// Which of two verdicts on one thing speaks for it.
int gravity(Verdict verdict) {
    switch (verdict) {
    case Verdict::Origin:
        return 6;
    case Verdict::Inherited:
        return 5;
    case Verdict::Healed:
        return 4;
    case Verdict::Benign:
        return 3;
    case Verdict::Clean:
        return 2;
    case Verdict::Unmatched:
        return 1;
    case Verdict::Missing:
        break;
    }
    return 0;
}

bool isGrey(Verdict verdict) {
    return verdict == Verdict::Unmatched || verdict == Verdict::Missing;
}

/// The mark alone, in a square of side 1 about the origin.
void paintSign(QPainter& painter, Verdict verdict) {
    QPainterPath path;
    switch (verdict) {
    case Verdict::Clean:
        path.moveTo(-0.24, 0.02);
        path.lineTo(-0.06, 0.2);
        path.lineTo(0.26, -0.18);
        break;
    case Verdict::Benign:
        for (const qreal y : {-0.1, 0.12}) {
            path.moveTo(-0.26, y + 0.03);
            path.cubicTo(-0.1, y - 0.14, 0.1, y + 0.14, 0.26, y - 0.03);
        }
        break;
    case Verdict::Origin:
        path.moveTo(-0.2, -0.2);
        path.lineTo(0.2, 0.2);
        path.moveTo(0.2, -0.2);
        path.lineTo(-0.2, 0.2);
        break;
    case Verdict::Inherited:
    case Verdict::Healed: {
        const qreal down = verdict == Verdict::Inherited ? 1 : -1;
        path.moveTo(0, -0.27 * down);
        path.lineTo(0, 0.27 * down);
        path.moveTo(-0.2, 0.07 * down);
        path.lineTo(0, 0.27 * down);
        path.lineTo(0.2, 0.07 * down);
        break;
    }
    case Verdict::Unmatched:
        path.moveTo(-0.15, -0.12);
        path.cubicTo(-0.13, -0.34, 0.2, -0.32, 0.16, -0.08);
        path.cubicTo(0.14, 0.02, 0, 0.02, 0, 0.14);
        path.moveTo(0, 0.27);
        path.lineTo(0, 0.28);
        break;
    case Verdict::Missing:
        for (const qreal x : {-0.2, 0.0, 0.2}) {
            path.moveTo(x, 0);
            path.lineTo(x + 0.01, 0);
        }
        break;
    }
    painter.drawPath(path);
}

} // namespace

QString verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Clean:
        return tr("clean");
    case Verdict::Benign:
        return tr("benign");
    case Verdict::Inherited:
        return tr("inherited");
    case Verdict::Origin:
        return tr("origin");
    case Verdict::Healed:
        return tr("healed");
    case Verdict::Unmatched:
        return tr("unmatched");
    case Verdict::Missing:
        break;
    }
    return tr("missing");
}

QColor verdictColour(Verdict verdict) {
    return isGrey(verdict) ? Palette::current().role("neutral")
                           : Palette::current().verdict(compare::toString(verdict));
}

QPen verdictPen(Verdict verdict) {
    const QColor colour = verdictColour(verdict);
    if (verdict == Verdict::Unmatched)
        return dashedPen(colour, 1.5, {5, 3});
    if (verdict == Verdict::Missing)
        return dashedPen(colour, 1.5, {1.5, 3});
    QPen pen(colour, verdict == Verdict::Origin ? 3 : 2);
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

void paintVerdictGlyph(QPainter& painter, const QRectF& rect, Verdict verdict) {
    const qreal side = std::min(rect.width(), rect.height());
    const QColor colour = verdictColour(verdict);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.center());
    if (isGrey(verdict)) {
        painter.setPen(verdict == Verdict::Missing ? dashedPen(colour, 1.2, {1.2, 2})
                                                   : dashedPen(colour, 1.2, {3, 2}));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(), side / 2 - 1, side / 2 - 1);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(QPointF(), side / 2, side / 2);
    }
    painter.scale(side, side);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(isGrey(verdict) ? colour : Palette::textOn(colour),
        std::max(0.1, 1.3 / std::max(1.0, side)), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    paintSign(painter, verdict);
    painter.restore();
}

LegendEntry verdictEntry(Verdict verdict) {
    return {verdictName(verdict), [verdict](QPainter& painter, const QRectF& rect) {
                paintVerdictGlyph(painter, rect, verdict);
            }};
}

VerdictMap::VerdictMap(std::shared_ptr<const compare::Divergence> divergence) {
    if (!divergence)
        return;
    for (std::size_t l = 0; l < divergence->layers.size(); ++l) {
        const compare::Layer& layer = divergence->layers[l];
        const VerdictState state{layer.verdict, l, layer.global.wrong.count, layer.global.total};
        if (layer.value.isValid())
            m_values.try_emplace(layer.value.value, state);
        if (!layer.node.isValid())
            continue;
        const auto [found, isNew] = m_states.try_emplace(layer.node.value, state);
        if (!isNew && gravity(state.verdict) > gravity(found->second.verdict))
            found->second = state;
    }
}

std::optional<VerdictState> VerdictMap::of(ir::NodeId node) const {
    const auto found = m_states.find(node.value);
    return found == m_states.end() ? std::nullopt : std::optional(found->second);
}

std::optional<VerdictState> VerdictMap::of(ir::ValueId value) const {
    const auto found = m_values.find(value.value);
    return found == m_values.end() ? std::nullopt : std::optional(found->second);
}

std::optional<VerdictState> VerdictMap::of(std::span<const ir::NodeId> nodes) const {
    std::optional<VerdictState> gravest;
    for (const ir::NodeId node : nodes)
        if (const auto state = of(node);
            state && (!gravest || gravity(state->verdict) > gravity(gravest->verdict)))
            gravest = state;
    return gravest;
}

} // namespace fivefold::views::common
