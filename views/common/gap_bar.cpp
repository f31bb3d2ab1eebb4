// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/gap_bar.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::common {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("gap", text);
}

using CorePart = fivefold::roofline::GapPart;
using fivefold::roofline::Gap;
using fivefold::roofline::GapKind;

/// Fills, hatches and writes one segment.
void paintSegment(QPainter& painter, const QRectF& rect, const QColor& fill, bool isHatched,
    const QStringList& texts) {
    painter.fillRect(rect, fill);
    const QFont font = painter.font();
    const auto text = std::find_if(texts.begin(), texts.end(),
        [&](const QString& t) { return textWidth(font, t) + 6 <= rect.width(); });
    if (isHatched)
        paintHatch(painter, rect, Palette::current().role("hatch"));
    if (text == texts.end())
        return;
    if (isHatched) { // words stay readable over the hatch
        const double width = textWidth(font, *text) + 4;
        painter.fillRect(
            QRectF(rect.center().x() - width / 2, rect.top() + 2, width, rect.height() - 4), fill);
    }
    painter.setPen(Palette::textOn(fill));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, *text);
}

} // namespace

QString gapName(const CorePart& part) {
    switch (part.kind) {
    case GapKind::Ideal:
        return tr("ideal");
    case GapKind::Padding:
        return tr("padding");
    case GapKind::Tile:
    case GapKind::Memory:
    case GapKind::Relayout:
    case GapKind::Launch:
    case GapKind::Stall:
        break;
    }
    return QString::fromStdString(part.name);
}

QString gapText(const Gap& gap) {
    QStringList texts;
    for (const auto& part : gap.parts)
        texts << gapName(part) + u' ' + formatTime(std::optional(part.time));
    return texts.join(QStringLiteral(", "));
}

QStringList absentParts(const Gap& gap, const machines::Machine& machine) {
    QStringList names;
    const auto has = [&](GapKind kind) {
        return std::any_of(gap.parts.begin(), gap.parts.end(),
            [&](const CorePart& part) { return part.kind == kind; });
    };
    if (!has(GapKind::Padding))
        names << tr("padding");
    for (std::size_t level = 0; level < machine.memories.size(); ++level)
        if (machine.memories[level].kind != machines::MemoryKind::Host
            && machine.memories[level].totalBandwidth()
            && std::none_of(gap.parts.begin(), gap.parts.end(), [&](const CorePart& part) {
                   return part.kind == GapKind::Memory && part.level == level;
               }))
            names << QString::fromStdString(machine.memories[level].name);
    if (!has(GapKind::Relayout))
        names << tr("relayout");
    if (!has(GapKind::Launch))
        names << tr("launch");
    if (!has(GapKind::Stall))
        names << tr("stalls");
    return names;
}

QVector<QRectF> gapRects(const Gap& gap, const QRectF& bar) {
    double total = 0;
    for (const auto& part : gap.parts)
        total += part.time.value;
    QVector<QRectF> rects;
    double done = 0;
    for (const auto& part : gap.parts) {
        const double left = bar.left() + bar.width() * done / total;
        done += part.time.value;
        const double right = bar.left() + bar.width() * done / total;
        rects.push_back(QRectF(left, bar.top(), right - left, bar.height()));
    }
    return rects;
}

QColor gapColor(const CorePart& part) {
    const Palette& palette = Palette::current();
    switch (part.kind) {
    case GapKind::Ideal:
        return palette.role("neutral");
    case GapKind::Padding:
        return palette.role("canvas");
    case GapKind::Tile:
        return palette.bound(lowering::Bound::Compute);
    case GapKind::Memory:
        return palette.bound(lowering::Bound::Memory);
    case GapKind::Relayout:
    case GapKind::Launch:
    case GapKind::Stall:
        break;
    }
    return palette.bound(lowering::Bound::Scheduling);
}

QString gapFigure(const CorePart& part, base::Seconds whole) {
    static constexpr double kUnits[] = {1, 1e-3, 1e-6, 1e-9, 1e-12};
    double unit = kUnits[std::size(kUnits) - 1];
    for (const double size : kUnits)
        if (whole.value >= size * 0.9995) {
            unit = size;
            break;
        }
    const double value = part.time.value / unit;
    const QLocale locale;
    const QString number = value < 0.005 ? u'<' + locale.toString(0.01, 'f', 2)
        : value < 0.995                  ? locale.toString(value, 'f', 2)
        : value < 99.95                  ? locale.toString(value, 'f', 1)
                                         : locale.toString(value, 'f', 0);
    return part.kind == GapKind::Ideal ? number : u'+' + number;
}

void paintGapBar(QPainter& painter, const QRectF& bar, const Gap& gap, GapWords words) {
    painter.save();
    painter.setFont(smallFont());
    const auto rects = gapRects(gap, bar);
    for (qsizetype p = 0; p < rects.size(); ++p) {
        const CorePart& part = gap.parts[static_cast<std::size_t>(p)];
        const QRectF rect =
            rects[p].adjusted(p == 0 ? 0 : 0.5, 0, p + 1 == rects.size() ? 0 : -0.5, 0);
        const QString figure = words == GapWords::Figures ? gapFigure(part, gap.estimate)
                                                          : formatTime(std::optional(part.time));
        QStringList texts;
        if (words == GapWords::NamesAndFigures)
            texts << gapName(part) + u' ' + figure;
        texts << figure;
        paintSegment(painter, rect, gapColor(part), part.kind == GapKind::Padding, texts);
    }
    painter.setPen(Palette::current().role("border"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

} // namespace fivefold::views::common
