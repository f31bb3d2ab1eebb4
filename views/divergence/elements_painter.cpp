// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/elements_painter.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/common/verdict.h"
#include "views/divergence/parts.h"
#include "views/divergence/words.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::divergence {

using common::Palette;
using compare::Verdict;
using State = Bin::State;

namespace {

constexpr double kBorderFrom = 5; ///< cells this wide have an outline
constexpr double kLeastWrong = 4; ///< px of a block that holds a wrong element
constexpr std::size_t kMostMarks = 20000;

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::divergence", text);
}

QColor role(const char* name) {
    return Palette::current().role(name);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](float from, float to) {
        return static_cast<float>(from + (to - from) * share);
    };
    return QColor::fromRgbF(
        mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

QString rowLabel(const ElementsPicture& picture, const Pane& pane, std::int64_t row) {
    if (pane.isDevice)
        return QStringLiteral("%1 %2").arg(picture.words.line).arg(row);
    const auto& shape = picture.at().shape;
    if (shape.size() < 2 || picture.logical.columns() != shape.back())
        return QString::number(row * picture.logical.columns());
    std::vector<std::int64_t> index = layout::unflatten(shape, row * shape.back());
    QStringList parts;
    for (std::size_t d = 0; d + 1 < index.size(); ++d)
        parts << QString::number(index[d]);
    return QStringLiteral("[%1, ·]").arg(parts.join(QStringLiteral(", ")));
}

QString rowPlace(const ElementsPicture& picture, std::int64_t row) {
    const layout::Location at = picture.device.location(row, 0);
    const QString address = common::formatAddress(at.address());
    return layout::unitCount(*picture.device.layout()) > 1
        ? QStringLiteral("%1 %2 · %3").arg(picture.words.unit).arg(at.unit).arg(address)
        : tr("base + %1").arg(address);
}

/// Labels at each row where they fit, else every so many rows.
void paintLabels(QPainter& painter, const ElementsPicture& picture, const Pane& pane) {
    const double room = pane.cells.left() - pane.area.left() - 8;
    const int every = std::max(1, static_cast<int>(std::ceil(16 / pane.pitch)));
    for (int r = 0; r < pane.binRows; r += every) {
        const std::int64_t row = pane.firstRow(r);
        const QRectF cell(
            pane.area.left(), pane.cells.top() + pane.pitch * r, room, pane.rowHeight);
        const double top = std::max(pane.isTall() ? cell.top() - 16 : cell.top() - 1,
            cell.center().y() - (pane.isTall() ? 16 : 8));
        const QRectF line(cell.left(), top, room, 16);
        painter.setFont(pane.isTall() ? common::bodyFont() : common::smallFont());
        painter.setPen(role(pane.isTall() ? "text" : "textSecondary"));
        drawElided(painter, line, rowLabel(picture, pane, row),
            pane.isTall() ? Qt::AlignLeft : Qt::AlignRight);
        if (!pane.isTall() || !pane.isDevice)
            continue;
        painter.setFont(common::smallFont());
        painter.setPen(role("textSecondary"));
        drawElided(painter, line.translated(0, 16), rowPlace(picture, row));
    }
}

/// Column numbers at 1, 2, 4, 8, … cells.
void paintTicks(QPainter& painter, const ElementsPicture& picture, const Pane& pane) {
    painter.setFont(common::smallFont());
    painter.setPen(role("textSecondary"));
    const QRectF strip(
        pane.area.left(), pane.cells.top() - 18, pane.cells.left() - pane.area.left() - 8, 16);
    drawElided(painter, strip, pane.isDevice ? picture.words.lane : tr("logical"), Qt::AlignRight);
    const double cell = pane.cells.width() / static_cast<double>(pane.window.columns);
    std::int64_t every = 1;
    while (static_cast<double>(every) * cell < 44)
        every *= 2;
    const std::int64_t last = pane.window.column + pane.window.columns - 1;
    for (std::int64_t c = (pane.window.column + every - 1) / every * every; c <= last; c += every) {
        const double x =
            pane.cells.left() + (static_cast<double>(c - pane.window.column) + 0.5) * cell;
        if (c != last && static_cast<double>(last - c) * cell < 30)
            continue; // the last one has the room
        painter.drawText(QRectF(x - 40, strip.top(), 80, 16), Qt::AlignCenter, QString::number(c));
    }
    if (last % every != 0)
        painter.drawText(QRectF(pane.cells.right() - cell / 2 - 40, strip.top(), 80, 16),
            Qt::AlignCenter, QString::number(last));
}

/// Cells one by one; padding as one hatched piece a run.
void paintCells(QPainter& painter, const ElementsPicture& picture, const Pane& pane,
    const ElementMarks& marks) {
    const bool hasBorder =
        pane.cells.width() / pane.binColumns >= kBorderFrom && pane.rowHeight >= 5;
    const QColor border = role("nodeBorder");
    for (int r = 0; r < pane.binRows; ++r) {
        int run = -1;
        for (int c = 0; c <= pane.binColumns; ++c) {
            const bool isPadding = c < pane.binColumns && pane.bin(r, c).state == State::Padding;
            if (isPadding && run < 0)
                run = c;
            if (!isPadding && run >= 0) {
                const QRectF piece = pane.rect(r, run).united(pane.rect(r, c - 1));
                if (marks.showsPadding)
                    common::paintHatch(painter, piece, role("hatch"));
                painter.setPen(QPen(border, 1));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(piece.adjusted(0.5, 0.5, -0.5, -0.5));
                run = -1;
            }
            if (c == pane.binColumns || isPadding || pane.bin(r, c).state == State::None)
                continue;
            const QRectF cell = pane.rect(r, c);
            painter.fillRect(cell, binColour(pane.bin(r, c), picture.colour));
            if (hasBorder) {
                painter.setPen(QPen(border, 1));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
    }
}

/// Small cells as one image over the hatch, then blocks with a wrong element large enough to see.
void paintImage(QPainter& painter, const ElementsPicture& picture, const Pane& pane,
    const ElementMarks& marks) {
    QImage image(pane.binColumns, pane.binRows, QImage::Format_ARGB32_Premultiplied);
    std::vector<std::pair<int, int>> wrong;
    const QColor canvas = role("canvas");
    bool hasPadding = false;
    for (int r = 0; r < pane.binRows; ++r) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(r));
        for (int c = 0; c < pane.binColumns; ++c) {
            const Bin& bin = pane.bin(r, c);
            const QColor colour = binColour(bin, picture.colour);
            line[c] = colour.isValid()                              ? colour.rgba()
                : bin.state == State::Padding && marks.showsPadding ? qRgba(0, 0, 0, 0)
                                                                    : canvas.rgba();
            hasPadding |= bin.state == State::Padding;
            if (bin.state == State::Wrong && wrong.size() < kMostMarks)
                wrong.emplace_back(r, c);
        }
    }
    if (hasPadding && marks.showsPadding)
        common::paintHatch(painter, pane.cells, role("hatch"));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(pane.cells, image);
    painter.setPen(QPen(role("nodeBorder"), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(pane.cells.adjusted(-0.5, -0.5, 0.5, 0.5));
    for (const auto& [r, c] : wrong) {
        QRectF block = pane.rect(r, c);
        const double dx = std::max(0.0, kLeastWrong - block.width()) / 2,
                     dy = std::max(0.0, kLeastWrong - block.height()) / 2;
        if (dx > 0 || dy > 0)
            painter.fillRect(
                block.adjusted(-dx, -dy, dx, dy), binColour(pane.bin(r, c), picture.colour));
    }
}

/// Says of long runs of a row what they are: "64 equal", "63 lanes of padding, never written".
void paintRunWords(QPainter& painter, const ElementsPicture& picture, const Pane& pane) {
    painter.setFont(common::smallFont());
    for (int r = 0; r < pane.binRows; ++r)
        for (int c = 0; c < pane.binColumns;) {
            const State state = pane.bin(r, c).state;
            int end = c;
            while (end < pane.binColumns && pane.bin(r, end).state == state)
                ++end;
            const QRectF piece = pane.rect(r, c).united(pane.rect(r, end - 1));
            const auto cells = pane.firstColumn(end) - pane.firstColumn(c);
            QString words;
            if (state == State::Equal && picture.contents)
                words = tr("%1 equal").arg(cells);
            else if (state == State::Padding)
                words = tr("%1 lanes of padding").arg(cells);
            else if (state == State::Wrong)
                words = tr("%1 wrong").arg(cells);
            const double wide = common::textWidth(common::smallFont(), words) + 12;
            if (!words.isEmpty() && wide + 24 < piece.width()) {
                const QRectF label(piece.center().x() - wide / 2, piece.center().y() - 8, wide, 16);
                painter.fillRect(label, role("canvas"));
                painter.setPen(role("text"));
                painter.drawText(label, Qt::AlignCenter, words);
            }
            c = end;
        }
}

void paintBrackets(QPainter& painter, const ElementsPicture& picture, const Pane& pane) {
    int r = 0;
    const auto state = [&](int bin) {
        const auto cover = coverOf(picture, pane.firstRow(bin));
        if (!cover)
            return -1;
        return cover->second <= cover->first                                 ? 0
            : cover->first == 0 && cover->second == picture.device.columns() ? 2
                                                                             : 1;
    };
    while (r < pane.binRows) {
        const int kind = state(r);
        int end = r + 1;
        while (end < pane.binRows && state(end) == kind)
            ++end;
        if (kind >= 0) {
            const double top = pane.cells.top() + pane.pitch * r,
                         bottom = pane.cells.top() + pane.pitch * (end - 1) + pane.rowHeight;
            const double x = pane.cells.right() + 8;
            painter.setPen(
                QPen(common::verdictColour(kind == 2 ? Verdict::Clean : Verdict::Origin), 2));
            painter.drawPolyline(QPolygonF{QPointF(x, top + 1), QPointF(x + 5, top + 1),
                QPointF(x + 5, bottom - 1), QPointF(x, bottom - 1)});
            painter.setFont(common::boldFont());
            painter.setPen(role("text"));
            painter.drawText(QRectF(x + 11, (top + bottom) / 2 - 18, 60, 36),
                Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                kind == 2       ? tr("copied")
                    : kind == 1 ? tr("partly copied")
                                : tr("not copied"));
        }
        r = end;
    }
}

void paintLoopLine(
    QPainter& painter, const ElementsPicture& picture, const Pane& pane, const QRectF& line) {
    double x = pane.cells.left();
    const auto write = [&](const QString& text, const QFont& font, const char* ink) {
        painter.setFont(font);
        painter.setPen(role(ink));
        drawElided(
            painter, QRectF(x, line.top(), std::max(0.0, line.right() - x), line.height()), text);
        x += common::textWidth(font, text) + 12;
    };
    QFont mono = common::monoFont();
    mono.setBold(true);
    write(tr("loop range of the compiled copy"), common::bodyFont(), "textSecondary");
    write(loopExtents(*picture.lanes), mono, "text");
    write(tr("layout"), common::bodyFont(), "textSecondary");
    write(layoutExtents(picture.lanes->layout), mono, "text");
}

Bin binOfElement(const ElementsPicture& picture, std::int64_t flat) {
    Bin bin;
    const auto index = static_cast<std::size_t>(flat);
    const bool isKnown = index < picture.measure.size();
    bin.state = picture.isWrong(flat)           ? State::Wrong
        : isKnown && picture.measure[index] > 0 ? State::Within
                                                : State::Equal;
    if (isKnown)
        bin.position = static_cast<float>(picture.position(picture.measure[index]));
    return bin;
}

void paintStrip(QPainter& painter, const ElementsPicture& picture, const Strip& strip,
    const ElementMarks& marks) {
    painter.setFont(common::bodyFont());
    painter.setPen(role("textSecondary"));
    drawElided(painter,
        QRectF(strip.area.left(), strip.cells.top() - 2, strip.cells.left() - strip.area.left() - 8,
            22),
        tr("logical"), Qt::AlignRight);
    painter.setBrush(Qt::NoBrush);
    for (std::int64_t flat = strip.first; flat < strip.first + strip.count; ++flat) {
        const QRectF cell = strip.rect(flat);
        painter.fillRect(cell, binColour(binOfElement(picture, flat), picture.colour));
        painter.setPen(QPen(role("nodeBorder"), 1));
        painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (!marks.element)
        return;
    common::paintSelectionRing(painter, strip.rect(*marks.element), true, 0);
    painter.setFont(common::boldFont());
    painter.setPen(role("text"));
    drawElided(painter,
        QRectF(strip.cells.right() + 12, strip.cells.top() - 2,
            strip.area.right() - strip.cells.right() - 12, 22),
        indexText(picture.at().shape, *marks.element));
}

void paintPane(QPainter& painter, const ElementsPicture& picture, const Pane& pane,
    const ElementMarks& marks) {
    if (pane.isEmpty())
        return;
    paintTicks(painter, picture, pane);
    paintLabels(painter, picture, pane);
    const bool isFine = pane.cells.width() / pane.binColumns >= kBorderFrom && pane.rowHeight >= 5;
    if (isFine)
        paintCells(painter, picture, pane, marks);
    else
        paintImage(painter, picture, pane, marks);
    if (pane.isTall() && isFine)
        paintRunWords(painter, picture, pane);
    if (pane.isDevice && picture.lanes)
        paintBrackets(painter, picture, pane);
    const ElementGrid& grid = pane.isDevice ? picture.device : picture.logical;
    const auto ring = [&](std::int64_t flat, bool isChosen) {
        const auto place = grid.placeOf(flat);
        const auto bin = place ? pane.binOf(place->first, place->second) : std::nullopt;
        if (!bin)
            return;
        const QRectF cell = pane.rect(bin->first, bin->second);
        if (isChosen)
            common::paintSelectionRing(painter, cell, true, 0);
        else
            common::paintHoverOutline(painter, cell.adjusted(-1, -1, 1, 1), 0);
    };
    if (marks.hovered)
        ring(*marks.hovered, false);
    if (marks.element)
        ring(*marks.element, true);
}

} // namespace

QColor binColour(const Bin& bin, ElementColour colour) {
    const Palette& palette = Palette::current();
    const bool isVerdict = colour == ElementColour::Verdict;
    switch (bin.state) {
    case State::None:
    case State::Padding:
        return {};
    case State::Equal:
        return isVerdict ? mixed(palette.role("canvas"), palette.verdict("clean"), 0.3)
                         : palette.sequential(0);
    case State::Within:
        return isVerdict ? mixed(palette.role("canvas"), palette.verdict("clean"), 0.3)
                         : palette.sequential(bin.position * 0.8);
    case State::Wrong:
        break;
    }
    const QColor origin = palette.verdict("origin");
    return isVerdict ? origin : mixed(palette.role("canvas"), origin, 0.55 + 0.45 * bin.position);
}

void paintElements(QPainter& painter, const ElementsPicture& picture,
    const ElementsGeometry& geometry, const ElementMarks& marks) {
    painter.save();
    for (const Pane& pane : geometry.panes)
        paintPane(painter, picture, pane, marks);
    if (!geometry.loopLine.isNull() && !geometry.panes.empty() && !geometry.panes.front().isEmpty())
        paintLoopLine(painter, picture, geometry.panes.front(), geometry.loopLine);
    if (geometry.strip.count > 0)
        paintStrip(painter, picture, geometry.strip, marks);
    painter.restore();
}

common::Legend elementsLegend(const ElementsPicture& picture) {
    common::Legend legend;
    const auto swatch = [&](const QString& label, State state, float position) {
        legend << common::LegendEntry{label,
            [state, position, colour = picture.colour](QPainter& painter, const QRectF& rect) {
                Bin bin;
                bin.state = state;
                bin.position = position;
                painter.fillRect(rect, binColour(bin, colour));
                painter.setPen(QPen(role("nodeBorder"), 1));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
            }};
    };
    swatch(picture.colour == ElementColour::Verdict ? tr("right") : tr("equal"), State::Equal, 0);
    if (picture.colour != ElementColour::Verdict)
        swatch(tr("within tolerance"), State::Within, 0.8F);
    swatch(tr("wrong"), State::Wrong, 1);
    if (!picture.device.isEmpty())
        legend << common::LegendEntry{tr("padding"), [](QPainter& painter, const QRectF& rect) {
                                          common::paintHatch(painter, rect, role("hatch"));
                                          painter.setPen(QPen(role("nodeBorder"), 1));
                                          painter.setBrush(Qt::NoBrush);
                                          painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
                                      }};
    return legend;
}

} // namespace fivefold::views::divergence
