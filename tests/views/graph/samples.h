// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/views/common/sample_result.h"

namespace fivefold::views::testing {

/// `count` layers of five operators with a residual edge each, between an embedding and a head.
inline std::shared_ptr<analysis::Result> layeredSample(int count) {
    using enum ir::Op;
    const std::vector<std::int64_t> shape = {1, 64, 128};
    const auto node = [&](std::string name, ir::Op op, std::vector<std::string> inputs,
                          std::string output) {
        SampleNode result;
        result.name = std::move(name);
        result.op = op;
        result.inputs = std::move(inputs);
        result.output = std::move(output);
        result.shape = shape;
        result.macs = op == MatMul ? 1'000'000 : 0;
        result.computeSeconds = 1e-6;
        return result;
    };
    std::vector<SampleNode> nodes = {node("/embed/Gather", Gather, {"ids"}, "h0")};
    for (int i = 0; i < count; ++i) {
        const std::string scope = "/layers." + std::to_string(i), n = std::to_string(i);
        const std::string in = "h" + n;
        nodes.push_back(
            node(scope + "/norm/LayerNormalization", LayerNormalization, {in}, "n" + n));
        nodes.push_back(node(scope + "/mlp/up/MatMul", MatMul, {"n" + n}, "u" + n));
        nodes.push_back(node(scope + "/mlp/act/Relu", Relu, {"u" + n}, "r" + n));
        nodes.push_back(node(scope + "/mlp/down/MatMul", MatMul, {"r" + n}, "d" + n));
        nodes.push_back(node(scope + "/Add", Add, {in, "d" + n}, "h" + std::to_string(i + 1)));
    }
    nodes.push_back(node("/head/MatMul", MatMul, {"h" + std::to_string(count)}, "logits"));
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].kernel = static_cast<std::int64_t>(i);
    return sampleResult(nodes);
}

} // namespace fivefold::views::testing
