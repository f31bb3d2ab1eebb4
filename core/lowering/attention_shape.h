// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"
#include "core/lowering/work.h"

namespace fivefold::lowering {

/// Which operand stands where; the operators name and order them differently.
enum class AttentionForm : std::uint8_t {
    Standard, ///< ONNX Attention: Q, K, V, mask, past key, past value
    Projecting, ///< com.microsoft Attention and QAttention: x, W, bias, mask, past: projects first
    MultiHead, ///< MultiHeadAttention: Q, K, V, bias, padding mask, attention bias, past key, past
               ///< value
    Grouped, ///< GroupQueryAttention: Q, K, V, past key, past value, lengths
    Packed, ///< PackedAttention: tokens without padding, x, W, bias, offsets, lengths
};

/// Sizes of one attention operator.
struct AttentionShape {
    AttentionForm form = AttentionForm::Standard;
    std::int64_t batch = 1;
    std::int64_t heads = 1;
    std::int64_t kvHeads = 1;
    std::int64_t queries = 1; ///< query positions
    std::int64_t keys = 1; ///< key positions, the cache included
    std::int64_t newKeys = 1; ///< key positions that this operator is given
    std::int64_t headSize = 1;
    std::int64_t valueSize = 1; ///< head size of V
    std::int64_t modelSize = 0; ///< width of x where the operator projects, else 0
    bool isPackedQkv = false; ///< Q holds Q, K and V
    bool areKeysTransposed = false; ///< K is [.., size, length], see patterns.h
    ValueId pastKey, pastValue, mask, bias;
};

/// Nullopt when the node is no attention operator or a needed shape is unknown.
std::optional<AttentionShape> attentionShape(const Values& values, const Node& node);

bool isAttention(ir::Op op);

} // namespace fivefold::lowering
