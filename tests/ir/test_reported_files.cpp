// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference.h"
#include "tests/frontends/model_writer.h"

#include <QTest>

#include <algorithm>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

ir::Typed inferred(
    const Opened& opened, const ir::Bindings& bindings, base::Diagnostics& diagnostics) {
    ir::InferenceOptions options;
    options.bindings = bindings;
    return *ir::infer(*opened.result, options, diagnostics);
}

std::string shapeOf(const ir::Typed& typed, std::string_view value) {
    const auto& shape = typed.type(valueNamed(*typed.graph, value)).shape;
    return shape ? ir::toText(*shape) : "unknown rank";
}

} // namespace

/// Files that public bug reports say break other tools, from the file to the inferred types.
class TestReportedFiles : public QObject {
    Q_OBJECT

private slots:
    void strangeDimensionsAreShownAsUnknownAndCanBeBound();
    void aRangeOfListsInAFunctionIsReportedAtTheCall();
};

/// onnx/onnx#6505: dimensions named "unk__16", and sizes that are negative or zero.
void TestReportedFiles::strangeDimensionsAreShownAsUnknownAndCanBeBound() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {0});
    auto& dims = *graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    dims.mutable_dim(0)->set_dim_param("unk__16");
    dims.add_dim()->set_dim_value(-7);
    dims.add_dim()->set_dim_value(0);
    addNode(graph, "Relu", {"x"}, {"y"}, "relu");
    graph.add_output()->set_name("y");
    const Opened opened = readModel(model);
    QVERIFY2(opened.isOk(), opened.message().c_str());
    base::Diagnostics diagnostics;
    QCOMPARE(ir::toText(*opened.graph().values[opened.graph().main().inputs[0]].declared.shape),
        std::string("unk__16×?×?"));
    const ir::Typed open = inferred(opened, {}, diagnostics);
    for (const ir::Dim& dim : *open.type(valueNamed(opened.graph(), "y")).shape)
        QVERIFY(!dim.isKnown());

    ir::Bindings bindings;
    for (const char* binding : {"unk__16=5", "x.1=3", "x.2=4"}) {
        const auto added = ir::addBinding(bindings, opened.graph(), binding);
        QVERIFY2(added.isOk(), added.isOk() ? "" : added.error().message.c_str());
    }
    QCOMPARE(shapeOf(inferred(opened, bindings, diagnostics), "y"), std::string("5×3×4"));
}

/// microsoft/onnxruntime#6737: Range with lists of one instead of scalars, in the body of a
/// function.
void TestReportedFiles::aRangeOfListsInAFunctionIsReportedAtTheCall() {
    auto model = emptyModel();
    importOpset(model, "local", 1);
    auto& graph = *model.mutable_graph();
    addInput(graph, "start", {1}, kInt64);
    addInput(graph, "limit", {2}, kInt64);
    addNode(graph, "Count", {"start", "limit"}, {"y"}, "/encoder/count")->set_domain("local");
    addNode(graph, "Abs", {"start"}, {"z"}, "abs");
    graph.add_output()->set_name("y");
    graph.add_output()->set_name("z");
    auto& function = *addFunction(model, "local", "Count", {"a", "b"}, {"r"});
    addNode(function, "Range", {"a", "b", "a"}, {"r"});
    const Opened opened = readModel(model);
    QVERIFY2(opened.isOk(), opened.message().c_str());
    base::Diagnostics diagnostics;
    const ir::Typed typed = inferred(opened, {}, diagnostics);
    const auto& entries = diagnostics.entries();
    const auto isAtTheCall = [](const base::Diagnostic& d) {
        return d.node.starts_with("/encoder/count") && d.message.starts_with("Range takes scalars");
    };
    QVERIFY(std::ranges::any_of(entries, isAtTheCall));
    QVERIFY(std::ranges::all_of(entries, isAtTheCall));
    QCOMPARE(shapeOf(typed, "z"), std::string("1")); // the rest goes on
}

QTEST_APPLESS_MAIN(TestReportedFiles)
#include "test_reported_files.moc"
