// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/scopes.h"

#include <algorithm>
#include <cctype>

namespace fivefold::frontends::onnx {

namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxLength = 1000;

bool isNumber(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0)
            parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// {"layers", "0", "mlp"} → {"layers.0", "mlp"}.
std::vector<std::string> joinNumbers(const std::vector<std::string>& parts) {
    std::vector<std::string> joined;
    for (const std::string& part : parts) {
        if (!joined.empty() && isNumber(part))
            joined.back() += '.' + part;
        else
            joined.push_back(part);
    }
    return joined;
}

SplitName lastIsName(std::vector<std::string> parts) {
    SplitName result;
    if (parts.empty())
        return result;
    result.shortName = std::move(parts.back());
    parts.pop_back();
    if (parts.size() > kMaxDepth) {
        for (std::size_t i = kMaxDepth; i < parts.size(); ++i)
            parts[kMaxDepth - 1] += '/' + parts[i];
        parts.resize(kMaxDepth);
    }
    result.modules = std::move(parts);
    return result;
}

/// The strings of a Python list literal; empty where it is none.
std::vector<std::string> pythonList(std::string_view text) {
    std::vector<std::string> items;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return items;
    std::size_t at = 1;
    while (at < text.size()) {
        const std::size_t open = text.find_first_of("'\"", at);
        if (open == std::string_view::npos)
            break;
        const std::size_t close = text.find(text[open], open + 1);
        if (close == std::string_view::npos)
            return {};
        items.emplace_back(text.substr(open + 1, close - open - 1));
        at = close + 1;
    }
    return items;
}

/// The part of a module path behind its parent's: ("layer1.0.conv1", "layer1.0") → "conv1". A mere
/// number keeps the parent's last word: ("layer1.0", "layer1") → "layer1.0".
std::string relative(const std::string& path, const std::string& parent) {
    if (parent.empty() || path.size() <= parent.size() + 1 || !path.starts_with(parent + '.'))
        return path;
    const std::string rest = path.substr(parent.size() + 1);
    if (!isNumber(rest))
        return rest;
    return parent.substr(parent.rfind('.') + 1) + '.' + rest;
}

} // namespace

SplitName splitName(std::string_view name) {
    // Paddle2ONNX numbers its nodes "p2o.Conv.12": a prefix, not a module.
    if (name.starts_with("p2o.") || name.size() > kMaxLength)
        return {{}, std::string(name)};
    if (name.find('/') != std::string_view::npos)
        return lastIsName(split(name, '/'));
    return lastIsName(joinNumbers(split(name, '.')));
}

SplitName splitNameScopes(std::string_view metadata) {
    if (metadata.size() > kMaxDepth * kMaxLength)
        return {};
    const std::vector<std::string> paths = pythonList(metadata);
    if (paths.empty())
        return {};
    std::vector<std::string> parts;
    std::string parent;
    for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
        if (paths[i].empty())
            continue;
        parts.push_back(relative(paths[i], parent));
        parent = paths[i];
    }
    parts.push_back(paths.back());
    return lastIsName(std::move(parts));
}

ScopeTree::ScopeTree(ir::Graph& graph)
    : m_graph(graph) {
    if (m_graph.scopes.empty())
        m_graph.scopes.add({"", "/", {}, {}, {}});
}

ir::ScopeId ScopeTree::child(ir::ScopeId parent, const std::string& name) {
    if (const auto found = m_children.find({parent, name}); found != m_children.end())
        return found->second;
    const std::string& path = m_graph.scopes[parent].path;
    if (m_pathBytes + path.size() + name.size() > kMaxPathBytes)
        return parent;
    m_pathBytes += path.size() + name.size();
    ir::Scope scope;
    scope.name = name;
    scope.path = path + (path.ends_with('/') ? "" : "/") + name;
    scope.parent = parent;
    const ir::ScopeId id = m_graph.scopes.add(std::move(scope));
    m_children.emplace(std::pair(parent, name), id);
    m_graph.scopes[parent].children.push_back(id);
    return id;
}

ir::ScopeId ScopeTree::descend(ir::ScopeId from, const std::vector<std::string>& modules) {
    for (const std::string& module : modules)
        from = child(from, module);
    return from;
}

} // namespace fivefold::frontends::onnx
