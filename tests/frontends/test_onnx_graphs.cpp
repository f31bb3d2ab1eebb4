// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/frontends/onnx/onnx_reader.h"
#include "core/frontends/onnx/operators.h"
#include "core/frontends/onnx/value_types.h"

#include <QTest>

#include <stop_token>

using namespace fivefold;
using namespace fivefold::tests;

class TestOnnxGraphs : public QObject {
    Q_OBJECT
private slots:
    void modelInformationIsKept();
    void nodesAndParametersAreCounted();
    void initialisersAmongTheInputsAreNotInputs();
    void aGraphWithoutNodesOpens();
    void aModelWithoutGraphIsRefused();
    void constantNodesCarryTheirValues();
    void outputIndicesComeFromTheProducer();
    void omittedInputsAndOutputsAreInvalidIds();
    void undefinedNamesAreReported();
    void duplicateValuesAreToleratedAndReported();
    void unsortedNodesAreConnected();
    void newerOperatorSetsAreReportedPerOperator();
    void unknownOperatorsAreKept();
    void operatorsMapToTheCanonicalSet_data();
    void operatorsMapToTheCanonicalSet();
    void oldFilesWithoutOperatorSetsOpen();
    void oddRanksOpen();
    void dimensionTextsAreRead_data();
    void dimensionTextsAreRead();
    void dynamicDimensionsAreUnknownOrNamed();
    void containerTypesAreRead();
    void unknownElementTypesAreReported();
    void trainingInformationIsReported();
    void cancellingStops();
};

void TestOnnxGraphs::modelInformationIsKept() {
    auto model = emptyModel(17, 9);
    model.set_producer_version("1.2");
    model.set_doc_string("about");
    auto* entry = model.add_metadata_props();
    entry->set_key("author");
    entry->set_value("nobody");
    importOpset(model, "com.microsoft", 1);
    const auto opened = readModel(model, "/models/a.onnx");
    QVERIFY(opened.isOk());
    const ir::ModelInfo& info = opened.graph().info;
    QCOMPARE(info.format, std::string("onnx"));
    QCOMPARE(info.producer, std::string("fivefold tests 1.2"));
    QCOMPARE(info.irVersion, 9);
    QCOMPARE(info.graphName, std::string("test"));
    QCOMPARE(info.documentation, std::string("about"));
    QCOMPARE(info.opsets.size(), std::size_t(2));
    QCOMPARE(info.opsets[1], (ir::OpsetImport{"com.microsoft", 1}));
    QCOMPARE(info.metadata.at("author"), std::string("nobody"));
    QCOMPARE(info.path, std::string("/models/a.onnx"));
    QCOMPARE(info.fileBytes, static_cast<std::int64_t>(model.ByteSizeLong()));
}

void TestOnnxGraphs::nodesAndParametersAreCounted() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "c", {}, kBool);
    addFloats(graph, "weight", {4, 5});
    addFloats(graph, "scalar", {});
    addInitializer(graph, "indices", {7}, kInt64);
    addInitializer(graph, "quantised", {6}, kInt8);
    addInitializer(graph, "mask", {9}, kBool);
    auto& branch = *addBody(*addNode(graph, "If", {"c"}, {"y"}), "then_branch");
    auto* value = addAttribute(*addNode(branch, "Constant", {}, {"k"}), "value", 4)->mutable_t();
    value->set_data_type(kFloat);
    value->add_dims(3);
    value->set_raw_data(std::string(12, '\0'));
    addNode(branch, "Identity", {"k"}, {"r"});
    addOutput(branch, "r", {3});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
    QCOMPARE(opened.graph().fileNodeCount(), 3);
    QCOMPARE(opened.graph().parameterCount(), 20 + 6 + 3);
}

void TestOnnxGraphs::initialisersAmongTheInputsAreNotInputs() {
    auto model = emptyModel(8, 3);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addInput(graph, "w", {3, 3});
    addFloats(graph, "w", {3, 3});
    addNode(graph, "MatMul", {"x", "w"}, {"y"});
    addOutput(graph, "y");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().main().inputs.size(), std::size_t(1));
    const ir::Node& node = opened.graph().nodes[ir::NodeId(0)];
    QCOMPARE(opened.graph().values[node.inputs[1]].origin, ir::ValueOrigin::Initializer);
    QVERIFY(opened.graph().values[node.inputs[1]].data.isValid());
}

void TestOnnxGraphs::aGraphWithoutNodesOpens() {
    auto model = emptyModel();
    addInput(*model.mutable_graph(), "x");
    addOutput(*model.mutable_graph(), "x");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().fileNodeCount(), 0);
    QCOMPARE(opened.graph().main().outputs, opened.graph().main().inputs);
}

void TestOnnxGraphs::aModelWithoutGraphIsRefused() {
    auto model = emptyModel();
    model.clear_graph();
    const auto opened = readModel(model);
    QVERIFY(!opened.isOk());
    QVERIFY(opened.message().find("holds no graph") != std::string::npos);
}

void TestOnnxGraphs::constantNodesCarryTheirValues() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    auto* ints = addAttribute(*addNode(graph, "Constant", {}, {"shape"}), "value_ints", 7);
    for (const int i : {1, -1, 768})
        ints->add_ints(i);
    addAttribute(*addNode(graph, "Constant", {}, {"eps"}), "value_float", 1)->set_f(0.5F);
    auto* texts = addAttribute(*addNode(graph, "Constant", {}, {"words"}), "value_strings", 8);
    texts->add_strings("a");
    texts->add_strings("b");
    addNode(graph, "Constant", {}, {"nothing"}, "empty constant");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    const ir::Value& shape = read.values[valueNamed(read, "shape")];
    QCOMPARE(
        read.tensors.integers(shape.data), (std::optional(std::vector<std::int64_t>{1, -1, 768})));
    QCOMPARE(shape.declared.dtype, ir::DType::Int64);
    QCOMPARE(shape.declared.shape, std::optional(ir::Shape{3}));
    const ir::Value& eps = read.values[valueNamed(read, "eps")];
    QCOMPARE(read.tensors.numbers(eps.data), (std::optional(std::vector<double>{0.5})));
    QCOMPARE(eps.declared.shape, std::optional(ir::Shape{}));
    const ir::Value& words = read.values[valueNamed(read, "words")];
    QCOMPARE(read.tensors[words.data].strings, (std::vector<std::string>{"a", "b"}));
    QVERIFY(!read.values[valueNamed(read, "nothing")].data.isValid());
    QCOMPARE(opened.diagnostics.count("onnx.constant_without_value"), 1);
}

void TestOnnxGraphs::outputIndicesComeFromTheProducer() {
    // Bug reports show tools that took the reader's position for the output's: cat → sin and cos.
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, "Split", {"x"}, {"a", "b"}, "split");
    addNode(graph, "Sin", {"b"}, {"s"}, "sin");
    addNode(graph, "Cos", {"b"}, {"c"}, "cos");
    addNode(graph, "Mul", {"b", "b"}, {"m"}, "mul");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    const ir::Value& b = read.values[valueNamed(read, "b")];
    QCOMPARE(b.outputIndex, 1U);
    QCOMPARE(b.producer, nodeNamed(read, "split"));
    const auto mul = nodeNamed(read, "mul");
    QCOMPARE(b.users, (std::vector{nodeNamed(read, "sin"), nodeNamed(read, "cos"), mul, mul}));
}

void TestOnnxGraphs::omittedInputsAndOutputsAreInvalidIds() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, "Clip", {"x", "", "x"}, {"", "y"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Node& node = opened.graph().nodes[ir::NodeId(0)];
    QCOMPARE(node.inputs.size(), std::size_t(3));
    QVERIFY(!node.inputs[1].isValid());
    QVERIFY(node.inputs[2].isValid());
    QVERIFY(!node.outputs[0].isValid());
    QCOMPARE(opened.graph().values[node.outputs[1]].outputIndex, 1U);
}

void TestOnnxGraphs::undefinedNamesAreReported() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addNode(graph, "Relu", {"ghost"}, {"y"}, "relu");
    addOutput(graph, "y");
    addOutput(graph, "phantom");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.undefined_value"), 2);
    QCOMPARE(opened.diagnostics.entries()[0].node, std::string("relu"));
    QCOMPARE(opened.graph().main().outputs.size(), std::size_t(2));
    QVERIFY(opened.graph().main().inputs.empty());
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxGraphs::duplicateValuesAreToleratedAndReported() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, "Relu", {"x"}, {"t"}, "first");
    addNode(graph, "Exp", {"t"}, {"u"}, "between");
    addNode(graph, "Sqrt", {"u"}, {"t"}, "second");
    addNode(graph, "Log", {"t"}, {"y"}, "last");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.duplicate_value"), 1);
    const ir::Graph& read = opened.graph();
    const auto producerOfInput = [&](std::string_view node) {
        return read.values[read.nodes[nodeNamed(read, node)].inputs[0]].producer;
    };
    QCOMPARE(producerOfInput("between"), nodeNamed(read, "first"));
    QCOMPARE(producerOfInput("last"), nodeNamed(read, "second"));
    QCOMPARE(brokenInvariant(read), std::string());
}

void TestOnnxGraphs::unsortedNodesAreConnected() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, "Relu", {"later"}, {"y"}, "reader");
    addNode(graph, "Exp", {"x"}, {"later"}, "writer");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    QCOMPARE(read.values[read.nodes[nodeNamed(read, "reader")].inputs[0]].producer,
        nodeNamed(read, "writer"));
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxGraphs::newerOperatorSetsAreReportedPerOperator() {
    auto model = emptyModel(99);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, "Relu", {"x"}, {"a"});
    addNode(graph, "Relu", {"a"}, {"b"});
    addNode(graph, "Exp", {"b"}, {"y"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.newer_opset"), 3);
    QCOMPARE(opened.diagnostics.entries().size(), std::size_t(2));
    QCOMPARE(opened.diagnostics.entries()[0].count, 2);
    QVERIFY(opened.diagnostics.entries()[0].message.find("Relu") != std::string::npos);
    QVERIFY(opened.diagnostics.entries()[0].message.find("99") != std::string::npos);
    QCOMPARE(opened.graph().nodes[ir::NodeId(0)].version, 99);
}

void TestOnnxGraphs::unknownOperatorsAreKept() {
    auto model = emptyModel();
    importOpset(model, "my.plugins", 3);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    addNode(graph, "Relu", {"x"}, {"a"}, "foreign")->set_domain("my.plugins");
    addNode(graph, "Frobnicate", {"a"}, {"y"}, "standard");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Node& foreign = opened.graph().nodes[ir::NodeId(0)];
    QCOMPARE(foreign.op, ir::Op::Unknown);
    QCOMPARE(foreign.sourceOp, std::string("Relu"));
    QCOMPARE(foreign.domain, std::string("my.plugins"));
    QCOMPARE(foreign.version, 3);
    QCOMPARE(opened.graph().nodes[ir::NodeId(1)].op, ir::Op::Unknown);
    QCOMPARE(opened.diagnostics.count("onnx.unknown_operator"), 1);
}

void TestOnnxGraphs::operatorsMapToTheCanonicalSet_data() {
    QTest::addColumn<QString>("domain");
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("op");
    QTest::addColumn<bool>("isChannelsLast");
    const auto row = [](const char* domain, const char* type, ir::Op op,
                         bool channelsLast = false) {
        QTest::addRow("%s:%s", domain, type)
            << domain << type << static_cast<int>(op) << channelsLast;
    };
    row("", "Conv", ir::Op::Conv);
    row("ai.onnx", "Gemm", ir::Op::Gemm);
    row("", "LRN", ir::Op::LocalResponseNormalization);
    row("", "Attention", ir::Op::Attention);
    row("", "SimplifiedLayerNormalization", ir::Op::RMSNormalization);
    row("ai.onnx.ml", "TreeEnsembleRegressor", ir::Op::TreeEnsembleRegressor);
    row("ai.onnx.preview.training", "Adam", ir::Op::Adam);
    row("com.microsoft", "Attention", ir::Op::PackedAttention);
    row("com.microsoft", "MultiHeadAttention", ir::Op::MultiHeadAttention);
    row("com.microsoft", "GroupQueryAttention", ir::Op::GroupQueryAttention);
    row("com.microsoft", "MatMulNBits", ir::Op::MatMulNBits);
    row("com.microsoft", "FusedMatMul", ir::Op::FusedMatMul);
    row("com.microsoft", "SkipLayerNormalization", ir::Op::SkipLayerNormalization);
    row("com.microsoft", "SkipSimplifiedLayerNormalization", ir::Op::SkipRMSNormalization);
    row("com.microsoft", "SimplifiedLayerNormalization", ir::Op::RMSNormalization);
    row("com.microsoft", "RotaryEmbedding", ir::Op::RotaryEmbedding);
    row("com.microsoft", "QLinearAdd", ir::Op::QLinearAdd);
    row("com.microsoft", "BiasGelu", ir::Op::BiasGelu);
    row("com.microsoft", "FastGelu", ir::Op::FastGelu);
    row("com.microsoft", "QuickGelu", ir::Op::QuickGelu);
    row("com.microsoft", "Gelu", ir::Op::Gelu);
    row("com.microsoft", "MoE", ir::Op::MixtureOfExperts);
    row("com.microsoft", "NhwcConv", ir::Op::Conv, true);
    row("com.ms.internal.nhwc", "Conv", ir::Op::Conv, true);
    row("com.microsoft", "Relu", ir::Op::Unknown);
    row("somebody.else", "Conv", ir::Op::Unknown);
}

void TestOnnxGraphs::operatorsMapToTheCanonicalSet() {
    QFETCH(QString, domain);
    QFETCH(QString, type);
    QFETCH(int, op);
    QFETCH(bool, isChannelsLast);
    auto model = emptyModel();
    importOpset(model, domain.toStdString(), 1);
    addInput(*model.mutable_graph(), "x");
    addNode(*model.mutable_graph(), type.toStdString(), {"x"}, {"y"})
        ->set_domain(domain.toStdString());
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Node& node = opened.graph().nodes[ir::NodeId(0)];
    QCOMPARE(static_cast<int>(node.op), op);
    QCOMPARE(node.attributes.integer("channels_last", 0) != 0, isChannelsLast);
    QCOMPARE(node.domain, domain == "ai.onnx" ? std::string() : domain.toStdString());
}

void TestOnnxGraphs::oldFilesWithoutOperatorSetsOpen() {
    auto model = emptyModel();
    model.set_ir_version(1);
    model.clear_opset_import();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x");
    auto* node = addNode(graph, "Conv", {"x", "x"}, {"y"});
    auto* strides = node->add_attribute(); // IR version 1 does not say the kind
    strides->set_name("strides");
    strides->add_ints(2);
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Node& read = opened.graph().nodes[ir::NodeId(0)];
    QCOMPARE(read.version, 1);
    QCOMPARE(read.attributes.integers("strides"), (std::optional(std::vector<std::int64_t>{2})));
}

void TestOnnxGraphs::oddRanksOpen() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "scalar", {});
    addInput(graph, "vector", {3});
    addNode(graph, "Gemm", {"scalar", "vector"}, {"g"}, "gemm");
    addNode(graph, "Conv", {"vector", "scalar"}, {"c"}, "conv");
    addOutput(graph, "g", {});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().fileNodeCount(), 2);
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

void TestOnnxGraphs::dimensionTextsAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("dim");
    QTest::newRow("name") << "batch"
                          << "batch";
    QTest::newRow("made-up name") << "unk__16"
                                  << "unk__16";
    QTest::newRow("name with a hyphen") << "batch-size"
                                        << "batch-size";
    QTest::newRow("name with a blank") << "batch size"
                                       << "batch size";
    QTest::newRow("sum") << "past + seq"
                         << "past + seq";
    QTest::newRow("product and constant") << "2*s0 + 1"
                                          << "2*s0 + 1";
    QTest::newRow("digits") << "128"
                            << "128";
    QTest::newRow("nothing") << ""
                             << "?";
    QTest::newRow("question mark") << "?"
                                   << "?";
    QTest::newRow("None") << "None"
                          << "?";
    QTest::newRow("minus one") << "-1"
                               << "?";
    QTest::newRow("function") << "Max(1, s0)"
                              << "Max(1, s0)";
}

void TestOnnxGraphs::dimensionTextsAreRead() {
    QFETCH(QString, text);
    QFETCH(QString, dim);
    const ir::Dim read = frontends::onnx::dimOfText(text.toStdString());
    QCOMPARE(QString::fromStdString(read.text()), dim);
    if (text == "past + seq")
        QVERIFY(isSame(read, ir::Dim::symbol("seq") + ir::Dim::symbol("past")));
}

void TestOnnxGraphs::dynamicDimensionsAreUnknownOrNamed() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {-1, 0, 5});
    auto* dims = graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    dims->add_dim()->set_dim_value(-7);
    dims->add_dim()->set_dim_param("unk__16");
    addInput(graph, "axes", {0}, kInt64);
    addInput(graph, "rankless");
    graph.mutable_input(2)->mutable_type()->mutable_tensor_type()->clear_shape();
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    const ir::Shape& shape = *read.values[read.main().inputs[0]].declared.shape;
    QCOMPARE(toText(shape), std::string("?×?×5×?×unk__16"));
    QCOMPARE(opened.diagnostics.count("onnx.size_not_positive"), 2);
    QCOMPARE(*read.values[read.main().inputs[1]].declared.shape, ir::Shape{0});
    QVERIFY(!read.values[read.main().inputs[2]].declared.shape.has_value());
}

void TestOnnxGraphs::containerTypesAreRead() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    const auto add = [&](const std::string& name) {
        auto* input = graph.add_input();
        input->set_name(name);
        return input->mutable_type();
    };
    const auto setTensor = [](proto::TypeProto* type) {
        type->mutable_tensor_type()->set_elem_type(kFloat16);
        type->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(4);
    };
    setTensor(add("sequence")->mutable_sequence_type()->mutable_elem_type());
    setTensor(add("optional")
                  ->mutable_optional_type()
                  ->mutable_elem_type()
                  ->mutable_sequence_type()
                  ->mutable_elem_type());
    auto* map = add("map")->mutable_map_type();
    map->set_key_type(kInt64);
    setTensor(map->mutable_value_type());
    add("sparse")->mutable_sparse_tensor_type()->set_elem_type(kInt32);
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const auto type = [&](std::size_t i) -> const ir::ValueType& {
        return opened.graph().values[opened.graph().main().inputs[i]].declared;
    };
    QCOMPARE(type(0), (ir::ValueType{ir::ValueKind::Sequence, ir::DType::Float16, ir::Shape{4}}));
    QCOMPARE(type(1).kind, ir::ValueKind::Optional);
    QCOMPARE(type(1).dtype, ir::DType::Float16);
    QCOMPARE(type(2).kind, ir::ValueKind::Map);
    QCOMPARE(type(3), (ir::ValueType{ir::ValueKind::SparseTensor, ir::DType::Int32, std::nullopt}));
}

void TestOnnxGraphs::unknownElementTypesAreReported() {
    auto model = emptyModel();
    addInput(*model.mutable_graph(), "x", {3}, 77);
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().values[opened.graph().main().inputs[0]].declared.dtype,
        ir::DType::Undefined);
    QCOMPARE(opened.diagnostics.count("onnx.unknown_dtype"), 1);
}

void TestOnnxGraphs::trainingInformationIsReported() {
    auto model = emptyModel();
    addNode(*model.add_training_info()->mutable_algorithm(), "Adam", {}, {"w"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().fileNodeCount(), 0);
    QCOMPARE(opened.diagnostics.count("onnx.training_info"), 1);
}

void TestOnnxGraphs::cancellingStops() {
    auto model = emptyModel();
    for (int i = 0; i < 3000; ++i)
        addNode(*model.mutable_graph(), "Relu", {"x"}, {"y" + std::to_string(i)});
    const std::string bytes = model.SerializeAsString();
    std::stop_source stop;
    stop.request_stop();
    base::Diagnostics diagnostics;
    const auto result =
        frontends::onnx::readModel(std::as_bytes(std::span(bytes.data(), bytes.size())),
            "model.onnx", diagnostics, base::Progress(stop.get_token()));
    QVERIFY(!result.isOk());
    QCOMPARE(result.error().code, base::ErrorCode::Cancelled);
}

QTEST_APPLESS_MAIN(TestOnnxGraphs)
#include "test_onnx_graphs.moc"
