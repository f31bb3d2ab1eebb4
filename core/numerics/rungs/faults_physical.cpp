// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_physical.h"

namespace fivefold::numerics {

namespace {

std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

bool acts(const PlantedFault& planted) {
    if (!planted.place.isSound())
        return false;
    if (planted.number <= 19)
        return layoutFaultActs(planted);
    if (planted.number <= 23)
        return conflictFaultActs(planted);
    return planted.number <= 27 ? progressFaultActs(planted) : transferFaultActs(planted);
}

PlantedFault planted(const Subject& subject, const lowering::StageGraph& graph, const Fault& fault,
    const RungOptions& options) {
    PlantedFault result;
    result.fault = &fault;
    result.number = number(fault.id);
    result.place = placeOf(graph, subject.graph(), fault.node);
    result.poison = options.poison;
    result.draw = mixed(fault.seed) ^ (options.seed * 0x9E3779B97F4A7C15ULL);
    result.program = subject.program.get();
    result.graph = &graph;
    result.captured = &subject.graph();
    if (subject.graph().nodes.contains(fault.node))
        result.capturedOp = subject.graph().nodes[fault.node].op;
    return result;
}

} // namespace

double uniform(std::uint64_t seed, std::uint64_t purpose) {
    return static_cast<double>(mixed(seed ^ mixed(purpose)) >> 11) * 0x1p-53;
}

std::vector<PlantedFault> plantedFaults(const Subject& subject, const lowering::StageGraph& graph,
    Rung rung, const RungOptions& options) {
    std::vector<PlantedFault> result;
    for (const Fault* fault : activeFaults(options, rung)) {
        const int id = number(fault->id);
        if (id < 12 || id > 31)
            continue;
        PlantedFault one = planted(subject, graph, *fault, options);
        if (acts(one))
            result.push_back(std::move(one));
    }
    return result;
}

bool spoilsOperand(int id) {
    return id == 18 || id == 19 || (id >= 21 && id <= 23) || (id >= 27 && id <= 29);
}

bool spoilsResult(int id) {
    return id == 12 || id == 17 || id == 30;
}

std::int64_t spoilOperand(const PlantedFault& planted, DeviceValue& operand) {
    if (!operand.hasLanes())
        return 0;
    if (planted.number <= 19)
        misreadLayout(planted, operand);
    else if (planted.number <= 23)
        misreadConflict(planted, operand);
    else if (planted.number == 27)
        return misreadQueue(planted, operand);
    else
        misreadTransfer(planted, operand);
    return 0;
}

bool physicalFaultAppliesTo(FaultId id, const Subject& subject, ir::NodeId node) {
    if (!subject.program || !subject.machine)
        return false;
    const auto& graph = subject.program->stages[static_cast<std::size_t>(
        number(id) <= 19 ? lowering::Stage::LaidOut : lowering::Stage::Scheduled)];
    if (!graph)
        return false;
    Fault fault;
    fault.id = id;
    fault.node = node;
    return acts(planted(subject, *graph, fault, RungOptions()));
}

} // namespace fivefold::numerics
