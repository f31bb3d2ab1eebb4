// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/machine/machine_painter.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::machine {

using namespace common;
using lowering::SystolicPhase;
using lowering::SystolicState;

namespace {

constexpr int kMostPixels = 512; ///< of the picture's side: larger arrays are drawn coarser
constexpr double kGridFrom = 5; ///< cells of this size get lines between them
constexpr double kBlockFrom = 12; ///< smaller ones get lines round blocks of 2ⁿ cells, so wide

QString tr(const char* text) {
    return QCoreApplication::translate("machine", text);
}

QColor blend(const QColor& below, const QColor& above, double share) {
    const auto mix = [share](int a, int b) { return qRound(a + (b - a) * share); };
    return {mix(below.red(), above.red()), mix(below.green(), above.green()),
        mix(below.blue(), above.blue())};
}

void paintText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
    const QColor& color, Qt::Alignment alignment = Qt::AlignLeft) {
    if (rect.width() < 8 || text.isEmpty())
        return;
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
        QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width()));
}

struct Colours {
    Colours()
        : empty(Palette::current().role("canvas"))
        , weight(
              blend(empty, Palette::current().memoryLevel(machines::MemoryKind::Registers), 0.28))
        , loading(Palette::current().memoryLevel(machines::MemoryKind::Scratchpad))
        , active(Palette::current().operatorClass(ir::OpClass::Contraction))
        , line(Palette::current().role("nodeBorder"))
        , text(Palette::current().role("text"))
        , muted(Palette::current().role("textSecondary")) { }
    QColor empty, weight, loading, active, line, text, muted;
};

QRgb cellColour(
    const SystolicState& state, const Colours& colours, std::int64_t row, std::int64_t column) {
    if (row >= state.usedRows || column >= state.usedColumns)
        return colours.empty.rgb();
    if (state.phase == SystolicPhase::Load) {
        if (row == state.loadedRows - 1)
            return colours.loading.rgb();
        return (row < state.loadedRows ? colours.weight : colours.empty).rgb();
    }
    const auto index = state.rowIn(row, column);
    if (!index)
        return colours.weight.rgb();
    // Alternate rows of the left operand differ a little, so that the wavefront is seen to move.
    return (*index % 2 == 0 ? colours.active : blend(colours.active, colours.empty, 0.25)).rgb();
}

QImage cellsImage(
    const SystolicState& state, const lowering::SystolicArray& array, const Colours& colours) {
    const auto height = static_cast<int>(std::min<std::int64_t>(array.rows, kMostPixels));
    const auto width = static_cast<int>(std::min<std::int64_t>(array.columns, kMostPixels));
    QImage image(width, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y) {
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
        const std::int64_t row = y * array.rows / height;
        for (int x = 0; x < width; ++x)
            pixels[x] = cellColour(state, colours, row, x * array.columns / width);
    }
    return image;
}

void paintCells(QPainter& painter, const SystolicState& state, const lowering::SystolicArray& array,
    const ArrayGeometry& geometry, const Colours& colours) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(geometry.cells, cellsImage(state, array, colours));
    painter.setBrush(Qt::NoBrush);
    const double cell = geometry.cells.height() / static_cast<double>(array.rows);
    std::int64_t step = 1;
    while (cell < kGridFrom && static_cast<double>(step) * cell < kBlockFrom)
        step *= 2;
    if (cell > 0) {
        painter.setPen(QPen(blend(colours.empty, colours.line, step > 1 ? 0.45 : 0.6), 1));
        for (std::int64_t row = step; row < array.rows; row += step) {
            const double y = geometry.cells.top() + static_cast<double>(row) * cell;
            painter.drawLine(QPointF(geometry.cells.left(), y), QPointF(geometry.cells.right(), y));
        }
        for (std::int64_t column = step; column < array.columns; column += step) {
            const double x = geometry.cells.left() + static_cast<double>(column) * cell;
            painter.drawLine(QPointF(x, geometry.cells.top()), QPointF(x, geometry.cells.bottom()));
        }
    }
    painter.setPen(colours.line);
    painter.drawRect(geometry.cells);
    // Rows of the array without weights, at the edges of the product.
    const auto rest = [&](const QRectF& rect) {
        if (rect.width() > 1 && rect.height() > 1)
            paintHatch(painter, rect, Palette::current().role("hatch"));
    };
    const double used = static_cast<double>(state.usedRows) * cell;
    const double usedWidth = static_cast<double>(state.usedColumns) * cell;
    rest(geometry.cells.adjusted(0, used, 0, 0));
    rest(QRectF(geometry.cells.left() + usedWidth, geometry.cells.top(),
        geometry.cells.width() - usedWidth, used));
}

void arrow(QPainter& painter, const QPointF& from, const QPointF& to) {
    painter.drawLine(from, to);
    const double size = 4;
    const bool isDown = std::abs(to.x() - from.x()) < 1;
    const QPointF head[] = {
        isDown ? QPointF(to.x() - size, to.y() - size) : QPointF(to.x() - size, to.y() - size), to,
        isDown ? QPointF(to.x() + size, to.y() - size) : QPointF(to.x() - size, to.y() + size)};
    painter.drawPolyline(head, 3);
}

/// Arrows for what moves in this cycle, with how much of it has moved.
void paintFlows(QPainter& painter, const SystolicState& state, const ArrayGeometry& geometry,
    const Colours& colours) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours.active, 1.5));
    const bool isLoading = state.phase == SystolicPhase::Load;
    if (isLoading) {
        painter.setPen(QPen(colours.loading, 1.5));
        for (int i = 1; i <= 3; ++i) {
            const double x = geometry.cells.left() + geometry.cells.width() * i / 4;
            arrow(painter, QPointF(x, geometry.cells.top() - 6),
                QPointF(x, geometry.cells.top() + 4));
        }
    } else if (state.enteredRows < state.rowsOfLeft
        || state.streamed < state.rowsOfLeft + state.usedRows - 1) {
        for (int i = 1; i <= 3; ++i) {
            const double y = geometry.cells.top() + geometry.cells.height() * i / 4;
            arrow(painter, QPointF(geometry.left.left() + 3, y),
                QPointF(geometry.cells.left() - 2, y));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QString text = isLoading
        ? tr("weights: row %1 of %2")
              .arg(formatCount(state.loadedRows), formatCount(state.usedRows))
        : tr("rows in %1, out %2 of %3")
              .arg(formatCount(state.enteredRows), formatCount(state.leftRows),
                  formatCount(state.rowsOfLeft));
    const double width = textWidth(smallFont(), text) + 4;
    QRectF place = geometry.bottom;
    if (place.width() < width)
        place.adjust((place.width() - width) / 2, 0, (width - place.width()) / 2, 0);
    paintText(painter, place, text, smallFont(), colours.text, Qt::AlignHCenter);
}

QString phaseTitle(SystolicPhase phase) {
    switch (phase) {
    case SystolicPhase::Load:
        return tr("load");
    case SystolicPhase::Fill:
        return tr("fill");
    case SystolicPhase::Stream:
        return tr("stream");
    case SystolicPhase::Drain:
        break;
    }
    return tr("drain");
}

void paintPhases(QPainter& painter, const SystolicState& state, const ArrayGeometry& geometry,
    const Colours& colours) {
    if (geometry.phaseBar.isNull())
        return;
    for (const PhaseSpan& span : geometry.phases) {
        const bool isNow = span.phase == state.phase;
        const QColor fill = span.phase == SystolicPhase::Load ? colours.loading : colours.active;
        const double share = span.phase == SystolicPhase::Stream ? 1 : 0.45;
        const QColor mark = blend(colours.empty, fill, isNow ? share : share * 0.45);
        painter.fillRect(span.rect.adjusted(0, 0, -1, 0), mark);
        const QString label = phaseTitle(span.phase) + u' ' + formatCount(span.cycles);
        const bool fits = textWidth(smallFont(), label) + 4 < span.rect.width();
        const QString shown = fits ? label : phaseTitle(span.phase);
        if (textWidth(smallFont(), shown) + 2 < span.rect.width())
            paintText(
                painter, span.rect, shown, smallFont(), Palette::textOn(mark), Qt::AlignHCenter);
        if (!isNow || span.cycles == 0)
            continue;
        const double part =
            (static_cast<double>(state.phaseCycle) + 0.5) / static_cast<double>(span.cycles);
        const double x = span.rect.left() + span.rect.width() * part;
        painter.fillRect(
            QRectF(x - 1, span.rect.top() - 3, 2, span.rect.height() + 6), colours.text);
    }
}

} // namespace

void paintArray(QPainter& painter, const Stepping& stepping, const ArrayGeometry& geometry,
    std::int64_t cycle) {
    const Colours colours;
    const auto& run = stepping.run;
    const SystolicState state = run.at(cycle);
    const double line = geometry.title.height() / 2;
    QRectF row(geometry.title.left(), geometry.title.top(), geometry.title.width(), line);
    const QString size = QStringLiteral("%1×%2").arg(run.array().rows).arg(run.array().columns);
    const QString status = stepping.array.status == machines::FigureStatus::Estimated
        ? QStringLiteral("~")
        : QString();
    paintText(painter, row,
        QString::fromStdString(stepping.array.unit) + u' ' + status + size + QStringLiteral(" · ")
            + stepping.name,
        boldFont(), colours.text);
    row.translate(0, line);
    QString product = QStringLiteral("%1×%2 · %2×%3")
                          .arg(formatCount(run.m()), formatCount(run.k()), formatCount(run.n()));
    if (stepping.product.batch > 1)
        product = tr("one of %1: %2").arg(formatCount(stepping.product.batch), product);
    if (!stepping.isSelected)
        product += tr(" (first product; select another)");
    paintText(painter, row, product, smallFont(), colours.muted);
    paintCells(painter, state, run.array(), geometry, colours);
    paintFlows(painter, state, geometry, colours);
    paintPhases(painter, state, geometry, colours);
    QStringList texts = cycleTexts(stepping, cycle);
    texts << closedForm(stepping)
          << tr("%1 of the cells' cycles multiply").arg(formatShare(run.utilisation()))
          << tr("with hidden loads: %1 cycles").arg(formatCount(run.overlappedCycles()));
    for (int i = 0; i < geometry.lines.size() && i < texts.size(); ++i)
        paintText(painter, geometry.lines[i], texts[i], smallFont(),
            i < 3 ? colours.text : colours.muted);
}

} // namespace fivefold::views::machine
