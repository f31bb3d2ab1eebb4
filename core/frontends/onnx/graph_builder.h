// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/frontends/onnx/name_table.h"
#include "core/frontends/onnx/scopes.h"
#include "core/frontends/onnx/tensors.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fivefold::frontends::onnx {

/// Turns a parsed (slimmed) ModelProto into an ir::Graph. One use an instance.
class GraphBuilder {
public:
    /// Nodes that calls of functions may add in all; functions that call functions can multiply
    /// without bound. The rest stay calls without a body, with a diagnostic.
    static constexpr std::int64_t kMaxInstantiatedNodes = 250'000;
    /// The same in bytes of the functions' messages: names and lists are copied into every body.
    static constexpr std::size_t kMaxInstantiatedBytes = std::size_t(256) << 20;
    /// Attributes of one node.
    static constexpr int kMaxAttributes = 4096;
    /// Blocks inside blocks, function bodies included.
    static constexpr int kMaxBlockDepth = 300;

    GraphBuilder(const ::fivefold::onnx::ModelProto& model, const std::filesystem::path& path,
        ir::Graph& graph, base::Diagnostics& diagnostics, const base::Progress& progress);

    /// False when cancelled.
    bool build();

private:
    using NodeList = google::protobuf::RepeatedPtrField<::fivefold::onnx::NodeProto>;
    using TypeByName = std::unordered_map<std::string_view, const ::fivefold::onnx::TypeProto*>;
    using OpsetByDomain = std::unordered_map<std::string_view, int>;
    using FunctionKey = std::tuple<std::string_view, std::string_view, std::string_view>;

    /// An attribute as a call passes it, and the names that a graph in it sees.
    struct Binding {
        const ::fivefold::onnx::AttributeProto* attribute = nullptr;
        const NameTable* names = nullptr;
    };
    struct Function {
        const ::fivefold::onnx::FunctionProto* message = nullptr;
        OpsetByDomain opsets;
        std::size_t bytes = 0;
    };
    /// One call of a model-local function.
    struct Call {
        const Function* function = nullptr;
        const Call* caller = nullptr; ///< null when called from outside functions
        std::map<std::string_view, Binding> attributes;
    };
    /// Where nodes are put.
    struct Place {
        ir::BlockId block;
        NameTable* names = nullptr;
        const Call* call = nullptr; ///< null outside functions
        ir::ScopeId base; ///< scope of nodes whose names say nothing
        ir::ScopeId root; ///< scope at which the paths in names begin
        std::string prefix; ///< put before names: path of the call
        std::string syntheticPrefix; ///< put before made-up names
        int depth = 0;
    };
    struct Resolved {
        const ::fivefold::onnx::AttributeProto* attribute = nullptr;
        std::string_view name;
        const NameTable* names = nullptr;
    };

    // Blocks
    void setInfo();
    void indexFunctions();
    void buildMain();
    void buildGraph(const ::fivefold::onnx::GraphProto& source, Place& place);
    void addInitializers(const ::fivefold::onnx::GraphProto& source, Place& place);
    void addInputs(const ::fivefold::onnx::GraphProto& source, Place& place);
    void addNodes(const NodeList& nodes, const TypeByName& types, Place& place);
    std::vector<ir::ValueId> defineOutputs(
        const NodeList& nodes, const TypeByName& types, Place& place);
    void addOutput(std::string_view name, const ::fivefold::onnx::TypeProto* type, Place& place);
    ir::ValueId addValue(
        std::string_view name, ir::ValueType type, ir::ValueOrigin origin, ir::BlockId block);
    void setUsers();

    // Nodes
    ir::NodeId addNode(const ::fivefold::onnx::NodeProto& source, int index,
        const ir::ValueId* outputs, Place& place);
    void setName(
        ir::Node& node, const ::fivefold::onnx::NodeProto& source, int index, const Place& place);
    void setScope(ir::NodeId id, const ::fivefold::onnx::NodeProto& source, const Place& place);
    void setOperator(ir::Node& node, const ::fivefold::onnx::NodeProto& source, const Place& place);
    void addNodeInputs(
        ir::NodeId id, const ::fivefold::onnx::NodeProto& source, const Place& place);
    /// What stands before the names inside a body: its owner's name, or a short stand-in for a long
    /// one, so that names do not grow without bound from level to level.
    static std::string boundedPrefix(const std::string& name, ir::BlockId block);
    std::string uniqueName(const std::string& wanted, bool isReported);
    int opsetVersion(std::string_view domain, const Call* call) const;
    void noteVersion(const ir::Node& node);

    // Attributes
    std::vector<Resolved> resolveAttributes(
        const ::fivefold::onnx::NodeProto& source, const std::string& node, const Place& place);
    void addAttributes(ir::NodeId id, const std::vector<Resolved>& attributes);
    void addAttribute(ir::NodeId id, const Resolved& resolved);
    void addSubgraphs(ir::NodeId id, const std::vector<Resolved>& attributes, const Place& place);
    void addSubgraph(ir::NodeId id, const ::fivefold::onnx::GraphProto& source,
        const std::string& role, const NameTable* names, const Place& place);
    void setConstant(ir::NodeId id);

    // Functions
    const Function* findFunction(const ::fivefold::onnx::NodeProto& source) const;
    void addCallBody(ir::NodeId id, const Function& function,
        const std::vector<Resolved>& attributes, const Place& place);
    bool mayExpand(const std::string& node, const Function& function, const Place& place);
    /// Books what a body inside functions adds; false, with a diagnostic, when that is too much.
    bool mayGrow(std::int64_t nodes, std::size_t bytes);
    bool isTooDeep(const std::string& node, const Place& place);
    Call bindCall(const Function& function, const std::vector<Resolved>& attributes,
        const Place& place) const;
    void addFormalInputs(
        ir::NodeId id, const ::fivefold::onnx::FunctionProto& function, Place& body);

    const ::fivefold::onnx::ModelProto& m_model;
    std::filesystem::path m_path;
    ir::Graph& m_graph;
    base::Diagnostics& m_diagnostics;
    const base::Progress& m_progress;
    Tensors m_tensors;
    ScopeTree m_scopes;
    OpsetByDomain m_opsets;
    std::map<FunctionKey, Function> m_functions;
    /// Every name given so far, with the number that its next double gets.
    std::unordered_map<std::string, std::size_t> m_nodeNames;
    std::set<std::string> m_reportedDomains;
    std::int64_t m_instantiatedNodes = 0;
    std::size_t m_instantiatedBytes = 0;
    bool m_isCancelled = false;
};

} // namespace fivefold::frontends::onnx
