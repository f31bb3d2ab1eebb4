// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/analysis/class_table.h"
#include "core/analysis/problems.h"
#include "core/ir/cost.h"
#include "core/lowering/family.h"
#include "core/memory/memory.h"
#include "core/memory/traffic.h"
#include "core/roofline/causes.h"
#include "core/roofline/cost_ladder.h"
#include "core/roofline/energy.h"
#include "core/roofline/gap.h"
#include "core/roofline/roofline.h"
#include "core/schedule/schedule.h"

#include <memory>
#include <string>
#include <vector>

namespace fivefold::analysis {

/// An opened model, whatever the machine: read once, shared by all results.
struct Model {
    std::shared_ptr<const ir::Graph> graph;
    base::Diagnostics diagnostics; ///< of reading
    /// Types with the free sizes as symbols; null where nothing is free.
    std::shared_ptr<const ir::Typed> symbolic;
};

/// What to analyse it for.
struct Request {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const machines::Machine> machine;
    ir::Bindings bindings;
    lowering::Settings settings;
};

/// Where a captured node went: what every panel maps the selection through.
struct Provenance {
    /// For each stage: captured node → nodes of that stage.
    std::array<base::IdVector<ir::NodeId, std::vector<lowering::NodeId>>, lowering::kStageCount>
        toStage;
    base::IdVector<ir::NodeId, std::vector<lowering::StepId>> toSteps;
    base::IdVector<lowering::StepId, std::vector<ir::NodeId>> fromSteps;
};

/// One captured node's share of the program.
struct NodeSummary {
    lowering::Support support = lowering::Support::Native;
    std::optional<base::Seconds>
        time; ///< its share of its steps' times; nullopt: unknown or removed
    std::string rule; ///< what became of it
    std::vector<lowering::LevelTraffic> traffic; ///< its share, where its steps are its own
};

struct Totals {
    base::Seconds time, compute, memory, scheduling; ///< the three shares add up to time
    std::optional<base::Seconds> low, high;
    std::int64_t unknownSteps = 0; ///< steps without a time: the total then reads "at least"
    /// The error band that was measured for this machine, or nullopt: *not validated*, as soon as a
    /// step's class of operator has no measured error.
    struct Validation {
        std::int64_t points = 0;
        double geomeanError = 0; ///< ratio − 1
        double p90Error = 0;
        std::string source;
    };
    std::optional<Validation> validated;
};

/// Everything that the panels draw and the command line prints for one model on one machine under
/// one set of settings. Immutable; shared between threads.
struct Result {
    Request request;
    std::shared_ptr<const ir::Typed> typed; ///< under bindings and assumptions
    std::shared_ptr<const ir::ModelCost> cost;
    lowering::Program program;
    Provenance provenance;
    base::IdVector<ir::NodeId, NodeSummary> nodes;
    std::vector<memory::LevelUse> memory;
    std::vector<roofline::Ceiling> ceilings;
    std::vector<roofline::Point> points;
    std::vector<lowering::EventId> criticalPath;
    base::IdVector<lowering::EventId, schedule::Timing> timing; ///< what holds events back; slack
    Totals totals;
    std::vector<memory::TrafficByCause> traffic; ///< by level
    std::vector<roofline::Cause> causes; ///< by falling time
    base::IdVector<lowering::StepId, lowering::StepId> chargedTo; ///< who asked for a relayout
    roofline::CostLadder ladder;
    base::IdVector<lowering::StepId, roofline::StepEnergy> energy;
    roofline::StepEnergy totalEnergy;
    std::vector<ClassRow> classes;
    std::vector<Problem> problems; ///< by falling cost
    base::Diagnostics diagnostics; ///< reading, inference, lowering

    const ir::Graph& graph() const { return *request.model->graph; }
    const machines::Machine& machine() const { return *request.machine; }
};

} // namespace fivefold::analysis
