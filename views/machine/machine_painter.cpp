// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/machine/machine_painter.h"

#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::machine {

using namespace common;
using analysis::BoxKind;
using analysis::DiagramBox;
using machines::UnitRole;

namespace {

constexpr double kBand = 5; ///< at a unit's left: what it does
constexpr double kLinkRadius = 9;
constexpr double kSheet = 3; ///< offset of the sheets behind a box that there are many of
constexpr int kMostCells = 512; ///< units that are drawn one by one

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

std::optional<ir::OpClass> classOf(UnitRole role) {
    switch (role) {
    case UnitRole::Matrix:
        return ir::OpClass::Contraction;
    case UnitRole::Vector:
        return ir::OpClass::Pointwise;
    case UnitRole::Movement:
        return ir::OpClass::Movement;
    case UnitRole::Control:
        return ir::OpClass::Control;
    case UnitRole::Core:
    case UnitRole::Memory:
    case UnitRole::Other:
        break;
    }
    return std::nullopt;
}

class BoxPainter {
public:
    BoxPainter(QPainter& painter, const Picture& picture)
        : m_painter(painter)
        , m_picture(picture)
        , m_palette(Palette::current()) { }

    void paint(const BoxShape& shape) {
        const DiagramBox& box = m_picture.diagram.boxes[shape.index];
        const Box& words = m_picture.boxes[static_cast<int>(shape.index)];
        const QRectF rect = shape.rect.adjusted(0.5, 0.5, -0.5, -0.5);
        if (shape.hasChildren && box.kind == BoxKind::Unit
            && (!box.perParent || *box.perParent > 1))
            paintSheets(rect);
        paintFill(rect, box);
        if (words.isHome && words.share > 0)
            m_painter.fillRect(QRectF(rect.left() + 1, rect.bottom() - 4,
                                   std::max(2.0, (rect.width() - 2) * words.share), 3),
                m_palette.memoryLevel(box.memory));
        paintWords(shape, box, words);
    }

private:
    void paintSheets(const QRectF& rect) {
        m_painter.setPen(m_palette.role("nodeBorder"));
        m_painter.setBrush(m_palette.role("group"));
        m_painter.drawRoundedRect(rect.adjusted(kSheet, kSheet, kSheet, kSheet), 3, 3);
    }

    void paintFill(const QRectF& rect, const DiagramBox& box) {
        const QColor canvas = m_palette.role("canvas");
        switch (box.kind) {
        case BoxKind::Device:
            m_painter.setBrush(m_palette.role("group"));
            m_painter.setPen(QPen(m_palette.machine(m_picture.machine->family), 1.5));
            m_painter.drawRoundedRect(rect, 3, 3);
            return;
        case BoxKind::Memory:
            m_painter.setBrush(blend(canvas, m_palette.memoryLevel(box.memory), 0.2));
            m_painter.setPen(levelPen(box.memory, 1.4));
            m_painter.drawRect(rect);
            return;
        case BoxKind::Link:
            m_painter.setBrush(canvas);
            m_painter.setPen(QPen(m_palette.role("edge"), 1));
            m_painter.drawRoundedRect(rect, kLinkRadius, kLinkRadius);
            return;
        case BoxKind::Unit:
            break;
        }
        m_painter.setBrush(m_palette.role("node"));
        m_painter.setPen(m_palette.role("nodeBorder"));
        m_painter.drawRoundedRect(rect, 3, 3);
        if (const auto opClass = classOf(box.role))
            m_painter.fillRect(QRectF(rect.left() + 1, rect.top() + 2, kBand, rect.height() - 3),
                m_palette.operatorClass(*opClass));
    }

    void paintWords(const BoxShape& shape, const DiagramBox& box, const Box& words) {
        const double line = lineHeight(smallFont()) + 1.0;
        const bool hasBand = box.kind == BoxKind::Unit && classOf(box.role).has_value();
        const double inset = box.kind == BoxKind::Link ? 10 : hasBand ? kBand + 5 : 6;
        QRectF row(shape.header.left() + inset, shape.header.top() + 3,
            shape.header.width() - inset - 5, line);
        // A bar with room to spare keeps its words in the middle.
        const int lines = linesOf(shape, box, words);
        if (!shape.hasChildren && shape.rect.height() < (lines + 1) * line + 4)
            row.moveTop(std::max(row.top(), shape.rect.center().y() - lines * line / 2));
        const QRectF title = paintMarks(row, words);
        if (shape.detail == 0 || lines == 1) {
            paintOneLine(title, box, words);
            return;
        }
        // What the selection does here gets a line of its own where the title leaves no room for
        // it.
        const double wanted =
            textWidth(boldFont(), words.title) + 10.0 + textWidth(smallFont(), words.use);
        const bool isApart = !shape.hasChildren && wanted > title.width()
            && shape.rect.height() >= (lines + 1) * line + 4;
        paintTitle(title, words, isApart);
        if (isApart)
            paintText(m_painter,
                QRectF(row.left(), shape.rect.top() + 4 + lines * line, row.width(), line),
                words.use, smallFont(), m_palette.role("text"));
        row.translate(0, line);
        // On a container's second line and on a box's: figures first, then who and where.
        const QString second = join(words.figures, lines == 2 ? words.detail : QString());
        paintText(m_painter, row, second, smallFont(), m_palette.role("text"));
        if (lines < 3)
            return paintUnits(shape, box, words, row.bottom() + (isApart ? line : 0));
        row.translate(0, line);
        paintText(m_painter, row, words.detail, smallFont(), m_palette.role("textSecondary"));
        paintUnits(shape, box, words, row.bottom() + (isApart ? line : 0));
    }

    static int linesOf(const BoxShape& shape, const DiagramBox& box, const Box& words) {
        const int room = shape.hasChildren ? (shape.detail >= 2 ? 2 : 1) : shape.detail + 1;
        const bool isBar = box.kind == BoxKind::Memory && box.parent.has_value();
        const int most = isBar ? 2 : 3;
        int wanted = 1 + (words.figures.isEmpty() ? 0 : 1) + (words.detail.isEmpty() ? 0 : 1);
        if (box.kind == BoxKind::Device)
            wanted = 1;
        return std::clamp(std::min(wanted, room), 1, most);
    }

    static QString join(const QString& a, const QString& b) {
        if (a.isEmpty() || b.isEmpty())
            return a + b;
        return a + QStringLiteral(" · ") + b;
    }

    void paintTitle(const QRectF& row, const Box& words, bool isUseApart) {
        const double width = std::min<double>(row.width(), textWidth(boldFont(), words.title) + 2);
        paintText(m_painter, QRectF(row.left(), row.top(), width, row.height()), words.title,
            boldFont(), m_palette.role("text"));
        if (!isUseApart)
            paintUse(row, width, words);
    }

    void paintUse(const QRectF& row, double used, const Box& words) {
        paintText(m_painter, row.adjusted(used + 8, 0, 0, 0), words.use, smallFont(),
            m_palette.role("text"), Qt::AlignRight);
    }

    void paintOneLine(const QRectF& row, const DiagramBox& box, const Box& words) {
        const double width = std::min<double>(row.width(), textWidth(boldFont(), words.title) + 2);
        paintText(m_painter, QRectF(row.left(), row.top(), width, row.height()), words.title,
            boldFont(), m_palette.role("text"));
        const QString rest = box.kind == BoxKind::Device ? words.figures
            : words.use.isEmpty()                        ? join(words.figures, words.detail)
                                                         : words.use;
        paintText(m_painter, row.adjusted(width + 8, 0, 0, 0), rest, smallFont(),
            m_palette.role(words.use.isEmpty() ? "textSecondary" : "text"), Qt::AlignRight);
    }

    /// Status and bound at the right end of the first line; what is left of it.
    QRectF paintMarks(QRectF row, const Box& words) {
        if (words.hasStatus && row.width() > 40) {
            paintStatusGlyph(m_painter, QRectF(row.right() - 10, row.top(), 10, row.height()),
                words.status, m_palette.role("textSecondary"));
            row.setRight(row.right() - 14);
        }
        if (words.isBound && row.width() > 40) {
            const auto bound = m_picture.diagram.boxes[words.index].kind == BoxKind::Memory
                ? lowering::Bound::Memory
                : lowering::Bound::Compute;
            paintBoundGlyph(m_painter, QRectF(row.right() - 10, row.center().y() - 5, 10, 10),
                bound, m_palette.bound(bound));
            row.setRight(row.right() - 14);
        }
        return row;
    }

    /// One small square a unit, the working ones filled, where the box has room under its words.
    void paintUnits(const BoxShape& shape, const DiagramBox& box, const Box& words, double top) {
        if (box.kind != BoxKind::Unit || shape.hasChildren || !box.perParent)
            return;
        const QRectF room(shape.rect.left() + kBand + 5, top + 4, shape.rect.width() - kBand - 12,
            shape.rect.bottom() - top - 9);
        if (room.height() < 8 || *box.perParent < 2)
            return;
        const QColor strong = classOf(box.role) ? m_palette.operatorClass(*classOf(box.role))
                                                : m_palette.role("neutral");
        if (*box.perParent > kMostCells) {
            const QRectF bar(room.left(), room.top(), room.width(), std::min(8.0, room.height()));
            m_painter.fillRect(bar, m_palette.role("neutralSoft"));
            if (words.isUsed)
                m_painter.fillRect(QRectF(bar.left(), bar.top(),
                                       std::max(2.0, bar.width() * words.share), bar.height()),
                    strong);
            return;
        }
        const auto count = static_cast<int>(*box.perParent);
        double cell = 22;
        while (
            cell > 3 && std::floor(room.width() / cell) * std::floor(room.height() / cell) < count)
            cell -= 0.5;
        const int perRow = std::max(1, static_cast<int>(room.width() / cell));
        m_painter.setPen(m_palette.role("nodeBorder"));
        m_painter.setBrush(words.isUsed ? strong : m_palette.role("neutralSoft"));
        for (int i = 0; i < count && (i / perRow + 1) * cell <= room.height(); ++i)
            m_painter.drawRect(QRectF(room.left() + (i % perRow) * cell,
                room.top() + (i / perRow) * cell, cell - 2, cell - 2));
    }

    QPainter& m_painter;
    const Picture& m_picture;
    const Palette& m_palette;
};

void paintVocabulary(QPainter& painter, const Picture& picture, const Geometry& geometry) {
    if (geometry.vocabulary.isNull())
        return;
    const Palette& palette = Palette::current();
    painter.fillRect(QRectF(geometry.vocabulary.left(), geometry.vocabulary.top(),
                         geometry.vocabulary.width(), 1),
        palette.role("separator"));
    const double line = lineHeight(smallFont()) + 1.0;
    double x = geometry.vocabulary.left();
    double y = geometry.vocabulary.top() + 3;
    for (const analysis::Word& word : picture.diagram.vocabulary) {
        const QString notion =
            QString::fromUtf8(word.notion.data(), static_cast<int>(word.notion.size())) + u' ';
        const QString own =
            word.word.empty() ? QStringLiteral("–") : QString::fromStdString(word.word);
        const double first = textWidth(smallFont(), notion) + 1;
        const double second = textWidth(smallFont(), own) + 1;
        if (x + first + second > geometry.vocabulary.right() && x > geometry.vocabulary.left()) {
            x = geometry.vocabulary.left();
            y += line;
            if (y + line > geometry.vocabulary.bottom() + 2)
                return;
        }
        paintText(
            painter, QRectF(x, y, first, line), notion, smallFont(), palette.role("textSecondary"));
        paintText(
            painter, QRectF(x + first, y, second, line), own, smallFont(), palette.role("text"));
        x += first + second + 14;
    }
}

} // namespace

void paint(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks) {
    const Palette& palette = Palette::current();
    painter.setPen(QPen(palette.role("edge"), 2));
    for (const QLineF& link : geometry.links)
        painter.drawLine(link);
    BoxPainter boxes(painter, picture);
    for (const BoxShape& shape : geometry.boxes)
        boxes.paint(shape);
    // Rings last, so that no neighbour covers them.
    for (const BoxShape& shape : geometry.boxes) {
        const Box& words = picture.boxes[static_cast<int>(shape.index)];
        if (words.isHome || words.isUsed)
            paintSelectionRing(painter, shape.rect.adjusted(1, 1, -1, -1), words.isHome, 3);
        if (marks.hovered == shape.index)
            paintHoverOutline(painter, shape.rect, 3);
        if (marks.focused == shape.index) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(palette.role("highlight"), 1, Qt::DotLine));
            painter.drawRoundedRect(shape.rect.adjusted(3, 3, -3, -3), 2, 2);
        }
    }
    paintVocabulary(painter, picture, geometry);
}

} // namespace fivefold::views::machine
