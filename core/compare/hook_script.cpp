// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/capture_plan.h"

#include <algorithm>

namespace fivefold::compare {

namespace {

std::string pythonText(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            result += ' ';
        else
            result += c;
    }
    return result + "\"";
}

/// "/layers.1/self_attn" → "layers.1.self_attn".
std::string dotted(std::string path) {
    std::ranges::replace(path, '/', '.');
    while (path.starts_with('.'))
        path.erase(0, 1);
    return path;
}

bool isLeaving(const ir::Graph& graph, ir::ValueId value, ir::ScopeId scope) {
    const auto& outputs = graph.main().outputs;
    if (std::ranges::find(outputs, value) != outputs.end())
        return true;
    return std::ranges::any_of(graph.values[value].users, [&](ir::NodeId user) {
        ir::ScopeId at = graph.nodes[user].scope;
        while (at.isValid() && at != scope)
            at = graph.scopes[at].parent;
        return at != scope;
    });
}

/// Results of the module's own functions before this one: which call of them it is.
std::size_t callNumber(const ir::Graph& graph, ir::NodeId node) {
    const auto& members = graph.scopes[graph.nodes[node].scope].nodes;
    std::size_t number = 0;
    for (const ir::NodeId member : members) {
        if (member == node)
            break;
        number += graph.nodes[member].op == graph.nodes[node].op ? 1 : 0;
    }
    return number;
}

constexpr const char* kBody = R"(

class Capture(TorchFunctionMode):
    """Saves results of functions inside of modules: the n-th call of a name."""

    def __init__(self, model):
        super().__init__()
        self.path, self.counts, self.saved = [""], {}, {}
        for name, module in model.named_modules():
            module.register_forward_pre_hook(lambda m, a, n=name: self.path.append(n))
            module.register_forward_hook(lambda m, a, out, n=name: self.leave(n, out))

    def leave(self, name, out):
        self.path.pop()
        for key, (path, function, number) in WANTED.items():
            if path == name and function is None:
                self.save(key, out)

    def save(self, key, out):
        while isinstance(out, (tuple, list)):
            out = out[0]
        if torch.is_tensor(out):
            # NumPy has no bfloat16: float32 holds it exactly.
            out = out.detach().cpu()
            self.saved[key] = (out.float() if out.dtype == torch.bfloat16 else out).numpy().copy()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        name = getattr(function, "__name__", "").strip("_").lower()
        call = (self.path[-1], name)
        number = self.counts.get(call, 0)
        self.counts[call] = number + 1
        for key, (path, wanted, n) in WANTED.items():
            if wanted is not None and path == call[0] and name in wanted and n == number:
                self.save(key, out)
        return out


def capture(model, *inputs, file="capture.npz"):
    with torch.no_grad(), Capture(model) as mode:
        model(*inputs)
    missing = [key for key in WANTED if key not in mode.saved]
    if missing:
        print("not reached, look for them by hand:", ", ".join(missing))
    numpy.savez(file, **mode.saved)
)";

/// Names that PyTorch's functions have for an operator.
std::string functionsOf(ir::Op op, const std::string& sourceOp) {
    switch (op) {
    case ir::Op::MatMul:
        return "(\"matmul\", \"bmm\", \"linear\", \"mm\", \"rmatmul\")";
    case ir::Op::Gemm:
        return "(\"linear\", \"addmm\")";
    case ir::Op::Add:
        return "(\"add\", \"radd\", \"iadd\")";
    case ir::Op::Mul:
        return "(\"mul\", \"rmul\", \"imul\")";
    case ir::Op::Sub:
        return "(\"sub\", \"rsub\", \"isub\")";
    case ir::Op::Div:
        return "(\"div\", \"truediv\", \"rtruediv\")";
    case ir::Op::Conv:
        return "(\"conv1d\", \"conv2d\", \"conv3d\")";
    case ir::Op::ReduceMean:
        return "(\"mean\",)";
    case ir::Op::ReduceSum:
        return "(\"sum\",)";
    case ir::Op::Gather:
        return "(\"embedding\", \"getitem\", \"index_select\")";
    default: {
        std::string name(sourceOp);
        std::ranges::transform(name, name.begin(),
            [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
        return "(" + pythonText(name) + ",)";
    }
    }
}

} // namespace

std::string hookScript(const ir::Graph& graph, const std::vector<ir::ValueId>& values) {
    std::string text =
        "# Captures the values that decide where the first divergence lies.\n"
        "# Use: import this file, then capture(model, *inputs); compare again with\n"
        "# the old dump and capture.npz together.\n"
        "import numpy\nimport torch\n"
        "from torch.overrides import TorchFunctionMode\n\n"
        "# value: (module, its function or None for the module's own result, number of the call)\n"
        "WANTED = {\n";
    for (const ir::ValueId value : values) {
        const ir::NodeId node = graph.values[value].producer;
        if (!node.isValid())
            continue;
        const ir::ScopeId scope = graph.nodes[node].scope;
        const std::string path = scope.isValid() ? dotted(graph.scopes[scope].path) : "";
        const bool isModule =
            scope.isValid() && scope != ir::Graph::rootScope() && isLeaving(graph, value, scope);
        text += "    " + pythonText(graph.values[value].name) + ": (" + pythonText(path) + ", "
            + (isModule ? "None, 0),\n"
                        : functionsOf(graph.nodes[node].op, graph.nodes[node].sourceOp) + ", "
                        + std::to_string(scope.isValid() ? callNumber(graph, node) : 0) + "),\n");
    }
    return text + "}\n" + kBody;
}

} // namespace fivefold::compare
