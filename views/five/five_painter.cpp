// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/five/five_painter.h"

#include "views/common/canvas.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

namespace {

constexpr double kStripe = 6;
constexpr double kGlyph = 12;
constexpr double kBarRoom = 46; ///< longest bar of bytes
constexpr double kTextGap = 8; ///< between a cell's text and the next cell

QString tr(const char* text) {
    return QCoreApplication::translate("FivePanel", text);
}

class RowPainter {
public:
    RowPainter(QPainter& painter, const Picture& picture, const Geometry& geometry, int index,
        const Marks& marks)
        : m_painter(painter)
        , m_geometry(geometry)
        , m_row(picture.rows[index])
        , m_index(index)
        , m_marks(marks)
        , m_rect(geometry.rowRects[index])
        , m_colors(Palette::current()) {
        const double cells = geometry.because(index).top() - m_rect.top();
        m_line1 = m_rect.top() + cells * 0.30;
        m_line2 = m_rect.top() + cells * 0.62;
    }

    void run() {
        background();
        if (m_row.isStale)
            m_painter.setOpacity(Canvas::kStaleOpacity * m_painter.opacity());
        machine();
        if (m_row.hasAnswer()) {
            program();
            padding();
            bytes();
            time();
            bound();
            missing();
            because();
        } else {
            waiting();
        }
    }

    void overlay() {
        if (m_row.state == SlotState::Computing || m_row.isStale)
            m_painter.fillRect(QRectF(kStripe, m_rect.top(), (m_rect.width() - kStripe) / 3, 3),
                m_colors.role("highlight"));
        if (m_marks.hovered == m_index)
            paintHoverOutline(m_painter, m_rect.adjusted(kStripe + 1, 1, -2, -1), 0);
        if (m_marks.focused == m_index) {
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(dashedPen(m_colors.role("highlight"), 1, {3, 2}));
            m_painter.drawRect(m_rect.adjusted(kStripe + 4.5, 3.5, -4.5, -3.5));
        }
    }

private:
    QColor text() const { return m_colors.role("text"); }
    QColor secondary() const { return m_colors.role("textSecondary"); }

    void background() {
        const QColor fill = m_row.isCurrent ? m_colors.selection("row")
            : m_index % 2                   ? m_colors.role("alternate")
                                            : m_colors.role("canvas");
        m_painter.fillRect(m_rect, fill);
        m_painter.fillRect(QRectF(m_rect.left(), m_rect.top(), kStripe, m_rect.height()),
            m_colors.machine(m_row.family));
        if (m_row.isCurrent)
            m_painter.fillRect(
                QRectF(kStripe, m_rect.top(), 3, m_rect.height()), m_colors.selection("ring"));
    }

    /// One line that is elided at its cell's end; names in the middle.
    void words(double x, double y, double width, const QString& string, const QFont& font,
        const QColor& color, Qt::TextElideMode elide = Qt::ElideRight,
        Qt::Alignment alignment = Qt::AlignLeft) {
        m_painter.setFont(font);
        m_painter.setPen(color);
        const double height = lineHeight(font);
        m_painter.drawText(QRectF(x, y - height / 2, width, height),
            alignment | Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(font).elidedText(string, elide, static_cast<int>(width)));
    }

    void pair(Column column, double indent, const QString& first, const QString& second) {
        const QRectF cell = m_geometry.cell(m_index, column);
        if (cell.isNull())
            return;
        const double x = cell.left() + 8 + indent, width = cell.right() - kTextGap - x;
        words(x, m_line1, width, first, boldFont(), text());
        words(cell.left() + 8, m_line2, cell.right() - kTextGap - cell.left() - 8, second,
            smallFont(), secondary());
    }

    void machine() {
        const QRectF cell = m_geometry.cell(m_index, Column::Machine);
        const double x = cell.left() + 4;
        paintMachineGlyph(m_painter, QRectF(x, m_line1 - kGlyph / 2, kGlyph, kGlyph), m_row.family,
            m_colors.machine(m_row.family));
        words(x + kGlyph + 8, m_line1, cell.right() - kTextGap - x - kGlyph - 8, m_row.title,
            boldFont(), text());
        words(x, m_line2, cell.right() - kTextGap - x, m_row.subtitle, smallFont(), secondary(),
            Qt::ElideMiddle);
    }

    void program() {
        // A kernel counts whole, whatever else it holds.
        const std::int64_t others = m_row.figures.others;
        pair(Column::Program, 0, QString::fromStdString(m_row.figures.programs),
            others == 0       ? QString::fromStdString(m_row.figures.detail)
                : others == 1 ? tr("with 1 other operator")
                              : tr("with %1 other operators").arg(formatCount(others)));
    }

    void padding() {
        pair(Column::Padding, 0, paddingText(m_row),
            QString::fromStdString(m_row.figures.paddingDetail));
    }

    void bytes() {
        const QRectF cell = m_geometry.cell(m_index, Column::Bytes);
        if (cell.isNull())
            return;
        const double nameRoom = 62;
        double y = m_row.bars.size() > 1 ? m_line1 - 2 : m_line1;
        for (const LevelBar& bar : m_row.bars) {
            words(cell.left() + 8, y, nameRoom - 4, bar.name, smallFont(), secondary());
            const double x = cell.left() + 8 + nameRoom;
            m_painter.fillRect(QRectF(x, y - 5.5, std::max(1.0, bar.share * kBarRoom), 11),
                m_colors.memoryLevel(bar.kind));
            words(x + kBarRoom + 4, y, cell.right() - kTextGap - x - kBarRoom - 4,
                formatBytes(bar.bytes), bodyFont(), text(), Qt::ElideRight, Qt::AlignRight);
            y = m_line2 + 2;
        }
    }

    void time() {
        const QRectF cell = m_geometry.cell(m_index, Column::Time);
        const double left = cell.left() + 8, right = cell.right() - 16;
        const double middle = (m_line1 + m_line2) / 2 + 2;
        m_painter.setPen(m_colors.role("separator"));
        m_painter.drawLine(QPointF(left, middle), QPointF(right, middle));
        for (const Tick& tick : m_geometry.ticks)
            if (tick.x >= left && tick.x <= right)
                m_painter.drawLine(QPointF(tick.x, middle - 4), QPointF(tick.x, middle + 4));
        const analysis::ComparisonRow& f = m_row.figures;
        const double x = f.time && f.time->value > 0 ? m_geometry.toX(f.time->value) : left;
        if (f.time && f.time->value > 0)
            f.isValidated ? band(middle, x) : unvalidatedBand(middle, x);
        const double width = textWidth(boldFont(), m_row.time) + 2;
        const double at = std::clamp(x - width / 2, left, std::max(left, right - width));
        words(at, m_line1 - 6, width, m_row.time, boldFont(), text());
        if (f.isValidated)
            words(left, m_line2 + 10, right - left, m_row.band, smallFont(), secondary(),
                Qt::ElideRight, Qt::AlignRight);
        else if (f.time)
            paintFramedWords(m_painter, QPointF(right, m_line2 + 10), tr("not validated"));
    }

    void band(double y, double x) {
        const double low = m_geometry.toX(m_row.figures.low->value);
        const double high = std::max(low + 3, m_geometry.toX(m_row.figures.high->value));
        const QRectF rect(low, y - 7, high - low, 14);
        m_painter.setPen(QPen(m_colors.role("textSecondary"), 1));
        QColor fill = m_colors.role("neutral");
        fill.setAlphaF(0.28F);
        m_painter.setBrush(fill);
        m_painter.drawRect(rect);
        m_painter.fillRect(QRectF(x - 1.5, y - 9, 3, 18), text());
    }

    void unvalidatedBand(double y, double x) {
        const double low = m_geometry.toX(m_row.figures.time->value / 2);
        const double high = m_geometry.toX(m_row.figures.time->value * 2);
        const QRectF rect(low, y - 7, high - low, 14);
        paintHatch(m_painter, rect, m_colors.role("hatch"), true);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(dashedPen(m_colors.role("textSecondary"), 1, {3, 2}));
        m_painter.drawRect(rect);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setBrush(m_colors.role("canvas"));
        m_painter.setPen(QPen(text(), 2));
        m_painter.drawEllipse(QPointF(x, y), 4.5, 4.5);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void bound() {
        const QRectF cell = m_geometry.cell(m_index, Column::Bound);
        if (cell.isNull())
            return;
        const lowering::Bound bound = m_row.figures.bound;
        paintBoundGlyph(
            m_painter, QRectF(cell.left() + 8, m_line1 - 6, 12, 12), bound, m_colors.bound(bound));
        words(cell.left() + 27, m_line1, cell.right() - 4 - cell.left() - 27, boundName(bound),
            bodyFont(), text());
        words(cell.left() + 8, m_line2, cell.right() - 4 - cell.left() - 8, boundText(m_row),
            smallFont(), secondary());
    }

    void missing() {
        const QRectF cell = m_geometry.cell(m_index, Column::Missing);
        if (cell.isNull())
            return;
        const bool isAny = m_row.figures.unsupported > 0;
        const double x = cell.left() + 8, width = cell.right() - 4 - x;
        words(x, m_line1, width,
            (isAny ? QStringLiteral("⚠ ") : QString()) + formatCount(m_row.figures.unsupported),
            boldFont(), isAny ? m_colors.role("warning") : text());
        words(x, m_line2, width, m_row.figures.unsupported == 1 ? tr("operator") : tr("operators"),
            smallFont(), secondary());
    }

    void because() {
        const QRectF line = m_geometry.because(m_index);
        m_painter.setPen(m_colors.role("separator"));
        m_painter.drawLine(line.topLeft(), line.topRight());
        words(line.left(), line.center().y(), line.width(),
            QString::fromStdString(m_row.figures.because), bodyFont(), text());
    }

    void waiting() {
        const QRectF cell = m_geometry.cell(m_index, Column::Machine);
        const double x = cell.right() + 8, width = m_rect.right() - 16 - x;
        if (m_row.state == SlotState::Failed) {
            const QString sentence = QStringLiteral("⚠ ") + m_row.stateText;
            m_painter.setFont(bodyFont());
            m_painter.setPen(m_colors.role("error"));
            m_painter.drawText(QRectF(x, m_rect.top() + 8, width, m_rect.height() - 16),
                Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, sentence);
            return;
        }
        const QString what = m_row.state == SlotState::Computing
            ? m_row.stateText.isEmpty() ? tr("computing…")
                                        : tr("computing: %1…").arg(m_row.stateText)
            : tr("waits for the machines above");
        words(x, (m_line1 + m_line2) / 2, width, what, bodyFont(), secondary());
    }

    QPainter& m_painter;
    const Geometry& m_geometry;
    const Row& m_row;
    int m_index;
    const Marks& m_marks;
    QRectF m_rect;
    const Palette& m_colors;
    double m_line1 = 0, m_line2 = 0; ///< middles of the two lines of text
};

void paintHead(QPainter& painter, const Geometry& geometry) {
    const Palette& colors = Palette::current();
    const QRectF head(0, 0, geometry.size.width(), kHeadHeight);
    painter.fillRect(head, colors.role("button"));
    painter.setPen(colors.role("border"));
    painter.drawLine(head.bottomLeft() - QPointF(0, 0.5), head.bottomRight() - QPointF(0, 0.5));
    painter.setFont(bodyFont());
    for (const ColumnPlace& place : geometry.columns) {
        const bool isFirst = place.column == Column::Machine;
        if (!isFirst) {
            painter.setPen(colors.role("separator"));
            painter.drawLine(
                place.head.topLeft() + QPointF(0, 4), place.head.bottomLeft() - QPointF(0, 5));
        }
        painter.setPen(colors.role("text"));
        painter.drawText(place.head.adjusted(isFirst ? 0 : 8, 0, -4, 0),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, place.title);
    }
}

void paintAxis(QPainter& painter, const Geometry& geometry, bool isFrozen) {
    const Palette& colors = Palette::current();
    painter.fillRect(geometry.axis, colors.role("canvas"));
    painter.setPen(colors.role("separator"));
    painter.drawLine(geometry.axis.topLeft(), geometry.axis.topRight());
    painter.setFont(smallFont());
    painter.setPen(colors.role("textSecondary"));
    for (const Tick& tick : geometry.ticks) {
        if (tick.text.isEmpty())
            continue;
        const double width = textWidth(smallFont(), tick.text);
        painter.drawText(QRectF(tick.x - width / 2, geometry.axis.top(), width, kAxisHeight),
            Qt::AlignVCenter | Qt::AlignHCenter | Qt::TextSingleLine | Qt::TextDontClip, tick.text);
    }
    if (isFrozen)
        paintFramedWords(
            painter, QPointF(geometry.axis.right() - 12, geometry.axis.center().y()), tr("frozen"));
}

} // namespace

void paintFramedWords(QPainter& painter, const QPointF& rightMiddle, const QString& text) {
    const QFont font = smallFont();
    const double width = textWidth(font, text) + 8, height = lineHeight(font) + 1;
    const QRectF rect(rightMiddle.x() - width, rightMiddle.y() - height / 2, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Palette::current().role("textSecondary"), 1));
    painter.setBrush(Palette::current().role("canvas"));
    painter.drawRoundedRect(rect, 2, 2);
    painter.setFont(font);
    painter.setPen(Palette::current().role("text"));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, text);
    painter.restore();
}

void paint(
    QPainter& painter, const Picture& picture, const Geometry& geometry, const Marks& marks) {
    painter.save();
    painter.setClipRect(geometry.rows);
    for (int row = 0; row < picture.rows.size(); ++row) {
        if (!geometry.rowRects[row].intersects(geometry.rows))
            continue;
        RowPainter one(painter, picture, geometry, row, marks);
        painter.save();
        one.run();
        painter.restore();
        one.overlay();
    }
    painter.restore();
    paintAxis(painter, geometry, marks.isFrozen);
    paintHead(painter, geometry);
}

Legend legend(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    Legend legend;
    const std::pair<QString, machines::MemoryKind> kLevels[] = {
        {tr("device memory"), machines::MemoryKind::Device},
        {tr("cache"), machines::MemoryKind::Cache},
        {tr("scratchpad"), machines::MemoryKind::Scratchpad}};
    for (const auto& [name, kind] : kLevels)
        legend << LegendEntry{name, [kind = kind](QPainter& painter, const QRectF& rect) {
                                  painter.fillRect(rect, Palette::current().memoryLevel(kind));
                              }};
    legend << LegendEntry{
        tr("estimate with its measured band"), [](QPainter& painter, const QRectF& rect) {
            QColor fill = Palette::current().role("neutral");
            fill.setAlphaF(0.28F);
            painter.fillRect(rect, fill);
            painter.fillRect(QRectF(rect.center().x() - 1.5, rect.top(), 3, rect.height()),
                Palette::current().role("text"));
        }};
    legend << LegendEntry{tr("no measured error for this machine: ½ to 2 × drawn"),
        [](QPainter& painter, const QRectF& rect) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(dashedPen(Palette::current().role("textSecondary"), 1, {3, 2}));
            painter.drawRect(rect);
            painter.setPen(QPen(Palette::current().role("text"), 2));
            painter.drawEllipse(rect.center(), 3.5, 3.5);
            painter.restore();
        }};
    return legend;
}

QString footnote(const Options& options, bool isFrozen) {
    QString text = options.isLog ? tr("log axis") : tr("linear axis");
    if (options.isLocked)
        text += u' ' + tr("locked");
    if (isFrozen)
        text += tr(", cuts data");
    return text;
}

} // namespace fivefold::views::five
