// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/layout/family_layouts.h"
#include "core/layout/layout_for.h"
#include "layout_helpers.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::layout;
using namespace fivefold::test;

namespace {

/// XLA's short names of element types.
ir::DType xlaType(const QString& name) {
    if (name == "f32")
        return ir::DType::Float32;
    if (name == "bf16")
        return ir::DType::BFloat16;
    if (name == "f16")
        return ir::DType::Float16;
    if (name == "s8")
        return ir::DType::Int8;
    if (name == "u8")
        return ir::DType::UInt8;
    if (name == "pred")
        return ir::DType::Bool;
    return ir::DType::Int32;
}

TensorLayout chosen(const std::vector<std::int64_t>& shape, ir::DType dtype) {
    LayoutQuery query;
    query.family = "tpu";
    query.shape = shape;
    query.dtype = dtype;
    const auto layout = layoutFor(query);
    return layout ? *layout : TensorLayout{};
}

QString tableProblem(const std::vector<QStringList>& rows) {
    for (const QStringList& row : rows) {
        const QString ours =
            QString::fromStdString(chosen(numbers(row[2]), xlaType(row[1])).notation);
        if (ours != row[3])
            return row.join(' ') + " but here " + ours;
    }
    return {};
}

} // namespace

class TestTpuLayout : public QObject {
    Q_OBJECT
private slots:
    void writesWhatXlaWrites_data();
    void writesWhatXlaWrites();
    void matchesRowsOfTheCompiler();
    void matchesAllRowsOfTheReference();
    void everyElementHasOnePlace();
    void packsPairsOfRowsOfBfloat16IntoWords();
    void keepsAnOrderThatIsAskedFor();
};

void TestTpuLayout::writesWhatXlaWrites_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("notation");
    QTest::addColumn<qlonglong>("bytes");
    const auto row = [](const char* type, const char* shape, const char* text, qlonglong bytes) {
        QTest::addRow("%s[%s]", type, shape) << type << shape << text << bytes;
    };
    // Bytes by hand: padded extents times the width.
    row("f32", "", "{:T(128)}", 512);
    row("bf16", "", "{:T(256)}", 512);
    row("bf16", "65", "{0:T(256)(128)(2,1)}", 512);
    row("bf16", "512", "{0:T(512)(128)(2,1)}", 1024);
    row("bf16", "513", "{0:T(1024)(128)(2,1)}", 2048);
    row("bf16", "3,128", "{1,0:T(4,128)(2,1)}", 4 * 128 * 2);
    row("f32", "1,128", "{1,0:T(1,128)}", 512);
    row("s8", "40,128", "{1,0:T(8,128)(4,1)}", 40 * 128);
    row("s8", "64,128", "{1,0:T(32,128)(4,1)}", 64 * 128);
    row("bf16", "512,65", "{0,1:T(8,128)(2,1)}", 512 * 72 * 2);
    row("bf16", "2,12,256,64", "{2,3,1,0:T(8,128)(2,1)}", 2 * 12 * 256 * 64 * 2);
    row("bf16", "4,1,256", "{2,0,1:T(4,128)(2,1)}", 4 * 256 * 2);
    row("f32", "4,1,256", "{2,1,0:T(1,128)}", 4 * 256 * 4);
}

void TestTpuLayout::writesWhatXlaWrites() {
    QFETCH(QString, type);
    QFETCH(QString, shape);
    QFETCH(QString, notation);
    QFETCH(qlonglong, bytes);
    const TensorLayout layout = chosen(numbers(shape), xlaType(type));
    QCOMPARE(QString::fromStdString(layout.notation), notation);
    QCOMPARE(deviceBytes(layout), std::int64_t{bytes});
}

void TestTpuLayout::matchesRowsOfTheCompiler() {
    const auto rows = csvRows(FIVEFOLD_SOURCE_DIR "/tests/layout/data/xla_tpu_layouts.csv");
    QVERIFY(rows.size() >= 40);
    QCOMPARE(tableProblem(rows), QString());
}

void TestTpuLayout::matchesAllRowsOfTheReference() {
    const QString path = sharedTable("xla_tpu_layouts.csv");
    if (path.isEmpty())
        QSKIP("FIVEFOLD_SHARED is not set");
    const auto rows = csvRows(path);
    QVERIFY(rows.size() > 700);
    QCOMPARE(tableProblem(rows), QString());
}

void TestTpuLayout::everyElementHasOnePlace() {
    QRandomGenerator random(11);
    const std::int64_t extents[] = {1, 2, 3, 5, 8, 9, 33, 127, 129};
    const ir::DType types[] = {
        ir::DType::Float32, ir::DType::BFloat16, ir::DType::Int8, ir::DType::Bool, ir::DType::Int4};
    for (int trial = 0; trial < 40; ++trial) {
        std::vector<std::int64_t> shape;
        std::int64_t elements = 1;
        const int rank = random.bounded(0, 5);
        for (int d = 0; d < rank; ++d) {
            const std::int64_t extent = extents[random.bounded(elements > 40 ? 3 : 9)];
            elements *= extent;
            shape.push_back(extent);
        }
        QCOMPARE(bijectionProblem(chosen(shape, types[random.bounded(5)])), QString());
        const ir::DType type = types[random.bounded(5)];
        QCOMPARE(bijectionProblem(tpuTiled(shape, type, 5)), QString());
    }
}

void TestTpuLayout::packsPairsOfRowsOfBfloat16IntoWords() {
    const TensorLayout layout = tpuTiled({16, 256}, ir::DType::BFloat16, 5);
    // Tile (1, 1) of 2×2, row 5 of it, lane 3: word row 2, second half of the word.
    const auto place = locate(layout, {8 + 5, 128 + 3});
    QVERIFY(place.has_value());
    QCOMPARE(place->block, std::int64_t{3});
    QCOMPARE(place->row, std::int64_t{2});
    QCOMPARE(place->lane, std::int64_t{3});
    QCOMPARE(place->pack, std::int64_t{1});
    QCOMPARE(place->address(), std::int64_t{3 * 2048 + 2 * 512 + 3 * 4 + 2});
}

void TestTpuLayout::keepsAnOrderThatIsAskedFor() {
    LayoutQuery query;
    query.family = "tpu";
    query.shape = {512, 65};
    query.dtype = ir::DType::BFloat16;
    query.order = {0, 1};
    QCOMPARE(layoutFor(query)->notation, std::string("{1,0:T(8,128)(2,1)}"));
    query.order = {1, 0};
    QCOMPARE(layoutFor(query)->notation, std::string("{0,1:T(8,128)(2,1)}"));
}

QTEST_APPLESS_MAIN(TestTpuLayout)
#include "test_tpu_layout.moc"
