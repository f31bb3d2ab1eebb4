// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/frontends/onnx/scopes.h"

#include <QTemporaryDir>
#include <QTest>

using namespace fivefold;
using namespace fivefold::tests;
using frontends::onnx::splitName;
using frontends::onnx::splitNameScopes;

namespace {

QString joined(const frontends::onnx::SplitName& split) {
    QString text;
    for (const std::string& module : split.modules)
        text += QString::fromStdString(module) + " | ";
    return text + QString::fromStdString(split.shortName);
}

} // namespace

class TestOnnxNames : public QObject {
    Q_OBJECT
private slots:
    void emptyNamesBecomeUniqueOnes();
    void madeUpNamesAvoidNamesOfTheFile();
    void duplicateNamesAreNumbered();
    void namesAreSplitIntoModules_data();
    void namesAreSplitIntoModules();
    void exporterMetadataIsSplit_data();
    void exporterMetadataIsSplit();
    void scopesFormATree();
    void metadataGivesScopes();
    void threeLevelsTimesFortyEightLayersAreKept();
    void unusualNamesArePreserved_data();
    void unusualNamesArePreserved();
    void pathsMayBeInAnyLanguage();
};

void TestOnnxNames::emptyNamesBecomeUniqueOnes() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    for (int i = 0; i < 3; ++i)
        addNode(graph, "Relu", {"x"}, {"y" + std::to_string(i)});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
    QCOMPARE(opened.graph().nodes[ir::NodeId(1)].name, std::string("Relu_1"));
    QVERIFY(opened.graph().nodes[ir::NodeId(1)].nameIsSynthetic);
    QCOMPARE(opened.diagnostics.count("onnx.duplicate_node_name"), 0);
}

void TestOnnxNames::madeUpNamesAvoidNamesOfTheFile() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addNode(graph, "Relu", {"x"}, {"a"}, "Relu_1");
    addNode(graph, "Relu", {"x"}, {"b"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
    QCOMPARE(opened.graph().nodes[ir::NodeId(0)].name, std::string("Relu_1"));
}

void TestOnnxNames::duplicateNamesAreNumbered() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    for (int i = 0; i < 3; ++i)
        addNode(graph, "Relu", {"x"}, {"y" + std::to_string(i)}, "same");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
    QCOMPARE(opened.graph().nodes[ir::NodeId(2)].name, std::string("same#3"));
    QCOMPARE(opened.diagnostics.count("onnx.duplicate_node_name"), 2);
}

void TestOnnxNames::namesAreSplitIntoModules_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::newRow("PyTorch") << "/layer1/layer1.0/conv1/Conv"
                             << "layer1 | layer1.0 | conv1 | Conv";
    QTest::newRow("no module") << "/Conv"
                               << "Conv";
    QTest::newRow("TensorFlow") << "model/dense/MatMul"
                                << "model | dense | MatMul";
    QTest::newRow("dots") << "model.layers.0.mlp.MatMul"
                          << "model | layers.0 | mlp | MatMul";
    QTest::newRow("plain") << "Conv_12"
                           << "Conv_12";
    QTest::newRow("a number behind a dot") << "Conv_0.1"
                                           << "Conv_0.1";
    QTest::newRow("Paddle2ONNX") << "p2o.Conv.12"
                                 << "p2o.Conv.12";
    QTest::newRow("double slashes") << "//a//b/"
                                    << "a | b";
    QTest::newRow("only slashes") << "///"
                                  << "";
    QTest::newRow("empty") << ""
                           << "";
}

void TestOnnxNames::namesAreSplitIntoModules() {
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QCOMPARE(joined(splitName(name.toStdString())), expected);
}

void TestOnnxNames::exporterMetadataIsSplit_data() {
    QTest::addColumn<QString>("metadata");
    QTest::addColumn<QString>("expected");
    QTest::newRow("modules") << "['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d_3']"
                             << "layer1 | layer1.0 | conv1 | conv2d_3";
    QTest::newRow("a step of two") << "['', 'layers.0', 'layers.0.attn.q', 'linear']"
                                   << "layers.0 | attn.q | linear";
    QTest::newRow("root only") << "['', 'add']"
                               << "add";
    QTest::newRow("double quotes") << "[\"a'b\", \"c\"]"
                                   << "a'b | c";
    QTest::newRow("no list") << "layer1"
                             << "";
    QTest::newRow("unclosed") << "['a, b]"
                              << "";
    QTest::newRow("empty list") << "[]"
                                << "";
}

void TestOnnxNames::exporterMetadataIsSplit() {
    QFETCH(QString, metadata);
    QFETCH(QString, expected);
    QCOMPARE(joined(splitNameScopes(metadata.toStdString())), expected);
}

void TestOnnxNames::scopesFormATree() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addNode(graph, "Conv", {"x"}, {"a"}, "/layer1/layer1.0/conv1/Conv");
    addNode(graph, "Relu", {"a"}, {"b"}, "/layer1/layer1.0/relu/Relu");
    addNode(graph, "Add", {"b", "x"}, {"c"}, "/layer1/layer1.0/Add");
    addNode(graph, "Exp", {"c"}, {"y"});
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    QCOMPARE(read.scopes.size(), std::size_t(5));
    const auto& block = read.scopes[read.nodes[nodeOf(read, "Add")].scope];
    QCOMPARE(block.path, std::string("/layer1/layer1.0"));
    QCOMPARE(block.name, std::string("layer1.0"));
    QCOMPARE(block.children.size(), std::size_t(2));
    QCOMPARE(block.nodes, std::vector{nodeOf(read, "Add")});
    QCOMPARE(read.scopes[block.parent].path, std::string("/layer1"));
    QCOMPARE(read.nodes[nodeOf(read, "Exp")].scope, ir::Graph::rootScope());
    QCOMPARE(read.scopes[ir::Graph::rootScope()].path, std::string("/"));
}

void TestOnnxNames::metadataGivesScopes() {
    auto model = emptyModel();
    auto* node = addNode(*model.mutable_graph(), "Conv", {"x"}, {"y"}, "node_conv2d");
    auto* entry = node->add_metadata_props();
    entry->set_key("pkg.torch.onnx.name_scopes");
    entry->set_value("['', 'features', 'features.0', 'conv2d']");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Node& read = opened.graph().nodes[ir::NodeId(0)];
    QCOMPARE(read.name, std::string("node_conv2d"));
    QCOMPARE(opened.graph().scopes[read.scope].path, std::string("/features/features.0"));
}

void TestOnnxNames::threeLevelsTimesFortyEightLayersAreKept() {
    auto model = emptyModel();
    for (int layer = 0; layer < 48; ++layer)
        for (int part = 0; part < 3; ++part)
            addNode(*model.mutable_graph(), "Relu", {"x"},
                {"y" + std::to_string(layer) + '_' + std::to_string(part)},
                "/layers." + std::to_string(layer) + "/block/part" + std::to_string(part)
                    + "/Relu");
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.graph().scopes.size(), std::size_t(1 + 48 * 5));
    QCOMPARE(opened.graph().scopes[ir::Graph::rootScope()].children.size(), std::size_t(48));
}

void TestOnnxNames::unusualNamesArePreserved_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("Chinese") << QByteArray("卷积/层一");
    QTest::newRow("emoji") << QByteArray("🔥🧊");
    QTest::newRow("right to left") << QByteArray("שכבה/طبقة");
    QTest::newRow("10,000 characters") << QByteArray(10'000, 'n');
    QTest::newRow("10,000 levels") << QByteArray("a/").repeated(10'000);
    QTest::newRow("newline") << QByteArray("two\nlines");
    QTest::newRow("NUL") << QByteArray("a\0b", 3);
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80", 3);
    QTest::newRow("colon and blank") << QByteArray("onnx::Conv 12:0");
}

void TestOnnxNames::unusualNamesArePreserved() {
    QFETCH(QByteArray, name);
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, name.toStdString());
    addNode(graph, "Relu", {name.toStdString()}, {"y"}, name.toStdString());
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& read = opened.graph();
    QCOMPARE(QByteArray::fromStdString(read.nodes[ir::NodeId(0)].name), name);
    QCOMPARE(QByteArray::fromStdString(read.values[read.main().inputs[0]].name), name);
    QCOMPARE(read.nodes[ir::NodeId(0)].inputs[0], read.main().inputs[0]);
    QVERIFY(read.scopes.size() <= 40);
    QCOMPARE(brokenInvariant(read), std::string());
}

void TestOnnxNames::pathsMayBeInAnyLanguage() {
    QTemporaryDir folder;
    auto model = emptyModel();
    addExternal(*addInitializer(*model.mutable_graph(), "w", {2}), "веса 权重.bin");
    const auto base =
        std::filesystem::path(folder.path().toStdString()) / "модель 模型 🧠";
    std::filesystem::create_directory(base);
    writeFile(base / "веса 权重.bin", "12345678");
    writeFile(base / "граф.onnx", model.SerializeAsString());
    const auto opened = openFile(base / "граф.onnx");
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.empty());
    QVERIFY(opened.graph().tensors.read(ir::TensorId(0)).isOk());
}

QTEST_APPLESS_MAIN(TestOnnxNames)
#include "test_onnx_names.moc"
