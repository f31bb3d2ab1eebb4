// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/machine_diagram.h"

#include <algorithm>
#include <cctype>

namespace fivefold::analysis {

using lowering::SystolicArray;
using machines::Figure;
using machines::Machine;
using machines::MemoryKind;
using machines::UnitRole;

namespace {

bool isMentioned(const Figure& figure) {
    return figure.isKnown() || !figure.unit.empty();
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x))
            == std::tolower(static_cast<unsigned char>(y));
    });
}

std::optional<std::int64_t> positive(const Figure& figure) {
    if (!figure.isKnown() || !(*figure.value >= 1) || *figure.value > 1e9)
        return std::nullopt;
    return static_cast<std::int64_t>(*figure.value);
}

std::optional<SystolicArray> arrayOf(const machines::Unit& unit) {
    const auto rows = positive(unit.rows);
    const auto columns = positive(unit.columns);
    if (!rows || !columns)
        return std::nullopt;
    return SystolicArray{*rows, *columns, positive(unit.lanes).value_or(1)};
}

class DiagramMaker {
public:
    explicit DiagramMaker(const Machine& machine)
        : m_machine(machine) { }

    MachineDiagram make() {
        addDevice();
        for (std::size_t i = 0; i < m_machine.units.size(); ++i)
            addUnit(i);
        for (std::size_t i = 0; i < m_machine.memories.size(); ++i)
            addMemory(i);
        for (std::size_t i = 0; i < m_machine.links.size(); ++i)
            addLink(i);
        for (DiagramBox& box : m_diagram.boxes)
            if (box.parent && box.count)
                if (const auto parents = m_diagram.boxes[*box.parent].count;
                    parents && *parents > 0)
                    box.perParent = *box.count / *parents;
        addVocabulary();
        m_diagram.unpublished = m_machine.unpublished;
        return std::move(m_diagram);
    }

private:
    static void figure(DiagramBox& box, std::string key, const Figure& figure) {
        if (isMentioned(figure))
            box.figures.push_back({std::move(key), figure});
    }

    void addDevice() {
        DiagramBox box;
        box.kind = BoxKind::Device;
        box.name = m_machine.name;
        box.detail = m_machine.generation;
        box.count = 1;
        for (const auto& [precision, peak] : m_machine.peaks)
            figure(box, "peak." + std::string(machines::toString(precision)), peak);
        figure(box, "clock", m_machine.clock);
        figure(box, "power", m_machine.power);
        m_diagram.boxes.push_back(std::move(box));
    }

    std::optional<std::size_t> unitBox(std::string_view name) const {
        const auto& boxes = m_diagram.boxes;
        const auto found = std::ranges::find_if(boxes, [&](const DiagramBox& box) {
            return box.kind == BoxKind::Unit && equalIgnoringCase(box.name, name);
        });
        if (found == boxes.end())
            return std::nullopt;
        return static_cast<std::size_t>(found - boxes.begin());
    }

    void addUnit(std::size_t index) {
        const machines::Unit& unit = m_machine.units[index];
        DiagramBox box;
        box.kind = BoxKind::Unit;
        box.name = unit.name;
        box.detail = unit.shape;
        box.role = unit.role;
        box.index = index;
        box.count = unit.count.value;
        box.parent = unit.inside.empty() ? kDevice : unitBox(unit.inside).value_or(kDevice);
        box.array = arrayOf(unit);
        figure(box, "count", unit.count);
        figure(box, "rows", unit.rows);
        figure(box, "columns", unit.columns);
        figure(box, "lanes", unit.lanes);
        for (const auto& [key, value] : unit.figures)
            figure(box, key, value);
        m_diagram.boxes.push_back(std::move(box));
    }

    void addMemory(std::size_t index) {
        const machines::Memory& memory = m_machine.memories[index];
        DiagramBox box;
        box.kind = BoxKind::Memory;
        box.name = memory.name;
        box.detail = memory.scope;
        box.managedBy = memory.managedBy;
        box.memory = memory.kind;
        box.index = index;
        box.count = static_cast<double>(memory.instances);
        constexpr std::string_view kPer = "per ";
        if (memory.scope.starts_with(kPer))
            box.parent = unitBox(std::string_view(memory.scope).substr(kPer.size()));
        if (!box.parent && memory.kind != MemoryKind::Device && memory.kind != MemoryKind::Host)
            box.parent = kDevice;
        figure(box, "capacity", memory.capacity);
        figure(box, "usable", memory.usable);
        figure(box, "bandwidth", memory.bandwidth);
        figure(box, "aggregate_bandwidth", memory.aggregateBandwidth);
        m_diagram.boxes.push_back(std::move(box));
    }

    void addLink(std::size_t index) {
        const machines::Link& link = m_machine.links[index];
        DiagramBox box;
        box.kind = BoxKind::Link;
        box.name = link.name;
        box.detail = link.direction;
        box.linkRole = link.role;
        box.index = index;
        box.count = link.count.value;
        figure(box, "bandwidth", link.bandwidth);
        figure(box, "count", link.count);
        figure(box, "latency", link.latency);
        m_diagram.boxes.push_back(std::move(box));
    }

    void addVocabulary() {
        const std::map<std::string, std::string>* words = &m_machine.vocabulary;
        if (words->empty())
            for (const auto& other : machines::bundledMachines())
                if (other->family == m_machine.family) {
                    words = &other->vocabulary;
                    break;
                }
        for (const machines::VocabularyEntry& entry : machines::kVocabulary) {
            const auto found = words->find(std::string(entry.key));
            m_diagram.vocabulary.push_back(
                {entry.key, entry.notion, found == words->end() ? std::string() : found->second});
        }
    }

    static constexpr std::size_t kDevice = 0;

    const Machine& m_machine;
    MachineDiagram m_diagram;
};

/// Units that an operator of this class runs on: the first of the wanted role, else the first core,
/// else the first.
std::optional<std::size_t> unitFor(const MachineDiagram& diagram, UnitRole wanted) {
    std::optional<std::size_t> core, first;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        const DiagramBox& box = diagram.boxes[i];
        if (box.kind != BoxKind::Unit)
            continue;
        if (box.role == wanted)
            return i;
        if (box.role == UnitRole::Core && !core)
            core = i;
        if (!first)
            first = i;
    }
    return core ? core : first;
}

UnitRole roleFor(ir::OpClass opClass) {
    switch (opClass) {
    case ir::OpClass::Contraction:
        return UnitRole::Matrix;
    case ir::OpClass::Normalisation:
    case ir::OpClass::Pointwise:
        return UnitRole::Vector;
    case ir::OpClass::Movement:
    case ir::OpClass::Control:
    case ir::OpClass::Other:
        break;
    }
    return UnitRole::Movement;
}

class UseFinder {
public:
    UseFinder(const Result& result, const MachineDiagram& diagram)
        : m_result(result)
        , m_diagram(diagram)
        , m_uses(diagram.boxes.size()) { }

    void addValue(ir::ValueId value) {
        const lowering::StageGraph& placed = m_result.program.stage(lowering::Stage::Placed);
        const auto& buffers = m_result.program.buffers;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const lowering::Buffer& buffer = buffers[lowering::BufferId(i)];
            if (placed.values[buffer.value].source != value)
                continue;
            if (BoxUse* use = memory(buffer.level)) {
                use->buffers.emplace_back(i);
                use->held += buffer.bytes;
            }
        }
    }

    void addStep(lowering::StepId id) {
        const lowering::Step& step = m_result.program.steps[id];
        const lowering::StageGraph& scheduled = m_result.program.stage(lowering::Stage::Scheduled);
        const auto opClass =
            step.mainNode.isValid() ? scheduled.nodes[step.mainNode].opClass() : ir::OpClass::Other;
        addUnit(step, opClass);
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (BoxUse* use = traffic.total().value > 0 ? memory(traffic.level) : nullptr) {
                use->read += traffic.read * step.executions;
                use->written += traffic.written * step.executions;
            }
        if (step.estimate.isKnown && step.estimate.bound == lowering::Bound::Memory)
            if (BoxUse* use = memory(step.estimate.boundLevel))
                use->isBound = true;
    }

    MachineUse take() {
        MachineUse use;
        for (std::size_t i = 0; i < m_uses.size(); ++i)
            if (m_uses[i]) {
                m_uses[i]->box = i;
                use.boxes.push_back(std::move(*m_uses[i]));
            }
        return use;
    }

private:
    BoxUse& at(std::size_t box) {
        if (!m_uses[box])
            m_uses[box].emplace();
        return *m_uses[box];
    }
    BoxUse* memory(std::size_t level) {
        const auto box = m_diagram.memoryBox(level);
        return box ? &at(*box) : nullptr;
    }

    /// The unit and the units around it; the number that works is that of the outermost core.
    void addUnit(const lowering::Step& step, ir::OpClass opClass) {
        auto box = unitFor(m_diagram, roleFor(opClass));
        if (box && step.estimate.isKnown && step.estimate.bound == lowering::Bound::Compute)
            at(*box).isBound = true;
        while (box && m_diagram.boxes[*box].kind == BoxKind::Unit) {
            BoxUse& use = at(*box);
            const auto parent = m_diagram.boxes[*box].parent;
            const bool isOutermost = !parent || m_diagram.boxes[*parent].kind != BoxKind::Unit;
            if (isOutermost)
                use.unitsUsed = std::max(use.unitsUsed.value_or(0), step.unitsUsed);
            box = parent;
        }
    }

    const Result& m_result;
    const MachineDiagram& m_diagram;
    std::vector<std::optional<BoxUse>> m_uses;
};

std::optional<MachineArray> fromParameters(const Machine& machine, const char* rowsKey,
    const char* columnsKey, const char* name, const char* countKey) {
    const Figure* rows = machine.parameter(rowsKey);
    const Figure* columns = machine.parameter(columnsKey);
    if (!rows || !columns || !positive(*rows) || !positive(*columns))
        return std::nullopt;
    const Figure* count = machine.parameter(countKey);
    return MachineArray{{*positive(*rows), *positive(*columns), 1}, name,
        count ? count->value : std::nullopt, std::max(rows->status, columns->status), rows->source};
}

} // namespace

std::string_view toString(BoxKind kind) {
    switch (kind) {
    case BoxKind::Device:
        return "device";
    case BoxKind::Unit:
        return "unit";
    case BoxKind::Memory:
        return "memory";
    case BoxKind::Link:
        break;
    }
    return "link";
}

std::vector<std::size_t> MachineDiagram::children(std::optional<std::size_t> parent) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].parent == parent)
            found.push_back(i);
    return found;
}

std::optional<std::size_t> MachineDiagram::memoryBox(std::size_t level) const {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].kind == BoxKind::Memory && boxes[i].index == level)
            return i;
    return std::nullopt;
}

MachineDiagram machineDiagram(const Machine& machine) {
    return DiagramMaker(machine).make();
}

std::optional<MachineArray> machineArray(const Machine& machine) {
    for (const machines::Unit& unit : machine.units)
        if (const auto array = arrayOf(unit))
            return MachineArray{*array, unit.name, unit.count.value,
                std::max(unit.rows.status, unit.columns.status), unit.rows.source};
    if (machine.family == "tpu")
        return fromParameters(machine, "mxu_size", "mxu_size", "MXU", "mxu_count");
    if (machine.family == "groq")
        return fromParameters(machine, "mxm_rows", "mxm_columns", "MXM plane", "mxm_planes");
    return std::nullopt;
}

const BoxUse* MachineUse::find(std::size_t box) const {
    const auto found = std::ranges::find(boxes, box, &BoxUse::box);
    return found == boxes.end() ? nullptr : &*found;
}

MachineUse machineUse(const Result& result, const MachineDiagram& diagram,
    const std::vector<lowering::StepId>& steps, ir::ValueId value) {
    UseFinder finder(result, diagram);
    if (value.isValid())
        finder.addValue(value);
    for (lowering::StepId step : steps)
        finder.addStep(step);
    return finder.take();
}

std::optional<Product> productOf(const Result& result, const std::vector<lowering::StepId>& steps) {
    const lowering::StageGraph& scheduled = result.program.stage(lowering::Stage::Scheduled);
    for (lowering::StepId id : steps)
        for (lowering::NodeId nodeId : result.program.steps[id].nodes) {
            const lowering::Work& work = scheduled.nodes[nodeId].work;
            if (work.isKnown && work.m > 0 && work.n > 0 && work.k > 0)
                return Product{
                    id, nodeId, std::max<std::int64_t>(1, work.batch), work.m, work.n, work.k};
        }
    return std::nullopt;
}

} // namespace fivefold::analysis
