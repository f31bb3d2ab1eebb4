// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/comparison.h"

#include "core/analysis/pipeline.h"
#include "core/analysis/report.h"
#include "core/memory/step_borders.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace fivefold::analysis {

using base::Bytes;
using base::Picoseconds;
using base::Seconds;
using lowering::KernelId;
using lowering::Step;
using lowering::StepId;

namespace {

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

/// The kernels of some steps, in their order; steps without one count as a kernel each.
struct Kernels {
    std::vector<KernelId> ids;
    std::int64_t loose = 0;
    std::int64_t count() const { return static_cast<std::int64_t>(ids.size()) + loose; }
};

Kernels kernelsOf(const Result& result, std::span<const StepId> steps) {
    Kernels kernels;
    std::set<KernelId> seen;
    for (const StepId id : steps) {
        const KernelId kernel = result.program.steps[id].kernel;
        if (!kernel.isValid())
            ++kernels.loose;
        else if (seen.insert(kernel).second)
            kernels.ids.push_back(kernel);
    }
    return kernels;
}

const lowering::StageGraph& scheduled(const Result& result) {
    return result.program.stage(lowering::Stage::Scheduled);
}

std::string gpuDetail(const Result& result, const Kernels& kernels) {
    std::int64_t library = 0;
    for (const KernelId id : kernels.ids)
        library += scheduled(result).kernels[id].kind == "library";
    return std::to_string(library) + " library, " + std::to_string(kernels.count() - library)
        + " generated";
}

bool isCopy(const lowering::Kernel& kernel) {
    return kernel.kind.starts_with("copy");
}

/// Fusions of the matrix unit, of the vector unit, and copies beside them.
std::string tpuDetail(const Result& result, const Kernels& kernels, std::int64_t copies) {
    std::int64_t matrix = 0;
    for (const KernelId id : kernels.ids)
        matrix +=
            std::ranges::any_of(scheduled(result).kernels[id].nodes, [&](lowering::NodeId node) {
                return scheduled(result).nodes[node].opClass() == ir::OpClass::Contraction;
            });
    std::string text = std::to_string(matrix) + " MXU, "
        + std::to_string(kernels.count() - matrix - copies) + " vector";
    if (copies > 0)
        text += ", " + counted(copies, "copy", "copies");
    return text;
}

std::string waferDetail(const Result& result, const Kernels& kernels) {
    const lowering::Region* largest = nullptr;
    bool isSame = true;
    for (const lowering::Region& region : result.program.regions) {
        if (std::ranges::find(kernels.ids, region.kernel) == kernels.ids.end())
            continue;
        if (largest && (region.width != largest->width || region.height != largest->height))
            isSame = false;
        if (!largest || region.width * region.height > largest->width * largest->height)
            largest = &region;
    }
    if (!largest)
        return {};
    const std::string size =
        std::to_string(largest->width) + " × " + std::to_string(largest->height) + " PEs";
    return isSame && kernels.count() > 1 ? size + " each" : isSame ? size : "up to " + size;
}

std::string megabytes(double bytes) {
    constexpr double kMebi = 1024.0 * 1024.0;
    char text[32];
    std::snprintf(text, sizeof text, bytes < 99.5 * kMebi ? "%.1f" : "%.0f", bytes / kMebi);
    return text;
}

std::string groqDetail(const Result& result) {
    std::string text = counted(std::max<std::int64_t>(1, result.program.chips), "chip", "chips");
    for (const memory::LevelUse& use : result.memory)
        if (use.capacity
            && result.machine().memories[use.level].kind == machines::MemoryKind::Scratchpad)
            return text + ", " + megabytes(static_cast<double>(use.peak.value)) + " of "
                + megabytes(static_cast<double>(use.capacity->value)) + " MiB";
    return text;
}

/// OpSpecs, where the compiler would emit some; what else runs are steps.
std::string spyreDetail(
    const Result& result, std::span<const StepId> steps, std::span<const ir::NodeId> nodes) {
    std::set<lowering::NodeId> inSteps;
    for (const StepId id : steps)
        inSteps.insert(
            result.program.steps[id].nodes.begin(), result.program.steps[id].nodes.end());
    std::int64_t specs = 0;
    for (const lowering::OpSpec& spec : result.program.opSpecs)
        specs += nodes.empty() || inSteps.contains(spec.node);
    return specs > 0 ? counted(specs, "OpSpec", "OpSpecs")
                     : counted(static_cast<std::int64_t>(steps.size()), "step", "steps");
}

void describePrograms(ComparisonRow& row, const Result& result, std::span<const StepId> steps,
    std::span<const ir::NodeId> nodes) {
    const Kernels kernels = kernelsOf(result, steps);
    // What XLA starts beside the fusions to bring operands on chip is none of them.
    const std::int64_t copies =
        row.family != "tpu" ? 0 : std::ranges::count_if(kernels.ids, [&](KernelId id) {
            return isCopy(scheduled(result).kernels[id]);
        });
    row.kernels = kernels.count() - copies;
    const lowering::Family* family = findFamily(row.family);
    const auto word = family ? family->kernelWord()
                             : std::pair<std::string_view, std::string_view>{"kernel", "kernels"};
    row.programs = counted(row.kernels, word.first, word.second);
    if (row.family == "gpu")
        row.detail = gpuDetail(result, kernels);
    else if (row.family == "tpu")
        row.detail = tpuDetail(result, kernels, copies);
    else if (row.family == "cerebras")
        row.detail = waferDetail(result, kernels);
    else if (row.family == "groq")
        row.detail = groqDetail(result);
    else if (row.family == "spyre")
        row.detail = spyreDetail(result, steps, nodes);
    else
        row.detail = counted(static_cast<std::int64_t>(steps.size()), "step", "steps");
    if (nodes.empty())
        return;
    const std::set<ir::NodeId> selected(nodes.begin(), nodes.end());
    std::set<ir::NodeId> others;
    for (const StepId id : steps)
        for (const ir::NodeId node : result.provenance.fromSteps[id])
            if (!selected.contains(node))
                others.insert(node);
    row.others = static_cast<std::int64_t>(others.size());
}

/// What a tensor of a family is rounded up to.
std::string paddingUnit(std::string_view family, const lowering::Value& value) {
    if (!value.layout)
        return {};
    std::int64_t lanes = 1;
    for (const layout::Axis& axis : value.layout->axes)
        if (axis.role == layout::AxisRole::Lane)
            lanes *= axis.extent;
    if (family == "tpu")
        if (const auto tile = value.layout->notation.find("T("); tile != std::string::npos)
            return "tiles of "
                + value.layout->notation.substr(
                    tile + 1, value.layout->notation.find(')', tile) - tile);
    if (family == "spyre")
        return "sticks of " + std::to_string(lanes);
    if (family == "groq")
        return "lanes of " + std::to_string(lanes);
    if (family == "cerebras")
        return "equal blocks a PE";
    return "rounded to " + std::to_string(value.layout->alignmentBytes) + " B";
}

void addPadding(ComparisonRow& row, const Result& result, std::span<const StepId> steps) {
    const memory::StepBorders borders(result.program);
    if (!borders.graph())
        return;
    std::set<lowering::ValueId> seen;
    Bytes most;
    for (const StepId step : steps)
        for (const memory::BorderValue& border : borders.of(step)) {
            if (!seen.insert(border.value).second)
                continue;
            const lowering::Value& value = borders.graph()->values[border.value];
            const auto device = value.deviceBytes(), logical = value.bytes();
            if (!device || !logical || *device <= *logical)
                continue;
            const Bytes padding = *device - *logical;
            row.padding += padding;
            if (padding <= most)
                continue;
            most = padding;
            row.paddingMost = value.name;
            row.paddingDetail = paddingUnit(row.family, value);
        }
}

void addTraffic(ComparisonRow& row, const Result& result, std::span<const StepId> steps) {
    std::map<std::size_t, Bytes> bytes;
    std::map<std::size_t, double> seconds;
    for (const StepId id : steps) {
        const Step& step = result.program.steps[id];
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic) {
            bytes[traffic.level] += traffic.total() * step.executions;
            seconds[traffic.level] += traffic.time.value
                * static_cast<double>(std::max<std::int64_t>(0, step.executions));
        }
    }
    for (const auto& [level, moved] : bytes)
        if (moved.value > 0 && level < result.machine().memories.size())
            row.bytesByLevel.emplace_back(level, moved);
    const auto slowest =
        std::ranges::max_element(seconds, {}, [](const auto& entry) { return entry.second; });
    if (slowest != seconds.end())
        row.boundLevel = slowest->first;
}

/// "errors 8–19 % by kernel" where kernels have bands of their own, else the machine's.
std::string bandText(const Result& result, std::span<const StepId> steps) {
    double least = 1e9, most = 0;
    for (const StepId id : steps) {
        const lowering::Estimate& e = result.program.steps[id].estimate;
        if (!e.isKnown || !e.high || !(e.time.value > 0))
            continue;
        const double error = e.high->value / e.time.value - 1;
        least = std::min(least, error);
        most = std::max(most, error);
    }
    const long low = std::lround(least * 100), high = std::lround(most * 100);
    if (most <= 0 || low == high)
        return validationText(result.totals);
    return "errors " + std::to_string(low) + "–" + std::to_string(high) + " % by kernel";
}

struct Sums {
    Seconds compute, memory, scheduling, low, high;
    bool isKnown = false; ///< a step has a time
    bool hasBand = true; ///< every step with a time has one
    bool isAtLeast = false;
    Seconds time() const { return compute + memory + scheduling; }
};

Sums sum(const Result& result, std::span<const StepId> steps) {
    Sums sums;
    for (const StepId id : steps) {
        const lowering::Estimate& e = result.program.steps[id].estimate;
        if (!e.isKnown) {
            sums.isAtLeast = true;
            continue;
        }
        const auto times =
            static_cast<double>(std::max<std::int64_t>(0, result.program.steps[id].executions));
        sums.isKnown = true;
        sums.compute += times * e.computeShare;
        sums.memory += times * e.memoryShare;
        sums.scheduling += times * e.schedulingShare;
        if (e.time.value <= 0)
            continue;
        sums.hasBand = sums.hasBand && e.low && e.high;
        if (sums.hasBand) {
            sums.low += times * *e.low;
            sums.high += times * *e.high;
        }
    }
    return sums;
}

void addTime(
    ComparisonRow& row, const Result& result, std::span<const StepId> steps, bool isWhole) {
    const Sums sums = sum(result, steps);
    row.isAtLeast = sums.isAtLeast;
    row.validation = validationText(Totals{});
    if (!sums.isKnown)
        return;
    row.time = isWhole ? result.totals.time : sums.time();
    if (sums.hasBand && sums.high.value > 0) {
        row.low = sums.low;
        row.high = sums.high;
        row.isValidated = true;
        row.validation = bandText(result, steps);
    }
    const std::pair<double, lowering::Bound> shares[] = {
        {sums.compute.value, lowering::Bound::Compute},
        {sums.memory.value, lowering::Bound::Memory},
        {sums.scheduling.value, lowering::Bound::Scheduling}};
    const auto& largest = *std::ranges::max_element(
        shares, {}, [](const std::pair<double, lowering::Bound>& share) { return share.first; });
    if (largest.first > 0) {
        row.bound = largest.second;
        row.boundShare = largest.first / sums.time().value;
    }
}

void addSupport(ComparisonRow& row, const Result& result, std::span<const ir::NodeId> nodes) {
    constexpr std::int64_t kNamed = 3;
    const auto count = [&](ir::NodeId id) {
        if (!result.nodes.contains(id))
            return;
        const lowering::Support support = result.nodes[id].support;
        if (support != lowering::Support::Fallback && support != lowering::Support::Unsupported)
            return;
        if (++row.unsupported <= kNamed)
            row.unsupportedNames.push_back(result.graph().nodes[id].name);
    };
    for (const ir::NodeId id : nodes)
        count(id);
    if (nodes.empty())
        for (std::size_t i = 0; i < result.nodes.size(); ++i)
            count(ir::NodeId(i));
}

} // namespace

std::vector<StepId> comparedSteps(const Result& result, std::span<const ir::NodeId> nodes) {
    std::vector<StepId> steps;
    if (nodes.empty()) {
        for (std::size_t s = 0; s < result.program.steps.size(); ++s)
            steps.emplace_back(s);
        return steps;
    }
    for (const ir::NodeId node : nodes)
        if (result.provenance.toSteps.contains(node)) {
            const auto& of = result.provenance.toSteps[node];
            steps.insert(steps.end(), of.begin(), of.end());
        }
    std::ranges::sort(steps);
    steps.erase(std::ranges::unique(steps).begin(), steps.end());
    return steps;
}

ComparisonRow compare(const Result& result, std::span<const ir::NodeId> nodes) {
    ComparisonRow row;
    row.family = result.machine().family;
    row.machine = result.machine().id;
    const auto steps = comparedSteps(result, nodes);
    row.isRemoved = steps.empty() && !nodes.empty();
    describePrograms(row, result, steps, nodes);
    addPadding(row, result, steps);
    addTraffic(row, result, steps);
    addTime(row, result, steps, nodes.empty());
    addSupport(row, result, nodes);
    row.because = comparisonSentence(result, row, nodes, steps);
    return row;
}

} // namespace fivefold::analysis
