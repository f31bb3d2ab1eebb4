// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/ladder_painter.h"

#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/common/verdict.h"
#include "views/divergence/parts.h"
#include "views/divergence/words.h"

#include <QCoreApplication>
#include <QPainter>

namespace fivefold::views::divergence {

using common::Palette;
using compare::LevelReason;
using compare::RungState;
using compare::Verdict;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::divergence", text);
}

QColor role(const char* name) {
    return Palette::current().role(name);
}

Verdict markOfLamp(RungState::Kind kind) {
    switch (kind) {
    case RungState::Kind::Equal:
        return Verdict::Clean;
    case RungState::Kind::Differs:
        return Verdict::Origin;
    case RungState::Kind::Same:
        return Verdict::Inherited;
    case RungState::Kind::NotGiven:
        break;
    }
    return Verdict::Unmatched;
}

Verdict markOfReason(LevelReason::State state) {
    return state == LevelReason::State::Cleared ? Verdict::Clean
        : state == LevelReason::State::Blamed   ? Verdict::Origin
                                                : Verdict::Unmatched;
}

void paintLine(QPainter& painter, const LadderPicture& picture, const LadderGeometry& geometry,
    std::size_t gap) {
    const QRectF& from = geometry.lamps[gap];
    const QRectF& to = geometry.lamps[gap + 1];
    const bool isBlamed = picture.blamed && static_cast<std::size_t>(*picture.blamed) == gap + 1;
    const bool isOpen = picture.lamps[gap].kind == RungState::Kind::NotGiven
        || picture.lamps[gap + 1].kind == RungState::Kind::NotGiven;
    const QColor colour = isBlamed ? common::verdictColour(Verdict::Origin) : role("edge");
    if (isOpen)
        painter.setPen(common::dashedPen(colour, isBlamed ? 3 : 2, {4, 3}));
    else
        painter.setPen(QPen(colour, isBlamed ? 4 : 2));
    const double y = from.center().y();
    painter.drawLine(QPointF(from.right() + 3, y), QPointF(to.left() - 3, y));
    const QRectF& tag = geometry.tags[gap];
    painter.setPen(QPen(isBlamed ? colour : role("separator"), isBlamed ? 2 : 1));
    painter.drawLine(QPointF(tag.center().x(), tag.bottom()), QPointF(tag.center().x(), y - 2));
}

void paintTag(QPainter& painter, const LadderPicture& picture, const LadderGeometry& geometry,
    std::size_t gap, bool isHovered) {
    const QRectF& tag = geometry.tags[gap];
    const auto level = static_cast<numerics::Level>(gap + 1);
    const bool isBlamed = picture.blamed == level;
    const QColor fill = isBlamed ? common::verdictColour(Verdict::Origin) : role("canvas");
    painter.setBrush(fill);
    painter.setPen(QPen(isBlamed ? fill : role(isHovered ? "text" : "border"), 1));
    painter.drawRoundedRect(tag.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    QFont font = common::smallFont();
    font.setBold(isBlamed);
    painter.setFont(font);
    painter.setPen(isBlamed ? Palette::textOn(fill) : role("text"));
    const QString number = QString::number(gap + 1);
    drawElided(painter, tag.adjusted(1, 0, 0, 0),
        geometry.hasTagWords ? number + u' ' + levelTag(level) : number, Qt::AlignHCenter);
}

void paintLamp(QPainter& painter, const LadderPicture& picture, const LadderGeometry& geometry,
    std::size_t index) {
    const LadderPicture::Lamp& lamp = picture.lamps[index];
    const bool isFirst = lamp.kind == RungState::Kind::Differs;
    common::paintVerdictGlyph(painter, geometry.lamps[index], markOfLamp(lamp.kind));
    if (isFirst)
        common::paintSelectionRing(painter, geometry.lamps[index].adjusted(-1, -1, 1, 1), true,
            geometry.lamps[index].width() / 2 + 1);
    const QRectF& label = geometry.labels[index];
    if (label.isNull())
        return;
    QFont font = common::smallFont();
    font.setBold(isFirst);
    painter.setFont(font);
    painter.setPen(role("text"));
    drawElided(painter, QRectF(label.left(), label.top(), label.width(), 16),
        geometry.hasShortNames ? rungShortName(lamp.rung) : rungName(lamp.rung), Qt::AlignHCenter);
    painter.setFont(common::smallFont());
    painter.setPen(role("textSecondary"));
    QString words = lamp.words;
    if (words.isEmpty() && lamp.kind == RungState::Kind::NotGiven)
        words = tr("not given");
    drawElided(painter, QRectF(label.left(), label.top() + 16, label.width(), 16), words,
        Qt::AlignHCenter);
}

void paintReason(QPainter& painter, const LadderPicture::Row& row, const QRectF& rect,
    bool isHovered, bool isFocused) {
    const bool isBlamed = row.state == LevelReason::State::Blamed;
    if (isBlamed) {
        painter.fillRect(rect, Palette::current().selection("row"));
        painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()),
            Palette::current().selection("ring"));
    }
    if (isHovered || isFocused) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(isFocused ? role("highlight") : Palette::current().selection("hover"),
            isFocused ? 1.5 : 1));
        painter.drawRect(rect.adjusted(1, 0.5, -1, -0.5));
    }
    common::paintVerdictGlyph(
        painter, QRectF(rect.left() + 16, rect.center().y() - 7, 14, 14), markOfReason(row.state));
    const QFont font = isBlamed ? common::boldFont() : common::bodyFont();
    painter.setFont(font);
    painter.setPen(role("text"));
    const double name = 110;
    painter.drawText(QRectF(rect.left() + 40, rect.top(), 14, rect.height()),
        Qt::AlignVCenter | Qt::AlignLeft, QString::number(static_cast<int>(row.level)));
    drawElided(painter, QRectF(rect.left() + 56, rect.top(), name - 8, rect.height()),
        levelName(row.level));
    painter.setPen(role(row.sentence.isEmpty() ? "textSecondary" : "text"));
    drawElided(painter,
        QRectF(rect.left() + 56 + name, rect.top(), rect.width() - name - 64, rect.height()),
        row.sentence.isEmpty() ? tr("not looked at") : row.sentence);
}

} // namespace

void paintLadder(QPainter& painter, const LadderPicture& picture, const LadderGeometry& geometry,
    int hovered, int focused) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t gap = 0; gap < geometry.tags.size(); ++gap)
        paintLine(painter, picture, geometry, gap);
    for (std::size_t gap = 0; gap < geometry.tags.size(); ++gap)
        paintTag(painter, picture, geometry, gap, static_cast<int>(gap) == hovered);
    for (std::size_t rung = 0; rung < geometry.lamps.size(); ++rung)
        paintLamp(painter, picture, geometry, rung);
    painter.setPen(QPen(role("separator"), 1));
    painter.drawLine(
        geometry.title.topLeft() - QPointF(0, 4), geometry.title.topRight() - QPointF(0, 4));
    painter.setFont(common::boldFont());
    painter.setPen(role("text"));
    drawElided(painter, geometry.title,
        picture.blamed
            ? tr("Why level %1, and not its neighbours").arg(static_cast<int>(*picture.blamed))
            : tr("What is known of the eight levels"));
    for (std::size_t level = 0; level < geometry.rows.size(); ++level)
        paintReason(painter, picture.rows[level], geometry.rows[level],
            static_cast<int>(level) == hovered, static_cast<int>(level) == focused);
    painter.restore();
}

} // namespace fivefold::views::divergence
