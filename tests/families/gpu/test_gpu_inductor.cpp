// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "../lowered_model.h"
#include "core/families/gpu/family.h"
#include "core/families/gpu/reduction_split.h"

#include <QDir>
#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

using namespace fivefold;
using namespace fivefold::lowering;
using namespace fivefold::test;

namespace {

using Names = std::set<std::string>;
using Kernels = std::map<QString, std::vector<Names>>; ///< by graph

const QString kData = FIVEFOLD_SOURCE_DIR "/tests/families/gpu/data";

/// Columns "case" and "nodes" of a table; nodes are separated by blanks.
Kernels readKernels(const QString& path) {
    Kernels kernels;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return kernels;
    const QStringList columns = QString::fromUtf8(file.readLine()).trimmed().split(',');
    const qsizetype graph = columns.indexOf("case"), nodes = columns.indexOf("nodes");
    while (!file.atEnd()) {
        const QStringList cells = QString::fromUtf8(file.readLine()).trimmed().split(',');
        if (cells.size() != columns.size() || cells[nodes].isEmpty())
            continue;
        Names names;
        for (const QString& name : cells[nodes].split(' '))
            names.insert(name.toStdString());
        kernels[cells[graph]].push_back(std::move(names));
    }
    return kernels;
}

Lowered lowerText(const QString& path) {
    return lowerFile(families::gpu::family(), path.toStdString(), "gpu_h100_sxm");
}

/// How many of the wanted kernels are among those of the program; nodes that no wanted kernel names
/// (views, casts) do not count.
std::size_t equalKernels(const Lowered& model, const std::vector<Names>& wanted) {
    Names known;
    for (const Names& kernel : wanted)
        known.insert(kernel.begin(), kernel.end());
    std::vector<Names> got;
    for (const Kernel& kernel : model.stage(Stage::Fused).kernels) {
        Names names;
        for (const ir::NodeId node : kernel.origins)
            if (known.count(model.graph->nodes[node].name) != 0)
                names.insert(model.graph->nodes[node].name);
        got.push_back(std::move(names));
    }
    return static_cast<std::size_t>(
        std::count_if(wanted.begin(), wanted.end(), [&](const Names& kernel) {
            return std::find(got.begin(), got.end(), kernel) != got.end();
        }));
}

} // namespace

class TestGpuInductor : public QObject {
    Q_OBJECT

private slots:
    void kernelsAreThoseOfInductor_data();
    void kernelsAreThoseOfInductor();
    void nearlyAllReferenceKernelsAreEqual();
    void aRecomputedNodeStandsInEachKernelThatInlinesIt();
    void aSplitReductionIsTwoKernels();
    void reductionsAreSplitWhereResultsAreFew_data();
    void reductionsAreSplitWhereResultsAreFew();
    void loopsGoAlongTheSmallestStrides();
};

void TestGpuInductor::kernelsAreThoseOfInductor_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, kernels] : readKernels(kData + "/kernels.csv"))
        QTest::newRow(qPrintable(name)) << name;
}

void TestGpuInductor::kernelsAreThoseOfInductor() {
    QFETCH(QString, name);
    const std::vector<Names> wanted = readKernels(kData + "/kernels.csv")[name];
    QVERIFY(!wanted.empty());
    const Lowered model = lowerText(kData + "/" + name + ".fx_graph_readable.py");
    QVERIFY2(model.error.empty(), model.error.c_str());
    QVERIFY2(model.findings().empty(), joined(model.findings()).c_str());
    QCOMPARE(equalKernels(model, wanted), wanted.size());
}

void TestGpuInductor::nearlyAllReferenceKernelsAreEqual() {
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    const Kernels reference = readKernels(shared + "/reference/inductor_kernels.csv");
    if (shared.isEmpty() || reference.empty())
        QSKIP("FIVEFOLD_SHARED names no folder of reference data");
    std::size_t equal = 0, all = 0;
    for (const auto& [name, kernels] : reference) {
        const Lowered model =
            lowerText(shared + "/data/inductor/" + name + ".fx_graph_readable.py");
        QVERIFY2(model.error.empty(), qPrintable(name));
        equal += equalKernels(model, kernels);
        all += kernels.size();
    }
    QVERIFY2(static_cast<double>(equal) >= 0.98 * static_cast<double>(all),
        qPrintable(QString("%1 of %2").arg(equal).arg(all)));
}

void TestGpuInductor::aRecomputedNodeStandsInEachKernelThatInlinesIt() {
    const Lowered model = lowerText(kData + "/gpt_block.fx_graph_readable.py");
    QVERIFY2(model.error.empty(), model.error.c_str());
    ir::NodeId residual;
    for (std::size_t i = 0; i < model.graph->nodes.size(); ++i)
        if (model.graph->nodes[ir::NodeId(i)].name == "add_2")
            residual = ir::NodeId(i);
    QVERIFY(residual.isValid());
    // Two reads are not worth a buffer: the second layer norm and the last addition add again.
    QCOMPARE(kernelsOf(model.stage(Stage::Fused), residual).size(), std::size_t(2));
    QCOMPARE(kernelsOf(model.stage(Stage::Decomposed), residual).size(), std::size_t(1));
}

void TestGpuInductor::aSplitReductionIsTwoKernels() {
    const Lowered model = lowerText(kData + "/reduction_other_dims.fx_graph_readable.py");
    QVERIFY2(model.error.empty(), model.error.c_str());
    int parts = 0, combines = 0;
    for (const Node& node : model.stage(Stage::Fused).nodes) {
        parts += node.attributes.has("parts");
        combines += node.attributes.has("combines");
        if (node.attributes.has("parts")) // 1024 × 1024 over the rows: 1024 / (4 · 32)
            QCOMPARE(node.attributes.integer("parts", 0), std::int64_t(8));
    }
    QCOMPARE(parts, 1);
    QCOMPARE(combines, 1);
}

void TestGpuInductor::reductionsAreSplitWhereResultsAreFew_data() {
    QTest::addColumn<qint64>("results");
    QTest::addColumn<qint64>("reduced");
    QTest::addColumn<bool>("isInner");
    QTest::addColumn<qint64>("parts");
    QTest::newRow("rows of a square over its columns") << 1024LL << 1024LL << true << 1LL;
    QTest::newRow("columns of a square over its rows") << 1024LL << 1024LL << false << 8LL;
    QTest::newRow("a short vector") << 1LL << 8192LL << true << 1LL;
    QTest::newRow("a vector of a million") << 1LL << 1048576LL << true << 128LL; // 256 threads · 32
    QTest::newRow("many results") << 8448LL << 4096LL << false << 1LL; // 132 · 2 · 32
    QTest::newRow("few elements") << 16LL << 32LL << false << 1LL;
    // 16.8 million elements: 528 blocks ÷ 1 result, ⌈16777216 ÷ (256 · 528)⌉ = 125, the divisor
    // 128.
    QTest::newRow("a large vector") << 1LL << 16777216LL << true << 512LL;
}

void TestGpuInductor::reductionsAreSplitWhereResultsAreFew() {
    QFETCH(qint64, results);
    QFETCH(qint64, reduced);
    QFETCH(bool, isInner);
    QFETCH(qint64, parts);
    QCOMPARE(qint64(families::gpu::reductionParts(results, reduced, isInner, 132)), parts);
}

void TestGpuInductor::loopsGoAlongTheSmallestStrides() {
    using families::gpu::pickLoopOrder;
    using Order = std::vector<std::size_t>;
    QCOMPARE(pickLoopOrder({{128, 1}}, {64, 128}), (Order{1, 0}));
    QCOMPARE(pickLoopOrder({{1, 64}}, {64, 128}), (Order{0, 1}));
    QCOMPARE(pickLoopOrder({{1, 64}, {128, 1}}, {64, 128}), (Order{1, 0})); // a tie: as written
    QCOMPARE(pickLoopOrder({{1, 64}, {1, 64}, {128, 1}}, {64, 128}), (Order{0, 1}));
    QCOMPARE(pickLoopOrder({{1, 64}}, {64, 1}), (Order{0, 1})); // lengths of 1 come last
}

QTEST_APPLESS_MAIN(TestGpuInductor)
#include "test_gpu_inductor.moc"
