// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_label.h"

#include "core/families/gpu/operators.h"

#include <algorithm>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

constexpr std::size_t kNameParts = 5;
constexpr std::int64_t kPersistent =
    1024; ///< torch._inductor: persistent reduction threshold, inner axis

std::string shortOp(const std::string& op) {
    const std::size_t dot = op.rfind('.');
    return dot == std::string::npos ? op : op.substr(dot + 1);
}

OpKind workingKind(const Node& node) {
    return node.support == Support::Unsupported ? OpKind::Unsupported : kindOf(node);
}

bool isWork(OpKind kind) {
    return kind != OpKind::View && kind != OpKind::Free;
}

struct Members {
    const Node* main = nullptr; ///< a library call, else the first node that works
    OpKind kind = OpKind::View; ///< of the main node
    bool hasReduction = false;
    bool hasArithmetic = false;
    std::int64_t reduced = 1;
    std::vector<std::string> names;
    std::size_t working = 0;
};

Members membersOf(const StageGraph& graph, const std::vector<NodeId>& nodes) {
    Members members;
    for (const NodeId id : nodes) {
        const Node& node = graph.nodes[id];
        const OpKind kind = workingKind(node);
        if (!isWork(kind))
            continue;
        ++members.working;
        if (isLoopedReduction(node)) {
            members.hasReduction = true;
            members.reduced = std::max(members.reduced, node.work.reduced);
        }
        members.hasArithmetic |= kind != OpKind::Indirect;
        const bool isCall =
            kind == OpKind::Library || kind == OpKind::Host || kind == OpKind::Unsupported;
        if (!members.main || isCall) {
            members.main = &node;
            members.kind = kind;
        }
        const std::string op = shortOp(node.op);
        if (members.names.size() < kNameParts
            && std::find(members.names.begin(), members.names.end(), op) == members.names.end())
            members.names.push_back(op);
    }
    return members;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += "_" + name;
    return text;
}

std::string libraryReason(const Node& node) {
    if (isAttention(node.canonical))
        return "FlashAttention computes product, softmax and product in one call; scores stay on "
               "chip.";
    if (isConvolution(node.canonical))
        return "Convolutions are cuDNN calls: Inductor fuses nothing into them.";
    if (isRecurrent(node.canonical))
        return "Recurrent cells are cuDNN calls, one for all steps.";
    if (isMatrixProduct(node.canonical))
        return "Matrix products are cuBLAS calls: without max-autotune Inductor fuses nothing into "
               "them.";
    return "Inductor has no lowering for " + node.op + ": the ATen kernel runs as it is.";
}

std::string aloneReason(const Members& members) {
    return "No neighbour of " + members.main->op
        + " has its iteration domain and reads or writes the same tensor in the same order.";
}

} // namespace

std::string kernelKind(const Node& node) {
    switch (workingKind(node)) {
    case OpKind::View:
    case OpKind::Free:
        return "view";
    case OpKind::Pointwise:
    case OpKind::Window:
        return "pointwise";
    case OpKind::Indirect:
        return "copy";
    case OpKind::Reduction:
        return "reduction";
    case OpKind::Library:
        return "library";
    case OpKind::Host:
        return "fallback";
    case OpKind::Unsupported:
        return "unsupported";
    }
    return "pointwise";
}

KernelLabel labelOf(const StageGraph& graph, const std::vector<NodeId>& nodes,
    const std::string& mergeReason, std::size_t number, std::optional<bool> isCall) {
    Members members = membersOf(graph, nodes);
    if (isCall == false && members.kind == OpKind::Library)
        members.kind = OpKind::Reduction;
    const bool hasEpilogue = mergeReason.starts_with("Epilogue");
    const std::string suffix = "_" + std::to_string(number);
    if (!members.main)
        return {"view" + suffix, "view",
            "Views change indices only: nothing is launched and nothing moves."};
    KernelLabel label;
    if (members.kind == OpKind::Library || members.kind == OpKind::Host
        || members.kind == OpKind::Unsupported) {
        label.kind = kernelKind(*members.main);
        label.name = (members.kind == OpKind::Library ? "extern" : label.kind)
            + joined(members.working > 1 && shortOp(members.main->op) == "mm"
                    ? std::vector<std::string>{"addmm"}
                    : std::vector<std::string>{shortOp(members.main->op)})
            + suffix;
        if (members.kind == OpKind::Library && hasEpilogue)
            label.name = "triton_tem_fused" + joined(members.names) + suffix;
        label.reason = members.working > 1 && !mergeReason.empty() ? mergeReason
                                                                   : libraryReason(*members.main);
        if (members.kind == OpKind::Host)
            label.reason = members.main->op + " has no CUDA kernel: the host computes it.";
        if (members.kind == OpKind::Unsupported)
            label.reason = members.main->op + " is in neither Inductor nor ATen.";
        return label;
    }
    label.kind = members.hasReduction ? "reduction" : members.hasArithmetic ? "pointwise" : "copy";
    const std::string shape = !members.hasReduction ? "poi"
        : members.reduced <= kPersistent            ? "per"
                                                    : "red";
    label.name = "triton_" + shape + "_fused" + joined(members.names) + suffix;
    label.reason = members.working > 1 && !mergeReason.empty() ? mergeReason : aloneReason(members);
    return label;
}

} // namespace fivefold::families::gpu
