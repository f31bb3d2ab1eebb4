// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/frontends/onnx/graph_builder.h"

#include <QTest>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

/// x → call → y, with the function still to be added.
proto::ModelProto callModel(const std::string& domain, const std::string& name) {
    auto model = emptyModel();
    importOpset(model, domain, 1);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, name, {"x"}, {"y"}, "call")->set_domain(domain);
    addOutput(graph, "y");
    return model;
}

const ir::Block& bodyOf(const ir::Graph& graph, std::string_view call) {
    return graph.blocks[graph.nodes[nodeNamed(graph, call)].blocks.at(0)];
}

} // namespace

class TestOnnxFunctions : public QObject {
    Q_OBJECT
private slots:
    void aCallOwnsItsBody();
    void everyCallGetsItsOwnBody();
    void aFunctionCallsAFunctionOfAnotherDomain();
    void overloadsAreDifferentFunctions();
    void attributesAreSubstitutedAndDefaulted();
    void attributesPassThroughTwoLevels();
    void graphAttributesSeeTheCallersNames();
    void omittedInputsStayOmittedInside();
    void functionBodiesDoNotSeeTheGraph();
    void functionsHaveTheirOwnOperatorSets();
    void recursionIsReported();
    void mutualRecursionIsReported();
    void expansionIsLimited();
    void expansionIsLimitedInBytesToo();
    void aGraphPassedManyTimesIsLimited();
    void longChainsAreCutAtTheDepthLimit();
    void unusedFunctionsAreNotCounted();
    void namesInsideACallTellTheCall();
    void wrongArityOpens();
};

void TestOnnxFunctions::aCallOwnsItsBody() {
    auto model = callModel("local", "Twice");
    auto& function = *addFunction(model, "local", "Twice", {"a"}, {"b"});
    addNode(function, "Add", {"a", "a"}, {"t"}, "add");
    addNode(function, "Identity", {"t"}, {"b"}, "copy");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Node& call = graph.nodes[nodeNamed(graph, "call")];
    QCOMPARE(call.op, ir::Op::Call);
    QCOMPARE(call.sourceOp, std::string("Twice"));
    QCOMPARE(call.domain, std::string("local"));
    const ir::Block& body = bodyOf(graph, "call");
    QCOMPARE(body.role, std::string("function"));
    QCOMPARE(body.nodes.size(), std::size_t(2));
    QCOMPARE(body.inputs.size(), std::size_t(1));
    QCOMPARE(graph.values[body.outputs[0]].producer, nodeNamed(graph, "call/copy"));
    QCOMPARE(graph.values[body.inputs[0]].declared.shape, std::optional(ir::Shape{2, 3}));
    QCOMPARE(graph.fileNodeCount(), 1);
    QCOMPARE(brokenInvariant(graph), std::string());
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxFunctions::everyCallGetsItsOwnBody() {
    auto model = callModel("local", "F");
    addNode(*model.mutable_graph(), "F", {"y"}, {"z"}, "again")->set_domain("local");
    auto& function = *addFunction(model, "local", "F", {"a"}, {"b"});
    auto* constant = addNode(function, "Constant", {}, {"k"});
    auto* tensor = addAttribute(*constant, "value", 4)->mutable_t();
    tensor->set_data_type(kFloat);
    tensor->add_dims(5);
    tensor->set_raw_data(std::string(20, '\0'));
    addNode(function, "Add", {"a", "k"}, {"b"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    QCOMPARE(graph.blocks.size(), std::size_t(3));
    QCOMPARE(graph.nodes.size(), std::size_t(6));
    QCOMPARE(graph.fileNodeCount(), 2);
    QCOMPARE(graph.parameterCount(), 5); // one stored tensor, shared by both bodies
    QCOMPARE(brokenInvariant(graph), std::string());
}

void TestOnnxFunctions::aFunctionCallsAFunctionOfAnotherDomain() {
    auto model = callModel("outer", "F");
    auto& outer = *addFunction(model, "outer", "F", {"a"}, {"b"});
    addNode(outer, "F", {"a"}, {"b"}, "inner call")->set_domain("inner");
    auto& inner = *addFunction(model, "inner", "F", {"p"}, {"q"});
    addNode(inner, "Relu", {"p"}, {"q"}, "relu");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    QCOMPARE(graph.nodes[nodeNamed(graph, "call/inner call")].op, ir::Op::Call);
    QCOMPARE(graph.nodes[nodeNamed(graph, "call/inner call/relu")].op, ir::Op::Relu);
    QCOMPARE(opened.diagnostics.count("onnx.recursive_function"), 0);
    QCOMPARE(brokenInvariant(graph), std::string());
}

void TestOnnxFunctions::overloadsAreDifferentFunctions() {
    auto model = callModel("local", "F");
    model.set_ir_version(10);
    model.mutable_graph()->mutable_node(0)->set_overload("two");
    addNode(*addFunction(model, "local", "F", {"a"}, {"b"}, "one"), "Relu", {"a"}, {"b"});
    addNode(*addFunction(model, "local", "F", {"a"}, {"b"}, "two"), "Exp", {"a"}, {"b"});
    addNode(*addFunction(model, "local", "F", {"a"}, {"b"}), "Log", {"a"}, {"b"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    QCOMPARE(graph.nodes[nodeNamed(graph, "call")].overload, std::string("two"));
    QCOMPARE(graph.nodes[bodyOf(graph, "call").nodes[0]].op, ir::Op::Exp);
}

void TestOnnxFunctions::attributesAreSubstitutedAndDefaulted() {
    auto model = callModel("local", "F");
    addInteger(*model.mutable_graph()->mutable_node(0), "axis", 2);
    auto& function = *addFunction(model, "local", "F", {"a"}, {"b"});
    function.add_attribute("axis");
    function.add_attribute("absent");
    auto* keep = function.add_attribute_proto();
    keep->set_name("keep");
    keep->set_type(2);
    keep->set_i(1);
    auto* node = addNode(function, "ArgMax", {"a"}, {"b"}, "max");
    const auto refer = [&](const std::string& name, const std::string& to) {
        addAttribute(*node, name, 2)->set_ref_attr_name(to);
    };
    refer("axis", "axis");
    refer("keepdims", "keep");
    refer("select_last_index", "absent");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Node& inner = opened.graph().nodes[nodeNamed(opened.graph(), "call/max")];
    QCOMPARE(inner.attributes.integer("axis", -9), 2);
    QCOMPARE(inner.attributes.integer("keepdims", -9), 1);
    QVERIFY(!inner.attributes.has("select_last_index"));
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxFunctions::attributesPassThroughTwoLevels() {
    auto model = callModel("local", "Outer");
    addInteger(*model.mutable_graph()->mutable_node(0), "p", 7);
    auto& outer = *addFunction(model, "local", "Outer", {"a"}, {"b"});
    outer.add_attribute("p");
    auto* call = addNode(outer, "Inner", {"a"}, {"b"}, "in");
    call->set_domain("local");
    addAttribute(*call, "q", 2)->set_ref_attr_name("p");
    auto& inner = *addFunction(model, "local", "Inner", {"a"}, {"b"});
    inner.add_attribute("q");
    auto* constant = addNode(inner, "Constant", {}, {"k"}, "constant");
    addAttribute(*constant, "value_int", 2)->set_ref_attr_name("q");
    addNode(inner, "Add", {"a", "k"}, {"b"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Node& node = graph.nodes[nodeNamed(graph, "call/in/constant")];
    const auto value = graph.tensors.integers(graph.values[node.outputs[0]].data);
    QCOMPARE(value, (std::optional(std::vector<std::int64_t>{7})));
}

void TestOnnxFunctions::graphAttributesSeeTheCallersNames() {
    auto model = callModel("local", "F");
    addInput(*model.mutable_graph(), "c", {}, kBool);
    auto* call = model.mutable_graph()->mutable_node(0);
    auto& branch = *addBody(*call, "body");
    addNode(branch, "Relu", {"x"}, {"r"}, "in the branch");
    addOutput(branch, "r");
    auto& function = *addFunction(model, "local", "F", {"a"}, {"b"});
    function.add_attribute("body");
    auto* node = addNode(function, "If", {"a"}, {"b"}, "if");
    addAttribute(*node, "then_branch", 5)->set_ref_attr_name("body");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.undefined_value"), 0);
    const ir::Graph& graph = opened.graph();
    QCOMPARE(graph.nodes[nodeNamed(graph, "call/in the branch")].inputs[0], graph.main().inputs[0]);
}

void TestOnnxFunctions::omittedInputsStayOmittedInside() {
    auto model = callModel("local", "F");
    auto& function = *addFunction(model, "local", "F", {"a", "optional"}, {"b"});
    addNode(function, "Clip", {"a", "optional"}, {"b"}, "clip");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    QCOMPARE(bodyOf(graph, "call").inputs.size(), std::size_t(2));
    const ir::Node& clip = graph.nodes[nodeNamed(graph, "call/clip")];
    QVERIFY(clip.inputs[0].isValid());
    QVERIFY(!clip.inputs[1].isValid());
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxFunctions::functionBodiesDoNotSeeTheGraph() {
    auto model = callModel("local", "F");
    addNode(*addFunction(model, "local", "F", {"a"}, {"b"}), "Add", {"a", "x"}, {"b"}, "peek");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.undefined_value"), 1);
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxFunctions::functionsHaveTheirOwnOperatorSets() {
    auto model = callModel("local", "F");
    auto& function = *addFunction(model, "local", "F", {"a"}, {"b"});
    auto* opset = function.add_opset_import();
    opset->set_domain("");
    opset->set_version(13);
    addNode(function, "Softmax", {"a"}, {"b"}, "softmax");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().nodes[nodeNamed(opened.graph(), "call/softmax")].version, 13);
}

void TestOnnxFunctions::recursionIsReported() {
    auto model = callModel("local", "F");
    addNode(*addFunction(model, "local", "F", {"a"}, {"b"}), "F", {"a"}, {"b"}, "self")
        ->set_domain("local");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.recursive_function"), 1);
    QCOMPARE(opened.diagnostics.entries()[0].node, std::string("call/self"));
    QVERIFY(opened.graph().nodes[nodeNamed(opened.graph(), "call/self")].blocks.empty());
}

void TestOnnxFunctions::mutualRecursionIsReported() {
    auto model = callModel("local", "A");
    addNode(*addFunction(model, "local", "A", {"a"}, {"b"}), "B", {"a"}, {"b"})
        ->set_domain("local");
    addNode(*addFunction(model, "local", "B", {"a"}, {"b"}), "A", {"a"}, {"b"})
        ->set_domain("local");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.recursive_function"), 1);
}

void TestOnnxFunctions::expansionIsLimited() {
    // Each of 40 functions calls the next one twice: 2^40 bodies without a limit.
    auto model = callModel("local", "F0");
    for (int i = 0; i < 40; ++i) {
        auto& function = *addFunction(model, "local", "F" + std::to_string(i), {"a"}, {"b"});
        const std::string next = "F" + std::to_string(i + 1);
        addNode(function, next, {"a"}, {"t"})->set_domain("local");
        addNode(function, next, {"t"}, {"b"})->set_domain("local");
    }
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.count("onnx.expansion_limit") > 0);
    QVERIFY(opened.graph().nodes.size()
        <= static_cast<std::size_t>(frontends::onnx::GraphBuilder::kMaxInstantiatedNodes) + 1);
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxFunctions::expansionIsLimitedInBytesToo() {
    // A thousand calls of a function with a name of a million characters.
    auto model = emptyModel();
    for (int i = 0; i < 1000; ++i)
        addNode(*model.mutable_graph(), "F", {"x"}, {"y" + std::to_string(i)})->set_domain("local");
    addNode(*addFunction(model, "local", "F", {"a"}, {"b"}), "Relu", {"a"}, {"b"},
        std::string(1'000'000, 'n'));
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.count("onnx.expansion_limit") > 0);
    QVERIFY(opened.graph().nodes.size() < 1300);
}

void TestOnnxFunctions::aGraphPassedManyTimesIsLimited() {
    auto model = callModel("local", "F");
    auto& branch = *addBody(*model.mutable_graph()->mutable_node(0), "body");
    for (int i = 0; i < 2000; ++i)
        addNode(branch, "Relu", {"x"}, {"r" + std::to_string(i)});
    auto& function = *addFunction(model, "local", "F", {"a"}, {"b"});
    function.add_attribute("body");
    for (int i = 0; i < 2000; ++i)
        addAttribute(*addNode(function, "If", {"a"}, {"b" + std::to_string(i)}), "then_branch", 5)
            ->set_ref_attr_name("body");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.count("onnx.expansion_limit") > 0);
}

void TestOnnxFunctions::longChainsAreCutAtTheDepthLimit() {
    auto model = callModel("local", "F0");
    for (int i = 0; i < 2000; ++i)
        addNode(*addFunction(model, "local", "F" + std::to_string(i), {"a"}, {"b"}),
            "F" + std::to_string(i + 1), {"a"}, {"b"})
            ->set_domain("local");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.depth_limit"), 1);
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxFunctions::unusedFunctionsAreNotCounted() {
    auto model = emptyModel();
    addNode(*addFunction(model, "local", "Unused", {"a"}, {"b"}), "Relu", {"a"}, {"b"});
    addNode(*model.mutable_graph(), "Exp", {"x"}, {"y"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().nodes.size(), std::size_t(1));
}

void TestOnnxFunctions::namesInsideACallTellTheCall() {
    auto model = callModel("local", "F");
    auto* range = addNode(*model.mutable_graph(), "F", {"y"}, {"z"}, "/block/second");
    range->set_domain("local");
    auto& function = *addFunction(model, "local", "F", {"a"}, {"b"});
    addNode(function, "Range", {"a", "a", "a"}, {"b"}, "range");
    addNode(function, "Relu", {"b"}, {"c"}, "/deep/relu");
    addNode(function, "Exp", {"b"}, {"d"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    QVERIFY(nodeNamed(graph, "call/range").isValid());
    const auto second = nodeNamed(graph, "/block/second/range");
    QVERIFY(second.isValid());
    QCOMPARE(graph.scopes[graph.nodes[second].scope].path, std::string("/block/second"));
    const auto relu = nodeNamed(graph, "/block/second/deep/relu");
    QVERIFY(relu.isValid());
    QCOMPARE(graph.scopes[graph.nodes[relu].scope].path, std::string("/block/second/deep"));
    QVERIFY(nodeNamed(graph, "call/Exp_2").isValid());
}

void TestOnnxFunctions::wrongArityOpens() {
    auto model = callModel("local", "F");
    model.mutable_graph()->mutable_node(0)->add_input("x");
    model.mutable_graph()->mutable_node(0)->add_output("more");
    addNode(*addFunction(model, "local", "F", {"a"}, {"missing"}), "Relu", {"a"}, {"b"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.call_arity"), 1);
    QCOMPARE(opened.diagnostics.count("onnx.undefined_value"), 1);
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

QTEST_APPLESS_MAIN(TestOnnxFunctions)
#include "test_onnx_functions.moc"
