// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/panel.h"

namespace fivefold::views::common {

Panel::Panel(ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state) { }

void Panel::refreshSentence() {
    const QString text = sentence();
    setAccessibleName(text);
    emit sentenceChanged(text);
}

} // namespace fivefold::views::common
