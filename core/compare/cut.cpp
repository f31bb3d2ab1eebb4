// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/cut.h"

#include "core/ir/element_codec.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace fivefold::compare {

namespace {

using numerics::Tensor;

base::Error missing(const std::string& value, std::string sentence) {
    return {base::ErrorCode::NotFound, std::move(sentence), value};
}

/// Collects nodes backwards from the origin until every value is given.
class Cutter {
public:
    Cutter(const numerics::Subject& subject, const Side& device, const numerics::Inputs& inputs,
        const CutChoice& choice)
        : m_choice(choice)
        , m_subject(subject)
        , m_graph(subject.graph())
        , m_device(*device.repeats.front())
        , m_matching(match(m_device, *subject.typed, device.edits))
        , m_inputs(inputs) { }

    base::Result<Cut> cut(ir::NodeId origin) {
        m_origin = origin;
        std::vector<ir::NodeId> open = m_choice.also;
        open.push_back(origin);
        while (!open.empty()) {
            const ir::NodeId id = open.back();
            open.pop_back();
            if (!m_nodes.insert(id).second)
                continue;
            if (m_nodes.size() > kMostNodes)
                return missing(m_graph.nodes[origin].name,
                    "More than " + std::to_string(kMostNodes)
                        + " operators lie between the layer and the values that were dumped. "
                          "Dump its inputs as well.");
            const ir::Node& node = m_graph.nodes[id];
            if (!node.blocks.empty())
                return base::Error{base::ErrorCode::Unsupported,
                    "An operator with a body cannot be cut out alone.", node.name};
            for (const ir::ValueId input : node.inputs) {
                if (!input.isValid() || isGiven(input))
                    continue;
                auto next = find(input);
                if (!next)
                    return next.error();
                if (next->isValid())
                    open.push_back(*next);
            }
        }
        for (const ir::NodeId id : m_nodes) // ids of a block are in file order
            m_cut.nodes.push_back(id);
        if (m_choice.isOriginInside)
            addEnds(origin);
        else
            for (const ir::ValueId output : m_graph.nodes[origin].outputs)
                if (output.isValid())
                    m_cut.outputs.push_back(output);
        for (const ir::NodeId id : m_choice.also)
            addEnds(id);
        return std::move(m_cut);
    }

private:
    /// Results that nothing in the cut reads: whoever reads the origin is not left out as dead.
    void addEnds(ir::NodeId id) {
        for (const ir::ValueId output : m_graph.nodes[id].outputs) {
            if (!output.isValid())
                continue;
            const auto& users = m_graph.values[output].users;
            if (std::none_of(users.begin(), users.end(),
                    [&](ir::NodeId user) { return m_nodes.contains(user); }))
                m_cut.outputs.push_back(output);
        }
    }

    bool isGiven(ir::ValueId id) const {
        return m_cut.inputs.contains(id) || m_cut.constants.contains(id);
    }

    /// Takes the value from where it is known; the node that makes it where it is not.
    base::Result<ir::NodeId> find(ir::ValueId id) {
        const ir::Value& value = m_graph.values[id];
        const bool isConstant = value.data.isValid()
            || (id.index() < m_subject.typed->isConstant.size()
                && m_subject.typed->isConstant[id] != 0);
        if (isConstant)
            return constant(id);
        if ((value.producer == m_origin
                || std::find(m_choice.also.begin(), m_choice.also.end(), value.producer)
                    != m_choice.also.end())
            && value.origin == ir::ValueOrigin::NodeOutput)
            return value.producer;
        if (const Match* found = id == m_choice.asGiven ? nullptr : m_matching.of(id))
            if (const auto entry = m_device.find(found->key);
                entry && m_device.entries()[*entry].hasContents && found->permutation.empty()) {
                auto tensor = m_device.read(*entry);
                if (!tensor)
                    return tensor.error();
                m_cut.inputs[id] = tensor->carried<double>();
                return ir::NodeId();
            }
        if (value.origin == ir::ValueOrigin::NodeOutput)
            return value.producer;
        return input(id);
    }

    base::Result<ir::NodeId> input(ir::ValueId id) {
        const std::string& name = m_graph.values[id].name;
        const auto& formals = m_graph.main().inputs;
        const auto place = std::find(formals.begin(), formals.end(), id) - formals.begin();
        for (const std::string& key : {name, std::to_string(place)})
            if (const auto found = m_inputs.find(key); found != m_inputs.end()) {
                m_cut.inputs[id] = found->second.tensor.carried<double>();
                return ir::NodeId();
            }
        return missing(name, "The contents of this input are not known. Give --inputs.");
    }

    base::Result<ir::NodeId> constant(ir::ValueId id) {
        base::Diagnostics diagnostics;
        const ir::Value& value = m_graph.values[id];
        if (value.data.isValid()) {
            auto tensor = m_subject.weights->of(id, numerics::Carrier::Double, diagnostics);
            if (!tensor)
                return tensor.error();
            m_cut.constants[id] = *tensor;
            return ir::NodeId();
        }
        numerics::RunOptions options;
        options.only = makersOf(id);
        auto run = numerics::run(*m_subject.typed, {}, *m_subject.weights, options);
        if (!run)
            return run.error();
        const auto found = run->values.find(id);
        if (found == run->values.end() || !found->second.tensor.isDefined())
            return missing(value.name, "This constant cannot be computed here.");
        m_cut.constants[id] = found->second.tensor;
        return ir::NodeId();
    }

    std::vector<ir::NodeId> makersOf(ir::ValueId id) const {
        std::set<ir::NodeId> makers;
        std::vector<ir::ValueId> open{id};
        while (!open.empty()) {
            const ir::Value& value = m_graph.values[open.back()];
            open.pop_back();
            if (value.origin != ir::ValueOrigin::NodeOutput || !value.producer.isValid()
                || !makers.insert(value.producer).second)
                continue;
            for (const ir::ValueId input : m_graph.nodes[value.producer].inputs)
                if (input.isValid())
                    open.push_back(input);
        }
        return {makers.begin(), makers.end()};
    }

    const CutChoice& m_choice;
    const numerics::Subject& m_subject;
    const ir::Graph& m_graph;
    const Dump& m_device;
    Matching m_matching;
    const numerics::Inputs& m_inputs;
    std::set<ir::NodeId> m_nodes;
    ir::NodeId m_origin;
    Cut m_cut;
};

/// The bit pattern of a value that the format holds exactly; formats of 16 bits or fewer.
std::uint64_t smallFloatBits(ir::DType dtype, double value) {
    const int bits = ir::bitWidth(dtype);
    const std::uint32_t last = (std::uint32_t(1) << bits) - 1;
    // Decoding is monotonic over the magnitudes: the positive half is searched.
    const std::uint32_t sign = std::signbit(value) ? std::uint32_t(1) << (bits - 1) : 0;
    if (std::isnan(value)) {
        for (std::uint32_t pattern = last >> 1; pattern > 0; --pattern)
            if (std::isnan(ir::decodeSmallFloat(dtype, pattern)))
                return pattern;
        return last;
    }
    std::uint32_t low = 0, high = last >> 1;
    const double magnitude = std::abs(value);
    while (low < high) {
        const std::uint32_t middle = low + (high - low + 1) / 2;
        const double there = ir::decodeSmallFloat(dtype, middle);
        if (std::isnan(there) || there > magnitude)
            high = middle - 1;
        else
            low = middle;
    }
    const double below = ir::decodeSmallFloat(dtype, low);
    const double above = low < (last >> 1) ? ir::decodeSmallFloat(dtype, low + 1) : below;
    const bool isUp = !std::isnan(above)
        && (magnitude - below > above - magnitude
            || (magnitude - below == above - magnitude && (low & 1) != 0));
    return sign | (isUp && above > below ? low + 1 : low);
}

template <typename T> std::uint64_t bitsOf(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

std::uint64_t bitsOf(const Tensor& tensor, std::int64_t at) {
    const ir::DType dtype = tensor.dtype();
    if (!ir::isFloat(dtype))
        return static_cast<std::uint64_t>(tensor.integer(at));
    if (dtype == ir::DType::Float64)
        return bitsOf(tensor.number(at));
    if (dtype == ir::DType::Float32)
        return bitsOf(static_cast<float>(tensor.number(at)));
    return smallFloatBits(dtype, tensor.number(at));
}

/// Builds the cut's model value by value and node by node.
class GraphMaker {
public:
    GraphMaker(const ir::Graph& model, const Cut& cut)
        : m_model(model)
        , m_cut(cut) { }

    std::shared_ptr<const ir::Graph> make() {
        m_graph->info = m_model.info;
        m_graph->info.sha256.clear();
        m_graph->info.path.clear();
        m_graph->info.graphName = "reproducer";
        m_graph->blocks.add({});
        main().role = "main";
        m_graph->scopes.add({"", "/", {}, {}, {}});
        for (const auto& [id, tensor] : m_cut.inputs)
            addInput(id, tensor);
        for (const auto& [id, tensor] : m_cut.constants)
            addConstant(id, tensor);
        for (const ir::NodeId id : m_cut.nodes)
            addNode(id);
        for (const ir::ValueId output : m_cut.outputs)
            main().outputs.push_back(m_values.at(output));
        return m_graph;
    }

private:
    ir::Block& main() { return m_graph->blocks[ir::Graph::mainBlock()]; }

    ir::ValueId add(ir::ValueId from, ir::ValueOrigin origin) {
        ir::Value value;
        value.name = m_model.values[from].name;
        value.declared = m_model.values[from].declared;
        value.origin = origin;
        value.block = ir::Graph::mainBlock();
        return m_values[from] = m_graph->values.add(std::move(value));
    }

    void declare(ir::ValueId id, const Tensor& tensor, ir::DType dtype) {
        m_graph->values[id].declared = {
            ir::ValueKind::Tensor, dtype, ir::Shape(tensor.shape().begin(), tensor.shape().end())};
    }

    void addInput(ir::ValueId from, const Tensor& tensor) {
        const ir::ValueId id = add(from, ir::ValueOrigin::BlockInput);
        const ir::DType own = m_model.values[from].declared.dtype;
        const bool isFloat = ir::isFloat(tensor.dtype());
        declare(id, tensor,
            !isFloat               ? tensor.dtype()
                : ir::isFloat(own) ? own
                                   : ir::DType::Float32);
        main().inputs.push_back(id);
    }

    void addConstant(ir::ValueId from, const Tensor& tensor) {
        const ir::ValueId id = add(from, ir::ValueOrigin::Initializer);
        declare(id, tensor, tensor.dtype());
        ir::TensorData data;
        data.name = m_graph->values[id].name;
        data.dtype = tensor.dtype();
        data.shape = tensor.shape();
        data.storage = ir::TensorStorage::Inline;
        data.bytes = packed(tensor);
        m_graph->values[id].data = m_graph->tensors.add(std::move(data));
        main().initializers.push_back(id);
    }

    void addNode(ir::NodeId from) {
        ir::Node node = m_model.nodes[from];
        node.block = ir::Graph::mainBlock();
        node.scope = ir::Graph::rootScope();
        const ir::NodeId id(m_graph->nodes.size());
        for (ir::ValueId& input : node.inputs)
            if (input.isValid()) {
                input = m_values.at(input);
                m_graph->values[input].users.push_back(id);
            }
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            if (node.outputs[i].isValid()) {
                const ir::ValueId made = add(node.outputs[i], ir::ValueOrigin::NodeOutput);
                ir::Value& value = m_graph->values[made];
                value.declared.shape.reset(); // the cut's own sizes are inferred
                value.producer = id;
                value.outputIndex = static_cast<std::uint32_t>(i);
                node.outputs[i] = made;
            }
        node.attributes = copied(node.attributes);
        m_graph->nodes.add(std::move(node));
        main().nodes.push_back(id);
        m_graph->scopes[ir::Graph::rootScope()].nodes.push_back(id);
    }

    /// Tensors of attributes come along.
    ir::Attributes copied(const ir::Attributes& from) {
        ir::Attributes attributes;
        for (const auto& [name, value] : from) {
            ir::AttributeValue copy = value;
            if (auto* tensor = std::get_if<ir::TensorId>(&copy))
                *tensor = m_graph->tensors.add(m_model.tensors[*tensor]);
            else if (auto* list = std::get_if<std::vector<ir::TensorId>>(&copy))
                for (ir::TensorId& each : *list)
                    each = m_graph->tensors.add(m_model.tensors[each]);
            attributes.set(name, std::move(copy));
        }
        return attributes;
    }

    const ir::Graph& m_model;
    const Cut& m_cut;
    std::shared_ptr<ir::Graph> m_graph = std::make_shared<ir::Graph>();
    std::map<ir::ValueId, ir::ValueId> m_values;
};

} // namespace

std::vector<std::byte> packed(const numerics::Tensor& tensor) {
    std::vector<std::byte> bytes;
    const int width = ir::bitWidth(tensor.dtype());
    if (width >= 8) {
        for (std::int64_t i = 0; i < tensor.size(); ++i)
            ir::appendPacked(bytes, tensor.dtype(), bitsOf(tensor, i));
        return bytes;
    }
    if (width == 0)
        return bytes;
    const int perByte = 8 / width;
    bytes.resize(static_cast<std::size_t>((tensor.size() + perByte - 1) / perByte));
    const std::uint64_t mask = (std::uint64_t(1) << width) - 1;
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        bytes[static_cast<std::size_t>(i / perByte)] |= static_cast<std::byte>(
            (bitsOf(tensor, i) & mask) << (width * static_cast<int>(i % perByte)));
    return bytes;
}

base::Result<Cut> cutAround(const numerics::Subject& subject, ir::NodeId origin, const Side& device,
    const numerics::Inputs& inputs) {
    return cutAround(subject, origin, device, inputs, {});
}

base::Result<Cut> cutAround(const numerics::Subject& subject, ir::NodeId origin, const Side& device,
    const numerics::Inputs& inputs, const CutChoice& choice) {
    if (!origin.isValid() || device.repeats.empty())
        return base::Error{base::ErrorCode::InvalidArgument,
            "Only a layer of the model can be cut out, not an input or an unmatched tensor.", {}};
    return Cutter(subject, device, inputs, choice).cut(origin);
}

std::shared_ptr<const ir::Graph> graphOf(const ir::Graph& model, const Cut& cut) {
    return GraphMaker(model, cut).make();
}

} // namespace fivefold::compare
