// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/search.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace fivefold::views::graph {

namespace {

constexpr std::int64_t kAnySize = -1;

QString operatorName(const ir::Node& node) {
    if (!node.sourceOp.empty())
        return QString::fromStdString(node.sourceOp);
    const std::string_view name = ir::name(node.op);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

bool matchesOperator(const ir::Node& node, const QString& word) {
    if (word == QLatin1String("*"))
        return true;
    const std::string_view canonical = ir::name(node.op);
    return operatorName(node).compare(word, Qt::CaseInsensitive) == 0
        || word.compare(QLatin1String(canonical.data(), static_cast<qsizetype>(canonical.size())),
               Qt::CaseInsensitive)
        == 0;
}

std::optional<std::vector<std::int64_t>> parseShape(const QString& query) {
    static const QRegularExpression separator(QStringLiteral("\\s*[x×X,]\\s*"));
    const QStringList parts = query.trimmed().split(separator);
    if (parts.size() < 2)
        return std::nullopt;
    std::vector<std::int64_t> shape;
    for (const QString& part : parts) {
        bool isNumber = false;
        const qlonglong extent = part.toLongLong(&isNumber);
        if (part == QLatin1String("?") || part == QLatin1String("*"))
            shape.push_back(kAnySize);
        else if (isNumber && extent >= 0)
            shape.push_back(extent);
        else
            return std::nullopt;
    }
    return shape;
}

/// True where the wanted sizes stand next to each other anywhere in the shape.
bool matchesShape(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& wanted) {
    for (std::size_t first = 0; first + wanted.size() <= shape.size(); ++first) {
        bool isSame = true;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            isSame &= wanted[i] == kAnySize || shape[first + i] == wanted[i];
        if (isSame)
            return true;
    }
    return false;
}

std::vector<ir::NodeId> findByShape(
    const analysis::Result& result, const std::vector<std::int64_t>& wanted) {
    std::vector<ir::NodeId> found;
    const ir::Graph& graph = result.graph();
    const auto matches = [&](ir::ValueId id) {
        if (!result.typed || !result.typed->types.contains(id) || !result.typed->types[id].shape)
            return false;
        const auto shape = ir::knownShape(*result.typed->types[id].shape);
        return shape && matchesShape(*shape, wanted);
    };
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const ir::Node& node = graph.nodes[ir::NodeId(n)];
        if (std::any_of(node.outputs.begin(), node.outputs.end(), matches)
            || std::any_of(node.inputs.begin(), node.inputs.end(), matches))
            found.push_back(ir::NodeId(n));
    }
    return found;
}

/// Nodes on paths whose operators are the steps, by two sweeps: which nodes can end a prefix, and
/// of those which lead to an end.
std::vector<ir::NodeId> findPaths(const ir::Graph& graph, const QStringList& steps) {
    const std::size_t count = graph.nodes.size();
    const auto length = static_cast<std::size_t>(steps.size());
    std::vector<std::vector<char>> ends(length, std::vector<char>(count, 0));
    const auto forEachUser = [&](std::size_t n, auto&& visit) {
        for (const ir::ValueId output : graph.nodes[ir::NodeId(n)].outputs)
            if (graph.values.contains(output))
                for (const ir::NodeId user : graph.values[output].users)
                    if (graph.nodes.contains(user))
                        visit(user);
    };
    for (std::size_t n = 0; n < count; ++n)
        ends[0][n] = matchesOperator(graph.nodes[ir::NodeId(n)], steps[0]);
    for (std::size_t s = 1; s < length; ++s)
        for (std::size_t n = 0; n < count; ++n)
            if (ends[s - 1][n])
                forEachUser(n, [&](ir::NodeId user) {
                    if (matchesOperator(graph.nodes[user], steps[static_cast<qsizetype>(s)]))
                        ends[s][user.index()] = 1;
                });
    for (std::size_t s = length - 1; s-- > 0;)
        for (std::size_t n = 0; n < count; ++n) {
            bool leads = false;
            if (ends[s][n])
                forEachUser(n, [&](ir::NodeId user) { leads |= ends[s + 1][user.index()] != 0; });
            ends[s][n] = leads;
        }
    std::vector<ir::NodeId> found;
    for (std::size_t n = 0; n < count; ++n)
        if (std::any_of(ends.begin(), ends.end(), [n](const auto& step) { return step[n] != 0; }))
            found.push_back(ir::NodeId(n));
    return found;
}

} // namespace

std::vector<ir::NodeId> findNodes(const analysis::Result& result, const QString& query) {
    const QString wanted = query.trimmed();
    if (wanted.isEmpty() || !result.request.model || !result.request.model->graph)
        return {};
    const ir::Graph& graph = result.graph();
    QString path = wanted;
    path.replace(QStringLiteral("->"), QStringLiteral("→"));
    if (path.contains(QChar(0x2192))) {
        QStringList steps = path.split(QChar(0x2192));
        for (QString& step : steps)
            step = step.trimmed();
        steps.removeAll(QString());
        return steps.isEmpty() ? std::vector<ir::NodeId>() : findPaths(graph, steps);
    }
    if (const auto shape = parseShape(wanted))
        return findByShape(result, *shape);
    std::vector<ir::NodeId> found;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const ir::Node& node = graph.nodes[ir::NodeId(n)];
        if (QString::fromStdString(node.name).contains(wanted, Qt::CaseInsensitive)
            || operatorName(node).contains(wanted, Qt::CaseInsensitive))
            found.push_back(ir::NodeId(n));
    }
    return found;
}

} // namespace fivefold::views::graph
