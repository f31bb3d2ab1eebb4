// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/operators.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/stages.h"
#include "core/families/spyre/views.h"
#include "core/lowering/rewriter.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fivefold::families::spyre {

using lowering::Context;
using lowering::Node;
using lowering::NodeId;
using lowering::Rewriter;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;
using lowering::ValueRole;

namespace {

constexpr int kSparse = -1; ///< one element a stick
constexpr int kUnset = -2; ///< the host has not placed it yet

/// Layouts by shape, type and stick dimension; equal requests share one object.
class LayoutCache {
public:
    LayoutCache(layout::SpyreLayoutVersion version, base::Diagnostics& diagnostics)
        : m_version(version)
        , m_diagnostics(diagnostics) { }

    std::shared_ptr<const layout::TensorLayout> get(const Value& value, int stick) {
        const Key key{*value.shape, value.dtype, stick};
        if (const auto found = m_layouts.find(key); found != m_layouts.end())
            return found->second;
        auto made = std::make_shared<const layout::TensorLayout>(make(value, stick));
        m_layouts.emplace(key, made);
        return made;
    }

private:
    using Key = std::tuple<Extents, ir::DType, int>;

    layout::TensorLayout make(const Value& value, int stick) {
        layout::SpyreLayoutRequest request;
        request.shape = *value.shape;
        request.dtype = value.dtype;
        request.version = m_version;
        const auto rank = static_cast<int>(request.shape.size());
        if (rank > 0 && stick != rank - 1) {
            for (int d = 0; d < rank; ++d)
                if (d != stick)
                    request.order.push_back(d);
            request.order.push_back(stick);
        }
        auto made = layout::spyreLayout(request);
        if (!made && request.version == layout::SpyreLayoutVersion::V2025_11) {
            m_diagnostics.info("spyre.layout_version", value.name,
                "The compiler of November 2025 has no layout for this tensor; the one of June 2026 "
                "is shown.");
            request.version = layout::SpyreLayoutVersion::V2026_06;
            made = layout::spyreLayout(request);
        }
        if (made)
            return *std::move(made);
        m_diagnostics.warn("spyre.no_layout", value.name,
            "The device has no stick layout for " + std::string(ir::name(value.dtype)) + ": "
                + made.error().message,
            "Convert the tensor to fp16, fp32 or int32.");
        return layout::rowMajor(request.shape, value.dtype);
    }

    layout::SpyreLayoutVersion m_version;
    base::Diagnostics& m_diagnostics;
    std::map<Key, std::shared_ptr<const layout::TensorLayout>> m_layouts;
};

std::string dimensionText(const Value& value, int stick) {
    if (stick < 0 || !value.shape || static_cast<std::size_t>(stick) >= value.shape->size())
        return "one element a stick";
    return "its stick on dimension " + std::to_string(stick) + " ("
        + std::to_string((*value.shape)[static_cast<std::size_t>(stick)]) + " elements)";
}

/// Walks the graph in program order, gives each value a stick dimension and inserts a restickify
/// where an operator wants another one than it gets.
class Propagation {
public:
    Propagation(Rewriter& rewriter, const Context& context, layout::SpyreLayoutVersion version)
        : m_rewriter(rewriter)
        , m_diagnostics(context.diagnostics)
        , m_layouts(version, context.diagnostics)
        , m_sticks(rewriter.graph().values.size(), kUnset) { }

    void run() {
        for (ValueId input : m_rewriter.graph().inputs)
            if (input.isValid() && stickOf(input) == kUnset)
                set(input, defaultStick(input));
        for (NodeId id : m_rewriter.order())
            visit(id);
        for (std::size_t i = 0; i < m_rewriter.graph().values.size(); ++i)
            if (const ValueId value(i); m_rewriter.resolve(value) == value)
                finish(value);
    }

private:
    std::size_t rank(ValueId id) const {
        const auto& shape = m_rewriter.value(id).shape;
        return shape ? shape->size() : 0;
    }
    int defaultStick(ValueId id) const { return static_cast<int>(rank(id)) - 1; }

    int stickOf(ValueId id) {
        const ValueId value = m_rewriter.resolve(id);
        if (value.index() >= m_sticks.size())
            m_sticks.resize(m_rewriter.graph().values.size(), kUnset);
        return m_sticks[value.index()];
    }
    void set(ValueId id, int stick) {
        (void)stickOf(id);
        m_sticks[m_rewriter.resolve(id).index()] = stick;
    }
    void finish(ValueId value) {
        if (stickOf(value) == kUnset)
            set(value, defaultStick(value));
        Value& edited = m_rewriter.editValue(value);
        if (edited.shape)
            edited.layout = m_layouts.get(edited, stickOf(value));
    }

    /// The host places weights and constants as their first reader wants them.
    bool isPlacedByHost(ValueId id) const {
        const ValueRole role = m_rewriter.value(id).role;
        return role == ValueRole::Weight || role == ValueRole::Constant;
    }

    void want(NodeId user, std::size_t index, int stick, const std::string& why) {
        const ValueId value = m_rewriter.input(user, index);
        if (!value.isValid() || rank(value) == 0 || stick >= static_cast<int>(rank(value)))
            return;
        const int have = stickOf(value);
        if (have == stick)
            return;
        if (have == kUnset) {
            set(value, isPlacedByHost(value) ? stick : defaultStick(value));
            if (stickOf(value) == stick)
                return;
        }
        const auto known = m_restickified.find({value.index(), stick});
        if (known != m_restickified.end()) {
            m_rewriter.setInput(user, index, known->second);
            return;
        }
        insert(user, index, value, stick, why);
    }

    void insert(NodeId user, std::size_t index, ValueId value, int stick, const std::string& why) {
        const lowering::KernelId kernel = m_rewriter.node(user).kernel;
        const std::string text = m_rewriter.node(user).name + " wants " + why + " with "
            + dimensionText(m_rewriter.value(value), stick) + "; it arrives with "
            + dimensionText(m_rewriter.value(value), stickOf(value)) + ".";
        lowering::NewNode node;
        node.canonical = ir::Op::Identity;
        node.suffix = "restickify";
        node.op = std::string(kRestickify);
        const ValueId made = m_rewriter.insertBefore(user, index, std::move(node), text);
        if (!made.isValid())
            return;
        if (const NodeId producer = m_rewriter.value(made).producer; producer.isValid())
            m_rewriter.edit(producer).kernel = kernel;
        set(made, stick);
        m_restickified.emplace(std::pair{value.index(), stick}, made);
    }

    void visit(NodeId id) {
        const Node& node = m_rewriter.node(id);
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (const ValueId in = m_rewriter.input(id, i);
                in.isValid() && stickOf(in) == kUnset && !isPlacedByHost(in))
                set(in, defaultStick(in));
        switch (kindOf(node)) {
        case OpKind::View:
            return view(id);
        case OpKind::Matmul:
            return matmul(id);
        case OpKind::Pointwise:
            return pointwise(id);
        case OpKind::Reduction:
            return reduction(id);
        case OpKind::Norm:
            return norm(id);
        case OpKind::Copy:
            return copy(id);
        default:
            return outputs(id);
        }
    }

    void outputs(NodeId id) {
        for (ValueId out : m_rewriter.node(id).outputs)
            if (out.isValid())
                set(out, defaultStick(out));
    }

    void view(NodeId id) {
        const ValueId in = m_rewriter.input(id, 0);
        if (!in.isValid() || !m_rewriter.value(in).shape)
            return outputs(id);
        if (stickOf(in) == kUnset)
            set(in, defaultStick(in));
        const Extents shape = *m_rewriter.value(in).shape;
        for (ValueId out : m_rewriter.node(id).outputs)
            if (out.isValid() && m_rewriter.value(out).shape)
                set(out, mapped(id, shape, stickOf(in), *m_rewriter.value(out).shape));
    }

    int mapped(NodeId id, const Extents& from, int stick, const Extents& to) const {
        const Node& node = m_rewriter.node(id);
        if (stick < 0)
            return to.empty() ? kSparse : stick;
        switch (node.canonical) {
        case ir::Op::Transpose: {
            const auto permutation = node.attributes.integers("perm");
            if (!permutation || permutation->size() != from.size())
                return static_cast<int>(from.size()) - 1 - stick;
            const auto at = std::ranges::find(*permutation, stick);
            return at == permutation->end() ? static_cast<int>(to.size()) - 1
                                            : static_cast<int>(at - permutation->begin());
        }
        case ir::Op::Split:
        case ir::Op::Slice:
            return std::min(stick, static_cast<int>(to.size()) - 1);
        case ir::Op::Expand:
            return stick + static_cast<int>(to.size()) - static_cast<int>(from.size());
        default:
            return stickAfterReshape(from, stick, to);
        }
    }

    void matmul(NodeId id) {
        static const std::string kNames[] = {"its first operand", "its second operand"};
        for (std::size_t i = 0; i < 2; ++i) {
            const ValueId in = m_rewriter.input(id, i);
            if (in.isValid() && rank(in) > 0)
                want(id, i, wantedMatmulStick(m_rewriter.node(id), i, rank(in)), kNames[i]);
        }
        outputs(id);
    }

    /// All full operands must carry one stick dimension: the one that costs least to agree on, the
    /// last among equals.
    void pointwise(NodeId id) {
        const Node& node = m_rewriter.node(id);
        if (node.outputs.empty() || !node.outputs.front().isValid())
            return;
        const auto outRank = static_cast<int>(rank(node.outputs.front()));
        const int stick = agreedStick(id, outRank);
        const std::size_t inputs = node.inputs.size();
        for (std::size_t i = 0; stick >= 0 && i < inputs; ++i) {
            const ValueId in = m_rewriter.input(id, i);
            if (!in.isValid() || !m_rewriter.value(in).shape || rank(in) == 0)
                continue;
            const int at = stick - (outRank - static_cast<int>(rank(in)));
            const bool isBroadcast =
                at < 0 || (*m_rewriter.value(in).shape)[static_cast<std::size_t>(at)] == 1;
            if (isBroadcast) {
                if (stickOf(in) == kUnset)
                    set(in, kSparse);
                else if (stickOf(in) >= 0 && at >= 0 && isWide(in, stickOf(in)))
                    mixed(id, in);
            } else {
                want(id, i, at, "operand " + std::to_string(i));
            }
        }
        for (ValueId out : m_rewriter.node(id).outputs)
            if (out.isValid())
                set(out, stick);
    }

    bool isWide(ValueId value, int stick) const {
        return (*m_rewriter.value(value).shape)[static_cast<std::size_t>(stick)] > 1;
    }

    void mixed(NodeId id, ValueId in) {
        if (isPlacedByHost(in))
            return;
        m_diagnostics.warn("spyre.stick_incompatible", m_rewriter.node(id).name,
            "The public compiler has no mechanism to combine " + m_rewriter.value(in).name
                + ", whose elements lie along a stick, with an operand that walks another "
                  "dimension; it refuses this graph.",
            "Keep the reduced dimension (keepdim) or reduce over another one.");
    }

    int agreedStick(NodeId id, int outRank) {
        std::map<int, double> elementsByStick;
        bool hasSparse = false;
        const std::size_t inputs = m_rewriter.node(id).inputs.size();
        for (std::size_t i = 0; i < inputs; ++i) {
            const ValueId in = m_rewriter.input(id, i);
            if (!in.isValid() || !m_rewriter.value(in).shape || rank(in) == 0)
                continue;
            const int stick = stickOf(in);
            if (stick == kUnset)
                continue;
            const auto& shape = *m_rewriter.value(in).shape;
            if (stick < 0 || shape[static_cast<std::size_t>(stick)] == 1) {
                hasSparse = hasSparse || stick < 0;
                continue;
            }
            const double elements = std::accumulate(shape.begin(), shape.end(), 1.0,
                [](double a, std::int64_t b) { return a * static_cast<double>(b); });
            elementsByStick[stick + outRank - static_cast<int>(rank(in))] += elements;
        }
        int best = hasSparse ? kSparse : outRank - 1;
        double most = 0;
        for (const auto& [stick, elements] : elementsByStick)
            if (elements >= most) {
                most = elements;
                best = stick;
            }
        return best;
    }

    void reduction(NodeId id) {
        const ValueId in = m_rewriter.input(id, 0);
        if (!in.isValid() || rank(in) == 0)
            return outputs(id);
        const auto inRank = static_cast<int>(rank(in));
        const auto axes = lowering::reducedAxes(m_rewriter.node(id), rank(in));
        const auto isReduced = [&axes](int d) { return std::ranges::find(axes, d) != axes.end(); };
        if (stickOf(in) == kUnset)
            set(in, defaultStick(in));
        if (m_rewriter.node(id).canonical == ir::Op::TopK && isReduced(stickOf(in)) && inRank > 1)
            want(id, 0, stickOf(in) == 0 ? 1 : stickOf(in) - 1, "its input");
        const int stick = stickOf(m_rewriter.input(id, 0));
        for (ValueId out : m_rewriter.node(id).outputs) {
            if (!out.isValid())
                continue;
            const auto outRank = static_cast<int>(rank(out));
            int after = stick;
            if (stick < 0 || (isReduced(stick) && m_rewriter.node(id).canonical != ir::Op::TopK))
                after = kSparse;
            else if (outRank < inRank)
                after = stick
                    - static_cast<int>(
                        std::ranges::count_if(axes, [stick](std::int64_t d) { return d < stick; }));
            set(out, outRank == 0 ? kSparse : std::min(after, outRank - 1));
        }
    }

    void norm(NodeId id) {
        const std::string word = m_rewriter.node(id).op;
        const bool readsRows = word != kLayerNormScale;
        for (std::size_t i = 0; i < (word == kLayerNormNorm ? 3U : 1U) && readsRows; ++i)
            if (const ValueId in = m_rewriter.input(id, i); in.isValid() && rank(in) > 0)
                want(id, i, defaultStick(in), "operand " + std::to_string(i));
        for (ValueId out : m_rewriter.node(id).outputs)
            if (out.isValid())
                set(out, word == kLayerNormNorm ? defaultStick(out) : kSparse);
    }

    /// A clone writes the default layout; where its input carries another stick it is a restickify.
    void copy(NodeId id) {
        outputs(id);
        const ValueId in = m_rewriter.input(id, 0);
        Node& node = m_rewriter.edit(id);
        if (!in.isValid() || !m_rewriter.value(in).shape || node.outputs.size() != 1
            || !node.outputs.front().isValid() || !m_rewriter.value(node.outputs.front()).shape)
            return;
        if (stickOf(in) == kUnset)
            set(in, defaultStick(in));
        const bool isView = kindOf(node.canonical) == OpKind::View;
        const auto& to = *m_rewriter.value(node.outputs.front()).shape;
        const int arrives =
            isView ? mapped(id, *m_rewriter.value(in).shape, stickOf(in), to) : stickOf(in);
        if (!isView && node.canonical != ir::Op::Identity)
            return;
        if (!isView && arrives < 0) {
            set(node.outputs.front(), arrives);
            return;
        }
        if (arrives >= 0 && arrives != defaultStick(node.outputs.front())) {
            node.op = std::string(kRestickify);
            node.rule = "The clone writes the default layout and its input carries another stick: "
                        "a restickify.";
        }
    }

    Rewriter& m_rewriter;
    base::Diagnostics& m_diagnostics;
    LayoutCache m_layouts;
    std::vector<int> m_sticks;
    std::map<std::pair<std::size_t, int>, ValueId> m_restickified;
};

} // namespace

base::Result<StageGraph> layOut(const Context& context, StageGraph fused) {
    Rewriter rewriter(std::move(fused), lowering::Stage::LaidOut, words());
    Propagation(rewriter, context, options(context.settings, context.machine).version()).run();
    return std::move(rewriter).finish();
}

} // namespace fivefold::families::spyre
