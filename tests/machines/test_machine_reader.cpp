// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/json.h"
#include "core/machines/machine.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::machines;

namespace {

/// A small machine of a reader's own.
const QString kOwn = R"({
  "id": "mine", "name": "My card", "family": "gpu", "generation": "prototype", "year": 2026,
  "peaks": {
    "fp32": {"value": 1e12, "unit": "FLOP/s", "status": "measured", "source": "my benchmark"},
    "bf16": {"value": null, "unit": "FLOP/s"}
  },
  "memories": [
    {"name": "HBM", "kind": "device", "capacity": {"value": 8e9, "unit": "B", "status": "published", "source": "box"},
     "bandwidth": {"value": 1e11, "unit": "B/s", "status": "estimated", "source": "guess", "note": "half of peak"}},
    {"name": "shared", "kind": "scratchpad", "instances": 4,
     "capacity": {"value": 65536, "unit": "B", "status": "published", "source": "box"},
     "usable": {"value": 60000, "unit": "B", "status": "derived", "source": "65,536 - 5,536"},
     "bandwidth": {"value": 2e10, "unit": "B/s", "status": "derived", "source": "20 B a clock"}}
  ],
  "parameters": {"sms": {"value": 4, "unit": "1", "status": "published", "source": "box"}},
  "tables": {"cta_tiles": [[128, 128, 1000], [64, 64, 700]]}
})";

QString changed(const QString& from, const QString& to) {
    QString text = kOwn;
    text.replace(from, to);
    return text;
}

} // namespace

class TestMachineReader : public QObject {
    Q_OBJECT
private slots:
    void readsAMachineOfOnesOwn();
    void namesThePlaceOfEveryMistake_data();
    void namesThePlaceOfEveryMistake();
    void refusesTextsThatAreNotJson_data();
    void refusesTextsThatAreNotJson();
    void readsAFileAndSaysWhereItIsMissing();
    void figuresHaveDottedNames();
    void survivesEveryTruncation();
};

void TestMachineReader::readsAMachineOfOnesOwn() {
    const auto machine = readMachine(kOwn.toStdString(), "own.json");
    QVERIFY2(machine.isOk(), machine ? "" : machine.error().text().c_str());
    QCOMPARE(machine->id, std::string("mine"));
    QCOMPARE(machine->peak(Precision::Fp32), std::optional<double>(1e12));
    QVERIFY(!machine->peak(Precision::Bf16));
    QVERIFY(machine->defaultPrecision() == Precision::Fp32);
    QCOMPARE(machine->memories.size(), std::size_t{2});
    QCOMPARE(machine->memory(MemoryKind::Scratchpad)->usableBytes(), std::optional<double>(60000));
    QCOMPARE(machine->memories[1].totalBandwidth(), std::optional<double>(8e10));
    QCOMPARE(machine->memories[0].usableBytes(), std::optional<double>(8e9));
    QCOMPARE(machine->parameterOr("sms", 1), 4.0);
    QCOMPARE(machine->parameterOr("absent", 7), 7.0);
    QVERIFY(machine->parameter("absent") == nullptr);
    QCOMPARE(machine->tables.at("cta_tiles")[1][2], std::int64_t{700});
    QVERIFY(machine->memories[0].bandwidth.status == FigureStatus::Estimated);
    QCOMPARE(machine->path, std::string("own.json"));
}

void TestMachineReader::namesThePlaceOfEveryMistake_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    QTest::newRow("unknown key") << "\"year\""
                                 << "\"yeer\""
                                 << "\"yeer\" is unknown";
    QTest::newRow("unknown family") << "\"gpu\""
                                    << "\"npu\""
                                    << "/family: ";
    QTest::newRow("missing unit") << "\"value\": 1e12, \"unit\": \"FLOP/s\""
                                  << "\"value\": 1e12"
                                  << "/peaks/fp32: \"unit\" is missing";
    QTest::newRow("wrong unit") << "8e9, \"unit\": \"B\""
                                << "8e9, \"unit\": \"GB\""
                                << "/memories/0/capacity: the unit is \"GB\"";
    QTest::newRow("no source") << ", \"source\": \"my benchmark\""
                               << ""
                               << "/peaks/fp32: a known value needs a source";
    QTest::newRow("no status") << "\"status\": \"measured\", "
                               << ""
                               << "/peaks/fp32: a known value needs a status";
    QTest::newRow("odd status") << "\"measured\""
                                << "\"sure\""
                                << "/peaks/fp32/status";
    QTest::newRow("no value") << "\"value\": 1e12, "
                              << ""
                              << "\"value\" is missing";
    QTest::newRow("value is text") << "1e12"
                                   << "\"1e12\""
                                   << "/peaks/fp32/value: a number";
    QTest::newRow("negative") << "1e12"
                              << "-1"
                              << "never negative";
    QTest::newRow("odd precision") << "\"fp32\""
                                   << "\"fp33\""
                                   << "/peaks/fp33";
    QTest::newRow("odd kind") << "\"scratchpad\""
                              << "\"drum\""
                              << "/memories/1/kind";
    QTest::newRow("no instances") << "\"instances\": 4"
                                  << "\"instances\": 0"
                                  << "/memories/1/instances";
    QTest::newRow("half an instance") << "\"instances\": 4"
                                      << "\"instances\": 4.5"
                                      << "whole number";
    QTest::newRow("same memory twice") << "\"shared\""
                                       << "\"HBM\""
                                       << "already there";
    QTest::newRow("bad table") << "[64, 64, 700]"
                               << "[64, 0.5, 700]"
                               << "/tables/cta_tiles/1/1";
    QTest::newRow("no id") << "\"id\": \"mine\", "
                           << ""
                           << "\"id\" is missing";
    QTest::newRow("year") << "2026"
                          << "20260"
                          << "/year";
    QTest::newRow("unknown figure key") << "\"note\""
                                        << "\"remark\""
                                        << "/memories/0/bandwidth";
}

void TestMachineReader::namesThePlaceOfEveryMistake() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    const QString text = changed(from, to);
    QVERIFY(text != kOwn);
    const auto machine = readMachine(text.toStdString(), "own.json");
    QVERIFY(!machine.isOk());
    QVERIFY2(QString::fromStdString(machine.error().text()).contains(words),
        machine.error().text().c_str());
    QCOMPARE(machine.error().where, std::string("own.json"));
}

void TestMachineReader::refusesTextsThatAreNotJson_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("open") << QByteArray("{");
    QTest::newRow("trailing") << QByteArray("{} x");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("number out of range") << QByteArray("{\"id\": 1e999}");
    QTest::newRow("key twice") << QByteArray("{\"id\": \"a\", \"id\": \"b\"}");
    QTest::newRow("deep") << QByteArray(5000, '[');
    QTest::newRow("closed deep") << QByteArray(5000, '[') + QByteArray(5000, ']');
    QTest::newRow("not UTF-8") << QByteArray("{\"id\": \"\xff\xfe\"}");
    QTest::newRow("zero bytes") << QByteArray(16, '\0');
}

void TestMachineReader::refusesTextsThatAreNotJson() {
    QFETCH(QByteArray, text);
    const auto machine = readMachine(text.toStdString(), "x.json");
    QVERIFY(!machine.isOk());
    QVERIFY(!machine.error().message.empty());
}

void TestMachineReader::readsAFileAndSaysWhereItIsMissing() {
    QTemporaryDir folder;
    QFile file(folder.filePath("own.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kOwn.toUtf8());
    file.close();
    const auto machine = readMachineFile(file.fileName().toStdString());
    QVERIFY(machine.isOk());
    QCOMPARE(machine->path, file.fileName().toStdString());
    QVERIFY(!readMachineFile(folder.filePath("none.json").toStdString()).isOk());
    QVERIFY(!readMachineFile(folder.path().toStdString()).isOk());
}

void TestMachineReader::figuresHaveDottedNames() {
    const auto machine = readMachine(kOwn.toStdString(), "own.json");
    QVERIFY(machine.isOk());
    QStringList names;
    for (const NamedFigure& figure : figures(*machine))
        names.push_back(QString::fromStdString(figure.name));
    QCOMPARE(names,
        (QStringList{"peak.fp32", "peak.bf16", "memory.HBM.capacity", "memory.HBM.bandwidth",
            "memory.shared.capacity", "memory.shared.usable", "memory.shared.bandwidth",
            "memory.shared.instances", "parameter.sms"}));
}

void TestMachineReader::survivesEveryTruncation() {
    const std::string text = kOwn.toStdString();
    for (std::size_t length = 0; length < text.size(); ++length)
        QVERIFY(!readMachine(text.substr(0, length), "cut.json").isOk());
}

QTEST_APPLESS_MAIN(TestMachineReader)
#include "test_machine_reader.moc"
