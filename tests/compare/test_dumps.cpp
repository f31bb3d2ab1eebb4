// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dump.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace fivefold;
using namespace fivefold::compare;
using ir::DType;
using numerics::Tensor;

namespace {

namespace fs = std::filesystem;

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

std::shared_ptr<const Dump> opened(const fs::path& path) {
    auto dump = openDump(path);
    if (!dump) {
        qWarning("%s", dump.error().text().c_str());
        return nullptr;
    }
    return *dump;
}

/// Empty, or what differs.
std::string difference(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype())
        return "types differ";
    if (a.shape() != b.shape())
        return "shapes differ";
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const double x = a.number(i), y = b.number(i);
        const bool isSame =
            std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
        if (!isSame)
            return "element " + std::to_string(i) + ": " + std::to_string(x) + " and "
                + std::to_string(y);
    }
    return {};
}

Tensor floats(DType dtype, std::vector<std::int64_t> shape, std::vector<float> values) {
    return {dtype, std::move(shape), std::move(values)};
}

} // namespace

class TestDumps : public QObject {
    Q_OBJECT
private slots:
    void writtenTensorsReadBack();
    void entriesAreFoundByName();
};

void TestDumps::writtenTensorsReadBack() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> special = {0.f, -0.f, 1.f, -2.5f, nan, inf, -inf, 0x1p-24f};
    const std::vector<std::int64_t> counts = {-3, 0, 5, 127};
    const NamedTensors tensors = {
        {"/z/half", floats(DType::Float16, {2, 4}, special)},
        {"b.bfloat", floats(DType::BFloat16, {8}, special)},
        {"single", floats(DType::Float32, {8, 1}, special)},
        {"e4m3", floats(DType::Float8E4M3FN, {4}, {0.f, -0.f, 448.f, nan})},
        {"double", {DType::Float64, {2}, std::vector<double>{0.1, -1e300}}},
        {"int64", {DType::Int64, {4}, counts}},
        {"int32", {DType::Int32, {2, 2}, counts}},
        {"int16", {DType::Int16, {4}, counts}},
        {"int8", {DType::Int8, {4}, counts}},
        {"uint64", {DType::UInt64, {1}, std::vector<std::int64_t>{-1}}},
        {"uint8", {DType::UInt8, {1}, std::vector<std::int64_t>{255}}},
        {"bool", {DType::Bool, {2}, std::vector<std::int64_t>{0, 1}}},
        {"scalar", floats(DType::Float32, {}, {3.f})},
        {"nothing", floats(DType::Float32, {0, 3}, {})},
    };
    QTemporaryDir folder;
    const fs::path path = folder.filePath("t.npz").toStdString();
    for (int round = 0; round < 2; ++round) { // the second replaces the first
        const auto written = writeNpz(path, tensors);
        QVERIFY2(written.isOk(), written ? "" : written.error().text().c_str());
    }
    const auto dump = opened(path);
    QVERIFY(dump);
    QCOMPARE(dump->format(), std::string("npz"));
    QCOMPARE(dump->entries().size(), tensors.size());
    QCOMPARE(dump->diagnostics().count("dump.bfloat16_assumed"), std::int64_t(1));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        QCOMPARE(dump->entries()[i].name, tensors[i].first);
        const auto tensor = dump->read(i);
        QVERIFY2(tensor.isOk(), tensor ? "" : tensor.error().text().c_str());
        const std::string differs = difference(*tensor, tensors[i].second);
        QVERIFY2(differs.empty(), (tensors[i].first + ": " + differs).c_str());
    }
}

void TestDumps::entriesAreFoundByName() {
    const auto dump = dumpOf({{"b", Tensor::integers({1})}, {"a", Tensor::integers({2})}});
    QCOMPARE(dump->format(), std::string("computed"));
    QCOMPARE(dump->find("a"), std::optional<std::size_t>(1));
    QCOMPARE(dump->find("b"), std::optional<std::size_t>(0));
    QVERIFY(!dump->find("c"));
    QCOMPARE(dump->read(1)->integer(0), std::int64_t(2));
    QVERIFY(!dump->read(2));
}

QTEST_APPLESS_MAIN(TestDumps)
#include "test_dumps.moc"
