// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/graph_builder.h"

#include "core/frontends/onnx/operators.h"
#include "core/frontends/onnx/value_types.h"

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

/// Declared types of a graph or function by value name; outputs win over value_info.
template <typename Source>
void collectTypes(
    const Source& infos, std::unordered_map<std::string_view, const proto::TypeProto*>& types) {
    for (const proto::ValueInfoProto& info : infos)
        if (info.has_type())
            types[info.name()] = &info.type();
}

ir::ValueType typeOfTensor(const ir::TensorData& tensor) {
    ir::ValueType type;
    type.kind = tensor.isSparse() ? ir::ValueKind::SparseTensor : ir::ValueKind::Tensor;
    type.dtype = tensor.dtype;
    type.shape.emplace();
    for (const std::int64_t dim : tensor.shape)
        type.shape->emplace_back(dim);
    return type;
}

} // namespace

GraphBuilder::GraphBuilder(const proto::ModelProto& model, const std::filesystem::path& path,
    ir::Graph& graph, base::Diagnostics& diagnostics, const base::Progress& progress)
    : m_model(model)
    , m_path(path)
    , m_graph(graph)
    , m_diagnostics(diagnostics)
    , m_progress(progress)
    , m_tensors(graph.tensors, path, diagnostics)
    , m_scopes(graph) { }

bool GraphBuilder::build() {
    setInfo();
    indexFunctions();
    buildMain();
    setUsers();
    return !m_isCancelled;
}

void GraphBuilder::setInfo() {
    ir::ModelInfo& info = m_graph.info;
    info.format = "onnx";
    info.producer = m_model.producer_name();
    if (!m_model.producer_version().empty())
        info.producer += (info.producer.empty() ? "" : " ") + m_model.producer_version();
    info.irVersion = m_model.ir_version();
    info.graphName = m_model.graph().name();
    info.documentation =
        m_model.doc_string().empty() ? m_model.graph().doc_string() : m_model.doc_string();
    for (const auto& opset : m_model.opset_import())
        info.opsets.push_back({std::string(normalisedDomain(opset.domain())), opset.version()});
    for (const auto& entry : m_model.graph().metadata_props())
        info.metadata[entry.key()] = entry.value();
    for (const auto& entry : m_model.metadata_props())
        info.metadata[entry.key()] = entry.value();
    info.path = m_path.string();
    if (m_model.training_info_size() > 0)
        m_diagnostics.info("onnx.training_info", {},
            "The model carries " + std::to_string(m_model.training_info_size())
                + " training algorithms; only its inference graph is shown.");
}

void GraphBuilder::buildMain() {
    const proto::GraphProto& source = m_model.graph();
    NameTable names;
    Place place;
    const auto nodes = static_cast<std::size_t>(source.node_size());
    const auto values =
        nodes + static_cast<std::size_t>(source.initializer_size() + source.input_size());
    names.reserve(values);
    m_nodeNames.reserve(nodes);
    m_graph.nodes.reserve(nodes);
    m_graph.values.reserve(values);
    place.block = m_graph.blocks.add({source.name(), {}, "main", {}, {}, {}, {}});
    place.names = &names;
    place.base = ir::Graph::rootScope();
    place.root = ir::Graph::rootScope();
    buildGraph(source, place);
}

void GraphBuilder::buildGraph(const proto::GraphProto& source, Place& place) {
    addInitializers(source, place);
    addInputs(source, place);
    TypeByName types;
    collectTypes(source.value_info(), types);
    collectTypes(source.output(), types);
    addNodes(source.node(), types, place);
    for (const auto& output : source.output())
        addOutput(output.name(), output.has_type() ? &output.type() : nullptr, place);
}

ir::ValueId GraphBuilder::addValue(
    std::string_view name, ir::ValueType type, ir::ValueOrigin origin, ir::BlockId block) {
    ir::Value value;
    value.name = name;
    value.declared = std::move(type);
    value.origin = origin;
    value.block = block;
    return m_graph.values.add(std::move(value));
}

void GraphBuilder::addInitializers(const proto::GraphProto& source, Place& place) {
    const auto add = [&](ir::TensorId tensor, std::string_view name) {
        const ir::ValueId value = addValue(
            name, typeOfTensor(m_graph.tensors[tensor]), ir::ValueOrigin::Initializer, place.block);
        m_graph.values[value].data = tensor;
        m_graph.blocks[place.block].initializers.push_back(value);
        if (name.empty())
            return m_diagnostics.warn("onnx.empty_name", {},
                "An initializer has no name, so no node can read it.", "Export the model again.");
        if (!place.names->define(name, value, NameTable::kBeforeNodes))
            m_diagnostics.warn("onnx.duplicate_value", std::string(name),
                "Two initializers have this name; the last one is used.",
                "Export the model again.");
    };
    for (const auto& tensor : source.initializer())
        add(m_tensors.add(tensor, {}), tensor.name());
    for (const auto& tensor : source.sparse_initializer())
        add(m_tensors.add(tensor, {}), tensor.values().name());
}

void GraphBuilder::addInputs(const proto::GraphProto& source, Place& place) {
    const bool isMain = place.block == ir::Graph::mainBlock();
    std::unordered_set<std::string_view> seen;
    for (const auto& input : source.input()) {
        // Models of IR version 3 list their initialisers among the inputs; later ones may, as
        // defaults.
        if (isMain && place.names->hasOwn(input.name()) && !seen.contains(input.name()))
            continue;
        const auto value =
            addValue(input.name(), valueType(input.type(), input.name(), m_diagnostics),
                ir::ValueOrigin::BlockInput, place.block);
        m_graph.blocks[place.block].inputs.push_back(value);
        if (!seen.insert(input.name()).second)
            m_diagnostics.warn("onnx.duplicate_value", input.name(),
                "Two inputs have this name; the last one is used.", "Export the model again.");
        place.names->define(input.name(), value, NameTable::kBeforeNodes);
    }
}

std::vector<ir::ValueId> GraphBuilder::defineOutputs(
    const NodeList& nodes, const TypeByName& types, Place& place) {
    std::vector<ir::ValueId> outputs;
    for (int i = 0; i < nodes.size(); ++i) {
        for (int k = 0; k < nodes[i].output_size(); ++k) {
            const std::string& name = nodes[i].output(k);
            if (name.empty()) {
                outputs.emplace_back();
                continue;
            }
            ir::ValueType type;
            if (const auto found = types.find(name); found != types.end())
                type = valueType(*found->second, name, m_diagnostics);
            const auto value =
                addValue(name, std::move(type), ir::ValueOrigin::NodeOutput, place.block);
            m_graph.values[value].outputIndex = static_cast<std::uint32_t>(k);
            outputs.push_back(value);
            if (!place.names->define(name, value, i))
                m_diagnostics.warn("onnx.duplicate_value", name,
                    "More than one node, input or initializer defines this name; each reader takes "
                    "the "
                    "last definition before it.",
                    "Export the model again with unique names.");
        }
    }
    return outputs;
}

void GraphBuilder::addNodes(const NodeList& nodes, const TypeByName& types, Place& place) {
    const std::vector<ir::ValueId> outputs = defineOutputs(nodes, types, place);
    std::size_t firstOutput = 0;
    for (int i = 0; i < nodes.size() && !m_isCancelled; ++i) {
        place.names->setPosition(i);
        addNode(nodes[i], i, outputs.data() + firstOutput, place);
        firstOutput += static_cast<std::size_t>(nodes[i].output_size());
        if (place.depth == 0 && i % 1024 == 0)
            m_progress.report("graph", static_cast<double>(i) / nodes.size());
        m_isCancelled = m_isCancelled || (i % 1024 == 0 && m_progress.isCancelled());
    }
    place.names->setPosition(nodes.size());
}

void GraphBuilder::addOutput(std::string_view name, const proto::TypeProto* type, Place& place) {
    ir::ValueType declared;
    if (type)
        declared = valueType(*type, name, m_diagnostics);
    const auto found = place.names->find(name);
    if (found && *found) {
        ir::Value& value = m_graph.values[*found];
        if (value.block == place.block && value.declared == ir::ValueType())
            value.declared = std::move(declared);
        m_graph.blocks[place.block].outputs.push_back(*found);
        return;
    }
    m_diagnostics.warn("onnx.undefined_value", std::string(name),
        "An output of \"" + m_graph.blocks[place.block].name + "\" is defined by no node.",
        "Export the model again.");
    m_graph.blocks[place.block].outputs.push_back(
        addValue(name, std::move(declared), ir::ValueOrigin::BlockInput, place.block));
}

void GraphBuilder::setUsers() {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        for (const ir::ValueId input : m_graph.nodes[ir::NodeId(i)].inputs)
            if (input)
                m_graph.values[input].users.emplace_back(i);
}

} // namespace fivefold::frontends::onnx
