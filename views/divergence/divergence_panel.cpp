// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/divergence_panel.h"

#include "views/common/palette.h"
#include "views/common/type.h"

#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace fivefold::views::divergence {

using namespace common;

namespace {

constexpr QSize kSplitFrom(760, 470); ///< smaller ones show a part at a time
constexpr int kFlatFrom = 300; ///< below this height the banner has two lines
constexpr int kTitle = 24;

} // namespace

DivergencePanel::DivergencePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent)
    , m_focus(Focus::of(state)) {
    m_banner = new BannerPanel(state, this, Place::Inside);
    m_layers = new LayersPanel(state, this, Place::Inside);
    m_ladder = new LadderPanel(state, this, Place::Inside);
    m_elements = new ElementsPanel(state, this, Place::Inside);
    m_element = new ElementPanel(state, this, Place::Inside);
    for (Panel* part : std::initializer_list<Panel*>{m_layers, m_ladder, m_elements, m_element})
        m_boxes << titled(part);
    m_tabs = new QTabBar(this);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    for (Panel* part : std::initializer_list<Panel*>{m_layers, m_ladder, m_elements, m_element})
        m_tabs->addTab(part->title());
    m_stack = new QStackedWidget(this);
    m_rows = new QSplitter(Qt::Vertical, this);
    m_upper = new QSplitter(Qt::Horizontal, m_rows);
    m_lower = new QSplitter(Qt::Horizontal, m_rows);
    for (QSplitter* splitter : {m_rows, m_upper, m_lower}) {
        splitter->setHandleWidth(4);
        splitter->setChildrenCollapsible(false);
    }
    m_rows->addWidget(m_upper);
    m_rows->addWidget(m_lower);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->setSizeConstraint(QLayout::SetNoConstraint); // a small dock gets tabs
    layout->addWidget(m_banner);
    layout->addWidget(m_tabs);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_rows, 1);
    m_empty = new EmptyLabel(m_focus, this);
    setFocusProxy(&m_layers->canvas());
    m_actions = makeActions(m_focus, *this, Place::Dock);
    m_actions << m_elements->panelActions().mid(m_actions.size());
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    relay();
    connect(&m_focus, &Focus::changed, this, [this] {
        updateEmpty();
        refreshSentence();
    });
    connect(m_layers, &Panel::twinChanged, this, &Panel::twinChanged);
    arrange();
    updateEmpty();
    refreshSentence();
}

/// A part under a strip with its title, as a dock has it.
QWidget* DivergencePanel::titled(Panel* part) {
    auto* box = new QWidget(this);
    box->setMinimumSize(220, 120);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* title = new QLabel(part->title(), box);
    title->setFixedHeight(kTitle);
    title->setMargin(0);
    title->setIndent(kPanelPadding);
    title->setFont(boldFont());
    title->setAutoFillBackground(true);
    title->setBackgroundRole(QPalette::Window);
    layout->addWidget(title);
    layout->addWidget(part, 1);
    m_titles << title;
    return box;
}

void DivergencePanel::relay() {
    connect(&m_focus, &Focus::openDumpRequested, this, &DivergencePanel::openDumpRequested);
    connect(&m_focus, &Focus::compareComputedRequested, this,
        &DivergencePanel::compareComputedRequested);
    connect(&m_focus, &Focus::faultLabRequested, this, &DivergencePanel::faultLabRequested);
    connect(&m_focus, &Focus::evidenceRequested, this, &DivergencePanel::evidenceRequested);
    connect(&m_focus, &Focus::reduceRequested, this, &DivergencePanel::reduceRequested);
    connect(
        &m_focus, &Focus::captureScriptRequested, this, &DivergencePanel::captureScriptRequested);
    connect(&m_focus, &Focus::plantRequested, this, &DivergencePanel::plantRequested);
    connect(&m_focus, &Focus::matchingRequested, this, &DivergencePanel::matchingRequested);
    connect(&m_focus, &Focus::showRequested, this, [this](const QString& id) {
        if (id == m_elements->id() && isVisible())
            showPart(Part::Elements);
        else
            emit showRequested(id);
    });
}

void DivergencePanel::showPart(Part part) {
    m_tabs->setCurrentIndex(static_cast<int>(part));
    const std::array<Panel*, 4> parts{m_layers, m_ladder, m_elements, m_element};
    parts[static_cast<std::size_t>(part)]->setFocus();
}

/// Side by side where there is room, else by tabs.
void DivergencePanel::arrange() {
    const bool isTabbed = width() < kSplitFrom.width() || height() < kSplitFrom.height();
    const int banner = height() < kFlatFrom ? kFlatBannerHeight : kBannerHeight;
    if (m_banner->height() != banner || !m_isArranged)
        m_banner->setFixedHeight(banner);
    if (m_isArranged && isTabbed == m_isTabbed)
        return;
    m_isTabbed = isTabbed;
    m_isArranged = true;
    for (QWidget* title : std::as_const(m_titles))
        title->setVisible(!isTabbed);
    if (isTabbed) {
        const int current = std::max(0, m_tabs->currentIndex());
        for (QWidget* box : std::as_const(m_boxes))
            m_stack->addWidget(box);
        m_stack->setCurrentIndex(current);
    } else {
        m_upper->addWidget(m_boxes[0]);
        m_upper->addWidget(m_boxes[1]);
        m_lower->addWidget(m_boxes[2]);
        m_lower->addWidget(m_boxes[3]);
        for (QWidget* box : std::as_const(m_boxes))
            box->show();
        m_upper->setSizes({480, 620});
        m_lower->setSizes({720, 320});
        m_rows->setSizes({560, 360});
        m_rows->setStretchFactor(0, 3);
        m_rows->setStretchFactor(1, 2);
        m_lower->setStretchFactor(0, 1);
        m_lower->setStretchFactor(1, 0);
    }
    m_tabs->setVisible(isTabbed);
    m_stack->setVisible(isTabbed);
    m_rows->setVisible(!isTabbed);
}

void DivergencePanel::updateEmpty() {
    m_empty->setGeometry(rect());
    m_empty->setVisible(!m_focus.divergence());
    m_empty->raise();
}

void DivergencePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    arrange();
    updateEmpty();
}

/// The parts at the places of the Debug layout.
void DivergencePanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (!m_focus.divergence()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter, sentence());
        return;
    }
    const auto place = [&](Panel& part, const QRect& rect, bool isTitled) {
        painter.save();
        painter.setClipRect(rect);
        painter.translate(rect.topLeft());
        const int title = isTitled ? kTitle : 0;
        if (isTitled) {
            painter.fillRect(QRect(0, 0, rect.width(), title), Palette::current().role("titleBar"));
            painter.setFont(boldFont());
            painter.setPen(Palette::current().role("text"));
            painter.drawText(QRect(8, 0, rect.width() - 16, title),
                Qt::AlignVCenter | Qt::AlignLeft, part.title());
        }
        painter.translate(0, title);
        part.paintContent(painter, QSize(rect.width(), rect.height() - title));
        painter.restore();
    };
    const int upper = kBannerHeight + (size.height() - kBannerHeight) * 3 / 5;
    const int left = size.width() * 43 / 100, right = size.width() * 71 / 100;
    place(*m_banner, QRect(0, 0, size.width(), kBannerHeight), false);
    place(*m_layers, QRect(0, kBannerHeight, left, upper - kBannerHeight), true);
    place(*m_ladder, QRect(left + 4, kBannerHeight, size.width() - left - 4, upper - kBannerHeight),
        true);
    place(*m_elements, QRect(0, upper + 4, right, size.height() - upper - 4), true);
    place(*m_element,
        QRect(right + 4, upper + 4, size.width() - right - 4, size.height() - upper - 4), true);
}

std::vector<Panel*> createParts(ViewState& state, QWidget* parent) {
    return {new BannerPanel(state, parent), new LayersPanel(state, parent),
        new LadderPanel(state, parent), new ElementsPanel(state, parent),
        new ElementPanel(state, parent)};
}

} // namespace fivefold::views::divergence
