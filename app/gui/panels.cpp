// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/panels.h"

#include "views/by_class/by_class_panel.h"
#include "views/divergence/banner_panel.h"
#include "views/divergence/divergence_panel.h"
#include "views/divergence/elements_panel.h"
#include "views/divergence/ladder_panel.h"
#include "views/divergence/layers_panel.h"
#include "views/five/five_panel.h"
#include "views/graph/graph_panel.h"
#include "views/implementation/implementation_panel.h"
#include "views/inspector/inspector_panel.h"
#include "views/layout/layout_panel.h"
#include "views/machine/machine_panel.h"
#include "views/operators/operators_panel.h"
#include "views/pipeline/pipeline_panel.h"
#include "views/play/play_panel.h"
#include "views/problems/problems_panel.h"
#include "views/published/published_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/timeline/timeline_panel.h"

namespace fivefold::app {

std::vector<views::common::Panel*> createPanels(views::common::ViewState& state, QWidget* parent) {
    return {
        new views::graph::GraphPanel(state, parent),
        new views::layout::LayoutPanel(state, parent),
        new views::timeline::TimelinePanel(state, parent),
        new views::roofline::RooflinePanel(state, parent),
        new views::inspector::InspectorPanel(state, parent),
        new views::implementation::ImplementationPanel(state, parent),
        new views::operators::OperatorsPanel(state, parent),
        new views::problems::ProblemsPanel(state, parent),
        new views::by_class::ByClassPanel(state, parent),
        new views::pipeline::PipelinePanel(state, parent),
        new views::play::PlayPanel(state, parent),
        new views::machine::MachinePanel(state, parent),
        new views::divergence::DivergencePanel(state, parent),
        new views::divergence::BannerPanel(state, parent),
        new views::divergence::LayersPanel(state, parent),
        new views::divergence::LadderPanel(state, parent),
        new views::divergence::ElementsPanel(state, parent),
        new views::divergence::ElementPanel(state, parent),
        new views::five::FivePanel(state, parent),
        new views::published::PublishedPanel(state, parent),
    };
}

std::vector<views::common::Panel*> createSidePanels(
    views::common::ViewState& state, QWidget* parent) {
    return {
        new views::graph::GraphPanel(state, parent), new views::layout::LayoutPanel(state, parent)};
}

} // namespace fivefold::app
