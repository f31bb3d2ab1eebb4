// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/id.h"
#include "core/ir/attributes.h"
#include "core/ir/dim.h"
#include "core/ir/dtype.h"
#include "core/ir/operators.h"
#include "core/ir/tensor_data.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::ir {

using NodeId = base::Id<struct NodeTag>;
using ValueId = base::Id<struct ValueTag>;
using BlockId = base::Id<struct BlockTag>;
using ScopeId = base::Id<struct ScopeTag>;

enum class ValueKind : std::uint8_t { Tensor, SparseTensor, Sequence, Optional, Map };

/// What is known about a value: its container kind, element type and shape.
/// For Sequence and Optional, dtype and shape describe the element where all elements agree.
struct ValueType {
    ValueKind kind = ValueKind::Tensor;
    DType dtype = DType::Undefined;
    std::optional<Shape> shape; ///< nullopt: rank unknown

    bool operator==(const ValueType&) const = default;
};

enum class ValueOrigin : std::uint8_t {
    NodeOutput, ///< `producer` and `outputIndex` are set
    BlockInput, ///< an input of the graph or of a body
    Initializer, ///< `data` is set; a parameter or a constant of the file
};

/// An edge source: one tensor (or sequence, optional) that nodes read.
struct Value {
    std::string name; ///< the model's own name, unchanged; may be empty or duplicated in bad files
    ValueType declared; ///< as the file says; inference may know more
    /// Memory strides in elements, one a dimension, as the text of an fx graph states them ("f16[2, 3][3, 1]");
    /// nullopt where the file says nothing or a stride is symbolic.
    std::optional<std::vector<std::int64_t>> strides;
    ValueOrigin origin = ValueOrigin::BlockInput;
    NodeId producer;
    std::uint32_t outputIndex = 0;
    BlockId block; ///< the block that defines it
    TensorId data; ///< contents, for initialisers and for outputs of Constant nodes
    std::vector<NodeId> users; ///< in node order, a node once per use
};

/// One operator. Control flow and function calls own blocks (bodies).
struct Node {
    Op op = Op::Unknown;
    std::string name; ///< unique within the graph: synthesised from operator and index when the file has none
    std::string sourceOp; ///< the file's operator name ("Gemm", "FusedMatMul", "aten.addmm")
    std::string domain; ///< "" for ai.onnx, "com.microsoft", "aten"
    int version = 0; ///< opset version that the file gives for the domain; 0 when not given
    std::string overload; ///< function overload (ONNX IR 10)
    std::vector<ValueId> inputs; ///< invalid id = omitted optional input
    std::vector<ValueId> outputs; ///< invalid id = omitted output
    Attributes attributes;
    std::vector<BlockId> blocks; ///< If: then, else. Loop, Scan, SequenceMap: body. Call: function body
    BlockId block; ///< the block it stands in
    ScopeId scope; ///< module scope, from the name
    bool nameIsSynthetic = false;
};

/// A list of nodes in file order with formal inputs and outputs: the main graph (block 0), a body of
/// control flow, or the body of one call of a model-local function. Nodes may read values of enclosing
/// blocks ("captured" values) except inside function bodies.
struct Block {
    std::string name;
    NodeId owner; ///< invalid for the main graph
    std::string role; ///< "main", "then_branch", "else_branch", "body", "function"
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<NodeId> nodes; ///< file order
    std::vector<ValueId> initializers;
};

/// A module scope: "/layer1/layer1.0" holds what stands in "/layer1/layer1.0/conv1/Conv". Scope 0 is the root.
struct Scope {
    std::string name; ///< last part
    std::string path; ///< whole path with leading '/'; "/" for the root
    ScopeId parent;
    std::vector<ScopeId> children;
    std::vector<NodeId> nodes; ///< direct members only, graph order
};

struct OpsetImport {
    std::string domain;
    std::int64_t version = 0;
    bool operator==(const OpsetImport&) const = default;
};

struct ModelInfo {
    std::string format; ///< "onnx", "pt2", …
    std::string producer; ///< name and version as the file gives them
    std::int64_t irVersion = 0;
    std::string graphName;
    std::string documentation;
    std::vector<OpsetImport> opsets;
    std::map<std::string, std::string> metadata;
    std::string sha256; ///< of the file's bytes; empty until somebody asks for it
    std::string path; ///< as opened
    std::int64_t fileBytes = 0;
};

/// A captured model. One arena for all blocks: ids are unique over the whole model, so a captured
/// outer-scope value is simply a ValueId of an enclosing block. Immutable once a reader has built it.
class Graph {
public:
    ModelInfo info;
    base::IdVector<NodeId, Node> nodes;
    base::IdVector<ValueId, Value> values;
    base::IdVector<BlockId, Block> blocks; ///< block 0 is the main graph
    base::IdVector<ScopeId, Scope> scopes; ///< scope 0 is the root
    TensorStore tensors;

    static BlockId mainBlock() { return BlockId(0); }
    static ScopeId rootScope() { return ScopeId(0); }
    const Block& main() const { return blocks[mainBlock()]; }

    /// Nodes that the file itself contains: all blocks but the bodies instantiated from model-local
    /// functions (a call counts as one node).
    std::int64_t fileNodeCount() const;
    /// Elements of float or quantised initialisers and Constant nodes of rank ≥ 1, each stored tensor once.
    std::int64_t parameterCount() const;
};

} // namespace fivefold::ir
