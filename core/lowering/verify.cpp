// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/node_names.h"

#include <algorithm>
#include <unordered_set>

namespace fivefold::lowering {

namespace {

/// At most this many sentences: one broken rule breaks thousands of nodes alike.
constexpr std::size_t kMaximumFindings = 100;

class Verifier {
public:
    Verifier(const StageGraph& graph, const ir::Graph& captured)
        : m_graph(graph)
        , m_captured(captured) { }

    std::vector<std::string> run() {
        checkNames();
        checkEdges();
        if (!m_findings.empty())
            return std::move(m_findings); // what follows relies on sound ids
        checkUsers();
        checkProvenance();
        if (m_graph.stage >= Stage::Fused)
            checkKernels();
        if (m_graph.stage >= Stage::LaidOut)
            checkLayouts();
        return std::move(m_findings);
    }

private:
    void report(std::string sentence) {
        if (m_findings.size() < kMaximumFindings)
            m_findings.push_back(std::move(sentence));
    }

    void checkNames() {
        if (hasUniqueNames(m_graph.nodes))
            return;
        std::unordered_set<std::string_view> names;
        names.reserve(m_graph.nodes.size() * 2);
        for (const Node& node : m_graph.nodes)
            if (!names.insert(node.name).second)
                report("The name \"" + node.name + "\" belongs to two nodes.");
    }

    void checkEdges() {
        std::vector<std::uint8_t> isProduced(m_graph.values.size(), 0);
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[ValueId(i)];
            if (value.producer.isValid() && !m_graph.nodes.contains(value.producer))
                report("The value \"" + value.name + "\" names a producer that does not exist.");
            isProduced[i] = value.producer.isValid() ? 0 : 1;
        }
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            checkNode(NodeId(i), isProduced);
        for (std::size_t i = 0; i < m_graph.values.size(); ++i)
            if (!isProduced[i])
                report("The value \"" + m_graph.values[ValueId(i)].name
                    + "\" is not a result of the node that it names as its producer.");
        for (const auto* list : {&m_graph.inputs, &m_graph.outputs})
            for (const ValueId id : *list)
                if (!m_graph.values.contains(id))
                    report("An input or output of the model is a value that does not exist.");
    }

    void checkNode(NodeId id, std::vector<std::uint8_t>& isProduced) {
        const Node& node = m_graph.nodes[id];
        for (const ValueId input : node.inputs) {
            if (!input.isValid())
                continue;
            if (!m_graph.values.contains(input))
                report("The node \"" + node.name + "\" reads a value that does not exist.");
            else if (!isProduced[input.index()])
                report("The node \"" + node.name + "\" reads \"" + m_graph.values[input].name
                    + "\" before it is produced.");
        }
        for (const ValueId output : node.outputs) {
            if (!output.isValid())
                continue;
            if (!m_graph.values.contains(output))
                report("The node \"" + node.name + "\" writes a value that does not exist.");
            else if (m_graph.values[output].producer != id)
                report("The node \"" + node.name + "\" writes \"" + m_graph.values[output].name
                    + "\", which names another producer.");
            else if (isProduced[output.index()])
                report("The node \"" + node.name + "\" writes \"" + m_graph.values[output].name
                    + "\" twice.");
            else
                isProduced[output.index()] = 1;
        }
    }

    void checkUsers() {
        // Users are listed in the order of the nodes: how many of each list the nodes confirmed.
        std::vector<std::size_t> confirmed(m_graph.values.size(), 0);
        std::vector<std::uint8_t> isWrong(m_graph.values.size(), 0);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            for (const ValueId input : m_graph.nodes[NodeId(i)].inputs)
                if (input.isValid()) {
                    const auto& users = m_graph.values[input].users;
                    std::size_t& next = confirmed[input.index()];
                    if (next > 0 && users[next - 1] == NodeId(i))
                        continue; // reads it twice
                    if (next < users.size() && users[next] == NodeId(i))
                        ++next;
                    else
                        isWrong[input.index()] = 1;
                }
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value& value = m_graph.values[ValueId(i)];
            if (isWrong[i] || confirmed[i] != value.users.size())
                report("The users of \"" + value.name + "\" are not the nodes that read it.");
        }
    }

    void checkProvenance() {
        std::vector<std::uint8_t> isMapped(m_captured.nodes.size(), 0);
        for (const Node& node : m_graph.nodes) {
            if (node.sources.empty() && node.addedBy.empty())
                report("The node \"" + node.name
                    + "\" names neither a captured node nor who added it.");
            for (const ir::NodeId source : node.sources)
                if (m_captured.nodes.contains(source))
                    isMapped[source.index()] = 1;
                else
                    report("The node \"" + node.name
                        + "\" names a captured node that does not exist.");
        }
        for (const Removed& removed : m_graph.removed) {
            if (!m_captured.nodes.contains(removed.node))
                report("A removal names a captured node that does not exist.");
            else if (removed.rule.empty())
                report("The removal of \"" + m_captured.nodes[removed.node].name
                    + "\" names no rule.");
            else
                isMapped[removed.node.index()] = 1;
        }
        for (std::size_t i = 0; i < isMapped.size(); ++i)
            if (!isMapped[i])
                report("The captured node \"" + m_captured.nodes[ir::NodeId(i)].name
                    + "\" is neither lowered nor removed.");
    }

    void checkKernels() {
        std::vector<KernelId> listed(m_graph.nodes.size());
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            const Kernel& kernel = m_graph.kernels[KernelId(k)];
            if (kernel.nodes.empty())
                report("The kernel \"" + kernel.name + "\" is empty.");
            if (!std::is_sorted(kernel.nodes.begin(), kernel.nodes.end()))
                report("The kernel \"" + kernel.name
                    + "\" does not list its nodes in execution order.");
            for (const NodeId id : kernel.nodes) {
                if (!m_graph.nodes.contains(id))
                    report("The kernel \"" + kernel.name + "\" lists a node that does not exist.");
                else if (listed[id.index()].isValid())
                    report("The node \"" + m_graph.nodes[id].name + "\" is in two kernels.");
                else
                    listed[id.index()] = KernelId(k);
            }
        }
        for (std::size_t i = 0; i < listed.size(); ++i) {
            const Node& node = m_graph.nodes[NodeId(i)];
            if (!node.kernel.isValid() || node.kernel != listed[i])
                report("The node \"" + node.name + "\" is not in the kernel that it names.");
        }
    }

    void checkLayouts() {
        for (const Value& value : m_graph.values) {
            if (!value.shape || ir::bitWidth(value.dtype) == 0)
                continue;
            if (!value.layout)
                report("The value \"" + value.name + "\" has no layout.");
            else if (value.layout->shape != *value.shape)
                report("The layout of \"" + value.name + "\" is for another shape.");
        }
    }

    const StageGraph& m_graph;
    const ir::Graph& m_captured;
    std::vector<std::string> m_findings;
};

} // namespace

std::vector<std::string> verify(const StageGraph& graph, const ir::Graph& captured) {
    return Verifier(graph, captured).run();
}

} // namespace fivefold::lowering
