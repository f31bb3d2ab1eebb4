// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/element_codec.h"
#include "core/ir/inference/arithmetic.h"
#include "core/numerics/kernels/tables.h"
#include "core/numerics/kernels/unary.h"
#include "core/numerics/stored.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace fivefold::numerics {

namespace {

using ir::DType;
using ir::Op;

/// The shortest text that reads back as the same number, in the way of NumPy.
template <typename T> std::string textOf(T value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    std::string text(buffer, end.ptr);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

Tensor toText(const Tensor& x) {
    std::vector<std::string> texts(static_cast<std::size_t>(x.size()));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (const auto* list = x.as<std::int64_t>())
            texts[i] = x.dtype() == DType::UInt64
                ? std::to_string(static_cast<std::uint64_t>((*list)[i]))
                : std::to_string((*list)[i]);
        else if (x.dtype() == DType::Float64)
            texts[i] = textOf(x.number(at));
        else
            texts[i] = textOf(static_cast<float>(x.number(at)));
    }
    return {DType::String, x.shape(), std::move(texts)};
}

base::Result<Tensor> fromText(const Call& call, const Tensor& x, DType to) {
    std::vector<double> numbers;
    std::vector<std::int64_t> whole;
    for (const std::string& text : *x.as<std::string>()) {
        char* end = nullptr;
        errno = 0;
        if (!ir::isFloat(to)) {
            const long long value = std::strtoll(text.c_str(), &end, 10);
            whole.push_back(value);
        } else {
            numbers.push_back(std::strtod(text.c_str(), &end));
        }
        if (end == text.c_str() || !end)
            return call.error("the text \"" + text.substr(0, 40) + "\" is no number.");
    }
    if (!ir::isFloat(to))
        return ofType(Tensor(DType::Int64, x.shape(), std::move(whole)), to, Carrier::Double);
    if (call.isDouble())
        return Tensor(to, x.shape(), std::move(numbers));
    return Tensor(to, x.shape(), std::vector<float>(numbers.begin(), numbers.end()));
}

/// Power of two at, below or above a number, as Float8E8M0 holds them (OCP MX).
double roundedPower(double value, const std::string& mode) {
    if (!(value > 0) || std::isinf(value))
        return std::isnan(value) || value < 0 ? std::numeric_limits<double>::quiet_NaN()
            : value == 0                      ? std::ldexp(1.0, -127)
                                              : std::ldexp(1.0, 127);
    const int exponent = std::ilogb(value);
    const double low = std::ldexp(1.0, exponent);
    const bool isUp = mode == "up" ? value > low : mode == "nearest" && value >= 1.5 * low;
    return std::ldexp(1.0, std::clamp(exponent + (isUp ? 1 : 0), -127, 127));
}

Tensor roundedFloats(const Call& call, const Tensor& x, DType to) {
    const bool saturates = call.attributes().integer("saturate", 1) != 0;
    const std::string mode = call.attributes().text("round_mode", "up");
    const auto convert = [&](double value) {
        return to == DType::Float8E8M0 ? roundedPower(value, mode)
                                       : roundedTo(value, to, saturates);
    };
    if (const auto* list = x.as<float>())
        return {to, x.shape(), mapOne<float>(*list, [&](float v) {
                    return static_cast<float>(convert(static_cast<double>(v)));
                })};
    return {to, x.shape(), mapOne<double>(*x.as<double>(), convert)};
}

Outputs converted(const Call& call, const Tensor& x, DType to) {
    if (to == DType::Undefined)
        return call.error("it does not say which type to cast to.");
    if (auto error = call.tooLarge(x.shape()))
        return *std::move(error);
    if (to == x.dtype())
        return one(x);
    if (x.as<std::string>()) {
        auto tensor = fromText(call, x, to);
        return tensor ? Outputs(one(*std::move(tensor))) : tensor.error();
    }
    if (to == DType::String)
        return one(toText(x));
    if (ir::isFloat(to) && ir::bitWidth(to) <= 16)
        return one(roundedFloats(call, asFloats(call, x), to));
    return one(ofType(x, to, call.evaluation.carrier));
}

Outputs cast(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    // Casts that lowering makes have no attribute: the result's type says it.
    return converted(call, **x,
        ir::inference::dtypeAttribute(call.attributes(), "to", call.operation.outputType));
}

Outputs castLike(const Call& call) {
    auto x = call.required(0);
    auto like = call.required(1);
    if (!x || !like)
        return x ? like.error() : x.error();
    return converted(call, **x, (*like)->dtype());
}

/// Low bits of one element as its type stores it; nullopt where no encoder is needed anywhere.
std::optional<std::uint64_t> bitsOf(const Tensor& x, std::int64_t at) {
    if (const auto* list = x.as<std::int64_t>())
        return static_cast<std::uint64_t>((*list)[static_cast<std::size_t>(at)]);
    const double value = x.number(at);
    switch (x.dtype()) {
    case DType::Float64:
        return std::bit_cast<std::uint64_t>(value);
    case DType::Float32:
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case DType::BFloat16:
        return std::bit_cast<std::uint32_t>(static_cast<float>(roundedTo(value, x.dtype()))) >> 16;
    case DType::Float16: {
        // The same bits as in binary32, with a narrower exponent.
        const auto wide = static_cast<float>(roundedTo(value, x.dtype()));
        const auto bits = std::bit_cast<std::uint32_t>(wide);
        const std::uint32_t sign = bits >> 16 & 0x8000;
        if (std::isnan(wide))
            return sign | 0x7E00;
        if (std::isinf(wide))
            return sign | 0x7C00;
        const double magnitude = std::abs(static_cast<double>(wide));
        if (magnitude < 0x1p-14)
            return sign | static_cast<std::uint32_t>(magnitude * 0x1p24);
        return sign | ((bits & 0x7FFFFFFF) - (112u << 23)) >> 13;
    }
    default:
        return std::nullopt;
    }
}

/// The same bits under another type. Of another width, the last axis grows or shrinks.
Outputs bitCast(const Call& call) {
    auto x = call.required(0);
    if (!x)
        return x.error();
    const DType to =
        ir::inference::dtypeAttribute(call.attributes(), "to", call.operation.outputType);
    const int from = ir::bitWidth((*x)->dtype()), width = ir::bitWidth(to);
    if (from < 8 || width < 8)
        return call.error("it cannot reinterpret elements of these types.");
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>((*x)->size()) * static_cast<std::size_t>(from / 8));
    for (std::int64_t i = 0; i < (*x)->size(); ++i) {
        const auto bits = bitsOf(**x, i);
        if (!bits)
            return call.error("it cannot reinterpret elements of this type.");
        for (int b = 0; b < from; b += 8)
            bytes.push_back(static_cast<std::byte>(*bits >> b & 0xFF));
    }
    Extents shape = (*x)->shape();
    if (from != width) {
        if (shape.empty() || shape.back() * from % width != 0)
            return call.error("its last axis does not hold whole elements of the new type.");
        shape.back() = shape.back() * from / width;
    }
    auto tensor = decodeTensor(bytes, to, std::move(shape), call.evaluation.carrier);
    return tensor ? Outputs(one(*std::move(tensor))) : call.error(tensor.error().message);
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::Cast, cast},
    {Op::CastLike, castLike},
    {Op::BitCast, bitCast},
};

} // namespace

KernelTable castKernels() {
    return kTable;
}

} // namespace fivefold::numerics
