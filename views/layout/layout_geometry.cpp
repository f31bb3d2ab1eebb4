// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_geometry.h"

#include "core/layout/arithmetic.h"
#include "views/common/format.h"
#include "views/common/type.h"
#include "views/layout/layout_strips.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::views::layout {

using namespace common;
using fivefold::layout::ceilDivide;

namespace {

constexpr double kPadding = 8;
constexpr double kGap = 16;
constexpr double kWideFrom = 460; ///< narrower panels leave out the lanes
constexpr double kStripFrom = 420; ///< higher panels show the logical tensor below the device's
constexpr double kDense = 3; ///< smallest cell that is drawn
constexpr double kFactsLabel = 84;
constexpr double kElementHeight = 20;
constexpr double kUnit = 8; ///< narrowest unit of a single row
constexpr double kHeads = 6; ///< between the numbers over columns and the first row: a halo's width

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

/// A window of `visible` items out of `total`, a whole page that holds `selected`.
struct Window {
    std::int64_t first = 0, size = 0;
};
Window page(std::int64_t total, std::int64_t visible, std::int64_t selected) {
    visible = std::clamp<std::int64_t>(visible, 1, std::max<std::int64_t>(1, total));
    const std::int64_t first = std::max<std::int64_t>(0, selected) / visible * visible;
    return {first, std::max<std::int64_t>(0, std::min(visible, total - first))};
}

std::int64_t fit(double room, double each) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(room / each)));
}

class Arranger {
public:
    Arranger(const Picture& picture, const View& view, const QSizeF& size)
        : m_picture(picture)
        , m_grid(*picture.grid)
        , m_view(view)
        , m_line(lineHeight(smallFont())) {
        m_out.size = size;
    }

    Geometry run() {
        QRectF room(
            kPadding, 2, m_out.size.width() - 2 * kPadding, m_out.size.height() - 2 - kPadding);
        if (room.width() < 40 || room.height() < 40)
            return m_out;
        if (fivefold::layout::logicalElements(m_grid.layout()) == 0) {
            label(room, tr("An empty tensor takes no memory."), Qt::AlignCenter);
            return m_out;
        }
        if (m_view.isLogical) {
            logical(room);
            return m_out;
        }
        if (m_grid.units() <= 1 && strips(room))
            return m_out;
        if (room.height() >= kStripFrom) {
            const double strip = std::min(room.height() * 0.3, 160.0);
            elements(QRectF(room.left(), room.bottom() - strip, room.width(), strip));
            room.setBottom(room.bottom() - strip - kGap / 2);
        }
        device(room);
        return m_out;
    }

private:
    void label(const QRectF& rect, const QString& text,
        Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter) {
        if (rect.width() > 0 && !text.isEmpty())
            m_out.labels.push_back({rect, text, alignment, false, true});
    }
    /// Takes the title's line off the top of a pane.
    QRectF titled(const QRectF& pane, const QString& title) {
        label(QRectF(pane.left(), pane.top(), pane.width(), m_line), title);
        return pane.adjusted(0, m_line + kHeads, 0, 0);
    }

    void logical(const QRectF& room) {
        if (room.width() < kWideFrom) {
            const double top = std::max(60.0, room.height() - factsHeight() - kGap / 2);
            elements(QRectF(room.topLeft(), QSizeF(room.width(), top)));
            facts(QRectF(room.left(), room.top() + top + kGap / 2, room.width(), factsHeight()));
            return;
        }
        const double right = std::clamp(room.width() * 0.42, 210.0, 420.0);
        elements(room.adjusted(0, 0, -right - kGap, 0));
        lanesAndFacts(QRectF(room.right() - right, room.top(), right, room.height()));
    }

    /// A tensor of few lines: the logical tensor above, each line a row of lanes below it.
    bool strips(QRectF room) {
        if (showsValues(m_picture, m_view))
            return false; // the lanes of one line need the width
        const auto& shape = m_grid.layout().shape;
        const double needed = stripsHeight(m_picture, room.width());
        const std::int64_t rows = shape.size() >= 2 ? shape[shape.size() - 2] : 1;
        const double above =
            static_cast<double>(std::clamp<std::int64_t>(rows, 1, 6)) * kElementHeight + 2 * m_line
            + 6;
        if (needed <= 0 || needed > room.height())
            return false;
        if (needed + above + kGap <= room.height()) {
            elements(QRectF(room.left(), room.top(), room.width(), above));
            room.setTop(room.top() + above + kGap / 2);
        }
        const double bottom = arrangeStrips(m_picture, m_view, room, m_out);
        if (bottom + kGap / 2 + 2 * (m_line + 4) <= room.bottom())
            facts(QRectF(room.left(), bottom + kGap / 2, room.width(),
                std::min(factsHeight(), room.bottom() - bottom - kGap / 2)));
        return true;
    }

    void device(QRectF room) {
        if (m_grid.units() > 1) {
            const double width = std::clamp(room.width() * 0.24, 90.0, 220.0);
            units(QRectF(room.topLeft(), QSizeF(width, room.height())));
            room.setLeft(room.left() + width + kGap);
        }
        if (m_out.size.width() < kWideFrom) {
            const double below = std::min(factsHeight(), room.height() / 2);
            lines(room.adjusted(0, 0, 0, -below - kGap / 2));
            facts(QRectF(room.left(), room.bottom() - below, room.width(), below));
            return;
        }
        const double right = std::clamp(room.width() * 0.6, 210.0, 520.0);
        lines(room.adjusted(0, 0, -right - kGap, 0));
        lanesAndFacts(QRectF(room.right() - right, room.top(), right, room.height()));
    }

    void units(const QRectF& pane) {
        const QRectF room = titled(pane, m_picture.unitCaption);
        const std::int64_t count = m_grid.units();
        std::int64_t columns = m_grid.unitColumns();
        // One row of many units would be a row of slivers: it is broken into columns.
        if (columns >= count && room.width() < kUnit * static_cast<double>(count))
            columns = 0;
        if (columns <= 0) {
            m_out.isUnitMapByColumns = true;
            const std::int64_t down = std::min<std::int64_t>({count, 16, fit(room.height(), 11)});
            columns = ceilDivide(count, down);
        }
        const std::int64_t rows = ceilDivide(count, columns);
        m_out.unitColumns = columns;
        m_out.unitRows = rows;
        const double width = room.width() / static_cast<double>(columns);
        const double height = std::min(20.0, room.height() / static_cast<double>(rows));
        m_out.isUnitMapDense = width < kDense || height < kDense;
        m_out.unitsRect = QRectF(room.topLeft(),
            QSizeF(room.width(),
                m_out.isUnitMapDense ? room.height() : height * static_cast<double>(rows)));
        if (m_out.isUnitMapDense) {
            measureUsed();
            return;
        }
        for (std::int64_t unit = 0; unit < count; ++unit) {
            const std::int64_t column = m_out.isUnitMapByColumns ? unit / rows : unit % columns;
            const std::int64_t row = m_out.isUnitMapByColumns ? unit % rows : unit / columns;
            m_out.units.push_back(
                {QRectF(room.left() + static_cast<double>(column) * width,
                     room.top() + static_cast<double>(row) * height, width, height),
                    unit, m_grid.isUsed(unit)});
        }
    }

    /// Units that hold elements come first along both sides of a dense map.
    void measureUsed() {
        const auto used = [this](std::int64_t count, std::int64_t step) {
            std::int64_t low = 0, high = count;
            while (low < high) {
                const std::int64_t middle = low + (high - low) / 2;
                if (m_grid.isUsed(middle * step))
                    low = middle + 1;
                else
                    high = middle;
            }
            return static_cast<double>(low) / static_cast<double>(std::max<std::int64_t>(1, count));
        };
        if (m_out.isUnitMapByColumns)
            return;
        m_out.usedWidth = used(m_out.unitColumns, 1);
        m_out.usedHeight = used(m_out.unitRows, m_out.unitColumns);
    }

    QString linesTitle() const {
        const Place& at = m_view.place;
        const std::int64_t count = m_grid.lines(at.unit);
        const QString lines =
            formatCount(count) + u' ' + (count == 1 ? m_picture.words.line : m_picture.words.lines);
        if (m_grid.units() <= 1)
            return lines;
        return m_picture.words.unit + u' ' + QString::number(at.unit) + QStringLiteral(" · ")
            + lines;
    }

    void lines(const QRectF& pane) {
        const QRectF room = titled(pane, linesTitle());
        const std::int64_t unit = m_view.place.unit;
        const Grid::Lines all = m_grid.lineGrid(unit);
        if (all.down <= 0 || all.across <= 0)
            return;
        const Grid::Lines at = m_grid.lineOf(m_view.place);
        const double labelWidth =
            textWidth(smallFont(), axisLabel(m_grid.downAxis(unit), {unit, {all.down - 1, 0}}))
            + kHeads + 4;
        const QRectF grid =
            room.adjusted(0, all.across > 1 ? m_line + kHeads : kHeads, 0, -m_line - kHeads);
        const double usable = grid.width() - labelWidth;
        if (usable < kDense || grid.height() < kDense)
            return;
        const double width =
            std::clamp(usable / static_cast<double>(all.across), 10.0, 22.0) * m_view.zoom;
        const double height =
            std::clamp(grid.height() / static_cast<double>(all.down), 13.0, 20.0) * m_view.zoom;
        const Window across = page(all.across, fit(usable, width), at.across);
        const std::int64_t down = std::min(all.down, fit(grid.height(), height));
        const double groupWidth = labelWidth + static_cast<double>(across.size) * width + 6;
        const std::int64_t groups =
            std::min(ceilDivide(all.down, down), fit(grid.width() + 6, groupWidth));
        const Window shown = page(all.down, down * groups, at.down);
        m_out.isLinesCut = shown.size < all.down || across.size < all.across;
        m_out.linesRect = QRectF(grid.topLeft(),
            QSizeF(groupWidth * static_cast<double>(std::min(groups, ceilDivide(shown.size, down)))
                    - 6,
                static_cast<double>(std::min(down, shown.size)) * height));
        for (std::int64_t i = 0; i < shown.size; ++i) {
            const double left =
                grid.left() + static_cast<double>(i / down) * groupWidth + labelWidth;
            const double top = grid.top() + static_cast<double>(i % down) * height;
            label(QRectF(left - labelWidth, top, labelWidth - kHeads - 2, height),
                axisLabel(m_grid.downAxis(unit), {unit, {shown.first + i, 0}}),
                Qt::AlignRight | Qt::AlignVCenter);
            for (std::int64_t j = 0; j < across.size; ++j) {
                const Place place = m_grid.placeOfLine(unit, {shown.first + i, across.first + j});
                m_out.lines.push_back(
                    {QRectF(left + static_cast<double>(j) * width, top, width, height), place,
                        m_grid.realLanes(place)});
            }
        }
        if (all.across > 1) {
            QStringList names;
            for (std::int64_t j = 0; j < across.size; ++j)
                names << axisLabel(m_grid.acrossAxis(unit), {unit, {0, across.first + j}});
            columnLabels(grid, labelWidth, width, names);
        }
        label(QRectF(pane.left(), m_out.linesRect.bottom() + kHeads, pane.width(), m_line),
            linesFoot(unit, shown, all.down));
    }

    struct LineAt {
        std::int64_t unit = 0;
        Grid::Lines line;
    };
    /// The logical index along an axis where the line begins; the line's number where several axes
    /// run.
    QString axisLabel(std::optional<std::size_t> axis, const LineAt& at) const {
        if (!axis || m_grid.layout().axes[*axis].dimension < 0)
            return QString::number(at.line.down);
        const auto coordinates = m_grid.coordinates(m_grid.placeOfLine(at.unit, at.line));
        return QString::number(fivefold::layout::saturatingMultiply(
            coordinates[*axis], m_grid.layout().axes[*axis].step));
    }

    void columnLabels(
        const QRectF& grid, double labelWidth, double cellWidth, const QStringList& names) {
        if (names.isEmpty())
            return;
        const double width = textWidth(smallFont(), names.back()) + 8;
        const auto every = static_cast<qsizetype>(std::ceil(width / cellWidth));
        for (qsizetype j = 0; j < names.size(); j += every) {
            const double centre =
                grid.left() + labelWidth + (static_cast<double>(j) + 0.5) * cellWidth;
            label(QRectF(std::max(0.0, centre - width / 2), grid.top() - m_line - kHeads + 1, width,
                      m_line),
                names[j], Qt::AlignCenter);
        }
    }

    QString linesFoot(std::int64_t unit, const Window& shown, std::int64_t down) const {
        const auto name = [&](std::size_t axis) {
            return QStringLiteral("d%1").arg(m_grid.layout().axes[axis].dimension);
        };
        QStringList parts;
        if (const auto across = m_grid.acrossAxis(unit);
            across && m_grid.layout().axes[*across].dimension >= 0)
            parts << tr("across: %1").arg(name(*across));
        if (const auto axis = m_grid.downAxis(unit);
            axis && m_grid.layout().axes[*axis].dimension >= 0)
            parts << tr("down: %1").arg(name(*axis));
        else if (down > 1)
            parts << tr("down: in the order of addresses");
        if (shown.size < down)
            parts << tr("%1–%2 of %3")
                         .arg(QString::number(shown.first),
                             QString::number(shown.first + shown.size - 1), formatCount(down));
        return parts.join(QStringLiteral(" · "));
    }

    double factsHeight() const { return 5 * (m_line + 4); }

    void lanesAndFacts(const QRectF& column) {
        const double below = std::min(factsHeight(), column.height() * 0.55);
        QRectF pane = column.adjusted(0, 0, 0, -below - 4);
        const double bottom = lanes(pane);
        facts(QRectF(
            column.left(), std::min(bottom + 8, column.bottom() - below), column.width(), below));
    }

    /// Returns where the grid ends.
    double lanes(const QRectF& pane) {
        const Place& at = m_view.place;
        const QRectF room = titled(pane,
            tr("%1 %2 · block %3, row %4")
                .arg(m_picture.words.line, formatCount(lineNumber(m_grid, at)),
                    QString::number(at.block), QString::number(at.row)));
        const std::int64_t count = m_grid.lanes();
        std::int64_t columns = count <= 16 ? std::max<std::int64_t>(1, count)
            : count == 320                 ? 20
                                           : 16;
        const double labelWidth = textWidth(smallFont(), QString::number(count)) + kHeads + 4;
        const bool hasValues = showsValues(m_picture, m_view);
        while (hasValues && columns > 1
            && kValueCell * static_cast<double>(m_grid.packs() * columns)
                > room.width() - labelWidth)
            columns = (columns + 1) / 2;
        const double width =
            std::min(hasValues ? kValueCell * static_cast<double>(m_grid.packs()) : 24.0,
                (room.width() - labelWidth) / static_cast<double>(columns));
        const std::int64_t rows = ceilDivide(count, columns);
        const double height = std::clamp(
            room.height() / static_cast<double>(std::max<std::int64_t>(1, rows)), 14.0, 20.0);
        if (width < kDense || room.height() < height || count <= 0 || m_grid.lines(at.unit) <= 0)
            return room.top();
        const Window shown = page(rows, fit(room.height(), height), at.lane / columns);
        m_out.lanesRect = QRectF(room.left() + labelWidth, room.top(),
            width * static_cast<double>(columns), height * static_cast<double>(shown.size));
        for (std::int64_t r = 0; r < shown.size; ++r) {
            const double top = room.top() + static_cast<double>(r) * height;
            label(QRectF(room.left(), top, labelWidth - kHeads - 2, height),
                QString::number((shown.first + r) * columns), Qt::AlignRight | Qt::AlignVCenter);
            for (std::int64_t c = 0; c < columns; ++c)
                lane((shown.first + r) * columns + c,
                    QRectF(m_out.lanesRect.left() + static_cast<double>(c) * width, top, width,
                        height));
        }
        return m_out.lanesRect.bottom();
    }

    void lane(std::int64_t number, const QRectF& rect) {
        if (number >= m_grid.lanes())
            return;
        Place place = m_view.place;
        place.lane = number;
        place.pack = 0;
        int real = 0;
        for (std::int64_t pack = 0; pack < m_grid.packs(); ++pack) {
            place.pack = pack;
            real += m_grid.indexAt(place) ? 1 : 0;
        }
        place.pack = 0;
        m_out.lanes.push_back({rect, place, real});
    }

    void facts(const QRectF& pane) {
        const Place& at = m_view.place;
        const QString position =
            tr("block %1, row %2, lane %3").arg(at.block).arg(at.row).arg(at.lane)
            + (m_grid.packs() > 1 ? tr(", pack %1").arg(at.pack) : QString());
        const QString value = valueText(m_picture, at);
        const std::pair<QString, QString> rows[] = {
            {tr("element"),
                indexText(m_picture, at)
                    + (value.isEmpty() ? QString() : QStringLiteral(" = ") + value)},
            {tr("address"), addressText(m_picture, at, m_view.isHex)},
            {tr("unit"), unitText(m_picture, at)}, {tr("place"), position},
            {m_grid.layout().deviceSize.empty() ? tr("layout") : tr("device_size"),
                notationText(m_picture)}};
        double top = pane.top();
        for (const auto& [name, value] : rows) {
            if (top + m_line > pane.bottom() + 1)
                break;
            label(QRectF(pane.left(), top, kFactsLabel - 8, m_line + 2), name);
            m_out.labels.push_back(
                {QRectF(pane.left() + kFactsLabel, top, pane.width() - kFactsLabel, m_line + 2),
                    value, Qt::AlignLeft | Qt::AlignVCenter, true, false});
            top += m_line + 4;
        }
    }

    void elements(const QRectF& pane) {
        const auto& shape = m_grid.layout().shape;
        const auto index = m_grid.indexAt(m_view.place);
        const std::size_t rank = shape.size();
        std::vector<std::int64_t> at = index.value_or(std::vector<std::int64_t>(rank, 0));
        QStringList leading;
        for (std::size_t d = 0; d + 2 < rank; ++d)
            leading << QString::number(at[d]);
        QString title = tr("Logical %1").arg(formatShape(std::optional(shape)));
        if (!leading.isEmpty())
            title += QStringLiteral(" · [") + leading.join(QStringLiteral(", "))
                + QStringLiteral(", …]");
        const QRectF room = titled(pane, title);
        const std::int64_t rows = rank >= 2 ? shape[rank - 2] : 1;
        const std::int64_t columns = rank >= 1 ? shape[rank - 1] : 1;
        if (rows <= 0 || columns <= 0)
            return;
        const double labelWidth = textWidth(smallFont(), QString::number(rows)) + kHeads + 4;
        QRectF grid = room.adjusted(labelWidth, m_line + kHeads, 0, -2);
        if (grid.width() < 20 || grid.height() < 10)
            return;
        const double narrowest = showsValues(m_picture, m_view) ? kValueCell : 12;
        const double width = std::clamp(grid.width() / static_cast<double>(columns), narrowest,
                                 std::max(narrowest, 24.0))
            * m_view.zoom;
        const double height =
            std::clamp(grid.height() / static_cast<double>(rows), 14.0, 20.0) * m_view.zoom;
        const Window across = page(columns, fit(grid.width(), width), rank >= 1 ? at[rank - 1] : 0);
        const Window down = page(rows, fit(grid.height(), height), rank >= 2 ? at[rank - 2] : 0);
        m_out.elementsRect = QRectF(grid.topLeft(),
            QSizeF(
                width * static_cast<double>(across.size), height * static_cast<double>(down.size)));
        for (std::int64_t r = 0; r < down.size; ++r) {
            const double top = grid.top() + static_cast<double>(r) * height;
            if (rank >= 2)
                label(QRectF(room.left(), top, labelWidth - kHeads - 2, height),
                    QString::number(down.first + r), Qt::AlignRight | Qt::AlignVCenter);
            for (std::int64_t c = 0; c < across.size; ++c) {
                if (rank >= 2)
                    at[rank - 2] = down.first + r;
                if (rank >= 1)
                    at[rank - 1] = across.first + c;
                m_out.elements.push_back(
                    {QRectF(grid.left() + static_cast<double>(c) * width, top, width, height), at});
            }
        }
        QStringList names;
        for (std::int64_t c = 0; c < across.size; ++c)
            names << QString::number(across.first + c);
        columnLabels(grid, 0, width, names);
    }

    const Picture& m_picture;
    const Grid& m_grid;
    const View& m_view;
    const double m_line;
    Geometry m_out;
};

} // namespace

bool showsValues(const Picture& picture, const View& view) {
    return view.hasValues && picture.values != nullptr;
}

Geometry arrange(const Picture& picture, const View& view, const QSizeF& size) {
    if (picture.isEmpty()) {
        Geometry geometry;
        geometry.size = size;
        return geometry;
    }
    return Arranger(picture, view, size).run();
}

const UnitCell* Geometry::unitCell(std::int64_t unit) const {
    return unit >= 0 && unit < static_cast<std::int64_t>(units.size())
        ? &units[static_cast<std::size_t>(unit)]
        : nullptr;
}

const LineCell* Geometry::lineCell(const Place& place) const {
    for (const LineCell& cell : lines)
        if (cell.place.unit == place.unit && cell.place.block == place.block
            && cell.place.row == place.row)
            return &cell;
    return nullptr;
}

const LaneCell* Geometry::laneCell(const Place& place) const {
    for (const LaneCell& cell : lanes)
        if (cell.place.unit == place.unit && cell.place.block == place.block
            && cell.place.row == place.row && cell.place.lane == place.lane)
            return &cell;
    return nullptr;
}

const ElementCell* Geometry::elementCell(const std::vector<std::int64_t>& index) const {
    for (const ElementCell& cell : elements)
        if (cell.index == index)
            return &cell;
    return nullptr;
}

QRectF Geometry::denseUnit(std::int64_t unit) const {
    const std::int64_t column = isUnitMapByColumns ? unit / unitRows : unit % unitColumns;
    const std::int64_t row = isUnitMapByColumns ? unit % unitRows : unit / unitColumns;
    const double width = unitsRect.width() / static_cast<double>(unitColumns);
    const double height = unitsRect.height() / static_cast<double>(unitRows);
    QRectF cell(unitsRect.left() + static_cast<double>(column) * width,
        unitsRect.top() + static_cast<double>(row) * height, width, height);
    const double grow = std::max(0.0, 6 - std::min(width, height)) / 2;
    cell.adjust(-grow, -grow, grow, grow);
    cell.moveLeft(std::clamp(cell.left(), unitsRect.left(),
        std::max(unitsRect.left(), unitsRect.right() - cell.width())));
    cell.moveTop(std::clamp(cell.top(), unitsRect.top(),
        std::max(unitsRect.top(), unitsRect.bottom() - cell.height())));
    return cell;
}

std::optional<Place> placeAt(
    const Picture& picture, const Geometry& geometry, const View& view, const QPointF& point) {
    if (picture.isEmpty())
        return std::nullopt;
    if (geometry.unitsRect.contains(point)) {
        if (!geometry.isUnitMapDense) {
            for (const UnitCell& cell : geometry.units)
                if (cell.rect.contains(point))
                    return Place{cell.unit, 0, 0, 0, 0};
            return std::nullopt;
        }
        const auto part = [](double at, double room, std::int64_t count) {
            return std::clamp<std::int64_t>(
                static_cast<std::int64_t>(at / room * static_cast<double>(count)), 0, count - 1);
        };
        const std::int64_t column = part(point.x() - geometry.unitsRect.left(),
            geometry.unitsRect.width(), geometry.unitColumns);
        const std::int64_t row = part(
            point.y() - geometry.unitsRect.top(), geometry.unitsRect.height(), geometry.unitRows);
        const std::int64_t unit = geometry.isUnitMapByColumns ? column * geometry.unitRows + row
                                                              : row * geometry.unitColumns + column;
        return unit < picture.grid->units() ? std::optional(Place{unit, 0, 0, 0, 0}) : std::nullopt;
    }
    if (geometry.lanesRect.contains(point))
        for (const LaneCell& cell : geometry.lanes)
            if (cell.rect.contains(point)) {
                Place place = cell.place;
                const auto packs = static_cast<double>(picture.grid->packs());
                place.pack = std::clamp<std::int64_t>(
                    static_cast<std::int64_t>(
                        (point.x() - cell.rect.left()) / cell.rect.width() * packs),
                    0, picture.grid->packs() - 1);
                return place;
            }
    if (geometry.elementsRect.contains(point))
        for (const ElementCell& cell : geometry.elements)
            if (cell.rect.contains(point))
                return picture.grid->placeAt(cell.index);
    for (const LineCell& cell : geometry.lines)
        if (cell.rect.contains(point)) {
            Place place = cell.place;
            if (view.place.unit == place.unit && view.place.lane < cell.realLanes)
                place.lane = view.place.lane;
            return place;
        }
    return std::nullopt;
}

} // namespace fivefold::views::layout
