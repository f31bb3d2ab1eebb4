// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/bundles.h"
#include "core/families/spyre/loops.h"
#include "core/families/spyre/operators.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/stages.h"
#include "core/lowering/aliases.h"
#include "core/lowering/fusion.h"

#include <unordered_map>
#include <unordered_set>

namespace fivefold::families::spyre {

using lowering::Context;
using lowering::Kernel;
using lowering::KernelId;
using lowering::Node;
using lowering::NodeId;
using lowering::StageGraph;
using lowering::ValueId;

namespace {

bool breaksBundle(const Node& node) {
    const OpKind kind = kindOf(node);
    return kind == OpKind::Fallback || kind == OpKind::Unsupported;
}

/// Counts the distinct tensors of a bundle that are not its own intermediates: what is read from
/// outside, and what is made inside and still has readers to come.
class TensorCount {
public:
    explicit TensorCount(const StageGraph& graph)
        : m_graph(graph)
        , m_stored(lowering::storedValues(
              graph, [](const Node& node) { return kindOf(node) == OpKind::View; })) {
        m_left.assign(graph.values.size(), 0);
        for (const Node& node : graph.nodes)
            if (isOpSpec(node))
                for (ValueId input : node.inputs)
                    if (input.isValid())
                        ++m_left[m_stored[input].index()];
        for (ValueId output : graph.outputs)
            if (output.isValid())
                ++m_left[m_stored[output].index()];
    }

    std::size_t with(const Node& node) const {
        std::size_t count = m_outside.size() + m_alive;
        std::unordered_set<ValueId> fresh;
        std::unordered_map<ValueId, std::uint32_t> reads;
        for (ValueId input : node.inputs) {
            if (!input.isValid())
                continue;
            const ValueId stored = m_stored[input];
            if (m_made.contains(stored))
                ++reads[stored];
            else if (!m_outside.contains(stored))
                fresh.insert(stored);
        }
        for (const auto& [value, n] : reads)
            if (m_left[value.index()] == n)
                --count;
        for (ValueId output : node.outputs)
            if (output.isValid() && m_left[output.index()] > 0)
                ++count;
        return count + fresh.size();
    }

    void add(const Node& node) {
        for (ValueId input : node.inputs) {
            if (!input.isValid())
                continue;
            const ValueId stored = m_stored[input];
            std::uint32_t& left = m_left[stored.index()];
            if (left > 0)
                --left;
            if (!m_made.contains(stored))
                m_outside.insert(stored);
            else if (left == 0)
                --m_alive;
        }
        for (ValueId output : node.outputs) {
            if (!output.isValid())
                continue;
            m_made.insert(output);
            if (m_left[output.index()] > 0)
                ++m_alive;
        }
    }

    void startBundle() {
        m_outside.clear();
        m_made.clear();
        m_alive = 0;
    }

private:
    const StageGraph& m_graph;
    base::IdVector<ValueId, ValueId> m_stored;
    std::vector<std::uint32_t> m_left; ///< reads still to come, by stored value
    std::unordered_set<ValueId> m_outside, m_made;
    std::size_t m_alive = 0;
};

class Bundler {
public:
    Bundler(StageGraph& graph, std::size_t tensorLimit)
        : m_graph(graph)
        , m_limit(tensorLimit)
        , m_count(graph) { }

    void run() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const NodeId id(i);
            Node& node = m_graph.nodes[id];
            if (breaksBundle(node))
                alone(id, node);
            else
                join(id, node);
        }
        close("It ends with the program.");
    }

private:
    void alone(NodeId id, Node& node) {
        const bool isFallback = kindOf(node) == OpKind::Fallback;
        close("It ends because " + node.name
            + (isFallback ? " runs on the host." : " is refused by the compiler."));
        node.kernel = m_graph.kernels.add(
            Kernel{node.op + " " + node.name, isFallback ? "fallback" : "unsupported", {id},
                isFallback
                    ? "A fallback operator always breaks the bundle: the host computes it."
                    : "The compiler refuses this operator; nothing can share a bundle with it."});
        if (isFallback)
            m_count.add(node);
    }

    void join(NodeId id, Node& node) {
        if (node.attributes.has(kOffsetsAttribute)
            && node.attributes.integer(kIntoAttribute, 0) < 0)
            close("It ends because a tensor is allocated that several operators write.");
        if (m_limit > 0 && m_open.isValid() && isOpSpec(node) && m_count.with(node) > m_limit)
            close("It ends because one more operator would give it more than "
                + std::to_string(m_limit) + " tensors that are not its own.");
        if (!m_open.isValid()) {
            m_open = m_graph.kernels.add(
                Kernel{"bundle " + std::to_string(m_bundles++), "bundle", {}, {}});
            m_count.startBundle();
        }
        node.kernel = m_open;
        m_graph.kernels[m_open].nodes.push_back(id);
        if (isOpSpec(node))
            m_count.add(node);
    }

    void close(const std::string& why) {
        if (m_open.isValid())
            m_graph.kernels[m_open].reason = "Consecutive device operators are one bundle. " + why;
        m_open = KernelId();
    }

    StageGraph& m_graph;
    std::size_t m_limit;
    TensorCount m_count;
    KernelId m_open;
    std::int64_t m_bundles = 0;
};

} // namespace

base::Result<StageGraph> bundle(const Context& context, StageGraph decomposed) {
    decomposed.stage = lowering::Stage::Fused;
    if (!context.settings.isFusionOn) {
        StageGraph graph =
            lowering::oneKernelEach(std::move(decomposed), [](const Node& node) -> std::string {
                return breaksBundle(node) ? "fallback" : "bundle";
            });
        graph.stage = lowering::Stage::Fused;
        return graph;
    }
    formBundles(decomposed, options(context.settings, context.machine).bundleTensorLimit());
    return decomposed;
}

void formBundles(StageGraph& graph, std::size_t tensorLimit) {
    graph.kernels = {};
    Bundler(graph, tensorLimit).run();
}

} // namespace fivefold::families::spyre
