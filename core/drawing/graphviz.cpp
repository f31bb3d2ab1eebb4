// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/drawing.h"

#include <clocale>
#include <graphviz/gvc.h>

#include <algorithm>
#include <charconv>
#include <locale.h>
#include <string>
#include <unordered_map>

namespace fivefold::drawing {

namespace {

constexpr double kPointsPerInch = 72;
/// What dot adds to the width of a cluster's label (PAD in its const.h).
constexpr double kLabelPadding = 16;

/// Graphviz prints and reads numbers by the locale: "1,5" under ru or it. This thread uses C while
/// it works.
class NumericC {
public:
    NumericC()
        : m_c(newlocale(LC_NUMERIC_MASK, "C", locale_t(nullptr)))
        , m_old(m_c ? uselocale(m_c) : locale_t(nullptr)) { }
    ~NumericC() {
        if (m_c) {
            uselocale(m_old);
            freelocale(m_c);
        }
    }
    NumericC(const NumericC&) = delete;
    NumericC& operator=(const NumericC&) = delete;

private:
    locale_t m_c, m_old;
};

std::string number(double value) {
    char buffer[64];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 6);
    return std::string(buffer, end.ptr);
}

int silence(char*) {
    return 0;
}

/// cgraph takes char* everywhere and copies; nothing is written through it.
char* text(const char* s) {
    return const_cast<char*>(s);
}

/// Numbers names in the order of their first use. Graphviz's own numbering takes addresses, and
/// with them the order of clusters, and so the drawing, would change from run to run.
struct Names {
    std::unordered_map<std::string, IDTYPE> idOf;
    std::vector<std::string> names;
    IDTYPE anonymous = 1; ///< odd; names are even

    static void* open(Agraph_t*, Agdisc_t*) { return new Names; }
    static void close(void* state) { delete static_cast<Names*>(state); }
    static long map(void* state, int, char* name, IDTYPE* id, int mayCreate) {
        Names& self = *static_cast<Names*>(state);
        if (!name) {
            if (!mayCreate)
                return 0;
            *id = self.anonymous += 2;
            return 1;
        }
        const auto found = self.idOf.find(name);
        if (found != self.idOf.end()) {
            *id = found->second;
            return 1;
        }
        if (!mayCreate)
            return 0;
        self.names.emplace_back(name);
        *id = 2 * static_cast<IDTYPE>(self.names.size());
        self.idOf.emplace(name, *id);
        return 1;
    }
    static long allocate(void*, int, IDTYPE) { return 0; }
    static void release(void*, int, IDTYPE) { }
    static char* print(void* state, int, IDTYPE id) {
        Names& self = *static_cast<Names*>(state);
        const auto number = static_cast<std::size_t>(id / 2);
        return id % 2 == 0 && number >= 1 && number <= self.names.size()
            ? self.names[number - 1].data()
            : nullptr;
    }
    static void note(void*, int, void*) { }
};

Agdisc_t* discipline() {
    static Agiddisc_t ids = {Names::open, Names::map, Names::allocate, Names::release, Names::print,
        Names::close, Names::note};
    static Agdisc_t all = {&AgMemDisc, &ids, &AgIoDisc};
    return &all;
}

/// One graph in one context, freed together.
class DotGraph {
public:
    explicit DotGraph(const Input& input)
        : m_input(input)
        , m_context(gvContext())
        , m_graph(agopen(text("drawing"), Agdirected, discipline())) {
        agseterrf(silence);
        attribute(AGRAPH, "rankdir", input.isLeftToRight ? "LR" : "TB");
        attribute(AGRAPH, "ranksep", number(input.rankGap / kPointsPerInch));
        attribute(AGRAPH, "nodesep", number(input.nodeGap / kPointsPerInch));
        attribute(AGRAPH, "splines", "true"); // ortho is quadratic in the edges
        attribute(AGRAPH, "margin", "0");
        attribute(AGRAPH, "label", "");
        attribute(AGNODE, "shape", "box");
        attribute(AGNODE, "fixedsize", "true");
        attribute(AGNODE, "label", "");
        attribute(AGNODE, "width", "1");
        attribute(AGNODE, "height", "1");
        attribute(AGEDGE, "arrowhead", "none");
        attribute(AGEDGE, "constraint", "true");
        addGroups();
        addBoxes();
        addEdges();
    }
    ~DotGraph() {
        if (m_isPlaced)
            gvFreeLayout(m_context, m_graph);
        agclose(m_graph);
        gvFreeContext(m_context);
    }
    DotGraph(const DotGraph&) = delete;
    DotGraph& operator=(const DotGraph&) = delete;

    bool place() {
        m_isPlaced = gvLayout(m_context, m_graph, "dot") == 0;
        return m_isPlaced;
    }

    Output read() const {
        Output output;
        output.engine = "dot";
        const boxf whole = GD_bb(m_graph);
        output.width = whole.UR.x - whole.LL.x;
        output.height = whole.UR.y - whole.LL.y;
        const auto toPoint = [&](pointf p) { return Point{p.x - whole.LL.x, whole.UR.y - p.y}; };
        for (std::size_t b = 0; b < m_nodes.size(); ++b) {
            const Point middle = toPoint(ND_coord(m_nodes[b]));
            const Box& box = m_input.boxes[b];
            output.boxes.push_back(
                {middle.x - box.width / 2, middle.y - box.height / 2, box.width, box.height});
        }
        for (Agraph_t* cluster : m_clusters) {
            const boxf bb = GD_bb(cluster);
            const Point corner = toPoint({bb.LL.x, bb.UR.y});
            output.groups.push_back({corner.x, corner.y, bb.UR.x - bb.LL.x, bb.UR.y - bb.LL.y});
        }
        for (std::size_t e = 0; e < m_edges.size(); ++e)
            output.edges.push_back(curve(e, toPoint));
        return output;
    }

private:
    void attribute(int kind, const char* name, const std::string& value) {
        agattr(m_graph, kind, text(name), text(value.c_str()));
    }

    void addGroups() {
        m_clusters.assign(m_input.groups.size(), nullptr);
        std::vector<int> path;
        for (std::size_t i = 0; i < m_input.groups.size(); ++i) {
            for (int at = static_cast<int>(i); at >= 0 && !m_clusters[static_cast<std::size_t>(at)];
                 at = m_input.groups[static_cast<std::size_t>(at)].parent)
                path.push_back(at);
            for (; !path.empty(); path.pop_back()) {
                const auto g = static_cast<std::size_t>(path.back());
                const int parent = m_input.groups[g].parent;
                Agraph_t* in = parent < 0 ? m_graph : m_clusters[static_cast<std::size_t>(parent)];
                const std::string name = "cluster" + std::to_string(g);
                m_clusters[g] = agsubg(in, text(name.c_str()), 1);
                agsafeset(m_clusters[g], text("margin"),
                    text(number(m_input.groups[g].padding).c_str()), text("12"));
                setTitleRoom(m_clusters[g], m_input.groups[g]);
            }
        }
    }

    /// An empty table of fixed size as the label: room for the title and the least width.
    void setTitleRoom(Agraph_t* cluster, const Group& group) const {
        const int width = static_cast<int>(std::max(1.0, group.minWidth - kLabelPadding));
        const int height = static_cast<int>(std::max(1.0, group.titleHeight));
        const std::string html = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\" "
                                 "CELLSPACING=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\""
            + std::to_string(width) + "\" HEIGHT=\"" + std::to_string(height)
            + "\"><TR><TD></TD></TR></TABLE>";
        char* label = agstrdup_html(m_graph, text(html.c_str()));
        agsafeset(cluster, text("label"), label, text(""));
        agstrfree(m_graph, label);
    }

    void addBoxes() {
        for (std::size_t b = 0; b < m_input.boxes.size(); ++b) {
            const Box& box = m_input.boxes[b];
            const std::string name = std::to_string(b);
            Agraph_t* in =
                box.group < 0 ? m_graph : m_clusters[static_cast<std::size_t>(box.group)];
            Agnode_t* node = agnode(m_graph, text(name.c_str()), 1);
            for (Agraph_t* g = in; g != m_graph; g = agparent(g))
                agsubnode(g, node, 1);
            agset(node, text("width"), text(number(box.width / kPointsPerInch).c_str()));
            agset(node, text("height"), text(number(box.height / kPointsPerInch).c_str()));
            m_nodes.push_back(node);
        }
    }

    void addEdges() {
        for (const Edge& edge : m_input.edges) {
            if (edge.from == edge.to) {
                m_edges.push_back(nullptr);
                continue;
            }
            Agedge_t* added = agedge(m_graph, m_nodes[static_cast<std::size_t>(edge.from)],
                m_nodes[static_cast<std::size_t>(edge.to)], nullptr, 1);
            if (!edge.isRanking)
                agset(added, text("constraint"), text("false"));
            m_edges.push_back(added);
        }
    }

    template <typename ToPoint> std::vector<Point> curve(std::size_t e, ToPoint toPoint) const {
        std::vector<Point> points;
        if (!m_edges[e] || !ED_spl(m_edges[e]) || ED_spl(m_edges[e])->size < 1)
            return points;
        const bezier& spline = ED_spl(m_edges[e])->list[0];
        for (int i = 0; i < static_cast<int>(spline.size); ++i)
            points.push_back(toPoint(spline.list[i]));
        if (points.size() < 4 || points.size() % 3 != 1)
            return {};
        return points;
    }

    const Input& m_input;
    GVC_t* m_context;
    Agraph_t* m_graph;
    std::vector<Agnode_t*> m_nodes;
    std::vector<Agedge_t*> m_edges;
    std::vector<Agraph_t*> m_clusters;
    bool m_isPlaced = false;
};

class GraphvizEngine final : public Engine {
public:
    std::string name() const override { return "dot"; }

    base::Result<Output> place(const Input& input, const base::Progress& progress) const override {
        if (const auto ok = check(input); !ok)
            return ok.error();
        if (progress.isCancelled())
            return base::Progress::cancelled();
        if (input.boxes.empty()) {
            Output empty;
            empty.engine = "dot";
            empty.edges.resize(input.edges.size());
            empty.groups.resize(input.groups.size());
            return empty;
        }
        const NumericC numbers;
        DotGraph graph(input);
        if (!graph.place())
            return base::Error{base::ErrorCode::Unsupported,
                "Graphviz could not place this graph; the layered drawing can.", "dot"};
        return graph.read();
    }
};

} // namespace

const Engine& graphvizEngine() {
    static const GraphvizEngine engine;
    return engine;
}

} // namespace fivefold::drawing
