// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/estimate.h"
#include "core/families/tpu/operators.h"
#include "core/families/tpu/prefetch.h"
#include "core/families/tpu/residency.h"
#include "core/families/tpu/stages.h"
#include "core/families/tpu/windows.h"

#include "core/lowering/placements.h"
#include "core/lowering/rewriter.h"
#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;

constexpr std::int64_t kAlignment = 4096; ///< bytes of one (8,128) tile of 32-bit elements

/// Parameters, inputs and results stay in HBM; what kernels hand over may lie on chip.
bool isInternal(const StageGraph& graph, ValueId id, const std::vector<std::uint8_t>& isResult) {
    const Value& value = graph.values[id];
    return value.producer.isValid() && isResult[id.index()] == 0
        && (value.role == ValueRole::Activation || value.role == ValueRole::Scratch);
}

struct Candidate {
    ValueId value;
    memory::Lifetime life;
    bool isInternal = false;
    std::optional<bool> wantsNear; ///< where the user wants it
};

class Placer {
public:
    Placer(const Context& context, const Device& device, const StageGraph& graph, Program& program)
        : m_context(context)
        , m_device(device)
        , m_graph(graph)
        , m_program(program)
        , m_stored(storedValues(graph)) { }

    void run(const base::IdVector<KernelId, Boundary>& borders) {
        const std::vector<Candidate> candidates = find(borders);
        const std::vector<std::optional<std::int64_t>> near = placeNear(candidates);
        placeFar(candidates, near);
        checkCapacity();
    }

private:
    std::vector<Candidate> find(const base::IdVector<KernelId, Boundary>& borders) {
        std::vector<std::uint8_t> isResult(m_graph.values.size(), 0);
        for (const ValueId output : m_graph.outputs)
            isResult[m_stored[output].index()] = 1;
        const auto lives = memory::lifetimes(m_graph, m_program.steps, m_stored);
        const Placements placements(m_context);
        std::vector<Candidate> candidates;
        for (const ValueId id : memory::storedAtBorders(m_graph, borders, m_stored)) {
            if (!lives[id].first.isValid() || !lives[id].last.isValid())
                continue;
            candidates.push_back({id, lives[id], isInternal(m_graph, id, isResult), {}});
            if (const auto level = placements.wanted(m_graph.values[id]))
                candidates.back().wantsNear = level == m_device.nearLevel;
        }
        // In the order in which lives begin: the allocator then forgets what has ended.
        std::stable_sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.life.first < b.life.first; });
        return candidates;
    }

    std::vector<std::optional<std::int64_t>> placeNear(
        const std::vector<Candidate>& candidates) const {
        std::vector<std::optional<std::int64_t>> result(candidates.size());
        if (!m_device.nearLevel || !m_device.isVmemOn)
            return result;
        std::vector<memory::Request> requests;
        std::vector<std::size_t> asking;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const base::Bytes bytes = perCore(candidates[i].value);
            if (!candidates[i].isInternal || bytes.value > m_device.residentBytes
                || candidates[i].wantsNear == false)
                continue;
            requests.push_back({bytes, candidates[i].life});
            asking.push_back(i);
        }
        // Copies of parameters take what internal results leave.
        std::vector<std::size_t> turn(requests.size());
        std::iota(turn.begin(), turn.end(), std::size_t{0});
        std::stable_partition(turn.begin(), turn.end(),
            [&](std::size_t i) { return !isCopy(candidates[asking[i]]); });
        std::stable_partition(turn.begin(), turn.end(),
            [&](std::size_t i) { return candidates[asking[i]].wantsNear == true; });
        std::vector<memory::Request> inTurn;
        for (const std::size_t i : turn)
            inTurn.push_back(requests[i]);
        const auto placed =
            memory::allocateFirstFit(inTurn, base::Bytes(m_device.residentBytes), kAlignment);
        std::vector<std::optional<std::int64_t>> addresses(requests.size());
        for (std::size_t i = 0; i < turn.size(); ++i)
            addresses[turn[i]] = placed[i];
        for (std::size_t i = 0; i < asking.size(); ++i)
            result[asking[i]] = addresses[i];
        return result;
    }

    bool isCopy(const Candidate& candidate) const {
        const NodeId producer = m_graph.values[candidate.value].producer;
        return producer.isValid()
            && m_graph.kernels[m_graph.nodes[producer].kernel].kind == kCopyStart;
    }

    /// CMEM is shared; VMEM belongs to a core, which holds its share of a result.
    base::Bytes perCore(ValueId value) const {
        const base::Bytes bytes = *m_graph.values[value].deviceBytes();
        const bool isShared = m_device.cmemLevel.has_value();
        return isShared ? bytes : base::Bytes(ceilDiv(bytes.value, m_device.cores));
    }

    void placeFar(const std::vector<Candidate>& candidates,
        const std::vector<std::optional<std::int64_t>>& near) {
        std::vector<BufferId> fixed, pool;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            Buffer buffer = bufferOf(candidates[i], near[i]);
            const bool stays = memory::isResident(buffer.category);
            const BufferId id = m_program.buffers.add(std::move(buffer));
            if (!near[i])
                (stays ? fixed : pool).push_back(id);
        }
        m_top = memory::assignAddresses(m_program, fixed, pool, kAlignment);
    }

    Buffer bufferOf(const Candidate& candidate, const std::optional<std::int64_t>& near) const {
        const base::Bytes bytes =
            near ? perCore(candidate.value) : *m_graph.values[candidate.value].deviceBytes();
        Buffer buffer = memory::bufferOf(m_graph, candidate.value,
            near ? *m_device.nearLevel : m_device.hbmLevel, {bytes, candidate.life});
        buffer.address = near.value_or(0);
        const std::string nearName =
            m_device.nearLevel ? m_context.machine.memories[*m_device.nearLevel].name : "VMEM";
        if (near && isCopy(candidate)) {
            buffer.reason = "A parameter that an asynchronous copy brings to " + nearName
                + " before the kernel that reads it.";
        } else if (near) {
            buffer.reason = "An internal result that fits beside the kernels' windows stays in "
                + nearName + ".";
        } else if (candidate.isInternal && candidate.wantsNear == false) {
            buffer.reason = "The user keeps it in HBM.";
        } else if (candidate.isInternal && m_device.isVmemOn) {
            buffer.isSpill = true;
            buffer.reason = "An internal result for which " + nearName
                + " has no room beside what lives at the same time goes to HBM.";
        } else {
            buffer.reason =
                "Parameters, inputs and results of a program lie in HBM; kernels read them "
                "through double-buffered windows.";
        }
        return buffer;
    }

    void checkCapacity() {
        const auto capacity = m_context.machine.memories[m_device.hbmLevel].usableBytes();
        if (!capacity || static_cast<double>(m_top) <= *capacity * m_device.chipShare)
            return;
        const double room = *capacity * m_device.chipShare;
        m_program.chips = static_cast<std::int64_t>(static_cast<double>(m_top) / room) + 1;
        m_context.diagnostics.warn("tpu.out_of_memory", {},
            "The program needs " + std::to_string(m_top)
                + " bytes of HBM, padding included, and the device has "
                + std::to_string(static_cast<std::int64_t>(room)) + ".",
            "Shard the model over " + std::to_string(m_program.chips)
                + " devices, or use a smaller precision or batch.");
    }

    const Context& m_context;
    const Device& m_device;
    const StageGraph& m_graph;
    Program& m_program;
    base::IdVector<ValueId, ValueId> m_stored;
    std::int64_t m_top = 0;
};

constexpr std::string_view kCrossProgram =
    "The program starts by bringing its largest matrix operand on chip: XLA prefetches one "
    "parameter across calls.";
constexpr std::string_view kAhead =
    "The kernels before leave HBM bandwidth for it, so the parameter is on chip when its first "
    "reader starts.";

/// What every step leaves of the HBM bandwidth, with all parameters in HBM.
struct Trial {
    std::vector<StepLoad> loads;
    std::vector<StepPlan> plans; ///< parallel; their estimates have all parameters in HBM
};
Trial loadsOf(const Device& device, const StageGraph& graph, const Program& program,
    const base::IdVector<KernelId, Boundary>& borders,
    const base::IdVector<ValueId, std::uint8_t>& isNear) {
    const auto stored = storedValues(graph);
    Trial trial;
    trial.loads.reserve(program.steps.size());
    trial.plans.reserve(program.steps.size());
    for (const Step& step : program.steps) {
        StepPlan plan = planStep(device, graph, step.kernel,
            kernelBytes(graph, borders[step.kernel], step.kernel, stored, isNear));
        const auto n = static_cast<double>(step.executions);
        StepLoad load;
        load.time = n * plan.estimate.time;
        for (const LevelTraffic& traffic : plan.estimate.traffic)
            if (traffic.level == device.hbmLevel)
                load.memory = n * traffic.time;
        trial.loads.push_back(load);
        plan.estimate = {};
        trial.plans.push_back(std::move(plan));
    }
    return trial;
}

NewNode half(std::string_view name) {
    NewNode node;
    node.canonical = ir::Op::Identity;
    node.suffix = name;
    node.op = name;
    return node;
}

/// Adds both halves of every copy: the start in front of the step from which on it runs, the end in
/// front of its first reader, and lets all readers from there on read the copy.
StageGraph withCopies(
    StageGraph graph, const Program& program, const std::vector<Prefetch>& prefetches) {
    std::vector<std::size_t> stepOf(graph.kernels.size(), 0);
    for (std::size_t s = 0; s < program.steps.size(); ++s)
        stepOf[program.steps[StepId(s)].kernel.index()] = s;
    Rewriter rewriter(std::move(graph), Stage::Placed, hloWords());
    std::vector<ValueId> made;
    for (const Prefetch& p : prefetches) {
        const std::vector<NodeId> readers = rewriter.users(p.value);
        const NodeId startPlace = program.steps[StepId(p.start)].nodes.front();
        const NodeId usePlace = program.steps[StepId(p.use)].nodes.front();
        const std::string why(p.isCrossProgram ? kCrossProgram : kAhead);
        const ValueId started = rewriter.insertAhead(startPlace, p.value, half(kCopyStart), why);
        const ValueId done = rewriter.insertAhead(usePlace, started, half(kCopyDone), why);
        for (const NodeId reader : readers) {
            if (stepOf[rewriter.node(reader).kernel.index()] < p.use)
                continue;
            for (std::size_t i = 0; i < rewriter.node(reader).inputs.size(); ++i)
                if (rewriter.input(reader, i) == p.value)
                    rewriter.setInput(reader, i, done);
        }
        for (const ValueId id : {started, done})
            rewriter.editValue(id).layout = rewriter.value(p.value).layout;
    }
    StageGraph placed = std::move(rewriter).finish();
    for (Kernel& kernel : placed.kernels)
        if (kernel.nodes.size() == 1)
            if (const std::string& op = placed.nodes[kernel.nodes.front()].op;
                op == kCopyStart || op == kCopyDone)
                kernel.kind = op;
    return placed;
}

/// Sets what each copy hides; found by its parameter.
void setHidden(const StageGraph& graph, Program& program, const std::vector<Prefetch>& prefetches,
    const std::vector<std::string>& names) {
    std::map<std::string, base::Seconds> hidden;
    for (std::size_t i = 0; i < prefetches.size(); ++i)
        hidden[names[i]] = prefetches[i].hidden;
    for (Step& step : program.steps) {
        if (graph.kernels[step.kernel].kind != kCopyStart)
            continue;
        const Node& node = graph.nodes[step.mainNode];
        if (const auto found = hidden.find(graph.values[node.inputs.front()].name);
            found != hidden.end())
            step.estimate.hidden = found->second;
    }
}

/// Values on chip say so in XLA's notation: S(1) is VMEM, S(3) the CMEM of v4.
void markSpaces(StageGraph& graph, const base::IdVector<ValueId, std::uint8_t>& isNear,
    const base::IdVector<ValueId, ValueId>& stored, const Device& device) {
    const std::string space = device.cmemLevel ? "S(3)" : "S(1)";
    std::map<const layout::TensorLayout*, std::shared_ptr<const layout::TensorLayout>> marked;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        Value& value = graph.values[ValueId(i)];
        if (!value.layout || isNear[stored[ValueId(i)]] == 0)
            continue;
        auto& made = marked[value.layout.get()];
        if (!made) {
            layout::TensorLayout layout = *value.layout;
            if (!layout.notation.empty() && layout.notation.back() == '}')
                layout.notation.insert(layout.notation.size() - 1,
                    (layout.notation.find(':') == std::string::npos ? ":" : "") + space);
            made = std::make_shared<const layout::TensorLayout>(std::move(layout));
        }
        value.layout = made;
    }
}

/// Windows by size, so that equal layers are planned once.
class Windows {
public:
    Windows(const Device& device, const StageGraph& graph)
        : m_device(device)
        , m_graph(graph) { }

    std::string of(const Kernel& kernel) {
        for (std::size_t i = kernel.nodes.size(); i-- > 0;) {
            const Node& node = m_graph.nodes[kernel.nodes[i]];
            const auto problem = problemOf(m_device, m_graph, node);
            if (!problem || isConvolution(node.canonical))
                continue;
            const std::int64_t bytes =
                std::max<std::int64_t>(1, ir::bitWidth(m_graph.values[node.inputs[0]].dtype) / 8);
            std::string& known =
                m_known[{problem->batch, problem->m, problem->n, problem->k, bytes}];
            if (known.empty())
                known = describe(planWindows(m_device, *problem, bytes));
            return known;
        }
        return {};
    }

private:
    const Device& m_device;
    const StageGraph& m_graph;
    std::map<std::array<std::int64_t, 5>, std::string> m_known;
};

/// The copies that fit beside the internal results.
std::vector<Prefetch> fitting(const Device& device, const StageGraph& graph, const Program& trial,
    const std::vector<Prefetch>& wanted) {
    std::vector<memory::Request> requests;
    for (const Buffer& buffer : trial.buffers)
        if (buffer.level == *device.nearLevel)
            requests.push_back({buffer.bytes, {buffer.firstStep, buffer.lastStep}});
    const std::size_t first = requests.size();
    for (const Prefetch& p : wanted) {
        const base::Bytes bytes = *graph.values[p.value].deviceBytes();
        requests.push_back(
            {device.cmemLevel ? bytes : base::Bytes(ceilDiv(bytes.value, device.cores)),
                {StepId(p.start), StepId(p.last)}});
    }
    const auto addresses =
        memory::allocateFirstFit(requests, base::Bytes(device.residentBytes), kAlignment);
    std::vector<Prefetch> fit;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (addresses[first + i])
            fit.push_back(wanted[i]);
    return fit;
}

/// The graph with the copies of parameters that the steps leave HBM bandwidth for. Fills the steps
/// and their plans, but for the copies' own.
StageGraph withPrefetches(const Context& context, const Device& device, StageGraph graph,
    Program& program, std::vector<StepPlan>& plans) {
    const auto borders = boundaries(graph);
    Program trial;
    trial.steps = program.steps;
    base::Diagnostics ignored; // the real placement reports
    const Context quiet{
        context.typed, context.cost, context.machine, context.settings, ignored, context.progress};
    Placer(quiet, device, graph, trial).run(borders);
    Trial tried = loadsOf(device, graph, trial, borders, nearValues(graph, trial, device));
    plans = std::move(tried.plans);
    const auto prefetches = fitting(
        device, graph, trial, choosePrefetches(device, graph, program.steps, borders, tried.loads));
    if (prefetches.empty() || context.progress.isCancelled())
        return graph;
    std::vector<std::string> names;
    for (const Prefetch& p : prefetches)
        names.push_back(graph.values[p.value].name);
    graph = withCopies(std::move(graph), program, prefetches);
    program.steps = stepsFromKernels(graph);
    setHidden(graph, program, prefetches, names);
    return graph;
}

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    const Device device = tpu::device(context);
    laidOut.stage = Stage::Placed;
    program.steps = stepsFromKernels(laidOut);
    std::vector<StepPlan> plans;
    if (!context.machine.memories.empty() && device.isVmemOn && device.nearLevel)
        laidOut = withPrefetches(context, device, std::move(laidOut), program, plans);
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    const auto borders = boundaries(laidOut);
    if (!context.machine.memories.empty())
        Placer(context, device, laidOut, program).run(borders);
    const auto stored = storedValues(laidOut);
    const auto isNear = nearValues(laidOut, program, device);
    markSpaces(laidOut, isNear, stored, device);
    Windows windows(device, laidOut);
    std::size_t next = 0;
    for (Step& step : program.steps) {
        // Copies stand between the steps of the trial, whose order and plans hold.
        StepPlan plan = !isAsyncCopy(laidOut, step.kernel) && next < plans.size()
            ? std::move(plans[next++])
            : planStep(device, laidOut, step.kernel,
                kernelBytes(laidOut, borders[step.kernel], step.kernel, stored, isNear));
        const std::string window = windows.of(laidOut.kernels[step.kernel]);
        step.workDivision = std::move(plan.workDivision);
        if (!window.empty())
            step.workDivision += "; " + window;
        step.unitsUsed = plan.unitsUsed;
    }
    program.mode = device.chipShare < 1
        ? "One sequential program on one TensorCore: each is a device of its own here."
        : "One sequential program on the whole chip.";
    return laidOut;
}

} // namespace fivefold::families::tpu
