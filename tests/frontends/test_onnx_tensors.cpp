// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/ir/element_codec.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<std::int64_t>;

std::filesystem::path in(const QTemporaryDir& folder, const char* name) {
    return std::filesystem::path(folder.path().toStdString()) / name;
}

/// Opens a model with one initialiser from a file, so that regions can be read.
struct Stored {
    QTemporaryDir folder;
    Opened opened;

    explicit Stored(const proto::ModelProto& model) {
        const auto path = in(folder, "model.onnx");
        writeFile(path, model.SerializeAsString());
        opened = openFile(path);
    }
    ir::TensorId id() const {
        const auto& initializers = opened.graph().main().initializers;
        return opened.graph().values[initializers.at(0)].data;
    }
    const ir::TensorData& data() const { return opened.graph().tensors[id()]; }
    std::optional<Numbers> numbers(std::int64_t limit = 100'000) const {
        return opened.graph().tensors.numbers(id(), limit);
    }
    std::optional<Integers> integers() const {
        return opened.graph().tensors.integers(id(), 100'000);
    }
};

std::uint16_t halfPattern(int i) {
    return static_cast<std::uint16_t>(0x3c00 + i);
}

} // namespace

class TestOnnxTensors : public QObject {
    Q_OBJECT
private slots:
    void rawFloatsAreReadFromTheirRegion();
    void floatDataIsReadFromItsRegion();
    void smallTypedFieldsAreDecoded_data();
    void smallTypedFieldsAreDecoded();
    void bfloat16InInt32DataIsRead_data();
    void bfloat16InInt32DataIsRead();
    void int64RunsAreDecodedFromTheFile();
    void int4IsReadFromBothStorages();
    void looseInt4IsPacked();
    void sparseInitialisersKeepValuesAndIndices();
    void sparseIndicesByDimensionAreRead();
    void float8ScalesOfAttributesAreDecoded();
    void unknownTypesKeepTheirBytes();
    void missingValuesAreMissing();
    void tooFewBytesAreMissing();
    void segmentsAreMissing();
    void stringsAreKept();
    void negativeSizesAreHarmless();
    void hugeShapesAreHarmless();
    void limitsHold();
    void smallFloatsDecodeLikeTheirDefinitions_data();
    void smallFloatsDecodeLikeTheirDefinitions();
    void everyHalfIsExact();
};

void TestOnnxTensors::rawFloatsAreReadFromTheirRegion() {
    auto model = emptyModel();
    addFloats(*model.mutable_graph(), "w", {40, 50});
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::FileRegion);
    QCOMPARE(stored.data().length, 8000U);
    const auto numbers = stored.numbers();
    QVERIFY(numbers.has_value());
    QCOMPARE(numbers->size(), std::size_t(2000));
    QCOMPARE(numbers->at(1999), 1999.0);
}

void TestOnnxTensors::floatDataIsReadFromItsRegion() {
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "w", {1000});
    for (int i = 0; i < 1000; ++i)
        tensor->add_float_data(static_cast<float>(i) / 2);
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::FileRegion);
    QCOMPARE(stored.numbers()->at(7), 3.5);
}

void TestOnnxTensors::smallTypedFieldsAreDecoded_data() {
    QTest::addColumn<int>("code");
    QTest::newRow("float") << 1;
    QTest::newRow("uint8") << 2;
    QTest::newRow("int8") << 3;
    QTest::newRow("uint16") << 4;
    QTest::newRow("int16") << 5;
    QTest::newRow("int32") << 6;
    QTest::newRow("int64") << 7;
    QTest::newRow("double") << 11;
    QTest::newRow("uint32") << 12;
    QTest::newRow("uint64") << 13;
}

void TestOnnxTensors::smallTypedFieldsAreDecoded() {
    QFETCH(int, code);
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "w", {3}, code);
    const bool isSigned = code == 1 || code == 3 || (code >= 5 && code <= 7) || code == 11;
    const Numbers expected{1, isSigned ? -2.0 : 2.0, 100};
    for (const double value : expected) {
        if (code == 1)
            tensor->add_float_data(static_cast<float>(value));
        else if (code == 11)
            tensor->add_double_data(value);
        else if (code == 7)
            tensor->add_int64_data(static_cast<std::int64_t>(value));
        else if (code == 12 || code == 13)
            tensor->add_uint64_data(static_cast<std::uint64_t>(value));
        else
            tensor->add_int32_data(static_cast<std::int32_t>(value));
    }
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::Inline);
    QCOMPARE(stored.numbers(), std::optional(expected));
    QVERIFY(stored.opened.diagnostics.empty());
}

void TestOnnxTensors::bfloat16InInt32DataIsRead_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("isRaw");
    QTest::newRow("bfloat16, int32_data") << int(kBfloat16) << false;
    QTest::newRow("bfloat16, raw_data") << int(kBfloat16) << true;
    QTest::newRow("float16, int32_data") << int(kFloat16) << false;
    QTest::newRow("float16, raw_data") << int(kFloat16) << true;
}

void TestOnnxTensors::bfloat16InInt32DataIsRead() {
    QFETCH(int, code);
    QFETCH(bool, isRaw);
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "w", {64, 16}, code);
    std::string raw;
    for (int i = 0; i < 1024; ++i) {
        const std::uint16_t pattern = halfPattern(i % 64);
        raw.append(reinterpret_cast<const char*>(&pattern), sizeof pattern);
        if (!isRaw)
            tensor->add_int32_data(pattern);
    }
    if (isRaw)
        tensor->set_raw_data(raw);
    const Stored stored(model);
    QCOMPARE(stored.data().storage,
        isRaw ? ir::TensorStorage::FileRegion : ir::TensorStorage::FileVarints);
    const auto numbers = stored.numbers();
    QVERIFY(numbers.has_value());
    QCOMPARE(numbers->size(), std::size_t(1024));
    const double step = code == kFloat16 ? 1.0 / 1024 : 1.0 / 128;
    const double first = code == kFloat16 ? 1.0 : 0.0078125; // 0x3c00 as bfloat16 is 2^-7
    QCOMPARE(numbers->at(0), first);
    QCOMPARE(numbers->at(1), code == kFloat16 ? 1.0 + step : first * (1 + step));
}

void TestOnnxTensors::int64RunsAreDecodedFromTheFile() {
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "w", {900}, kInt64);
    Integers expected(900);
    std::iota(expected.begin(), expected.end(), -450);
    for (const std::int64_t value : expected)
        tensor->add_int64_data(value);
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::FileVarints);
    QCOMPARE(stored.integers(), std::optional(expected));
}

void TestOnnxTensors::int4IsReadFromBothStorages() {
    for (const bool isRaw : {false, true}) {
        auto model = emptyModel();
        auto* tensor = addInitializer(*model.mutable_graph(), "w", {3}, kInt4);
        const std::string packed("\x71\x08", 2); // 1, 7, −8
        if (isRaw)
            tensor->set_raw_data(packed);
        else
            for (const char byte : packed)
                tensor->add_int32_data(static_cast<unsigned char>(byte));
        const Stored stored(model);
        QCOMPARE(stored.integers(), std::optional(Integers{1, 7, -8}));
        QCOMPARE(stored.opened.graph().parameterCount(), 3);
    }
}

void TestOnnxTensors::looseInt4IsPacked() {
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "w", {4}, kInt4);
    for (const int value : {1, -1, 7, -8})
        tensor->add_int32_data(value);
    const Stored stored(model);
    QCOMPARE(stored.integers(), std::optional(Integers{1, -1, 7, -8}));
}

void TestOnnxTensors::sparseInitialisersKeepValuesAndIndices() {
    auto model = emptyModel();
    auto& graph = *model.mutable_graph();
    auto* sparse = graph.add_sparse_initializer();
    sparse->mutable_values()->set_name("s");
    sparse->mutable_values()->set_data_type(kFloat);
    sparse->mutable_values()->add_dims(7);
    sparse->mutable_indices()->set_data_type(kInt64);
    sparse->mutable_indices()->add_dims(7);
    for (int i = 0; i < 7; ++i) {
        sparse->mutable_values()->add_float_data(static_cast<float>(i + 1));
        sparse->mutable_indices()->add_int64_data(i * 5);
    }
    sparse->add_dims(6);
    sparse->add_dims(6);
    addNode(graph, "MatMul", {"s", "s"}, {"y"});
    const Stored stored(model);
    QVERIFY(stored.data().isSparse());
    QCOMPARE(stored.data().nonZeros, 7);
    QCOMPARE(stored.data().shape, (Integers{6, 6}));
    const auto dense = stored.numbers();
    QVERIFY(dense.has_value());
    QCOMPARE(dense->size(), std::size_t(36));
    QCOMPARE(dense->at(30), 7.0);
    QCOMPARE(dense->at(31), 0.0);
    const auto& value = stored.opened.graph().values[valueNamed(stored.opened.graph(), "s")];
    QCOMPARE(value.declared.kind, ir::ValueKind::SparseTensor);
    QCOMPARE(value.users.size(), std::size_t(2));
    QCOMPARE(stored.opened.graph().parameterCount(), 7);
}

void TestOnnxTensors::sparseIndicesByDimensionAreRead() {
    auto model = emptyModel();
    auto* sparse = model.mutable_graph()->add_sparse_initializer();
    sparse->mutable_values()->set_name("s");
    sparse->mutable_values()->set_data_type(kFloat);
    sparse->mutable_values()->add_dims(2);
    sparse->mutable_values()->add_float_data(5);
    sparse->mutable_values()->add_float_data(6);
    auto* indices = sparse->mutable_indices();
    indices->set_data_type(kInt64);
    indices->add_dims(2);
    indices->add_dims(2);
    for (const int i : {0, 2, 1, 1})
        indices->add_int64_data(i);
    sparse->add_dims(2);
    sparse->add_dims(3);
    QCOMPARE(Stored(model).numbers(), std::optional(Numbers{0, 0, 5, 0, 6, 0}));
    indices->set_int64_data(1, 3); // behind the last column
    QVERIFY(!Stored(model).numbers().has_value());
}

void TestOnnxTensors::float8ScalesOfAttributesAreDecoded() {
    auto model = emptyModel(23, 12);
    auto* node = addNode(*model.mutable_graph(), "Constant", {}, {"scale"});
    auto* tensor = addAttribute(*node, "value", 4)->mutable_t();
    tensor->set_data_type(kFloat8E8M0);
    tensor->add_dims(4);
    tensor->set_raw_data(std::string("\x7f\x80\x00\xff", 4));
    const auto opened = readModel(model);
    QVERIFY(opened.isOk());
    const ir::Graph& graph = opened.graph();
    const ir::Value& value = graph.values[valueNamed(graph, "scale")];
    QCOMPARE(value.declared.dtype, ir::DType::Float8E8M0);
    const auto numbers = graph.tensors.numbers(value.data);
    QVERIFY(numbers.has_value());
    QCOMPARE(numbers->at(0), 1.0);
    QCOMPARE(numbers->at(1), 2.0);
    QCOMPARE(numbers->at(2), std::ldexp(1.0, -127));
    QVERIFY(std::isnan(numbers->at(3)));
}

void TestOnnxTensors::unknownTypesKeepTheirBytes() {
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "w", {2}, 99);
    tensor->set_raw_data("abcd");
    const Stored stored(model);
    QCOMPARE(stored.opened.diagnostics.count("onnx.unknown_dtype"), 1);
    const auto bytes = stored.opened.graph().tensors.read(stored.id());
    QVERIFY(bytes.isOk());
    QCOMPARE(bytes->size(), std::size_t(4));
    QCOMPARE(bytes->at(3), std::byte{'d'});
    QVERIFY(!stored.numbers().has_value());
}

void TestOnnxTensors::missingValuesAreMissing() {
    auto model = emptyModel();
    addInitializer(*model.mutable_graph(), "w", {3, 4});
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::Missing);
    QVERIFY(!stored.data().missingReason.empty());
    QCOMPARE(stored.opened.graph().parameterCount(), 12);
    const auto bytes = stored.opened.graph().tensors.read(stored.id());
    QVERIFY(!bytes.isOk());
    QCOMPARE(bytes.error().message, stored.data().missingReason);
}

void TestOnnxTensors::tooFewBytesAreMissing() {
    auto model = emptyModel();
    addInitializer(*model.mutable_graph(), "w", {1000})->set_raw_data(std::string(2000, 'x'));
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::Missing);
    QCOMPARE(stored.opened.diagnostics.count("onnx.tensor_size"), 1);
    QCOMPARE(stored.opened.diagnostics.entries()[0].node, std::string("w"));
}

void TestOnnxTensors::segmentsAreMissing() {
    auto model = emptyModel();
    auto* tensor = addFloats(*model.mutable_graph(), "w", {2});
    tensor->mutable_segment()->set_begin(0);
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::Missing);
    QCOMPARE(stored.opened.diagnostics.count("onnx.tensor_segment"), 1);
}

void TestOnnxTensors::stringsAreKept() {
    auto model = emptyModel();
    auto* tensor = addInitializer(*model.mutable_graph(), "words", {2}, kText);
    tensor->add_string_data("eins");
    tensor->add_string_data("два");
    const Stored stored(model);
    QCOMPARE(stored.data().storage, ir::TensorStorage::Strings);
    QCOMPARE(stored.data().strings, (std::vector<std::string>{"eins", "два"}));
}

void TestOnnxTensors::negativeSizesAreHarmless() {
    auto model = emptyModel();
    addInitializer(*model.mutable_graph(), "w", {-3, 4})->set_raw_data("abcd");
    const Stored stored(model);
    QCOMPARE(stored.opened.diagnostics.count("onnx.negative_size"), 1);
    QCOMPARE(stored.data().elements(), 0);
    QCOMPARE(stored.opened.graph().parameterCount(), 0);
}

void TestOnnxTensors::hugeShapesAreHarmless() {
    constexpr std::int64_t kBig = std::int64_t(1) << 40;
    auto model = emptyModel();
    addInitializer(*model.mutable_graph(), "w", {kBig, kBig});
    addInitializer(*model.mutable_graph(), "v", {kBig, kBig});
    const Stored stored(model);
    QCOMPARE(stored.data().elements(), std::numeric_limits<std::int64_t>::max());
    QCOMPARE(stored.opened.graph().parameterCount(), std::numeric_limits<std::int64_t>::max());
    QVERIFY(!stored.numbers(std::numeric_limits<std::int64_t>::max()).has_value());
}

void TestOnnxTensors::limitsHold() {
    auto model = emptyModel();
    addFloats(*model.mutable_graph(), "w", {5});
    const Stored stored(model);
    QVERIFY(!stored.numbers(4).has_value());
    QVERIFY(stored.numbers(5).has_value());
    QVERIFY(!stored.integers().has_value());
    QVERIFY(!stored.opened.graph().tensors.numbers(ir::TensorId(99)).has_value());
    QVERIFY(!stored.opened.graph().tensors.read(ir::TensorId()).isOk());
}

void TestOnnxTensors::smallFloatsDecodeLikeTheirDefinitions_data() {
    QTest::addColumn<int>("dtype");
    QTest::addColumn<uint>("bits");
    QTest::addColumn<double>("value");
    const auto row = [](ir::DType dtype, unsigned bits, double value) {
        QTest::addRow("%s 0x%x", std::string(ir::name(dtype)).c_str(), bits)
            << static_cast<int>(dtype) << bits << value;
    };
    constexpr double kInf = std::numeric_limits<double>::infinity();
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    row(ir::DType::Float16, 0x7bff, 65504);
    row(ir::DType::Float16, 0x0001, std::ldexp(1.0, -24));
    row(ir::DType::Float16, 0xfc00, -kInf);
    row(ir::DType::Float16, 0x7e00, kNaN);
    row(ir::DType::BFloat16, 0x4049, 3.140625);
    row(ir::DType::BFloat16, 0x7f80, kInf);
    row(ir::DType::Float8E4M3FN, 0x7e, 448);
    row(ir::DType::Float8E4M3FN, 0x01, std::ldexp(1.0, -9));
    row(ir::DType::Float8E4M3FN, 0x7f, kNaN);
    row(ir::DType::Float8E4M3FNUZ, 0x7f, 240);
    row(ir::DType::Float8E4M3FNUZ, 0x01, std::ldexp(1.0, -10));
    row(ir::DType::Float8E4M3FNUZ, 0x80, kNaN);
    row(ir::DType::Float8E5M2, 0x7b, 57344);
    row(ir::DType::Float8E5M2, 0x7c, kInf);
    row(ir::DType::Float8E5M2, 0x7d, kNaN);
    row(ir::DType::Float8E5M2FNUZ, 0x7f, 57344);
    row(ir::DType::Float8E5M2FNUZ, 0x80, kNaN);
    row(ir::DType::Float8E8M0, 0xfe, std::ldexp(1.0, 127));
    row(ir::DType::Float4E2M1, 0x7, 6);
    row(ir::DType::Float4E2M1, 0x1, 0.5);
    row(ir::DType::Float4E2M1, 0xf, -6);
    row(ir::DType::Int8, 0x01, kNaN);
}

void TestOnnxTensors::smallFloatsDecodeLikeTheirDefinitions() {
    QFETCH(int, dtype);
    QFETCH(uint, bits);
    QFETCH(double, value);
    const double decoded = ir::decodeSmallFloat(static_cast<ir::DType>(dtype), bits);
    if (std::isnan(value))
        QVERIFY(std::isnan(decoded));
    else
        QVERIFY(decoded == value);
}

void TestOnnxTensors::everyHalfIsExact() {
    // Against the compiler's own binary16 arithmetic.
    for (unsigned bits = 0; bits <= 0xffff; ++bits) {
        const auto pattern = static_cast<std::uint16_t>(bits);
        _Float16 half;
        std::memcpy(&half, &pattern, sizeof half);
        const auto expected = static_cast<double>(half);
        const double decoded = ir::decodeSmallFloat(ir::DType::Float16, bits);
        QVERIFY(std::isnan(expected) ? std::isnan(decoded) : decoded == expected);
    }
}

QTEST_APPLESS_MAIN(TestOnnxTensors)
#include "test_onnx_tensors.moc"
