// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/panel_wiring.h"

#include "app/gui/play_controller.h"
#include "app/gui/session.h"
#include "views/common/panel.h"
#include "views/layout/layout_panel.h"

namespace fivefold::app {

using views::common::Panel;
using views::layout::LayoutPanel;

void connectRequests(const std::vector<Panel*>& panels, Session& session) {
    connectPlay(panels, session.state(), &session);
    for (Panel* panel : panels) {
        QObject::connect(panel, &Panel::fusionEditRequested, &session,
            [panel, &session](const QString& text, const lowering::FusionEdit& edit) {
                if (const auto result = panel->state().result())
                    session.editFusion(result->machine().family, text, edit);
            });
        QObject::connect(panel, &Panel::remedyRequested, &session, &Session::applyRemedy);
        if (auto* layout = qobject_cast<LayoutPanel*>(panel))
            QObject::connect(layout, &LayoutPanel::bindRequested, &session,
                [&session](const QString& symbol, qlonglong size) { session.bind(symbol, size); });
    }
}

} // namespace fivefold::app
