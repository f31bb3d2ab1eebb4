// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/test_values.h"

#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/frontends/onnx/tensors.h"
#include "core/frontends/onnx/wire.h"

#include <deque>
#include <fstream>
#include <iterator>

namespace fivefold::frontends::onnx {

namespace {

namespace proto = ::fivefold::onnx;

constexpr std::int64_t kMostIntegers = 4096;
constexpr std::int64_t kMostNumbers = 256;

// Field numbers of SequenceProto and OptionalProto (onnx-data.proto).
constexpr std::uint32_t kElementType = 2;
constexpr std::uint32_t kTensorValue = 3; ///< of both messages
constexpr std::uint32_t kOptionalSequence = 5;
constexpr std::uint64_t kOptionalHoldsSequence = 3;

std::span<const std::byte> bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

base::Error unreadable(const std::filesystem::path& file, const char* what) {
    return {base::ErrorCode::Malformed,
        "The test input cannot be read as " + std::string(what) + "; check how it was written.",
        file.string()};
}

class ValueReader {
public:
    ValueReader(const std::filesystem::path& folder, ir::Bindings& bindings)
        : m_tensors(m_store, folder / "model.onnx", m_diagnostics)
        , m_bindings(bindings) { }

    bool readTensor(const std::string& bytes, const ir::Value& input) {
        proto::TensorProto& tensor = m_messages.emplace_back();
        if (!tensor.ParseFromString(bytes))
            return false;
        bind(tensor, input);
        return true;
    }

    bool readSequence(const std::string& bytes, const ir::Value& input) {
        std::vector<ir::ValueType> items;
        wire::Cursor cursor(bytesOf(bytes), 0, bytes.size());
        wire::Field field;
        wire::Step step = cursor.next(field);
        for (; step == wire::Step::Field && !field.isOverrun; step = cursor.next(field)) {
            if (field.number != kTensorValue || field.type != wire::Type::Bytes)
                continue;
            proto::TensorProto& tensor = m_messages.emplace_back();
            if (!tensor.ParseFromString(std::string(wire::text(bytesOf(bytes), field))))
                return false;
            const ir::TensorData& data = m_store[m_tensors.add(tensor, input.name)];
            items.push_back({ir::ValueKind::Tensor, data.dtype,
                ir::Shape(data.shape.begin(), data.shape.end())});
        }
        if (step != wire::Step::End)
            return false;
        m_bindings.sequences[input.name] = std::move(items);
        return true;
    }

    bool readOptional(const std::string& bytes, const ir::Value& input) {
        wire::Cursor cursor(bytesOf(bytes), 0, bytes.size());
        wire::Field field;
        wire::Step step = cursor.next(field);
        bool holdsSequence = false;
        for (; step == wire::Step::Field && !field.isOverrun; step = cursor.next(field)) {
            if (field.number == kElementType && field.type == wire::Type::Varint)
                holdsSequence = field.varint == kOptionalHoldsSequence;
            if (field.type != wire::Type::Bytes)
                continue;
            const std::string inner(wire::text(bytesOf(bytes), field));
            if (field.number == kOptionalSequence && !readSequence(inner, input))
                return false;
            if (field.number == kTensorValue && !holdsSequence && !readTensor(inner, input))
                return false;
        }
        return step == wire::Step::End;
    }

private:
    void bind(const proto::TensorProto& tensor, const ir::Value& input) {
        const ir::TensorId id = m_tensors.add(tensor, input.name);
        const ir::TensorData& data = m_store[id];
        if (input.declared.shape && input.declared.shape->size() == data.shape.size())
            for (std::size_t axis = 0; axis < data.shape.size(); ++axis)
                if (!(*input.declared.shape)[axis].isKnown())
                    m_bindings.axes[{input.name, static_cast<int>(axis)}] = data.shape[axis];
        if (ir::isFloat(data.dtype)) {
            if (auto numbers = m_store.numbers(id, kMostNumbers))
                m_bindings.numbers[input.name] = std::move(*numbers);
        } else if (auto integers = m_store.integers(id, kMostIntegers)) {
            m_bindings.contents[input.name] = std::move(*integers);
        }
    }

    base::Diagnostics m_diagnostics;
    ir::TensorStore m_store;
    Tensors m_tensors;
    /// Tensors knows messages by their address, so they stay.
    std::deque<proto::TensorProto> m_messages;
    ir::Bindings& m_bindings;
};

base::Result<std::string> readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return base::Error{base::ErrorCode::Unreadable,
            "The test input cannot be opened; check its permissions.", path.string()};
    return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace

base::Result<ir::Bindings> readTestValues(
    const std::filesystem::path& folder, const ir::Graph& graph) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        return base::Error{base::ErrorCode::NotFound,
            "The folder of test values does not exist; name one that holds input_0.pb and so on.",
            folder.string()};
    ir::Bindings bindings;
    std::size_t position = 0;
    if (graph.blocks.empty())
        return bindings;
    for (const ir::ValueId id : graph.main().inputs) {
        const ir::Value& input = graph.values[id];
        const auto path = folder / ("input_" + std::to_string(position++) + ".pb");
        if (!std::filesystem::is_regular_file(path, error))
            continue;
        const auto bytes = readFile(path);
        if (!bytes)
            return bytes.error();
        ValueReader reader(folder, bindings);
        switch (input.declared.kind) {
        case ir::ValueKind::Tensor:
            if (!reader.readTensor(*bytes, input))
                return unreadable(path, "a tensor");
            break;
        case ir::ValueKind::Sequence:
            if (!reader.readSequence(*bytes, input))
                return unreadable(path, "a sequence");
            break;
        case ir::ValueKind::Optional:
            if (!reader.readOptional(*bytes, input))
                return unreadable(path, "an optional value");
            break;
        default:
            break;
        }
    }
    return bindings;
}

} // namespace fivefold::frontends::onnx
