// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/search_field.h"

#include "views/common/icons.h"
#include "views/graph/search.h"

#include <QAction>
#include <QKeyEvent>

namespace fivefold::app {

SearchField::SearchField(views::common::ViewState& state, QWidget* parent)
    : QLineEdit(parent)
    , m_state(state) {
    setPlaceholderText(tr("Find name, operator, shape …  Ctrl+F"));
    setClearButtonEnabled(true);
    setAccessibleName(tr("Find"));
    setToolTip(tr(
        "Find by name, operator, shape (12x128) or pattern (MatMul → * → Softmax; -> works too)"));
    addAction(views::common::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    connect(this, &QLineEdit::textEdited, this, &SearchField::search);
    connect(&state, &views::common::ViewState::resultChanged, this, [this](bool isOtherModel) {
        if (isOtherModel)
            search();
    });
}

void SearchField::search() {
    m_matches.clear();
    m_at = -1;
    const auto result = m_state.result();
    if (result && !text().trimmed().isEmpty())
        m_matches = views::graph::findNodes(*result, text());
    if (text().trimmed().isEmpty())
        emit statusChanged({});
    else if (m_matches.empty())
        emit statusChanged(tr("no match for “%1”").arg(text()));
    else
        step(+1);
}

void SearchField::step(int direction) {
    if (m_matches.empty())
        return;
    const auto count = static_cast<qsizetype>(m_matches.size());
    m_at = m_at < 0 ? (direction > 0 ? 0 : count - 1) : (m_at + direction + count) % count;
    m_state.selectNode(m_matches[static_cast<std::size_t>(m_at)]);
    emit statusChanged(tr("match %1 of %2").arg(m_at + 1).arg(count));
}

void SearchField::findNext() {
    step(+1);
}
void SearchField::findPrevious() {
    step(-1);
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Down:
        step(event->modifiers() & Qt::ShiftModifier ? -1 : +1);
        return;
    case Qt::Key_Up:
        step(-1);
        return;
    case Qt::Key_Escape:
        clear();
        search();
        clearFocus();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

} // namespace fivefold::app
