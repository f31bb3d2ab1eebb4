// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

class QMenu;

namespace fivefold::views::common {

/// What a table's model answers beside the display text.
enum TableRole {
    kSortRole = Qt::UserRole + 1, ///< what the column sorts by; display text when missing
    kCsvRole, ///< plain value for CSV; display text when missing
    kShareRole, ///< 0..1: a bar 8 px high in front of the text
    kClassRole, ///< int(ir::OpClass): its glyph in front of the text
    kBoundRole, ///< int(lowering::Bound): its glyph in front of the text
    kSeverityRole, ///< int(base::Severity): its glyph in front of the text
    kSelectedRole, ///< of column 0: 0 no, 1 selected, 2 the one clicked
    kHoveredRole, ///< of column 0: bool
    kButtonRole, ///< bool: the text stands on a button
};

constexpr int kTableRow = 20;
constexpr int kTableHeader = 24;

/// Keeps rows of which every word of the filter occurs in some column, whatever the case. Sorts by
/// kSortRole.
class TableProxy final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit TableProxy(QObject* parent);
    void setFilterText(const QString& text);
    QString filterText() const { return m_words.join(u' '); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
};

/// Paints rows in the one look of a selection: the row's colour with a 3 px bar; marks and bars
/// before the text.
class TableDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A list of things that can be selected: rows of 20, sorted by a click on the header (24),
/// filtered by words, copied with Ctrl+C, columns chosen from the header's menu. Keyboard: arrows
/// move and select.
class Table final : public QTableView {
    Q_OBJECT

public:
    /// The model must outlive the table; rows are identified by their source row.
    explicit Table(QAbstractItemModel* model, QWidget* parent = nullptr);

    /// Rows fade while a newer result is computed.
    void setStale(bool isStale);
    bool isStale() const { return m_isStale; }
    void setFilterText(const QString& text);
    int visibleRows() const { return m_proxy->rowCount(); }
    /// Source row shown at a view row; −1 when there is none.
    int sourceRow(int viewRow) const;
    int viewRow(int sourceRow) const;
    /// Scrolls as little as needed; does not select.
    void showSourceRow(int sourceRow);
    /// The current row without a signal, so that arrows go on from it.
    void setCurrentSourceRow(int sourceRow);

    /// Header and rows as shown: visible columns in their order, filtered and sorted.
    QString toCsv() const;
    void copyCell();
    void copyRow();
    QMenu* createColumnMenu(QWidget* parent);
    /// True once the user has chosen columns: from then on nobody else hides any.
    bool areColumnsChosen() const { return m_areColumnsChosen; }
    /// Paints header and as many rows as fit, for exports.
    void paintRows(QPainter& painter, const QSize& size) const;

signals:
    void rowChosen(int sourceRow, Qt::KeyboardModifiers modifiers);
    void rowActivated(int sourceRow); ///< double click or Enter
    void rowHovered(int sourceRow); ///< −1 when the pointer left
    void emptyClicked();
    /// The context menu of a row (−1: none) before it opens: add to it.
    void menuRequested(QMenu* menu, int sourceRow);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    TableProxy* m_proxy = nullptr;
    int m_hoveredRow = -1;
    bool m_areColumnsChosen = false;
    bool m_isStale = false;
};

} // namespace fivefold::views::common
