// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/execution_order.h"
#include "core/numerics/rungs/rung.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace fivefold::numerics {

namespace {

using Extents = std::vector<std::int64_t>;

base::Error unknown(const std::string& name, const std::string& why) {
    return {base::ErrorCode::NotFound, "Nothing says what this value holds: " + why + ".", name};
}

std::optional<std::int64_t> count(const Extents& shape) {
    std::int64_t product = 1;
    for (const std::int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(product, extent, &product))
            return std::nullopt;
    return product;
}

/// Floats as double, in the type that the model declares.
Tensor asDeclared(const Tensor& tensor, ir::DType dtype) {
    if (dtype == ir::DType::Undefined || tensor.as<std::string>() || dtype == ir::DType::String)
        return tensor.carried<double>();
    const bool isFloatHere = tensor.as<std::int64_t>() == nullptr;
    if (ir::isFloat(dtype) == isFloatHere)
        return tensor.carried<double>().retyped(dtype);
    if (isFloatHere) {
        std::vector<std::int64_t> integers(static_cast<std::size_t>(tensor.size()));
        for (std::size_t i = 0; i < integers.size(); ++i)
            integers[i] = tensor.integer(static_cast<std::int64_t>(i));
        return {dtype, tensor.shape(), std::move(integers)};
    }
    return {dtype, tensor.shape(), tensor.numbers()};
}

/// A tensor of one repeated number.
Tensor filled(ir::DType dtype, Extents shape, double value, std::int64_t elements) {
    const auto size = static_cast<std::size_t>(elements);
    if (ir::isFloat(dtype) || dtype == ir::DType::Undefined)
        return {dtype == ir::DType::Undefined ? ir::DType::Float32 : dtype, std::move(shape),
            std::vector<double>(size, value)};
    return {dtype, std::move(shape),
        std::vector<std::int64_t>(size, Tensor::scalar(dtype, value).integer(0))};
}

} // namespace

class StageValues::State {
public:
    State(const Subject& subject, const lowering::StageGraph& graph, const Inputs& inputs,
        const RungOptions& options, base::Diagnostics& diagnostics)
        : m_subject(subject)
        , m_graph(graph)
        , m_captured(subject.graph())
        , m_inputs(inputs)
        , m_options(options)
        , m_diagnostics(diagnostics) {
        m_evaluation.carrier = Carrier::Double;
        m_evaluation.seed = options.seed;
    }

    base::Result<Datum> of(lowering::ValueId id);
    base::Result<Datum> captured(ir::ValueId id);

private:
    base::Result<Datum> contents(const lowering::Value& value);
    base::Result<Datum> made(const lowering::Recipe& recipe, int depth);
    base::Result<Datum> shaped(Datum datum, const lowering::Value& value) const;
    std::optional<Datum> leaf(ir::ValueId id, std::optional<base::Error>& error);
    std::optional<Datum> input(ir::ValueId id) const;
    ir::ValueId formalActual(ir::ValueId id) const;
    std::vector<ir::ValueId> operands(ir::ValueId id) const;
    base::Result<base::Done> compute(ir::ValueId id);

    const Subject& m_subject;
    const lowering::StageGraph& m_graph;
    const ir::Graph& m_captured;
    const Inputs& m_inputs;
    const RungOptions& m_options;
    base::Diagnostics& m_diagnostics;
    Evaluation m_evaluation;
    std::unordered_map<std::uint32_t, Datum> m_known; ///< captured values
    std::unordered_map<std::uint32_t, Datum> m_stage; ///< values of the stage
    std::unordered_map<const lowering::Recipe*, Datum> m_made;
};

/// What the caller gave for an input, by name or position, or what a binding fixes.
std::optional<Datum> StageValues::State::input(ir::ValueId id) const {
    const auto& inputs = m_captured.main().inputs;
    const auto at = std::find(inputs.begin(), inputs.end(), id);
    const std::string& name = m_captured.values[id].name;
    auto found = m_inputs.find(name);
    if (found == m_inputs.end() && at != inputs.end())
        found = m_inputs.find(std::to_string(at - inputs.begin()));
    const ir::ValueType& type = m_subject.typed->types[id];
    if (found != m_inputs.end()) {
        Datum datum = found->second;
        if (datum.kind == Datum::Kind::Tensor && datum.tensor.isDefined())
            datum.tensor = asDeclared(datum.tensor, type.dtype);
        if (type.kind == ir::ValueKind::Optional && datum.kind == Datum::Kind::Tensor) {
            Datum wrapped;
            wrapped.kind = Datum::Kind::Optional;
            wrapped.items.push_back(std::move(datum));
            return wrapped;
        }
        return datum;
    }
    const ir::Bindings& bindings = m_subject.typed->options.bindings;
    const auto shape = type.shape ? ir::knownShape(*type.shape) : std::nullopt;
    std::vector<double> values;
    if (const auto scalar = bindings.scalars.find(name); scalar != bindings.scalars.end())
        values = {static_cast<double>(scalar->second)};
    else if (const auto list = bindings.contents.find(name); list != bindings.contents.end())
        values.assign(list->second.begin(), list->second.end());
    else if (const auto numbers = bindings.numbers.find(name); numbers != bindings.numbers.end())
        values = numbers->second;
    if (values.empty() || !shape || count(*shape) != static_cast<std::int64_t>(values.size()))
        return std::nullopt;
    return asDeclared(Tensor(ir::DType::Float64, *shape, std::move(values)), type.dtype);
}

/// What a formal input of a function's body stands for; invalid for those of loops and branches.
ir::ValueId StageValues::State::formalActual(ir::ValueId id) const {
    const ir::BlockId block = m_captured.values[id].block;
    if (!block.isValid() || !m_captured.blocks.contains(block))
        return {};
    const ir::NodeId owner = m_captured.blocks[block].owner;
    if (!owner.isValid() || m_captured.nodes[owner].op != ir::Op::Call)
        return {};
    const auto& formals = m_captured.blocks[block].inputs;
    const auto at =
        static_cast<std::size_t>(std::find(formals.begin(), formals.end(), id) - formals.begin());
    const auto& actuals = m_captured.nodes[owner].inputs;
    return at < actuals.size() ? actuals[at] : ir::ValueId();
}

/// Contents that need no operator; nullopt for results of nodes and for what is not known.
std::optional<Datum> StageValues::State::leaf(ir::ValueId id, std::optional<base::Error>& error) {
    if (const auto given = m_options.given.find(id); given != m_options.given.end())
        return given->second;
    const ir::Value& value = m_captured.values[id];
    if (auto datum = input(id); datum && value.origin != ir::ValueOrigin::NodeOutput)
        return datum;
    if (value.origin == ir::ValueOrigin::Initializer || value.data.isValid()) {
        auto tensor = m_subject.weights->of(id, Carrier::Double, m_diagnostics);
        if (tensor)
            return Datum(*std::move(tensor));
        error = tensor.error();
    }
    return std::nullopt;
}

/// Captured values that a value is computed from.
std::vector<ir::ValueId> StageValues::State::operands(ir::ValueId id) const {
    const ir::Value& value = m_captured.values[id];
    std::vector<ir::ValueId> result;
    if (value.origin != ir::ValueOrigin::NodeOutput) {
        if (const ir::ValueId actual = formalActual(id); actual.isValid())
            result.push_back(actual);
        return result;
    }
    const ir::Node& node = m_captured.nodes[value.producer];
    if (node.blocks.empty()) {
        std::copy_if(node.inputs.begin(), node.inputs.end(), std::back_inserter(result),
            [](ir::ValueId input) { return input.isValid(); });
        return result;
    }
    const std::int64_t taken =
        node.op == ir::Op::If && value.producer.index() < m_subject.typed->takenBranch.size()
        ? std::max<std::int64_t>(0, m_subject.typed->takenBranch[value.producer])
        : 0;
    if ((node.op == ir::Op::If || node.op == ir::Op::Call)
        && static_cast<std::size_t>(taken) < node.blocks.size()) {
        const auto& body = m_captured.blocks[node.blocks[static_cast<std::size_t>(taken)]];
        if (value.outputIndex < body.outputs.size() && body.outputs[value.outputIndex].isValid())
            result.push_back(body.outputs[value.outputIndex]);
    }
    return result;
}

/// Evaluates the node behind a value whose operands are known.
base::Result<base::Done> StageValues::State::compute(ir::ValueId id) {
    const ir::Value& value = m_captured.values[id];
    const std::vector<ir::ValueId> from = operands(id);
    const bool isNode = value.origin == ir::ValueOrigin::NodeOutput;
    if (!isNode || !m_captured.nodes[value.producer].blocks.empty()) {
        if (from.empty())
            return unknown(value.name, "it depends on a loop or on an input that is not given");
        m_known[id.value] = m_known.at(from[0].value);
        return base::Done{};
    }
    const ir::Node& node = m_captured.nodes[value.producer];
    std::vector<Datum> inputs;
    for (const ir::ValueId input : node.inputs)
        inputs.push_back(input.isValid() ? m_known.at(input.value) : Datum());
    const Operation operation{node.op, node.name, &node.attributes, &m_captured.tensors,
        node.version, node.outputs.size(), m_subject.typed->types[id].dtype};
    auto results = evaluate(operation, inputs, m_evaluation);
    if (!results)
        return results.error();
    for (std::size_t i = 0; i < node.outputs.size() && i < results->size(); ++i)
        if (node.outputs[i].isValid())
            m_known[node.outputs[i].value] = (*results)[i];
    if (!m_known.contains(id.value))
        return unknown(value.name, "its operator does not give it");
    return base::Done{};
}

base::Result<Datum> StageValues::State::captured(ir::ValueId wanted) {
    if (!wanted.isValid() || !m_captured.values.contains(wanted))
        return unknown({}, "there is no such value");
    std::vector<std::pair<ir::ValueId, bool>> waiting{{wanted, false}};
    std::unordered_map<std::uint32_t, bool> isOpen;
    while (!waiting.empty()) {
        const auto [id, areOperandsKnown] = waiting.back();
        waiting.pop_back();
        if (m_known.contains(id.value))
            continue;
        std::optional<base::Error> error;
        if (auto datum = leaf(id, error)) {
            m_known[id.value] = *std::move(datum);
            continue;
        }
        if (error)
            return *error;
        if (areOperandsKnown) {
            if (auto done = compute(id); !done)
                return done.error();
            continue;
        }
        if (isOpen[id.value])
            return unknown(m_captured.values[id].name, "it depends on itself");
        isOpen[id.value] = true;
        waiting.emplace_back(id, true);
        for (const ir::ValueId operand : operands(id))
            if (!m_known.contains(operand.value))
                waiting.emplace_back(operand, false);
    }
    return m_known.at(wanted.value);
}

base::Result<Datum> StageValues::State::made(const lowering::Recipe& recipe, int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest)
        return unknown({}, "its recipe is nested too deep");
    if (const auto found = m_made.find(&recipe); found != m_made.end())
        return found->second;
    std::vector<Datum> inputs;
    for (const lowering::Recipe::Operand& operand : recipe.operands) {
        if (!operand.value.isValid() && !operand.recipe) {
            inputs.emplace_back();
            continue;
        }
        auto datum =
            operand.value.isValid() ? captured(operand.value) : made(*operand.recipe, depth + 1);
        if (!datum)
            return datum;
        inputs.push_back(*std::move(datum));
    }
    Operation operation;
    operation.op = recipe.op;
    operation.name = "a prepared constant";
    operation.attributes = &recipe.attributes;
    operation.tensors = &m_captured.tensors;
    auto results = evaluate(operation, inputs, m_evaluation);
    if (!results)
        return results.error();
    if (results->empty())
        return unknown({}, "its recipe gives nothing");
    return m_made[&recipe] = (*results)[0];
}

/// In the shape that the stage declares.
base::Result<Datum> StageValues::State::shaped(Datum datum, const lowering::Value& value) const {
    if (datum.kind != Datum::Kind::Tensor || !value.shape || datum.tensor.shape() == *value.shape)
        return datum;
    if (count(*value.shape) != datum.tensor.size())
        return base::Error{base::ErrorCode::InvalidArgument,
            "The stage declares another number of elements than the value has; bind the sizes that "
            "the inputs have.",
            value.name};
    datum.tensor = datum.tensor.reshaped(*value.shape);
    return datum;
}

base::Result<Datum> StageValues::State::contents(const lowering::Value& value) {
    if (value.recipe) {
        auto datum = made(*value.recipe, 0);
        return datum ? shaped(*std::move(datum), value) : datum;
    }
    if (value.source.isValid()) {
        auto datum = captured(value.source);
        if (datum || !value.fill)
            return datum ? shaped(*std::move(datum), value) : datum;
    }
    if (value.fill) {
        const Extents shape = value.shape.value_or(Extents{});
        constexpr std::int64_t kMost = std::int64_t(1) << 31;
        const auto elements = count(shape);
        if (!elements || *elements > kMost)
            return base::Error{base::ErrorCode::Limit, "The constant is too large.", value.name};
        return Datum(filled(value.dtype, shape, *value.fill, *elements));
    }
    // A constant without elements.
    if (value.shape && count(*value.shape) == 0)
        return Datum(filled(value.dtype, *value.shape, 0, 0));
    return unknown(value.name, "lowering made it without saying how");
}

base::Result<Datum> StageValues::State::of(lowering::ValueId id) {
    if (!id.isValid() || !m_graph.values.contains(id))
        return unknown({}, "there is no such value");
    if (const auto found = m_stage.find(id.value); found != m_stage.end())
        return found->second;
    const lowering::Value& value = m_graph.values[id];
    for (const lowering::LoopRole& role : value.loopRoles)
        if (role.kind == lowering::LoopRole::Kind::Counts)
            return Datum(Tensor::scalar(ir::DType::Int64, 0));
    auto datum = contents(value);
    if (datum)
        m_stage[id.value] = *datum;
    return datum;
}

StageValues::StageValues(const Subject& subject, const lowering::StageGraph& graph,
    const Inputs& inputs, const RungOptions& options)
    : m_state(std::make_unique<State>(subject, graph, inputs, options, diagnostics)) { }

StageValues::~StageValues() = default;

base::Result<Datum> StageValues::of(lowering::ValueId value) {
    return m_state->of(value);
}

base::Result<Datum> StageValues::captured(ir::ValueId value) {
    return m_state->captured(value);
}

} // namespace fivefold::numerics
