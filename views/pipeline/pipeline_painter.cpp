// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/pipeline/pipeline_painter.h"

#include "views/common/palette.h"
#include "views/common/type.h"

#include <QPainter>

#include <algorithm>

namespace fivefold::views::pipeline {

using namespace common;

namespace {

constexpr double kDigit = 13; ///< diameter of a stage's number
constexpr double kTextPadding = 4;
constexpr double kNarrow = 66; ///< too narrow for a name beside its stage

Qt::PenStyle penOf(lowering::Disclosure disclosure) {
    switch (disclosure) {
    case lowering::Disclosure::Open:
        return Qt::SolidLine;
    case lowering::Disclosure::Observed:
        return Qt::DashLine;
    case lowering::Disclosure::Described:
    case lowering::Disclosure::Unpublished:
        break;
    }
    return Qt::DotLine;
}

void paintText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
    const QColor& color, Qt::Alignment alignment = Qt::AlignLeft) {
    if (rect.width() < 6)
        return;
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
        QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width()));
}

/// Words of a text, broken at spaces and behind underscores, hyphens and slashes.
QStringList piecesOf(const QString& text) {
    QStringList pieces(QString{});
    for (const QChar letter : text) {
        pieces.last() += letter;
        if (letter == u' ' || letter == u'_' || letter == u'-' || letter == u'/')
            pieces << QString();
    }
    pieces.removeAll(QString());
    return pieces;
}

/// A text in at most `most` lines; the first may be shorter than the others, and stays empty where
/// no word fits into it. What has no room ends in "…".
QStringList wrapped(
    const QString& text, const QFont& font, double firstWidth, double width, int most) {
    const QFontMetricsF metrics(font);
    const QStringList pieces = piecesOf(text);
    QStringList lines;
    QString line;
    double room = firstWidth;
    for (int i = 0; i < pieces.size() && lines.size() < most;) {
        if (metrics.horizontalAdvance((line + pieces[i]).trimmed()) <= room) {
            line += pieces[i++];
            continue;
        }
        const bool isLast = lines.size() + 1 == most;
        if (isLast)
            return lines << metrics.elidedText(
                       line + pieces.mid(i).join(QString()), Qt::ElideRight, room);
        if (line.isEmpty() && room >= width) // a word wider than a line
            line = metrics.elidedText(pieces[i++].trimmed(), Qt::ElideRight, room);
        lines << line.trimmed();
        line.clear();
        room = width;
    }
    if (!line.isEmpty() && lines.size() < most)
        lines << line.trimmed();
    return lines;
}

class StepPainter {
public:
    StepPainter(QPainter& painter, const Picture& picture, const Marks& marks)
        : m_painter(painter)
        , m_picture(picture)
        , m_marks(marks)
        , m_palette(Palette::current()) { }

    void paint(const StepBox& box, const RowBox& rowBox) {
        const Row& row = m_picture.rows[box.place.row];
        const Step& step = row.steps[box.place.step];
        const QRectF rect = box.rect.adjusted(0.5, 0.5, -0.5, -0.5);
        const bool doesStage = step.pass->claims(m_marks.stage);
        m_painter.setBrush(m_palette.role(row.isCurrent ? "node" : "group"));
        m_painter.setPen(
            QPen(doesStage ? m_palette.role("highlight") : m_palette.role("nodeBorder"),
                doesStage ? 2 : 1, penOf(step.pass->disclosure)));
        m_painter.drawRoundedRect(rect, 2, 2);
        if (row.isCurrent)
            m_painter.fillRect(QRectF(rect.left() + 1, rect.top() + 1, 3, rect.height() - 2),
                m_palette.machine(row.family));
        const QRectF inner = rect.adjusted(row.isCurrent ? 5 : 1, 0, 0, 0);
        const bool isOneLine = rowBox.lines < 2;
        if ((inner.width() < kNarrow && rowBox.isLow) || (isOneLine && inner.width() < 2 * kDigit))
            paintNumbers(inner, step);
        else
            paintWords(inner, row, step);
        if (box.place == m_marks.hovered)
            paintHoverOutline(m_painter, rect, 2);
        if (box.place == m_marks.focused)
            paintSelectionRing(m_painter, rect.adjusted(1, 1, -1, -1), false, 2);
    }

private:
    /// The stages alone, in the middle.
    void paintNumbers(const QRectF& rect, const Step& step) {
        // Too narrow even for a number: the colour says which do the shown stage.
        if (rect.width() < kDigit) {
            if (step.pass->claims(m_marks.stage))
                m_painter.fillRect(rect.adjusted(1, 2, -1, -2), m_palette.role("highlight"));
            return;
        }
        const auto fitting = static_cast<double>(std::min<std::size_t>(
            step.pass->stages.size(), static_cast<std::size_t>(rect.width() / (kDigit + 2))));
        const double left = std::max(
            rect.left(), rect.center().x() - std::max(1.0, fitting) * (kDigit + 2) / 2 + 1);
        paintDigits(QRectF(left, rect.top(), rect.width(), rect.height()), step,
            2 * std::max(kDigit + 1, rect.width()));
    }

    /// The stages and who decides; the whole name; what the pass leaves, what the mode changes and
    /// what it does, in as many lines as there is room for.
    void paintWords(const QRectF& rect, const Row& row, const Step& step) {
        const double line = std::min(rect.height(), lineHeight(smallFont()) + 1.0);
        const int lines = std::max(1, static_cast<int>((rect.height() - 2) / line));
        const double width = rect.width() - 2 * kTextPadding;
        const bool isNarrow = rect.width() < kNarrow && lines >= 2;
        double y = lines == 1 ? rect.center().y() - line / 2
                              : rect.top() + std::min(4.0, (rect.height() - lines * line) / 2);
        QRectF first(rect.left() + kTextPadding / 2, y, rect.width() - kTextPadding, line);
        first.setLeft(first.left() + paintDigits(first, step, (isNarrow ? 2 : 1) * rect.width()));
        if (!step.effect.isEmpty() && (isNarrow || rect.width() > 40)) {
            paintText(m_painter, first, QStringLiteral("Δ"), boldFont(), m_palette.role("warning"),
                Qt::AlignRight);
            first.setRight(first.right() - 12);
        } else if (isNarrow || rect.width() > 92) {
            paintText(m_painter, first, step.decider, smallFont(), m_palette.role("textSecondary"),
                Qt::AlignRight);
            first.setRight(first.right() - 12);
        }
        const QColor strong = m_palette.role(row.isCurrent ? "text" : "textSecondary");
        // What became of the shown model keeps a line beside a long name.
        const int forName = row.isCurrent && lines >= 3 ? lines - 1 : lines;
        const QStringList name = wrapped(nameOf(step, isNarrow), smallFont(),
            isNarrow ? 0 : first.width(), width, forName);
        for (int i = 0; i < name.size(); ++i, y += line)
            paintText(m_painter,
                i == 0 ? first : QRectF(rect.left() + kTextPadding, y, width, line), name[i],
                smallFont(), strong);
        int left = lines - static_cast<int>(name.size());
        const auto more = [&](const QString& text, const QColor& colour) {
            for (const QString& part : wrapped(text, smallFont(), width, width, left)) {
                paintText(m_painter, QRectF(rect.left() + kTextPadding, y, width, line), part,
                    smallFont(), colour);
                y += line;
                --left;
            }
        };
        more(step.emits, strong);
        if (step.effect.isEmpty())
            more(fileOf(step), m_palette.role("textSecondary"));
        else
            more(step.effect, m_palette.role("warning"));
        if (left >= 2 && rect.width() >= kNarrow) {
            y += 3;
            --left; // for the gap
            more(QString::fromUtf8(
                     step.pass->does.data(), static_cast<int>(step.pass->does.size())),
                m_palette.role("textSecondary"));
        }
    }

    /// Narrow boxes get the words of the short id.
    static QString nameOf(const Step& step, bool isNarrow) {
        if (!isNarrow)
            return step.name;
        QString id = QString::fromUtf8(step.pass->id.data(), static_cast<int>(step.pass->id.size()));
        return id.replace(u'_', u' ');
    }

    static QString fileOf(const Step& step) {
        if (step.pass->artefacts.empty())
            return {};
        const std::string_view name = step.pass->artefacts.front().name;
        return QString::fromUtf8(name.data(), static_cast<int>(name.size()));
    }

    /// Numbers of the stages, as many as leave room for a name; returns the width used.
    double paintDigits(const QRectF& line, const Step& step, double width) {
        double used = 0;
        for (lowering::Stage stage : step.pass->stages) {
            if (used + kDigit > std::max(kDigit + 1, width * 0.5)
                || (used > 0 && used + kDigit > line.width()))
                break;
            const double size = std::min(kDigit, line.height());
            const QRectF disc(line.left() + used, line.center().y() - size / 2, size, size);
            const bool isShown = stage == m_marks.stage;
            m_painter.save();
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(m_palette.role(isShown ? "highlight" : "neutralSoft"));
            m_painter.drawEllipse(disc);
            m_painter.restore();
            paintText(m_painter, disc.adjusted(0, -1, 0, 1),
                QString::number(static_cast<int>(stage) + 1), smallFont(),
                m_palette.role(isShown ? "highlightText" : "text"), Qt::AlignHCenter);
            used += kDigit + 2;
        }
        return used;
    }

    QPainter& m_painter;
    const Picture& m_picture;
    const Marks& m_marks;
    const Palette& m_palette;
};

void paintLabel(QPainter& painter, const RowBox& box, const Row& row, bool isHovered) {
    const Palette& palette = Palette::current();
    if (row.isCurrent) {
        painter.fillRect(box.label.adjusted(0, 0, 0, 0), palette.selection("row"));
        painter.fillRect(QRectF(box.label.left(), box.label.top(), 3, box.label.height()),
            palette.selection("ring"));
    }
    painter.fillRect(QRectF(box.label.left() + 4, box.label.top() + 1, 4, box.label.height() - 2),
        palette.machine(row.family));
    const double mark = std::min(9.0, box.label.height());
    const double line = std::min(box.label.height(), lineHeight(smallFont()) + 1.0);
    const bool isWide = box.label.width() > 60;
    const bool hasMode = row.isCurrent && row.mode && isWide && box.lines >= 2;
    const double top = box.label.center().y() - line * (hasMode ? 1 : 0.5);
    paintMachineGlyph(painter, QRectF(box.label.left() + 11, top + line / 2 - mark / 2, mark, mark),
        row.family, palette.machine(row.family));
    QRectF text(box.label.left() + 23, top, box.label.width() - 25, line);
    const bool isFirst = row.isCurrent && isWide;
    paintText(painter, text, isFirst ? row.machine : row.code,
        row.isCurrent ? boldFont() : smallFont(), palette.role("text"));
    if (isWide && !row.isCurrent)
        paintText(
            painter, text, row.order, smallFont(), palette.role("textSecondary"), Qt::AlignRight);
    if (hasMode) {
        text.translate(0, line);
        paintText(painter, text,
            QString::fromUtf8(row.mode->id.data(), static_cast<int>(row.mode->id.size()))
                + (row.isModeInForce ? QString() : QStringLiteral(" ?")),
            smallFont(), palette.role(row.isModeInForce ? "textSecondary" : "warning"));
    }
    if (isHovered)
        paintHoverOutline(painter, box.label, 2);
}

} // namespace

void paint(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks) {
    const Palette& palette = Palette::current();
    for (const QRectF& gap : geometry.gaps)
        painter.fillRect(gap, palette.role("grid"));
    for (const PhaseHead& head : geometry.phases)
        paintText(painter, head.rect, head.title, smallFont(), palette.role("textSecondary"));
    StepPainter steps(painter, picture, marks);
    for (const RowBox& row : geometry.rows) {
        paintLabel(painter, row, picture.rows[row.row], row.row == marks.hoveredRow);
        // The line that the model takes.
        const double y = row.rect.center().y();
        painter.fillRect(QRectF(row.label.right(), y, row.rect.right() - row.label.right(), 1),
            palette.role("separator"));
    }
    for (const StepBox& box : geometry.steps) {
        steps.paint(box, geometry.rows[box.place.row]);
    }
}

} // namespace fivefold::views::pipeline
