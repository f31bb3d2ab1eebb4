// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/format.h"

#include <array>

namespace fivefold::numerics {

namespace {

using machines::Precision;

struct Rule {
    std::string_view family;
    Precision precision;
    Format multiply, accumulate, storage;
    std::string_view policy, source;
};

constexpr std::string_view kTensorCore =
    "NVIDIA PTX ISA, mma: accumulation in fp32 (fp16 accumulation is an option of the program)";
constexpr std::string_view kTpu =
    "jax issue 9973: fp32 products on TPU are bf16 with fp32 sums by default; the digits of its "
    "2x2 product are reproduced";
constexpr std::string_view kSpyre =
    "torch-spyre constants.py and issue 2518: float16 is SEN169_FP16, 1-6-9; DLFloat (Agrawal et "
    "al., ARITH 2019) sums its products in wider precision";
constexpr std::string_view kWafer =
    "Cerebras SDK: fp16 multiply-add with fp32 sums (mixed-precision FMAC, Rocki et al., SC "
    "2020)";
constexpr std::string_view kGroq =
    "Abts et al., ISCA 2020: the MXM multiplies fp16 and sums in fp32, int8 in int32";

/// The first row that fits. Where a precision is a weight format without scales in the model
/// (int8, int4), products run in the family's 16-bit format.
constexpr std::array kRules{
    Rule{"gpu", Precision::Fp32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 products, fp32 sums, fp32 results", "PyTorch: TF32 is off for products by default"},
    Rule{"gpu", Precision::Tf32, Format::Tf32, Format::Fp32, Format::Fp32,
        "tf32 products, fp32 sums, fp32 results", kTensorCore},
    Rule{"gpu", Precision::Bf16, Format::Bf16, Format::Fp32, Format::Bf16,
        "bf16 products, fp32 sums, bf16 results", kTensorCore},
    Rule{"gpu", Precision::Fp16, Format::Fp16, Format::Fp32, Format::Fp16,
        "fp16 products, fp32 sums, fp16 results", kTensorCore},
    Rule{"gpu", Precision::Fp8, Format::Fp8E4M3, Format::Fp32, Format::Bf16,
        "e4m3 products, fp32 sums, bf16 results", kTensorCore},
    Rule{"tpu", Precision::Fp32, Format::Bf16, Format::Fp32, Format::Fp32,
        "fp32 operands are multiplied in bf16 by default, fp32 sums, fp32 results", kTpu},
    Rule{"tpu", Precision::Tf32, Format::Bf16, Format::Fp32, Format::Fp32,
        "fp32 operands are multiplied in bf16 by default, fp32 sums, fp32 results", kTpu},
    Rule{"tpu", Precision::Bf16, Format::Bf16, Format::Fp32, Format::Bf16,
        "bf16 products, fp32 sums, bf16 results", kTpu},
    Rule{"tpu", Precision::Fp16, Format::Bf16, Format::Fp32, Format::Bf16,
        "fp16 is no type of the matrix unit: bf16 products, fp32 sums, bf16 results", kTpu},
    Rule{"tpu", Precision::Fp8, Format::Fp8E5M2, Format::Fp32, Format::Bf16,
        "e5m2 products, fp32 sums, bf16 results", kTpu},
    Rule{"cerebras", Precision::Fp32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 products, fp32 sums, fp32 results", kWafer},
    Rule{"cerebras", Precision::Tf32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 products, fp32 sums, fp32 results", kWafer},
    Rule{"cerebras", Precision::Bf16, Format::Bf16, Format::Fp32, Format::Bf16,
        "bf16 products, fp32 sums, bf16 results", kWafer},
    Rule{"cerebras", Precision::Fp16, Format::Fp16, Format::Fp32, Format::Fp16,
        "fp16 products, fp32 sums, fp16 results", kWafer},
    Rule{"cerebras", Precision::Fp8, Format::Fp16, Format::Fp32, Format::Fp16,
        "fp8 is not published for the wafer: fp16 products, fp32 sums, fp16 results", kWafer},
    Rule{"groq", Precision::Fp32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 on the vector units: products, sums and results", kGroq},
    Rule{"groq", Precision::Tf32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 on the vector units: products, sums and results", kGroq},
    Rule{"groq", Precision::Bf16, Format::Fp16, Format::Fp32, Format::Fp16,
        "bf16 has no matrix rate: fp16 products, fp32 sums, fp16 results", kGroq},
    Rule{"groq", Precision::Fp16, Format::Fp16, Format::Fp32, Format::Fp16,
        "fp16 products, fp32 sums, fp16 results", kGroq},
    Rule{"groq", Precision::Fp8, Format::Fp8E4M3, Format::Fp32, Format::Fp16,
        "e4m3 products, fp32 sums, fp16 results", kGroq},
    Rule{"spyre", Precision::Fp32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 on the vector units: products, sums and results", kSpyre},
    Rule{"spyre", Precision::Tf32, Format::Fp32, Format::Fp32, Format::Fp32,
        "fp32 on the vector units: products, sums and results", kSpyre},
    Rule{"spyre", Precision::Bf16, Format::DlFloat16, Format::Fp32, Format::DlFloat16,
        "bf16 is stored as DLFloat16 (1-6-9): its products, fp32 sums, DLFloat16 results", kSpyre},
    Rule{"spyre", Precision::Fp16, Format::DlFloat16, Format::Fp32, Format::DlFloat16,
        "fp16 is stored as DLFloat16 (1-6-9): its products, fp32 sums, DLFloat16 results", kSpyre},
    Rule{"spyre", Precision::Fp8, Format::Fp8E4M3, Format::Fp32, Format::DlFloat16,
        "e4m3 products, fp32 sums, DLFloat16 results", kSpyre},
};

Arithmetic made(const Rule& rule) {
    Arithmetic result;
    result.multiply = rule.multiply;
    result.accumulate = rule.accumulate;
    result.storage = rule.storage;
    result.policy = rule.policy;
    result.source = rule.source;
    return result;
}

/// Integer precisions: the model has no scales to quantise by.
Arithmetic withoutScales(const machines::Machine& machine, Precision precision) {
    const Precision stand =
        machine.family == "tpu" || machine.family == "gpu" ? Precision::Bf16 : Precision::Fp16;
    Arithmetic result = arithmeticOf(machine, stand);
    result.policy = std::string(machines::toString(precision))
        + " needs scales that a model without quantisation does not have; computed with "
        + result.policy;
    return result;
}

} // namespace

Arithmetic exactArithmetic() {
    Arithmetic result;
    result.policy = "fp64 throughout";
    result.source = "IEEE 754";
    return result;
}

Arithmetic singleArithmetic() {
    Arithmetic result;
    result.storage = result.multiply = result.accumulate = Format::Fp32;
    result.policy = "fp32 products, fp32 sums, fp32 results";
    result.source = "IEEE 754";
    return result;
}

Arithmetic arithmeticOf(const machines::Machine& machine, Precision precision) {
    for (const Rule& rule : kRules) {
        if (rule.family == machine.family && rule.precision == precision)
            return made(rule);
    }
    if (machine.family != "cpu" && (precision == Precision::Int8 || precision == Precision::Int4))
        return withoutScales(machine, precision);
    return singleArithmetic();
}

} // namespace fivefold::numerics
