// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/views/common/panel_fixture.h"
#include "tests/views/common/sample_result.h"
#include "views/common/palette.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/roofline_panel.h"

#include <QAction>

#include <memory>

namespace fivefold::views::testing {

inline QString plain(QString text) {
    return text.replace(QChar(0x2009), u' ');
}

/// A roofline on screen with a result.
struct RooflineFixture {
    common::ViewState state;
    std::shared_ptr<const analysis::Result> result;
    std::unique_ptr<roofline::RooflinePanel> panel;

    explicit RooflineFixture(std::shared_ptr<const analysis::Result> shown, QSize size = {444, 302})
        : result(std::move(shown)) {
        state.setResult(result, true);
        panel = std::make_unique<roofline::RooflinePanel>(state, nullptr);
        panel->resize(size);
        panel->show();
        QApplication::processEvents();
    }
    roofline::RooflineCanvas& canvas() { return *panel->canvas(); }
    /// Index of the dot of a step by name.
    std::optional<std::size_t> indexOf(std::string_view name) {
        const auto step = stepNamed(*result, name);
        const auto& dots = canvas().picture().dots;
        for (std::size_t d = 0; d < dots.size(); ++d)
            if (dots[d].step == step)
                return d;
        return std::nullopt;
    }
    QPoint dotOf(std::string_view name) {
        const auto d = indexOf(name);
        return d ? canvas().placedDots()[*d].centre.toPoint() : QPoint(-1, -1);
    }
    QAction* action(const char* text) {
        for (QAction* action : panel->panelActions())
            if (action->text() == QString::fromUtf8(text))
                return action;
        return nullptr;
    }
};

} // namespace fivefold::views::testing
