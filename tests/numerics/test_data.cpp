// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/numerics/test_data.h"

#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/frontends/onnx/tensors.h"
#include "core/frontends/onnx/wire.h"
#include "core/numerics/kernels/elements.h"
#include "core/numerics/stored.h"

#include <cmath>
#include <deque>
#include <fstream>
#include <iterator>

namespace fivefold::tests {

using namespace numerics;
namespace onnx = frontends::onnx;
namespace proto = ::fivefold::onnx;

namespace {

// Field numbers of SequenceProto and OptionalProto (onnx-data.proto).
constexpr std::uint32_t kTensorValue = 3;
constexpr std::uint32_t kSequenceOfSequences = 5; ///< of SequenceProto; of OptionalProto: sequence

class Reader {
public:
    Reader()
        : m_tensors(m_store, "model.onnx", m_diagnostics) { }

    base::Result<Datum> tensor(const std::string& bytes) {
        proto::TensorProto& message = m_messages.emplace_back();
        if (!message.ParseFromString(bytes))
            return damaged();
        auto result = storedTensor(m_store, m_tensors.add(message, "value"), Carrier::Double);
        if (!result)
            return result.error();
        return Datum(*std::move(result));
    }

    base::Result<Datum> sequence(const std::string& bytes) {
        return list(bytes, Datum::Kind::Sequence, kTensorValue, kSequenceOfSequences);
    }
    base::Result<Datum> optional(const std::string& bytes) {
        return list(bytes, Datum::Kind::Optional, kTensorValue, kSequenceOfSequences);
    }

private:
    static base::Error damaged() {
        return {base::ErrorCode::Malformed, "The test value is damaged.", {}};
    }
    base::Result<Datum> list(const std::string& bytes, Datum::Kind kind, std::uint32_t tensorField,
        std::uint32_t sequenceField) {
        Datum datum;
        datum.kind = kind;
        const auto span = std::as_bytes(std::span(bytes.data(), bytes.size()));
        onnx::wire::Cursor cursor(span, 0, bytes.size());
        onnx::wire::Field field;
        auto step = cursor.next(field);
        for (; step == onnx::wire::Step::Field && !field.isOverrun; step = cursor.next(field)) {
            if (field.type != onnx::wire::Type::Bytes
                || (field.number != tensorField && field.number != sequenceField))
                continue;
            const std::string inner(onnx::wire::text(span, field));
            auto item = field.number == tensorField ? tensor(inner) : sequence(inner);
            if (!item)
                return item;
            datum.items.push_back(*std::move(item));
        }
        if (step != onnx::wire::Step::End)
            return damaged();
        return datum;
    }

    base::Diagnostics m_diagnostics;
    ir::TensorStore m_store;
    onnx::Tensors m_tensors;
    std::deque<proto::TensorProto> m_messages; ///< known by their addresses
};

std::string textOf(const Tensor& tensor, std::int64_t flat) {
    if (const auto* texts = tensor.as<std::string>())
        return '"' + (*texts)[static_cast<std::size_t>(flat)] + '"';
    return std::to_string(tensor.number(flat));
}

bool isClose(const Tensor& a, const Tensor& b, std::int64_t flat, double rtol, double atol) {
    if (const auto* texts = b.as<std::string>())
        return a.as<std::string>()
            && (*a.as<std::string>())[static_cast<std::size_t>(flat)]
            == (*texts)[static_cast<std::size_t>(flat)];
    double x = a.number(flat);
    const double y = b.number(flat);
    if (ir::isFloat(b.dtype()))
        x = b.dtype() == ir::DType::Float32 ? static_cast<double>(static_cast<float>(x))
                                            : roundedTo(x, b.dtype());
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y);
    return x == y || std::abs(x - y) <= atol + rtol * std::abs(y);
}

} // namespace

base::Result<Datum> readDatum(const std::filesystem::path& path, ir::ValueKind kind) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return base::Error{base::ErrorCode::NotFound, "The test value is not there.", path};
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    Reader reader;
    return kind == ir::ValueKind::Sequence ? reader.sequence(bytes)
        : kind == ir::ValueKind::Optional  ? reader.optional(bytes)
                                           : reader.tensor(bytes);
}

std::optional<std::string> difference(
    const Datum& computed, const Datum& wanted, double rtol, double atol) {
    if (computed.kind != wanted.kind || computed.items.size() != wanted.items.size())
        return "another kind or number of items";
    for (std::size_t i = 0; i < wanted.items.size(); ++i)
        if (auto found = difference(computed.items[i], wanted.items[i], rtol, atol))
            return "item " + std::to_string(i) + ": " + *found;
    if (wanted.kind != Datum::Kind::Tensor)
        return std::nullopt;
    const Tensor& a = computed.tensor;
    const Tensor& b = wanted.tensor;
    if (!a.isDefined())
        return "not computed";
    if (a.dtype() != b.dtype())
        return std::string(ir::name(a.dtype())) + " for " + std::string(ir::name(b.dtype()));
    if (a.shape() != b.shape())
        return extentsText(a.shape()) + " for " + extentsText(b.shape());
    for (std::int64_t i = 0; i < b.size(); ++i)
        if (!isClose(a, b, i, rtol, atol))
            return "element " + std::to_string(i) + " is " + textOf(a, i) + " for " + textOf(b, i);
    return std::nullopt;
}

} // namespace fivefold::tests
