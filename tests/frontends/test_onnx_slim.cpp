// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/onnx_reader.h"
#include "core/frontends/onnx/slim.h"
#include "tests/frontends/model_writer.h"

#include <QTest>

#include <random>
#include <span>

using namespace fivefold;
using namespace fivefold::tests;
using fivefold::frontends::onnx::SlimLimits;
using fivefold::frontends::onnx::slimModel;
using fivefold::frontends::onnx::sniffModel;

namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// x → Conv(w) → Relu → y, with a large and a small initialiser.
proto::ModelProto convModel() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 16, 8, 8});
    addNode(graph, "Conv", {"x", "w", "b"}, {"c"}, "/features/conv/Conv");
    addNode(graph, "Relu", {"c"}, {"y"}, "/features/relu/Relu");
    addFloats(graph, "w", {16, 16, 3, 3});
    addFloats(graph, "b", {16});
    addOutput(graph, "y", {1, 16, 8, 8});
    return model;
}

/// If in If in If …; each branch holds the next.
proto::ModelProto nestedModel(int depth) {
    auto model = emptyModel();
    addInput(*model.mutable_graph(), "c", {}, kBool);
    proto::GraphProto* graph = model.mutable_graph();
    for (int i = 0; i < depth; ++i)
        graph = addBody(*addNode(*graph, "If", {"c"}, {"y"}), "then_branch");
    return model;
}

} // namespace

class TestOnnxSlim : public QObject {
    Q_OBJECT
private slots:
    void largePayloadsAreLeftOutAndFoundAgain();
    void smallPayloadsStay();
    void privateFieldsOfTheInputAreRemoved();
    void everyTruncationIsNamedOrOpens();
    void aTruncationNamesTheNode_data();
    void aTruncationNamesTheNode();
    void aTruncationNamesTheInitializer();
    void damagedLengthsAreNamed();
    void nestingIsReadToTheLimitAndRefusedBeyond();
    void deepTypesAreRefused();
    void keptBytesAreLimited();
    void modelsAreRecognisedByContent_data();
    void modelsAreRecognisedByContent();
};

void TestOnnxSlim::largePayloadsAreLeftOutAndFoundAgain() {
    const std::string file = convModel().SerializeAsString();
    const auto slim = slimModel(bytesOf(file));
    QVERIFY(slim.isOk());
    QVERIFY(slim->size() + 16 * 16 * 9 * 4 < file.size() + 64);
    proto::ModelProto model;
    QVERIFY(model.ParseFromString(*slim));
    const auto& weight = model.graph().initializer(0);
    QVERIFY(!weight.has_raw_data());
    QCOMPARE(weight.left_out().length(), std::uint64_t(16 * 16 * 9 * 4));
    float second = 0;
    std::memcpy(&second, file.data() + weight.left_out().offset() + 4, sizeof second);
    QCOMPARE(second, 1.0F);
}

void TestOnnxSlim::smallPayloadsStay() {
    const std::string file = convModel().SerializeAsString();
    const auto slim = slimModel(bytesOf(file));
    QVERIFY(slim.isOk());
    proto::ModelProto model;
    QVERIFY(model.ParseFromString(*slim));
    QCOMPARE(model.graph().initializer(1).raw_data().size(), std::size_t(64));
    QVERIFY(!model.graph().initializer(1).has_left_out());
    QCOMPARE(model.graph().node_size(), 2);
    QCOMPARE(model.graph().node(0).name(), std::string("/features/conv/Conv"));
}

void TestOnnxSlim::privateFieldsOfTheInputAreRemoved() {
    auto model = convModel();
    auto* leftOut = model.mutable_graph()->mutable_initializer(1)->mutable_left_out();
    leftOut->set_field(9);
    leftOut->set_offset(std::uint64_t(1) << 60);
    leftOut->set_length(std::uint64_t(1) << 40);
    const auto slim = slimModel(bytesOf(model.SerializeAsString()));
    QVERIFY(slim.isOk());
    proto::ModelProto read;
    QVERIFY(read.ParseFromString(*slim));
    QVERIFY(!read.graph().initializer(1).has_left_out());
}

void TestOnnxSlim::everyTruncationIsNamedOrOpens() {
    const std::string file = convModel().SerializeAsString();
    int named = 0;
    for (std::size_t length = 1; length < file.size(); ++length) {
        const auto opened = readBytes(std::string_view(file).substr(0, length));
        if (opened.isOk())
            continue;
        const std::string message = opened.message();
        const bool isNamed = message.find("The file ends inside") != std::string::npos;
        const bool isWithoutGraph = message.find("holds no graph") != std::string::npos;
        QVERIFY2(isNamed || isWithoutGraph, message.c_str());
        named += isNamed;
    }
    QVERIFY(named > 9000);
}

void TestOnnxSlim::aTruncationNamesTheNode_data() {
    QTest::addColumn<QString>("cutBehind");
    QTest::addColumn<QString>("expected");
    QTest::newRow("inside the first node") << "/features/conv/Conv"
                                           << "node 0 \"/features/conv/Conv\"";
    QTest::newRow("inside the second node") << "/features/relu/Relu"
                                            << "node 1 \"/features/relu/Relu\"";
}

void TestOnnxSlim::aTruncationNamesTheNode() {
    QFETCH(QString, cutBehind);
    QFETCH(QString, expected);
    const std::string file = convModel().SerializeAsString();
    const std::size_t at = file.find(cutBehind.toStdString());
    QVERIFY(at != std::string::npos);
    const auto opened = readBytes(
        std::string_view(file).substr(0, at + static_cast<std::size_t>(cutBehind.size())));
    QVERIFY(!opened.isOk());
    QVERIFY2(QString::fromStdString(opened.message()).contains("The file ends inside " + expected),
        opened.message().c_str());
    QVERIFY(QString::fromStdString(opened.message()).contains("main graph"));
}

void TestOnnxSlim::aTruncationNamesTheInitializer() {
    const std::string file = convModel().SerializeAsString();
    const auto opened = readBytes(std::string_view(file).substr(0, file.size() / 2));
    QVERIFY(!opened.isOk());
    QVERIFY2(
        QString::fromStdString(opened.message()).contains("initializer 0 \"w\" of the main graph"),
        opened.message().c_str());
}

void TestOnnxSlim::damagedLengthsAreNamed() {
    std::string file = convModel().SerializeAsString();
    const std::size_t at = file.find("Conv", file.find("/features/conv/Conv") + 19);
    QVERIFY(at != std::string::npos);
    file[at - 1] = '\x7f'; // the operator's length, now longer than its node
    const auto opened = readBytes(file);
    QVERIFY(!opened.isOk());
    QVERIFY2(QString::fromStdString(opened.message()).contains("damaged inside node 0"),
        opened.message().c_str());
    QVERIFY(QString::fromStdString(opened.message()).contains("byte "));
}

void TestOnnxSlim::nestingIsReadToTheLimitAndRefusedBeyond() {
    const auto deep = readModel(nestedModel(200));
    QVERIFY2(deep.isOk(), deep.message().c_str());
    QCOMPARE(deep.graph().fileNodeCount(), 200);
    const auto tooDeep = readModel(nestedModel(400));
    QVERIFY(!tooDeep.isOk());
    QCOMPARE(tooDeep.result.error().code, base::ErrorCode::Limit);
    QVERIFY2(QString::fromStdString(tooDeep.message()).contains("nested more than 256 levels"),
        tooDeep.message().c_str());
}

void TestOnnxSlim::deepTypesAreRefused() {
    auto model = convModel();
    auto* type = model.mutable_graph()->add_value_info()->mutable_type();
    for (int i = 0; i < 5000; ++i)
        type = type->mutable_sequence_type()->mutable_elem_type();
    const auto opened = readModel(model);
    QVERIFY(!opened.isOk());
    QVERIFY(QString::fromStdString(opened.message()).contains("nested too deep"));
}

void TestOnnxSlim::keptBytesAreLimited() {
    SlimLimits limits;
    limits.keptBytes = 64;
    const auto slim = slimModel(bytesOf(convModel().SerializeAsString()), limits);
    QVERIFY(!slim.isOk());
    QCOMPARE(slim.error().code, base::ErrorCode::Limit);
}

void TestOnnxSlim::modelsAreRecognisedByContent_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<bool>("isModel");
    const std::string model = convModel().SerializeAsString();
    const auto all = QByteArray::fromStdString(model);
    QTest::newRow("model") << all << true;
    QTest::newRow("its first 100 bytes") << all.left(100) << true;
    auto graphOnly = emptyModel();
    graphOnly.clear_ir_version();
    graphOnly.clear_opset_import();
    addNode(*graphOnly.mutable_graph(), "Relu", {"x"}, {"y"});
    QTest::newRow("graph alone") << QByteArray::fromStdString(graphOnly.SerializeAsString())
                                 << true;
    QTest::newRow("nothing") << QByteArray() << false;
    QTest::newRow("text") << QByteArray("import torch\n") << false;
    QTest::newRow("PNG") << QByteArray("\x89PNG\r\n\x1a\n", 8) << false;
    QTest::newRow("ZIP") << QByteArray("PK\x03\x04\x14\0\0\0", 8) << false;
    QTest::newRow("zeros") << QByteArray(64, '\0') << false;
    proto::TensorProto tensor;
    tensor.add_dims(3);
    tensor.set_data_type(kFloat);
    tensor.set_raw_data(std::string(12, '\1'));
    QTest::newRow("a tensor alone")
        << QByteArray::fromStdString(tensor.SerializeAsString()) << false;
}

void TestOnnxSlim::modelsAreRecognisedByContent() {
    QFETCH(QByteArray, head);
    QFETCH(bool, isModel);
    const int score =
        sniffModel(bytesOf({head.constData(), static_cast<std::size_t>(head.size())}));
    QCOMPARE(score > 0, isModel);
}

QTEST_APPLESS_MAIN(TestOnnxSlim)
#include "test_onnx_slim.moc"
