// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/matching.h"

#include "core/compare/names.h"
#include "core/compare/value_order.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace fivefold::compare {

namespace {

using ir::ValueId;
using Shape = std::vector<std::int64_t>;

std::optional<Shape> knownShape(const ir::Typed& typed, ValueId value) {
    const auto& shape = typed.types[value].shape;
    if (!shape)
        return std::nullopt;
    Shape sizes;
    for (const ir::Dim& dim : *shape) {
        const auto size = dim.known();
        if (!size)
            return std::nullopt;
        sizes.push_back(*size);
    }
    return sizes;
}

/// The one order of axes that makes `from` into `to`; empty where they are equal already, or where
/// there is none or more than one.
std::vector<std::int64_t> permutationOf(const Shape& from, const Shape& to) {
    if (from == to || from.size() != to.size() || !std::ranges::is_permutation(from, to))
        return {};
    std::vector<std::int64_t> axes;
    for (const std::int64_t size : to) {
        const auto at = std::ranges::find(from, size);
        if (at == from.end() || std::ranges::count(from, size) != 1)
            return {};
        axes.push_back(at - from.begin());
    }
    return axes;
}

/// Works down the ladder: each rule takes what the rules above it left.
class Matcher {
public:
    Matcher(const Dump& dump, const ir::Typed& typed, const MatchEdits& edits)
        : m_dump(dump)
        , m_typed(typed)
        , m_graph(*typed.graph)
        , m_edits(edits)
        , m_order(valueOrder(m_graph))
        , m_rank(m_graph.values.size(), std::uint32_t(0))
        , m_isTaken(m_graph.values.size(), std::uint8_t(0))
        , m_isDone(dump.entries().size(), 0) {
        for (std::size_t i = 0; i < m_order.size(); ++i)
            m_rank[m_order[i]] = static_cast<std::uint32_t>(i);
        for (const ValueId value : m_order)
            m_byName.emplace(m_graph.values[value].name, value);
    }

    Matching run() {
        byEdits();
        byExactName();
        byCalls();
        byModules();
        byNormalisedName();
        if (!usesModelNames()) {
            byShape();
            byPosition();
        }
        return finish();
    }

private:
    const std::string& key(std::size_t entry) const { return m_dump.entries()[entry].name; }

    bool fits(std::size_t entry, ValueId value) const {
        const auto shape = knownShape(m_typed, value);
        const Shape& stored = m_dump.entries()[entry].shape;
        return !shape || *shape == stored || !permutationOf(stored, *shape).empty();
    }

    void take(std::size_t entry, ValueId value, MatchRule rule) {
        m_isDone[entry] = 1;
        m_isTaken[value] = 1;
        Match match{key(entry), value, rule, {}};
        if (const auto shape = knownShape(m_typed, value))
            match.permutation = permutationOf(m_dump.entries()[entry].shape, *shape);
        m_matching.matches.push_back(std::move(match));
    }

    /// Half of the keys are the model's own names: the others are what a compiler made in between,
    /// whatever their shape.
    bool usesModelNames() const {
        const auto exact =
            std::ranges::count(m_matching.matches, MatchRule::ExactName, &Match::rule);
        return 2 * exact >= static_cast<std::ptrdiff_t>(m_isDone.size());
    }

    void byEdits() {
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            const auto edit = m_edits.find(key(i));
            if (edit == m_edits.end())
                continue;
            m_isDone[i] = 1;
            if (edit->second.empty()) {
                m_unmatchedByUser.insert(i);
                continue;
            }
            if (const auto value = m_byName.find(edit->second); value != m_byName.end())
                take(i, value->second, MatchRule::UserMap);
            else
                m_matching.notes.push_back("The model has no value \"" + edit->second
                    + "\" that the key \"" + key(i) + "\" is mapped to; give one of its names.");
        }
    }

    void byExactName() {
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            const auto value = m_byName.find(key(i));
            if (!m_isDone[i] && value != m_byName.end() && !m_isTaken[value->second])
                take(i, value->second, MatchRule::ExactName);
        }
    }

    /// API calls of msprobe, k-th call to k-th operator of that kind, where there are as many.
    void byCalls() {
        std::map<std::string, std::vector<std::pair<std::int64_t, std::size_t>>> calls;
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            const auto call = parseCall(key(i));
            if (!m_isDone[i] && call && call->isOutput && call->index == 0 && !call->isModule)
                calls[call->kind].push_back({call->number, i});
        }
        for (auto& [kind, list] : calls) {
            std::ranges::sort(list);
            const auto values = outputsOf(kind);
            if (values.size() != list.size())
                continue;
            for (std::size_t k = 0; k < list.size(); ++k) {
                if (!m_isTaken[values[k]] && fits(list[k].second, values[k]))
                    take(list[k].second, values[k], MatchRule::CallPath);
            }
        }
    }

    std::vector<ValueId> outputsOf(const std::string& kind) const {
        const std::string wanted = operatorOfCall(kind);
        std::vector<ValueId> values;
        for (const ValueId value : m_order) {
            const ir::Value& facts = m_graph.values[value];
            if (!facts.producer.isValid() || facts.outputIndex != 0)
                continue;
            const ir::Node& node = m_graph.nodes[facts.producer];
            if (normalised(ir::name(node.op)) == wanted || normalised(node.sourceOp) == wanted)
                values.push_back(value);
        }
        return values;
    }

    /// Keys that are module paths ("layers.0.mlp") stand for what leaves that scope.
    void byModules() {
        std::unordered_map<std::string, ValueId> leaving;
        bool isBuilt = false;
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            if (m_isDone[i])
                continue;
            const std::string path = modulePath(key(i));
            if (path.empty())
                continue;
            if (!isBuilt)
                leaving = moduleOutputs();
            isBuilt = true;
            const auto value = leaving.find(path);
            if (value != leaving.end() && value->second.isValid() && !m_isTaken[value->second]
                && fits(i, value->second))
                take(i, value->second, MatchRule::CallPath);
        }
    }

    bool isInside(ir::ScopeId scope, ir::ScopeId outer) const {
        while (scope.isValid() && scope != outer)
            scope = m_graph.scopes[scope].parent;
        return scope == outer;
    }

    /// Scope path → the one value that nodes outside of it read; invalid where there are several.
    std::unordered_map<std::string, ValueId> moduleOutputs() const {
        std::unordered_map<std::string, ValueId> result;
        const auto& outputs = m_graph.main().outputs;
        for (const ValueId value : m_order) {
            const ir::Value& facts = m_graph.values[value];
            if (!facts.producer.isValid())
                continue;
            const bool isResult = std::ranges::find(outputs, value) != outputs.end();
            for (ir::ScopeId scope = m_graph.nodes[facts.producer].scope;
                 scope.isValid() && scope != ir::Graph::rootScope();
                 scope = m_graph.scopes[scope].parent) {
                const bool leaves =
                    isResult || std::ranges::any_of(facts.users, [&](ir::NodeId user) {
                        return !isInside(m_graph.nodes[user].scope, scope);
                    });
                if (!leaves)
                    break;
                const auto [at, isNew] = result.emplace(m_graph.scopes[scope].path, value);
                if (!isNew && at->second != value)
                    at->second = ValueId();
            }
        }
        return result;
    }

    void byNormalisedName() {
        std::unordered_map<std::string, ValueId> values;
        for (const ValueId value : m_order) {
            if (m_isTaken[value])
                continue;
            const auto [at, isNew] = values.emplace(normalised(m_graph.values[value].name), value);
            if (!isNew)
                at->second = ValueId(); // two of one name: neither
        }
        std::unordered_map<std::string, int> keys;
        for (std::size_t i = 0; i < m_isDone.size(); ++i)
            keys[normalised(key(i))] += m_isDone[i] ? 0 : 1;
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            const std::string name = normalised(key(i));
            const auto value = values.find(name);
            if (!m_isDone[i] && keys[name] == 1 && value != values.end() && value->second.isValid()
                && !m_isTaken[value->second] && fits(i, value->second))
                take(i, value->second, MatchRule::NormalisedName);
        }
    }

    /// What is left, by shape: keys in file order, values in topological order.
    std::map<Shape, std::pair<std::vector<std::size_t>, std::vector<ValueId>>> leftByShape() const {
        std::map<Shape, std::pair<std::vector<std::size_t>, std::vector<ValueId>>> left;
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            if (!m_isDone[i] && m_dump.entries()[i].hasContents)
                left[m_dump.entries()[i].shape].first.push_back(i);
        }
        for (const ValueId value : m_order) {
            const ir::Value& facts = m_graph.values[value];
            const bool isResult =
                facts.producer.isValid() && m_graph.nodes[facts.producer].op != ir::Op::Constant;
            if (m_isTaken[value] || !isResult)
                continue;
            if (const auto shape = knownShape(m_typed, value); shape && left.contains(*shape))
                left[*shape].second.push_back(value);
        }
        return left;
    }

    /// One key and one value of a shape that nothing else has.
    void byShape() {
        for (const auto& [shape, pair] : leftByShape()) {
            if (pair.first.size() == 1 && pair.second.size() == 1 && !shape.empty())
                take(pair.first[0], pair.second[0], MatchRule::Structure);
        }
    }

    void byPosition() {
        std::size_t count = 0;
        for (const auto& [shape, pair] : leftByShape()) {
            if (pair.first.size() != pair.second.size())
                continue;
            for (std::size_t k = 0; k < pair.first.size(); ++k, ++count)
                take(pair.first[k], pair.second[k], MatchRule::Position);
        }
        if (count > 0)
            m_matching.notes.push_back(std::to_string(count)
                + " keys are matched by order and shape alone; check them, and correct them where "
                  "they are wrong.");
    }

    Matching finish() {
        for (std::size_t i = 0; i < m_isDone.size(); ++i) {
            if (!m_isDone[i] || m_unmatchedByUser.contains(i))
                m_matching.unmatchedKeys.push_back(key(i));
        }
        std::ranges::sort(m_matching.matches, {}, [&](const Match& m) { return m_rank[m.value]; });
        for (const ValueId value : m_order) {
            const ir::Value& facts = m_graph.values[value];
            if (facts.producer.isValid() && facts.block == ir::Graph::mainBlock()
                && !m_isTaken[value])
                m_matching.missing.push_back(value);
        }
        return std::move(m_matching);
    }

    const Dump& m_dump;
    const ir::Typed& m_typed;
    const ir::Graph& m_graph;
    const MatchEdits& m_edits;
    std::vector<ValueId> m_order;
    base::IdVector<ValueId, std::uint32_t> m_rank;
    base::IdVector<ValueId, std::uint8_t> m_isTaken;
    std::vector<std::uint8_t> m_isDone;
    std::set<std::size_t> m_unmatchedByUser;
    std::unordered_map<std::string, ValueId> m_byName;
    Matching m_matching;
};

} // namespace

std::string_view toString(MatchRule rule) {
    static constexpr std::string_view kNames[] = {"none", "user_map", "provenance", "exact_name",
        "call_path", "normalised_name", "structure", "position"};
    return kNames[static_cast<std::size_t>(rule)];
}

const Match* Matching::of(ir::ValueId value) const {
    const auto at = std::ranges::find(matches, value, &Match::value);
    return at == matches.end() ? nullptr : &*at;
}

Matching match(const Dump& dump, const ir::Typed& typed, const MatchEdits& edits) {
    return Matcher(dump, typed, edits).run();
}

std::vector<std::pair<std::string, std::string>> matchDumps(
    const Dump& reference, const Dump& device) {
    std::unordered_map<std::string, std::string> exact, near;
    std::set<std::string> ambiguous;
    for (const DumpEntry& entry : device.entries()) {
        exact.emplace(entry.name, entry.name);
        if (!near.emplace(normalised(entry.name), entry.name).second)
            ambiguous.insert(normalised(entry.name));
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    std::set<std::string> taken;
    for (const DumpEntry& entry : reference.entries()) {
        const std::string name = normalised(entry.name);
        auto at = exact.find(entry.name);
        if (at == exact.end()) {
            at = near.find(name);
            if (at == near.end() || ambiguous.contains(name))
                continue;
        }
        if (taken.insert(at->second).second)
            pairs.emplace_back(entry.name, at->second);
    }
    return pairs;
}

} // namespace fivefold::compare
