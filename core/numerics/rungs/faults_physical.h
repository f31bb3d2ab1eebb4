// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/physical_node.h"
#include "core/numerics/rungs/physical_place.h"

#include <optional>
#include <string>

/// The switches F12 to F31. What each does stands in the table of the fault catalogue
/// (numerics/faults.h); how it is expressed here, beside the function. Sizes that a fault leaves
/// open come from shapes and from Fault::seed; times also from RungOptions::seed, so that two runs
/// of one fault differ as two runs of a machine do.
namespace fivefold::numerics {

/// A planted fault of these, at its place in the stage that runs.
struct PlantedFault {
    const Fault* fault = nullptr;
    int number = 0; ///< 12..31
    FaultPlace place;
    double poison = 0; ///< what memory held before
    std::uint64_t draw = 0; ///< of both seeds: for what varies from run to run
    const lowering::Program* program = nullptr;
    const lowering::StageGraph* graph = nullptr;
    ir::Op capturedOp = ir::Op::Unknown;
    const ir::Graph* captured = nullptr;

    double parameter(std::string_view name, double fallback) const {
        return fault->parameter(name, fallback);
    }
    double arrivedShare() const; ///< F28: of the operand's elements, when it is read
    std::int64_t missingBytes() const; ///< F29: at the end of the operand's transfer
};

/// The faults of the options that are in force at a rung, with their places. One whose place is not
/// in the stage is left out.
std::vector<PlantedFault> plantedFaults(const Subject& subject, const lowering::StageGraph& graph,
    Rung rung, const RungOptions& options);

/// F13 to F16: what the padding of a consumed operand holds instead of its identity.
/// Nullopt: not this fault, or not at this node.
std::optional<PadRule> faultyPad(const PlantedFault& planted, const lowering::Node& node,
    const PaddedOperand& operand, const DeviceValue& value);

/// F18, F19, F21 to F23, F27 to F29: what the place's nodes see in the place of their operand.
/// Returns tokens that were lost (F27).
std::int64_t spoilOperand(const PlantedFault& planted, DeviceValue& operand);
bool spoilsOperand(int number);

/// F12, F17, F30: what an exit's result becomes. `operand` is its first one.
void spoilResult(
    const PlantedFault& planted, DeviceValue& result, const DeviceValue* operand, bool isTracked);
bool spoilsResult(int number);

/// F31: a graph input as it arrives.
void spoilInput(const PlantedFault& planted, DeviceValue& input);

/// F24 to F26 and F30: the program stops before a node.
struct Standstill {
    lowering::NodeId before;
    std::optional<schedule::Deadlock> deadlock; ///< none: a time-out
    std::string sentence;
    std::int64_t lostTokens = 0;
    std::optional<Transfer> outstanding; ///< F30
};
std::optional<Standstill> standstill(const PlantedFault& planted);

/// Uniform number of [0, 1) by a seed and a purpose. splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
double uniform(std::uint64_t seed, std::uint64_t purpose);

// Whether a fault can act at a place; one function a level.
bool layoutFaultActs(const PlantedFault& planted); ///< F12–F19
bool conflictFaultActs(const PlantedFault& planted); ///< F20–F23
bool progressFaultActs(const PlantedFault& planted); ///< F24–F27
bool transferFaultActs(const PlantedFault& planted); ///< F28–F31

// Operand faults by level.
void misreadLayout(const PlantedFault& planted, DeviceValue& operand); ///< F18, F19
void misreadConflict(const PlantedFault& planted, DeviceValue& operand); ///< F21–F23
std::int64_t misreadQueue(const PlantedFault& planted, DeviceValue& operand); ///< F27
void misreadTransfer(const PlantedFault& planted, DeviceValue& operand); ///< F28, F29
void doubleBlock(const PlantedFault& planted, DeviceValue& result); ///< F30, accumulating
bool isTimeout(const PlantedFault& planted); ///< F30, the other kind

} // namespace fivefold::numerics
