// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/torch_text.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace fivefold::compare {

namespace {

using ir::Op;
using List = std::vector<std::int64_t>;

/// A Python string literal.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (byte < 0x20 || byte == 0x7f)
            out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
        else
            out += c;
    }
    return out + "\"";
}

std::string number(double value) {
    if (value != value)
        return "float(\"nan\")";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    const std::string text(buffer, end.ptr);
    return text.find("inf") == std::string::npos ? text : "float(\"" + text + "\")";
}

std::string tuple(const List& list) {
    std::string out = "(";
    for (const std::int64_t each : list)
        out += std::to_string(each) + ", ";
    return out + ")";
}

std::string_view torchType(ir::DType dtype) {
    switch (dtype) {
    case ir::DType::Float64:
        return "torch.float64";
    case ir::DType::Float16:
        return "torch.float16";
    case ir::DType::BFloat16:
        return "torch.bfloat16";
    case ir::DType::Float8E4M3FN:
        return "torch.float8_e4m3fn";
    case ir::DType::Float8E5M2:
        return "torch.float8_e5m2";
    case ir::DType::Int64:
        return "torch.int64";
    case ir::DType::Int32:
        return "torch.int32";
    case ir::DType::Int16:
        return "torch.int16";
    case ir::DType::Int8:
        return "torch.int8";
    case ir::DType::UInt8:
        return "torch.uint8";
    case ir::DType::Bool:
        return "torch.bool";
    default:
        return "torch.float32";
    }
}

/// Operators whose PyTorch function takes the operands in their order and nothing else.
const std::map<Op, std::string_view>& plainFunctions() {
    static const std::map<Op, std::string_view> kPlain{{Op::Abs, "torch.abs"},
        {Op::Acos, "torch.acos"}, {Op::Acosh, "torch.acosh"}, {Op::Add, "torch.add"},
        {Op::And, "torch.logical_and"}, {Op::Asin, "torch.asin"}, {Op::Asinh, "torch.asinh"},
        {Op::Atan, "torch.atan"}, {Op::Atanh, "torch.atanh"}, {Op::Ceil, "torch.ceil"},
        {Op::Cos, "torch.cos"}, {Op::Cosh, "torch.cosh"}, {Op::Div, "divide"},
        {Op::Equal, "torch.eq"}, {Op::Erf, "torch.erf"}, {Op::Exp, "torch.exp"},
        {Op::Floor, "torch.floor"}, {Op::Greater, "torch.gt"}, {Op::GreaterOrEqual, "torch.ge"},
        {Op::HardSwish, "F.hardswish"}, {Op::Identity, "torch.clone"}, {Op::IsNaN, "torch.isnan"},
        {Op::Less, "torch.lt"}, {Op::LessOrEqual, "torch.le"}, {Op::Log, "torch.log"},
        {Op::MatMul, "torch.matmul"}, {Op::Mish, "F.mish"}, {Op::Mul, "torch.mul"},
        {Op::Neg, "torch.neg"}, {Op::Not, "torch.logical_not"}, {Op::Or, "torch.logical_or"},
        {Op::PRelu, "prelu"}, {Op::Pow, "torch.pow"}, {Op::Reciprocal, "torch.reciprocal"},
        {Op::Relu, "torch.relu"}, {Op::Round, "torch.round"}, {Op::Sigmoid, "torch.sigmoid"},
        {Op::Sign, "torch.sign"}, {Op::Sin, "torch.sin"}, {Op::Sinh, "torch.sinh"},
        {Op::Softplus, "F.softplus"}, {Op::Softsign, "F.softsign"}, {Op::Sqrt, "torch.sqrt"},
        {Op::Sub, "torch.sub"}, {Op::Tan, "torch.tan"}, {Op::Tanh, "torch.tanh"},
        {Op::Where, "torch.where"}, {Op::Xor, "torch.logical_xor"}};
    return kPlain;
}

/// Python that several operators share.
constexpr std::string_view kHelpers = R"(
def divide(a, b):
    return torch.div(a, b) if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc")


def prelu(x, slope):
    return torch.where(x < 0, x * slope, x)


def folded(function, *operands):
    result = operands[0]
    for operand in operands[1:]:
        result = function(result, operand)
    return result


def reduced(function, x, axes, keep):
    axes = sorted(axis % x.dim() for axis in axes) if axes else list(range(x.dim()))
    for axis in reversed(axes):
        x = function(x, axis, keep)
    return x


def gathered(x, index, axis):
    axis %= x.dim()
    index = torch.where(index < 0, index + x.shape[axis], index)
    shape = list(x.shape[:axis]) + list(index.shape) + list(x.shape[axis + 1:])
    return x.index_select(axis, index.reshape(-1).long()).reshape(shape)


def sliced(x, starts, ends, axes, steps):
    for start, end, axis, step in zip(starts, ends, axes, steps):
        size = x.shape[axis]
        if step < 0 and end < -size:
            end = None
        positions = range(size)[slice(start, end, step)]
        x = x.index_select(axis, torch.tensor(list(positions), dtype=torch.int64))
    return x


def unsqueezed(x, axes):
    rank = x.dim() + len(axes)
    for axis in sorted(axis % rank for axis in axes):
        x = x.unsqueeze(axis)
    return x


def normalised(x, scale, shift, axis, epsilon):
    return F.layer_norm(x, x.shape[axis % x.dim():], scale, shift, epsilon)


def not_written(name):
    raise NotImplementedError("no line of PyTorch is known for " + name)
)";

constexpr std::string_view kHead =
    R"(# Runs the reduced case in eager PyTorch and compares: python repro.py
import pathlib

import numpy
import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).parent


def tensors(name):
    with numpy.load(HERE / name) as file:
        return {key: torch.from_numpy(numpy.array(file[key])) for key in file.files}

)";

constexpr std::string_view kTail = R"(

def main():
    result = run(tensors("inputs.npz"), tensors("weights.npz"))
    expected, device = tensors("expected.npz"), tensors("device.npz")
    for name, value in result.items():
        for label, other in (("expected", expected), ("device", device)):
            if name in other:
                wrong = ~torch.isclose(value.double(), other[name].double(), 1e-2, 1e-3, equal_nan=True)
                print(f"{name}: {int(wrong.sum())} of {wrong.numel()} differ from {label}.npz")


main()
)";

/// One node's line: its operands as Python, its attributes, and what is known of small operands.
class Line {
public:
    Line(const ir::Typed& typed, const ir::Node& node,
        const std::map<ir::ValueId, std::string>& names)
        : m_typed(typed)
        , m_node(node)
        , m_names(names) { }

    bool has(std::size_t index) const {
        return index < m_node.inputs.size() && m_node.inputs[index].isValid();
    }
    std::string in(std::size_t index) const {
        return has(index) ? m_names.at(m_node.inputs[index]) : "None";
    }
    std::string all(std::string_view separator = ", ") const {
        std::string out;
        for (std::size_t i = 0; i < m_node.inputs.size(); ++i)
            out += (i ? std::string(separator) : std::string()) + in(i);
        return out;
    }
    std::int64_t integer(std::string_view name, std::int64_t fallback) const {
        return m_node.attributes.integer(name, fallback);
    }
    std::string real(std::string_view name, double fallback) const {
        return number(m_node.attributes.number(name, fallback));
    }
    int version() const { return m_node.version == 0 ? 99 : m_node.version; }
    /// Of an attribute, or of a small operand: as Python that gives a list.
    std::string list(std::size_t index, std::string_view attribute, std::string fallback) const {
        if (const auto found = m_node.attributes.integers(attribute))
            return tuple(*found);
        return has(index) ? in(index) + ".reshape(-1).tolist()" : fallback;
    }
    std::string resultType() const {
        const ir::ValueId out = m_node.outputs.empty() ? ir::ValueId() : m_node.outputs[0];
        return std::string(torchType(
            m_typed.types.contains(out) ? m_typed.types[out].dtype : ir::DType::Undefined));
    }
    std::size_t rank(std::size_t index) const {
        const auto& type = m_typed.types[m_node.inputs[index]];
        return type.shape ? type.shape->size() : 0;
    }
    std::size_t outputs() const { return m_node.outputs.size(); }
    Op op() const { return m_node.op; }
    const ir::Attributes& attributes() const { return m_node.attributes; }

private:
    const ir::Typed& m_typed;
    const ir::Node& m_node;
    const std::map<ir::ValueId, std::string>& m_names;
};

std::optional<std::string> reductionLine(const Line& at) {
    static const std::map<Op, std::string_view> kEach{{Op::ReduceMean, "torch.mean"},
        {Op::ReduceSum, "torch.sum"}, {Op::ReduceMax, "torch.amax"}, {Op::ReduceMin, "torch.amin"},
        {Op::ReduceProd, "torch.prod"}, {Op::ReduceLogSumExp, "torch.logsumexp"}};
    const auto found = kEach.find(at.op());
    if (found == kEach.end())
        return std::nullopt;
    return "reduced(" + std::string(found->second) + ", " + at.in(0) + ", "
        + at.list(1, "axes", "None") + ", " + (at.integer("keepdims", 1) ? "True" : "False") + ")";
}

std::optional<std::string> windowLine(const Line& at) {
    if (at.op() == Op::GlobalAveragePool)
        return at.in(0) + ".mean(tuple(range(2, " + at.in(0) + ".dim())), keepdim=True)";
    if (at.op() != Op::Conv || at.rank(0) < 3 || at.rank(0) > 5
        || at.attributes().text("auto_pad", "NOTSET") != "NOTSET")
        return std::nullopt;
    const std::size_t spatial = at.rank(0) - 2;
    const List ones(spatial, 1), zeros(2 * spatial, 0);
    const List pads = at.attributes().integers("pads").value_or(zeros);
    std::string padding; // F.pad takes the last axis first, begin and end
    for (std::size_t i = spatial; i-- > 0;)
        padding += std::to_string(pads[i]) + ", " + std::to_string(pads[i + spatial]) + ", ";
    return "F.conv" + std::to_string(spatial) + "d(F.pad(" + at.in(0) + ", (" + padding + ")), "
        + at.in(1) + ", " + at.in(2)
        + ", stride=" + tuple(at.attributes().integers("strides").value_or(ones))
        + ", dilation=" + tuple(at.attributes().integers("dilations").value_or(ones))
        + ", groups=" + std::to_string(at.integer("group", 1)) + ")";
}

std::optional<std::string> movementLine(const Line& at) {
    switch (at.op()) {
    case Op::Transpose:
        return at.in(0) + ".permute("
            + (at.attributes().has("perm") ? at.list(9, "perm", {})
                                           : "tuple(reversed(range(" + at.in(0) + ".dim())))")
            + ")";
    case Op::Reshape:
        return at.in(0) + ".reshape([" + at.in(0)
            + ".shape[i] if n == 0 else n for i, n in enumerate(" + at.list(1, "shape", "()")
            + ")])";
    case Op::Flatten:
        return at.in(0) + ".flatten(" + std::to_string(at.integer("axis", 1)) + ")";
    case Op::Unsqueeze:
        return "unsqueezed(" + at.in(0) + ", " + at.list(1, "axes", "()") + ")";
    case Op::Squeeze:
        return at.in(0) + ".squeeze(tuple(" + at.list(1, "axes", "range(" + at.in(0) + ".dim())")
            + "))";
    case Op::Concat:
        return "torch.cat((" + at.all() + ",), " + std::to_string(at.integer("axis", 0)) + ")";
    case Op::Expand:
        return "torch.broadcast_to(" + at.in(0) + ", torch.broadcast_shapes(" + at.in(0)
            + ".shape, tuple(" + at.list(1, "shape", "()") + ")))";
    case Op::Gather:
        return "gathered(" + at.in(0) + ", " + at.in(1) + ", "
            + std::to_string(at.integer("axis", 0)) + ")";
    case Op::Slice: {
        const std::string starts = at.list(1, "starts", "()");
        return "sliced(" + at.in(0) + ", " + starts + ", " + at.list(2, "ends", "()") + ", "
            + at.list(3, "axes", "range(len(" + starts + "))") + ", "
            + at.list(4, "steps", "[1] * len(" + starts + ")") + ")";
    }
    case Op::Split:
        return "torch.split(" + at.in(0) + ", "
            + at.list(1, "split",
                "-(-" + at.in(0) + ".shape[" + std::to_string(at.integer("axis", 0)) + "] // "
                    + std::to_string(at.outputs()) + ")")
            + ", " + std::to_string(at.integer("axis", 0)) + ")";
    case Op::Cast:
        return at.in(0) + ".to(" + at.resultType() + ")";
    default:
        return std::nullopt;
    }
}

std::optional<std::string> arithmeticLine(const Line& at) {
    switch (at.op()) {
    case Op::Softmax:
    case Op::LogSoftmax:
        if (at.version() < 13)
            return std::nullopt;
        return std::string(at.op() == Op::Softmax ? "torch.softmax(" : "torch.log_softmax(")
            + at.in(0) + ", " + std::to_string(at.integer("axis", -1)) + ")";
    case Op::Max:
        return "folded(torch.maximum, " + at.all() + ")";
    case Op::Min:
        return "folded(torch.minimum, " + at.all() + ")";
    case Op::Sum:
        return "folded(torch.add, " + at.all() + ")";
    case Op::Clip:
        return "torch.clip(" + at.in(0) + ", "
            + (at.attributes().has("min") ? at.real("min", 0) : at.in(1)) + ", "
            + (at.attributes().has("max") ? at.real("max", 0) : at.in(2)) + ")";
    case Op::LeakyRelu:
        return "F.leaky_relu(" + at.in(0) + ", " + at.real("alpha", 0.01) + ")";
    case Op::Elu:
        return "F.elu(" + at.in(0) + ", " + at.real("alpha", 1) + ")";
    case Op::Gelu:
        return "F.gelu(" + at.in(0)
            + ", approximate=" + quoted(at.attributes().text("approximate", "none")) + ")";
    case Op::LayerNormalization:
        return "normalised(" + at.in(0) + ", " + at.in(1) + ", " + at.in(2) + ", "
            + std::to_string(at.integer("axis", -1)) + ", " + at.real("epsilon", 1e-5) + ")";
    case Op::Gemm: {
        const auto operand = [&](std::size_t index, std::string_view flag) {
            return at.in(index) + (at.integer(flag, 0) ? ".T" : "");
        };
        return at.real("alpha", 1) + " * (" + operand(0, "transA") + " @ " + operand(1, "transB")
            + ")" + (at.has(2) ? " + " + at.real("beta", 1) + " * " + at.in(2) : std::string());
    }
    default:
        return std::nullopt;
    }
}

std::string expression(const Line& at) {
    if (const auto plain = plainFunctions().find(at.op()); plain != plainFunctions().end())
        return std::string(plain->second) + "(" + at.all() + ")";
    for (const auto& subject : {reductionLine, windowLine, movementLine, arithmeticLine})
        if (auto text = subject(at))
            return *text;
    return "not_written(" + quoted(std::string(ir::name(at.op()))) + ")";
}

} // namespace

std::string torchText(const ir::Typed& typed) {
    const ir::Graph& graph = *typed.graph;
    std::map<ir::ValueId, std::string> names;
    std::string body = "\ndef run(inputs, weights):\n";
    const auto given = [&](const std::vector<ir::ValueId>& values, std::string_view from) {
        for (const ir::ValueId id : values) {
            names[id] = "v" + std::to_string(id.index());
            body += "    " + names[id] + " = " + std::string(from) + "["
                + quoted(graph.values[id].name) + "]\n";
        }
    };
    given(graph.main().inputs, "inputs");
    given(graph.main().initializers, "weights");
    for (const ir::NodeId id : ir::executionOrder(graph, ir::Graph::mainBlock())) {
        const ir::Node& node = graph.nodes[id];
        std::string results;
        for (const ir::ValueId output : node.outputs) {
            const std::string name =
                output.isValid() ? "v" + std::to_string(output.index()) : std::string("_");
            if (output.isValid())
                names[output] = name;
            results += (results.empty() ? "" : ", ") + name;
        }
        body += "    " + results + " = " + expression(Line(typed, node, names)) + "  # "
            + quoted(node.name) + "\n";
    }
    body += "    return {";
    for (const ir::ValueId output : graph.main().outputs)
        body += quoted(graph.values[output].name) + ": " + names[output] + ", ";
    return std::string(kHead) + std::string(kHelpers) + "\n" + body + "}\n" + std::string(kTail);
}

} // namespace fivefold::compare
