// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"
#include "core/frontends/reader.h"
#include "core/numerics/interpreter.h"

#include <benchmark/benchmark.h>

#include <cstdlib>

using namespace fivefold;

namespace {

/// A run of the model here, and the same with every float rounded to fp16 and one value of a late
/// layer wrong: 483 values of gpt2_mini_4l, about 32 MB of reference and device together.
struct Pair {
    numerics::Subject subject;
    numerics::Inputs inputs;
    compare::Side reference, device;
    std::int64_t bytes = 0;
};

numerics::Tensor roundedToHalf(const numerics::Tensor& tensor, bool isWrong) {
    std::vector<double> values = tensor.numbers();
    for (double& value : values)
        value = numerics::round(value, numerics::Format::Fp16);
    if (isWrong)
        values.back() += 3;
    return {ir::DType::Float16, tensor.shape(), std::move(values)};
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
    numerics::RunOptions run;
    run.keeps = [](ir::ValueId) { return true; };
    auto values = numerics::run(*pair.subject.typed, pair.inputs, *pair.subject.weights, run);
    if (!values)
        return std::nullopt;
    std::vector<std::pair<std::string, numerics::Tensor>> reference, device;
    std::size_t index = 0;
    for (const auto& [value, datum] : values->values) {
        const auto& facts = pair.subject.graph().values[value];
        if (!facts.producer.isValid() || !datum.tensor.isDefined())
            continue;
        const bool isFloat = ir::isFloat(datum.tensor.dtype());
        reference.emplace_back(facts.name, datum.tensor);
        device.emplace_back(
            facts.name, isFloat ? roundedToHalf(datum.tensor, ++index == 240) : datum.tensor);
        pair.bytes += datum.tensor.size() * (isFloat ? 6 : 16);
    }
    pair.reference.repeats = {compare::dumpOf(std::move(reference))};
    pair.device.repeats = {compare::dumpOf(std::move(device))};
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
        if (!result || result->origins.empty())
            state.SkipWithError("no origin");
        benchmark::DoNotOptimize(result);
    }
    state.counters["bytes"] = static_cast<double>(pair->bytes);
    state.counters["values"] = static_cast<double>(pair->device.repeats.front()->entries().size());
}
BENCHMARK(firstDivergence)->Unit(benchmark::kMillisecond);

} // namespace
