// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fivefold::compare {

/// A name without case, separators and the suffixes that tools add ("_output_0", ":0",
/// "_DequantizeLinear_Output", "_QuantizeLinear_Input"): "/attn/Softmax_output_0" → "attnsoftmax".
std::string normalised(std::string_view name);

/// A key of msprobe: "Functional.linear.0.forward.output.0",
/// "Module.attn.c_attn.Linear.forward.0.output.0".
struct CallKey {
    bool isModule = false;
    std::string kind; ///< "linear", "__matmul__"; of a module its path, "attn.c_attn"
    std::int64_t number = 0; ///< of the call
    bool isOutput = false;
    std::int64_t index = 0; ///< of the input or output
};
std::optional<CallKey> parseCall(std::string_view key);
/// The operator, normalised, that a call of PyTorch's functional interface is captured as:
/// "__matmul__" → "matmul", "layer_norm" → "layernormalization".
std::string operatorOfCall(std::string_view kind);

/// Scope path that a key of a module hook means: "layers.0.mlp" → "/layers.0/mlp" is what exporters
/// write; digits stay with the list that they index. Empty for no such key.
std::string modulePath(std::string_view key);

} // namespace fivefold::compare
