// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/play.h"

#include "core/roofline/duration.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fivefold::analysis {

using base::Picoseconds;
using lowering::StepId;
using schedule::ExecutionModel;
using schedule::FiringTrace;

namespace {

/// All nodes of a scope and of the scopes in it.
std::vector<ir::NodeId> nodesIn(const ir::Graph& graph, ir::ScopeId scope) {
    std::vector<ir::NodeId> nodes;
    std::vector<ir::ScopeId> open{scope};
    while (!open.empty()) {
        const ir::Scope& each = graph.scopes[open.back()];
        open.pop_back();
        nodes.insert(nodes.end(), each.nodes.begin(), each.nodes.end());
        open.insert(open.end(), each.children.begin(), each.children.end());
    }
    return nodes;
}

void findBlock(const Result& result, Play& play) {
    const ir::Graph& graph = result.graph();
    std::vector<ir::NodeId> nodes;
    for (const ir::NodeId node : play.request.nodes)
        if (graph.nodes.contains(node))
            nodes.push_back(node);
    play.block = nodes.empty() ? PlayBlock::Graph : play.request.block;
    if (play.block == PlayBlock::Graph) {
        play.blockName = "the whole graph";
        for (std::size_t s = 0; s < result.program.steps.size(); ++s)
            play.steps.emplace_back(s);
        return;
    }
    play.blockName = nodes.size() == 1 ? graph.nodes[nodes.front()].name
                                       : std::to_string(nodes.size()) + " operators";
    if (play.block == PlayBlock::Scope) {
        const ir::ScopeId scope = graph.nodes[nodes.front()].scope;
        play.blockName = graph.scopes[scope].path;
        nodes = nodesIn(graph, scope);
    }
    for (const ir::NodeId node : nodes)
        for (const StepId step : result.provenance.toSteps[node])
            play.steps.push_back(step);
    std::sort(play.steps.begin(), play.steps.end());
    play.steps.erase(std::unique(play.steps.begin(), play.steps.end()), play.steps.end());
}

std::string_view modelName(ExecutionModel model) {
    constexpr std::string_view kNames[] = {
        "program counter", "dynamic dataflow", "static schedule"};
    return kNames[static_cast<std::size_t>(model)];
}

/// "The program counter", "The static schedule", "Dynamic dataflow".
std::string subject(ExecutionModel model, bool isFirst) {
    const std::string name(modelName(model));
    if (model != ExecutionModel::DynamicDataflow)
        return (isFirst ? "The " : "the ") + name;
    return isFirst ? "Dynamic dataflow" : name;
}

bool isWrong(const FiringTrace& trace) {
    return trace.lateOperands + trace.lateResults > 0;
}

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100);
    return text;
}

/// The first operation that reads what has not come.
std::string firstLate(const lowering::Program& program, const FiringTrace& trace) {
    for (const schedule::Firing& firing : trace.firings)
        if (firing.isLate)
            return ", the first in the " + schedule::eventName(program, firing.event) + " at "
                + roofline::durationText(base::toSeconds(firing.start));
    return {};
}

/// How the second ends beside the first.
std::string ending(const FiringTrace& a, const FiringTrace& b) {
    const std::string other =
        a.options.model == b.options.model ? "the first" : subject(a.options.model, false);
    const double change = a.length.value > 0 ? (b.length - a.length) / a.length : 0.0;
    constexpr double kSame = 0.0005; // under 0.1 %
    if (std::abs(change) < kSame)
        return "ends at the same time as " + other;
    return "ends " + percent(std::abs(change)) + (change > 0 ? " later than " : " sooner than ")
        + other;
}

/// Operations that start in the second before ones that stand in front of them in the program.
std::size_t overtaking(const FiringTrace& trace) {
    std::size_t count = 0;
    lowering::EventId furthest(0);
    for (const schedule::Firing& firing : trace.firings) {
        if (firing.event < furthest)
            ++count;
        furthest = std::max(furthest, firing.event);
    }
    return count;
}

std::string why(const FiringTrace& trace) {
    if (trace.options.model != ExecutionModel::DynamicDataflow)
        return {};
    const std::size_t count = overtaking(trace);
    if (count == 0)
        return "; every operation starts in program order";
    return "; " + std::to_string(count)
        + (count == 1 ? " operation is overtaken by a later one"
                      : " operations are overtaken by later ones");
}

std::string wrongText(const lowering::Program& program, const FiringTrace& trace) {
    if (trace.lateOperands == 0)
        return subject(trace.options.model, true) + " hands out "
            + std::to_string(trace.lateResults) + (trace.lateResults == 1 ? " result" : " results")
            + " before it has come";
    return subject(trace.options.model, true) + " reads " + std::to_string(trace.lateOperands)
        + (trace.lateOperands == 1 ? " stale value" : " stale values") + firstLate(program, trace);
}

std::string difference(
    const lowering::Program& program, const FiringTrace& left, const FiringTrace& right) {
    if (left.firings.empty() && right.firings.empty())
        return left.sentence;
    const FiringTrace &wrong = isWrong(left) ? left : right, &other = isWrong(left) ? right : left;
    if (left.deadlock || right.deadlock) {
        const FiringTrace &lock = left.deadlock ? left : right,
                          &rest = left.deadlock ? right : left;
        if (rest.deadlock)
            return "Both stop for good: " + left.sentence;
        return lock.sentence + " " + subject(rest.options.model, true) + " ends after "
            + roofline::durationText(base::toSeconds(rest.length)) + ".";
    }
    if (isWrong(wrong))
        return wrongText(program, wrong) + "; " + subject(other.options.model, false) + " "
            + ending(wrong, other)
            + (isWrong(other) ? " and is wrong too" : " and its values are right") + why(other)
            + ".";
    const FiringTrace& flow = right.options.model == ExecutionModel::DynamicDataflow ? right : left;
    return subject(right.options.model, true) + " " + ending(left, right) + why(flow) + ".";
}

} // namespace

std::string_view toString(PlayBlock block) {
    constexpr std::string_view kNames[] = {"selection", "scope", "graph"};
    return kNames[static_cast<std::size_t>(block)];
}

Play play(const Result& result, const PlayRequest& request, const base::Progress& progress) {
    Play played;
    played.request = request;
    findBlock(result, played);
    for (const StepId step : played.steps)
        played.unknownSteps += result.program.steps[step].estimate.isKnown ? 0 : 1;
    const bool isAll = played.block == PlayBlock::Graph;
    for (const schedule::FiringOptions& options : request.models) {
        if (progress.isCancelled())
            break;
        progress.report("firing");
        // A block without steps plays nothing; an empty block would mean all.
        if (played.steps.empty() && !isAll)
            played.traces.push_back(schedule::fire({}, options));
        else
            played.traces.push_back(schedule::fire(result.program, options,
                isAll ? std::span<const StepId>() : std::span<const StepId>(played.steps)));
        for (const schedule::Firing& firing : played.traces.back().firings)
            played.length = std::max(played.length, firing.end);
    }
    if (played.traces.size() >= 2)
        played.difference = difference(result.program, played.traces[0], played.traces[1]);
    return played;
}

OwnModel ownModel(std::string_view family) {
    // "Execution model" and "Who schedules" of targets.md section 5, with their keys.
    if (family == "cerebras")
        return {ExecutionModel::DynamicDataflow,
            "Tasks on the processing elements fire when their data arrives [STH]."};
    if (family == "groq")
        return {ExecutionModel::StaticSchedule,
            "The compiler fixes every instruction to its clock cycle [ISCA20]."};
    if (family == "gpu")
        return {ExecutionModel::ProgramCounter,
            "The host orders the kernels and a stream runs them one after another [MGPU]."};
    if (family == "tpu")
        return {ExecutionModel::ProgramCounter,
            "One sequential program drives all units, with copies in the background [PALLAS]."};
    if (family == "spyre")
        return {ExecutionModel::ProgramCounter,
            "The compiler plans the order and the runtime launches and moves data [SPY]; that an "
            "operation waits for its transfers is an estimate."};
    return {ExecutionModel::ProgramCounter, "Operators run one after another (estimate)."};
}

ExecutionModel otherModel(ExecutionModel model) {
    return model == ExecutionModel::DynamicDataflow ? ExecutionModel::ProgramCounter
                                                    : ExecutionModel::DynamicDataflow;
}

} // namespace fivefold::analysis
