// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_logical.h"

#include "core/numerics/rungs/stacking.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivefold::numerics {

namespace {

using ir::Op;
using Extents = std::vector<std::int64_t>;
using Results = std::optional<std::vector<Datum>>;

constexpr double kFiniteMask = -1e4; ///< of F34, and of the chain that torch-spyre seeds masks with

/// Values under the rung's arithmetic; an operand that is not known makes all that follows unknown.
class Rule {
public:
    explicit Rule(const FaultyCall& call)
        : m_call(call) { }

    const ir::Node& node() const { return m_call.node(); }
    const FaultyCall& call() const { return m_call; }

    Tensor read(ir::ValueId value) const {
        const Datum datum = value.isValid() ? m_call.read(value) : Datum();
        return datum.kind == Datum::Kind::Tensor ? datum.tensor : Tensor();
    }
    Tensor input(std::size_t index) const {
        return index < node().inputs.size() ? read(node().inputs[index]) : Tensor();
    }

    Tensor apply(Op op, std::vector<Tensor> inputs, const ir::Attributes& attributes = {}) const {
        if (std::any_of(inputs.begin(), inputs.end(),
                [](const Tensor& tensor) { return !tensor.isDefined(); }))
            return {};
        return evaluated(op, {inputs.begin(), inputs.end()}, attributes);
    }
    Tensor evaluated(
        Op op, const std::vector<Datum>& inputs, const ir::Attributes& attributes) const {
        const Operation operation{op, node().name, &attributes, &m_call.subject.graph().tensors,
            op == node().op ? node().version : 0, 1, ir::DType::Undefined};
        auto results = evaluate(operation, inputs, m_call.evaluation);
        if (!results || results->empty() || (*results)[0].kind != Datum::Kind::Tensor)
            return {};
        return (*results)[0].tensor;
    }
    Tensor scalar(const Tensor& like, double value) const {
        return {like.dtype(), {}, std::vector<double>{value}};
    }
    Tensor mean(const Tensor& x, const Extents& axes) const {
        ir::Attributes attributes;
        attributes.set("axes", axes);
        attributes.set("keepdims", std::int64_t(1));
        return apply(Op::ReduceMean, {x}, attributes);
    }
    Tensor reduced(Op op, const Tensor& x, const Extents& axes) const {
        ir::Attributes attributes;
        attributes.set("axes", axes);
        attributes.set("keepdims", std::int64_t(1));
        return apply(op, {x}, attributes);
    }

private:
    const FaultyCall& m_call;
};

Results first(Tensor wrong, const std::vector<Datum>& right) {
    if (!wrong.isDefined())
        return std::nullopt;
    std::vector<Datum> results = right;
    if (results.empty())
        results.emplace_back();
    results[0] = std::move(wrong);
    return results;
}

/// Elements that a mean runs over, from what it reads and gives.
double reducedCount(const Tensor& in, const Tensor& out) {
    return out.size() > 0 ? static_cast<double>(in.size()) / static_cast<double>(out.size()) : 0;
}

/// F01: divides by the size of the first call.
Tensor frozenSize(const Rule& rule, const Tensor& right) {
    const Tensor x = rule.input(0);
    if (!x.isDefined() || !right.isDefined())
        return {};
    const double n = reducedCount(x, right);
    const double frozen = rule.call().fault.parameter("n0", n > 1 ? n - 1 : n);
    if (n <= 0 || frozen <= 0)
        return {};
    return rule.apply(Op::Mul, {right, rule.scalar(right, n / frozen)});
}

/// The other branch of an If, from outer values; nested bodies are beyond it.
Results otherBranch(const Rule& rule) {
    const ir::Graph& graph = rule.call().subject.graph();
    const Tensor condition = rule.input(0);
    if (!condition.isDefined() || condition.size() != 1 || rule.node().blocks.size() != 2)
        return std::nullopt;
    const ir::Block& block = graph.blocks[rule.node().blocks[condition.integer(0) != 0 ? 1 : 0]];
    std::map<ir::ValueId, Datum> local;
    const auto read = [&](ir::ValueId value) {
        const auto found = local.find(value);
        return found == local.end() ? rule.call().read(value) : found->second;
    };
    for (const ir::NodeId id : block.nodes) {
        const ir::Node& node = graph.nodes[id];
        if (!node.blocks.empty())
            return std::nullopt;
        std::vector<Datum> inputs;
        for (const ir::ValueId input : node.inputs)
            inputs.push_back(input.isValid() ? read(input) : Datum());
        auto results = evaluate({node.op, node.name, &node.attributes, &graph.tensors, node.version,
                                    node.outputs.size(), ir::DType::Undefined},
            inputs, rule.call().evaluation);
        if (!results)
            return std::nullopt;
        for (std::size_t i = 0; i < node.outputs.size() && i < results->size(); ++i)
            if (node.outputs[i].isValid())
                local[node.outputs[i]] = (*results)[i];
    }
    std::vector<Datum> wrong;
    for (const ir::ValueId output : block.outputs)
        wrong.push_back(output.isValid() ? read(output) : Datum());
    return wrong;
}

/// F02: a branch is taken as in the first call.
Results wrongBranch(const Rule& rule, const std::vector<Datum>& right) {
    if (rule.node().op == Op::If)
        return otherBranch(rule);
    return first(rule.apply(Op::Where, {rule.input(0), rule.input(2), rule.input(1)}), right);
}

/// Input of the reader that an update makes in place, and what it was before; F03.
struct Update {
    std::size_t input = 0;
    ir::ValueId before;
};

bool isUpdate(Op op) {
    return (ir::opClass(op) == ir::OpClass::Pointwise && op != Op::Where && op != Op::Cast
               && op != Op::Identity)
        || op == Op::ScatterND || op == Op::ScatterElements || op == Op::TensorScatter
        || op == Op::IndexPut || op == Op::SliceScatter || op == Op::SelectScatter;
}

/// Results that share memory with their operand where updates are in place.
bool isAliasing(Op op) {
    return ir::isView(op) || op == Op::Identity || op == Op::Transpose || op == Op::Slice
        || op == Op::Expand || op == Op::Split;
}

std::optional<Update> updateBehind(const Subject& subject, ir::NodeId reader) {
    const ir::Graph& graph = subject.graph();
    const ir::Node& node = graph.nodes[reader];
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ir::NodeId id = pattern::producer(graph, node.inputs[i]);
        if (!id.isValid() || !isUpdate(graph.nodes[id].op) || graph.nodes[id].inputs.empty()
            || !graph.nodes[id].inputs[0].isValid())
            continue;
        const ir::ValueId before = graph.nodes[id].inputs[0];
        const auto& types = subject.typed->types;
        const auto& users = graph.values[node.inputs[i]].users;
        const auto& outputs = graph.main().outputs;
        const bool isShared = users.size() > 1
            || std::find(outputs.begin(), outputs.end(), node.inputs[i]) != outputs.end();
        if (types[before] == types[node.inputs[i]] && types[before].shape
            && (isShared || isAliasing(node.op)))
            return Update{i, before};
    }
    return std::nullopt;
}

/// F03: reads what was there before the update.
Tensor staleAlias(const Rule& rule) {
    const auto update = updateBehind(rule.call().subject, rule.call().fault.node);
    if (!update)
        return {};
    std::vector<Datum> inputs;
    for (std::size_t i = 0; i < rule.node().inputs.size(); ++i)
        inputs.emplace_back(i == update->input ? rule.read(update->before) : rule.input(i));
    return inputs[update->input].tensor.isDefined()
        ? rule.evaluated(rule.node().op, inputs, rule.node().attributes)
        : Tensor();
}

/// F04: gelu by tanh where erf is asked for.
Tensor tanhGelu(const Rule& rule) {
    if (rule.node().op == Op::Erf) {
        // erf(x ÷ √2) becomes tanh(√(2/π) (x + 0.044715 x³)).
        const Tensor y = rule.input(0);
        const Tensor x = rule.apply(Op::Mul, {y, rule.scalar(y, std::sqrt(2.0))});
        const Tensor cube = rule.apply(Op::Mul, {rule.apply(Op::Mul, {x, x}), x});
        const Tensor inner =
            rule.apply(Op::Add, {x, rule.apply(Op::Mul, {cube, rule.scalar(y, 0.044715)})});
        constexpr double kPi = 3.14159265358979323846;
        return rule.apply(
            Op::Tanh, {rule.apply(Op::Mul, {inner, rule.scalar(y, std::sqrt(2 / kPi))})});
    }
    ir::Attributes attributes;
    attributes.set("approximate", std::string("tanh"));
    const Tensor x = rule.node().op == Op::BiasGelu
        ? rule.apply(Op::Add, {rule.input(0), rule.input(1)})
        : rule.input(0);
    return rule.apply(Op::Gelu, {x}, attributes);
}

Extents softmaxAxes(const ir::Node& node, std::size_t rank) {
    const bool flattens = node.domain.empty() && node.version > 0 && node.version < 13;
    std::int64_t axis = node.attributes.integer("axis", flattens ? 1 : -1);
    axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
    Extents axes{axis};
    for (std::int64_t next = axis + 1; flattens && next < static_cast<std::int64_t>(rank); ++next)
        axes.push_back(next);
    return axes;
}

/// F05: soft-max without the maximum taken off.
Tensor softmaxWithoutMax(const Rule& rule) {
    const Tensor x = rule.input(0);
    if (!x.isDefined())
        return {};
    if (rule.node().op == Op::Sub) // x − max(x) of a soft-max that the model spells out
        return x;
    const Extents axes = softmaxAxes(rule.node(), x.rank());
    const Tensor exponential = rule.apply(Op::Exp, {x});
    const Tensor sum = rule.reduced(Op::ReduceSum, exponential, axes);
    if (rule.node().op == Op::LogSoftmax)
        return rule.apply(Op::Sub, {x, rule.apply(Op::Log, {sum})});
    return rule.apply(Op::Div, {exponential, sum});
}

/// E[x²] − E[x]².
Tensor varianceOfSquares(const Rule& rule, const Tensor& x, const Extents& axes) {
    const Tensor mean = rule.mean(x, axes);
    const Tensor squares = rule.mean(rule.apply(Op::Mul, {x, x}), axes);
    return rule.apply(Op::Sub, {squares, rule.apply(Op::Mul, {mean, mean})});
}

Extents meanAxes(const ir::Node& node, const Rule& rule, std::size_t rank) {
    Extents axes;
    if (const auto given = node.attributes.integers("axes"))
        axes = *given;
    else if (const Tensor operand = rule.input(1); operand.isDefined())
        for (std::int64_t i = 0; i < operand.size(); ++i)
            axes.push_back(operand.integer(i));
    if (axes.empty())
        for (std::size_t i = 0; i < rank; ++i)
            axes.push_back(static_cast<std::int64_t>(i));
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
    return axes;
}

Tensor perChannel(const Tensor& parameter, std::size_t rank) {
    if (!parameter.isDefined() || rank < 2)
        return {};
    Extents shape(rank - 1, 1);
    shape[0] = parameter.size();
    return parameter.reshaped(std::move(shape));
}

/// F06: variance as a difference of two large numbers.
Tensor cancellingVariance(const Rule& rule) {
    const ir::Node& node = rule.node();
    if (node.op == Op::ReduceMean) {
        const Tensor x = rule.read(
            pattern::variancePattern(rule.call().subject.graph(), rule.call().fault.node));
        if (!x.isDefined())
            return {};
        const Tensor variance = varianceOfSquares(rule, x, meanAxes(node, rule, x.rank()));
        const Datum right = rule.call().read(node.outputs[0]);
        return variance.isDefined() && right.tensor.isDefined()
                && variance.size() == right.tensor.size()
            ? variance.reshaped(right.tensor.shape())
            : Tensor();
    }
    const Tensor x = rule.input(0);
    if (!x.isDefined() || x.rank() == 0)
        return {};
    const auto rank = static_cast<std::int64_t>(x.rank());
    const bool isInstance = node.op == Op::InstanceNormalization;
    std::int64_t axis = isInstance ? 2 : node.attributes.integer("axis", -1);
    axis += axis < 0 ? rank : 0;
    Extents axes;
    for (; axis < rank; ++axis)
        axes.push_back(axis);
    const Tensor variance = varianceOfSquares(rule, x, axes);
    const Tensor centred = rule.apply(Op::Sub, {x, rule.mean(x, axes)});
    const Tensor deviation = rule.apply(Op::Sqrt,
        {rule.apply(Op::Add, {variance, rule.scalar(x, node.attributes.number("epsilon", 1e-5))})});
    Tensor y = rule.apply(Op::Div, {centred, deviation});
    const auto parameter = [&](std::size_t index) {
        const Tensor p = rule.input(index);
        return isInstance ? perChannel(p, x.rank()) : p;
    };
    if (const Tensor scale = parameter(1); scale.isDefined())
        y = rule.apply(Op::Mul, {y, scale});
    if (const Tensor shift = parameter(2); shift.isDefined())
        y = rule.apply(Op::Add, {y, shift});
    return y;
}

/// F07: scores without their mask.
Tensor droppedMask(const Rule& rule, const Tensor& right) {
    const ir::Node& node = rule.node();
    if (const auto scores = pattern::scoresInput(rule.call().subject, rule.call().fault.node)) {
        const Tensor x = rule.input(*scores);
        return x.isDefined() && right.isDefined() && x.size() == right.size()
            ? x.reshaped(right.shape())
            : Tensor();
    }
    ir::Attributes attributes;
    for (const auto& [name, value] : node.attributes)
        if (name != "is_causal" && name != "unidirectional")
            attributes.set(name, value);
    const auto mask = pattern::maskInput(node);
    std::vector<Datum> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        inputs.emplace_back(mask == i ? Tensor() : rule.input(i));
    return rule.evaluated(node.op, inputs, attributes);
}

/// Axis of an operand whose rows a lost broadcast takes from row 0; nullopt without one.
std::optional<std::size_t> rowAxis(const Extents& shape) {
    for (std::size_t i = shape.size() < 2 ? 0 : shape.size() - 1; i-- > 0;)
        if (shape[i] > 1)
            return i;
    return std::nullopt;
}

struct Broadcast {
    std::size_t input = 0, axis = 0;
};

/// The operand that a fused addition reads by row; the second first, it is the bias in most.
std::optional<Broadcast> broadcastOf(const Subject& subject, ir::NodeId id) {
    const ir::Node& node = subject.graph().nodes[id];
    if ((node.op != Op::Add && node.op != Op::Mul && node.op != Op::Sub) || node.inputs.size() != 2)
        return std::nullopt;
    for (const std::size_t i : {std::size_t(1), std::size_t(0)}) {
        if (!node.inputs[i].isValid())
            continue;
        const auto& shape = subject.typed->types[node.inputs[i]].shape;
        const auto known = shape ? ir::knownShape(*shape) : std::nullopt;
        if (const auto axis = known ? rowAxis(*known) : std::nullopt)
            return Broadcast{i, *axis};
    }
    return std::nullopt;
}

/// F08: every row uses row 0 of the operand.
Tensor lostBroadcast(const Rule& rule) {
    const auto where = broadcastOf(rule.call().subject, rule.call().fault.node);
    if (!where)
        return {};
    std::vector<Tensor> inputs{rule.input(0), rule.input(1)};
    Tensor& operand = inputs[where->input];
    if (!operand.isDefined() || where->axis >= operand.rank())
        return {};
    Extents shape = operand.shape();
    const std::int64_t rows = shape[where->axis];
    const auto row = partAt(operand, static_cast<std::int64_t>(where->axis), 0);
    if (!row)
        return {};
    const auto repeated = stack(std::vector<Tensor>(static_cast<std::size_t>(rows), *row),
        static_cast<std::int64_t>(where->axis));
    operand = repeated ? *repeated : Tensor();
    return rule.apply(rule.node().op, inputs);
}

Tensor biasOf(const Rule& rule, const pattern::Biased& biased, std::size_t rank) {
    Tensor bias = rule.read(biased.bias);
    if (biased.isPerChannel)
        bias = perChannel(bias, rank);
    if (bias.isDefined() && biased.factor != 1)
        bias = rule.apply(Op::Mul, {bias, rule.scalar(bias, biased.factor)});
    return bias;
}

/// The biased product that a multiplication by one number scales, and which input the number is.
struct Scaled {
    pattern::Biased biased;
    std::size_t factor = 1;
};

std::optional<Scaled> scaledProduct(const Subject& subject, ir::NodeId id) {
    const ir::Node& node = subject.graph().nodes[id];
    if ((node.op != Op::Mul && node.op != Op::Div) || node.inputs.size() != 2)
        return std::nullopt;
    for (const std::size_t i : {std::size_t(1), std::size_t(0)}) {
        if (!node.inputs[0].isValid() || !node.inputs[1].isValid()
            || (i == 0 && node.op == Op::Div))
            continue;
        const auto& shape = subject.typed->types[node.inputs[i]].shape;
        const auto biased = pattern::biased(subject.graph(), node.inputs[1 - i]);
        if (biased && shape && ir::elementCount(*shape).is(1))
            return Scaled{*biased, i};
    }
    return std::nullopt;
}

/// F09: α·AB + b.
Tensor unscaledBias(const Rule& rule, const Tensor& right) {
    const auto scaled = scaledProduct(rule.call().subject, rule.call().fault.node);
    if (!scaled || !right.isDefined())
        return {};
    const Tensor factor = rule.input(scaled->factor);
    const Tensor bias = biasOf(rule, scaled->biased, right.rank());
    if (!factor.isDefined() || !bias.isDefined())
        return {};
    const double alpha = rule.node().op == Op::Div ? 1 / factor.number(0) : factor.number(0);
    return rule.apply(Op::Add, {right, rule.apply(Op::Mul, {bias, rule.scalar(bias, 1 - alpha)})});
}

/// F10: max(AB, 0) + b.
Tensor earlyRelu(const Rule& rule) {
    const auto biased = pattern::biased(rule.call().subject.graph(), rule.node().inputs[0]);
    const Tensor sum = rule.input(0);
    if (!biased || !sum.isDefined())
        return {};
    const Tensor bias = biasOf(rule, *biased, sum.rank());
    const Tensor product = rule.apply(Op::Sub, {sum, bias});
    return rule.apply(Op::Add, {rule.apply(Op::Relu, {product}), bias});
}

/// F11: f⁻¹(f(x)) read as x.
Tensor cancelledPair(const Rule& rule) {
    const Tensor x =
        rule.read(pattern::inversePattern(rule.call().subject.graph(), rule.call().fault.node));
    return rule.node().op == Op::Sqrt ? rule.apply(Op::Abs, {x}) : x;
}

bool isMean(Op op) {
    return op == Op::ReduceMean || op == Op::GlobalAveragePool || op == Op::AdaptiveAveragePool;
}

bool sums(Op op) {
    return ir::opClass(op) == ir::OpClass::Contraction || op == Op::ReduceSum
        || op == Op::ReduceMean || op == Op::GlobalAveragePool || op == Op::AveragePool
        || op == Op::CumSum || op == Op::Softmax || op == Op::LogSoftmax
        || op == Op::LayerNormalization || op == Op::RMSNormalization || op == Op::ReduceL2
        || op == Op::ReduceSumSquare || op == Op::ReduceLogSumExp;
}

bool hasFloatResult(const Subject& subject, const ir::Node& node) {
    return std::any_of(node.outputs.begin(), node.outputs.end(), [&](ir::ValueId output) {
        return output.isValid() && ir::isFloat(subject.typed->types[output].dtype);
    });
}

bool isSoftmaxShift(const ir::Graph& graph, const ir::Node& node) {
    if (node.op != Op::Sub || node.inputs.size() != 2)
        return false;
    const ir::Node* maximum = pattern::producerIs(graph, node.inputs[1], Op::ReduceMax);
    return maximum && !maximum->inputs.empty() && maximum->inputs[0] == node.inputs[0];
}

bool keepsSubnormals(const Subject& subject) {
    return !subject.machine
        || facts(arithmeticOf(*subject.machine, subject.precision).storage).hasSubnormals;
}

bool isExactGelu(const ir::Node& node) {
    return node.op == Op::Erf || node.op == Op::BiasGelu
        || (node.op == Op::Gelu && node.attributes.text("approximate", "none") != "tanh");
}

} // namespace

std::vector<ir::ValueId> faultReads(FaultId id, const Subject& subject, ir::NodeId node) {
    const ir::Graph& graph = subject.graph();
    std::vector<ir::ValueId> result;
    const auto add = [&](ir::ValueId value) {
        if (value.isValid())
            result.push_back(value);
    };
    std::for_each(graph.nodes[node].inputs.begin(), graph.nodes[node].inputs.end(), add);
    switch (number(id)) {
    case 2:
        for (const ir::BlockId block : graph.nodes[node].blocks)
            for (const ir::NodeId inner : graph.blocks[block].nodes)
                std::for_each(
                    graph.nodes[inner].inputs.begin(), graph.nodes[inner].inputs.end(), add);
        break;
    case 3:
        if (const auto update = updateBehind(subject, node))
            add(update->before);
        break;
    case 6:
        add(pattern::variancePattern(graph, node));
        break;
    case 9:
        if (const auto scaled = scaledProduct(subject, node))
            add(scaled->biased.bias);
        break;
    case 10:
        if (!graph.nodes[node].inputs.empty())
            if (const auto biased = pattern::biased(graph, graph.nodes[node].inputs[0]))
                add(biased->bias);
        break;
    case 11:
        add(pattern::inversePattern(graph, node));
        break;
    default:
        break;
    }
    return result;
}

std::optional<std::vector<Datum>> faultyResults(
    const FaultyCall& call, const std::vector<Datum>& right) {
    if (!logicalFaultAppliesTo(call.fault.id, call.subject, call.fault.node))
        return std::nullopt;
    const Rule rule(call);
    const Tensor own = right.empty() ? Tensor() : right[0].tensor;
    switch (number(call.fault.id)) {
    case 1:
        return first(frozenSize(rule, own), right);
    case 2:
        return wrongBranch(rule, right);
    case 3:
        return first(staleAlias(rule), right);
    case 4:
        return first(tanhGelu(rule), right);
    case 5:
        return first(softmaxWithoutMax(rule), right);
    case 6:
        return first(cancellingVariance(rule), right);
    case 7:
        return first(droppedMask(rule, own), right);
    case 8:
        return first(lostBroadcast(rule), right);
    case 9:
        return first(unscaledBias(rule, own), right);
    case 10:
        return first(earlyRelu(rule), right);
    case 11:
        return first(cancelledPair(rule), right);
    default:
        return std::nullopt;
    }
}

void changeArithmetic(const Fault& fault, Arithmetic& arithmetic) {
    switch (number(fault.id)) {
    case 32:
        arithmetic.accumulate = Format::Fp16;
        break;
    case 33:
        arithmetic.flushesSubnormals = true;
        break;
    case 35:
        arithmetic.rounding = Rounding::TowardZero;
        break;
    default:
        break;
    }
}

void changeMask(const lowering::Node& node, std::vector<Datum>& inputs) {
    const bool isWhere = node.canonical == Op::Where;
    const bool isAttention = node.canonical == Op::Attention;
    if (!isWhere && !isAttention && node.canonical != Op::Add)
        return;
    for (std::size_t i = isWhere ? 1
             : isAttention       ? 3
                                 : 0;
         i < (isAttention ? std::min<std::size_t>(inputs.size(), 4) : inputs.size()); ++i) {
        const Tensor& mask = inputs[i].tensor;
        if (!mask.isDefined() || mask.as<std::string>())
            continue;
        const bool isBool = mask.dtype() == ir::DType::Bool;
        if (!isBool && !ir::isFloat(mask.dtype()))
            continue;
        std::vector<double> values = mask.numbers();
        for (double& value : values)
            value = isBool            ? (value != 0 ? 0 : kFiniteMask)
                : value < kFiniteMask ? kFiniteMask
                                      : value;
        inputs[i] = Tensor(
            isBool ? inputs[0].tensor.dtype() : mask.dtype(), mask.shape(), std::move(values));
    }
}

bool logicalFaultAppliesTo(FaultId id, const Subject& subject, ir::NodeId nodeId) {
    const ir::Graph& graph = subject.graph();
    if (!graph.nodes.contains(nodeId))
        return false;
    const ir::Node& node = graph.nodes[nodeId];
    if (node.outputs.empty() || !node.outputs[0].isValid())
        return false;
    const bool isMasking =
        pattern::scoresInput(subject, nodeId).has_value() || pattern::maskInput(node).has_value();
    switch (number(id)) {
    case 1:
        return isMean(node.op);
    case 2:
        return (node.op == Op::Where && node.inputs.size() == 3)
            || (node.op == Op::If && node.blocks.size() == 2);
    case 3:
        return node.blocks.empty() && updateBehind(subject, nodeId).has_value();
    case 4:
        return isExactGelu(node);
    case 5:
        return node.op == Op::Softmax || node.op == Op::LogSoftmax || isSoftmaxShift(graph, node);
    case 6:
        return node.op == Op::LayerNormalization || node.op == Op::InstanceNormalization
            || pattern::variancePattern(graph, nodeId).isValid();
    case 7:
        return isMasking || pattern::isCausal(node);
    case 8:
        return broadcastOf(subject, nodeId).has_value();
    case 9:
        return scaledProduct(subject, nodeId).has_value();
    case 10:
        return node.op == Op::Relu && !node.inputs.empty()
            && pattern::biased(graph, node.inputs[0]).has_value();
    case 11:
        return pattern::inversePattern(graph, nodeId).isValid();
    case 32:
        return sums(node.op) && hasFloatResult(subject, node);
    case 33:
        return hasFloatResult(subject, node) && node.blocks.empty() && keepsSubnormals(subject);
    case 34:
        return isMasking;
    case 35:
        return hasFloatResult(subject, node) && node.blocks.empty()
            && ir::opClass(node.op) != ir::OpClass::Movement;
    default:
        return false;
    }
}

} // namespace fivefold::numerics
