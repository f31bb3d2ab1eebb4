// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/debug_session.h"
#include "core/base/result.h"
#include "core/lowering/stage_graph.h"
#include "views/common/palette.h"

#include <QSize>
#include <QString>

#include <optional>

namespace fivefold::app {

/// `fivefold [FILE] --render OUT …`: the real widgets, painted off screen.
struct RenderRequest {
    QString output; ///< .png, .svg or .pdf by its suffix
    QString file; ///< model; empty: the bundled attention block
    QString machine; ///< id or a JSON file
    QString panel = QStringLiteral("window");
    std::optional<QSize> size;
    views::common::Theme theme = views::common::Theme::Light;
    std::optional<lowering::Stage> stage;
    QString compare; ///< machine of a second graph and layout; empty: none
    QString select; ///< name of a captured node, or of one a compiler added
    std::optional<DebugSources> runs; ///< that are compared
};

/// Opens, analyses, waits for drawings, paints. Fails with a sentence when the model does not open,
/// a panel, node or suffix is unknown, or the file cannot be written.
base::Result<base::Done> render(const RenderRequest& request);

/// The bundled attention block: beside the program, in the source tree, or installed. Empty when
/// missing.
QString bundledSample();

} // namespace fivefold::app
