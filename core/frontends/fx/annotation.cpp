// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/annotation.h"

#include "core/ir/bindings.h"
#include "core/ir/inference/arithmetic.h"

#include <algorithm>
#include <limits>

namespace fivefold::frontends::fx {

namespace {

using ir::Dim;
using ir::DType;

struct Abbreviation {
    std::string_view text;
    DType dtype;
};

/// torch/utils/_dtype_abbrs.py; quantised and sub-byte container types that have no counterpart in
/// the graph are left out.
constexpr Abbreviation kAbbreviations[] = {{"bf16", DType::BFloat16}, {"f64", DType::Float64},
    {"f32", DType::Float32}, {"f16", DType::Float16}, {"f8e4m3fn", DType::Float8E4M3FN},
    {"f8e5m2", DType::Float8E5M2}, {"f8e4m3fnuz", DType::Float8E4M3FNUZ},
    {"f8e5m2fnuz", DType::Float8E5M2FNUZ}, {"f8e8m0fnu", DType::Float8E8M0},
    {"f4e2m1fnx2", DType::UInt8}, {"c64", DType::Complex64}, {"c128", DType::Complex128},
    {"i8", DType::Int8}, {"i16", DType::Int16}, {"i32", DType::Int32}, {"i64", DType::Int64},
    {"b8", DType::Bool}, {"u8", DType::UInt8}, {"u16", DType::UInt16}, {"u32", DType::UInt32},
    {"u64", DType::UInt64}};

constexpr Abbreviation kNames[] = {{"bfloat16", DType::BFloat16}, {"float64", DType::Float64},
    {"double", DType::Float64}, {"float32", DType::Float32}, {"float", DType::Float32},
    {"float16", DType::Float16}, {"half", DType::Float16}, {"float8_e4m3fn", DType::Float8E4M3FN},
    {"float8_e5m2", DType::Float8E5M2}, {"float8_e4m3fnuz", DType::Float8E4M3FNUZ},
    {"float8_e5m2fnuz", DType::Float8E5M2FNUZ}, {"float8_e8m0fnu", DType::Float8E8M0},
    {"complex64", DType::Complex64}, {"complex128", DType::Complex128}, {"int8", DType::Int8},
    {"int16", DType::Int16}, {"int32", DType::Int32}, {"int", DType::Int32},
    {"int64", DType::Int64}, {"long", DType::Int64}, {"bool", DType::Bool}, {"uint8", DType::UInt8},
    {"uint16", DType::UInt16}, {"uint32", DType::UInt32}, {"uint64", DType::UInt64}};

/// Index of the bracket that closes the one at `open`; npos: none does.
std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '[' || text[i] == '(')
            ++depth;
        else if ((text[i] == ']' || text[i] == ')') && --depth == 0)
            return i;
    }
    return std::string_view::npos;
}

std::optional<std::vector<Dim>> sizes(std::string_view bracketed) {
    const auto expr = parseExpression(bracketed);
    if (!expr || !expr->is(Expr::Kind::List))
        return std::nullopt;
    std::vector<Dim> dims;
    for (const Expr& item : expr->items)
        dims.push_back(sizeOf(item));
    return dims;
}

Dim callOf(const Expr& expr) {
    const std::string& f = expr.text;
    if (expr.items.size() == 1
        && (f == "Sym" || f == "floor" || f == "ceiling" || f == "TruncToInt"))
        return sizeOf(expr.items[0]);
    if (expr.items.empty())
        return Dim();
    Dim result = sizeOf(expr.items[0]);
    for (std::size_t i = 1; i < expr.items.size(); ++i) {
        const Dim next = sizeOf(expr.items[i]);
        if (f == "Max")
            result = dimMax(result, next);
        else if (f == "Min")
            result = dimMin(result, next);
        else if (f == "FloorDiv" || f == "CleanDiv")
            result = floorDiv(result, next);
        else if (f == "CeilDiv")
            result = ceilDiv(result, next);
        else if (f == "Mod" || f == "PythonMod")
            result = floorMod(result, next);
        else
            return Dim();
    }
    return result;
}

Dim powerOf(const Dim& base, const Dim& exponent) {
    constexpr std::int64_t kHighestPower = 8; // sizes are areas and volumes at most
    if (!exponent.isKnown() || exponent.value() < 0 || exponent.value() > kHighestPower)
        return Dim();
    Dim result(1);
    for (std::int64_t i = 0; i < exponent.value(); ++i)
        result = result * base;
    return result;
}

Dim binaryOf(const Expr& expr) {
    const Dim a = sizeOf(expr.items[0]);
    const Dim b = sizeOf(expr.items[1]);
    const std::string& op = expr.text;
    if (op == "+")
        return a + b;
    if (op == "-")
        return a - b;
    if (op == "*")
        return a * b;
    if (op == "//" || op == "/")
        return floorDiv(a, b);
    if (op == "%")
        return floorMod(a, b);
    return op == "**" ? powerOf(a, b) : Dim();
}

} // namespace

ir::Dim sizeOf(const Expr& expr) {
    switch (expr.kind) {
    case Expr::Kind::Integer:
        return Dim(expr.integer);
    case Expr::Kind::Name:
        return Dim::symbol(expr.text);
    case Expr::Kind::Call:
        return callOf(expr);
    case Expr::Kind::Binary:
        return binaryOf(expr);
    case Expr::Kind::Unary:
        return expr.text == "-" ? Dim(0) - sizeOf(expr.items[0]) : Dim();
    default:
        return Dim();
    }
}

Annotation parseAnnotation(std::string_view text) {
    Annotation result;
    if (text.substr(0, 4) == "Sym(" || text == "PyInt") {
        result.type.dtype = DType::Int64;
        result.type.shape = ir::Shape();
        if (const auto expr = parseExpression(text); expr && expr->is(Expr::Kind::Call))
            result.size = sizeOf(*expr);
        return result;
    }
    const std::size_t open = text.find('[');
    const std::size_t close = open == std::string_view::npos ? open : closing(text, open);
    if (close == std::string_view::npos)
        return result;
    const std::string_view name = text.substr(0, open);
    const auto* found = std::find_if(std::begin(kAbbreviations), std::end(kAbbreviations),
        [&](const Abbreviation& entry) { return entry.text == name; });
    auto shape = sizes(text.substr(open, close - open + 1));
    if (!shape)
        return result;
    if (found != std::end(kAbbreviations))
        result.type.dtype = found->dtype;
    result.type.shape = std::move(*shape);
    // The lexer gives integers beyond int64 as its largest.
    constexpr std::int64_t kBeyond = std::numeric_limits<std::int64_t>::max();
    const ir::Shape& dims = *result.type.shape;
    if (std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.is(kBeyond); })
        || ir::isTooLarge(result.type)) {
        result.isTooLarge = true;
        result.type.shape.reset();
        return result;
    }
    std::string_view rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() == '[') {
        const std::size_t end = closing(rest, 0);
        if (end == std::string_view::npos)
            return result;
        if (const auto strides = sizes(rest.substr(0, end + 1)))
            if (strides->size() == result.type.shape->size())
                result.strides = ir::knownShape(*strides);
        rest = rest.substr(end + 1);
    }
    result.device = rest;
    return result;
}

std::optional<ir::DType> dtypeOfName(std::string_view name) {
    if (name.substr(0, 6) == "torch.")
        name = name.substr(6);
    for (const Abbreviation& entry : kNames)
        if (entry.text == name)
            return entry.dtype;
    return std::nullopt;
}

std::int64_t dtypeCode(ir::DType dtype) {
    constexpr std::int64_t kHighestCode = 26; // INT2, TensorProto.DataType of ONNX 1.20
    for (std::int64_t code = 1; code <= kHighestCode; ++code)
        if (ir::inference::dtypeOfCode(code) == dtype)
            return code;
    return 0;
}

} // namespace fivefold::frontends::fx
