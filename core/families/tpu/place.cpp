// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/estimate.h"
#include "core/families/tpu/residency.h"
#include "core/families/tpu/stages.h"

#include "core/lowering/steps.h"
#include "core/lowering/tiling.h"
#include "core/memory/placement.h"

#include <algorithm>

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
        std::vector<Candidate> candidates;
        for (const ValueId id : memory::storedAtBorders(m_graph, borders, m_stored))
            if (lives[id].first.isValid() && lives[id].last.isValid())
                candidates.push_back({id, lives[id], isInternal(m_graph, id, isResult)});
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
            if (!candidates[i].isInternal || bytes.value > m_device.residentBytes)
                continue;
            requests.push_back({bytes, candidates[i].life});
            asking.push_back(i);
        }
        const auto addresses =
            memory::allocateFirstFit(requests, base::Bytes(m_device.residentBytes), kAlignment);
        for (std::size_t i = 0; i < asking.size(); ++i)
            result[asking[i]] = addresses[i];
        return result;
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
        if (near) {
            buffer.reason = "An internal result that fits beside the kernels' windows stays in "
                + nearName + ".";
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

} // namespace

base::Result<StageGraph> place(const Context& context, StageGraph laidOut, Program& program) {
    const Device device = tpu::device(context);
    laidOut.stage = Stage::Placed;
    program.steps = stepsFromKernels(laidOut);
    const auto borders = boundaries(laidOut);
    if (!context.machine.memories.empty())
        Placer(context, device, laidOut, program).run(borders);
    const auto stored = storedValues(laidOut);
    const auto isNear = nearValues(laidOut, program, device);
    std::size_t done = 0;
    for (Step& step : program.steps) {
        if ((++done & 255) == 0 && context.progress.isCancelled())
            return base::Progress::cancelled();
        const StepPlan plan = planStep(device, laidOut, step.kernel,
            kernelBytes(laidOut, borders[step.kernel], step.kernel, stored, isNear));
        step.workDivision = plan.workDivision;
        step.unitsUsed = plan.unitsUsed;
    }
    program.mode = device.chipShare < 1
        ? "One sequential program on one TensorCore: each is a device of its own here."
        : "One sequential program on the whole chip.";
    return laidOut;
}

} // namespace fivefold::families::tpu
