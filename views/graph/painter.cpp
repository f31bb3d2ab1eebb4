// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/painter.h"

#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace fivefold::views::graph {

using common::Palette;

namespace {

constexpr double kNodeRadius = 3, kGroupRadius = 4; // tokens.json radius
constexpr double kEdgeWidth = 1.5; // tokens.json line.mark
constexpr double kArrow = 7;
constexpr double kFaded = 0.3;
constexpr double kRemovedOpacity = 0.4;
constexpr double kPaleOpacity = 0.5;

class ScenePainter {
public:
    ScenePainter(
        QPainter& painter, const Scene& scene, const common::PlaneView& view, const QRectF& dirty)
        : m_painter(painter)
        , m_scene(scene)
        , m_graph(*scene.graph)
        , m_geometry(*scene.geometry)
        , m_scale(view.scale())
        , m_visible(view.toContent(dirty).adjusted(-16, -16, 16, 16))
        , m_metrics(Metrics::current())
        , m_body(common::bodyFont())
        , m_bold(common::boldFont())
        , m_small(common::smallFont()) { }

    void run() {
        if (m_scale < kMarkScale) {
            paintMarks();
            return;
        }
        for (std::size_t g = 0; g < m_geometry.groups.size(); ++g)
            if (m_geometry.groups[g].intersects(m_visible))
                paintGroup(g);
        const double opacity = m_painter.opacity();
        m_painter.setOpacity(opacity * m_scene.edgeOpacity);
        for (std::size_t e = 0; e < m_geometry.edges.size(); ++e)
            if (m_geometry.edges[e].bounds.intersects(m_visible))
                paintEdge(e);
        for (const StubShape& stub : m_geometry.stubs)
            if (stub.pill.adjusted(0, 0, 20, 0).intersects(m_visible))
                paintStub(stub);
        m_painter.setOpacity(opacity);
        for (std::size_t b = 0; b < m_geometry.boxes.size(); ++b)
            if (m_geometry.boxes[b].adjusted(-8, -8, 120, 8).intersects(m_visible))
                paintBox(b);
        if (m_scale >= kDetailScale && m_scene.edgeOpacity >= 1)
            for (std::size_t e = 0; e < m_geometry.edges.size(); ++e)
                if (m_geometry.edges[e].label.intersects(m_visible))
                    paintLabel(e);
    }

private:
    static bool has(const std::vector<char>& flags, std::size_t i) {
        return i < flags.size() && flags[i];
    }
    bool isSelected(std::size_t box) const { return has(m_scene.marks->selected, box); }
    bool isFresh(std::size_t box) const { return m_scene.isFresh && has(*m_scene.isFresh, box); }
    bool isFaded(std::size_t box) const {
        return !m_scene.marks->traced.empty() && !has(m_scene.marks->traced, box);
    }
    QColor role(const char* name) const { return Palette::current().role(name); }

    void paintMarks() {
        for (std::size_t b = 0; b < m_geometry.boxes.size(); ++b)
            if (m_geometry.boxes[b].intersects(m_visible))
                m_painter.fillRect(m_geometry.boxes[b], bandColour(b));
    }

    QColor bandColour(std::size_t b) const {
        return b < m_scene.bands->colours.size() ? m_scene.bands->colours[b] : role("neutral");
    }

    void paintGroup(std::size_t g) {
        const DisplayGroup& group = m_graph.groups[g];
        const QRectF& rect = m_geometry.groups[g];
        m_painter.save();
        if (group.isPale)
            m_painter.setOpacity(m_painter.opacity() * kPaleOpacity);
        QPen pen(role(group.isKernel ? "border" : "separator"), 1);
        if (group.isEdited)
            pen = common::dashedPen(role("link"), 2, {5, 3});
        else if (group.isAdded)
            pen = common::dashedPen(role("textSecondary"), 2, {5, 3});
        else if (!group.isKernel)
            pen.setDashPattern({4, 3});
        m_painter.setPen(pen);
        m_painter.setBrush(group.isKernel ? QBrush(role("group")) : Qt::NoBrush);
        m_painter.drawRoundedRect(rect, kGroupRadius, kGroupRadius);
        if (m_scale >= kDetailScale)
            paintTitle(group, rect);
        m_painter.restore();
    }

    void paintTitle(const DisplayGroup& group, const QRectF& rect) {
        const QRectF strip(
            rect.left() + 8, rect.top() + 3, rect.width() - 16, titleHeight(m_metrics));
        const QFontMetricsF metrics(m_small);
        const double details = metrics.horizontalAdvance(group.details);
        const bool hasRoom = details + 60 < strip.width();
        const double room = strip.width() - (hasRoom ? details + 12 : 0);
        const QString name = metrics.elidedText(group.name, Qt::ElideMiddle, room);
        m_painter.setFont(m_small);
        m_painter.setPen(role("text"));
        m_painter.drawText(strip, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, name);
        if (!hasRoom)
            return;
        m_painter.setPen(role("textSecondary"));
        m_painter.drawText(
            strip, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, group.details);
    }

    void paintEdge(std::size_t e) {
        const DisplayEdge& edge = m_graph.edges[e];
        const QVector<QPointF>& points = m_geometry.edges[e].points;
        if (points.size() < 4)
            return;
        const auto from = static_cast<std::size_t>(edge.from),
                   to = static_cast<std::size_t>(edge.to);
        const bool isLit = isSelected(from) || isSelected(to);
        m_painter.save();
        if (isFaded(from) || isFaded(to))
            m_painter.setOpacity(m_painter.opacity() * kFaded);
        else if (edge.isRemoved)
            m_painter.setOpacity(m_painter.opacity() * kRemovedOpacity);
        const QColor colour = role(isLit ? "text" : "edge");
        QPen pen(colour, isLit ? 2 : kEdgeWidth);
        if (edge.isAdded || edge.isRemoved)
            pen.setDashPattern({4, 3});
        pen.setCapStyle(Qt::FlatCap);
        QPainterPath path(points[0]);
        for (qsizetype i = 0; i + 3 < points.size(); i += 3)
            path.cubicTo(points[i + 1], points[i + 2], points[i + 3]);
        m_painter.strokePath(path, pen);
        if (m_scale >= kDetailScale)
            paintArrow(points, colour);
        m_painter.restore();
    }

    void paintArrow(const QVector<QPointF>& points, const QColor& colour) {
        const QPointF tip = points.back();
        QPointF tail = tip;
        for (qsizetype i = points.size() - 2; i >= 0; --i) {
            tail = points[i];
            if (std::hypot(tail.x() - tip.x(), tail.y() - tip.y()) > 1)
                break;
        }
        const double length = std::hypot(tip.x() - tail.x(), tip.y() - tail.y());
        if (length <= 0)
            return;
        const QPointF along = (tip - tail) / length, across(-along.y(), along.x());
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colour);
        m_painter.drawPolygon(QPolygonF{tip, tip - along * kArrow + across * kArrow * 0.45,
            tip - along * kArrow - across * kArrow * 0.45});
    }

    void paintLabel(std::size_t e) {
        const DisplayEdge& edge = m_graph.edges[e];
        const QRectF& rect = m_geometry.edges[e].label;
        const auto from = static_cast<std::size_t>(edge.from),
                   to = static_cast<std::size_t>(edge.to);
        m_painter.save();
        if (isFaded(from) || isFaded(to))
            m_painter.setOpacity(m_painter.opacity() * kFaded);
        // Where a line runs behind the words the ground shows through the line, not the other way
        // round.
        QColor ground = role(isOnKernel(rect.center()) ? "group" : "canvas");
        ground.setAlphaF(0.8F);
        m_painter.fillRect(rect.adjusted(-1, 2, 1, -2), ground);
        m_painter.setFont(m_small);
        m_painter.setPen(role(isSelected(from) || isSelected(to) ? "text" : "textSecondary"));
        m_painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, edge.label);
        m_painter.restore();
    }

    bool isOnKernel(const QPointF& at) const {
        for (std::size_t g = 0; g < m_geometry.groups.size(); ++g)
            if (m_graph.groups[g].isKernel && m_geometry.groups[g].contains(at))
                return true;
        return false;
    }

    void paintStub(const StubShape& stub) {
        const auto box = static_cast<std::size_t>(stub.box);
        const QRectF& target = m_geometry.boxes[box];
        const QColor colour = role("edge");
        m_painter.save();
        if (isFaded(box))
            m_painter.setOpacity(m_painter.opacity() * kFaded);
        m_painter.setPen(QPen(colour, 1));
        m_painter.setBrush(role("node"));
        m_painter.drawRoundedRect(stub.pill, stub.pill.height() / 2, stub.pill.height() / 2);
        m_painter.setPen(QPen(colour, kEdgeWidth));
        const QPointF end(target.left(), stub.pill.center().y());
        m_painter.drawLine(QPointF(stub.pill.right(), end.y()), end - QPointF(4, 0));
        if (m_scale >= kDetailScale) {
            paintArrow({QPointF(stub.pill.right(), end.y()), QPointF(stub.pill.right(), end.y()),
                           end - QPointF(4, 0), end},
                colour);
            m_painter.setFont(m_small);
            m_painter.setPen(role("text"));
            m_painter.drawText(stub.pill, Qt::AlignCenter | Qt::TextSingleLine,
                QFontMetricsF(m_small).elidedText(
                    stub.text, Qt::ElideMiddle, stub.pill.width() - 10));
        }
        m_painter.restore();
    }

    void paintBox(std::size_t b) {
        const DisplayBox& box = m_graph.boxes[b];
        const QRectF& rect = m_geometry.boxes[b];
        m_painter.save();
        if (isFaded(b))
            m_painter.setOpacity(m_painter.opacity() * kFaded);
        if (isFresh(b))
            m_painter.setOpacity(m_painter.opacity() * m_scene.edgeOpacity);
        if (box.kind == BoxKind::Removed)
            m_painter.setOpacity(m_painter.opacity() * kRemovedOpacity);
        else if (box.isPale)
            m_painter.setOpacity(m_painter.opacity() * kPaleOpacity);
        if (isPill(box))
            paintPill(b, box, rect);
        else
            paintOperator(b, box, rect);
        if (isFresh(b))
            paintFresh(box, rect);
        m_painter.restore();
        if (has(m_scene.marks->selected, b))
            common::paintSelectionRing(
                m_painter, rect, m_scene.marks->selected[b] == 2, radius(box));
        else if (has(m_scene.marks->hovered, b))
            common::paintHoverOutline(m_painter, rect, radius(box));
        if (m_scale >= kDetailScale && !m_geometry.tags[b].isNull())
            paintTag(b, box);
    }

    /// A thin line around what was not in the picture before.
    void paintFresh(const DisplayBox& box, const QRectF& rect) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(role("link"), 1.5));
        m_painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), radius(box) + 3, radius(box) + 3);
    }

    static bool isPill(const DisplayBox& box) {
        return box.kind == BoxKind::Input || box.kind == BoxKind::Output
            || box.kind == BoxKind::Constant;
    }
    double radius(const DisplayBox& box) const {
        return isPill(box) ? m_metrics.pillHeight() / 2 : kNodeRadius;
    }

    /// Under the verdict lens what a comparison says of a box; null: nothing.
    const common::VerdictState* verdict(std::size_t b) const {
        const auto& verdicts = m_scene.bands->verdicts;
        return b < verdicts.size() && verdicts[b] ? &*verdicts[b] : nullptr;
    }

    /// A pale tint of the verdict's colour, none for what was not compared.
    QColor ground(std::size_t b) const {
        const common::VerdictState* state = verdict(b);
        if (!state || state->verdict == compare::Verdict::Unmatched
            || state->verdict == compare::Verdict::Missing)
            return role("node");
        const QColor from = role("node"), to = common::verdictColour(state->verdict);
        const auto mix = [](int a, int z) { return a + (z - a) * 16 / 100; };
        return {
            mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
    }

    void paintPill(std::size_t b, const DisplayBox& box, const QRectF& rect) {
        m_painter.setBrush(ground(b));
        m_painter.setPen(verdict(b)
                ? common::verdictPen(verdict(b)->verdict)
                : QPen(role("nodeBorder"), box.kind == BoxKind::Constant ? 1 : 1.5));
        m_painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
        if (m_scale < kDetailScale)
            return;
        m_painter.setFont(box.kind == BoxKind::Constant   ? m_small
                : isSelected(b) || box.values.size() == 1 ? m_bold
                                                          : m_body);
        const bool hasGlyph = verdict(b) && rect.width() > 60;
        if (hasGlyph)
            common::paintVerdictGlyph(m_painter,
                QRectF(rect.left() + 6, rect.center().y() - 7, 14, 14), verdict(b)->verdict);
        m_painter.setPen(role("text"));
        m_painter.drawText(rect.adjusted(hasGlyph ? 20 : 0, 0, 0, 0),
            Qt::AlignCenter | Qt::TextSingleLine,
            QFontMetricsF(m_painter.font())
                .elidedText(box.title, Qt::ElideMiddle, rect.width() - (hasGlyph ? 32 : 12)));
    }

    void paintOperator(std::size_t b, const DisplayBox& box, const QRectF& rect) {
        const QColor band = bandColour(b);
        if (box.kind == BoxKind::Folded) {
            m_painter.setBrush(role("node"));
            m_painter.setPen(QPen(role("nodeBorder"), 1));
            const double offset = m_metrics.foldOffset();
            m_painter.drawRoundedRect(rect.translated(offset, offset), kNodeRadius, kNodeRadius);
        }
        QPainterPath shape;
        shape.addRoundedRect(rect, kNodeRadius, kNodeRadius);
        m_painter.fillPath(shape, ground(b));
        paintBand(shape, rect, band);
        if (verdict(b)) {
            m_painter.strokePath(shape, common::verdictPen(verdict(b)->verdict));
        } else if (box.isAdded || box.kind == BoxKind::Removed) {
            const QColor colour = Palette::current().operatorClass(box.opClass);
            m_painter.strokePath(shape, common::dashedPen(colour, 2, {5, 3}));
        } else {
            m_painter.strokePath(shape, QPen(role("nodeBorder"), 1));
        }
        paintShare(box, rect);
        if (m_scale >= kDetailScale)
            paintWords(b, box, rect);
    }

    void paintBand(const QPainterPath& shape, const QRectF& rect, const QColor& band) {
        m_painter.save();
        m_painter.setClipPath(shape, Qt::IntersectClip);
        const QRectF strip(rect.left(), rect.top(), m_metrics.band(), rect.height());
        if (band.isValid())
            m_painter.fillRect(strip, band);
        else
            common::paintHatch(m_painter, strip, role("hatch"), true);
        m_painter.restore();
    }

    void paintShare(const DisplayBox& box, const QRectF& rect) {
        if (!(box.share > 0))
            return;
        const double room = rect.width() - m_metrics.band() - 4;
        const double width = std::max(1.0, room * std::min(1.0, box.share));
        m_painter.fillRect(QRectF(rect.left() + m_metrics.band() + 2, rect.bottom() - 4, width, 3),
            role("neutral"));
    }

    void paintWords(std::size_t b, const DisplayBox& box, const QRectF& rect) {
        const double glyph = m_metrics.glyph();
        double left = rect.left() + m_metrics.band() + 5;
        const QRectF mark(left, rect.center().y() - glyph / 2, glyph, glyph);
        if (m_scene.lens == common::Lens::DecidedBy && b < m_scene.bands->words.size()) {
            m_painter.setFont(m_small);
            m_painter.setPen(role("text"));
            m_painter.drawText(mark, Qt::AlignCenter, m_scene.bands->words[b].left(1));
        } else if (verdict(b)) {
            common::paintVerdictGlyph(m_painter, mark.adjusted(-1, -1, 1, 1), verdict(b)->verdict);
        } else {
            common::paintClassGlyph(
                m_painter, mark, box.opClass, Palette::current().operatorClass(box.opClass));
        }
        left += glyph + 6;
        const QString time = verdict(b) ? wrongText(*verdict(b)) : timeText(box);
        double right = rect.right() - 7;
        m_painter.setPen(role("text"));
        if (!time.isEmpty()) {
            m_painter.setFont(m_body);
            const double width = QFontMetricsF(m_body).horizontalAdvance(time);
            m_painter.drawText(QRectF(right - width, rect.top(), width + 2, rect.height()),
                Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, time);
            right -= width + 8;
        }
        QFont font = isSelected(b) ? m_bold : m_body;
        font.setStrikeOut(box.kind == BoxKind::Removed);
        m_painter.setFont(font);
        m_painter.drawText(QRectF(left, rect.top(), right - left, rect.height()),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            fittedTitle(box.title, QFontMetricsF(font), right - left));
    }

    void paintTag(std::size_t b, const DisplayBox& box) {
        const QRectF& tag = m_geometry.tags[b];
        const QColor colour = Palette::current().operatorClass(box.opClass);
        m_painter.save();
        m_painter.setBrush(role("canvas"));
        m_painter.setPen(QPen(colour, 1));
        m_painter.drawRoundedRect(tag, 2, 2);
        m_painter.setPen(role("text"));
        m_painter.setFont(m_small);
        m_painter.drawText(tag, Qt::AlignCenter | Qt::TextSingleLine, tagText(box));
        m_painter.restore();
    }

    QPainter& m_painter;
    const Scene& m_scene;
    const DisplayGraph& m_graph;
    const Geometry& m_geometry;
    double m_scale;
    QRectF m_visible;
    Metrics m_metrics;
    QFont m_body, m_bold, m_small;
};

} // namespace

QString fittedTitle(const QString& title, const QFontMetricsF& metrics, double room) {
    if (metrics.horizontalAdvance(title) <= room)
        return title;
    // "transformer/h/c_attn · addmm": the modules in front go first, then the middle.
    const qsizetype dot = title.indexOf(QStringLiteral(" · "));
    for (qsizetype slash = title.indexOf('/'); slash >= 0 && slash < dot;
         slash = title.indexOf('/', slash + 1)) {
        const QString shorter = QStringLiteral("…") + title.mid(slash);
        if (metrics.horizontalAdvance(shorter) <= room)
            return shorter;
    }
    if (dot
        > 0) { // "batchmatmul · MatMul_1": a word that repeats the operator gives way to its number
        const QString op = title.left(dot), name = title.mid(dot + 3);
        const QString number = name.section('_', 1);
        const QString word = name.section('_', 0, 0);
        const QString shorter = number.isEmpty() ? op : op + '_' + number;
        if (op.contains(word, Qt::CaseInsensitive) && metrics.horizontalAdvance(shorter) <= room)
            return shorter;
    }
    return metrics.elidedText(title, Qt::ElideMiddle, room);
}

void paintScene(
    QPainter& painter, const Scene& scene, const common::PlaneView& view, const QRectF& dirty) {
    if (!scene.graph || !scene.geometry || !scene.bands || !scene.marks
        || scene.geometry->boxes.size() != scene.graph->boxes.size())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.scale(view.scale(), view.scale());
    painter.translate(-view.origin());
    ScenePainter(painter, scene, view, dirty).run();
    painter.restore();
}

} // namespace fivefold::views::graph
