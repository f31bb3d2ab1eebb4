// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/inspector/inspector_geometry.h"

#include "views/common/panel_frame.h"
#include "views/common/type.h"

#include <QFontMetrics>

#include <algorithm>

namespace fivefold::views::inspector {

using namespace common;

namespace {

constexpr double kRowGap = 4;
constexpr double kStatusWidth = 14;
constexpr double kNoteGap = 12;
constexpr double kShareHeight = 8; // as the share bars of tables
constexpr double kBandHeight = 7;

/// Labels give way in a very narrow panel.
double labelWidth(double width) {
    return std::min(kLabelWidth, width * 0.4);
}

double wrappedHeight(const QFont& font, const QString& text, double width) {
    return QFontMetrics(font)
        .boundingRect(QRect(0, 0, std::max(1, static_cast<int>(width)), 100000),
            wrapFlag(font, text, width), text)
        .height();
}

/// Right-aligned note beside the value; false when it does not fit and should stand below.
bool placeNote(PlacedLine& placed, const QString& note, double valueWidth, double line) {
    const double width = textWidth(bodyFont(), note) + 1;
    if (valueWidth + kNoteGap + width > placed.value.width())
        return false;
    placed.note = QRectF(placed.value.right() - width, placed.value.top(), width, line);
    return true;
}

void placeField(PlacedLine& placed, const Line& line, double width, double height) {
    const QFont font = line.isBold ? boldFont() : bodyFont();
    double left = kPanelPadding + labelWidth(width);
    placed.label = QRectF(kPanelPadding, placed.row.top(), labelWidth(width) - 8, height);
    if (line.status) {
        placed.status = QRectF(left, placed.row.top(), 10, height);
        left += kStatusWidth;
    }
    placed.value =
        QRectF(left, placed.row.top(), std::max(40.0, width - kPanelPadding - left), height);
    const double valueWidth = textWidth(font, line.text);
    const bool hasNote = !line.note.isEmpty();
    if (valueWidth <= placed.value.width()
        && (!hasNote || placeNote(placed, line.note, valueWidth, height)))
        return;
    if (line.link.isValid()) { // names stay on one line; the note keeps its place
        const double note = hasNote ? textWidth(bodyFont(), line.note) + 1 : 0;
        const double room = placed.value.width() - (hasNote ? note + kNoteGap : 0);
        if (hasNote && room >= 60)
            placed.note = QRectF(placed.value.right() - note, placed.row.top(), note, height);
        const double kept = placed.note.isEmpty() ? placed.value.width() : room;
        placed.text =
            QFontMetrics(font).elidedText(line.text, Qt::ElideMiddle, static_cast<int>(kept));
        placed.value.setWidth(kept);
        if (hasNote && placed.note.isEmpty()) {
            placed.note = QRectF(
                placed.value.left(), placed.row.top() + height, placed.value.width(), height);
            placed.row.setHeight(2 * height);
        }
        return;
    }
    placed.isWrapped = true;
    const double wrapped = std::max(height, wrappedHeight(font, line.text, placed.value.width()));
    placed.value.setHeight(wrapped);
    placed.row.setHeight(wrapped);
    if (hasNote) {
        placed.note =
            QRectF(placed.value.left(), placed.value.bottom(), placed.value.width(), height);
        placed.row.setHeight(wrapped + height);
    }
}

/// Label, bar, then time and what was added in two columns at the right.
void placeShare(PlacedLine& placed, const Line& line, double width, double height) {
    placeField(placed, line, width, height);
    placed.isWrapped = false;
    placed.row.setHeight(height);
    const double column = textWidth(boldFont(), QStringLiteral("≥ 888.8 µs")) + 4;
    const double right = width - kPanelPadding, left = kPanelPadding + labelWidth(width);
    const double noteWidth = right - left >= 2 * column + 60 ? column : 0;
    placed.note =
        noteWidth > 0 ? QRectF(right - noteWidth, placed.row.top(), noteWidth, height) : QRectF();
    placed.value = QRectF(right - noteWidth - column, placed.row.top(), column, height);
    placed.bar = QRectF(left, placed.row.center().y() - kShareHeight / 2,
        std::max(0.0, placed.value.left() - 8 - left), kShareHeight);
}

void placeTitle(PlacedLine& placed, const Line& line, double width, double height) {
    const double glyph = line.opClass ? 20 : 0;
    placed.row.setHeight(height + 8);
    if (line.opClass)
        placed.status = QRectF(kPanelPadding, placed.row.top(), 14, height + 4);
    placed.value = QRectF(
        kPanelPadding + glyph, placed.row.top(), width - 2 * kPanelPadding - glyph, height + 4);
    double room = placed.value.width();
    const double note = line.note.isEmpty() ? 0 : textWidth(bodyFont(), line.note) + 1;
    if (note > 0 && note < room / 2) {
        placed.note = QRectF(placed.value.right() - note, placed.row.top(), note, height + 4);
        room -= note + kNoteGap;
    }
    placed.text =
        QFontMetrics(boldFont()).elidedText(line.text, Qt::ElideMiddle, static_cast<int>(room));
    placed.value.setWidth(room);
}

} // namespace

Qt::TextFlag wrapFlag(const QFont& font, const QString& text, double width) {
    for (const QStringView word : QStringView(text).split(u' '))
        if (textWidth(font, word.toString()) > width)
            return Qt::TextWrapAnywhere;
    return Qt::TextWordWrap;
}

Placement place(const Lines& lines, double width) {
    Placement placement;
    placement.lines.reserve(lines.size());
    const double height = std::max(17, lineHeight(bodyFont()));
    double y = kRowGap;
    for (const auto& line : lines) {
        PlacedLine placed;
        placed.text = line.text;
        if (line.kind == LineKind::Heading && !placement.lines.empty())
            y += 8;
        placed.row = QRectF(0, y, width, height);
        switch (line.kind) {
        case LineKind::Title:
            placeTitle(placed, line, width, height);
            break;
        case LineKind::Heading:
            placed.value = QRectF(kPanelPadding, y, width - 2 * kPanelPadding, height);
            placed.text =
                QFontMetrics(boldFont())
                    .elidedText(line.text, Qt::ElideMiddle, static_cast<int>(placed.value.width()));
            break;
        case LineKind::Field:
            placeField(placed, line, width, height);
            break;
        case LineKind::Text:
            placed.value = QRectF(kPanelPadding, y, width - 2 * kPanelPadding,
                std::max(height, wrappedHeight(bodyFont(), line.text, width - 2 * kPanelPadding)));
            placed.row.setHeight(placed.value.height());
            placed.isWrapped = true;
            break;
        case LineKind::Gap:
            placed.label = QRectF(kPanelPadding, y, labelWidth(width) - 8, kGapBarHeight);
            placed.value = QRectF(kPanelPadding + labelWidth(width), y,
                std::max(40.0, width - 2 * kPanelPadding - labelWidth(width)), kGapBarHeight);
            placed.row.setHeight(kGapBarHeight);
            break;
        case LineKind::Share:
            placeShare(placed, line, width, height);
            break;
        case LineKind::Band:
            placeField(placed, line, width, height);
            placed.bar = QRectF(placed.value.left(), placed.row.bottom() + 1,
                std::max(40.0, width - kPanelPadding - placed.value.left()), kBandHeight);
            placed.row.setBottom(placed.bar.bottom());
            break;
        case LineKind::Rule:
            placed.row.setHeight(1);
            break;
        }
        y = placed.row.bottom() + kRowGap;
        placement.lines.push_back(std::move(placed));
    }
    placement.height = y + kRowGap;
    return placement;
}

std::optional<std::size_t> lineAt(const Placement& placement, const QPointF& at) {
    // Rows are in order: a binary search on their bottoms.
    const auto found = std::lower_bound(placement.lines.begin(), placement.lines.end(), at.y(),
        [](const PlacedLine& line, double y) { return line.row.bottom() < y; });
    if (found == placement.lines.end() || !found->row.adjusted(0, 0, 0.01, 0.01).contains(at))
        return std::nullopt;
    return static_cast<std::size_t>(found - placement.lines.begin());
}

} // namespace fivefold::views::inspector
