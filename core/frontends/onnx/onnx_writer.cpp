// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/onnx_writer.h"
#include "core/frontends/onnx/dtypes.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

/// AttributeProto.AttributeType of the ONNX format.
enum AttributeType {
    kFloat = 1,
    kInt,
    kString,
    kTensor,
    kGraph,
    kFloats,
    kInts,
    kStrings,
    kTensors
};

constexpr int kLastTypeCode = 26; ///< INT2
constexpr int kDeepest = 64; ///< bodies in bodies
/// The format is one protobuf message: 2 GiB, and a little for everything but weights.
constexpr std::uint64_t kLargest = (std::uint64_t(2) << 30) - (std::uint64_t(16) << 20);

std::optional<int> codeOf(ir::DType dtype) {
    for (int code = 1; code <= kLastTypeCode; ++code)
        if (dtypeOfCode(code) == dtype)
            return code;
    return std::nullopt;
}

/// What has no place in the attributes of a file: the readers' own notes.
bool isNote(std::string_view name) {
    return name == "channels_last";
}

class Writer {
public:
    explicit Writer(const ir::Typed& typed)
        : m_typed(typed)
        , m_graph(*typed.graph) { }

    base::Result<proto::ModelProto> model() {
        proto::ModelProto model;
        model.set_ir_version(std::clamp<std::int64_t>(m_graph.info.irVersion, 4, 10));
        model.set_producer_name("fivefold");
        for (const ir::OpsetImport& opset : m_graph.info.opsets) {
            proto::OperatorSetIdProto* entry = model.add_opset_import();
            entry->set_domain(opset.domain);
            entry->set_version(opset.version);
        }
        if (m_graph.info.format != "onnx")
            return refuse({},
                "The graph comes from " + m_graph.info.format
                    + " and its operators have no ONNX form.");
        proto::GraphProto& graph = *model.mutable_graph();
        graph.set_name(m_graph.info.graphName.empty() ? "graph" : m_graph.info.graphName);
        if (auto error = write(graph, ir::Graph::mainBlock(), 0))
            return *error;
        return model;
    }

private:
    using Failure = std::optional<base::Error>;

    static base::Error refuse(const std::string& where, std::string sentence) {
        return {base::ErrorCode::Unsupported, std::move(sentence), where};
    }

    /// The model's own name; values without one, and later ones of the same name, get a number.
    const std::string& nameOf(ir::ValueId id) {
        std::string& name = m_names[id];
        if (!name.empty())
            return name;
        const std::string& own = m_graph.values[id].name;
        name = own.empty() ? "value_" + std::to_string(id.index()) : own;
        while (!m_used.insert(name).second)
            name += "_" + std::to_string(id.index());
        return name;
    }

    void setType(proto::ValueInfoProto& info, ir::ValueId id) {
        info.set_name(nameOf(id));
        const ir::ValueType& type =
            id.index() < m_typed.types.size() ? m_typed.types[id] : m_graph.values[id].declared;
        const auto code = codeOf(type.dtype);
        if (!code || type.kind == ir::ValueKind::Map || type.kind == ir::ValueKind::SparseTensor)
            return;
        proto::TypeProto* target = info.mutable_type();
        if (type.kind == ir::ValueKind::Sequence)
            target = target->mutable_sequence_type()->mutable_elem_type();
        else if (type.kind == ir::ValueKind::Optional)
            target = target->mutable_optional_type()->mutable_elem_type();
        proto::TypeProto::Tensor& tensor = *target->mutable_tensor_type();
        tensor.set_elem_type(*code);
        if (!type.shape)
            return;
        for (const ir::Dim& dim : *type.shape) {
            proto::TensorShapeProto::Dimension* entry = tensor.mutable_shape()->add_dim();
            if (dim.isKnown())
                entry->set_dim_value(dim.value());
            else if (dim.isSymbolic())
                entry->set_dim_param(dim.text());
        }
        tensor.mutable_shape();
    }

    Failure setTensor(proto::TensorProto& target, ir::TensorId id, const std::string& name) {
        const ir::TensorData& data = m_graph.tensors[id];
        const auto code = codeOf(data.dtype);
        if (!code || data.isSparse())
            return refuse(name, "A sparse tensor, or one without a type, cannot be written.");
        target.set_name(name);
        target.set_data_type(*code);
        for (const std::int64_t size : data.shape)
            target.add_dims(size);
        if (data.storage == ir::TensorStorage::Strings) {
            for (const std::string& text : data.strings)
                target.add_string_data(text);
            return {};
        }
        auto bytes = m_graph.tensors.read(id);
        if (!bytes)
            return bytes.error();
        m_bytes += bytes->size();
        if (m_bytes > kLargest)
            return base::Error{base::ErrorCode::Limit,
                "The weights are more than one ONNX file holds (2 GiB).", name};
        target.set_raw_data(bytes->data(), bytes->size());
        return {};
    }

    Failure setAttribute(
        proto::AttributeProto& target, const std::string& name, const ir::AttributeValue& value) {
        target.set_name(name);
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            target.set_type(kInt);
            target.set_i(*integer);
        } else if (const auto* number = std::get_if<double>(&value)) {
            target.set_type(kFloat);
            target.set_f(static_cast<float>(*number));
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            target.set_type(kString);
            target.set_s(*text);
        } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
            target.set_type(kInts);
            target.mutable_ints()->Add(integers->begin(), integers->end());
        } else if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
            target.set_type(kFloats);
            for (const double each : *numbers)
                target.add_floats(static_cast<float>(each));
        } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
            target.set_type(kStrings);
            for (const std::string& each : *texts)
                target.add_strings(each);
        } else if (const auto* tensor = std::get_if<ir::TensorId>(&value)) {
            target.set_type(kTensor);
            return setTensor(*target.mutable_t(), *tensor, name);
        } else {
            target.set_type(kTensors);
            for (const ir::TensorId each : std::get<std::vector<ir::TensorId>>(value))
                if (auto error = setTensor(*target.add_tensors(), each, name))
                    return error;
        }
        return {};
    }

    Failure write(proto::NodeProto& target, ir::NodeId id, int depth) {
        const ir::Node& node = m_graph.nodes[id];
        if (node.op == ir::Op::Call)
            return refuse(node.name, "A call of a function of the model cannot be written alone.");
        target.set_name(node.name);
        target.set_op_type(node.sourceOp);
        target.set_domain(node.domain);
        for (const ir::ValueId input : node.inputs)
            target.add_input(input.isValid() ? nameOf(input) : std::string());
        for (const ir::ValueId output : node.outputs)
            target.add_output(output.isValid() ? nameOf(output) : std::string());
        for (const auto& [name, value] : node.attributes)
            if (!isNote(name))
                if (auto error = setAttribute(*target.add_attribute(), name, value))
                    return error;
        for (const ir::BlockId block : node.blocks) {
            proto::AttributeProto& body = *target.add_attribute();
            body.set_name(m_graph.blocks[block].role);
            body.set_type(kGraph);
            body.mutable_g()->set_name(node.name + "/" + m_graph.blocks[block].role);
            if (auto error = write(*body.mutable_g(), block, depth + 1))
                return error;
        }
        return {};
    }

    Failure write(proto::GraphProto& target, ir::BlockId id, int depth) {
        if (depth > kDeepest)
            return refuse({}, "Bodies lie more than 64 deep in each other.");
        const ir::Block& block = m_graph.blocks[id];
        for (const ir::ValueId input : block.inputs)
            if (input.isValid())
                setType(*target.add_input(), input);
        for (const ir::ValueId output : block.outputs)
            if (output.isValid())
                setType(*target.add_output(), output);
        for (const ir::ValueId value : block.initializers)
            if (auto error =
                    setTensor(*target.add_initializer(), m_graph.values[value].data, nameOf(value)))
                return error;
        for (const ir::NodeId node : block.nodes)
            if (auto error = write(*target.add_node(), node, depth))
                return error;
        return {};
    }

    const ir::Typed& m_typed;
    const ir::Graph& m_graph;
    std::map<ir::ValueId, std::string> m_names;
    std::set<std::string> m_used;
    std::uint64_t m_bytes = 0;
};

} // namespace

base::Result<base::Done> writeModel(const ir::Typed& typed, const std::filesystem::path& path) {
    auto model = Writer(typed).model();
    if (!model)
        return model.error();
    std::filesystem::path draft = path;
    draft += ".part";
    std::error_code failure;
    {
        std::ofstream file(draft, std::ios::binary);
        if (!file || !model->SerializeToOstream(&file) || !file.flush()) {
            std::filesystem::remove(draft, failure);
            return base::Error{base::ErrorCode::Unreadable,
                "The model cannot be written; is there room, and may the folder be written to?",
                path.string()};
        }
    }
    std::filesystem::rename(draft, path, failure);
    if (failure) {
        std::error_code ignored;
        std::filesystem::remove(draft, ignored);
        return base::Error{base::ErrorCode::Unreadable,
            "The model cannot be put in its place: " + failure.message() + ".", path.string()};
    }
    return base::Done{};
}

} // namespace fivefold::frontends::onnx
