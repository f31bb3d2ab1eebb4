// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/result.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::tests {

namespace proto = ::fivefold::onnx;

/// TensorProto.DataType codes.
enum Code {
    kFloat = 1,
    kUint8 = 2,
    kInt8 = 3,
    kInt32 = 6,
    kInt64 = 7,
    kText = 8,
    kBool = 9,
    kFloat16 = 10,
    kBfloat16 = 16,
    kFloat8E8M0 = 24,
    kInt4 = 22,
};

// Parts of a model. Shapes: −1 leaves a dimension unnamed.
proto::ModelProto emptyModel(std::int64_t opset = 17, std::int64_t irVersion = 8);
proto::NodeProto* addNode(proto::GraphProto& graph, const std::string& op,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::string& name = {});
proto::NodeProto* addNode(proto::FunctionProto& function, const std::string& op,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::string& name = {});
void setTensorType(proto::ValueInfoProto& info, const std::string& name, int code,
    const std::vector<std::int64_t>& shape);
void addInput(proto::GraphProto& graph, const std::string& name,
    const std::vector<std::int64_t>& shape = {2, 3}, int code = kFloat);
void addOutput(proto::GraphProto& graph, const std::string& name,
    const std::vector<std::int64_t>& shape = {2, 3}, int code = kFloat);
proto::TensorProto* addInitializer(proto::GraphProto& graph, const std::string& name,
    const std::vector<std::int64_t>& dims, int code = kFloat);
/// A float initialiser with raw values 0, 1, 2, …
proto::TensorProto* addFloats(
    proto::GraphProto& graph, const std::string& name, const std::vector<std::int64_t>& dims);
proto::AttributeProto* addAttribute(proto::NodeProto& node, const std::string& name, int type);
proto::AttributeProto* addInteger(
    proto::NodeProto& node, const std::string& name, std::int64_t value);
/// The graph of a new attribute of kind GRAPH.
proto::GraphProto* addBody(proto::NodeProto& node, const std::string& name);
void addExternal(proto::TensorProto& tensor, const std::string& location, std::int64_t offset = 0,
    std::int64_t length = -1);
proto::FunctionProto* addFunction(proto::ModelProto& model, const std::string& domain,
    const std::string& name, const std::vector<std::string>& inputs,
    const std::vector<std::string>& outputs, const std::string& overload = {});
void importOpset(proto::ModelProto& model, const std::string& domain, std::int64_t version);

/// What opening gave.
struct Opened {
    base::Result<std::shared_ptr<const ir::Graph>> result =
        base::Error{base::ErrorCode::NotFound, "not opened", {}};
    base::Diagnostics diagnostics;

    bool isOk() const { return result.isOk(); }
    const ir::Graph& graph() const { return **result; }
    std::string message() const { return result.isOk() ? std::string() : result.error().text(); }
};

/// Opens bytes as a model at a path that need not exist.
Opened readBytes(std::string_view bytes, const std::filesystem::path& path = "model.onnx");
Opened readModel(const proto::ModelProto& model, const std::filesystem::path& path = "model.onnx");
Opened openFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, std::string_view bytes);

// Look-ups; an invalid id where there is none.
ir::NodeId nodeNamed(const ir::Graph& graph, std::string_view name);
ir::NodeId nodeOf(const ir::Graph& graph, std::string_view sourceOp);
/// The first value of that name in that block.
ir::ValueId valueNamed(
    const ir::Graph& graph, std::string_view name, ir::BlockId block = ir::Graph::mainBlock());
/// True when ids point inside their tables, users and producers agree, names of nodes are unique,
/// and every block, scope and node stands where it says. The first broken rule, or empty.
std::string brokenInvariant(const ir::Graph& graph);

} // namespace fivefold::tests
