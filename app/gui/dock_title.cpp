// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/dock_title.h"

#include "views/common/palette.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

namespace fivefold::app {

using views::common::Palette;

namespace {

constexpr int kHeight = 24;
constexpr int kBusyBar = 3;

QToolButton* titleButton(QWidget* parent, QStyle::StandardPixmap icon, const QString& text) {
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setIcon(parent->style()->standardIcon(icon));
    button->setIconSize({12, 12});
    button->setFixedSize(22, 22);
    button->setToolTip(text);
    button->setAccessibleName(text);
    return button;
}

} // namespace

DockTitle::DockTitle(QDockWidget& dock)
    : QWidget(&dock)
    , m_dock(dock) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 2, 0);
    row->setSpacing(0);
    row->addStretch();
    auto* floating =
        titleButton(this, QStyle::SP_TitleBarNormalButton, tr("Detach %1").arg(dock.windowTitle()));
    connect(
        floating, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    auto* close =
        titleButton(this, QStyle::SP_TitleBarCloseButton, tr("Close %1").arg(dock.windowTitle()));
    connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
    row->addWidget(floating);
    row->addWidget(close);
}

void DockTitle::setBusy(bool isBusy) {
    m_isBusy = isBusy;
    update();
}

QSize DockTitle::sizeHint() const {
    return {120, kHeight};
}
QSize DockTitle::minimumSizeHint() const {
    return {60, kHeight};
}

void DockTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& colors = Palette::current();
    painter.fillRect(rect(), colors.role("titleBar"));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(colors.role("text"));
    const QRect text = rect().adjusted(8, 0, -50, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(bold).elidedText(m_dock.windowTitle(), Qt::ElideRight, text.width()));
    if (m_isBusy)
        painter.fillRect(
            QRect(0, height() - kBusyBar, width(), kBusyBar), colors.role("highlight"));
}

} // namespace fivefold::app
