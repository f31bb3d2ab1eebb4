// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/reader.h"
#include "core/numerics/interpreter.h"

#include <Eigen/Core>
#include <benchmark/benchmark.h>

#include <filesystem>

using namespace fivefold;

namespace {

constexpr const char* kModel = "samples/attention_block.onnx"; ///< from the repository's root

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::optional<ir::Typed> openTyped(benchmark::State& state) {
    base::Diagnostics diagnostics;
    const auto graph = frontends::open(kModel, diagnostics);
    if (!graph) {
        state.SkipWithError(graph.error().text().c_str());
        return std::nullopt;
    }
    auto typed = ir::infer(*graph, {}, diagnostics);
    if (!typed) {
        state.SkipWithError(typed.error().text().c_str());
        return std::nullopt;
    }
    return *std::move(typed);
}

/// The whole block in the interpreter, single precision.
void attentionBlock(benchmark::State& state) {
    const auto typed = openTyped(state);
    if (!typed)
        return;
    numerics::Weights weights(typed->graph);
    const numerics::Inputs inputs = numerics::randomInputs(*typed, 1);
    numerics::RunOptions options;
    options.carrier = numerics::Carrier::Float;
    options.keeps = [](ir::ValueId) { return false; };
    for (auto _ : state) {
        auto run = numerics::run(*typed, inputs, weights, options);
        if (!run || !run->skipped.empty())
            state.SkipWithError("the block is not executed");
        benchmark::DoNotOptimize(run);
    }
}

struct Product {
    Eigen::Index batch, rows, depth, columns;
};

std::vector<Product> productsOf(const ir::Typed& typed) {
    std::vector<Product> products;
    for (const ir::Node& node : typed.graph->nodes) {
        if (node.op != ir::Op::MatMul && node.op != ir::Op::Gemm)
            continue;
        const auto a = ir::knownShape(*typed.type(node.inputs[0]).shape),
                   c = ir::knownShape(*typed.type(node.outputs[0]).shape);
        if (!a || !c || a->size() < 2)
            continue;
        Product product{1, (*c)[c->size() - 2], a->back(), c->back()};
        for (std::size_t i = 0; i + 2 < c->size(); ++i)
            product.batch *= (*c)[i];
        products.push_back(product);
    }
    return products;
}

/// The same matrix products in plain Eigen, nothing between them.
void eigenChain(benchmark::State& state) {
    const auto typed = openTyped(state);
    if (!typed)
        return;
    struct Operands {
        Matrix a, b, c;
        Eigen::Index batch;
    };
    std::vector<Operands> chain;
    for (const Product& p : productsOf(*typed))
        chain.push_back({Matrix::Random(p.rows, p.depth), Matrix::Random(p.depth, p.columns),
            Matrix(p.rows, p.columns), p.batch});
    for (auto _ : state)
        for (Operands& product : chain)
            for (Eigen::Index i = 0; i < product.batch; ++i) {
                product.c.noalias() = product.a * product.b;
                benchmark::DoNotOptimize(product.c.data());
                benchmark::ClobberMemory();
            }
    state.counters["products"] = static_cast<double>(chain.size());
}

BENCHMARK(attentionBlock)->Unit(benchmark::kMillisecond);
BENCHMARK(eigenChain)->Unit(benchmark::kMillisecond);

} // namespace
