// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/curve_pane.h"

#include "views/common/format.h"
#include "views/common/type.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace fivefold::views::layout {

using namespace common;

namespace {
constexpr int kRowHeight = 32;
constexpr int kCurvesHeight = 5 * (64 + 8) + 40; ///< 64 a curve, axis and head
} // namespace

CurvePane::CurvePane(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_canvas(new CurveCanvas(state, this))
    , m_title(new QLabel(this))
    , m_hint(new QLabel(tr("drag the line or an extent; a click binds"), this))
    , m_bind(new QPushButton(this))
    , m_back(new QPushButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* line = new QWidget(this);
    line->setFixedHeight(kRowHeight);
    line->setMinimumWidth(1);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(8, 4, 8, 4);
    m_title->setFont(boldFont());
    m_hint->setFont(smallFont());
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_title);
    row->addSpacing(12);
    row->addWidget(m_hint);
    row->addStretch(1);
    row->addWidget(m_bind);
    row->addWidget(m_back);
    layout->addWidget(line);
    layout->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    connect(m_canvas, &CurveCanvas::triedChanged, this, &CurvePane::updateRow);
    connect(m_bind, &QPushButton::clicked, this, [this] {
        const auto& next = m_canvas->picture().next;
        if (next) {
            m_canvas->setTried(next->size);
            m_canvas->bind();
        }
    });
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_canvas->setTried(m_canvas->picture().size);
        m_canvas->bind();
    });
}

int CurvePane::wantedHeight() {
    return kRowHeight + kCurvesHeight;
}

void CurvePane::setPicture(const CurvePicture& picture, std::int64_t bound) {
    m_canvas->setPicture(picture, bound);
    updateRow();
}

void CurvePane::updateRow() {
    const CurvePicture& picture = m_canvas->picture();
    const bool isThere = !picture.isEmpty();
    m_title->setText(isThere ? tr("Padding over d%1 of %2").arg(picture.dimension).arg(picture.name)
                             : tr("Padding"));
    const bool hasNext = isThere && picture.next && picture.next->size != m_canvas->tried();
    m_title->setFixedWidth(textWidth(boldFont(), m_title->text()) + 6);
    m_bind->setVisible(hasNext);
    if (hasNext) {
        const QString size = formatCount(picture.next->size);
        m_bind->setText(picture.next->isFreeOnAll()
                ? tr("Bind %1: free on all five").arg(size)
                : tr("Bind %1: free on %2 of 5").arg(size).arg(5 - picture.next->padded.size()));
        m_bind->setToolTip(nextText(picture));
    }
    m_back->setVisible(isThere && m_canvas->tried() != picture.size);
    if (isThere)
        m_back->setText(tr("Back to %1").arg(formatCount(picture.size)));
    // The words give way to the buttons.
    const int buttons = (hasNext ? m_bind->sizeHint().width() + 6 : 0)
        + (m_back->isVisibleTo(this) ? m_back->sizeHint().width() + 6 : 0) + 16;
    m_title->setVisible(width() - buttons >= m_title->minimumWidth());
    m_hint->setVisible(
        width() - buttons >= m_title->minimumWidth() + m_hint->sizeHint().width() + 40);
}

void CurvePane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateRow();
}

} // namespace fivefold::views::layout
