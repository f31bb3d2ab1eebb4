// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/graph.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fivefold::frontends::onnx {

/// A node's name taken apart: the modules it stands in, outermost first, and its own short name.
struct SplitName {
    std::vector<std::string> modules;
    std::string shortName;
};

/// "/layer1/layer1.0/conv1/Conv" → {layer1, layer1.0, conv1}, Conv. Names without slashes are split
/// at their dots, numbers staying with the word before them: "model.layers.0.mlp.MatMul" → {model,
/// layers.0, mlp}, MatMul. At most 32 levels; deeper ones are joined into the last. A
/// name of more than 1,000 characters is not split.
SplitName splitName(std::string_view name);

/// Modules from the node metadata that PyTorch's dynamo exporter writes as a Python list of growing
/// paths: "['', 'layer1', 'layer1.0', 'layer1.0.conv1', 'conv2d_3']" → {layer1, layer1.0, conv1},
/// conv2d_3. Empty modules and name where the text is no such list.
SplitName splitNameScopes(std::string_view metadata);

/// Finds or makes the scopes of a graph. Where the paths of all scopes together would pass
/// kMaxPathBytes, no more scopes are made: what would stand in one stands in its parent.
class ScopeTree {
public:
    static constexpr std::size_t kMaxPathBytes = std::size_t(64) << 20;

    explicit ScopeTree(ir::Graph& graph);
    ir::ScopeId child(ir::ScopeId parent, const std::string& name);
    ir::ScopeId descend(ir::ScopeId from, const std::vector<std::string>& modules);

private:
    ir::Graph& m_graph;
    std::size_t m_pathBytes = 0;
    std::map<std::pair<ir::ScopeId, std::string>, ir::ScopeId> m_children;
};

} // namespace fivefold::frontends::onnx
