// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/side_card.h"

#include "views/common/marks.h"
#include "views/common/panel_frame.h"
#include "views/common/type.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

#include "views/common/format.h"

#include <algorithm>

namespace fivefold::views::roofline {

using namespace common;

namespace {

constexpr double kInset = 12;
constexpr double kRow = 20;
constexpr double kLabels = 108; ///< px of the labels' column
constexpr double kMark = 10;
constexpr int kMostLines = 3; ///< of a long value

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

/// Where the next row goes, and what the rows share.
struct Column {
    QPainter& painter;
    QRectF area; ///< inside the insets
    double y = 0;

    bool hasRoom(double height = kRow) const { return y + height <= area.bottom(); }
    QRectF row(double height = kRow) const { return {area.left(), y, area.width(), height}; }
    void write(const QRectF& where, const QString& text, const QFont& font, const char* role,
        Qt::Alignment side) {
        painter.setFont(font);
        painter.setPen(Palette::current().role(role));
        painter.drawText(where, side | Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(font).elidedText(
                text, Qt::ElideMiddle, static_cast<int>(where.width()) + 1));
    }
    void line() {
        y += 6;
        painter.setPen(Palette::current().role("separator"));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        y += 6;
    }
    void wrapped(const QString& text) {
        const QFont font = smallFont();
        painter.setFont(font);
        painter.setPen(Palette::current().role("textSecondary"));
        const QRectF room(area.left(), y, area.width(), area.bottom() - y);
        QRectF used;
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text, &used);
        y += used.height() + 2;
    }
};

void paintPairs(Column& column, const SideContent& content) {
    for (const auto& pair : content.pairs) {
        if (!column.hasRoom())
            return;
        const QFont font = pair.isBold ? boldFont() : bodyFont();
        column.write(column.row(), pair.label, bodyFont(), "textSecondary", Qt::AlignLeft);
        // A long value takes further lines.
        const QRectF room = column.row(kRow * kMostLines).adjusted(kLabels, 0, 0, 0);
        const QFontMetrics metrics(font);
        QString broken = pair.value; // long names break after their joints
        broken.replace(u'_', QStringLiteral("_\u200B")).replace(u'/', QStringLiteral("/\u200B"));
        const QRect used = metrics.boundingRect(
            room.toAlignedRect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, broken);
        if (used.height() <= kRow) {
            column.write(
                column.row().adjusted(kLabels, 0, 0, 0), pair.value, font, "text", Qt::AlignLeft);
            column.y += kRow;
            continue;
        }
        column.painter.setFont(font);
        column.painter.setPen(Palette::current().role("text"));
        const double height = std::min<double>(used.height(), metrics.lineSpacing() * kMostLines);
        column.painter.drawText(QRectF(room.left(), column.y + 3, room.width(), height),
            Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, broken);
        column.y += height + 5;
    }
}

void paintLevelTable(Column& column, const SideContent& content) {
    if (content.levels.isEmpty() || !column.hasRoom(2 * kRow))
        return;
    column.line();
    const double width = column.area.width();
    // Name, then three columns of figures that end at these shares of the width.
    const double ends[] = {0.57, 0.8, 1.0};
    const double starts[] = {0.36, 0.58, 0.81};
    const auto cells = [&](const QStringList& texts, const char* role, double indent) {
        const QRectF row = column.row();
        column.write(
            QRectF(row.left() + indent, row.top(), width * 0.36 - indent - 4, row.height()),
            texts[0], bodyFont(), role, Qt::AlignLeft);
        for (int c = 0; c < 3; ++c)
            column.write(QRectF(row.left() + width * starts[c], row.top(),
                             width * (ends[c] - starts[c]), row.height()),
                texts[c + 1], bodyFont(), role, Qt::AlignRight);
    };
    cells({tr("level"), tr("bytes"), tr("FLOP/B"), tr("time")}, "textSecondary", 0);
    column.y += kRow;
    for (const auto& level : content.levels) {
        if (!column.hasRoom())
            return;
        const QRectF row = column.row();
        column.painter.fillRect(QRectF(row.left(), row.center().y() - kMark / 2, kMark, kMark),
            Palette::current().memoryLevel(level.kind));
        cells({level.name, formatBytes(level.bytes),
                  level.intensity > 0 ? intensityText(level.intensity) : QStringLiteral("–"),
                  level.time ? formatTime(level.time) : QStringLiteral("–")},
            "text", kMark + 8);
        column.y += kRow;
    }
}

void paintParts(Column& column, const SideContent& content) {
    if (content.parts.isEmpty() || !column.hasRoom(2 * kRow))
        return;
    column.line();
    for (const auto& part : content.parts) {
        if (!column.hasRoom())
            return;
        const QRectF row = column.row();
        column.painter.setRenderHint(QPainter::Antialiasing);
        paintBoundGlyph(column.painter,
            QRectF(row.left(), row.center().y() - kMark / 2, kMark, kMark), part.bound,
            Palette::current().bound(part.bound));
        const QString time = formatTime(std::optional(part.time));
        const double room = textWidth(bodyFont(), time) + 8;
        column.write(
            row.adjusted(kMark + 8, 0, -room, 0), part.name, bodyFont(), "text", Qt::AlignLeft);
        column.write(row, time, bodyFont(), "text", Qt::AlignRight);
        column.y += kRow;
    }
    if (!content.partsNote.isEmpty() && column.hasRoom())
        column.wrapped(content.partsNote);
}

void paintFigures(Column& column, const SideContent& content) {
    if (content.figures.isEmpty() || !column.hasRoom(2.5 * kRow))
        return;
    column.line();
    column.write(column.row(), tr("Figures"), boldFont(), "text", Qt::AlignLeft);
    column.y += kRow;
    for (const auto& figure : content.figures) {
        if (!column.hasRoom())
            return;
        const QRectF row = column.row();
        column.painter.setRenderHint(QPainter::Antialiasing);
        paintStatusGlyph(column.painter, QRectF(row.left(), row.top(), 12, row.height()),
            figure.status, Palette::current().role("textSecondary"));
        column.write(
            row.adjusted(kMark + 8, 0, 0, 0), figure.text, bodyFont(), "text", Qt::AlignLeft);
        column.y += kRow;
    }
}

} // namespace

QString SideContent::text() const {
    QStringList lines{title};
    for (const auto& pair : pairs)
        lines << pair.label + u'\t' + pair.value;
    for (const auto& level : levels)
        lines << QStringList{level.name, formatBytes(level.bytes),
            level.intensity > 0 ? intensityText(level.intensity) : QStringLiteral("–"),
            level.time ? formatTime(level.time) : QStringLiteral("–")}
                     .join(u'\t');
    for (const auto& part : parts)
        lines << part.name + u'\t' + formatTime(std::optional(part.time));
    if (!partsNote.isEmpty())
        lines << partsNote;
    for (const auto& figure : figures)
        lines << statusGlyph(figure.status) + u'\t' + figure.text;
    return lines.join(u'\n');
}

double paintSide(QPainter& painter, const QRectF& area, const SideContent& content) {
    const Palette& palette = Palette::current();
    painter.fillRect(area, palette.role("window"));
    painter.setPen(palette.role("separator"));
    painter.drawLine(area.topLeft(), area.bottomLeft());
    Column column{painter, area.adjusted(kInset, 8, -kInset, -4), area.top() + 8};
    column.write(column.row(), content.title, boldFont(), "text", Qt::AlignLeft);
    column.y += kRow + 4;
    paintPairs(column, content);
    paintLevelTable(column, content);
    paintParts(column, content);
    paintFigures(column, content);
    return column.y;
}

SideCard::SideCard(QWidget* parent)
    : QWidget(parent) {
    setFixedWidth(kSideWidth);
}

void SideCard::setContent(SideContent content) {
    m_content = std::move(content);
    setAccessibleName(m_content.title);
    setAccessibleDescription(m_content.text());
    setToolTip(m_content.title);
    update();
}

void SideCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSide(painter, rect(), m_content);
}

void SideCard::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(
        tr("Copy as text"), this, [this] { QApplication::clipboard()->setText(m_content.text()); });
    menu.exec(event->globalPos());
}

} // namespace fivefold::views::roofline
