// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/inspector/inspector_panel.h"

#include "views/common/export.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/inspector/inspector_canvas.h"

#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

namespace fivefold::views::inspector {

using namespace common;

InspectorPanel::InspectorPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setBackgroundRole(QPalette::Base);
    m_scroll->viewport()->setAutoFillBackground(true);
    m_canvas = new InspectorCanvas(state, this);
    m_scroll->setWidget(m_canvas);
    m_frame->setCanvas(m_scroll);
    setFocusProxy(m_canvas);
    connect(&state, &ViewState::resultChanged, this, &InspectorPanel::refresh);
    connect(&state, &ViewState::selectionChanged, this, &InspectorPanel::refresh);
    connect(&state, &ViewState::staleChanged, m_canvas, &InspectorCanvas::setStale);
    connect(m_canvas, &InspectorCanvas::lineReached, this, [this](const QRect& row) {
        m_scroll->ensureVisible(0, row.center().y(), 0, row.height());
    });
    refresh();
}

QString InspectorPanel::sentence() const {
    return inspector::sentence(state());
}

void InspectorPanel::refresh() {
    m_canvas->refresh();
    m_scroll->verticalScrollBar()->setValue(0);
    if (m_canvas->lines().empty())
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    m_canvas->setSentence(sentence());
    refreshSentence();
}

void InspectorPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    const Lines lines = present(state());
    paintLines(painter, lines, place(lines, size.width()), QRectF(QPointF(0, 0), size));
}

QString InspectorPanel::toCsv() const {
    if (m_canvas->lines().empty())
        return {};
    QVector<QStringList> rows;
    for (const auto& line : m_canvas->lines())
        if (line.kind != LineKind::Rule)
            rows << QStringList{
                line.label, line.kind == LineKind::Gap ? line.toolTip : line.text, line.note};
    return csvTable(
        {QStringLiteral("label"), QStringLiteral("value"), QStringLiteral("note")}, rows);
}

} // namespace fivefold::views::inspector
