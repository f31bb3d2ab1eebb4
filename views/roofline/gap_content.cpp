// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/gap_content.h"

#include "views/common/format.h"
#include "views/common/gap_bar.h"
#include "views/common/marks.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <set>

namespace fivefold::views::roofline {

using namespace common;
using fivefold::roofline::Charge;
using fivefold::roofline::Gap;
using fivefold::roofline::GapAnalysis;

namespace {

constexpr double kTitle = 24;

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

/// The steps whose time the gap holds.
std::set<lowering::StepId> stepsIn(
    const analysis::Result& result, std::span<const lowering::StepId> steps, Charge charge) {
    std::set<lowering::StepId> all(steps.begin(), steps.end());
    if (charge == Charge::ToItself)
        return all;
    const std::set<lowering::StepId> asked = all;
    for (std::size_t s = 0; s < result.chargedTo.size(); ++s) {
        const lowering::StepId step(s);
        const auto payer = result.chargedTo[step];
        if (payer == step)
            continue;
        if (asked.contains(payer))
            all.insert(step);
        else
            all.erase(step);
    }
    return all;
}

void addBand(GapContent& content, const analysis::Result& result,
    std::span<const lowering::StepId> steps, Charge charge) {
    base::Seconds low, high;
    for (const auto step : stepsIn(result, steps, charge)) {
        const auto& estimate = result.program.steps[step].estimate;
        if (!estimate.low || !estimate.high)
            return;
        const auto times =
            static_cast<double>(std::max<std::int64_t>(1, result.program.steps[step].executions));
        low += *estimate.low * times;
        high += *estimate.high * times;
    }
    content.low = low;
    content.high = high;
}

/// "Asked for by attn/MatMul: its time counts there."
QString whyEmpty(const analysis::Result& result, std::span<const lowering::StepId> steps) {
    if (steps.empty())
        return tr("The selection runs in no step of this machine.");
    const auto step = steps.front();
    if (!result.program.steps[step].estimate.isKnown)
        return tr("Its time is unknown.");
    if (result.chargedTo.contains(step) && result.chargedTo[step] != step)
        return tr("%1 asked for it, and its %2 count there.")
            .arg(stepName(result, result.chargedTo[step]),
                formatTime(std::optional(result.program.steps[step].estimate.time)));
    return tr("It takes no time.");
}

/// low |———|———| high under the bar; returns where it begins.
double paintWhisker(QPainter& painter, const GapContent& content, const QRectF& bar,
    const QRectF& row, double pixelsPerSecond) {
    const auto x = [&](base::Seconds time) { return bar.left() + time.value * pixelsPerSecond; };
    const Palette& palette = Palette::current();
    const double y = row.center().y();
    const QFont font = smallFont();
    painter.setFont(font);
    const QString low = formatTime(content.low);
    const QString high = formatTime(content.high);
    painter.setPen(QPen(palette.role("text"), 1.5));
    painter.drawLine(QPointF(x(*content.low), y), QPointF(x(*content.high), y));
    for (const auto& [time, half] : {std::pair(*content.low, 4.0), std::pair(*content.high, 4.0),
             std::pair(content.gap.estimate, 5.0)})
        painter.drawLine(QPointF(x(time), y - half), QPointF(x(time), y + half));
    painter.setPen(palette.role("textSecondary"));
    const double lowWidth = textWidth(font, low) + 2;
    const double left = x(*content.low) - 5 - lowWidth;
    painter.drawText(
        QRectF(left, row.top(), lowWidth, row.height()), Qt::AlignRight | Qt::AlignVCenter, low);
    painter.drawText(
        QRectF(x(*content.high) + 5, row.top(), textWidth(font, high) + 2, row.height()),
        Qt::AlignLeft | Qt::AlignVCenter, high);
    return left;
}

/// The measurement as a frame beyond (or a mark in) the bar, its residual named.
void paintResidual(
    QPainter& painter, const GapContent& content, const QRectF& bar, double pixelsPerSecond) {
    const double estimate = content.gap.estimate.value;
    const double measured = content.measured->value;
    const Palette& palette = Palette::current();
    const double at = bar.left() + measured * pixelsPerSecond;
    painter.setPen(dashedPen(palette.role("text"), 1, {4, 3}));
    if (measured > estimate) {
        const QRectF rest(bar.left() + estimate * pixelsPerSecond, bar.top(),
            (measured - estimate) * pixelsPerSecond, bar.height());
        painter.drawRect(rest.adjusted(0.5, 0.5, -0.5, -0.5));
        const QString text =
            tr("residual %1").arg(formatTime(std::optional(base::Seconds(measured - estimate))));
        if (textWidth(painter.font(), text) + 6 <= rest.width())
            painter.drawText(rest, Qt::AlignCenter, text);
    }
    painter.setPen(QPen(palette.role("text"), 2));
    painter.drawLine(QPointF(at, bar.top() - 3), QPointF(at, bar.bottom() + 3));
}

void paintTotal(QPainter& painter, const QRectF& side, const GapContent& content) {
    const Palette& palette = Palette::current();
    QRectF upper = side;
    upper.setHeight(side.height() * 0.55);
    painter.setPen(palette.role("text"));
    painter.setFont(figureFont());
    painter.drawText(
        upper, Qt::AlignRight | Qt::AlignVCenter, formatTime(std::optional(content.gap.estimate)));
    painter.setFont(smallFont());
    painter.setPen(palette.role("textSecondary"));
    painter.drawText(QRectF(side.left(), upper.bottom(), side.width(), side.height() * 0.45),
        Qt::AlignRight | Qt::AlignVCenter, content.gap.isAtLeast ? tr("at least") : tr("estimate"));
}

void paintNames(QPainter& painter, const GapContent& content, const QVector<QRectF>& segments,
    const QRectF& row) {
    painter.setFont(smallFont());
    painter.setPen(Palette::current().role("text"));
    const auto names = gapNameRects(content.gap, segments, row);
    for (qsizetype p = 0; p < names.size(); ++p)
        if (!names[p].isEmpty())
            painter.drawText(names[p], Qt::AlignCenter | Qt::TextSingleLine,
                gapName(content.gap.parts[static_cast<std::size_t>(p)]));
}

/// The band or why there is none, and what the bar has no part for.
void paintBelow(QPainter& painter, const GapContent& content, const QRectF& bar, const QRectF& row,
    double pixelsPerSecond) {
    const QColor color = Palette::current().role("textSecondary");
    double right = row.right();
    if (content.low && content.high) {
        right = paintWhisker(painter, content, bar, row, pixelsPerSecond);
    } else {
        painter.setFont(smallFont());
        painter.setPen(color);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, content.band);
        right -= textWidth(smallFont(), content.band);
    }
    const double room = right - 12 - row.left();
    if (content.absent.isEmpty() || room < 60)
        return;
    painter.setFont(smallFont());
    painter.setPen(color);
    painter.drawText(QRectF(row.left(), row.top(), room, row.height()),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(smallFont())
            .elidedText(tr("nothing: %1").arg(content.absent.join(QStringLiteral(", "))),
                Qt::ElideRight, static_cast<int>(room)));
}

} // namespace

GapContent gapContent(const analysis::Result& result, const GapAnalysis& gaps,
    std::span<const lowering::StepId> steps, Charge charge, const QString& subject) {
    GapContent content;
    content.gap = gaps.of(steps, charge);
    content.subject = subject;
    content.band = validationText(result);
    if (content.gap.parts.empty()) {
        content.why = whyEmpty(result, steps);
        return content;
    }
    addBand(content, result, steps, charge);
    content.absent = absentParts(content.gap, result.machine());
    return content;
}

GapContent gapContent(const analysis::Result& result, const GapAnalysis& gaps) {
    GapContent content;
    content.gap = gaps.ofProgram();
    content.subject = tr("the whole graph");
    content.band = validationText(result);
    content.low = result.totals.low;
    content.high = result.totals.high;
    if (!content.high)
        content.low.reset();
    if (!content.low)
        content.high.reset();
    if (content.gap.parts.empty())
        content.why = tr("No step has a known time.");
    else
        content.absent = absentParts(content.gap, result.machine());
    return content;
}

QVector<QRectF> gapNameRects(const Gap& gap, const QVector<QRectF>& segments, const QRectF& row) {
    QVector<QRectF> rects(segments.size());
    QVector<qsizetype> order(segments.size());
    for (qsizetype p = 0; p < order.size(); ++p)
        order[p] = p;
    std::stable_sort(order.begin(), order.end(),
        [&](qsizetype a, qsizetype b) { return segments[a].width() > segments[b].width(); });
    for (const qsizetype p : order) {
        const double width =
            textWidth(smallFont(), gapName(gap.parts[static_cast<std::size_t>(p)])) + 4;
        const double left = std::clamp(segments[p].center().x() - width / 2, row.left(),
            std::max(row.left(), row.right() - width));
        const QRectF rect(left, row.top(), width, row.height());
        const bool isFree = rect.right() <= row.right() + 0.5
            && std::none_of(rects.begin(), rects.end(), [&](const QRectF& other) {
                   return !other.isEmpty() && other.adjusted(-4, 0, 4, 0).intersects(rect);
               });
        if (isFree)
            rects[p] = rect;
    }
    return rects;
}

QVector<QStringList> gapRows(const GapContent& content) {
    QVector<QStringList> rows;
    const double whole = content.gap.estimate.value;
    for (const auto& part : content.gap.parts)
        rows << QStringList{gapName(part), formatTime(std::optional(part.time)),
            formatShare(whole > 0 ? std::optional(part.time.value / whole) : std::nullopt)};
    if (content.measured)
        rows << QStringList{tr("residual"),
            formatTime(std::optional(base::Seconds(content.measured->value - whole))),
            formatShare(
                whole > 0 ? std::optional(content.measured->value / whole - 1) : std::nullopt)};
    return rows;
}

void paintGapTitle(
    QPainter& painter, const QRectF& area, const GapContent& content, double controls) {
    const Palette& palette = Palette::current();
    painter.setPen(palette.role("separator"));
    painter.drawLine(area.topLeft(), area.topRight());
    QRectF row = area.adjusted(kPanelPadding * 2, kPanelPadding, -kPanelPadding * 2 - controls, 0);
    row.setHeight(kTitle);
    const QString title = tr("Where the gap goes");
    painter.setPen(palette.role("text"));
    painter.setFont(boldFont());
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, title);
    const double width = textWidth(boldFont(), title) + 12;
    painter.setPen(palette.role("textSecondary"));
    painter.setFont(bodyFont());
    const QString note = content.why.isEmpty()
        ? tr("%1, from the work at peak to the estimate").arg(content.subject)
        : content.subject;
    painter.drawText(row.adjusted(width, 0, 0, 0),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(bodyFont())
            .elidedText(note, Qt::ElideMiddle, static_cast<int>(row.width() - width)));
}

void paintGap(QPainter& painter, const QRectF& area, const GapContent& content, double controls) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintGapTitle(painter, area, content, controls);
    const double line = lineHeight(smallFont());
    const QRectF inner =
        area.adjusted(kPanelPadding * 2, kPanelPadding + kTitle + 4, -kPanelPadding * 2, 0);
    if (!content.why.isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line + 4),
            Qt::AlignLeft | Qt::AlignVCenter, content.why);
        return;
    }
    const QString total = formatTime(std::optional(content.gap.estimate));
    const double side = std::max(textWidth(figureFont(), total), 64) + 16;
    const QRectF whole(inner.left(), inner.top() + line, inner.width() - side, kGapBar);
    const double figures = content.high ? textWidth(smallFont(), formatTime(content.high)) + 8 : 0;
    const double most = std::max({content.gap.estimate.value,
        content.high ? content.high->value : 0, content.measured ? content.measured->value : 0});
    const double pixelsPerSecond = (whole.width() - figures) / most;
    QRectF bar = whole;
    bar.setWidth(content.gap.estimate.value * pixelsPerSecond);
    paintNames(painter, content, gapRects(content.gap, bar),
        QRectF(whole.left(), whole.top() - line - 1, whole.width(), line));
    paintGapBar(painter, bar, content.gap, GapWords::Figures);
    if (content.measured)
        paintResidual(painter, content, bar, pixelsPerSecond);
    paintTotal(painter, QRectF(whole.right(), whole.top(), side, kGapBar), content);
    paintBelow(painter, content, bar,
        QRectF(whole.left(), whole.bottom() + 4, inner.width(), line + 2), pixelsPerSecond);
}

} // namespace fivefold::views::roofline
