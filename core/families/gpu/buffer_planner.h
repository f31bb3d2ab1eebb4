// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/expression_walk.h"

namespace fivefold::families::gpu {

/// The walk over the nodes behind planBuffers().
class BufferPlanner {
public:
    BufferPlanner(const lowering::Context& context, const lowering::StageGraph& graph,
        std::int64_t sms, bool allowsChannelsLast);
    BufferPlan run();

private:
    using ValueId = lowering::ValueId;
    using NodeId = lowering::NodeId;
    using Origins = std::vector<NodeId>;

    // buffer_planner.cpp: the walk and what makes a value a buffer
    void joinBiases();
    void findPreferences();
    void realiseEarly(ValueId value, ValueId base, int time);
    void addInputs();
    void visit(NodeId id);
    void visitView(NodeId id);
    void visitExpression(NodeId id);
    void visitScatter(NodeId id);
    void visitNothing(NodeId id);
    void after(NodeId id, ValueId value);
    void requireOutput(ValueId value, int time);
    void realiseShared(ValueId value, ValueId base, std::size_t users, int time);
    void hint(ValueId base, int time);
    void boundExpression(NodeId id, ValueState& state) const;
    struct Count {
        std::size_t reads = 0, nontrivial = 0;
        int operations = 0;
    };
    Count count(ValueId base);
    bool isKnown(NodeId id) const;

    // buffer_planner_layout.cpp: buffers, layouts, copies
    ValueId baseOf(ValueId value) const; ///< behind the views
    ValueId plain(ValueId value) const; ///< behind other names of the same elements (getitem)
    bool isRealised(ValueId value) const { return m_plan.values[value].buffer != kNoBuffer; }
    bool isExpression(ValueId base) const;
    std::size_t userCount(ValueId value) const;
    Origins gather(NodeId id) const;
    Extents eagerStrides(ValueId value) const;
    int add(PlannedBuffer buffer);
    PlannedBuffer bufferFor(ValueId value, BufferKind kind, Body body, int time) const;
    int realise(ValueId base, int time);
    void fix(int buffer, const Extents& strides);
    void freezeContiguous(int buffer);
    void freezeOrder(int buffer, const Extents& like);
    void decideLayout(int buffer);
    std::optional<Extents> stridesThrough(ValueId value) const; ///< of a view over its buffer
    int makeCopy(ValueId value, NodeId user, std::size_t input, Extents strides, std::string suffix,
        std::string reason);
    int realiseInput(NodeId user, std::size_t input);
    int requireLike(NodeId user, std::size_t input, const Extents& like, const std::string& suffix,
        const std::string& reason);

    // buffer_planner_calls.cpp: library calls, concatenations, reductions
    void visitLibrary(NodeId id);
    void visitConvolution(NodeId id);
    void visitConcat(NodeId id);
    void visitReduction(NodeId id);
    void visitWindowReduction(NodeId id);
    void visitScan(NodeId id, BufferKind kind);
    bool isPointwiseUse(NodeId user, int depth) const;
    bool concatIsExpression(NodeId id) const;
    bool wantsConcatInput(ValueId value) const;
    bool fusesReduction(ValueId base, int depth) const;
    void joinInto(NodeId id, std::size_t input, std::vector<int>& reads);
    bool readsInner(PlannedBuffer& buffer);
    void addResults(NodeId id, std::vector<int> reads);

    const lowering::Context& m_context;
    const lowering::StageGraph& m_graph;
    const ir::Graph& m_captured;
    std::int64_t m_sms;
    bool m_isFx;
    BufferPlan m_plan;
    ExpressionWalk m_walk;
    base::IdVector<NodeId, Origins> m_callOrigins; ///< of convolutions
    std::vector<std::uint8_t>
        m_prefersLast; ///< by node; empty where the graph is not channels-last
};

/// Strides of dense memory in the order of `like`: the smallest stride of it stays the smallest.
Extents denseLike(const Extents& shape, const Extents& like);
/// True when memory order agrees, extents of 1 left out [Layout.is_stride_ordered].
bool isOrderedLike(const Extents& shape, const Extents& strides, const Extents& like);
/// Channels-last strides of a 4-D tensor.
Extents channelsLastStrides(const Extents& shape);

} // namespace fivefold::families::gpu
