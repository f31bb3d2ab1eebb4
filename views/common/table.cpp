// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/table.h"

#include "core/base/diagnostics.h"
#include "views/common/canvas.h"
#include "views/common/export.h"
#include "views/common/marks.h"
#include "views/common/type.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <utility>

namespace fivefold::views::common {

namespace {

constexpr int kPadding = 4;
constexpr int kGlyph = 10;
constexpr int kBarHeight = 8;
constexpr int kBarWidth = 32;
constexpr int kSelectedBar = 3;

void paintSeverity(QPainter& painter, const QRectF& rect, base::Severity severity) {
    const Palette& palette = Palette::current();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (severity == base::Severity::Error) {
        painter.setPen(QPen(palette.role("error"), 2));
        painter.drawLine(rect.topLeft() + QPointF(1, 1), rect.bottomRight() - QPointF(1, 1));
        painter.drawLine(rect.topRight() + QPointF(-1, 1), rect.bottomLeft() + QPointF(1, -1));
    } else if (severity == base::Severity::Warning) {
        painter.setBrush(palette.role("warning"));
        const QPointF corners[] = {
            {rect.center().x(), rect.top()}, rect.bottomRight(), rect.bottomLeft()};
        painter.drawPolygon(corners, 3);
    } else {
        painter.setPen(QPen(palette.role("neutral"), 1.5));
        painter.drawEllipse(rect.adjusted(1, 1, -1, -1));
    }
    painter.restore();
}

/// Paints the mark of a cell, if it has one; returns the width it took.
int paintMark(QPainter& painter, const QRect& cell, const QModelIndex& index) {
    const QRectF glyph(
        cell.left() + kPadding, cell.center().y() - kGlyph / 2.0 + 0.5, kGlyph, kGlyph);
    const Palette& palette = Palette::current();
    if (const QVariant value = index.data(kShareRole); value.isValid()) {
        const QRectF track(cell.left() + kPadding, cell.center().y() - kBarHeight / 2.0 + 0.5,
            kBarWidth, kBarHeight);
        painter.fillRect(track, palette.role("neutralSoft"));
        const double share = qBound(0.0, value.toDouble(), 1.0);
        painter.fillRect(QRectF(track.topLeft(), QSizeF(kBarWidth * share, kBarHeight)),
            palette.role("neutral"));
        return kBarWidth + 4;
    }
    if (const QVariant value = index.data(kClassRole); value.isValid()) {
        const auto opClass = static_cast<ir::OpClass>(value.toInt());
        paintClassGlyph(painter, glyph, opClass, palette.operatorClass(opClass));
        return kGlyph + 4;
    }
    if (const QVariant value = index.data(kBoundRole); value.isValid()) {
        const auto bound = static_cast<lowering::Bound>(value.toInt());
        paintBoundGlyph(painter, glyph.adjusted(0.5, 0.5, -0.5, -0.5), bound, palette.bound(bound));
        return kGlyph + 4;
    }
    if (const QVariant value = index.data(kSeverityRole); value.isValid()) {
        paintSeverity(painter, glyph, static_cast<base::Severity>(value.toInt()));
        return kGlyph + 4;
    }
    return 0;
}

/// A button of the cell's size with the text's pen.
void paintButton(QPainter& painter, const QRect& cell) {
    const Palette& palette = Palette::current();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette.role("border"));
    painter.setBrush(palette.role("button"));
    painter.drawRoundedRect(QRectF(cell).adjusted(3.5, 1.5, -3.5, -2.5), 2, 2);
    painter.restore();
}

void paintCell(
    QPainter& painter, const QRect& cell, const QModelIndex& index, bool isFirst, bool isCurrent) {
    const Palette& palette = Palette::current();
    const QModelIndex head = index.siblingAtColumn(0);
    const int selected = head.data(kSelectedRole).toInt();
    painter.fillRect(cell, selected > 0 ? palette.selection("row") : palette.role("base"));
    if (selected > 0 && isFirst)
        painter.fillRect(
            QRect(cell.topLeft(), QSize(kSelectedBar, cell.height())), palette.selection("ring"));
    if (head.data(kHoveredRole).toBool()) {
        painter.setPen(palette.selection("hover"));
        painter.drawLine(cell.topLeft(), cell.topRight());
        painter.drawLine(cell.bottomLeft(), cell.bottomRight());
    }
    const int mark = paintMark(painter, cell, index);
    QFont font = selected == 2 ? boldFont() : bodyFont();
    painter.setFont(font);
    const QVariant foreground = index.data(Qt::ForegroundRole);
    painter.setPen(foreground.isValid() ? foreground.value<QColor>() : palette.role("text"));
    const QRect room = cell.adjusted(kPadding + mark, 0, -kPadding, 0);
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    const int flags =
        alignment.isValid() ? alignment.toInt() : int(Qt::AlignLeft | Qt::AlignVCenter);
    const QString text = index.data(Qt::DisplayRole).toString();
    if (index.data(kButtonRole).toBool())
        paintButton(painter, cell);
    painter.drawText(room, flags | Qt::TextSingleLine,
        QFontMetrics(font).elidedText(
            text, index.column() <= 1 ? Qt::ElideMiddle : Qt::ElideRight, room.width()));
    if (isCurrent) {
        painter.setPen(palette.role("highlight"));
        painter.drawLine(cell.topLeft(), cell.topRight());
        painter.drawLine(cell.bottomLeft(), cell.bottomRight());
    }
}

} // namespace

TableProxy::TableProxy(QObject* parent)
    : QSortFilterProxyModel(parent) {
    setDynamicSortFilter(true);
}

void TableProxy::setFilterText(const QString& text) {
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool TableProxy::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const int columns = sourceModel()->columnCount(parent);
    for (const auto& word : m_words) {
        bool isFound = false;
        for (int column = 0; column < columns && !isFound; ++column)
            isFound = sourceModel()
                          ->index(row, column, parent)
                          .data()
                          .toString()
                          .contains(word, Qt::CaseInsensitive);
        if (!isFound)
            return false;
    }
    return true;
}

bool TableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(kSortRole);
    const QVariant b = right.data(kSortRole);
    if (a.isValid() && b.isValid() && a.typeId() == QMetaType::Double)
        return a.toDouble() < b.toDouble();
    const QString textA = (a.isValid() ? a : left.data()).toString();
    const QString textB = (b.isValid() ? b : right.data()).toString();
    return QString::compare(textA, textB, Qt::CaseInsensitive) < 0;
}

void TableDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    const auto* table = qobject_cast<const Table*>(option.widget);
    if (table && table->isStale())
        painter->setOpacity(Canvas::kStaleOpacity);
    const bool isFirst = table && table->horizontalHeader()->visualIndex(index.column()) == 0;
    const bool isCurrent = table && table->hasFocus() && table->currentIndex().row() == index.row();
    paintCell(*painter, option.rect, index, isFirst, isCurrent);
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    int width = textWidth(boldFont(), index.data().toString()) + 2 * kPadding + 2;
    if (index.data(kShareRole).isValid())
        width += kBarWidth + 4;
    else if (index.data(kClassRole).isValid() || index.data(kBoundRole).isValid()
        || index.data(kSeverityRole).isValid())
        width += kGlyph + 4;
    return {width, kTableRow};
}

Table::Table(QAbstractItemModel* model, QWidget* parent)
    : QTableView(parent)
    , m_proxy(new TableProxy(this)) {
    m_proxy->setSourceModel(model);
    setModel(m_proxy);
    setItemDelegate(new TableDelegate(this));
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setSortingEnabled(true);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize(std::max(kTableRow, lineHeight(bodyFont()) + 4));
    auto* header = horizontalHeader();
    header->setFixedHeight(std::max(kTableHeader, lineHeight(bodyFont()) + 8));
    header->setSectionsMovable(true);
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(
        header, &QHeaderView::customContextMenuRequested, this, [this, header](const QPoint& at) {
            QMenu* menu = createColumnMenu(this);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->popup(header->mapToGlobal(at));
        });
}

void Table::setStale(bool isStale) {
    if (std::exchange(m_isStale, isStale) != isStale)
        viewport()->update();
}

void Table::setFilterText(const QString& text) {
    m_proxy->setFilterText(text);
}

int Table::sourceRow(int viewRow) const {
    const QModelIndex index = m_proxy->index(viewRow, 0);
    return index.isValid() ? m_proxy->mapToSource(index).row() : -1;
}

int Table::viewRow(int sourceRow) const {
    const QModelIndex index = m_proxy->mapFromSource(m_proxy->sourceModel()->index(sourceRow, 0));
    return index.isValid() ? index.row() : -1;
}

void Table::showSourceRow(int sourceRow) {
    const int row = viewRow(sourceRow);
    if (row >= 0)
        scrollTo(m_proxy->index(row, std::max(0, currentIndex().column())),
            QAbstractItemView::EnsureVisible);
}

void Table::setCurrentSourceRow(int sourceRow) {
    const int row = viewRow(sourceRow);
    const QSignalBlocker blocker(selectionModel());
    setCurrentIndex(
        row >= 0 ? m_proxy->index(row, std::max(0, currentIndex().column())) : QModelIndex());
    viewport()->update();
}

QString Table::toCsv() const {
    const auto* header = horizontalHeader();
    QVector<int> columns;
    for (int visual = 0; visual < header->count(); ++visual)
        if (const int logical = header->logicalIndex(visual); !isColumnHidden(logical))
            columns << logical;
    QStringList names;
    for (const int column : columns)
        names << m_proxy->headerData(column, Qt::Horizontal).toString();
    QVector<QStringList> rows;
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        QStringList fields;
        for (const int column : columns) {
            const QModelIndex index = m_proxy->index(row, column);
            const QVariant plain = index.data(kCsvRole);
            fields << (plain.isValid() ? plain : index.data()).toString();
        }
        rows << fields;
    }
    return csvTable(names, rows);
}

void Table::copyCell() {
    if (currentIndex().isValid())
        QApplication::clipboard()->setText(currentIndex().data().toString());
}

void Table::copyRow() {
    if (!currentIndex().isValid())
        return;
    QStringList fields;
    for (int column = 0; column < m_proxy->columnCount(); ++column)
        if (!isColumnHidden(column))
            fields << currentIndex().siblingAtColumn(column).data().toString();
    QApplication::clipboard()->setText(fields.join(u'\t'));
}

QMenu* Table::createColumnMenu(QWidget* parent) {
    auto* menu = new QMenu(parent);
    for (int column = 1; column < m_proxy->columnCount(); ++column) {
        QAction* action = menu->addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool isShown) {
            m_areColumnsChosen = true;
            setColumnHidden(column, !isShown);
        });
    }
    return menu;
}

void Table::paintRows(QPainter& painter, const QSize& size) const {
    const Palette& palette = Palette::current();
    const auto* header = horizontalHeader();
    painter.fillRect(QRect(QPoint(0, 0), size), palette.role("base"));
    painter.fillRect(QRect(0, 0, size.width(), kTableHeader), palette.role("titleBar"));
    int x = 0;
    for (int visual = 0; visual < header->count() && x < size.width(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (isColumnHidden(column))
            continue;
        const int width = std::min(columnWidth(column), size.width() - x);
        painter.setFont(bodyFont());
        painter.setPen(palette.role("text"));
        const QVariant alignment =
            m_proxy->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        painter.drawText(QRect(x + kPadding, 0, width - 2 * kPadding, kTableHeader),
            (alignment.isValid() ? alignment.toInt() : int(Qt::AlignLeft | Qt::AlignVCenter))
                | Qt::TextSingleLine,
            m_proxy->headerData(column, Qt::Horizontal).toString());
        for (int row = 0; row < m_proxy->rowCount(); ++row) {
            const QRect cell(x, kTableHeader + row * kTableRow, width, kTableRow);
            if (cell.top() >= size.height())
                break;
            paintCell(painter, cell, m_proxy->index(row, column), visual == 0, false);
        }
        x += width;
    }
}

void Table::mousePressEvent(QMouseEvent* event) {
    QTableView::mousePressEvent(event);
    if (event->button() != Qt::LeftButton)
        return;
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid())
        emit rowChosen(sourceRow(index.row()), event->modifiers());
    else
        emit emptyClicked();
}

void Table::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    const int row = index.isValid() ? sourceRow(index.row()) : -1;
    if (row != m_hoveredRow) {
        m_hoveredRow = row;
        emit rowHovered(row);
    }
}

void Table::mouseDoubleClickEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.isValid())
        emit rowActivated(sourceRow(index.row()));
}

void Table::leaveEvent(QEvent* event) {
    QTableView::leaveEvent(event);
    if (m_hoveredRow >= 0) {
        m_hoveredRow = -1;
        emit rowHovered(-1);
    }
}

void Table::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copyCell();
        return;
    }
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && currentIndex().isValid()) {
        emit rowActivated(sourceRow(currentIndex().row()));
        return;
    }
    const QModelIndex before = currentIndex();
    QTableView::keyPressEvent(event);
    if (currentIndex().isValid() && currentIndex().row() != before.row())
        emit rowChosen(sourceRow(currentIndex().row()), Qt::NoModifier);
}

void Table::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    if (index.isValid())
        setCurrentIndex(index);
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, &Table::copyCell)->setEnabled(currentIndex().isValid());
    menu.addAction(tr("Copy row"), this, &Table::copyRow)->setEnabled(currentIndex().isValid());
    QMenu* columns = createColumnMenu(&menu);
    columns->setTitle(tr("Columns"));
    menu.addMenu(columns);
    emit menuRequested(&menu, index.isValid() ? sourceRow(index.row()) : -1);
    menu.exec(event->globalPos());
}

} // namespace fivefold::views::common
