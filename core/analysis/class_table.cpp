// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/class_table.h"

#include "core/analysis/result.h"
#include "core/lowering/tiling.h"

#include <array>

namespace fivefold::analysis {

namespace {

constexpr std::size_t kClasses = 6;

/// Index of the memory off the chip: the farthest that is not the host's.
std::size_t farLevel(const machines::Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i)
        if (machine.memories[i].kind != machines::MemoryKind::Host)
            return i;
    return 0;
}

} // namespace

ir::OpClass classOf(const lowering::Program& program, lowering::StepId step) {
    const lowering::StageGraph& graph = program.stage(lowering::Stage::Scheduled);
    const lowering::NodeId main = program.steps[step].mainNode;
    if (!graph.nodes.contains(main))
        return ir::OpClass::Other;
    return graph.nodes[main].opClass();
}

std::vector<ClassRow> classTable(const Result& result) {
    const std::size_t far = farLevel(result.machine());
    std::array<ClassRow, kClasses> rows;
    for (std::size_t c = 0; c < kClasses; ++c)
        rows[c].opClass = static_cast<ir::OpClass>(c);
    const lowering::Program& program = result.program;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
        const lowering::StepId id(s);
        const lowering::Step& step = program.steps[id];
        ClassRow& row = rows[static_cast<std::size_t>(classOf(program, id))];
        ++row.steps;
        if (result.energy.contains(id))
            roofline::addEnergy(row.energy, result.energy[id]);
        if (!step.estimate.isKnown) {
            ++row.unknownSteps;
            continue;
        }
        const std::int64_t n = std::max<std::int64_t>(0, step.executions);
        const auto times = static_cast<double>(n);
        row.flops += base::Flops(step.estimate.flops.value * times);
        row.time += times * step.estimate.time;
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (traffic.level == far)
                row.bytes = base::Bytes(lowering::saturatingAdd(
                    row.bytes.value, lowering::saturatingMul(traffic.total().value, n)));
    }
    const auto peak = result.machine().peak(result.request.settings.precision);
    ClassRow& products = rows[static_cast<std::size_t>(ir::OpClass::Contraction)];
    if (peak && *peak > 0 && products.time.value > 0)
        products.matrixUtilisation = products.flops.value / (*peak * products.time.value);
    std::vector<ClassRow> table;
    for (ClassRow& row : rows)
        if (row.steps > 0)
            table.push_back(std::move(row));
    return table;
}

} // namespace fivefold::analysis
