// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/program.h"

#include <span>
#include <vector>

namespace fivefold::memory {

/// What a step is for.
enum class StepKind : std::uint8_t {
    Work, ///< does something for the model
    Relayout, ///< every node was added by lowering, and it rearranges a value
    Transfer, ///< added by lowering; brings a value as it is to another memory
};

/// A value that a step reads from outside or leaves for others.
struct BorderValue {
    lowering::ValueId value; ///< of the scheduled stage
    bool isWritten = false;
    /// Bytes of one execution; a table that is looked up counts with what is read of it. 0 where
    /// the shape is unknown.
    base::Bytes logical;
    base::Bytes device; ///< with padding; ≥ logical
    std::size_t level = 0; ///< farthest memory that keeps it; the farthest one where nothing says
    bool isSpill = false; ///< it is kept there because a nearer memory had no room
    lowering::BufferId buffer; ///< there; invalid where nothing says
    lowering::ValueRole role = lowering::ValueRole::Activation; ///< of the value that it shows
};

/// The borders of all steps. Built in O(nodes + edges + buffers). Refers to the program.
class StepBorders {
public:
    explicit StepBorders(const lowering::Program& program);

    std::span<const BorderValue> of(lowering::StepId step) const;
    StepKind kind(lowering::StepId step) const { return m_kinds[step]; }
    /// Step that a node of the scheduled stage runs in; invalid: none.
    lowering::StepId stepOf(lowering::NodeId node) const;
    /// The scheduled stage; the placed one, or null, where a program has none.
    const lowering::StageGraph* graph() const { return m_graph; }

private:
    struct Home {
        std::size_t level = 0;
        lowering::BufferId buffer;
        lowering::ValueRole role = lowering::ValueRole::Activation;
    };
    void findHomes();
    void addStep(lowering::StepId step);
    void addValue(lowering::ValueId value, lowering::StepId step, bool isWritten);
    StepKind kindOf(const lowering::Step& step, lowering::StepId id) const;

    const lowering::Program& m_program;
    const lowering::StageGraph* m_graph = nullptr;
    base::IdVector<lowering::NodeId, lowering::StepId> m_stepOf;
    base::IdVector<lowering::ValueId, Home> m_homes;
    std::vector<std::uint8_t> m_isOutput; ///< by value
    std::vector<std::uint32_t> m_seenBy; ///< value → last step that listed it
    std::vector<BorderValue> m_values;
    std::vector<std::size_t> m_first; ///< step → its first entry; one more than steps
    base::IdVector<lowering::StepId, StepKind> m_kinds;
};

} // namespace fivefold::memory
