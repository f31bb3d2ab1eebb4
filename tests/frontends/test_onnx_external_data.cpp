// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include <QTemporaryDir>
#include <QTest>

using namespace fivefold;
using namespace fivefold::tests;

namespace fs = std::filesystem;

namespace {

const std::string kWeights(64, 'w');

proto::ModelProto externalModel(
    const std::string& location, std::int64_t offset = 0, std::int64_t length = -1) {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {4, 4});
    addExternal(*addInitializer(graph, "w", {4, 4}), location, offset, length);
    addNode(graph, "MatMul", {"x", "w"}, {"y"}, "matmul");
    addOutput(graph, "y", {4, 4});
    return model;
}

/// A folder "models" inside a temporary folder, with the model in it.
struct Folder {
    QTemporaryDir outer;
    fs::path models = fs::path(outer.path().toStdString()) / "models";

    Folder() { fs::create_directory(models); }
    Opened open(const proto::ModelProto& model) const {
        writeFile(models / "model.onnx", model.SerializeAsString());
        return openFile(models / "model.onnx");
    }
};

const ir::TensorData& weights(const Opened& opened) {
    return opened.graph()
        .tensors[opened.graph().values[opened.graph().main().initializers[0]].data];
}

} // namespace

class TestOnnxExternalData : public QObject {
    Q_OBJECT
private slots:
    void aBareNameIsRelativeToTheModel();
    void foldersBelowTheModelAreAllowed();
    void offsetsAreApplied();
    void missingFilesAreOneWarning();
    void pathsOutOfTheFolderAreRefused_data();
    void pathsOutOfTheFolderAreRefused();
    void linksOutOfTheFolderAreRefused();
    void linksInsideTheFolderAreAllowed();
    void aLinkedModelUsesTheFolderItIsOpenedFrom();
    void foldersAndDevicesAreNoData();
    void shortFilesAreReported();
    void damagedEntriesAreReported_data();
    void damagedEntriesAreReported();
};

void TestOnnxExternalData::aBareNameIsRelativeToTheModel() {
    const Folder folder;
    writeFile(folder.models / "w.bin", kWeights);
    // The working directory is another one.
    QVERIFY(fs::current_path() != folder.models);
    const auto opened = folder.open(externalModel("w.bin"));
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.empty());
    QCOMPARE(weights(opened).storage, ir::TensorStorage::FileRegion);
    const auto bytes = opened.graph().tensors.read(ir::TensorId(0));
    QVERIFY(bytes.isOk());
    QCOMPARE(bytes->size(), kWeights.size());
    QCOMPARE(bytes->front(), std::byte{'w'});
}

void TestOnnxExternalData::foldersBelowTheModelAreAllowed() {
    const Folder folder;
    fs::create_directory(folder.models / "data");
    writeFile(folder.models / "data" / "w.bin", kWeights);
    QVERIFY(folder.open(externalModel("data/w.bin")).diagnostics.empty());
    QVERIFY(folder.open(externalModel("./data/w.bin")).diagnostics.empty());
    QVERIFY(folder.open(externalModel("data\\w.bin")).diagnostics.empty());
}

void TestOnnxExternalData::offsetsAreApplied() {
    const Folder folder;
    writeFile(folder.models / "w.bin", std::string(4096, '-') + kWeights + "rest");
    const auto opened = folder.open(externalModel("w.bin", 4096, 64));
    QVERIFY(opened.isOk());
    QCOMPARE(weights(opened).offset, 4096U);
    QCOMPARE(opened.graph().tensors.read(ir::TensorId(0))->at(63), std::byte{'w'});
}

void TestOnnxExternalData::missingFilesAreOneWarning() {
    const Folder folder;
    auto model = externalModel("gone.bin");
    addExternal(*addInitializer(*model.mutable_graph(), "v", {2}), "gone.bin");
    const auto opened = folder.open(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.entries().size(), std::size_t(1));
    QCOMPARE(opened.diagnostics.entries()[0].code, std::string("onnx.external_data_missing"));
    QVERIFY(opened.diagnostics.entries()[0].severity == base::Severity::Warning);
    QCOMPARE(opened.diagnostics.entries()[0].count, 2);
    QCOMPARE(weights(opened).storage, ir::TensorStorage::Missing);
    QCOMPARE(opened.graph().parameterCount(), 18);
}

void TestOnnxExternalData::pathsOutOfTheFolderAreRefused_data() {
    QTest::addColumn<QString>("location");
    QTest::newRow("parent") << "../w.bin";
    QTest::newRow("parent behind a folder") << "data/../../w.bin";
    QTest::newRow("absolute") << "/etc/passwd";
    QTest::newRow("absolute on Windows") << "C:\\w.bin";
    QTest::newRow("parent on Windows") << "..\\w.bin";
    QTest::newRow("nothing") << "";
}

void TestOnnxExternalData::pathsOutOfTheFolderAreRefused() {
    QFETCH(QString, location);
    const Folder folder;
    writeFile(folder.models.parent_path() / "w.bin", kWeights);
    const auto opened = folder.open(externalModel(location.toStdString()));
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.external_data_refused"), 1);
    QVERIFY(opened.diagnostics.entries()[0].message.find("refused") != std::string::npos);
    QCOMPARE(weights(opened).storage, ir::TensorStorage::Missing);
    QVERIFY(!opened.graph().tensors.read(ir::TensorId(0)).isOk());
    QCOMPARE(opened.graph().fileNodeCount(), 1);
}

void TestOnnxExternalData::linksOutOfTheFolderAreRefused() {
    const Folder folder;
    writeFile(folder.models.parent_path() / "w.bin", kWeights);
    fs::create_symlink(folder.models.parent_path() / "w.bin", folder.models / "link.bin");
    fs::create_directory_symlink(folder.models.parent_path(), folder.models / "up");
    for (const char* location : {"link.bin", "up/w.bin"}) {
        const auto opened = folder.open(externalModel(location));
        QVERIFY(opened.isOk());
        QCOMPARE(opened.diagnostics.count("onnx.external_data_refused"), 1);
    }
}

void TestOnnxExternalData::linksInsideTheFolderAreAllowed() {
    const Folder folder;
    writeFile(folder.models / "w.bin", kWeights);
    fs::create_symlink("w.bin", folder.models / "link.bin");
    QVERIFY(folder.open(externalModel("link.bin")).diagnostics.empty());
}

void TestOnnxExternalData::aLinkedModelUsesTheFolderItIsOpenedFrom() {
    const Folder folder;
    const fs::path real = folder.models.parent_path() / "real";
    fs::create_directory(real);
    writeFile(real / "w.bin", kWeights);
    fs::create_directory_symlink(real, folder.models / "linked");
    writeFile(real / "model.onnx", externalModel("w.bin").SerializeAsString());
    const auto opened = openFile(folder.models / "linked" / "model.onnx");
    QVERIFY(opened.isOk());
    QVERIFY(opened.diagnostics.empty());
}

void TestOnnxExternalData::foldersAndDevicesAreNoData() {
    const Folder folder;
    fs::create_directory(folder.models / "folder");
    const auto opened = folder.open(externalModel("folder"));
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count("onnx.external_data_missing"), 1);
}

void TestOnnxExternalData::shortFilesAreReported() {
    const Folder folder;
    writeFile(folder.models / "w.bin", kWeights);
    for (const std::int64_t offset : {std::int64_t(1), std::int64_t(64), std::int64_t(1) << 62}) {
        const auto opened = folder.open(externalModel("w.bin", offset));
        QVERIFY(opened.isOk());
        QCOMPARE(opened.diagnostics.count("onnx.external_data_short"), 1);
        QCOMPARE(weights(opened).storage, ir::TensorStorage::Missing);
    }
}

void TestOnnxExternalData::damagedEntriesAreReported_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("code");
    QTest::newRow("offset is a word") << "offset"
                                      << "four"
                                      << "onnx.external_data_entry";
    QTest::newRow("offset is negative") << "offset"
                                        << "-4"
                                        << "onnx.external_data_entry";
    QTest::newRow("length has a tail") << "length"
                                       << "64 bytes"
                                       << "onnx.external_data_entry";
    QTest::newRow("offset overflows") << "offset"
                                      << "99999999999999999999"
                                      << "onnx.external_data_entry";
    QTest::newRow("length is too small") << "length"
                                         << "8"
                                         << "onnx.tensor_size";
}

void TestOnnxExternalData::damagedEntriesAreReported() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, code);
    const Folder folder;
    writeFile(folder.models / "w.bin", kWeights);
    auto model = externalModel("w.bin");
    auto* entry = model.mutable_graph()->mutable_initializer(0)->add_external_data();
    entry->set_key(key.toStdString());
    entry->set_value(value.toStdString());
    const auto opened = folder.open(model);
    QVERIFY(opened.isOk());
    QCOMPARE(opened.diagnostics.count(code.toStdString()), 1);
}

QTEST_APPLESS_MAIN(TestOnnxExternalData)
#include "test_onnx_external_data.moc"
