// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/operators.h"

namespace fivefold::families::groq {

using ir::Op;
using ir::OpClass;

OpKind kindOf(Op op) {
    if (ir::isView(op) || ir::isShapeOnly(op) || op == Op::Expand)
        return OpKind::View;
    switch (op) {
    case Op::NonZero:
    case Op::Compress:
    case Op::Unique:
    case Op::NonMaxSuppression:
    case Op::ImageDecoder:
    case Op::Det:
    case Op::Inverse:
    case Op::MaxUnpool:
    case Op::DFT:
    case Op::STFT:
        return OpKind::Unsupported;
    case Op::Gather:
    case Op::GatherElements:
    case Op::GatherND:
    case Op::Index:
        return OpKind::Lookup;
    default:
        break;
    }
    switch (ir::opClass(op)) {
    case OpClass::Contraction:
        return OpKind::Matrix;
    case OpClass::Normalisation:
        return OpKind::Reduction;
    case OpClass::Pointwise:
        return OpKind::Vector;
    case OpClass::Movement:
        return OpKind::Shift;
    default:
        return OpKind::Unsupported;
    }
}

OpKind kindOf(const lowering::StageGraph& graph, const lowering::Node& node) {
    if (node.support == lowering::Support::Unsupported)
        return OpKind::Unsupported;
    if (node.op == kTransferOp)
        return OpKind::Shift; // a copy of its own, on another chip
    const OpKind kind = kindOf(node.canonical);
    if (kind != OpKind::View || node.inputs.empty() || node.outputs.empty()
        || !node.inputs.front().isValid() || !node.outputs.front().isValid())
        return kind;
    const auto& from = graph.values[node.inputs.front()].shape;
    const auto& to = graph.values[node.outputs.front()].shape;
    const bool changesLanes = from && to && !from->empty() && !to->empty()
        && node.canonical != Op::Expand && from->back() != to->back();
    return changesLanes ? OpKind::Shift : kind;
}

const lowering::Words& words() {
    static const lowering::Words kWords{
        {Op::MatMul, "mxm_matmul"},
        {Op::FusedMatMul, "mxm_matmul"},
        {Op::Conv, "mxm_conv"},
        {Op::ConvTranspose, "mxm_conv_transpose"},
        {Op::Transpose, "sxm_transpose"},
        {Op::Reshape, "reshape"},
        {Op::Concat, "sxm_concat"},
        {Op::Slice, "sxm_slice"},
        {Op::Split, "sxm_split"},
        {Op::Pad, "sxm_pad"},
        {Op::Gather, "mem_gather"},
        {Op::ReduceMax, "vxm_reduce_max"},
        {Op::ReduceMin, "vxm_reduce_min"},
        {Op::ReduceSum, "vxm_reduce_sum"},
        {Op::ReduceMean, "vxm_reduce_mean"},
        {Op::ReduceProd, "vxm_reduce_prod"},
        {Op::Add, "vxm_add"},
        {Op::Sub, "vxm_sub"},
        {Op::Mul, "vxm_mul"},
        {Op::Div, "vxm_div"},
        {Op::Exp, "vxm_exp"},
        {Op::Rsqrt, "vxm_rsqrt"},
        {Op::Sqrt, "vxm_sqrt"},
        {Op::Tanh, "vxm_tanh"},
        {Op::Reciprocal, "vxm_reciprocal"},
        {Op::Relu, "vxm_relu"},
        {Op::Max, "vxm_max"},
        {Op::Min, "vxm_min"},
        {Op::Where, "vxm_select"},
        {Op::Cast, "vxm_convert"},
    };
    return kWords;
}

} // namespace fivefold::families::groq
