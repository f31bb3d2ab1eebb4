// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/base/mapped_file.h"
#include "core/base/sha256.h"
#include "core/frontends/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace fivefold;
using namespace fivefold::tests;

class TestOpenFiles : public QObject {
    Q_OBJECT
private slots:
    void otherFilesAreNamed_data();
    void otherFilesAreNamed();
    void whatIsNoFileIsRefused_data();
    void whatIsNoFileIsRefused();
    void theNameOfAModelDoesNotMatter();
    void errorsNameTheFile();
    void regionsOfFilesAreRead();
    void digestsAreThoseOfTheStandard();
    void everyReaderDescribesItsFormat();
};

void TestOpenFiles::otherFilesAreNamed_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("kind");
    QTest::newRow("empty") << QByteArray() << "an empty file";
    QTest::newRow("text") << QByteArray("hello, world\n") << "plain text";
    QTest::newRow("JSON") << QByteArray("{\"a\": 1}") << "JSON text";
    QTest::newRow("PNG") << QByteArray("\x89PNG\r\n\x1a\n....", 12) << "a PNG image";
    QTest::newRow("ZIP") << QByteArray("PK\x03\x04....", 8) << "a ZIP archive";
    QTest::newRow("HDF5") << QByteArray("\x89HDF\r\n\x1a\n", 8) << "an HDF5 file";
    QTest::newRow("GGUF") << QByteArray("GGUF\x03\0\0\0", 8) << "a GGUF model";
    QTest::newRow("TensorFlow Lite")
        << QByteArray("\x1c\0\0\0TFL3", 8) << "a TensorFlow Lite model";
    QTest::newRow("NumPy") << QByteArray("\x93NUMPY\x01\0", 8) << "a NumPy array";
    QTest::newRow("safetensors") << QByteArray("\x10\0\0\0\0\0\0\0{\"a\":{}}", 16)
                                 << "a safetensors file";
    QTest::newRow("pickle") << QByteArray("\x80\x02}q\0.", 6) << "a Python pickle";
    QTest::newRow("Git LFS") << QByteArray("version https://git-lfs.github.com/spec/v1\n")
                             << "a Git LFS pointer";
    QTest::newRow("HTML") << QByteArray("<!DOCTYPE html><html>") << "an HTML page";
    QTest::newRow("HLO") << QByteArray("HloModule jit_f\n") << "HLO text";
    QTest::newRow("zeros") << QByteArray(4096, '\0') << "zeros only";
    QTest::newRow("noise") << QByteArray("\xf7\x03\x91\xee\x07\x12", 6) << "binary data";
    proto::TensorProto tensor;
    tensor.add_dims(2);
    tensor.set_data_type(kFloat);
    tensor.set_raw_data("12345678");
    QTest::newRow("tensor") << QByteArray::fromStdString(tensor.SerializeAsString())
                            << "one serialised tensor";
}

void TestOpenFiles::otherFilesAreNamed() {
    QFETCH(QByteArray, content);
    QFETCH(QString, kind);
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "model.onnx";
    writeFile(path, content.toStdString());
    const auto opened = openFile(path);
    QVERIFY(!opened.isOk());
    const QString message = QString::fromStdString(opened.message());
    QVERIFY2(message.contains("This looks like " + kind), qPrintable(message));
    QVERIFY2(message.contains("ONNX model (.onnx)"), qPrintable(message));
    QVERIFY2(message.startsWith(QString::fromStdString(path.string())), qPrintable(message));
}

void TestOpenFiles::whatIsNoFileIsRefused_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("expected");
    QTest::newRow("missing") << "/nonexistent/model.onnx"
                             << "There is no such file";
    QTest::newRow("folder") << "/"
                            << "This is a folder";
    QTest::newRow("device") << "/dev/zero"
                            << "device or a pipe";
    QTest::newRow("empty path") << ""
                                << "There is no such file";
}

void TestOpenFiles::whatIsNoFileIsRefused() {
    QFETCH(QString, path);
    QFETCH(QString, expected);
    const auto opened = openFile(path.toStdString());
    QVERIFY(!opened.isOk());
    QVERIFY2(opened.message().find(expected.toStdString()) != std::string::npos,
        opened.message().c_str());
    QTemporaryDir folder;
    const std::string pipe = folder.filePath("pipe").toStdString();
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY(!openFile(pipe).isOk()); // and does not wait for a writer
}

void TestOpenFiles::theNameOfAModelDoesNotMatter() {
    QTemporaryDir folder;
    auto model = emptyModel();
    addNode(*model.mutable_graph(), "Relu", {"x"}, {"y"});
    const auto path = std::filesystem::path(folder.path().toStdString()) / "picture.png";
    writeFile(path, model.SerializeAsString());
    QVERIFY(openFile(path).isOk());
}

void TestOpenFiles::errorsNameTheFile() {
    QTemporaryDir folder;
    auto model = emptyModel();
    addFloats(*model.mutable_graph(), "w", {100, 100});
    const auto path = std::filesystem::path(folder.path().toStdString()) / "cut.onnx";
    writeFile(path, model.SerializeAsString().substr(0, 1000));
    const auto opened = openFile(path);
    QVERIFY(!opened.isOk());
    QVERIFY(opened.result.error().where.starts_with(path.string()));
    QVERIFY(opened.result.error().where.find("byte ") != std::string::npos);
}

void TestOpenFiles::regionsOfFilesAreRead() {
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "data";
    writeFile(path, "0123456789");
    const auto part = base::readRegion(path, 3, 4);
    QVERIFY(part.isOk());
    QCOMPARE(part->front(), std::byte{'3'});
    QCOMPARE(part->back(), std::byte{'6'});
    QVERIFY(base::readRegion(path, 10, 0).isOk());
    QVERIFY(!base::readRegion(path, 8, 3).isOk());
    QVERIFY(!base::readRegion(path, 11, 0).isOk());
    QVERIFY(!base::readRegion(path, 1, ~std::uint64_t(0)).isOk());
    auto mapped = base::MappedFile::open(path);
    QVERIFY(mapped.isOk());
    base::MappedFile moved = std::move(*mapped);
    QCOMPARE(moved.bytes().size(), std::size_t(10));
    QCOMPARE(moved.bytes()[9], std::byte{'9'});
}

void TestOpenFiles::digestsAreThoseOfTheStandard() {
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString()) / "abc";
    writeFile(path, "abc"); // FIPS 180-2, appendix B.1
    const auto digest = base::sha256OfFile(path);
    QVERIFY(digest.isOk());
    QCOMPARE(
        *digest, std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    writeFile(path, std::string(3'000'000, 'a'));
    QVERIFY(base::sha256OfFile(path).isOk());
    QVERIFY(!base::sha256OfFile(path / "nothing").isOk());
}

void TestOpenFiles::everyReaderDescribesItsFormat() {
    QVERIFY(!frontends::readers().empty());
    for (const auto* reader : frontends::readers()) {
        QVERIFY(!reader->format().empty());
        QVERIFY(!reader->description().empty());
        QCOMPARE(reader->sniff({}), 0);
    }
}

QTEST_APPLESS_MAIN(TestOpenFiles)
#include "test_open_files.moc"
