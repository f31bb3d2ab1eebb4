// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/side_values.h"

#include <unordered_map>

namespace fivefold::compare {

/// A value as one run holds it.
struct Held {
    enum class Source : std::uint8_t {
        Unknown, ///< not in the dump, and nothing to recompute it from
        Dumped,
        Stored, ///< a parameter, or an input of the model: the device may round it
        Recomputed, ///< from the nearest values that the dump has
    } source = Source::Unknown;
    numerics::Datum exact;
    /// Of a recomputed one: what rounding on the way may have made of it.
    std::vector<numerics::Datum> samples;
    bool isKnown() const { return source != Source::Unknown; }
};

/// What a node gives from the run's own inputs, one a result.
struct Expected {
    numerics::Tensor value; ///< fp64, with parameters in the device's format
    numerics::Tensor unrounded; ///< with parameters as stored; undefined where that is the same
    /// What rounding of operands changes, absolute, one standard measure an element; empty:
    /// nothing.
    std::vector<double> noise;
    std::int64_t depth = 1; ///< terms of a sum
    bool isMovement = false; ///< elements are copied: any difference counts
    bool isInteger = false; ///< small integers in, exact in every format on the way
    std::size_t recomputed = 0; ///< inputs that were not in the dump
};

/// How floats are rounded on the way.
struct RoundOff {
    double unit = 0; ///< coarsest of storage and dump
    numerics::Format storage = numerics::Format::Fp64;
    double operand = 0; ///< of products' operands; ≥ unit
    double accumulator = 0; ///< of sums
    double smallest = 0; ///< step of results near zero: the coarser of storage and dump
    double largest = 0; ///< finite result that both hold
};

/// Recomputes nodes of the captured graph from one run's own values. Values that the run does not
/// have are recomputed from what it has, as far back as needed.
class Recompute {
public:
    Recompute(const numerics::Subject& subject, SideValues& side, std::size_t repeat,
        const numerics::Inputs& inputs, const RoundOff& roundOff, const base::Progress& progress);

    /// Nullopt where an operand is unknown or the operator is not executable here.
    std::optional<std::vector<Expected>> expected(ir::NodeId node);
    const Held& held(ir::ValueId value);
    /// After the node: forgets what no later node needs.
    void release(ir::ValueId value) { m_held.erase(value.value); }
    bool isRandom(ir::ValueId parameter) const; ///< its contents are made up

private:
    using Data = std::vector<numerics::Datum>;
    struct Operands {
        Data exact; ///< parameters rounded
        Data stored; ///< parameters as they are; empty where that is the same
        std::vector<std::uint8_t> isExact; ///< not touched by rounding: integers
        std::vector<Data> samples; ///< perturbed, where an operand was recomputed
        std::size_t recomputed = 0;
    };
    Held make(ir::ValueId value, int depth);
    Held stored(ir::ValueId value);
    Held recomputed(ir::ValueId value, int depth);
    std::optional<Operands> operands(ir::NodeId node, int depth);
    const numerics::Datum* widerConstant(ir::ValueId value, const Held& held);
    std::optional<Data> run(ir::NodeId node, const Data& inputs) const;
    std::optional<Data> runBodies(ir::NodeId node, const Data& inputs) const;
    numerics::Datum perturbed(const numerics::Datum& datum, std::uint64_t seed) const;
    void addSamples(ir::NodeId node, const Operands& operands, std::vector<Expected>& expected);
    const Held& held(ir::ValueId value, int depth);

    const numerics::Subject& m_subject;
    const ir::Graph& m_graph;
    SideValues& m_side;
    std::size_t m_repeat;
    const numerics::Inputs& m_inputs;
    RoundOff m_roundOff;
    const base::Progress& m_progress;
    mutable base::Diagnostics m_diagnostics;
    std::unordered_map<std::uint32_t, Held> m_held;
    std::unordered_map<std::uint32_t, numerics::Datum> m_constants; ///< wider than the dump's
};

} // namespace fivefold::compare
