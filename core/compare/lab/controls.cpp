// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/fault_lab.h"

#include "core/numerics/random.h"

#include <array>
#include <cmath>

namespace fivefold::compare {

using base::Error;
using base::ErrorCode;
using numerics::Arithmetic;
using numerics::Format;
using numerics::Tensor;

namespace {

constexpr std::array<ControlFacts, 8> kControls{{
    {1, "another order of summation: products split along k"},
    {2, "bf16 products with fp32 sums, as a TPU declares"},
    {3, "results stored in 1-6-9, as Spyre declares"},
    {4, "products and sums contracted to one rounding (fused multiply-add)"},
    {5, "a device that is more accurate than the reference"},
    {6, "a discontinuity flipped by one unit in the last place of its operand"},
    {7, "NaN on both sides at the same places"},
    {8, "random operators that do not share a seed"},
}};

using Tensors = std::vector<std::pair<std::string, Tensor>>;

Tensors named(
    const ir::Graph& graph, const std::map<ir::ValueId, numerics::Datum>& values, ir::DType dtype) {
    Tensors dump;
    for (const auto& [value, datum] : values) {
        const bool isKept = datum.kind == numerics::Datum::Kind::Tensor && datum.tensor.isDefined()
            && !graph.values[value].name.empty() && !graph.values[value].data.isValid();
        if (isKept)
            dump.emplace_back(graph.values[value].name,
                ir::isFloat(datum.tensor.dtype()) ? datum.tensor.retyped(dtype) : datum.tensor);
    }
    return dump;
}

/// How the device of a control computes.
Arithmetic arithmeticOf(const numerics::Subject& subject, int number) {
    if (number != 2 && number != 3 && subject.machine)
        return numerics::arithmeticOf(*subject.machine, subject.precision);
    Arithmetic arithmetic = numerics::singleArithmetic();
    if (number == 2)
        arithmetic.multiply = Format::Bf16;
    if (number == 3) {
        arithmetic.storage = Format::DlFloat16;
        arithmetic.multiply = Format::DlFloat16;
    }
    return arithmetic;
}

ir::DType dumpType(const Arithmetic& arithmetic) {
    return arithmetic.storage == Format::Fp16 ? ir::DType::Float16 : ir::DType::Float32;
}

/// Whose results the control's device rounds otherwise.
bool isTouched(int number, ir::Op op) {
    const ir::OpClass kind = ir::opClass(op);
    if (number == 6)
        return kind == ir::OpClass::Pointwise && op != ir::Op::Floor;
    return kind == ir::OpClass::Contraction || kind == ir::OpClass::Normalisation
        || (number == 4 && op == ir::Op::Add);
}

/// Floats of a tensor moved by one unit in the last place of fp32, up or down by the seed, and
/// stored: what another order of summation, or one rounding less, does to a result.
Tensor nudged(const Tensor& given, const Arithmetic& arithmetic, std::uint64_t seed) {
    if (!ir::isFloat(given.dtype()))
        return given;
    numerics::Random random(seed);
    std::vector<double> values = given.numbers();
    for (double& value : values)
        if (std::isfinite(value))
            value = numerics::round(value
                    + static_cast<double>(random.below(3) - 1)
                        * numerics::ulp(value,
                            arithmetic.storage == Format::Fp64       ? Format::Fp32
                                : arithmetic.storage == Format::Fp32 ? Format::Fp32
                                                                     : arithmetic.accumulate),
                arithmetic.storage);
    return Tensor(given.dtype(), given.shape(), std::move(values));
}

/// Runs node after node, so that what one rounds otherwise reaches those behind it.
base::Result<std::map<ir::ValueId, numerics::Datum>> runNudged(const numerics::Subject& subject,
    const numerics::Inputs& inputs, int number, std::uint64_t seed, numerics::RunOptions options,
    const base::Progress& progress) {
    const ir::Graph& graph = subject.graph();
    for (const ir::NodeId id : ir::executionOrder(graph, ir::Graph::mainBlock())) {
        options.only = {id};
        auto run = numerics::run(*subject.typed, inputs, *subject.weights, options, progress);
        if (!run)
            return run.error();
        for (const ir::ValueId output : graph.nodes[id].outputs) {
            const auto found = run->values.find(output);
            if (!output.isValid() || found == run->values.end())
                continue;
            numerics::Datum datum = found->second;
            if (isTouched(number, graph.nodes[id].op) && datum.tensor.isDefined())
                datum = nudged(datum.tensor, *options.arithmetic,
                    numerics::seedOf(graph.nodes[id].name, seed));
            options.given[output] = std::move(datum);
        }
    }
    return options.given;
}

numerics::Inputs withNaN(const numerics::Inputs& inputs, std::uint64_t seed) {
    numerics::Inputs result = inputs;
    for (auto& [name, datum] : result) {
        const Tensor& given = datum.tensor;
        if (datum.kind != numerics::Datum::Kind::Tensor || !given.isDefined()
            || !ir::isFloat(given.dtype()) || given.size() == 0)
            continue;
        numerics::Random random(numerics::seedOf(name, seed));
        std::vector<double> values = given.numbers();
        values[static_cast<std::size_t>(random.below(given.size()))] = std::nan("");
        datum = Tensor(given.dtype(), given.shape(), std::move(values));
    }
    return result;
}

} // namespace

std::span<const ControlFacts> controls() {
    return kControls;
}

numerics::Inputs controlInputs(const numerics::Inputs& inputs, int number, std::uint64_t seed) {
    return number == 7 ? withNaN(inputs, seed) : inputs;
}

base::Result<Tensors> control(const numerics::Subject& subject, const numerics::Inputs& inputs,
    int number, std::uint64_t seed, const base::Progress& progress) {
    if (number < 1 || number > static_cast<int>(kControls.size()))
        return Error{ErrorCode::InvalidArgument, "There are controls C1 to C8.", {}};
    if (!subject.weights)
        return Error{ErrorCode::InvalidArgument, "A control needs the model's parameters.", {}};
    const Arithmetic arithmetic = arithmeticOf(subject, number);
    numerics::RunOptions options;
    options.seed = number == 8 ? seed + 1 : 1;
    if (number != 5)
        options.arithmetic = &arithmetic;
    const ir::DType dtype = number == 5 ? ir::DType::Float64 : dumpType(arithmetic);
    if (number == 1 || number == 4 || number == 6) {
        auto values = runNudged(subject, inputs, number, seed, options, progress);
        if (!values)
            return values.error();
        return named(subject.graph(), *values, dtype);
    }
    auto run = numerics::run(*subject.typed, inputs, *subject.weights, options, progress);
    if (!run)
        return run.error();
    return named(subject.graph(), run->values, dtype);
}

} // namespace fivefold::compare
