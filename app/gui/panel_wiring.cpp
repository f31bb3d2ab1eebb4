// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/panel_wiring.h"

#include "app/gui/session.h"
#include "views/common/panel.h"
#include "views/layout/layout_panel.h"

namespace fivefold::app {

using views::common::Panel;
using views::layout::LayoutPanel;

void connectRequests(const std::vector<Panel*>& panels, Session& session) {
    for (Panel* panel : panels) {
        QObject::connect(panel, &Panel::fusionEditRequested, &session,
            [panel, &session](const QString& text, const lowering::FusionEdit& edit) {
                if (const auto result = panel->state().result())
                    session.editFusion(result->machine().family, text, edit);
            });
        QObject::connect(panel, &Panel::remedyRequested, &session, &Session::applyRemedy);
        if (auto* layout = qobject_cast<LayoutPanel*>(panel))
            QObject::connect(layout, &LayoutPanel::bindRequested, &session,
                [&session](const QString& symbol, qlonglong size) {
                    Choices choices = session.choices();
                    choices.bindings.dims[symbol.toStdString()] = size;
                    session.change(
                        Session::tr("%1 = %2").arg(symbol).arg(size), std::move(choices));
                });
    }
}

} // namespace fivefold::app
