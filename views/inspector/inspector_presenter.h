// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/gap_bar.h"
#include "views/common/view_state.h"

#include <vector>

namespace fivefold::views::inspector {

/// Where a click on a line leads: what it selects (at most one of the first four) and the stage
/// that it shows.
struct Link {
    ir::NodeId node;
    ir::ValueId value;
    lowering::StepId step;
    std::string added; ///< name of a node that lowering added
    std::optional<lowering::Stage> stage;
    bool selects() const {
        return node.isValid() || value.isValid() || step.isValid() || !added.empty();
    }
    bool isValid() const { return selects() || stage.has_value(); }
    bool operator==(const Link&) const = default;
};

enum class LineKind {
    Title, ///< the thing's name, with its class glyph and a note at the right
    Heading, ///< a bold word above what follows
    Field, ///< label and value
    Text, ///< a sentence over the whole width
    Gap, ///< the bar of where the time goes
    Share, ///< label, a short bar and a figure: one stage of the cost ladder
    Band, ///< label and value above a thin bar: how sure the value is
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
    roofline::Gap gap; ///< of Gap
    double share = 0; ///< of Share: length of the bar, 0..1; of Band: where its sure part ends
    bool isAtLeast = false; ///< of Band: no upper end is known
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
