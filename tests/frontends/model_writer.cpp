// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include "core/frontends/onnx/onnx_reader.h"

#include <fstream>
#include <set>
#include <span>

namespace fivefold::tests {

namespace {

template <typename Owner>
proto::NodeProto* fillNode(Owner& owner, const std::string& op,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::string& name) {
    proto::NodeProto* node = owner.add_node();
    node->set_op_type(op);
    for (const auto& input : inputs)
        node->add_input(input);
    for (const auto& output : outputs)
        node->add_output(output);
    if (!name.empty())
        node->set_name(name);
    return node;
}

} // namespace

proto::ModelProto emptyModel(std::int64_t opset, std::int64_t irVersion) {
    proto::ModelProto model;
    model.set_ir_version(irVersion);
    model.set_producer_name("fivefold tests");
    model.mutable_graph()->set_name("test");
    importOpset(model, "", opset);
    return model;
}

void importOpset(proto::ModelProto& model, const std::string& domain, std::int64_t version) {
    auto* opset = model.add_opset_import();
    opset->set_domain(domain);
    opset->set_version(version);
}

proto::NodeProto* addNode(proto::GraphProto& graph, const std::string& op,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::string& name) {
    return fillNode(graph, op, inputs, outputs, name);
}

proto::NodeProto* addNode(proto::FunctionProto& function, const std::string& op,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::string& name) {
    return fillNode(function, op, inputs, outputs, name);
}

void setTensorType(proto::ValueInfoProto& info, const std::string& name, int code,
    const std::vector<std::int64_t>& shape) {
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(code);
    auto* dims = tensor->mutable_shape();
    for (const std::int64_t dim : shape) {
        auto* added = dims->add_dim();
        if (dim >= 0)
            added->set_dim_value(dim);
    }
}

void addInput(proto::GraphProto& graph, const std::string& name,
    const std::vector<std::int64_t>& shape, int code) {
    setTensorType(*graph.add_input(), name, code, shape);
}

void addOutput(proto::GraphProto& graph, const std::string& name,
    const std::vector<std::int64_t>& shape, int code) {
    setTensorType(*graph.add_output(), name, code, shape);
}

proto::TensorProto* addInitializer(proto::GraphProto& graph, const std::string& name,
    const std::vector<std::int64_t>& dims, int code) {
    auto* tensor = graph.add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(code);
    for (const std::int64_t dim : dims)
        tensor->add_dims(dim);
    return tensor;
}

proto::TensorProto* addFloats(
    proto::GraphProto& graph, const std::string& name, const std::vector<std::int64_t>& dims) {
    auto* tensor = addInitializer(graph, name, dims);
    std::int64_t elements = 1;
    for (const std::int64_t dim : dims)
        elements *= dim;
    std::string raw;
    for (std::int64_t i = 0; i < elements; ++i) {
        const auto value = static_cast<float>(i);
        raw.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    tensor->set_raw_data(raw);
    return tensor;
}

proto::AttributeProto* addAttribute(proto::NodeProto& node, const std::string& name, int type) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(type);
    return attribute;
}

proto::AttributeProto* addInteger(
    proto::NodeProto& node, const std::string& name, std::int64_t value) {
    auto* attribute = addAttribute(node, name, 2);
    attribute->set_i(value);
    return attribute;
}

proto::GraphProto* addBody(proto::NodeProto& node, const std::string& name) {
    auto* graph = addAttribute(node, name, 5)->mutable_g();
    graph->set_name(name);
    return graph;
}

void addExternal(proto::TensorProto& tensor, const std::string& location, std::int64_t offset,
    std::int64_t length) {
    const auto add = [&](const std::string& key, const std::string& value) {
        auto* entry = tensor.add_external_data();
        entry->set_key(key);
        entry->set_value(value);
    };
    tensor.set_data_location(1);
    add("location", location);
    if (offset != 0)
        add("offset", std::to_string(offset));
    if (length >= 0)
        add("length", std::to_string(length));
}

proto::FunctionProto* addFunction(proto::ModelProto& model, const std::string& domain,
    const std::string& name, const std::vector<std::string>& inputs,
    const std::vector<std::string>& outputs, const std::string& overload) {
    auto* function = model.add_functions();
    function->set_domain(domain);
    function->set_name(name);
    if (!overload.empty())
        function->set_overload(overload);
    for (const auto& input : inputs)
        function->add_input(input);
    for (const auto& output : outputs)
        function->add_output(output);
    return function;
}

Opened readBytes(std::string_view bytes, const std::filesystem::path& path) {
    Opened opened;
    opened.result = frontends::onnx::readModel(
        std::as_bytes(std::span(bytes.data(), bytes.size())), path, opened.diagnostics);
    return opened;
}

Opened readModel(const proto::ModelProto& model, const std::filesystem::path& path) {
    return readBytes(model.SerializeAsString(), path);
}

Opened openFile(const std::filesystem::path& path) {
    Opened opened;
    opened.result = frontends::open(path, opened.diagnostics);
    return opened;
}

void writeFile(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

ir::NodeId nodeNamed(const ir::Graph& graph, std::string_view name) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == name)
            return ir::NodeId(i);
    return {};
}

ir::NodeId nodeOf(const ir::Graph& graph, std::string_view sourceOp) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].sourceOp == sourceOp)
            return ir::NodeId(i);
    return {};
}

ir::ValueId valueNamed(const ir::Graph& graph, std::string_view name, ir::BlockId block) {
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        if (graph.values[ir::ValueId(i)].name == name
            && graph.values[ir::ValueId(i)].block == block)
            return ir::ValueId(i);
    return {};
}

namespace {

std::string brokenNode(const ir::Graph& graph, ir::NodeId id) {
    const ir::Node& node = graph.nodes[id];
    for (const ir::ValueId input : node.inputs)
        if (input && !graph.values.contains(input))
            return "an input id is out of range";
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        const ir::ValueId output = node.outputs[k];
        if (!output)
            continue;
        if (!graph.values.contains(output))
            return "an output id is out of range";
        const ir::Value& value = graph.values[output];
        if (value.producer != id || value.outputIndex != k || value.block != node.block)
            return "an output does not know its producer";
    }
    if (!graph.blocks.contains(node.block) || !graph.scopes.contains(node.scope))
        return "a node has no block or scope";
    for (const ir::BlockId block : node.blocks)
        if (!graph.blocks.contains(block) || graph.blocks[block].owner != id)
            return "a body does not know its owner";
    return {};
}

/// Blocks that a block may read from: itself and, up to a function body, those around it.
bool isVisible(const ir::Graph& graph, ir::BlockId from, ir::BlockId block) {
    for (;;) {
        if (from == block)
            return true;
        const ir::Block& inner = graph.blocks[from];
        if (!inner.owner || graph.nodes[inner.owner].op == ir::Op::Call)
            return false;
        from = graph.nodes[inner.owner].block;
    }
}

} // namespace

std::string brokenInvariant(const ir::Graph& graph) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const ir::NodeId id(i);
        if (const std::string broken = brokenNode(graph, id); !broken.empty())
            return graph.nodes[id].name + ": " + broken;
        if (!names.insert(graph.nodes[id].name).second)
            return "two nodes are named " + graph.nodes[id].name;
        for (const ir::ValueId input : graph.nodes[id].inputs)
            if (input && !isVisible(graph, graph.nodes[id].block, graph.values[input].block))
                return graph.nodes[id].name + " reads a value of a block that it cannot see";
    }
    std::size_t members = 0;
    for (const ir::Block& block : graph.blocks) {
        members += block.nodes.size();
        for (const auto& list : {block.inputs, block.outputs, block.initializers})
            for (const ir::ValueId value : list)
                if (!graph.values.contains(value))
                    return "a block lists a value that does not exist";
    }
    std::size_t scoped = 0;
    for (const ir::Scope& scope : graph.scopes)
        scoped += scope.nodes.size();
    if (members != graph.nodes.size() || scoped != graph.nodes.size())
        return "a node is in no block or scope, or in several";
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        const ir::Value& value = graph.values[ir::ValueId(v)];
        for (const ir::NodeId user : value.users)
            if (!graph.nodes.contains(user))
                return "a user does not exist";
        if (value.data && value.data.index() >= graph.tensors.size())
            return "a tensor does not exist";
    }
    return {};
}

} // namespace fivefold::tests
