// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/scene_painter.h"

#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QPainter>

#include <algorithm>

namespace fivefold::views::layout {

using namespace common;

namespace {

constexpr double kFrameFrom = 4; ///< narrower marks have no frame of their own

QColor fillOf(const SceneMark& mark, const LensColours& lens) {
    const Palette& palette = Palette::current();
    switch (mark.fill) {
    case MarkFill::None:
        return {};
    case MarkFill::Level:
        return blended(palette.role("canvas"), palette.memoryLevel(mark.level), mark.strength);
    case MarkFill::Lens: {
        const LensMark said = mark.target.step.isValid()
            ? lens.step(mark.target.step)
            : lens.value(lowering::Stage::Placed, mark.target.value);
        return said.fill;
    }
    case MarkFill::Neutral:
        break;
    }
    return palette.role("neutralSoft");
}

void paintMark(QPainter& painter, const SceneMark& mark, const LensColours& lens) {
    const Palette& palette = Palette::current();
    const QColor fill = fillOf(mark, lens);
    QRectF full = mark.rect;
    full.setWidth(mark.rect.width() * std::clamp(mark.filled, 0.0, 1.0));
    if (fill.isValid())
        painter.fillRect(full, fill);
    else if (mark.fill == MarkFill::Lens)
        paintHatch(painter, full, palette.role("hatch"), true);
    if (mark.filled < 1)
        paintHatch(
            painter, QRectF(full.topRight(), mark.rect.bottomRight()), palette.role("hatch"));
    if (mark.isRefused)
        paintCrossHatch(painter, mark.rect, palette.role("hatch"));
    if (mark.isFramed && mark.rect.width() >= kFrameFrom && mark.rect.height() >= kFrameFrom) {
        painter.setPen(palette.role("nodeBorder"));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(mark.rect);
    }
    if (mark.label.isEmpty() || mark.rect.height() < lineHeight(smallFont()) - 2
        || mark.rect.width() < 24)
        return;
    const QRectF room = mark.rect.adjusted(4, 0, -3, 0);
    // The last part of a path tells most; a word that does not fit is better left out.
    QString text = mark.label;
    if (textWidth(smallFont(), text) > room.width())
        text = (text.startsWith(u'↳') ? QStringLiteral("↳ ") : QString())
            + text.section(u'/', -1).remove(QStringLiteral("↳ "));
    text = QFontMetrics(smallFont()).elidedText(text, Qt::ElideRight, qRound(room.width()));
    if (text.size() < std::min<qsizetype>(4, mark.label.size()))
        return;
    painter.setFont(smallFont());
    if (mark.isRefused || mark.filled < 1) { // words do not stand on a hatch
        QRectF pill(room.left() - 2, room.center().y() - lineHeight(smallFont()) / 2.0,
            textWidth(smallFont(), text) + 4, lineHeight(smallFont()));
        painter.fillRect(pill.intersected(mark.rect), palette.role("canvas"));
        painter.setPen(palette.role("text"));
    } else {
        painter.setPen(fill.isValid() ? Palette::textOn(fill) : palette.role("text"));
    }
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

void paintLine(QPainter& painter, const SceneLine& line) {
    const Palette& palette = Palette::current();
    switch (line.kind) {
    case SceneLine::Kind::Grid:
        painter.setPen(palette.role("grid"));
        break;
    case SceneLine::Kind::Axis:
        painter.setPen(palette.role("border"));
        break;
    case SceneLine::Kind::Capacity:
        painter.setPen(levelPen(line.level, 2));
        break;
    case SceneLine::Kind::Cursor:
        painter.setPen(QPen(palette.role("text"), 1, Qt::DotLine));
        break;
    case SceneLine::Kind::HandOff: {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette.role("canvas"), line.width + 2.5)); // seen on any fill
        painter.drawLine(line.line);
        painter.setPen(QPen(palette.role("text"), line.width));
        painter.drawLine(line.line);
        const double length = line.line.length();
        if (length > 12) { // an arrow head at the reader
            QLineF back = QLineF(line.line.p2(), line.line.p1());
            back.setLength(7);
            QLineF left = back, right = back;
            left.setAngle(back.angle() + 25);
            right.setAngle(back.angle() - 25);
            painter.setBrush(palette.role("text"));
            const QPointF head[] = {line.line.p2(), left.p2(), right.p2()};
            painter.drawPolygon(head, 3);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    }
    painter.drawLine(line.line);
}

} // namespace

QColor blended(const QColor& below, const QColor& above, double share) {
    const auto mix = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return {mix(below.red(), above.red()), mix(below.green(), above.green()),
        mix(below.blue(), above.blue())};
}

void paintCrossHatch(QPainter& painter, const QRectF& rect, const QColor& color) {
    paintHatch(painter, rect, color);
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1));
    constexpr double kPitch = 8.5; // 6 px across the lines, as the other hatch
    for (double x = rect.left() - rect.height(); x < rect.right(); x += kPitch)
        painter.drawLine(QPointF(x, rect.top()), QPointF(x + rect.height(), rect.bottom()));
    painter.restore();
}

void paintLabel(QPainter& painter, const Label& label) {
    const QFont font = label.isMono ? monoFont() : smallFont();
    painter.setFont(font);
    painter.setPen(Palette::current().role(label.isMuted ? "textSecondary" : "text"));
    const QString text = QFontMetrics(font).elidedText(
        label.text, Qt::ElideRight, qRound(std::max(0.0, label.rect.width())));
    painter.drawText(label.rect, static_cast<int>(label.alignment) | Qt::TextSingleLine, text);
}

void paintScene(QPainter& painter, const Scene& scene, const LensColours& lens,
    const std::vector<bool>& isSelected, const std::vector<bool>& isHovered) {
    for (const SceneLine& line : scene.lines)
        if (line.kind == SceneLine::Kind::Grid)
            paintLine(painter, line);
    painter.save();
    if (!scene.plot.isNull())
        painter.setClipRect(scene.plot.adjusted(-1, -24, 1, 1));
    for (const SceneMark& mark : scene.marks)
        paintMark(painter, mark, lens);
    painter.restore();
    for (const SceneLine& line : scene.lines)
        if (line.kind != SceneLine::Kind::Grid)
            paintLine(painter, line);
    bool isPrimary = true;
    for (std::size_t i = 0; i < scene.marks.size(); ++i)
        if (i < isSelected.size() && isSelected[i]) {
            paintSelectionRing(painter, scene.marks[i].rect, isPrimary, 0);
            isPrimary = false;
        }
    for (std::size_t i = 0; i < scene.marks.size(); ++i)
        if (i < isHovered.size() && isHovered[i])
            paintHoverOutline(painter, scene.marks[i].rect, 0);
    for (const Label& label : scene.labels)
        paintLabel(painter, label); // over halos: a head stays readable
}

LegendEntry levelEntry(const QString& name, machines::MemoryKind level, double strength) {
    return {name, [level, strength](QPainter& painter, const QRectF& rect) {
                const Palette& palette = Palette::current();
                painter.setPen(palette.role("nodeBorder"));
                painter.setBrush(
                    blended(palette.role("canvas"), palette.memoryLevel(level), strength));
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
            }};
}

LegendEntry crossEntry(const QString& name) {
    return {name, [](QPainter& painter, const QRectF& rect) {
                paintCrossHatch(painter, rect, Palette::current().role("hatch"));
                painter.setPen(Palette::current().role("nodeBorder"));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
            }};
}

LegendEntry hatchEntry(const QString& name) {
    return {name, [](QPainter& painter, const QRectF& rect) {
                paintHatch(painter, rect, Palette::current().role("hatch"));
                painter.setPen(Palette::current().role("nodeBorder"));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
            }};
}

} // namespace fivefold::views::layout
