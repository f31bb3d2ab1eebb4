// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/graph/display_graph.h"

namespace fivefold::views::graph {

/// "c_attn · MatMul" for the only operator of a module, "MatMul_1" where the name says the
/// operator, "batchmatmul · MatMul" where the machine has its own word.
QString titleOf(const lowering::Node& node, const std::string& modulePrefix);
/// "Softmax ×6", "conv1 · Conv ×2", "layers.0–31 ×32", "attn".
QString titleOf(const Container& container);

/// "12×128×128 · stick s"; the element type where it is not the machine's own.
QString edgeLabel(const lowering::Value& value, ir::DType usual, const PresentOptions& options);
/// The value's name without its path, for a stub.
QString stubName(const lowering::Value& value);

/// The machine's words for operators and kernels at a stage ("OpSpecs", "bundles").
QString operatorWord(const analysis::Result& result, lowering::Stage stage, qint64 count);
QString kernelWord(const lowering::StageGraph& graph, qint64 count);
/// "bundle 0"; kernels that are called like their first operator get their kind in front.
QString kernelName(const lowering::Kernel& kernel);

} // namespace fivefold::views::graph
