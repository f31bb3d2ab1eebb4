// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/lowering/systolic.h"

#include <optional>
#include <string>
#include <vector>

namespace fivefold::analysis {

/// What a box of the machine's picture stands for.
enum class BoxKind { Device, Unit, Memory, Link };
std::string_view toString(BoxKind kind); ///< "device", "unit", "memory", "link"

struct BoxFigure {
    std::string key; ///< "capacity", "bandwidth", "usable", "count", "macs_per_cycle_fp16"
    machines::Figure figure;
};

/// One box in the notation that all machines share.
struct DiagramBox {
    BoxKind kind = BoxKind::Device;
    std::string name;
    std::string detail; ///< shape of a unit, scope of a memory, direction of a link
    std::string managedBy; ///< of a memory
    std::optional<std::size_t>
        parent; ///< box that holds it; none: the device itself, and what lies outside it
    std::optional<double> count; ///< on the whole device; nullopt: unknown
    std::optional<double> perParent; ///< in one of its parents; nullopt: unknown
    machines::UnitRole role = machines::UnitRole::Other; ///< of a unit
    machines::MemoryKind memory = machines::MemoryKind::Device; ///< of a memory
    std::string linkRole; ///< of a link: "host", "chip", "fabric"
    std::optional<std::size_t> index; ///< into Machine::memories, units or links
    std::vector<BoxFigure> figures; ///< unknown ones included
    std::optional<lowering::SystolicArray> array; ///< of a unit that is one
};

/// The machine's own word for a notion.
struct Word {
    std::string_view key, notion;
    std::string word; ///< empty: the machine has none
};

/// A machine as boxes inside boxes: the device first, then its units with their memories, its own
/// memories from far to near, and its links. Memories of kind Device and Host lie outside the
/// device. Made from the description alone, so that a user's own machine draws like a bundled one.
struct MachineDiagram {
    std::vector<DiagramBox> boxes; ///< parents before children
    std::vector<Word>
        vocabulary; ///< of the machine, else of the first bundled machine of its family
    std::vector<std::string> unpublished;

    std::vector<std::size_t> children(std::optional<std::size_t> parent) const;
    std::optional<std::size_t> memoryBox(
        std::size_t level) const; ///< level: index into Machine::memories
};
MachineDiagram machineDiagram(const machines::Machine& machine);

/// The machine's systolic array: the first unit with rows and columns, else the parameters mxu_size
/// (tpu) or mxm_rows and mxm_columns (groq), else none.
struct MachineArray {
    lowering::SystolicArray array;
    std::string unit; ///< "MXU"
    std::optional<double> count; ///< arrays on the device
    machines::FigureStatus status =
        machines::FigureStatus::Published; ///< of the weakest of its sizes
    std::string source;
};
std::optional<MachineArray> machineArray(const machines::Machine& machine);

/// What one box has to do with the selection.
struct BoxUse {
    std::size_t box = 0;
    std::optional<std::int64_t> unitsUsed; ///< of a unit: how many work
    std::vector<lowering::BufferId> buffers; ///< of a memory: where the tensor lies
    base::Bytes held; ///< bytes of those buffers in one instance of the memory
    base::Bytes read, written; ///< traffic of the selected steps, all executions
    bool isBound = false; ///< what the selected steps wait for most
};

/// Where the selection lives: a tensor's buffers, and the units and memory levels of its steps.
/// `steps` and `value` may both be empty; then nothing is lit. O(buffers + steps).
struct MachineUse {
    std::vector<BoxUse> boxes; ///< of lit boxes only, in the order of the boxes
    const BoxUse* find(std::size_t box) const;
};
MachineUse machineUse(const Result& result, const MachineDiagram& diagram,
    const std::vector<lowering::StepId>& steps, ir::ValueId value);

/// The first matrix product of the steps: one of its `batch` products is m × k by k × n.
struct Product {
    lowering::StepId step;
    lowering::NodeId node; ///< of the scheduled stage
    std::int64_t batch = 1, m = 0, n = 0, k = 0;
};
std::optional<Product> productOf(const Result& result, const std::vector<lowering::StepId>& steps);

} // namespace fivefold::analysis
