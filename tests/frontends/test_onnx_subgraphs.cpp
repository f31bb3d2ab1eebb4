// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include <QTest>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

/// A model with inputs x and c, an initialiser w, and an If on c that gives y; its branches are to
/// be filled.
struct IfModel {
    proto::ModelProto model = emptyModel();
    proto::NodeProto* node = nullptr;
    proto::GraphProto* thenBranch = nullptr;
    proto::GraphProto* elseBranch = nullptr;

    IfModel() {
        auto& graph = *model.mutable_graph();
        addInput(graph, "x");
        addInput(graph, "c", {}, kBool);
        addFloats(graph, "w", {2, 3});
        node = addNode(graph, "If", {"c"}, {"y"}, "choose");
        // The order in the file is the other way round: the graph has "then" first.
        elseBranch = addBody(*node, "else_branch");
        thenBranch = addBody(*node, "then_branch");
        addOutput(graph, "y");
    }
};

} // namespace

class TestOnnxSubgraphs : public QObject {
    Q_OBJECT
private slots:
    void branchesStandInTheOrderThenElse();
    void aBranchReadsAnInitialiserOfTheParent();
    void aBranchPassesAnOuterValueThrough();
    void capturedInitialisersHaveATypeWithoutValueInfo();
    void aLoopBodyHidesOuterNames();
    void anOuterNameIsSeenUntilTheInnerOneIsDefined();
    void siblingsDoNotSeeEachOther();
    void bodiesInsideBodiesSeeAllAroundThem();
    void scanBodiesKeepTheirFormalInputs();
    void unnamedBodyNodesGetNamesOfTheirOwner();
    void bodiesOfUnknownOperatorsAreBlocksToo();
};

void TestOnnxSubgraphs::branchesStandInTheOrderThenElse() {
    IfModel m;
    addNode(*m.thenBranch, "Relu", {"x"}, {"t"});
    addOutput(*m.thenBranch, "t");
    addNode(*m.elseBranch, "Exp", {"x"}, {"e"});
    addOutput(*m.elseBranch, "e");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Node& node = graph.nodes[nodeNamed(graph, "choose")];
    QCOMPARE(node.blocks.size(), std::size_t(2));
    QCOMPARE(graph.blocks[node.blocks[0]].role, std::string("then_branch"));
    QCOMPARE(graph.blocks[node.blocks[1]].role, std::string("else_branch"));
    QCOMPARE(graph.nodes[graph.blocks[node.blocks[0]].nodes[0]].op, ir::Op::Relu);
    QCOMPARE(graph.fileNodeCount(), 3);
    QCOMPARE(brokenInvariant(graph), std::string());
}

void TestOnnxSubgraphs::aBranchReadsAnInitialiserOfTheParent() {
    IfModel m;
    addNode(*m.thenBranch, "Add", {"x", "w"}, {"t"}, "inner");
    addOutput(*m.thenBranch, "t");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Node& inner = graph.nodes[nodeNamed(graph, "inner")];
    const ir::Value& captured = graph.values[inner.inputs[1]];
    QCOMPARE(captured.name, std::string("w"));
    QCOMPARE(captured.origin, ir::ValueOrigin::Initializer);
    QCOMPARE(captured.block, ir::Graph::mainBlock());
    QVERIFY(inner.block != ir::Graph::mainBlock());
    QCOMPARE(captured.users, std::vector{nodeNamed(graph, "inner")});
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxSubgraphs::aBranchPassesAnOuterValueThrough() {
    IfModel m;
    addOutput(*m.thenBranch, "x");
    addNode(*m.elseBranch, "Relu", {"x"}, {"e"});
    addOutput(*m.elseBranch, "e");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Block& branch = graph.blocks[graph.nodes[nodeNamed(graph, "choose")].blocks[0]];
    QVERIFY(branch.nodes.empty());
    QCOMPARE(branch.outputs, std::vector{graph.main().inputs[0]});
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxSubgraphs::capturedInitialisersHaveATypeWithoutValueInfo() {
    IfModel m;
    addNode(*m.thenBranch, "Identity", {"w"}, {"t"}, "inner");
    m.thenBranch->add_output()->set_name("t");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Value& captured = graph.values[graph.nodes[nodeNamed(graph, "inner")].inputs[0]];
    QCOMPARE(captured.declared.dtype, ir::DType::Float32);
    QCOMPARE(captured.declared.shape, std::optional(ir::Shape{2, 3}));
}

void TestOnnxSubgraphs::aLoopBodyHidesOuterNames() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addInput(graph, "n", {}, kInt64);
    auto& body = *addBody(*addNode(graph, "Loop", {"n", "", "x"}, {"y"}, "loop"), "body");
    addInput(body, "i", {}, kInt64);
    addInput(body, "go", {}, kBool);
    addInput(body, "x", {7});
    addNode(body, "Relu", {"x"}, {"next"}, "inside");
    addOutput(body, "go", {}, kBool);
    addOutput(body, "next", {7});
    addNode(graph, "Exp", {"x"}, {"z"}, "outside");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    const ir::Block& block = read.blocks[read.nodes[nodeNamed(read, "loop")].blocks[0]];
    QCOMPARE(read.nodes[nodeNamed(read, "inside")].inputs[0], block.inputs[2]);
    QCOMPARE(read.nodes[nodeNamed(read, "outside")].inputs[0], read.main().inputs[0]);
    QCOMPARE(*read.values[block.inputs[2]].declared.shape, ir::Shape{7});
    QCOMPARE(block.outputs[0], block.inputs[1]);
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxSubgraphs::anOuterNameIsSeenUntilTheInnerOneIsDefined() {
    IfModel m;
    addNode(*m.thenBranch, "Relu", {"x"}, {"a"}, "before");
    addNode(*m.thenBranch, "Exp", {"a"}, {"x"}, "hides");
    addNode(*m.thenBranch, "Log", {"x"}, {"t"}, "after");
    addOutput(*m.thenBranch, "t");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    QCOMPARE(graph.nodes[nodeNamed(graph, "before")].inputs[0], graph.main().inputs[0]);
    QCOMPARE(graph.values[graph.nodes[nodeNamed(graph, "after")].inputs[0]].producer,
        nodeNamed(graph, "hides"));
}

void TestOnnxSubgraphs::siblingsDoNotSeeEachOther() {
    IfModel m;
    addNode(*m.thenBranch, "Relu", {"x"}, {"secret"});
    addOutput(*m.thenBranch, "secret");
    addNode(*m.elseBranch, "Exp", {"secret"}, {"e"}, "spy");
    addOutput(*m.elseBranch, "e");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.undefined_value"), 1);
    QCOMPARE(opened.diagnostics.entries()[0].node, std::string("spy"));
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxSubgraphs::bodiesInsideBodiesSeeAllAroundThem() {
    IfModel m;
    addNode(*m.thenBranch, "Relu", {"x"}, {"middle"});
    auto& inner = *addBody(*addNode(*m.thenBranch, "If", {"c"}, {"t"}), "then_branch");
    addNode(inner, "Sum", {"x", "w", "middle"}, {"deep"}, "deepest");
    addOutput(inner, "deep");
    addOutput(*m.thenBranch, "t");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.empty());
    const ir::Graph& graph = opened.graph();
    QCOMPARE(graph.nodes[nodeNamed(graph, "deepest")].inputs.size(), std::size_t(3));
    QCOMPARE(brokenInvariant(graph), std::string());
}

void TestOnnxSubgraphs::scanBodiesKeepTheirFormalInputs() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "state");
    addInput(graph, "xs", {5, 3});
    auto* node = addNode(graph, "Scan", {"state", "xs"}, {"last", "ys"}, "scan");
    addInteger(*node, "num_scan_inputs", 1);
    auto& body = *addBody(*node, "body");
    addInput(body, "s", {3});
    addInput(body, "xi", {3});
    addFloats(body, "s", {3}); // a default, which is still a formal input
    addNode(body, "Add", {"s", "xi"}, {"n"});
    addOutput(body, "n", {3});
    addOutput(body, "n", {3});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    const ir::Block& block = read.blocks[read.nodes[nodeNamed(read, "scan")].blocks[0]];
    QCOMPARE(block.inputs.size(), std::size_t(2));
    QCOMPARE(block.outputs.size(), std::size_t(2));
    QCOMPARE(block.outputs[0], block.outputs[1]);
}

void TestOnnxSubgraphs::unnamedBodyNodesGetNamesOfTheirOwner() {
    IfModel m;
    addNode(*m.thenBranch, "Relu", {"x"}, {"t"});
    addOutput(*m.thenBranch, "t");
    addNode(*m.elseBranch, "Relu", {"x"}, {"t"});
    addOutput(*m.elseBranch, "t");
    const auto opened = readModel(m.model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const auto id = nodeNamed(graph, "choose/then_branch/Relu_0");
    QVERIFY(id.isValid());
    QVERIFY(graph.nodes[id].nameIsSynthetic);
    QVERIFY(nodeNamed(graph, "choose/else_branch/Relu_0").isValid());
    QCOMPARE(graph.scopes[graph.nodes[id].scope].path, std::string("/choose/then_branch"));
}

void TestOnnxSubgraphs::bodiesOfUnknownOperatorsAreBlocksToo() {
    auto model = emptyModel();
    importOpset(model, "com.microsoft", 1);
    auto& graph = *model.mutable_graph();
    addInput(graph, "ids");
    auto* node = addNode(graph, "BeamSearch", {"ids"}, {"out"}, "search");
    node->set_domain("com.microsoft");
    addNode(*addBody(*node, "decoder"), "Relu", {"ids"}, {"d"});
    auto* list = addAttribute(*node, "others", 10);
    addNode(*list->add_graphs(), "Exp", {"ids"}, {"e"});
    addNode(*list->add_graphs(), "Log", {"ids"}, {"l"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    QCOMPARE(read.nodes[nodeNamed(read, "search")].blocks.size(), std::size_t(3));
    QCOMPARE(read.fileNodeCount(), 4);
}

QTEST_APPLESS_MAIN(TestOnnxSubgraphs)
#include "test_onnx_subgraphs.moc"
