// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/implementation/implementation_panel.h"

#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/implementation/implementation_canvas.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace fivefold::views::implementation {

using namespace common;

namespace {

constexpr int kCompactFrom = 170; ///< lower panels have no header

} // namespace

ImplementationPanel::ImplementationPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_frame->keepHeaderFrom(kCompactFrom);
    m_canvas = new ImplementationCanvas(state, this);
    createActions();
    m_frame->setCanvas(m_canvas);
    fitHeader(m_frame->header(), {}, width());
    connect(m_canvas, &ImplementationCanvas::pictureChanged, this, &ImplementationPanel::updateAll);
    connect(&state, &ViewState::resultChanged, m_canvas, &ImplementationCanvas::updatePicture);
    connect(&state, &ViewState::selectionChanged, m_canvas, &ImplementationCanvas::updatePicture);
    updateAll();
}

void ImplementationPanel::createActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_canvas->addAction(action);
        connect(action, &QAction::triggered, this, slot);
        auto* button = new QPushButton(text, this);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, button, [action, button] {
            button->setEnabled(action->isEnabled());
            button->setToolTip(action->toolTip());
        });
        m_frame->header()->addWidget(button);
        m_actions << action;
        return action;
    };
    add(tr("Swap A and B"), Qt::Key_S, [this] { m_canvas->swapSides(); });
    add(tr("Start again"), Qt::Key_0, [this] { m_canvas->resetSides(); });
    m_use = add(tr("Use B in the model"), Qt::Key_U, [this] { useInModel(); });
    m_frame->header()->addStretch(1);
}

QString ImplementationPanel::sentence() const {
    return implementation::sentence(m_canvas->picture());
}

void ImplementationPanel::useInModel() {
    const Picture& picture = m_canvas->picture();
    const auto result = state().result();
    if (picture.isEmpty() || !result)
        return;
    analysis::Remedy remedy;
    auto& values = remedy.implementations[result->graph().nodes[picture.node].name];
    for (const ChoiceRow& row : picture.choices)
        if (row.isApplied)
            values[row.key] = m_canvas->chosen().values[index(Side::B)].at(row.key);
    if (!values.empty())
        emit remedyRequested(tr("%1 as in B").arg(picture.title), remedy);
}

void ImplementationPanel::updateAll() {
    const Picture& picture = m_canvas->picture();
    const bool isApplied = std::any_of(picture.choices.begin(), picture.choices.end(),
        [](const ChoiceRow& row) { return row.isApplied && row.chosen[0] != row.chosen[1]; });
    const bool fits = picture.misfit[index(Side::B)].isEmpty();
    m_use->setEnabled(!picture.isEmpty() && isApplied && fits);
    m_use->setToolTip(isApplied
            ? tr("Lower the whole model with side B; undo takes it back")
            : tr("The compiler of this machine takes no such choice for one operator; it is only "
                 "priced here"));
    if (picture.isEmpty())
        m_frame->showEmpty(picture.reason);
    else
        m_frame->showCanvas();
    m_frame->setLegend(legend(picture), tr("bold: not the compiler's choice"));
    refreshSentence();
}

void ImplementationPanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    m_canvas->paintContent(painter, canvas);
    const QRectF row(0, canvas.height(), size.width(), kLegendHeight);
    painter.fillRect(row, Palette::current().role("canvas"));
    const Picture& picture = m_canvas->picture();
    if (!picture.isEmpty()) {
        paintLegend(painter, row, legend(picture), tr("bold: not the compiler's choice"));
        return;
    }
    painter.setPen(Palette::current().role("textSecondary"));
    painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
        Qt::AlignCenter | Qt::TextWordWrap, picture.reason);
}

QString ImplementationPanel::toCsv() const {
    return implementation::csv(m_canvas->picture());
}

} // namespace fivefold::views::implementation
