// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/pipeline.h"
#include "core/drawing/drawing.h"
#include "core/ir/resymbolise.h"
#include "core/layout/padding_curve.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

using namespace fivefold;

namespace {

std::filesystem::path modelPath(const std::string& name) {
    if (const char* shared = std::getenv("FIVEFOLD_SHARED"))
        return std::filesystem::path(shared) / "data/onnx" / (name + ".onnx");
    return "samples/attention_block.onnx";
}

constexpr std::string_view kMachines[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

std::shared_ptr<const analysis::Model> open(benchmark::State& state, const std::string& name) {
    auto model = analysis::openModel(modelPath(name));
    if (!model) {
        state.SkipWithError(model.error().text().c_str());
        return nullptr;
    }
    state.SetLabel((*model)->graph->info.path);
    return *model;
}

void openModel(benchmark::State& state, const std::string& name) {
    for (auto _ : state)
        benchmark::DoNotOptimize(open(state, name));
}

void inferTypes(benchmark::State& state, const std::string& name) {
    const auto model = open(state, name);
    for (auto _ : state) {
        analysis::TypedCache cache;
        benchmark::DoNotOptimize(cache.get(model, {}, {}));
    }
}

/// Lowering and everything derived from it, on all five machines, types being known.
void analyzeFive(benchmark::State& state, const std::string& name) {
    const auto model = open(state, name);
    analysis::TypedCache cache;
    for (auto _ : state)
        for (std::string_view id : kMachines) {
            analysis::Request request{model, machines::findMachine(id), {}, {}};
            request.settings.precision = request.machine->defaultPrecision();
            auto result = analysis::analyze(request, {}, &cache);
            if (!result)
                state.SkipWithError(result.error().text().c_str());
            benchmark::DoNotOptimize(result);
        }
}

void analyzeOne(benchmark::State& state, const std::string& name, std::string_view id) {
    const auto model = open(state, name);
    analysis::TypedCache cache;
    for (auto _ : state) {
        analysis::Request request{model, machines::findMachine(id), {}, {}};
        request.settings.precision = request.machine->defaultPrecision();
        benchmark::DoNotOptimize(analysis::analyze(request, {}, &cache));
    }
}

/// The model with a size that may be varied: its own, or one of the file made free.
std::pair<std::shared_ptr<const analysis::Model>, std::string> withSymbol(
    const std::shared_ptr<const analysis::Model>& model) {
    if (const auto symbols = ir::freeSymbols(*model->graph); !symbols.empty())
        return {model, symbols.back().name};
    for (const ir::FreeAxis& axis : ir::freeAxes(model->graph))
        if (axis.isProved)
            if (const auto graph = ir::resymbolise(model->graph, axis))
                return {std::make_shared<const analysis::Model>(
                            analysis::Model{*graph, model->diagnostics}),
                    axis.symbol};
    return {model, {}};
}

/// One step of a slider: another size, so that types are inferred anew, and everything that the
/// panels draw of one machine.
void sliderStep(benchmark::State& state, const std::string& name, std::string_view id) {
    const auto model = open(state, name);
    if (!model)
        return;
    const auto [varied, symbol] = withSymbol(model);
    if (symbol.empty()) {
        state.SkipWithError("the model has no size to vary");
        return;
    }
    analysis::TypedCache cache;
    std::int64_t step = 0;
    for (auto _ : state) {
        analysis::Request request{varied, machines::findMachine(id), {}, {}};
        constexpr std::int64_t kSizes = 16; // more than the cache keeps
        request.bindings.dims[symbol] = 1 + step++ % kSizes;
        request.settings.precision = request.machine->defaultPrecision();
        auto result = analysis::analyze(request, {}, &cache);
        if (!result)
            state.SkipWithError(result.error().text().c_str());
        benchmark::DoNotOptimize(result);
    }
}

/// Which fixed sizes may be varied, tried in the background after opening.
void findFreeAxes(benchmark::State& state, const std::string& name) {
    const auto model = open(state, name);
    if (!model)
        return;
    for (auto _ : state)
        benchmark::DoNotOptimize(ir::freeAxes(model->graph));
}

/// Our own layered drawing of 20,000 boxes in blocks with residual edges.
void placeLayered(benchmark::State& state) {
    constexpr int kBoxes = 20000;
    constexpr int kBlock = 16;
    drawing::Input input;
    input.boxes.resize(kBoxes);
    for (int i = 1; i < kBoxes; ++i) {
        input.edges.push_back({i - 1, i});
        if (i >= kBlock && i % kBlock == 0)
            input.edges.push_back({i - kBlock, i});
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(drawing::layeredEngine().place(input, {}));
}

/// The padding of all five families over 4,096 sizes of a dimension.
void fivePaddingCurves(benchmark::State& state) {
    for (auto _ : state)
        for (const std::string_view family : machines::kFamilies) {
            layout::LayoutQuery query;
            query.family = family;
            query.shape = {12, 128, 65};
            benchmark::DoNotOptimize(layout::paddingCurve(query, -1, 1, 4096));
        }
}

} // namespace

BENCHMARK(fivePaddingCurves)->Unit(benchmark::kMillisecond);
BENCHMARK(placeLayered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(openModel, gpt2_small, std::string("gpt2_small"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(openModel, big_moe, std::string("big_moe_96l_16e_stripped"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(inferTypes, gpt2_small, std::string("gpt2_small"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(inferTypes, big_moe, std::string("big_moe_96l_16e_stripped"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeFive, gpt2_small, std::string("gpt2_small"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeFive, big_moe, std::string("big_moe_96l_16e_stripped"))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeOne, gpt2_small_gpu, std::string("gpt2_small"), "gpu_h100_sxm")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeOne, gpt2_small_tpu, std::string("gpt2_small"), "tpu_v5e")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeOne, gpt2_small_cerebras, std::string("gpt2_small"), "cerebras_wse3")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeOne, gpt2_small_groq, std::string("gpt2_small"), "groq_lpu_v1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyzeOne, gpt2_small_spyre, std::string("gpt2_small"), "spyre")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderStep, gpt2_small_gpu, std::string("gpt2_small"), "gpu_h100_sxm")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderStep, gpt2_small_tpu, std::string("gpt2_small"), "tpu_v5e")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderStep, gpt2_small_cerebras, std::string("gpt2_small"), "cerebras_wse3")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderStep, gpt2_small_groq, std::string("gpt2_small"), "groq_lpu_v1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sliderStep, gpt2_small_spyre, std::string("gpt2_small"), "spyre")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(findFreeAxes, attention_block, std::string("attention_block_b1_s128_d768_h12"))
    ->Unit(benchmark::kMillisecond);
