// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/recompute.h"

#include "core/compare/noise.h"
#include "core/compare/numbers.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using ir::NodeId;
using ir::ValueId;
using numerics::Datum;
using numerics::Tensor;

namespace {

constexpr std::size_t kSamples = 2;
constexpr int kDeepest = 2000; ///< nodes in a row that are not in the dump

bool isDefined(const Datum& datum) {
    return datum.kind != Datum::Kind::Tensor || datum.tensor.isDefined();
}

bool isFloatTensor(const Datum& datum) {
    return datum.kind == Datum::Kind::Tensor && datum.tensor.isDefined()
        && ir::isFloat(datum.tensor.dtype());
}

Tensor rounded(const Tensor& tensor, numerics::Format format) {
    if (format == numerics::Format::Fp64)
        return tensor;
    const Numbers from(tensor);
    std::vector<double> to(static_cast<std::size_t>(from.size()));
    bool isSame = true;
    for (std::int64_t i = 0; i < from.size(); ++i) {
        const double value = numerics::round(from[i], format);
        isSame = isSame && (value == from[i] || std::isnan(from[i]));
        to[static_cast<std::size_t>(i)] = value;
    }
    return isSame ? tensor : Tensor(tensor.dtype(), tensor.shape(), std::move(to));
}

/// Integers so small that sums and products of them stay exact in the format.
bool areSmallIntegers(const Tensor& tensor) {
    constexpr double kMost = 64;
    const Numbers values(tensor);
    bool isVaried = false;
    for (std::int64_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i]) <= kMost) || values[i] != std::floor(values[i]))
            return false;
        isVaried = isVaried || values[i] != 0;
    }
    return isVaried;
}

/// Terms of a result's sum: √(|a| · |b| / |results|) of a product, inputs a result of a reduction.
std::int64_t depthOf(ir::Op op, const std::vector<Datum>& operands, std::int64_t results) {
    const auto size = [&](std::size_t i) {
        return i < operands.size() && operands[i].tensor.isDefined()
            ? static_cast<double>(operands[i].tensor.size())
            : 1.0;
    };
    const auto count = static_cast<double>(std::max<std::int64_t>(1, results));
    double depth = 1;
    if (ir::opClass(op) == ir::OpClass::Contraction)
        depth = std::sqrt(size(0) * size(1) / count);
    else if (ir::opClass(op) == ir::OpClass::Normalisation)
        depth = size(0) / count > 1.5 || operands.empty() || operands[0].tensor.rank() == 0
            ? size(0) / count
            : static_cast<double>(operands[0].tensor.shape().back());
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(depth));
}

} // namespace

Recompute::Recompute(const numerics::Subject& subject, SideValues& side, std::size_t repeat,
    const numerics::Inputs& inputs, const RoundOff& roundOff, const base::Progress& progress)
    : m_subject(subject)
    , m_graph(subject.graph())
    , m_side(side)
    , m_repeat(repeat)
    , m_inputs(inputs)
    , m_roundOff(roundOff)
    , m_progress(progress) { }

bool Recompute::isRandom(ValueId parameter) const {
    return m_subject.weights && m_subject.weights->isRandom(parameter);
}

const Held& Recompute::held(ValueId value) {
    return held(value, 0);
}

const Held& Recompute::held(ValueId value, int depth) {
    if (const auto at = m_held.find(value.value); at != m_held.end())
        return at->second;
    Held made = make(value, depth);
    return m_held.insert_or_assign(value.value, std::move(made)).first->second;
}

Held Recompute::make(ValueId value, int depth) {
    if (const Tensor& tensor = m_side.tensor(value, m_repeat); tensor.isDefined()) {
        const ir::DType declared = m_subject.typed->types[value].dtype;
        Tensor wide = tensor.carried<double>();
        if (declared != ir::DType::Undefined
            && ir::isFloat(declared) == ir::isFloat(tensor.dtype()))
            wide = wide.retyped(declared);
        return {Held::Source::Dumped, Datum(std::move(wide)), {}};
    }
    const ir::Value& facts = m_graph.values[value];
    if (facts.data.isValid() || facts.origin != ir::ValueOrigin::NodeOutput)
        return stored(value);
    return depth < kDeepest ? recomputed(value, depth) : Held{};
}

Held Recompute::stored(ValueId value) {
    const ir::Value& facts = m_graph.values[value];
    if (facts.data.isValid()) {
        if (!m_subject.weights)
            return {};
        auto tensor = m_subject.weights->of(value, numerics::Carrier::Double, m_diagnostics);
        if (!tensor || m_subject.weights->isRandom(value))
            return {};
        return {Held::Source::Stored, Datum(*std::move(tensor)), {}};
    }
    auto input = m_inputs.find(facts.name);
    if (input == m_inputs.end() && facts.block == ir::Graph::mainBlock()) {
        const auto& list = m_graph.main().inputs;
        const auto at = std::ranges::find(list, value);
        if (at != list.end())
            input = m_inputs.find(std::to_string(at - list.begin()));
    }
    if (input == m_inputs.end() || !isDefined(input->second))
        return {};
    Datum datum = input->second;
    if (datum.kind == Datum::Kind::Tensor)
        datum.tensor = datum.tensor.carried<double>();
    return {Held::Source::Stored, std::move(datum), {}};
}

Held Recompute::recomputed(ValueId value, int depth) {
    const NodeId id = m_graph.values[value].producer;
    if (!id.isValid() || isRandomOperator(m_graph.nodes[id].op))
        return {};
    const auto with = operands(id, depth + 1);
    if (!with)
        return {};
    const auto results = run(id, with->exact);
    if (!results)
        return {};
    std::vector<Data> runs;
    for (std::size_t s = 0; s < kSamples; ++s) {
        const auto sample = run(id, with->samples.empty() ? with->exact : with->samples[s]);
        runs.push_back(sample ? *sample : *results);
    }
    Held wanted;
    const ir::Node& node = m_graph.nodes[id];
    for (std::size_t k = 0; k < node.outputs.size() && k < results->size(); ++k) {
        if (!node.outputs[k].isValid() || !isDefined((*results)[k]))
            continue;
        Held held{Held::Source::Recomputed, (*results)[k], {}};
        for (std::size_t s = 0; s < kSamples; ++s)
            held.samples.push_back(isCopying(node.op)
                    ? runs[s][k]
                    : perturbed(runs[s][k], node.outputs[k].value * 31 + s + 1));
        if (node.outputs[k] == value)
            wanted = std::move(held);
        else if (!m_side.has(node.outputs[k]))
            m_held.insert_or_assign(node.outputs[k].value, std::move(held));
    }
    return wanted;
}

Datum Recompute::perturbed(const Datum& datum, std::uint64_t seed) const {
    return isFloatTensor(datum) ? Datum(perturb(datum.tensor, m_roundOff.unit, seed)) : datum;
}

/// A constant of the file that the dump has rounded: the device may have computed with the file's.
const Datum* Recompute::widerConstant(ValueId value, const Held& held) {
    if (held.source != Held::Source::Dumped || !m_graph.values[value].data.isValid()
        || !isFloatTensor(held.exact))
        return nullptr;
    auto [at, isNew] = m_constants.try_emplace(value.value);
    if (isNew) {
        const Held file = stored(value);
        const bool isSame = file.isKnown() && isFloatTensor(file.exact)
            && file.exact.tensor.shape() == held.exact.tensor.shape()
            && rounded(file.exact.tensor, m_roundOff.storage).numbers()
                == held.exact.tensor.numbers()
            && file.exact.tensor.numbers() != held.exact.tensor.numbers();
        if (isSame)
            at->second = file.exact;
    }
    return isFloatTensor(at->second) ? &at->second : nullptr;
}

std::optional<Recompute::Operands> Recompute::operands(NodeId id, int depth) {
    const ir::Node& node = m_graph.nodes[id];
    Operands result;
    bool isRounded = false;
    for (const ValueId input : node.inputs) {
        if (!input.isValid()) {
            result.exact.emplace_back();
            result.stored.emplace_back();
            for (Data& sample : result.samples)
                sample.emplace_back();
            continue;
        }
        const Held& held = this->held(input, depth);
        if (!held.isKnown())
            return std::nullopt;
        Datum datum = held.exact;
        if (held.source == Held::Source::Stored && isFloatTensor(datum)) {
            datum.tensor = rounded(datum.tensor, m_roundOff.storage);
            isRounded = isRounded
                || !(datum.tensor.isDefined()
                    && &datum.tensor.elements() == &held.exact.tensor.elements());
        }
        if (held.source == Held::Source::Recomputed) {
            ++result.recomputed;
            if (result.samples.empty())
                result.samples.assign(kSamples, result.exact);
        }
        for (std::size_t s = 0; s < result.samples.size(); ++s)
            result.samples[s].push_back(held.samples.size() > s
                    ? held.samples[s]
                    : perturbed(datum, input.value * 17 + s + 1));
        const Datum* wider = widerConstant(input, held);
        isRounded = isRounded || wider;
        result.exact.push_back(std::move(datum));
        result.stored.push_back(wider ? *wider : held.exact);
    }
    if (!isRounded)
        result.stored.clear();
    return result;
}

std::optional<Recompute::Data> Recompute::run(NodeId id, const Data& inputs) const {
    const ir::Node& node = m_graph.nodes[id];
    if (m_progress.isCancelled())
        return std::nullopt;
    if (!node.blocks.empty())
        return runBodies(id, inputs);
    if (!numerics::isExecutable(node.op))
        return std::nullopt;
    numerics::Operation operation;
    operation.op = node.op;
    operation.name = node.name;
    operation.attributes = &node.attributes;
    operation.tensors = &m_graph.tensors;
    operation.version = node.version;
    operation.outputs = node.outputs.size();
    if (!node.outputs.empty() && node.outputs[0].isValid())
        operation.outputType = m_subject.typed->types[node.outputs[0]].dtype;
    numerics::Evaluation evaluation;
    evaluation.progress = &m_progress;
    auto results = numerics::evaluate(operation, inputs, evaluation);
    if (!results)
        return std::nullopt;
    return *std::move(results);
}

std::optional<Recompute::Data> Recompute::runBodies(NodeId id, const Data& inputs) const {
    const ir::Node& node = m_graph.nodes[id];
    if (!m_subject.weights)
        return std::nullopt;
    numerics::RunOptions options;
    options.only = {id};
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (node.inputs[i].isValid())
            options.given[node.inputs[i]] = inputs[i];
    }
    // Bodies read values of the blocks around them too.
    auto& self = const_cast<Recompute&>(*this);
    for (const ir::BlockId body : node.blocks) {
        for (const NodeId inner : m_graph.blocks[body].nodes) {
            for (const ValueId value : m_graph.nodes[inner].inputs) {
                const bool isOuter = value.isValid() && m_graph.values[value].block != body
                    && !m_graph.values[value].data.isValid();
                if (!isOuter || options.given.contains(value))
                    continue;
                const Held& held = self.held(value, 1);
                if (held.isKnown())
                    options.given[value] = held.exact;
            }
        }
    }
    options.keeps = [&](ValueId value) {
        return std::ranges::find(node.outputs, value) != node.outputs.end();
    };
    auto result = numerics::run(*m_subject.typed, {}, *m_subject.weights, options, m_progress);
    if (!result)
        return std::nullopt;
    Data outputs;
    for (const ValueId value : node.outputs) {
        const auto at = result->values.find(value);
        outputs.push_back(at == result->values.end() ? Datum() : std::move(at->second));
    }
    return outputs;
}

void Recompute::addSamples(NodeId id, const Operands& with, std::vector<Expected>& expected) {
    std::vector<std::vector<Tensor>> samples(expected.size());
    for (const Data& sample : with.samples) {
        const auto results = run(id, sample);
        for (std::size_t k = 0; results && k < expected.size() && k < results->size(); ++k) {
            if ((*results)[k].tensor.size() == expected[k].value.size())
                samples[k].push_back((*results)[k].tensor);
        }
    }
    for (std::size_t k = 0; k < expected.size(); ++k) {
        if (samples[k].empty())
            continue;
        auto noise = spread(expected[k].value, samples[k]);
        auto& own = expected[k].noise;
        if (own.size() != noise.size())
            own = std::move(noise);
        else
            std::ranges::transform(
                own, noise, own.begin(), [](double a, double b) { return std::max(a, b); });
    }
}

std::optional<std::vector<Expected>> Recompute::expected(NodeId id) {
    const ir::Node& node = m_graph.nodes[id];
    const auto with = operands(id, 0);
    if (!with || isRandomOperator(node.op))
        return std::nullopt;
    const auto results = run(id, with->exact);
    if (!results || results->empty())
        return std::nullopt;
    const auto other = with->stored.empty() ? std::nullopt : run(id, with->stored);
    const Evaluator evaluate = [&](std::span<const Datum> moved,
                                   const ir::Attributes* attributes) -> std::optional<Data> {
        if (!attributes || !node.blocks.empty())
            return run(id, Data(moved.begin(), moved.end()));
        numerics::Operation operation{node.op, node.name, attributes, &m_graph.tensors,
            node.version, node.outputs.size(), results->front().tensor.dtype()};
        auto values = numerics::evaluate(operation, moved, {});
        return values ? std::optional(*std::move(values)) : std::nullopt;
    };
    const bool isSummed = ir::opClass(node.op) == ir::OpClass::Contraction;
    const double unit = isSummed ? std::max(m_roundOff.unit, m_roundOff.operand) : m_roundOff.unit;
    auto noise = operandNoise(node.op, node.attributes, with->exact, *results, unit, evaluate);
    std::vector<Expected> expected;
    bool areIntegers = !with->exact.empty() && with->recomputed == 0;
    for (const Datum& datum : with->exact)
        areIntegers = areIntegers && (!isFloatTensor(datum) || areSmallIntegers(datum.tensor));
    for (std::size_t k = 0; k < results->size(); ++k) {
        Expected one;
        one.value = (*results)[k].tensor;
        if (other && k < other->size())
            one.unrounded = (*other)[k].tensor;
        if (k < noise.size())
            one.noise = std::move(noise[k]);
        one.isMovement = isCopying(node.op);
        one.isInteger = areIntegers;
        one.recomputed = with->recomputed;
        one.depth = depthOf(node.op, with->exact, one.value.size());
        expected.push_back(std::move(one));
    }
    if (!with->samples.empty())
        addSamples(id, *with, expected);
    return expected;
}

} // namespace fivefold::compare
