// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/comparison.h"

#include "core/analysis/pipeline.h"
#include "core/memory/step_borders.h"
#include "core/roofline/duration.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>

namespace fivefold::analysis {

using base::Bytes;
using base::Seconds;
using lowering::Step;
using lowering::StepId;
using roofline::GapKind;

namespace {

constexpr double kAlone = 0.12; ///< share from which one step is named as the reason
constexpr double kWorthSaying = 0.05; ///< share from which a second reason is told
constexpr std::size_t kGapKinds = 7;

std::string numbered(std::int64_t count, std::string_view one, std::string_view many) {
    constexpr std::string_view kWords[] = {"no", "one", "two", "three", "four", "five", "six",
        "seven", "eight", "nine", "ten", "eleven", "twelve"};
    const std::string number = count >= 0 && count < static_cast<std::int64_t>(std::size(kWords))
        ? std::string(kWords[count])
        : std::to_string(count);
    return number + " " + std::string(count == 1 ? one : many);
}

std::string percent(double share) {
    const double value = share * 100;
    char text[24];
    std::snprintf(text, sizeof text, value > 0 && value < 0.5 ? "<1 %%" : "%.0f %%", value);
    return text;
}

std::string scaled(double value, double base, std::span<const char* const> units) {
    std::size_t unit = 0;
    while (value >= base * 0.9995 && unit + 1 < units.size()) {
        value /= base;
        ++unit;
    }
    char text[40];
    std::snprintf(
        text, sizeof text, value < 9.995 && unit > 0 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}

std::string binary(double bytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return scaled(bytes, 1024, kUnits);
}

std::string rate(double bytesPerSecond) {
    static constexpr const char* kUnits[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
    return scaled(bytesPerSecond, 1000, kUnits);
}

std::string work(double flops) {
    static constexpr const char* kUnits[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"};
    return scaled(flops, 1000, kUnits);
}

/// The last two parts of a path, or the scope alone where the last is its operator.
std::string shortName(const std::string& name) {
    const auto last = name.rfind('/');
    if (last == std::string::npos || last == 0)
        return last == 0 ? name.substr(1) : name;
    const auto before = name.rfind('/', last - 1);
    return name.substr(before == std::string::npos ? 0 : before + 1);
}

std::string capitalised(std::string text) {
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

class Reason {
public:
    Reason(const Result& result, const ComparisonRow& row, std::span<const StepId> steps)
        : m_result(result)
        , m_row(row)
        , m_steps(steps)
        , m_analysis(result.program, result.machine())
        , m_gap(m_analysis.of(steps, roofline::Charge::ToItself)) {
        for (const roofline::GapPart& part : m_gap.parts)
            m_byKind[static_cast<std::size_t>(part.kind)] += part.time.value;
        if (const lowering::Family* family = findFamily(row.family))
            m_word = family->kernelWord();
    }

    std::string text() const {
        const double total = m_gap.estimate.value;
        if (!(total > 0))
            return "Nothing of it takes time.";
        const auto kind =
            static_cast<GapKind>(std::ranges::max_element(m_byKind) - m_byKind.begin());
        std::string sentence = main(kind);
        const std::string more = second(kind);
        if (!more.empty())
            sentence += "; " + more;
        return sentence + tail() + ".";
    }

private:
    double share(GapKind kind) const { return seconds(kind) / m_gap.estimate.value; }
    double seconds(GapKind kind) const { return m_byKind[static_cast<std::size_t>(kind)]; }

    std::string main(GapKind kind) const {
        switch (kind) {
        case GapKind::Launch:
            return capitalised(launches());
        case GapKind::Stall:
            return capitalised(stalls());
        case GapKind::Relayout:
            return capitalised(relayouts());
        case GapKind::Padding:
            return capitalised(padding());
        case GapKind::Ideal:
        case GapKind::Tile:
        case GapKind::Memory:
            break;
        }
        return longest();
    }

    /// Executions of steps that have a scheduling part of the kind.
    std::int64_t executionsWith(lowering::PartKind kind) const {
        std::int64_t count = 0;
        for (const StepId id : m_steps) {
            const Step& step = m_result.program.steps[id];
            const auto& parts = step.estimate.scheduling;
            if (std::ranges::any_of(parts, [&](const lowering::TimePart& part) {
                    return part.kind == kind && part.time.value > 0;
                }))
                count += step.executions;
        }
        return count;
    }

    static bool isEvent(const std::string& name) {
        return name.ends_with("launch") || name.ends_with("start") || name.ends_with("dispatch")
            || name.ends_with("hand-off");
    }
    /// A part's name as a noun.
    static std::string spoken(const std::string& name) {
        return name == "fixed" ? "fixed cost" : name;
    }
    /// So many kernels, or steps where kernels run several times or hold several.
    std::string runs(std::int64_t count) const {
        return count <= m_row.kernels ? numbered(count, m_word.first, m_word.second)
                                      : numbered(count, "step", "steps");
    }
    static std::string plural(const std::string& name) {
        return name + (name.ends_with("ch") ? "es" : "s");
    }

    std::string launches() const {
        const std::int64_t count = executionsWith(lowering::PartKind::Launch);
        const std::string name = namesOf(GapKind::Launch).front();
        std::string text = isEvent(name) ? numbered(count, name, plural(name))
                                         : spoken(name) + " of " + runs(count);
        text += (isEvent(name) && count != 1 ? " are " : " is ") + percent(share(GapKind::Launch))
            + " of the time";
        const auto& settings = m_result.request.settings.values;
        if (const auto graph = settings.find("cuda_graph");
            graph != settings.end() && graph->second == "off")
            text += "; a CUDA graph would remove most of them";
        return text;
    }

    /// Names of a kind's parts by falling time: those that make up most of it, two at most.
    std::vector<std::string> namesOf(GapKind kind) const {
        std::vector<std::pair<double, std::string>> parts;
        for (const roofline::GapPart& part : m_gap.parts)
            if (part.kind == kind)
                parts.emplace_back(-part.time.value, part.name);
        std::ranges::sort(parts);
        std::vector<std::string> names;
        for (const auto& [time, name] : parts)
            if (names.empty() || (names.size() == 1 && -time > 0.2 * seconds(kind)))
                names.push_back(name);
        return names.empty() ? std::vector<std::string>{"scheduling"} : names;
    }

    std::string stalls() const {
        const auto names = namesOf(GapKind::Stall);
        const std::int64_t count = executionsWith(lowering::PartKind::Stall);
        std::string text =
            spoken(names.front()) + (names.size() > 1 ? " and " + spoken(names.back()) : "");
        const bool isMany = text.find(" and ") != std::string::npos || text.ends_with('s');
        text += " of " + runs(count) + (isMany ? " take " : " takes ");
        return text + percent(share(GapKind::Stall)) + " of the time" + leaves();
    }

    /// What never leaves a machine whose memory is all on the chip.
    std::string leaves() const {
        const auto& machine = m_result.machine();
        for (const auto& [level, bytes] : m_row.bytesByLevel)
            if (machine.memories[level].kind == machines::MemoryKind::Device
                || machine.memories[level].kind == machines::MemoryKind::Host)
                return {};
        if (m_row.family == "cerebras")
            return "; between its ends no byte leaves the wafer";
        return {};
    }

    const roofline::Cause* dearest(roofline::CauseKind kind) const {
        for (const roofline::Cause& cause : m_result.causes) // by falling time
            if (cause.kind == kind && std::ranges::binary_search(m_steps, cause.step))
                return &cause;
        return nullptr;
    }

    std::string relayouts() const {
        std::string text =
            "changing layouts is " + percent(share(GapKind::Relayout)) + " of the time";
        if (const auto* cause = dearest(roofline::CauseKind::Relayout))
            text += ": " + cause->name + " " + roofline::durationText(cause->time)
                + (cause->chain.empty() ? "" : ", since " + cause->chain.front().text);
        return text;
    }

    std::string padding() const {
        std::string text = "padding is " + percent(share(GapKind::Padding)) + " of the time";
        if (const auto* cause = dearest(roofline::CauseKind::Padding))
            text += ", most of it " + cause->name + " in "
                + shortName(m_result.program.steps[cause->step].name);
        return text;
    }

    double timeOf(StepId id) const {
        const Step& step = m_result.program.steps[id];
        return step.estimate.isKnown ? step.estimate.time.value
                * static_cast<double>(std::max<std::int64_t>(0, step.executions))
                                     : 0.0;
    }

    /// The step that takes longest, or all of them where none stands out.
    std::string longest() const {
        const StepId id =
            *std::ranges::max_element(m_steps, {}, [this](StepId step) { return timeOf(step); });
        const double part = timeOf(id) / m_gap.estimate.value;
        const std::string name = shortName(m_result.program.steps[id].name);
        if (part < kAlone)
            return capitalised(allTogether()) + "; the longest of " + std::to_string(m_steps.size())
                + " steps, " + name + ", is " + percent(part);
        const std::string how = howOf(m_result.program.steps[id], id);
        if (m_steps.size() == 1)
            return name + (how.empty() ? " is all of it" : ": " + how);
        return name + " alone is " + percent(part) + (how.empty() ? "" : ": " + how);
    }

    std::optional<double> peak() const {
        return m_result.machine().peak(m_result.request.settings.precision);
    }
    std::string peakName() const {
        return std::string(machines::toString(m_result.request.settings.precision)) + " peak";
    }

    std::string allTogether() const {
        if (m_row.bound == lowering::Bound::Memory && !m_row.bytesByLevel.empty()) {
            double seconds = 0, bytes = 0;
            for (const StepId id : m_steps)
                for (const auto& traffic : m_result.program.steps[id].estimate.traffic)
                    if (traffic.level == m_row.boundLevel) {
                        const auto times =
                            static_cast<double>(m_result.program.steps[id].executions);
                        seconds += traffic.time.value * times;
                        bytes += static_cast<double>(traffic.total().value) * times;
                    }
            std::string text = m_result.machine().memories[m_row.boundLevel].name + " traffic is "
                + percent(m_row.boundShare) + " of the time";
            if (seconds > 0)
                text += ": " + binary(bytes) + " at " + rate(bytes / seconds);
            return text;
        }
        std::string text = m_row.bound == lowering::Bound::Scheduling
            ? "scheduling is " + percent(m_row.boundShare) + " of the time"
            : "arithmetic is " + percent(m_row.boundShare) + " of the time";
        if (m_row.bound != lowering::Bound::Scheduling && peak())
            text += " at "
                + percent(m_gap.flops.value / (m_gap.estimate.value * m_row.boundShare) / *peak())
                + " of the " + peakName();
        return text;
    }

    /// What a step moves or computes, and how fast.
    std::string howOf(const Step& step, StepId id) const {
        const lowering::Estimate& e = step.estimate;
        if (e.bound == lowering::Bound::Memory)
            for (const lowering::LevelTraffic& traffic : e.traffic)
                if (traffic.level == e.boundLevel && traffic.time.value > 0) {
                    const auto bytes = static_cast<double>(traffic.total().value);
                    return binary(bytes) + (isMostlyWeights(id, bytes) ? ", mostly weights," : "")
                        + " at " + rate(bytes / traffic.time.value);
                }
        if (e.bound == lowering::Bound::Scheduling && !e.scheduling.empty()) {
            const auto& part = *std::ranges::max_element(
                e.scheduling, {}, [](const lowering::TimePart& p) { return p.time.value; });
            return roofline::durationText(part.time) + " of " + part.name
                + (step.executions > 1 ? " each time" : "");
        }
        if (e.bound == lowering::Bound::Compute && peak() && e.flops.value > 0)
            return work(e.flops.value) + " at " + percent(e.flops.value / e.time.value / *peak())
                + " of the " + peakName();
        return {};
    }

    bool isMostlyWeights(StepId id, double moved) const {
        double weights = 0;
        for (const memory::BorderValue& value : m_analysis.borders().of(id))
            if (value.role == lowering::ValueRole::Weight && !value.isWritten)
                weights += static_cast<double>(value.device.value);
        return weights > moved / 2;
    }

    /// The dearest kind of cost that the first clause does not speak of.
    std::string second(GapKind first) const {
        GapKind best = first;
        for (const GapKind kind :
            {GapKind::Padding, GapKind::Relayout, GapKind::Launch, GapKind::Stall})
            if (kind != first && share(kind) >= kWorthSaying
                && (best == first || seconds(kind) > seconds(best)))
                best = kind;
        if (best == first)
            return {};
        const std::string added = roofline::durationText(Seconds(seconds(best)));
        switch (best) {
        case GapKind::Padding:
            return "padding adds " + added;
        case GapKind::Relayout:
            if (const auto* cause = dearest(roofline::CauseKind::Relayout);
                cause && cause->time.value > 0.8 * seconds(best))
                return "the " + cause->name + " adds " + added;
            return "changing layouts adds " + added;
        default:
            break;
        }
        const std::string name = spoken(namesOf(best).front());
        if (best == GapKind::Launch && isEvent(name)
            && executionsWith(lowering::PartKind::Launch) != 1)
            return plural(name) + " add " + added;
        return name
            + (name.ends_with('s') || name.find(" and ") != std::string::npos ? " add " : " adds ")
            + added;
    }

    std::string tail() const {
        std::int64_t unknown = 0;
        for (const StepId id : m_steps)
            unknown += !m_result.program.steps[id].estimate.isKnown;
        std::string text;
        if (unknown > 0)
            text = "; " + numbered(unknown, "step", "steps") + " without a time "
                + (unknown == 1 ? "is" : "are") + " not in it";
        if (m_row.unsupported > 0)
            text += "; it does not take " + shortName(m_row.unsupportedNames.front())
                + (m_row.unsupported > 1 ? " and "
                            + numbered(m_row.unsupported - 1, "operator", "operators") + " more"
                                         : "");
        return text;
    }

    const Result& m_result;
    const ComparisonRow& m_row;
    std::span<const StepId> m_steps; ///< ascending
    roofline::GapAnalysis m_analysis;
    roofline::Gap m_gap;
    std::array<double, kGapKinds> m_byKind{};
    std::pair<std::string_view, std::string_view> m_word{"kernel", "kernels"};
};

std::string removedSentence(const Result& result, std::span<const ir::NodeId> nodes) {
    for (const ir::NodeId node : nodes)
        if (result.nodes.contains(node) && !result.nodes[node].rule.empty())
            return "Nothing of it is left in the program: " + result.nodes[node].rule
                + (result.nodes[node].rule.ends_with('.') ? "" : ".");
    return "Nothing of it is left in the program.";
}

} // namespace

std::string comparisonSentence(const Result& result, const ComparisonRow& row,
    std::span<const ir::NodeId> nodes, std::span<const StepId> steps) {
    if (row.isRemoved)
        return removedSentence(result, nodes);
    if (steps.empty())
        return "The program has no steps.";
    if (row.time)
        return Reason(result, row, steps).text();
    if (row.unsupported > 0)
        return "No time is known: " + result.machine().name + " does not take "
            + numbered(row.unsupported, "operator", "operators") + ": "
            + shortName(row.unsupportedNames.front()) + (row.unsupported > 1 ? " first." : ".");
    return "No time is known: the shapes are unknown until their sizes are bound.";
}

} // namespace fivefold::analysis
