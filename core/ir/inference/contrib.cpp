// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/rules.h"
#include "core/ir/inference/shape_tools.h"

namespace fivefold::ir::inference {

namespace {

/// BiasSplitGelu (com.microsoft) and SwiGlu of one operand: half of the last axis gates the other
/// half. The SwiGLU of ai.onnx has both halves as operands.
void halveLastAxis(NodeContext& context) {
    if (context.op() == Op::SwiGlu && context.has(1)) {
        sameAsInput(context);
        return;
    }
    MaybeShape out = context.shape(0);
    if (out && !out->empty())
        out->back() = floorDiv(out->back(), Dim(2));
    context.output(0, context.dtype(0), std::move(out));
}

/// RotaryEmbedding of ai.onnx has (X, cos, sin), of com.microsoft (X, positions, cos, sin): as X.
void rotaryEmbedding(NodeContext& context) {
    sameAsInput(context);
}

/// GatherBlockQuantized (com.microsoft): a Gather whose result has the scales' dtype.
void gatherBlocks(NodeContext& context) {
    const MaybeShape& data = context.shape(0);
    const MaybeShape& indices = context.shape(1);
    context.output(0, context.dtype(2), std::nullopt);
    if (!data || !indices)
        return;
    const auto axis =
        axisOf(context, context.integer("gather_axis", 0), static_cast<int>(data->size()));
    if (!axis)
        return;
    Shape out(data->begin(), data->begin() + *axis);
    out.insert(out.end(), indices->begin(), indices->end());
    out.insert(out.end(), data->begin() + *axis + 1, data->end());
    // 4-bit values packed into bytes: two to a stored element along the last axis.
    if (isInteger(context.dtype(0)) && bitWidth(context.dtype(0)) == 8
        && context.integer("bits", 4) == 4 && !out.empty())
        out.back() = out.back() * Dim(2);
    context.output(0, context.dtype(2), std::move(out));
}

/// Im2Col: (N, C, H, W) to (N, C·∏kernel, positions).
void imageToColumns(NodeContext& context) {
    const auto kernel = context.attributes().integers("kernel_shape");
    if (!context.shape(0) || !kernel || kernel->size() + 2 != context.shape(0)->size())
        return;
    const auto windows = windowsOf(context, *kernel);
    if (!windows)
        return;
    Dim channels = context.dim(0, 1);
    Dim positions(1);
    for (std::size_t i = 0; i < windows->size(); ++i) {
        channels = channels * Dim((*kernel)[i]);
        positions = positions
            * windowCount(context.dim(0, static_cast<int>(i) + 2), (*windows)[i],
                autoPad(context.attributes()), false);
    }
    context.output(0, context.dtype(0), Shape{context.dim(0, 0), channels, positions});
}

} // namespace

void addContribRules(RuleTable& table) {
    table.set({Op::BiasGelu, Op::FastGelu, Op::QuickGelu, Op::BiasAdd}, sameAsInput);
    table.set({Op::BiasSplitGelu, Op::SwiGlu}, halveLastAxis);
    table.set(Op::RotaryEmbedding, rotaryEmbedding);
    table.set(Op::GatherBlockQuantized, gatherBlocks);
    table.set(Op::Im2Col, imageToColumns);
}

} // namespace fivefold::ir::inference
