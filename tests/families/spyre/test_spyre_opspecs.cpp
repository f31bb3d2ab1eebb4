// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/spyre/family.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::lowering;
using namespace fivefold::test;

namespace {

const QString kData = QStringLiteral(FIVEFOLD_SOURCE_DIR) + "/tests/families/spyre/data/";

std::vector<std::int64_t> integers(const QJsonValue& list) {
    std::vector<std::int64_t> out;
    for (const QJsonValue& number : list.toArray())
        out.push_back(number.toInteger());
    return out;
}

QJsonObject expectations() {
    QFile file(kData + "opspecs.json");
    return file.open(QIODevice::ReadOnly)
        ? QJsonDocument::fromJson(file.readAll()).object()["cases"].toObject()
        : QJsonObject();
}

Lowered lowerGraphText(const QString& path, const QJsonObject& inputs) {
    Settings settings = settingsAt(machines::Precision::Fp16);
    for (auto input = inputs.begin(); input != inputs.end(); ++input) {
        const QJsonObject layout = input.value().toObject();
        settings.inputLayouts[input.key().toStdString()] = {
            integers(layout["device_size"]), integers(layout["stride_map"])};
    }
    return lowerFile(families::spyre::family(), path.toStdString(), "spyre", std::move(settings));
}

/// Strides of axes of one element mean nothing.
bool isSameLayout(const OpSpec& got, const QJsonObject& want) {
    const auto size = integers(want["device_size"]), strides = integers(want["stride_map"]);
    if (got.deviceSize != size || got.strideMap.size() != strides.size())
        return false;
    for (std::size_t d = 0; d < size.size(); ++d)
        if (size[d] != 1 && got.strideMap[d] != strides[d])
            return false;
    return true;
}

} // namespace

/// Against what the public compiler made of the same graphs.
class TestSpyreOpSpecs : public QObject {
    Q_OBJECT

private slots:
    void graphIsLoweredAsTheCompilerLowersIt_data();
    void graphIsLoweredAsTheCompilerLowersIt();
    void rowSumsThenAddIsRefused();
    void allGivenGraphsMeetTheBars();
};

void TestSpyreOpSpecs::graphIsLoweredAsTheCompilerLowersIt_data() {
    QTest::addColumn<QJsonObject>("expected");
    const QJsonObject cases = expectations();
    QVERIFY(cases.size() >= 10);
    for (auto it = cases.begin(); it != cases.end(); ++it)
        QTest::newRow(qPrintable(it.key())) << it.value().toObject();
}

void TestSpyreOpSpecs::graphIsLoweredAsTheCompilerLowersIt() {
    QFETCH(QJsonObject, expected);
    const QString path =
        kData + QString::fromLatin1(QTest::currentDataTag()) + ".fx_graph_transformed.py";
    const Lowered model = lowerGraphText(path, expected["inputs"].toObject());
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(broken(model).empty(), broken(model).c_str());
    const QJsonArray wanted = expected["opspecs"].toArray();
    QCOMPARE(static_cast<qsizetype>(model.program.opSpecs.size()), wanted.size());
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        const OpSpec& got = model.program.opSpecs[static_cast<std::size_t>(i)];
        const QJsonObject want = wanted[i].toObject();
        QCOMPARE(QString::fromStdString(got.op), want["op"].toString());
        QCOMPARE(QString::fromStdString(got.kind), want["kind"].toString());
        QCOMPARE(got.bundle, want["bundle"].toInteger());
        QCOMPARE(got.shape, integers(want["shape"]));
        QVERIFY2(isSameLayout(got, want), got.op.c_str());
        QCOMPARE(got.splits, integers(want["splits"]));
        QCOMPARE(QString::fromStdString(got.placement), want["placement"].toString());
        QCOMPARE(got.address.value_or(-1), want["address"].toInteger());
    }
}

void TestSpyreOpSpecs::rowSumsThenAddIsRefused() {
    const Lowered model = lowerGraphText(kData + "sum_rows_then_add.fx_graph_transformed.py", {});
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY(model.program.opSpecs.empty());
    QCOMPARE(model.diagnostics.count("spyre.refused"), std::int64_t{1});
    const StageGraph& graph = model.stage(Stage::Scheduled);
    const Node& add = graph.nodes[NodeId(graph.nodes.size() - 1)];
    QVERIFY(add.support == Support::Unsupported);
    QVERIFY(add.rule.find("no mechanism to resolve stick incompatibility") != std::string::npos);
}

/// Rows of a CSV file with quoted fields, by column name.
QList<QHash<QString, QString>> readCsv(const QString& path) {
    QFile file(path);
    QList<QHash<QString, QString>> rows;
    if (!file.open(QIODevice::ReadOnly))
        return rows;
    QStringList head, fields{QString()};
    bool isQuoted = false;
    for (const QChar c : QString::fromUtf8(file.readAll())) {
        if (c == '"') {
            isQuoted = !isQuoted;
        } else if (c == ',' && !isQuoted) {
            fields << QString();
        } else if (c == '\n' && !isQuoted) {
            if (head.isEmpty()) {
                head = fields;
            } else {
                QHash<QString, QString> row;
                for (qsizetype i = 0; i < head.size() && i < fields.size(); ++i)
                    row[head[i]] = fields[i];
                rows << row;
            }
            fields = {QString()};
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return rows;
}

QJsonArray listOf(const QString& json) {
    return QJsonDocument::fromJson(json.toUtf8()).array();
}

/// Values of a JSON object in the order of its text.
std::vector<std::int64_t> valuesOf(const QString& json) {
    std::vector<std::int64_t> out;
    for (const QString& part : json.split(','))
        if (const auto colon = part.indexOf(':'); colon >= 0)
            out.push_back(part.mid(colon + 1).remove('}').trimmed().toLongLong());
    return out;
}

/// The bars of the whole reference set, where it is there.
void TestSpyreOpSpecs::allGivenGraphsMeetTheBars() {
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    const auto rows = readCsv(shared + "/reference/spyre_lowering.csv");
    if (shared.isEmpty() || rows.isEmpty())
        QSKIP("FIVEFOLD_SHARED has no reference lowerings.");
    QHash<QString, QList<QHash<QString, QString>>> cases;
    for (const auto& row : rows)
        cases[row["case"]] << row;
    int operations = 0, sameOperations = 0, sameLayouts = 0, sameSplits = 0, inLx = 0, sameLx = 0;
    for (auto it = cases.begin(); it != cases.end(); ++it) {
        const QString path =
            shared + "/data/spyre/graphs_lowered/" + it.key() + ".fx_graph_transformed.py";
        if (!QFile::exists(path))
            continue;
        QJsonObject inputs;
        QList<QHash<QString, QString>> wanted;
        static const QSet<QString> kKinds{"pointwise", "reduction", "restickify", "fallback"};
        for (const auto& row : it.value()) {
            if (row["kind"] == "input" && !row["device_size"].isEmpty())
                inputs[row["buffer"]] = QJsonObject{{"device_size", listOf(row["device_size"])},
                    {"stride_map", listOf(row["stride_map"])}};
            if (kKinds.contains(row["kind"]))
                wanted << row;
        }
        const Lowered model = lowerGraphText(path, inputs);
        operations += static_cast<int>(wanted.size());
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            const auto& want = wanted[i];
            inLx += want["placement"] == "lx";
            if (static_cast<std::size_t>(i) >= model.program.opSpecs.size())
                continue;
            const OpSpec& got = model.program.opSpecs[static_cast<std::size_t>(i)];
            const std::int64_t bundle = want["bundle"].isEmpty() ? -1 : want["bundle"].toInt();
            if (got.op != want["op_name"].toStdString() || got.bundle != bundle)
                continue;
            ++sameOperations;
            sameLayouts += isSameLayout(got,
                QJsonObject{{"device_size", listOf(want["device_size"])},
                    {"stride_map", listOf(want["stride_map"])}});
            sameSplits += got.splits == valuesOf(want["splits"]);
            sameLx += want["placement"] == "lx" && got.placement == "lx"
                && got.address == want["address"].toLongLong();
        }
    }
    QVERIFY(operations > 500);
    QVERIFY2(sameOperations >= 0.95 * operations, qPrintable(QString::number(sameOperations)));
    QVERIFY2(sameLayouts >= 0.98 * sameOperations, qPrintable(QString::number(sameLayouts)));
    QVERIFY2(sameSplits >= 0.97 * sameOperations, qPrintable(QString::number(sameSplits)));
    QVERIFY2(sameLx >= 0.95 * inLx, qPrintable(QString::number(sameLx)));
}

QTEST_APPLESS_MAIN(TestSpyreOpSpecs)
#include "test_spyre_opspecs.moc"
