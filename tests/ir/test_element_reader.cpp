// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/element_reader.h"

#include <QTemporaryFile>
#include <QtTest>

#include <cstring>

using namespace fivefold::ir;

namespace {

template <typename T> std::vector<std::byte> packed(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

TensorData tensor(DType dtype, std::vector<std::int64_t> shape) {
    TensorData data;
    data.dtype = dtype;
    data.shape = std::move(shape);
    return data;
}

} // namespace

class TestElementReader : public QObject {
    Q_OBJECT
private slots:
    void readsInlineElementsOfEveryWidth() {
        TensorStore store;
        TensorData halves = tensor(DType::Float16, {2, 2});
        halves.storage = TensorStorage::Inline;
        halves.bytes = packed<std::uint16_t>({0x3C00, 0xC000, 0x3800, 0x0000});
        ElementReader reader(store, store.add(halves));
        QCOMPARE(std::get<double>(*reader.at(1)), -2.0);
        QCOMPARE(std::get<double>(*reader.at(2)), 0.5);
        QVERIFY(!reader.at(4));
        QVERIFY(!reader.at(-1));

        TensorData nibbles = tensor(DType::UInt4, {3});
        nibbles.storage = TensorStorage::Inline;
        nibbles.bytes = {std::byte{0x21}, std::byte{0x03}}; // 1, 2, 3 from the low bits up
        ElementReader small(store, store.add(nibbles));
        QCOMPARE(std::get<std::int64_t>(*small.at(0)), std::int64_t{1});
        QCOMPARE(std::get<std::int64_t>(*small.at(1)), std::int64_t{2});
        QCOMPARE(std::get<std::int64_t>(*small.at(2)), std::int64_t{3});
    }

    void readsAFileAWindowAtATime() {
        std::vector<float> values(40000);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i);
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("head");
        file.write(reinterpret_cast<const char*>(values.data()),
            static_cast<qint64>(values.size() * sizeof(float)));
        file.close();
        TensorStore store;
        TensorData data = tensor(DType::Float32, {200, 200});
        data.storage = TensorStorage::FileRegion;
        data.file = file.fileName().toStdString();
        data.offset = 4;
        data.length = values.size() * sizeof(float);
        ElementReader reader(store, store.add(data));
        for (const std::int64_t flat : {0, 16383, 16384, 39999, 7})
            QCOMPARE(std::get<double>(*reader.at(flat)), static_cast<double>(flat));
        QVERIFY(!reader.at(40000));
    }

    void answersNothingForWhatIsNotThere() {
        TensorStore store;
        ElementReader missing(store, store.add(tensor(DType::Float32, {4})));
        QVERIFY(!missing.at(0));
        TensorData cut = tensor(DType::Float32, {4});
        cut.storage = TensorStorage::Inline;
        cut.bytes = packed<float>({1, 2});
        ElementReader damaged(store, store.add(cut));
        QCOMPARE(std::get<double>(*damaged.at(1)), 2.0);
        QVERIFY(!damaged.at(2));
        TensorData gone = tensor(DType::Float32, {4});
        gone.storage = TensorStorage::FileRegion;
        gone.file = "/nowhere/at/all";
        gone.length = 16;
        ElementReader lost(store, store.add(gone));
        QVERIFY(!lost.at(0));
        QVERIFY(!ElementReader(store, TensorId()).at(0));
    }

    void readsTexts() {
        TensorStore store;
        TensorData texts = tensor(DType::String, {2});
        texts.storage = TensorStorage::Strings;
        texts.strings = {"a", "b"};
        ElementReader reader(store, store.add(texts));
        QCOMPARE(std::get<std::string>(*reader.at(1)), std::string("b"));
    }
};

QTEST_APPLESS_MAIN(TestElementReader)
#include "test_element_reader.moc"
