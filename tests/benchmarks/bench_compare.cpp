// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"
#include "core/frontends/reader.h"
#include "core/numerics/interpreter.h"

#include <benchmark/benchmark.h>

#include <cstdlib>

using namespace fivefold;

namespace {

/// A run of the model here in fp64, and one that rounds to fp16 as it goes, with one value of a
/// late layer wrong and all that follows from it: 483 values of gpt2_mini_4l, about 32 MB of
/// reference and device together.
struct Pair {
    numerics::Subject subject;
    numerics::Inputs inputs;
    compare::Side reference, device;
    std::string planted; ///< the name of the value
    std::int64_t bytes = 0; ///< as fp32 and fp16
};

constexpr std::size_t kPlanted = 240; ///< of the values, in order

using Tensors = std::vector<std::pair<std::string, numerics::Tensor>>;

Tensors dumped(const Pair& pair, const numerics::Run& run, ir::DType floats) {
    Tensors tensors;
    for (const auto& [value, datum] : run.values) {
        const auto& facts = pair.subject.graph().values[value];
        if (!facts.producer.isValid() || !datum.tensor.isDefined())
            continue;
        const bool isFloat = ir::isFloat(datum.tensor.dtype());
        tensors.emplace_back(facts.name, isFloat ? datum.tensor.retyped(floats) : datum.tensor);
    }
    return tensors;
}

/// A large float value of the middle of the model, its last element moved.
std::pair<ir::ValueId, numerics::Datum> planted(const Pair& pair, const numerics::Run& run) {
    std::size_t index = 0;
    for (const auto& [value, datum] : run.values) {
        const auto& facts = pair.subject.graph().values[value];
        if (++index < kPlanted || !facts.producer.isValid() || !ir::isFloat(datum.tensor.dtype())
            || datum.tensor.size() < 4096)
            continue;
        std::vector<double> values = datum.tensor.numbers();
        values.back() += 3;
        return {value, {{datum.tensor.dtype(), datum.tensor.shape(), std::move(values)}}};
    }
    return {};
}

std::optional<Pair> makePair() {
    const char* folder = std::getenv("FIVEFOLD_SHARED");
    if (!folder)
        return std::nullopt;
    base::Diagnostics diagnostics;
    auto graph = frontends::open(std::string(folder) + "/data/onnx/gpt2_mini_4l.onnx", diagnostics);
    if (!graph)
        return std::nullopt;
    ir::InferenceOptions options;
    options.assumeFree = true;
    auto typed = ir::infer(*graph, options, diagnostics);
    if (!typed)
        return std::nullopt;
    Pair pair;
    pair.subject.typed = std::make_shared<const ir::Typed>(*std::move(typed));
    pair.subject.weights = std::make_shared<numerics::Weights>(*graph);
    pair.inputs = numerics::randomInputs(*pair.subject.typed, 1);
    numerics::RunOptions exact, rounding;
    exact.keeps = rounding.keeps = [](ir::ValueId) { return true; };
    numerics::Arithmetic half = numerics::exactArithmetic();
    half.storage = half.multiply = numerics::Format::Fp16;
    half.accumulate = numerics::Format::Fp32;
    rounding.arithmetic = &half;
    const auto run = [&](const numerics::RunOptions& with) {
        return numerics::run(*pair.subject.typed, pair.inputs, *pair.subject.weights, with);
    };
    const auto reference = run(exact), clean = run(rounding);
    if (!reference || !clean)
        return std::nullopt;
    const auto [value, wrong] = planted(pair, *clean);
    if (!value.isValid())
        return std::nullopt;
    pair.planted = pair.subject.graph().values[value].name;
    rounding.given = {{value, wrong}};
    const auto device = run(rounding);
    if (!device)
        return std::nullopt;
    for (const auto& [id, datum] : device->values)
        if (pair.subject.graph().values[id].producer.isValid())
            pair.bytes += datum.tensor.size() * (ir::isFloat(datum.tensor.dtype()) ? 6 : 16);
    pair.reference.repeats = {compare::dumpOf(dumped(pair, *reference, ir::DType::Float32))};
    pair.device.repeats = {compare::dumpOf(dumped(pair, *device, ir::DType::Float16))};
    return pair;
}

void firstDivergence(benchmark::State& state) {
    const auto pair = makePair();
    if (!pair) {
        state.SkipWithError("FIVEFOLD_SHARED is not set");
        return;
    }
    for (auto _ : state) {
        auto result =
            compare::compareRuns(pair->subject, &pair->reference, pair->device, pair->inputs, {});
        if (!result || result->origins.size() != 1
            || result->layers[result->origins.front()].key != pair->planted)
            state.SkipWithError(result ? result->headline.c_str() : "no origin");
        benchmark::DoNotOptimize(result);
    }
    state.counters["bytes"] = static_cast<double>(pair->bytes);
    state.counters["values"] = static_cast<double>(pair->device.repeats.front()->entries().size());
    state.SetLabel(pair->planted);
}
BENCHMARK(firstDivergence)->Unit(benchmark::kMillisecond);

} // namespace
