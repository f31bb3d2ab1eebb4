// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/gap_block.h"

#include "views/common/gap_bar.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/common/table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QShortcut>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace fivefold::views::roofline {

using namespace common;

namespace {

constexpr int kTableRows = 5; ///< that are seen without scrolling
constexpr int kTitle = 24;

} // namespace

GapBlock::GapBlock(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(kGapHeight);
    setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelPadding, kPanelPadding, kPanelPadding, kPanelPadding);
    layout->setSpacing(4);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(4);
    m_buttons->addStretch(1);
    m_charge = new QComboBox(this);
    m_charge->addItems({tr("relayouts to their cause"), tr("relayouts to themselves")});
    m_charge->setToolTip(
        tr("Whose cap and gap bar a relayout counts in: those of the operator that "
           "asked for it, or its own."));
    m_charge->setAccessibleName(tr("Charge relayouts"));
    m_buttons->addWidget(m_charge);
    layout->addLayout(m_buttons);
    m_table = new QTableWidget(0, 3, this);
    m_table->setHorizontalHeaderLabels({tr("Part"), tr("Time"), tr("Share")});
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const int column : {1, 2})
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kTableRow);
    m_table->horizontalHeader()->setFixedHeight(kTableHeader);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAccessibleName(tr("Where the gap goes"));
    auto* copy = new QAction(tr("Copy rows"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &GapBlock::copyRows);
    m_table->addAction(copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->hide();
    layout->addWidget(m_table, 1);
    layout->addStretch(0);
}

void GapBlock::addButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFixedHeight(kTitle);
    button->setFocusPolicy(Qt::TabFocus);
    m_buttons->addWidget(button);
}

void GapBlock::setContent(GapContent content) {
    m_content = std::move(content);
    setAccessibleName(m_content.why.isEmpty()
            ? tr("Where the gap of %1 goes: %2").arg(m_content.subject, gapText(m_content.gap))
            : m_content.why);
    setToolTip(m_content.why.isEmpty() ? gapText(m_content.gap) : QString());
    const auto rows = gapRows(m_content);
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row)
        for (int column = 0; column < 3; ++column) {
            auto* item = new QTableWidgetItem(rows[row][column]); // owned by the table
            item->setTextAlignment(
                (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    update();
}

void GapBlock::setTable(bool isOn) {
    m_isTable = isOn;
    m_table->setVisible(isOn);
    setFixedHeight(
        isOn ? kTitle + 2 * kPanelPadding + kTableHeader + kTableRows * kTableRow + 4 : kGapHeight);
    update();
}

void GapBlock::copyRows() {
    QStringList lines;
    const auto rows = gapRows(m_content);
    const auto chosen = m_table->selectionModel()->selectedRows();
    for (int row = 0; row < rows.size(); ++row)
        if (chosen.isEmpty()
            || std::any_of(chosen.begin(), chosen.end(),
                [&](const QModelIndex& index) { return index.row() == row; }))
            lines << rows[row].join(u'\t');
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

void GapBlock::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Palette::current().role("canvas"));
    const double controls = m_buttons->minimumSize().width();
    if (m_isTable)
        paintGapTitle(painter, rect(), m_content, controls);
    else
        paintGap(painter, rect(), m_content, controls);
}

bool GapBlock::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
    return QWidget::event(event);
}

} // namespace fivefold::views::roofline
