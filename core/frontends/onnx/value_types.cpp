// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/value_types.h"

#include "core/frontends/onnx/dtypes.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"

#include <array>
#include <cctype>
#include <charconv>

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

/// Sums of products of names and integers. Blanks must surround a minus, which is also a letter of
/// names.
class DimParser {
public:
    explicit DimParser(std::string_view text)
        : m_text(text) { }

    /// Nullopt where the text is no such expression.
    std::optional<ir::Dim> parse() {
        auto sum = product();
        while (sum && !isAtEnd()) {
            const char sign = m_text[m_at];
            if (sign != '+' && sign != '-')
                return std::nullopt;
            ++m_at;
            const auto next = product();
            if (!next)
                return std::nullopt;
            sum = sign == '+' ? *sum + *next : *sum - *next;
        }
        return sum;
    }

private:
    bool isAtEnd() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
        return m_at == m_text.size();
    }

    static bool isNameCharacter(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':'
            || c == '-' || static_cast<unsigned char>(c) >= 0x80;
    }

    std::optional<ir::Dim> product() {
        auto value = atom();
        while (value && !isAtEnd() && m_text[m_at] == '*') {
            ++m_at;
            if (m_at < m_text.size() && m_text[m_at] == '*')
                return std::nullopt;
            const auto next = atom();
            if (!next)
                return std::nullopt;
            value = *value * *next;
        }
        return value;
    }

    std::optional<ir::Dim> atom() {
        if (isAtEnd())
            return std::nullopt;
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isNameCharacter(m_text[m_at]))
            ++m_at;
        const std::string_view word = m_text.substr(begin, m_at - begin);
        if (word.empty() || word == "-")
            return std::nullopt;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc() && end == word.data() + word.size())
            return ir::Dim(number);
        if (std::isdigit(static_cast<unsigned char>(word.front())))
            return std::nullopt;
        return ir::Dim::symbol(std::string(word));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

ir::DType dtypeOrDiagnostic(int code, std::string_view name, base::Diagnostics& diagnostics) {
    if (const auto dtype = dtypeOfCode(code))
        return *dtype;
    diagnostics.warn("onnx.unknown_dtype", std::string(name),
        "Element type " + std::to_string(code) + " is not known; it is shown as undefined.",
        "Open the model with a version that knows the type, or export it with another one.");
    return ir::DType::Undefined;
}

ir::Dim dimOf(const proto::TensorShapeProto::Dimension& dimension, int rank, std::string_view name,
    base::Diagnostics& diagnostics) {
    if (dimension.has_dim_param())
        return dimOfText(dimension.dim_param());
    if (!dimension.has_dim_value())
        return ir::Dim::unknown();
    // A list of no elements is real (no axes, no regions); no batch of a tensor is not.
    if (dimension.dim_value() > 0 || (dimension.dim_value() == 0 && rank == 1))
        return dimension.dim_value();
    diagnostics.info("onnx.size_not_positive", std::string(name),
        "A declared size of " + std::to_string(dimension.dim_value()) + " is read as unknown.",
        "Bind the dimension to a size.");
    return ir::Dim::unknown();
}

template <typename TensorType>
void setTensor(ir::ValueType& result, const TensorType& tensor, std::string_view name,
    base::Diagnostics& diagnostics) {
    result.dtype = dtypeOrDiagnostic(tensor.elem_type(), name, diagnostics);
    if (!tensor.has_shape())
        return;
    ir::Shape shape;
    for (const auto& dimension : tensor.shape().dim())
        shape.push_back(dimOf(dimension, tensor.shape().dim_size(), name, diagnostics));
    result.shape = std::move(shape);
}

} // namespace

ir::Dim dimOfText(std::string_view text) {
    constexpr std::array<std::string_view, 7> kPlaceholders = {
        "", "?", "None", "none", "-1", "*", "unknown"};
    for (const std::string_view placeholder : kPlaceholders)
        if (text == placeholder)
            return ir::Dim::unknown();
    constexpr std::size_t kLongestExpression = 256;
    const auto dim = text.size() <= kLongestExpression ? DimParser(text).parse() : std::nullopt;
    if (dim) {
        if (dim->isKnown() && dim->value() <= 0)
            return ir::Dim::unknown();
        return *dim;
    }
    return ir::Dim::symbol(std::string(text));
}

ir::ValueType valueType(
    const proto::TypeProto& type, std::string_view name, base::Diagnostics& diagnostics) {
    ir::ValueType result;
    const proto::TypeProto* inner = &type;
    bool isOutermost = true;
    const auto setKind = [&](ir::ValueKind kind) {
        if (isOutermost)
            result.kind = kind;
        isOutermost = false;
    };
    for (;;) {
        switch (inner->value_case()) {
        case proto::TypeProto::kTensorType:
            setTensor(result, inner->tensor_type(), name, diagnostics);
            return result;
        case proto::TypeProto::kSparseTensorType:
            setKind(ir::ValueKind::SparseTensor);
            setTensor(result, inner->sparse_tensor_type(), name, diagnostics);
            return result;
        case proto::TypeProto::kSequenceType:
            setKind(ir::ValueKind::Sequence);
            inner = &inner->sequence_type().elem_type();
            break;
        case proto::TypeProto::kOptionalType:
            setKind(ir::ValueKind::Optional);
            inner = &inner->optional_type().elem_type();
            break;
        case proto::TypeProto::kMapType:
            setKind(ir::ValueKind::Map);
            inner = &inner->map_type().value_type();
            break;
        default:
            return result;
        }
    }
}

std::string typeText(const proto::TypeProto& type) {
    const auto element = [](int code) {
        const auto dtype = dtypeOfCode(code);
        return dtype ? std::string(ir::name(*dtype)) : "type " + std::to_string(code);
    };
    std::string open;
    std::string close;
    const proto::TypeProto* inner = &type;
    for (;;) {
        switch (inner->value_case()) {
        case proto::TypeProto::kTensorType:
            return open + "tensor(" + element(inner->tensor_type().elem_type()) + ')' + close;
        case proto::TypeProto::kSparseTensorType:
            return open + "sparse_tensor(" + element(inner->sparse_tensor_type().elem_type()) + ')'
                + close;
        case proto::TypeProto::kSequenceType:
            open += "seq(";
            inner = &inner->sequence_type().elem_type();
            break;
        case proto::TypeProto::kOptionalType:
            open += "optional(";
            inner = &inner->optional_type().elem_type();
            break;
        case proto::TypeProto::kMapType:
            open += "map(" + element(inner->map_type().key_type()) + ", ";
            inner = &inner->map_type().value_type();
            break;
        case proto::TypeProto::kOpaqueType:
            return open + "opaque(" + inner->opaque_type().domain() + ", "
                + inner->opaque_type().name() + ')' + close;
        default:
            return open + '?' + close;
        }
        close += ')';
    }
}

} // namespace fivefold::frontends::onnx
