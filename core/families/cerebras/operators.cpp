// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/operators.h"

namespace fivefold::families::cerebras {

using ir::Op;
using ir::OpClass;

bool isDynamic(Op op) {
    switch (op) {
    case Op::NonZero:
    case Op::Compress:
    case Op::Unique:
    case Op::NonMaxSuppression:
        return true;
    default:
        return false;
    }
}

OpKind kindOf(Op op) {
    if (isDynamic(op))
        return OpKind::Unsupported;
    if (ir::isView(op) || ir::isShapeOnly(op) || op == Op::Expand)
        return OpKind::View;
    switch (op) {
    case Op::TopK:
    case Op::Det:
    case Op::Inverse:
    case Op::ImageDecoder:
    case Op::DFT:
    case Op::STFT:
    case Op::MaxUnpool:
        return op == Op::TopK ? OpKind::Reduction : OpKind::Unsupported;
    default:
        break;
    }
    switch (ir::opClass(op)) {
    case OpClass::Contraction:
        return OpKind::Contraction;
    case OpClass::Normalisation:
        return OpKind::Reduction;
    case OpClass::Pointwise:
        return OpKind::Elementwise;
    case OpClass::Movement:
        return OpKind::Move;
    default:
        return OpKind::Unsupported;
    }
}

OpKind kindOf(const lowering::Node& node) {
    if (node.support == lowering::Support::Unsupported)
        return OpKind::Unsupported;
    if (node.op == kFabricMove)
        return OpKind::Move;
    return kindOf(node.canonical);
}

const lowering::Words& words() {
    static const lowering::Words kWords{
        {Op::MatMul, "mesh_matmul"},
        {Op::FusedMatMul, "mesh_matmul"},
        {Op::Conv, "mesh_conv"},
        {Op::ConvTranspose, "mesh_conv_transpose"},
        {Op::ReduceMax, "allreduce_max"},
        {Op::ReduceMin, "allreduce_min"},
        {Op::ReduceSum, "allreduce_sum"},
        {Op::ReduceMean, "allreduce_mean"},
        {Op::ReduceProd, "allreduce_prod"},
        {Op::Transpose, "fabric_transpose"},
        {Op::Concat, "fabric_concat"},
        {Op::Gather, "fabric_gather"},
        {Op::Slice, "fabric_slice"},
        {Op::Split, "fabric_split"},
        {Op::Pad, "fabric_pad"},
    };
    return kWords;
}

} // namespace fivefold::families::cerebras
