// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/frontends/onnx/wire.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/resource.h>

using namespace fivefold;
using namespace fivefold::tests;
namespace wire = frontends::onnx::wire;

namespace {

std::int64_t residentKilobytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word == "VmRSS:") {
            std::int64_t value = 0;
            status >> value;
            return value;
        }
    }
    return 0;
}

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + 1e-6 * double(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void putLengthDelimited(std::string& out, std::uint32_t field, std::uint64_t length) {
    wire::putTag(out, field, wire::Type::Bytes);
    wire::putVarint(out, length);
}

/// Writes a model whose last initialiser has that many bytes of zeros: a hole in a sparse file.
void writeSparseModel(const std::filesystem::path& path, std::uint64_t payload) {
    auto model = emptyModel();
    auto graph = model.graph();
    model.clear_graph();
    addInput(graph, "x", {1, 4});
    addNode(graph, "Gather", {"w", "x"}, {"y"}, "lookup");
    proto::TensorProto tensor;
    tensor.set_name("w");
    tensor.set_data_type(kFloat);
    tensor.add_dims(static_cast<std::int64_t>(payload / 4));
    std::string tensorHead = tensor.SerializeAsString();
    putLengthDelimited(tensorHead, 9, payload);
    std::string graphHead = graph.SerializeAsString();
    putLengthDelimited(graphHead, 5, tensorHead.size() + payload);
    graphHead += tensorHead;
    std::string head = model.SerializeAsString();
    putLengthDelimited(head, 7, graphHead.size() + payload);
    head += graphHead;
    writeFile(path, head);
    std::filesystem::resize_file(path, head.size() + payload);
}

/// A flat transformer of 47 operators a layer, as bug reports about large graphs have it.
proto::ModelProto flatTransformer(int layers) {
    constexpr int kOperators = 47;
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "mask");
    addInput(graph, "h0");
    int value = 0;
    for (int layer = 0; layer < layers; ++layer) {
        for (int i = 0; i < kOperators; ++i, ++value) {
            const std::string from = 'h' + std::to_string(value);
            const std::string to = 'h' + std::to_string(value + 1);
            addNode(graph, i == 20 ? "Where" : "Add", {from, i == 20 ? "mask" : from}, {to},
                "/layer_" + std::to_string(layer) + "/op_" + std::to_string(i));
        }
    }
    addOutput(graph, 'h' + std::to_string(value));
    return model;
}

} // namespace

class TestOnnxLargeFiles : public QObject {
    Q_OBJECT
private slots:
    void threeGigabytesOpenWithoutTheirWeights();
    void aTruncatedGigabyteIsNamed();
    void eightThousandNodesOpen();
    void manyNamesInOneBlockStayFast();
};

void TestOnnxLargeFiles::threeGigabytesOpenWithoutTheirWeights() {
    constexpr std::uint64_t kPayload = std::uint64_t(3) << 30;
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "large.onnx";
    writeSparseModel(path, kPayload);
    const std::int64_t before = residentKilobytes();
    const auto opened = openFile(path);
    QVERIFY2(opened.isOk(), opened.message().c_str());
    QVERIFY(residentKilobytes() - before < 60 * 1024);
    QCOMPARE(opened.graph().parameterCount(), static_cast<std::int64_t>(kPayload / 4));
    QCOMPARE(opened.graph().info.fileBytes > static_cast<std::int64_t>(kPayload), true);
    const auto& tensor = opened.graph().tensors[ir::TensorId(0)];
    QCOMPARE(tensor.storage, ir::TensorStorage::FileRegion);
    QCOMPARE(tensor.length, kPayload);
}

void TestOnnxLargeFiles::aTruncatedGigabyteIsNamed() {
    constexpr std::uint64_t kPayload = std::uint64_t(1) << 30;
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "cut.onnx";
    writeSparseModel(path, kPayload);
    std::filesystem::resize_file(path, kPayload / 2);
    const auto opened = openFile(path);
    QVERIFY(!opened.isOk());
    QVERIFY2(opened.message().find("The file ends inside initializer 0 \"w\"") != std::string::npos,
        opened.message().c_str());
}

void TestOnnxLargeFiles::eightThousandNodesOpen() {
    constexpr int kLayers = 171;
    const std::string bytes = flatTransformer(kLayers).SerializeAsString();
    const double cpu = cpuSeconds();
    const auto opened = readBytes(bytes);
    QVERIFY(opened.isOk());
    qInfo("%.2f s of CPU", cpuSeconds() - cpu);
    QCOMPARE(opened.graph().fileNodeCount(), 47 * kLayers);
    QCOMPARE(opened.graph().scopes.size(), std::size_t(1 + kLayers));
    QCOMPARE(
        opened.graph().values[opened.graph().main().inputs[0]].users.size(), std::size_t(kLayers));
}

void TestOnnxLargeFiles::manyNamesInOneBlockStayFast() {
    // 20,000 nodes that share one name and one output name: nothing quadratic.
    auto model = emptyModel();
    for (int i = 0; i < 20'000; ++i)
        addNode(*model.mutable_graph(), "Relu", {"same"}, {"same"}, i % 2 ? "twin" : "");
    const std::string bytes = model.SerializeAsString();
    const double cpu = cpuSeconds();
    const auto opened = readBytes(bytes);
    QVERIFY(opened.isOk());
    qInfo("%.2f s of CPU", cpuSeconds() - cpu);
    QCOMPARE(brokenInvariant(opened.graph()), std::string());
}

QTEST_APPLESS_MAIN(TestOnnxLargeFiles)
#include "test_onnx_large_files.moc"
