// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

namespace fivefold::lowering {

/// What a compiler knows before the program runs: which captured values follow from the file's
/// constants and from shapes alone.
class CompileTime {
public:
    explicit CompileTime(const Context& context);

    /// Decides whether the node folds; its producers must have been asked before. A node folds when
    /// all its results are small integers known from shapes, or when all its operands are known and
    /// it is deterministic. Dequantisation stays: folding it would undo the file's compression.
    bool fold(ir::NodeId node);
    bool isFolded(ir::NodeId node) const { return m_isFolded[node] != 0; }
    bool isKnown(ir::ValueId value) const;
    /// The value that all elements have, where the value is known and that much can be told.
    std::optional<double> fill(ir::ValueId value);
    /// Contents of a small integer value that is known.
    std::optional<std::vector<std::int64_t>> integers(ir::ValueId value) const;

private:
    std::optional<double> evaluate(const ir::Node& node);
    std::optional<double> storedFill(ir::ValueId value) const;

    const ir::Typed& m_typed;
    const ir::Graph& m_graph;
    base::IdVector<ir::NodeId, std::uint8_t> m_isFolded;
    base::IdVector<ir::ValueId, std::optional<double>> m_fill; ///< of folded results
};

} // namespace fivefold::lowering
