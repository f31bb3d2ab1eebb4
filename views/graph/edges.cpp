// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/labels.h"
#include "views/graph/presenter_parts.h"

#include "core/drawing/drawing.h"

#include <QCoreApplication>

#include <algorithm>
#include <unordered_set>

namespace fivefold::views::graph::detail {

namespace {

class EdgeBuilder {
public:
    explicit EdgeBuilder(Picture& picture)
        : m_picture(picture)
        , m_usual(machines::storageType(picture.result.request.settings.precision)) { }

    void run() {
        addValueEdges();
        if (m_picture.graph.stage == lowering::Stage::Captured)
            addBodyEdges();
        addOutputEdges();
        addRemovedEdges();
        for (DisplayEdge& edge : m_picture.out.edges)
            finish(edge);
        chooseStubs();
    }

private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    DisplayBox& box(int b) { return m_picture.out.boxes[index(b)]; }

    DisplayEdge* connect(int from, int to) {
        if (from < 0 || to < 0 || from == to)
            return nullptr;
        const auto key = (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint32_t>(to);
        const auto [it, isNew] = m_edgeOf.try_emplace(key, m_picture.out.edges.size());
        if (isNew)
            m_picture.out.edges.push_back({from, to});
        return &m_picture.out.edges[it->second];
    }
    void connect(int from, int to, lowering::ValueId value) {
        DisplayEdge* edge = connect(from, to);
        if (edge && (edge->values.empty() || edge->values.back() != value))
            edge->values.push_back(value);
    }

    void addValueEdges() {
        const lowering::StageGraph& graph = m_picture.graph;
        for (std::size_t v = 0; v < graph.values.size(); ++v) {
            const lowering::ValueId id(v);
            const int from = m_picture.boxOfProducer(id);
            if (from < 0)
                continue;
            for (const lowering::NodeId user : graph.values[id].users)
                if (user.index() < m_picture.boxOfNode.size() && !m_picture.isHidden[user.index()])
                    connect(from, m_picture.boxOfNode[user.index()], id);
        }
    }

    /// Inside an open Loop, Scan or call the captured graph has no edges over the border of the
    /// body: what goes in is joined with the body's formal inputs, what comes out with the control
    /// node itself.
    void addBodyEdges() {
        const ir::Graph& captured = m_picture.result.graph();
        base::IdVector<ir::ValueId, lowering::ValueId> valueOf(captured.values.size());
        for (std::size_t v = 0; v < m_picture.graph.values.size(); ++v) {
            const ir::ValueId source = m_picture.graph.values[lowering::ValueId(v)].source;
            if (valueOf.contains(source))
                valueOf[source] = lowering::ValueId(v);
        }
        const auto lowered = [&](ir::ValueId id) {
            return valueOf.contains(id) ? valueOf[id] : lowering::ValueId();
        };
        const auto& toCaptured = m_picture.result.provenance
                                     .toStage[static_cast<std::size_t>(lowering::Stage::Captured)];
        for (const ir::Block& block : captured.blocks) {
            if (!captured.nodes.contains(block.owner) || !toCaptured.contains(block.owner)
                || toCaptured[block.owner].empty())
                continue;
            const ir::Node& owner = captured.nodes[block.owner];
            const std::size_t n = toCaptured[block.owner].front().index();
            const int ownerBox = n < m_picture.boxOfNode.size() ? m_picture.boxOfNode[n] : -1;
            const std::size_t skipped = owner.inputs.size() > block.inputs.size()
                ? owner.inputs.size() - block.inputs.size()
                : 0;
            for (std::size_t i = 0; i < block.inputs.size(); ++i) {
                const lowering::ValueId formal = lowered(block.inputs[i]);
                if (i + skipped >= owner.inputs.size() || !formal.isValid())
                    continue;
                const lowering::ValueId actual = lowered(owner.inputs[i + skipped]);
                const int from = m_picture.boxOfProducer(actual);
                for (const lowering::NodeId user : m_picture.graph.values[formal].users)
                    if (user.index() < m_picture.boxOfNode.size()
                        && !m_picture.isHidden[user.index()])
                        connect(from, m_picture.boxOfNode[user.index()], actual);
            }
            for (const ir::ValueId output : block.outputs)
                if (const lowering::ValueId value = lowered(output); value.isValid())
                    connect(m_picture.boxOfProducer(value), ownerBox, value);
        }
    }

    void addOutputEdges() {
        std::unordered_map<std::uint32_t, int> pills;
        for (std::size_t b = 0; b < m_picture.out.boxes.size(); ++b)
            if (m_picture.out.boxes[b].kind == BoxKind::Output)
                for (const ir::ValueId value : m_picture.out.boxes[b].values)
                    pills.emplace(value.value, static_cast<int>(b));
        for (const lowering::ValueId id : m_picture.graph.outputs) {
            if (!m_picture.graph.values.contains(id))
                continue;
            const auto pill = pills.find(m_picture.graph.values[id].source.value);
            if (pill != pills.end())
                connect(m_picture.boxOfProducer(id), pill->second, id);
        }
    }

    /// Where a captured value comes from in this picture.
    int boxOfCaptured(ir::NodeId node) const {
        const auto& toStage =
            m_picture.result.provenance.toStage[static_cast<std::size_t>(m_picture.graph.stage)];
        if (m_picture.removedBox.contains(node) && m_picture.removedBox[node] >= 0)
            return m_picture.removedBox[node];
        if (!toStage.contains(node) || toStage[node].empty())
            return -1;
        const std::size_t n = toStage[node].back().index();
        return n < m_picture.boxOfNode.size() ? m_picture.boxOfNode[n] : -1;
    }

    void addRemovedEdges() {
        const ir::Graph& captured = m_picture.result.graph();
        const std::size_t count = m_picture.out.boxes.size();
        for (std::size_t b = 0; b < count; ++b) {
            if (m_picture.out.boxes[b].kind != BoxKind::Removed)
                continue;
            const int number = static_cast<int>(b);
            const ir::Node& node = captured.nodes[m_picture.out.boxes[b].captured.front()];
            for (const ir::ValueId input : node.inputs)
                if (captured.values.contains(input) && captured.values[input].producer.isValid())
                    removedEdge(boxOfCaptured(captured.values[input].producer), number);
            for (const ir::ValueId output : node.outputs)
                if (captured.values.contains(output))
                    for (const ir::NodeId user : captured.values[output].users)
                        removedEdge(number, boxOfCaptured(user));
        }
    }
    void removedEdge(int from, int to) {
        if (DisplayEdge* edge = connect(from, to))
            edge->isRemoved = edge->values.empty();
    }

    void finish(DisplayEdge& edge) {
        edge.isAdded = box(edge.from).isAdded || box(edge.to).isAdded;
        const lowering::StageGraph& graph = m_picture.graph;
        if (edge.values.size() == 1) {
            edge.label = edgeLabel(graph.values[edge.values.front()], m_usual, m_picture.options);
        } else if (edge.values.size() > 1 && m_picture.options.showsShapes) {
            edge.label = QCoreApplication::translate("fivefold::views::graph", "%1 values")
                             .arg(edge.values.size());
        }
        if (!edge.values.empty())
            edge.stubName = edge.values.size() == 1 ? stubName(graph.values[edge.values.front()])
                                                    : box(edge.from).title;
    }

    void chooseStubs() {
        std::vector<DisplayEdge>& edges = m_picture.out.edges;
        drawing::Input flat;
        flat.boxes.resize(m_picture.out.boxes.size());
        std::unordered_map<std::uint32_t, std::size_t> uses;
        std::vector<int> inputs(m_picture.out.boxes.size(), 0);
        for (const DisplayEdge& edge : edges) {
            flat.edges.push_back({edge.from, edge.to});
            ++inputs[index(edge.to)];
            for (const lowering::ValueId value : edge.values)
                ++uses[value.value];
        }
        const std::vector<int> rank = drawing::ranks(flat);
        for (DisplayEdge& edge : edges) {
            if (edge.values.size() != 1 || inputs[index(edge.to)] < 2)
                continue;
            const bool isWide = uses[edge.values.front().value] > kFanOut;
            const int span = rank[index(edge.to)] - rank[index(edge.from)];
            if ((isWide && span > 1) || span > kLongSpan || span < 0) {
                edge.isStub = true;
                --inputs[index(edge.to)];
            }
        }
    }

    Picture& m_picture;
    ir::DType m_usual;
    std::unordered_map<std::uint64_t, std::size_t> m_edgeOf;
};

} // namespace

void addEdges(Picture& picture) {
    EdgeBuilder(picture).run();
}

} // namespace fivefold::views::graph::detail
