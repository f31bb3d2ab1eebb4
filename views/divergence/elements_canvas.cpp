// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/divergence/elements_panel.h"
#include "views/divergence/words.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::divergence {

using namespace common;

ElementsCanvas::ElementsCanvas(Focus& focus, QWidget* parent)
    : Canvas(parent)
    , m_focus(focus) {
    refresh();
}

void ElementsCanvas::invalidate() {
    m_isGeometryValid = false;
    update();
}

void ElementsCanvas::refresh() {
    if (m_layer != m_focus.layer() || m_picture.divergence != m_focus.divergence()) {
        m_logical = m_device = {};
        m_hovered.reset();
    }
    m_layer = m_focus.layer();
    m_picture = elementsPicture(m_focus, m_colour);
    m_isDeviceActive = !m_picture.device.isEmpty() && m_coordinates != Coordinates::Logical;
    invalidate();
}

void ElementsCanvas::updateElement() {
    follow();
    invalidate();
}

void ElementsCanvas::setCoordinates(Coordinates coordinates) {
    m_coordinates = coordinates;
    m_isDeviceActive = !m_picture.device.isEmpty() && coordinates != Coordinates::Logical;
    invalidate();
}

void ElementsCanvas::setColour(ElementColour colour) {
    m_colour = colour;
    refresh();
}

void ElementsCanvas::setPaddingShown(bool isShown) {
    m_showsPadding = isShown;
    update();
}

const ElementsGeometry& ElementsCanvas::geometryNow() const {
    if (!m_isGeometryValid) {
        m_geometry = elementsGeometry(
            m_picture, m_coordinates, size(), m_logical, m_device, m_focus.element());
        m_isGeometryValid = true;
    }
    return m_geometry;
}

void ElementsCanvas::paintCanvas(QPainter& painter, const QRect&) {
    if (m_picture.isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
            m_picture.reason);
        return;
    }
    paintElements(
        painter, m_picture, geometryNow(), {m_focus.element(), m_hovered, m_showsPadding});
}

void ElementsCanvas::paintInto(QPainter& painter, const QSize& size) const {
    if (m_picture.isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), size).adjusted(16, 16, -16, -16),
            Qt::AlignCenter | Qt::TextWordWrap, m_picture.reason);
        return;
    }
    paintElements(painter, m_picture,
        elementsGeometry(m_picture, m_coordinates, size, m_logical, m_device, m_focus.element()),
        {m_focus.element(), std::nullopt, m_showsPadding});
}

const Pane* ElementsCanvas::paneAt(const QPointF& at) const {
    for (const Pane& pane : geometryNow().panes)
        if (!pane.isEmpty() && pane.area.contains(at))
            return &pane;
    return nullptr;
}

std::optional<std::int64_t> ElementsCanvas::elementAt(const QPointF& at) const {
    const Strip& strip = geometryNow().strip;
    if (strip.count > 0 && strip.cells.contains(at)) {
        const double share = (at.x() - strip.cells.left()) / strip.cells.width();
        return std::min(strip.first + strip.count - 1,
            strip.first + static_cast<std::int64_t>(share * static_cast<double>(strip.count)));
    }
    const Pane* pane = paneAt(at);
    // A block with a wrong element is drawn a little larger than it is.
    for (const QPointF& offset :
        {QPointF(0, 0), QPointF(-2, 0), QPointF(2, 0), QPointF(0, -2), QPointF(0, 2)}) {
        const auto bin = pane ? pane->binAt(at + offset) : std::nullopt;
        if (!bin)
            continue;
        const Bin& cell = pane->bin(bin->first, bin->second);
        if (cell.element >= 0 && (cell.wrong > 0 || offset.isNull() || !pane->isBinned())) {
            if (cell.wrong > 0 || !pane->isBinned())
                return cell.element;
        }
    }
    const auto bin = pane ? pane->binAt(at) : std::nullopt;
    if (!bin)
        return std::nullopt;
    const std::int64_t element = pane->bin(bin->first, bin->second).element;
    return element >= 0 ? std::optional(element) : std::nullopt;
}

void ElementsCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    if (m_picture.isEmpty())
        return;
    if (const Pane* pane = paneAt(position))
        m_isDeviceActive = pane->isDevice;
    if (const auto element = elementAt(position))
        m_focus.setElement(*element);
}

void ElementsCanvas::doubleClicked(const QPoint&) {
    emit m_focus.showRequested(QStringLiteral("layout"));
}

void ElementsCanvas::dragged(const QPoint& delta, const QPoint& position) {
    const Pane* pane = paneAt(position - delta);
    if (!pane)
        return;
    const double columns = static_cast<double>(pane->window.columns) / pane->cells.width(),
                 rows = static_cast<double>(pane->window.rows)
        / std::max(1.0, pane->pitch * pane->binRows);
    m_dragRest -= QPointF(delta.x() * columns, delta.y() * rows);
    const auto dc = static_cast<std::int64_t>(m_dragRest.x()),
               dr = static_cast<std::int64_t>(m_dragRest.y());
    if (dc == 0 && dr == 0)
        return;
    m_dragRest -= QPointF(static_cast<double>(dc), static_cast<double>(dr));
    const bool isDevice = pane->isDevice;
    windowOf(isDevice) =
        panned(pane->window, isDevice ? m_picture.device : m_picture.logical, dr, dc);
    invalidate();
}

void ElementsCanvas::dragEnded(const QPoint&) {
    m_dragRest = {};
}

void ElementsCanvas::zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers) {
    const Pane* pane = paneAt(position);
    if (!pane)
        return;
    const double x = (position.x() - pane->cells.left()) / pane->cells.width(),
                 y = (position.y() - pane->cells.top()) / std::max(1.0, pane->cells.height());
    const Window w = pane->window;
    const bool isDevice = pane->isDevice;
    windowOf(isDevice) = divergence::zoomed(w, isDevice ? m_picture.device : m_picture.logical,
        static_cast<double>(w.row) + std::clamp(y, 0.0, 1.0) * static_cast<double>(w.rows),
        static_cast<double>(w.column) + std::clamp(x, 0.0, 1.0) * static_cast<double>(w.columns),
        factor);
    invalidate();
}

void ElementsCanvas::showAll() {
    m_logical = m_device = {};
    invalidate();
}

void ElementsCanvas::showElement() {
    if (m_picture.isEmpty() || !m_focus.element())
        return;
    constexpr std::int64_t kRows = 16, kColumns = 64;
    const auto about = [&](const ElementGrid& grid) {
        const auto place = grid.placeOf(*m_focus.element());
        if (!place)
            return Window();
        Window window;
        window.rows = std::min(kRows, grid.rows());
        window.columns = std::min(kColumns, grid.columns());
        window.row = place->first - window.rows / 2;
        window.column = place->second - window.columns / 2;
        return panned(window, grid, 0, 0);
    };
    m_logical = about(m_picture.logical);
    m_device = about(m_picture.device);
    invalidate();
}

void ElementsCanvas::follow() {
    if (m_picture.isEmpty() || !m_focus.element())
        return;
    const auto keep = [&](const ElementGrid& grid, Window& window) {
        const auto place = grid.placeOf(*m_focus.element());
        if (!place || window.rows == 0)
            return;
        const auto shift = [](std::int64_t at, std::int64_t first, std::int64_t count) {
            return at < first ? at - first : at >= first + count ? at - first - count + 1 : 0;
        };
        window = panned(window, grid, shift(place->first, window.row, window.rows),
            shift(place->second, window.column, window.columns));
    };
    keep(m_picture.logical, m_logical);
    keep(m_picture.device, m_device);
}

void ElementsCanvas::goToWrong(int direction) {
    if (m_picture.isEmpty())
        return;
    const auto& runs = m_picture.at().global.wrong.runs;
    if (runs.empty())
        return;
    const std::int64_t now = m_focus.element().value_or(-1);
    if (direction > 0) {
        for (const auto& run : runs)
            if (run.end > now + 1)
                return m_focus.setElement(std::max(run.begin, now + 1));
        return m_focus.setElement(runs.front().begin);
    }
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        if (run->begin < now)
            return m_focus.setElement(std::min(run->end - 1, now - 1));
    m_focus.setElement(runs.back().end - 1);
}

const ElementGrid& ElementsCanvas::activeGrid() const {
    return m_isDeviceActive && !m_picture.device.isEmpty() ? m_picture.device : m_picture.logical;
}

/// Over cells without an element to the next that has one, in the same direction; along a row on
/// into the next one.
void ElementsCanvas::move(std::int64_t rows, std::int64_t columns) {
    if (m_picture.isEmpty())
        return;
    const ElementGrid& grid = activeGrid();
    const auto place = grid.placeOf(m_focus.element().value_or(0));
    if (!place)
        return;
    auto [row, column] = *place;
    for (int tries = 0; tries < 4096; ++tries) {
        row += rows;
        column += columns;
        if (column < 0 || column >= grid.columns()) {
            row += column < 0 ? -1 : 1;
            column = column < 0 ? grid.columns() - 1 : 0;
        }
        if (row < 0 || row >= grid.rows())
            return;
        if (const std::int64_t flat = grid.at(row, column); flat >= 0)
            return m_focus.setElement(flat);
    }
}

void ElementsCanvas::keyPressEvent(QKeyEvent* event) {
    const auto place = m_picture.isEmpty() || !m_focus.element()
        ? std::nullopt
        : activeGrid().placeOf(*m_focus.element());
    switch (event->key()) {
    case Qt::Key_Right:
        return move(0, 1);
    case Qt::Key_Left:
        return move(0, -1);
    case Qt::Key_Down:
        return move(1, 0);
    case Qt::Key_Up:
        return move(-1, 0);
    case Qt::Key_PageDown:
        return move(10, 0);
    case Qt::Key_PageUp:
        return move(-10, 0);
    case Qt::Key_Home:
        return place ? move(0, -place->second) : void();
    case Qt::Key_End:
        for (std::int64_t c = activeGrid().columns() - 1; place && c >= 0; --c)
            if (const auto flat = activeGrid().at(place->first, c); flat >= 0)
                return m_focus.setElement(flat);
        return;
    case Qt::Key_Period:
        return goToWrong(1);
    case Qt::Key_Comma:
        return goToWrong(-1);
    case Qt::Key_Space:
        return showAll();
    case Qt::Key_F:
        return showElement();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit m_focus.showRequested(QStringLiteral("layout"));
        return;
    default:
        Canvas::keyPressEvent(event);
    }
}

void ElementsCanvas::hovered(const QPoint* position) {
    const auto element = position && !m_picture.isEmpty() ? elementAt(*position) : std::nullopt;
    if (element == m_hovered)
        return;
    m_hovered = element;
    Selection hover;
    if (element && m_picture.at().value.isValid()) {
        if (m_picture.at().node.isValid())
            hover.nodes = {m_picture.at().node};
        hover.value = m_picture.at().value;
        hover.element = layout::unflatten(m_picture.at().shape, *element);
    }
    m_focus.state().setHover(std::move(hover));
    update();
}

CardContent ElementsCanvas::cardAt(const QPoint& position, QRect& mark) const {
    CardContent card;
    const Pane* pane = m_picture.isEmpty() ? nullptr : paneAt(position);
    const auto bin = pane ? pane->binAt(position) : std::nullopt;
    if (!bin)
        return card;
    mark = pane->rect(bin->first, bin->second).toAlignedRect();
    const Bin& cell = pane->bin(bin->first, bin->second);
    const std::int64_t row = pane->firstRow(bin->first), column = pane->firstColumn(bin->second);
    if (cell.element < 0) {
        if (cell.state != Bin::State::Padding)
            return card;
        card.title = tr("padding");
        const layout::Location at = m_picture.device.location(row, column);
        card.lines << tr("%1 %2, %3 %4")
                          .arg(m_picture.words.line)
                          .arg(row)
                          .arg(m_picture.words.lane)
                          .arg(column)
                   << tr("base + %1").arg(formatAddress(at.address()));
        const auto device = static_cast<std::size_t>(row * m_picture.device.columns() + column);
        if (m_picture.lanes && device < m_picture.lanes->values.size())
            card.lines << (device < m_picture.lanes->isWritten.size()
                        && !m_picture.lanes->isWritten[device]
                    ? tr("never written")
                    : tr("holds %1").arg(valueText(m_picture.lanes->values[device])));
        return card;
    }
    card.title = tr("element %1").arg(indexText(m_picture.at().shape, cell.element));
    if (m_picture.contents)
        card.lines << tr("reference %1, device %2")
                          .arg(valueText(m_picture.contents->reference.number(cell.element)),
                              valueText(m_picture.contents->device.number(cell.element)));
    card.lines << (m_picture.isWrong(cell.element) ? tr("wrong") : tr("within tolerance"));
    if (pane->isBinned())
        card.lines << tr("block of %1 × %2 cells, %3 wrong")
                          .arg(pane->firstRow(bin->first + 1) - row)
                          .arg(pane->firstColumn(bin->second + 1) - column)
                          .arg(cell.wrong);
    if (pane->isDevice)
        card.lines << tr("%1 %2, %3 %4")
                          .arg(m_picture.words.line)
                          .arg(row)
                          .arg(m_picture.words.lane)
                          .arg(column);
    if (cell.isUnstable)
        card.lines << tr("differs between repeats: points to a race");
    return card;
}

void ElementsCanvas::fillContextMenu(QMenu& menu, const QPoint& position) {
    if (m_picture.isEmpty())
        return;
    if (const auto element = elementAt(position)) {
        const QString text = indexText(m_picture.at().shape, *element);
        menu.addAction(tr("Copy index %1").arg(text), this,
            [text] { QGuiApplication::clipboard()->setText(text); });
        menu.addAction(tr("Show in Layout"), this, [this, element] {
            m_focus.setElement(*element);
            emit m_focus.showRequested(QStringLiteral("layout"));
        });
    }
    menu.addAction(tr("Next wrong element"), this, [this] { goToWrong(1); });
    menu.addAction(tr("Previous wrong element"), this, [this] { goToWrong(-1); });
    menu.addSeparator();
    menu.addAction(tr("Show all elements"), this, &ElementsCanvas::showAll);
    menu.addAction(tr("Zoom to the chosen element"), this, &ElementsCanvas::showElement);
}

void ElementsCanvas::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_isGeometryValid = false;
}

void ElementsCanvas::changeEvent(QEvent* event) {
    Canvas::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        invalidate();
}

} // namespace fivefold::views::divergence
