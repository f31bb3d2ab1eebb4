// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/compiler_pipeline.h"
#include "views/common/hover_card.h"
#include "views/common/panel_frame.h"

#include <QString>
#include <QVector>

#include <optional>

namespace fivefold::views::pipeline {

/// One pass of one compiler, in words.
struct Step {
    const lowering::CompilerPass* pass = nullptr;
    QString name;
    QString stages; ///< "2", "5 6"; empty: none of the six
    QString emits; ///< what it leaves; for the current machine what it left: "19 nodes"
    QString effect; ///< what the shown mode does to it; empty: nothing
    QChar decider; ///< P C R H
};

/// The path of the model through one family's stack.
struct Row {
    std::string_view family;
    QString code; ///< "GPU", "SPY"
    QString machine; ///< of the current row: its name
    bool isCurrent = false;
    const lowering::CompilerPipeline* pipeline = nullptr;
    QString order; ///< "1 2 4 3 5 6": stages in the compiler's order
    QVector<Step> steps;
    const lowering::PipelineMode* mode = nullptr; ///< shown
    bool isModeInForce = false; ///< the settings stand for it
};

struct Picture {
    QVector<Row>
        rows; ///< in the fixed order of the families; the reference last, when it is current
    QString reason; ///< why there is nothing to show
    int current = -1; ///< row of the machine in force

    bool isEmpty() const { return rows.isEmpty(); }
    const Step* step(int row, int step) const;
};

/// All five pipelines; counts of the result for the machine that it is of. `mode` names the mode to
/// show for it; empty: the one in force.
Picture present(const common::ViewState& state, const QString& mode);

/// One sentence: the compiler, its passes, what became of the model, and its order where that is
/// not ours.
QString sentence(const Picture& picture, const common::ViewState& state);
common::CardContent card(const Picture& picture, int row, int step);
common::CardContent rowCard(const Picture& picture, int row);
/// A step as one line of the list twin.
QString twinText(const Picture& picture, int row, int step);
common::Legend legend(const Picture& picture);
QString footnote(const Picture& picture);
/// machine, order, pass, layer, phase, stages, decided by, disclosure, does, emits, effect of the
/// mode, source.
QString csv(const Picture& picture);

} // namespace fivefold::views::pipeline
