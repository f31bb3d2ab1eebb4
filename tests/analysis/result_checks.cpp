// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/analysis/result_checks.h"

#include "core/analysis/report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace fivefold::tests {

namespace {

using analysis::Result;
using Findings = std::vector<std::string>;

/// Nothing that is modelled here runs for eleven days.
constexpr double kAbsurdSeconds = 1e6;

bool isSane(double number) {
    return std::isfinite(number) && number >= 0;
}

std::string text(double number) {
    std::ostringstream out;
    out << number;
    return out.str();
}

void checkStages(const Result& result, Findings& findings) {
    for (lowering::Stage stage : lowering::kStages)
        for (const std::string& finding :
            lowering::verify(result.program.stage(stage), result.graph()))
            findings.push_back(std::string(lowering::toString(stage)) + ": " + finding);
}

void checkEstimate(const lowering::Step& step, std::size_t levels, Findings& findings) {
    const lowering::Estimate& e = step.estimate;
    const double numbers[] = {e.flops.value, e.paddedFlops.value, e.ideal.value, e.compute.value,
        e.computeShare.value, e.memoryShare.value, e.schedulingShare.value, e.time.value,
        e.low.value_or(base::Seconds(0)).value, e.high.value_or(base::Seconds(0)).value};
    if (!std::all_of(std::begin(numbers), std::end(numbers), isSane))
        findings.push_back("the estimate of " + step.name + " is negative or not finite");
    const double parts = (e.computeShare + e.memoryShare + e.schedulingShare).value;
    if (std::abs(parts - e.time.value) > 1e-9 * (1e-6 + e.time.value))
        findings.push_back("the shares of " + step.name + " do not add up to its time");
    for (const lowering::LevelTraffic& t : e.traffic)
        if (t.level >= levels || t.read.value < 0 || t.written.value < 0 || !isSane(t.time.value))
            findings.push_back("the traffic of " + step.name + " is negative or at no level");
    for (const lowering::TimePart& part : e.scheduling)
        if (!isSane(part.time.value))
            findings.push_back(part.name + " of " + step.name + " is negative or not finite");
    if (step.executions < 0)
        findings.push_back(step.name + " runs a negative number of times");
}

void checkTotals(const Result& result, Findings& findings) {
    const analysis::Totals& t = result.totals;
    const double numbers[] = {t.time.value, t.compute.value, t.memory.value, t.scheduling.value,
        t.low.value_or(base::Seconds(0)).value, t.high.value_or(base::Seconds(0)).value};
    if (!std::all_of(std::begin(numbers), std::end(numbers), isSane)) {
        findings.push_back("a total is negative or not finite");
        return;
    }
    if (std::abs((t.compute + t.memory + t.scheduling - t.time).value) > 1e-9 * t.time.value)
        findings.push_back("compute, memory and scheduling do not add up to the time");
    if (t.time.value > kAbsurdSeconds)
        findings.push_back("the model would run for " + text(t.time.value) + " s");
    // Views cost nothing; what computes or moves bytes does.
    const auto works = [](const lowering::Step& step) {
        const auto moves = [](const lowering::LevelTraffic& l) { return l.total().value > 0; };
        return step.executions > 0 && step.estimate.isKnown
            && (step.estimate.flops.value > 0 || std::ranges::any_of(step.estimate.traffic, moves));
    };
    if (t.time.value == 0 && std::ranges::any_of(result.program.steps, works))
        findings.push_back("there are steps that work and the total is 0");
    if (t.low && t.high && *t.low > *t.high)
        findings.push_back("the band's low end lies above its high end");
}

void checkTimeline(const Result& result, Findings& findings) {
    base::Picoseconds end;
    for (const lowering::Event& event : result.program.events) {
        end = std::max(end, event.end);
        if (event.start.value < 0 || event.end < event.start || event.repeat < 0)
            findings.push_back(
                "an event of " + result.program.steps[event.step].name + " ends before it starts");
    }
    const double last = base::toSeconds(end).value;
    const double total = result.totals.time.value;
    const double rounding = 1e-12 * (1 + double(result.program.events.size()));
    if (std::abs(last - total) > 1e-3 * total + rounding)
        findings.push_back(
            "the last event ends at " + text(last) + " s and the total is " + text(total) + " s");
}

void checkMemory(const Result& result, Findings& findings) {
    for (const memory::LevelUse& use : result.memory) {
        const std::string& name = result.machine().memories[use.level].name;
        if (use.peak.value < 0 || use.read.value < 0 || use.written.value < 0)
            findings.push_back("bytes of " + name + " are negative");
        // A machine without a farther memory marks what does not fit.
        const bool isMarked = std::ranges::any_of(result.program.buffers,
            [&use](const lowering::Buffer& b) { return b.level == use.level && b.isSpill; });
        if (use.capacity && use.peak > *use.capacity && !isMarked)
            findings.push_back(name + " holds " + std::to_string(use.peak.value)
                + " bytes, more than its capacity of " + std::to_string(use.capacity->value));
        if (std::ranges::any_of(use.samples, [](const auto& s) { return s.bytes.value < 0; }))
            findings.push_back("the bytes in use of " + name + " are negative somewhere");
    }
    for (const lowering::Buffer& buffer : result.program.buffers)
        if (buffer.bytes.value < 0 || buffer.address < 0 || buffer.last < buffer.first)
            findings.push_back("a buffer has a negative size, address or stay");
}

void checkRoofline(const Result& result, Findings& findings) {
    double peak = 0;
    for (const roofline::Ceiling& ceiling : result.ceilings)
        if (ceiling.kind == roofline::CeilingKind::Compute)
            peak = std::max(peak, ceiling.value.valueOr(0));
    for (const roofline::Point& point : result.points) {
        if (!isSane(point.achieved) || !isSane(point.time.value) || !isSane(point.flops.value))
            findings.push_back("a roofline point is negative or not finite");
        if (peak > 0 && point.achieved > peak * (1 + 1e-9))
            findings.push_back(result.program.steps[point.step].name + " reaches "
                + text(point.achieved) + " FLOP/s, above the ceiling of " + text(peak));
    }
}

void checkProvenance(const Result& result, Findings& findings) {
    const auto& scheduled =
        result.provenance.toStage[static_cast<std::size_t>(lowering::Stage::Scheduled)];
    for (std::size_t i = 0; i < result.graph().nodes.size(); ++i) {
        const ir::NodeId id(i);
        if (scheduled[id].empty() && result.nodes[id].rule.empty())
            findings.push_back(result.graph().nodes[id].name + " is lost without a reason");
        if (!isSane(result.nodes[id].time.value_or(base::Seconds(0)).value))
            findings.push_back(
                "the time of " + result.graph().nodes[id].name + " is negative or not finite");
    }
}

void checkReport(const Result& result, Findings& findings) {
    std::ostringstream report;
    analysis::writeReport(report, result);
    if (!nlohmann::json::accept(report.str()))
        findings.push_back("the report is no JSON");
}

} // namespace

std::vector<std::string> unsoundIn(const analysis::Result& result) {
    Findings findings;
    checkStages(result, findings);
    for (const lowering::Step& step : result.program.steps)
        checkEstimate(step, result.machine().memories.size(), findings);
    checkTotals(result, findings);
    checkTimeline(result, findings);
    checkMemory(result, findings);
    checkRoofline(result, findings);
    checkProvenance(result, findings);
    checkReport(result, findings);
    return findings;
}

} // namespace fivefold::tests
