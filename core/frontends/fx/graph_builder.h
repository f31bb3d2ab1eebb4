// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/frontends/fx/annotation.h"
#include "core/frontends/fx/operators.h"

#include <unordered_map>
#include <unordered_set>

namespace fivefold::frontends::fx {

/// Builds the graph of parsed text. Bad references are diagnostics: an unknown name gives an
/// omitted operand.
class GraphBuilder {
public:
    GraphBuilder(const Module& module, ir::Graph& graph, base::Diagnostics& diagnostics,
        const base::Progress& progress);
    /// Fails when cancelled or past a limit.
    base::Result<base::Done> build();

private:
    friend class NodeBuilder;

    /// What a name of the text stands for.
    struct Named {
        ir::ValueId value;
        ir::NodeId producer; ///< of a call with several results; getitem takes them apart
        std::size_t gap = 0; ///< see CallContext::setOutputGap
        const Module* module = nullptr; ///< a body: self.true_graph_0
    };
    struct Scope { ///< of one forward function
        const Module& module;
        ir::BlockId block;
        std::unordered_map<std::string, Named> names;
        std::unordered_map<std::string, std::string> annotations; ///< from lines without a value
    };

    void buildModule(Scope& scope);
    void addParameters(Scope& scope);
    Annotation annotationOf(const std::string& name, const std::string& text);
    ir::ValueId addInput(Scope& scope, const std::string& name, const std::string& annotation);
    void addStatement(Scope& scope, const Statement& statement);
    void addAttribute(Scope& scope, const Target& target, const std::string& path);
    void addGetitem(Scope& scope, const Statement& statement);
    void addCall(Scope& scope, const Statement& statement);
    void addUnpacked(Scope& scope, const Statement& statement);
    void addReturn(Scope& scope, const Expr& value);
    void addHigherOrder(Scope& scope, const Expr& call, ir::NodeId node);
    ir::BlockId addBody(const Module& module, ir::NodeId owner, const std::string& role,
        std::unordered_map<std::string, Named> captured, bool hasInputs);

    /// The module that the stack trace above a line names ("L__self___layer1"); the root where
    /// none.
    ir::ScopeId scopeOf(const std::string& comment);
    ir::NodeId addNode(Scope& scope, ir::Node node);
    ir::ValueId addValue(
        const std::string& name, const Annotation& type, ir::ValueOrigin origin, ir::BlockId block);
    ir::ValueId addInitializer(ir::TensorData data, ir::BlockId block);
    /// The output of a node that result `index` is; outputs grow as needed.
    ir::ValueId outputAt(const Named& named, std::size_t index);
    std::string uniqueName(const std::string& wanted);
    const Named* find(const Scope& scope, const std::string& name) const;
    void collectValues(Scope& scope, const Expr& expr, std::vector<ir::ValueId>& values);
    void setUsers();

    const Module& m_module;
    ir::Graph& m_graph;
    base::Diagnostics& m_diagnostics;
    const base::Progress& m_progress;
    std::unordered_set<std::string> m_nodeNames;
    std::optional<base::Error> m_error;
    int m_depth = 0;
    std::unordered_map<std::string, ir::ScopeId> m_scopes;
    ir::ScopeId m_currentScope = ir::Graph::rootScope();
};

} // namespace fivefold::frontends::fx
