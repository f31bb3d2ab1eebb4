// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/problem_costs.h"

#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::analysis {

using base::Seconds;
using lowering::BufferId;
using lowering::StepId;
using lowering::ValueId;
using roofline::CauseKind;

namespace {

constexpr std::size_t kMostOccupants = 32; ///< near buffers that are tried, the largest first
constexpr std::size_t kMostSpilled = 4096; ///< spilled values that are looked at for each
constexpr std::size_t kMostBreaks = 200;

double timesOf(const lowering::Step& step) {
    return static_cast<double>(std::max<std::int64_t>(0, step.executions));
}

/// Seconds that a step takes but for scheduling when its slowest memory took `memory`.
double overlapped(const lowering::Estimate& e, double memory) {
    const bool addsUp = e.computeShare.value > 0 && e.memoryShare.value > 0;
    return addsUp ? e.computeShare.value + memory : std::max(e.compute.value, memory);
}

double levelTime(const lowering::Estimate& e, std::size_t except) {
    double longest = 0;
    for (const lowering::LevelTraffic& traffic : e.traffic)
        if (traffic.level != except)
            longest = std::max(longest, traffic.time.value);
    return longest;
}

} // namespace

std::string namePattern(std::string_view name) {
    std::string pattern;
    for (const char c : name) {
        const bool isDigit = c >= '0' && c <= '9';
        if (!isDigit)
            pattern += c;
        else if (pattern.empty() || pattern.back() != '#')
            pattern += '#';
    }
    return pattern;
}

std::optional<PaddedDimension> paddedDimension(const lowering::StageGraph& graph, ValueId value) {
    const auto& layout = graph.values[value].layout;
    if (!layout)
        return std::nullopt;
    std::optional<PaddedDimension> most;
    double largest = 1;
    for (std::size_t d = 0; d < layout->shape.size(); ++d) {
        PaddedDimension at{value, d, layout->shape[d], 1, 1};
        std::int64_t last = 0;
        for (const layout::Axis& axis : layout->axes)
            if (axis.dimension == static_cast<int>(d) && axis.extent > 0) {
                last = lowering::saturatingAdd(
                    last, lowering::saturatingMul(axis.extent - 1, axis.step));
                at.quantum = std::max(at.quantum, axis.step);
            }
        at.padded = lowering::saturatingAdd(last, 1);
        if (at.quantum == 1)
            at.quantum = at.padded;
        if (at.extent <= 0 || at.padded <= at.extent)
            continue;
        const double grows = static_cast<double>(at.padded) / static_cast<double>(at.extent);
        if (grows <= largest)
            continue;
        largest = grows;
        most = at;
    }
    return most;
}

ProblemCosts::ProblemCosts(const Result& result)
    : m_result(result)
    , m_program(result.program)
    , m_borders(result.program) {
    if (!m_borders.graph())
        return;
    indexUses();
    m_isPriced.assign(m_uses.size(), 0);
    findBreaks();
    findOccupants();
    groupCauses();
}

void ProblemCosts::indexUses() {
    m_uses.resize(m_borders.graph()->values.size());
    for (std::size_t s = 0; s < m_program.steps.size(); ++s)
        for (const memory::BorderValue& border : m_borders.of(StepId(s)))
            m_uses[border.value].emplace_back(StepId(s), static_cast<double>(border.device.value));
}

/// What a step saves over all executions when so many bytes of one memory go.
double ProblemCosts::savedBytes(StepId id, std::size_t level, double bytes) const {
    const lowering::Step& step = m_program.steps[id];
    const lowering::Estimate& e = step.estimate;
    if (!e.isKnown || e.memoryShare.value <= 0)
        return 0;
    double all = 0;
    for (const lowering::LevelTraffic& traffic : e.traffic)
        if (traffic.level == level)
            all += static_cast<double>(traffic.total().value);
    if (all <= 0)
        return 0;
    const double left = e.memoryShare.value * (1 - std::min(1.0, bytes / all));
    const double now = overlapped(e, e.memoryShare.value);
    const double then = overlapped(e, std::max(left, levelTime(e, level)));
    return std::max(0.0, now - then) * timesOf(step);
}

/// What a step loses when so many bytes more cross a memory.
double ProblemCosts::addedBytes(StepId id, std::size_t level, double bytes) const {
    const lowering::Step& step = m_program.steps[id];
    const lowering::Estimate& e = step.estimate;
    const auto bandwidth = m_result.machine().memories[level].totalBandwidth();
    if (!e.isKnown || !bandwidth || *bandwidth <= 0)
        return 0;
    double all = 0;
    for (const lowering::LevelTraffic& traffic : e.traffic)
        if (traffic.level == level)
            all += static_cast<double>(traffic.total().value);
    const double rate = all > 0 && e.memoryShare.value > 0 ? all / e.memoryShare.value : *bandwidth;
    const double memory = e.memoryShare.value + bytes / std::min(rate, *bandwidth);
    return std::max(0.0, overlapped(e, memory) - overlapped(e, e.memoryShare.value))
        * timesOf(step);
}

double ProblemCosts::savedWithout(
    std::size_t level, std::span<const ValueId> values, StepId except) const {
    std::map<StepId, double> bytes;
    for (const ValueId value : values)
        for (const auto& [step, moved] : m_uses[value])
            if (step != except)
                bytes[step] += moved;
    double saved = 0;
    for (const auto& [step, moved] : bytes)
        saved += savedBytes(step, level, moved);
    return saved;
}

void ProblemCosts::findBreaks() {
    const lowering::StageGraph& graph = *m_borders.graph();
    const machines::Machine& machine = m_result.machine();
    const auto near = std::find_if(
        machine.memories.begin(), machine.memories.end(), [](const machines::Memory& memory) {
            return memory.kind == machines::MemoryKind::Scratchpad
                && memory.managedBy.starts_with("compiler");
        });
    std::vector<ValueId> handedOver; // far buffers between two steps
    for (const lowering::Buffer& buffer : m_program.buffers)
        if (near != machine.memories.end() && !buffer.isSpill
            && buffer.category == lowering::ValueRole::Activation
            && buffer.level < static_cast<std::size_t>(near - machine.memories.begin())
            && static_cast<double>(buffer.bytes.value)
                <= near->usableBytes().value_or(0) * static_cast<double>(near->instances))
            handedOver.push_back(buffer.value);
    for (std::size_t s = 0; s < m_program.steps.size(); ++s) {
        const StepId id(s);
        const lowering::Step& step = m_program.steps[id];
        if (!graph.nodes.contains(step.mainNode))
            continue;
        const lowering::Support support = graph.nodes[step.mainNode].support;
        const bool isOnHost = support == lowering::Support::Fallback;
        if (!isOnHost && (support != lowering::Support::Unsupported || step.estimate.isKnown))
            continue;
        Break found{id, {}, {}, step.estimate.isKnown, {}};
        if (step.estimate.isKnown)
            found.own = step.estimate.time * timesOf(step);
        for (const ValueId value : handedOver) {
            const auto& uses = m_uses[value];
            if (!uses.empty() && uses.front().first <= id && uses.back().first >= id)
                found.values.push_back(value);
        }
        if (!found.values.empty())
            found.neighbours = Seconds(savedWithout(0, found.values, id));
        for (std::size_t level = 1; level < machine.memories.size(); ++level)
            if (found.neighbours.value <= 0 && !found.values.empty())
                found.neighbours = Seconds(savedWithout(level, found.values, id));
        m_breaks.push_back(std::move(found));
        if (m_breaks.size() >= kMostBreaks)
            break;
    }
}

Occupant ProblemCosts::occupantAt(BufferId id, const std::vector<Spilled>& spilled) const {
    const lowering::Buffer& near = m_program.buffers[id];
    Occupant occupant{id, {}, {}, 0};
    std::vector<const Spilled*> living;
    double saving = 0;
    for (const Spilled& candidate : spilled) {
        const lowering::Buffer& buffer = m_program.buffers[candidate.buffer];
        if (m_isPriced[buffer.value.index()] != 0 || candidate.need > near.bytes.value
            || buffer.firstStep < near.firstStep || buffer.lastStep > near.lastStep
            || buffer.level >= near.level)
            continue;
        // A result may be written over an operand that dies with it.
        std::erase_if(living, [&](const Spilled* other) {
            return m_program.buffers[other->buffer].lastStep <= buffer.firstStep;
        });
        std::int64_t taken = candidate.need;
        for (const Spilled* other : living)
            taken += other->need;
        if (taken > near.bytes.value)
            continue;
        living.push_back(&candidate);
        saving += candidate.saving;
        occupant.displaced.push_back(buffer.value);
        occupant.farLevel = buffer.level;
    }
    double own = 0;
    if (!occupant.displaced.empty())
        for (const auto& [step, bytes] : m_uses[near.value])
            own += addedBytes(step, occupant.farLevel, bytes);
    occupant.saving = Seconds(saving - own);
    return occupant;
}

void ProblemCosts::findOccupants() {
    const machines::Machine& machine = m_result.machine();
    std::vector<Spilled> spilled;
    std::vector<BufferId> near;
    for (std::size_t b = 0; b < m_program.buffers.size(); ++b) {
        const BufferId id(b);
        const lowering::Buffer& buffer = m_program.buffers[id];
        const bool isNear = buffer.level < machine.memories.size()
            && machine.memories[buffer.level].kind == machines::MemoryKind::Scratchpad;
        if (isNear && !buffer.isSpill && buffer.category == lowering::ValueRole::Activation)
            near.push_back(id);
        if (!buffer.isSpill || isNear || spilled.size() >= kMostSpilled)
            continue;
        spilled.push_back({id, 0, savedWithout(buffer.level, std::span(&buffer.value, 1), {})});
    }
    if (spilled.empty() || near.empty())
        return;
    const std::size_t level = m_program.buffers[near.front()].level;
    const std::int64_t instances = std::max<std::int64_t>(1, machine.memories[level].instances);
    for (Spilled& each : spilled)
        each.need = lowering::ceilDiv(m_program.buffers[each.buffer].bytes.value, instances);
    std::ranges::stable_sort(spilled, {},
        [this](const Spilled& each) { return m_program.buffers[each.buffer].firstStep; });
    const auto room = [this](BufferId id) { // byte·steps
        const lowering::Buffer& buffer = m_program.buffers[id];
        return static_cast<double>(buffer.bytes.value)
            * static_cast<double>(buffer.lastStep.index() - buffer.firstStep.index() + 1);
    };
    std::ranges::stable_sort(near, std::greater<>{}, room);
    near.resize(std::min(near.size(), kMostOccupants));
    while (true) {
        Occupant best;
        for (const BufferId id : near)
            if (Occupant occupant = occupantAt(id, spilled); occupant.saving > best.saving)
                best = std::move(occupant);
        if (best.saving.value <= 0 || m_occupants.size() >= kMostOccupants)
            return;
        for (const ValueId value : best.displaced)
            m_isPriced[value.index()] = 1;
        m_occupants.push_back(std::move(best));
    }
}

double ProblemCosts::savingOf(const roofline::Cause& cause) const {
    const lowering::Step& step = m_program.steps[cause.step];
    const lowering::Estimate& e = step.estimate;
    if (cause.kind != CauseKind::Padding)
        return std::min(cause.time.value, e.time.value * timesOf(step));
    // What was hidden shrinks with its own padding, and then holds the step.
    const double work =
        e.paddedFlops > e.flops && e.paddedFlops.value > 0 ? e.flops / e.paddedFlops : 1;
    double logical = 0, device = 0;
    for (const memory::BorderValue& border : m_borders.of(cause.step)) {
        logical += static_cast<double>(border.logical.value);
        device += static_cast<double>(border.device.value);
    }
    const double full = device > logical && device > 0 ? logical / device : 1;
    const auto pushed = m_pushed.find(cause.step);
    const double more = pushed == m_pushed.end() ? 0 : pushed->second;
    const double compute = e.computeShare.value * work, memory = e.memoryShare.value * full;
    double left = compute + memory + (e.memoryShare.value > 0 ? more : 0);
    if (e.memoryShare.value <= 0)
        left = std::max(left, levelTime(e, SIZE_MAX) * full + more);
    else if (e.computeShare.value <= 0)
        left = std::max(left, e.compute.value * work);
    return (e.computeShare.value + e.memoryShare.value - left) * timesOf(step);
}

/// Where a relayout into a farther memory goes away, its producer writes there instead.
void ProblemCosts::pushWrites() {
    for (const roofline::Cause& cause : m_result.causes) {
        if (cause.kind != CauseKind::Relayout || !avoidedPadding(cause))
            continue;
        const memory::BorderValue *from = nullptr, *to = nullptr;
        for (const memory::BorderValue& border : m_borders.of(cause.step))
            (border.isWritten ? to : from) = &border;
        if (to->level >= from->level || m_uses[from->value].empty())
            continue;
        for (const lowering::LevelTraffic& traffic : m_program.steps[cause.step].estimate.traffic)
            if (traffic.level == to->level && traffic.total().value > 0)
                m_pushed[m_uses[from->value].front().first] +=
                    traffic.time.value * (traffic.written / traffic.total());
    }
}

/// The dimension that most of the step's excess bytes belong to. Dimensions of 1, which reductions
/// leave, count only where there is nothing else.
std::optional<PaddedDimension> ProblemCosts::mostPadded(StepId step) const {
    std::optional<PaddedDimension> most;
    std::pair<bool, std::int64_t> weight{false, 0};
    for (const memory::BorderValue& border : m_borders.of(step)) {
        const std::int64_t more = border.device.value - border.logical.value;
        if (more <= 0)
            continue;
        const auto dimension = paddedDimension(*m_borders.graph(), border.value);
        if (!dimension)
            continue;
        const std::pair<bool, std::int64_t> mine{dimension->extent > 1, more};
        if (most && mine <= weight)
            continue;
        weight = mine;
        most = dimension;
    }
    return most;
}

/// A relayout into an order that pads less is the padding's doing: the dimension of what it reads.
std::optional<PaddedDimension> ProblemCosts::avoidedPadding(const roofline::Cause& cause) const {
    if (m_borders.kind(cause.step) != memory::StepKind::Relayout)
        return std::nullopt;
    const memory::BorderValue *from = nullptr, *to = nullptr;
    for (const memory::BorderValue& border : m_borders.of(cause.step))
        (border.isWritten ? to : from) = &border;
    if (!from || !to || to->device >= from->device || from->logical != to->logical)
        return std::nullopt;
    return paddedDimension(*m_borders.graph(), from->value);
}

std::string ProblemCosts::keyOf(const roofline::Cause& cause) const {
    const lowering::Step& step = m_program.steps[cause.step];
    switch (cause.kind) {
    case CauseKind::Padding:
        if (const auto dimension = mostPadded(cause.step))
            return "padding " + std::to_string(dimension->extent);
        return "padding " + namePattern(step.workDivision);
    case CauseKind::Relayout:
        if (const auto dimension = avoidedPadding(cause))
            return "padding " + std::to_string(dimension->extent);
        return "relayout " + cause.name + " " + namePattern(step.name);
    case CauseKind::Spill:
        return "spill " + namePattern(cause.name);
    case CauseKind::Launch:
        return "launch " + cause.name;
    case CauseKind::Host:
        return "host " + namePattern(step.name);
    case CauseKind::Stall:
        break;
    }
    return "stall " + cause.name;
}

/// Whether a step's arithmetic runs at another rate than the peak: what it takes beyond the ideal
/// is then no idle unit.
bool ProblemCosts::isOffPeak(StepId step) const {
    const lowering::NodeId main = m_program.steps[step].mainNode;
    return !m_borders.graph()->nodes.contains(main)
        || m_borders.graph()->nodes[main].opClass() != ir::OpClass::Contraction;
}

void ProblemCosts::addToGroup(const roofline::Cause& cause) {
    if (cause.kind == CauseKind::Stall && cause.name == "tile and fill" && isOffPeak(cause.step))
        return;
    double saving = savingOf(cause);
    if (cause.kind == CauseKind::Spill && !cause.chain.empty()) {
        for (const memory::BorderValue& border : m_borders.of(cause.step))
            if (border.isSpill
                && cause.name == "spill of " + m_borders.graph()->values[border.value].name) {
                if (m_isPriced[border.value.index()] != 0)
                    return;
                saving =
                    savedBytes(cause.step, border.level, static_cast<double>(border.device.value));
            }
    }
    if (saving == 0 || (saving < 0 && !m_pushed.contains(cause.step)))
        return;
    const auto [at, isNew] = m_groupOf.try_emplace(keyOf(cause), m_groups.size());
    if (isNew) {
        CostGroup& group = m_groups.emplace_back();
        group.kind = cause.kind;
        group.name = cause.name;
        group.dearest = &cause;
    }
    CostGroup& group = m_groups[at->second];
    if (cause.kind == CauseKind::Padding && group.kind != CauseKind::Padding) {
        group.kind = cause.kind; // a relayout that avoids the padding came first
        group.name = cause.name;
        group.dearest = &cause;
    }
    if (cause.kind == CauseKind::Padding && !group.dimension)
        group.dimension = mostPadded(cause.step);
    group.saving += Seconds(saving);
    group.bytes = base::Bytes(lowering::saturatingAdd(group.bytes.value, cause.bytes.value));
    ++group.steps;
    if (group.some.size() < CostGroup::kStepsKept)
        group.some.push_back(cause.step);
}

void ProblemCosts::groupCauses() {
    pushWrites();
    for (const roofline::Cause& cause : m_result.causes)
        if (cause.kind != CauseKind::Host)
            addToGroup(cause);
    std::ranges::stable_sort(m_groups, std::greater<>{}, &CostGroup::saving);
}

} // namespace fivefold::analysis
