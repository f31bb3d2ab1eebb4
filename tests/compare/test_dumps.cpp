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

const fs::path kData = fs::path(FIVEFOLD_SOURCE_DIR) / "tests/compare/data";
const fs::path kSeeds = fs::path(FIVEFOLD_SOURCE_DIR) / "tests/fuzz/corpus";

/// Contents under a name; an undefined tensor where there are none.
Tensor contents(const Dump& dump, std::string_view name) {
    const auto entry = dump.find(name);
    if (!entry)
        return {};
    auto tensor = dump.read(*entry);
    if (!tensor)
        qWarning("%s", tensor.error().text().c_str());
    return tensor ? *tensor : Tensor();
}

/// The shared data, "" without.
fs::path shared() {
    const QByteArray folder = qgetenv("FIVEFOLD_SHARED");
    return folder.isEmpty() ? fs::path() : fs::path(folder.toStdString()) / "data";
}

} // namespace

class TestDumps : public QObject {
    Q_OBJECT
private slots:
    void writtenTensorsReadBack();
    void entriesAreFoundByName();
    void formatsAgreeOnTheSameTensors();
    void bfloatAgreesWithFloat();
    void msprobeKeepsRolesAndFigures();
    void msprobeTensorsAreRead();
    void polygraphyInputsAreRead();
    void npyForms();
    void torchContainersBecomeKeys();
    void tensorProtoForms_data();
    void tensorProtoForms();
    void polygraphyForms();
    void ttnnReport();
    void plainFolder();
    void sharedDumpsOpenAndAgree();
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

void TestDumps::formatsAgreeOnTheSameTensors() {
    const auto hooks = opened(kData / "hooks.safetensors");
    const auto protos = opened(kData / "pb");
    const auto msprobe = opened(kData / "msprobe_tensor");
    QVERIFY(hooks && protos && msprobe);
    QCOMPARE(hooks->format(), std::string("safetensors"));
    QCOMPARE(protos->format(), std::string("tensorproto"));
    QCOMPARE(msprobe->format(), std::string("msprobe"));
    QCOMPARE(hooks->entries().size(), std::size_t(5));
    for (const auto& entry : hooks->entries()) {
        const Tensor tensor = contents(*hooks, entry.name);
        QVERIFY(tensor.isDefined() && tensor.as<float>());
        const std::string differs = difference(tensor, contents(*protos, entry.name));
        QVERIFY2(differs.empty(), (entry.name + ": " + differs).c_str());
    }
    const std::pair<const char*, const char*> pairs[] = {
        {"ln", "Functional.layer_norm.0.forward.output.0"},
        {"attn.c_attn", "Functional.linear.0.forward.output.0"}};
    for (const auto& [hook, call] : pairs) {
        const std::string differs = difference(contents(*hooks, hook), contents(*msprobe, call));
        QVERIFY2(differs.empty(), (std::string(hook) + ": " + differs).c_str());
    }
}

void TestDumps::bfloatAgreesWithFloat() {
    const auto exact = opened(kData / "hooks.safetensors");
    const auto rounded = opened(kData / "hooks_bf16.safetensors");
    QVERIFY(exact && rounded);
    for (const auto& entry : rounded->entries()) {
        QVERIFY(entry.dtype == DType::BFloat16);
        const Tensor a = contents(*exact, entry.name), b = contents(*rounded, entry.name);
        QVERIFY(a.shape() == b.shape());
        for (std::int64_t i = 0; i < a.size(); ++i) // half a unit of 8 bits of significand
            QVERIFY(std::abs(a.number(i) - b.number(i)) <= std::abs(a.number(i)) / 256);
    }
}

void TestDumps::msprobeKeepsRolesAndFigures() {
    const auto dump = opened(kData / "msprobe_statistics");
    QVERIFY(dump);
    QCOMPARE(dump->entries().size(), std::size_t(39));
    QCOMPARE(dump->entries()[0].name, std::string("Functional.layer_norm.0.forward.input.0"));
    const auto at = dump->find("Module.ln.LayerNorm.forward.0.parameters.weight");
    QVERIFY(at);
    const DumpEntry& weight = dump->entries()[*at];
    QCOMPARE(weight.role, std::string("parameter"));
    QVERIFY(!weight.hasContents && weight.statistics);
    QCOMPARE(weight.statistics->norm, std::optional(8.0));
    QVERIFY(weight.dtype == DType::Float32);
    QVERIFY(weight.shape == std::vector<std::int64_t>{64});
    QVERIFY(!dump->read(*at));
    QCOMPARE(dump->entries()[*dump->find("Functional.layer_norm.0.forward.output.0")].role,
        std::string("output"));
}

void TestDumps::msprobeTensorsAreRead() {
    const auto dump = opened(kData / "msprobe_tensor");
    QVERIFY(dump);
    QCOMPARE(dump->entries().size(), std::size_t(29));
    const auto present = dump->find("Functional.linear.0.forward.output.0");
    const auto absent = dump->find("Functional.linear.0.forward.input.1");
    QVERIFY(present && absent);
    QVERIFY(dump->entries()[*present].hasContents);
    QVERIFY(!dump->entries()[*absent].hasContents);
    QCOMPARE(dump->diagnostics().count("dump.file_missing"), std::int64_t(25));
    const Tensor tensor = contents(*dump, "Functional.linear.0.forward.output.0");
    double least = tensor.number(0);
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        least = std::min(least, tensor.number(i));
    QCOMPARE(dump->entries()[*present].statistics->minimum, std::optional(least));
}

void TestDumps::polygraphyInputsAreRead() {
    const auto dump = opened(kData / "polygraphy_inputs.json");
    QVERIFY(dump);
    QCOMPARE(dump->format(), std::string("polygraphy"));
    QCOMPARE(dump->entries().size(), std::size_t(1));
    QCOMPARE(dump->entries()[0].name, std::string("ids"));
    QCOMPARE(dump->entries()[0].role, std::string("input"));
    const Tensor ids = contents(*dump, "ids");
    QVERIFY(ids.dtype() == DType::Int64);
    QCOMPARE(ids.integer(0), std::int64_t(1));
    QCOMPARE(ids.integer(2), std::int64_t(0));
}

void TestDumps::npyForms() {
    const auto ramp = [](DType dtype) { return floats(dtype, {2, 3}, {0, 1, 2, 3, 4, 5}); };
    const auto only = [](const char* file) {
        const auto dump = opened(kSeeds / "npy" / file);
        return dump && dump->format() == "npy" ? contents(*dump, fs::path(file).stem().string())
                                               : Tensor();
    };
    QCOMPARE(difference(only("float32.npy"), ramp(DType::Float32)), std::string());
    QCOMPARE(difference(only("fortran.npy"), ramp(DType::Float16)), std::string());
    QCOMPARE(only("big_endian.npy").integer(5), std::int64_t(5));
    QVERIFY(only("bfloat16.npy").dtype() == DType::BFloat16);
    const auto archive = opened(kSeeds / "npz/deflated.npz");
    QVERIFY(archive);
    QCOMPARE(archive->entries().size(), std::size_t(2));
    QCOMPARE(difference(contents(*archive, "/ln/x"), ramp(DType::Float32)), std::string());
    QCOMPARE(contents(*archive, "b").integer(0), std::int64_t(3));
}

void TestDumps::torchContainersBecomeKeys() {
    const auto dump = opened(kSeeds / "pt/nested.pt");
    QVERIFY(dump);
    QCOMPARE(dump->entries().size(), std::size_t(3));
    const Tensor transposed = contents(*dump, "a.b.0"); // strides (1, 3) over 0…5
    QCOMPARE(
        difference(transposed, floats(DType::Float32, {3, 2}, {0, 3, 1, 4, 2, 5})), std::string());
    QCOMPARE(
        difference(contents(*dump, "a.b.1"), floats(DType::Float32, {2}, {2, 5})), std::string());
    QCOMPARE(difference(contents(*dump, "a.p"), floats(DType::Float16, {2, 2}, {0, 1, 2, 3})),
        std::string());
    QCOMPARE(dump->diagnostics().count("dump.values_ignored"), std::int64_t(1));
}

void TestDumps::tensorProtoForms_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QList<double>>("expected");
    QTest::newRow("raw") << "raw" << QList<double>{0, 1, 2, 3, 4, 5};
    QTest::newRow("packed") << "packed" << QList<double>{0, 1, 2, 3, 4, 5};
    QTest::newRow("half as int32") << "half_typed" << QList<double>{1, -2, qQNaN()};
    QTest::newRow("unpacked int64") << "int64_loose" << QList<double>{5, -1};
    QTest::newRow("4 bits") << "uint4" << QList<double>{1, 2, 3};
}

void TestDumps::tensorProtoForms() {
    QFETCH(QString, file);
    QFETCH(QList<double>, expected);
    const auto dump = opened(kSeeds / "tensorproto" / (file.toStdString() + ".pb"));
    QVERIFY(dump);
    const Tensor tensor = contents(*dump, "x");
    QCOMPARE(tensor.size(), std::int64_t(expected.size()));
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        QVERIFY(tensor.number(i) == expected[i]
            || (std::isnan(tensor.number(i)) && std::isnan(expected[i])));
}

void TestDumps::polygraphyForms() {
    const Tensor ramp = floats(DType::Float32, {2, 3}, {0, 1, 2, 3, 4, 5});
    const auto results = opened(kSeeds / "polygraphy/results.json");
    QVERIFY(results);
    QCOMPARE(results->entries().size(), std::size_t(2)); // two iterations
    QCOMPARE(difference(contents(*results, "0/y"), ramp), std::string());
    QCOMPARE(difference(contents(*results, "1/y"), ramp), std::string());
    const auto inputs = opened(kSeeds / "polygraphy/inputs.json");
    QVERIFY(inputs);
    QCOMPARE(contents(*inputs, "x").integer(1), std::int64_t(2));
    QCOMPARE(difference(contents(*inputs, "t"), ramp.reshaped({6})), std::string());
    const auto old = opened(kSeeds / "polygraphy/latin1.json");
    QVERIFY(old);
    QCOMPARE(difference(contents(*old, "x"), ramp), std::string());
}

void TestDumps::ttnnReport() {
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    fs::create_directory(root / "tensors");
    fs::copy_file(kSeeds / "ttnn/report.sqlite", root / "db.sqlite");
    fs::copy_file(kData
            / "msprobe_tensor/step0/proc13547/dump_tensor_data/"
              "Functional.layer_norm.0.forward.input.2.pt",
        root / "tensors/0.pt");
    const auto dump = opened(root);
    QVERIFY(dump);
    QCOMPARE(dump->format(), std::string("ttnn"));
    QCOMPARE(dump->entries().size(), std::size_t(2));
    const DumpEntry& sum = dump->entries()[1];
    QCOMPARE(sum.name, std::string("ttnn.add.7.output.0"));
    QCOMPARE(sum.role, std::string("output"));
    QVERIFY(sum.shape == (std::vector<std::int64_t>{2, 3}) && sum.dtype == DType::Float32);
    QVERIFY(!sum.hasContents);
    QCOMPARE(sum.statistics->others.at("local.desired_pcc"), 0.999);
    QCOMPARE(sum.statistics->others.at("local.matches"), 1.0);
    const DumpEntry& input = dump->entries()[0];
    QVERIFY(input.shape == (std::vector<std::int64_t>{1, 32}) && input.dtype == DType::BFloat16);
    QVERIFY(input.hasContents);
    QVERIFY(!dump->read(0)); // the file has 64 elements
}

void TestDumps::plainFolder() {
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    fs::create_directories(root / "layer10/attn");
    fs::create_directories(root / "layer2");
    fs::copy_file(kSeeds / "npy/float32.npy", root / "layer10/attn/q.out.npy");
    fs::copy_file(kData / "pb/output_0.pb", root / "layer2/x.pb");
    fs::copy_file(kData / "README.md", root / "notes.txt");
    fs::create_symlink(kSeeds / "npy/fortran.npy", root / "outside.npy");
    fs::create_directory_symlink(kSeeds, root / "linked");
    const auto dump = opened(root);
    QVERIFY(dump);
    QCOMPARE(dump->format(), std::string("folder"));
    QCOMPARE(dump->entries().size(), std::size_t(2));
    QCOMPARE(dump->entries()[0].name, std::string("layer2/x"));
    QCOMPARE(dump->entries()[1].name, std::string("layer10/attn/q.out"));
    QCOMPARE(dump->entries()[1].file, std::string("layer10/attn/q.out.npy"));
    QCOMPARE(contents(*dump, "layer10/attn/q.out").number(5), 5.0);
    QCOMPARE(dump->diagnostics().count("dump.file_refused"), std::int64_t(1));
    QCOMPARE(dump->diagnostics().count("dump.folder_refused"), std::int64_t(1));
    QCOMPARE(dump->diagnostics().count("dump.file_ignored"), std::int64_t(1));
}

void TestDumps::sharedDumpsOpenAndAgree() {
    const fs::path root = shared();
    if (root.empty() || !fs::exists(root / "dumps"))
        QSKIP("FIVEFOLD_SHARED has no dumps");
    int agreeing = 0;
    for (const auto& folder : fs::directory_iterator(root / "dumps"))
        for (const auto& file : fs::directory_iterator(folder)) {
            const auto dump = opened(file);
            QVERIFY2(dump, file.path().c_str());
            const fs::path twin = fs::path(file.path()).replace_extension(".pt");
            const auto other = file.path() == twin || !fs::exists(twin) ? nullptr : opened(twin);
            for (std::size_t i = 0; i < dump->entries().size(); ++i) {
                const auto tensor = dump->read(i);
                QVERIFY2(tensor.isOk(), tensor ? "" : tensor.error().text().c_str());
                if (!other)
                    continue;
                const std::string& name = dump->entries()[i].name;
                const std::string differs = difference(*tensor, contents(*other, name));
                QVERIFY2(differs.empty(), (file.path().string() + name + differs).c_str());
                ++agreeing;
            }
        }
    QVERIFY(agreeing > 300);
    const auto outputs = opened(root / "dump-formats/polygraphy_outputs.json");
    QVERIFY(outputs);
    QCOMPARE(outputs->entries().size(), std::size_t(76));
    for (std::size_t i = 0; i < outputs->entries().size(); ++i)
        QVERIFY(outputs->read(i).isOk());
}

QTEST_APPLESS_MAIN(TestDumps)
#include "test_dumps.moc"
