// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/gap_bar.h"
#include "views/common/view_state.h"

#include <vector>

namespace fivefold::views::inspector {

/// What a click on a value selects; at most one is set.
struct Link {
    ir::NodeId node;
    ir::ValueId value;
    lowering::StepId step;
    bool isValid() const { return node.isValid() || value.isValid() || step.isValid(); }
    bool operator==(const Link&) const = default;
};

enum class LineKind {
    Title, ///< the thing's name, with its class glyph and a note at the right
    Heading, ///< a bold word above what follows
    Field, ///< label and value
    Text, ///< a sentence over the whole width
    Gap, ///< the bar of where the time goes
    Rule, ///< a thin line
};

struct Line {
    LineKind kind = LineKind::Field;
    QString label;
    QString text;
    QString note; ///< right-aligned, secondary
    QString toolTip;
    Link link;
    std::optional<machines::FigureStatus> status; ///< its mark stands before the value
    std::optional<ir::OpClass> opClass; ///< of Title
    QVector<common::GapPart> gap;
    bool isBold = false;
};

using Lines = std::vector<Line>;

Line field(const QString& label, const QString& text);
Line heading(const QString& text);

/// What is known of the selection; of model and machine when nothing is selected. Empty without a
/// result.
Lines present(const common::ViewState& state);
/// Model summary, totals and the machine's figures.
Lines overview(const analysis::Result& result);

QString sentence(const common::ViewState& state);

} // namespace fivefold::views::inspector
