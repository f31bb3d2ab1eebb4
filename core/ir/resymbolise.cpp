// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/resymbolise.h"

#include "core/ir/resymbolise_pass.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace fivefold::ir {

namespace {

using freeing::Place;

base::Error refused(std::string sentence, const std::string& where) {
    return {base::ErrorCode::Unsupported, std::move(sentence), where};
}

bool isFixedAxis(const Value& value, std::size_t axis) {
    return !value.data.isValid() && value.declared.kind == ValueKind::Tensor && value.declared.shape
        && axis < value.declared.shape->size() && (*value.declared.shape)[axis].isKnown()
        && (*value.declared.shape)[axis].value() > 0;
}

/// A name that nothing in the graph has.
std::string freeName(const Graph& graph, const std::string& wanted) {
    std::set<std::string> taken;
    for (const FreeSymbol& symbol : freeSymbols(graph))
        taken.insert(symbol.name);
    for (const ValueId id : graph.main().inputs)
        taken.insert(graph.values[id].name);
    std::string name = wanted;
    while (taken.contains(name))
        name += '_';
    return name;
}

FreeAxis candidateAt(
    const Graph& graph, ValueId input, std::size_t axis, const std::string& symbol) {
    FreeAxis candidate;
    candidate.symbol = freeName(graph, symbol);
    candidate.inputs = {{input, axis}};
    candidate.size = (*graph.values[input].declared.shape)[axis].value();
    return candidate;
}

/// Whether an input is read as a parameter: the right factor of a product, a filter, a table that
/// is looked up, the scale of a normalisation; also behind a transposition.
bool isParameter(const Graph& graph, ValueId id) {
    for (const NodeId user : graph.values[id].users) {
        const Node& node = graph.nodes[user];
        const auto at = std::find(node.inputs.begin(), node.inputs.end(), id);
        const auto operand = at - node.inputs.begin();
        switch (node.op) {
        case Op::Transpose:
        case Op::Identity:
        case Op::Cast:
            if (!node.outputs.empty() && graph.values.contains(node.outputs[0])
                && isParameter(graph, node.outputs[0]))
                return true;
            break;
        case Op::Gather:
            if (operand == 0 && node.attributes.integer("axis", 0) == 0)
                return true;
            break;
        case Op::Conv:
        case Op::ConvTranspose:
        case Op::Gemm:
        case Op::MatMul:
        case Op::LayerNormalization:
        case Op::BatchNormalization:
        case Op::GroupNormalization:
            if (operand >= 1)
                return true;
            break;
        default:
            break;
        }
    }
    return false;
}

/// The input that carries the data: the first of rank 2 or more that is no parameter.
ValueId dataInput(const Graph& graph) {
    ValueId first;
    for (const ValueId id : graph.main().inputs) {
        const Value& value = graph.values[id];
        if (value.data.isValid() || value.declared.kind != ValueKind::Tensor
            || !value.declared.shape || value.declared.shape->size() < 2)
            continue;
        if (!isParameter(graph, id))
            return id;
        if (!first.isValid())
            first = id;
    }
    return first;
}

using Findings = std::set<std::string>;

Findings findings(const base::Diagnostics& diagnostics) {
    Findings result;
    for (const base::Diagnostic& each : diagnostics.entries())
        result.insert(each.code + '\n' + each.node);
    return result;
}

/// Compares a freed graph with the file's at given sizes.
class Proof {
public:
    Proof(const std::shared_ptr<const Graph>& file, std::shared_ptr<const Graph> freed,
        const freeing::Plan& plan, const FreeAxis& axis, const base::Progress& progress)
        : m_file(file)
        , m_freed(std::move(freed))
        , m_plan(plan)
        , m_axis(axis)
        , m_progress(progress) { }

    base::Result<base::Done> run() {
        // Other free symbols stand for numbers of no importance.
        std::int64_t next = 5;
        for (const FreeSymbol& symbol : freeSymbols(*m_file))
            m_options.bindings.dims[symbol.name] = next++;
        base::Diagnostics diagnostics;
        auto typed = infer(m_file, m_options, diagnostics, m_progress);
        if (!typed)
            return typed.error();
        m_typed = *std::move(typed);
        m_known = findings(diagnostics);
        for (const std::int64_t size : sizes())
            if (auto proved = at(size); !proved)
                return proved.error();
        return base::Done();
    }

private:
    std::vector<std::int64_t> sizes() const {
        std::vector<std::int64_t> result{m_axis.size};
        const auto add = [&](std::int64_t size) {
            if (size >= m_plan.smallest && (m_plan.largest == 0 || size <= m_plan.largest)
                && std::find(result.begin(), result.end(), size) == result.end())
                result.push_back(size);
        };
        constexpr std::int64_t kStep = 5; // no multiple of it: chance equalities differ
        add(m_axis.size + 1);
        add(m_axis.size + kStep + m_axis.size / 2);
        if (result.size() < 3)
            add(m_axis.size - 1);
        if (result.size() < 3)
            add(m_axis.size / 2);
        return result;
    }

    base::Error wrong(std::int64_t size, const std::string& name, const std::string& what) const {
        return refused(
            "At " + m_axis.symbol + " = " + std::to_string(size) + " \"" + name + "\" " + what,
            m_axis.symbol);
    }

    base::Result<base::Done> at(std::int64_t size) const {
        InferenceOptions options = m_options;
        options.bindings.dims[m_axis.symbol] = size;
        base::Diagnostics diagnostics;
        const auto typed = infer(m_freed, options, diagnostics, m_progress);
        if (!typed)
            return typed.error();
        for (const base::Diagnostic& each : diagnostics.entries())
            if (!m_known.contains(each.code + '\n' + each.node))
                return wrong(size, each.node, "does not fit: " + each.message);
        for (std::size_t i = 0; i < m_file->values.size(); ++i)
            if (auto same = checkValue(size, ValueId(i), typed->types[ValueId(i)]); !same)
                return same.error();
        return base::Done();
    }

    base::Result<base::Done> checkValue(
        std::int64_t size, ValueId id, const ValueType& type) const {
        const ValueType& file = m_typed.types[id];
        const auto name = [&] {
            const Value& value = m_file->values[id];
            return value.name.empty() && m_file->nodes.contains(value.producer)
                ? m_file->nodes[value.producer].name
                : value.name;
        };
        const auto text = [](const ValueType& t) {
            return t.shape ? toText(*t.shape) : std::string("unknown");
        };
        if (size == m_axis.size) {
            if (type == file)
                return base::Done();
            return wrong(size, name(),
                "would have the shape " + text(type) + ", where the file has " + text(file) + ".");
        }
        if (!file.shape)
            return base::Done();
        if (!type.shape || type.shape->size() != file.shape->size() || type.dtype != file.dtype
            || (knownShape(*file.shape) && !knownShape(*type.shape)))
            return wrong(size, name(), "would have the shape " + text(type) + ".");
        const auto& symbolic = m_plan.types[id].shape;
        auto dims = m_options.bindings.dims;
        dims[m_axis.symbol] = size;
        for (std::size_t i = 0; symbolic && i < symbolic->size(); ++i) {
            const Dim expected = inference::resolveDim(dims, (*symbolic)[i]);
            if (expected.isKnown() && (*type.shape)[i].isKnown()
                && !isSame(expected, (*type.shape)[i]))
                return wrong(size, name(),
                    "would have the shape " + text(type) + ", not " + toText(*symbolic) + ".");
        }
        return base::Done();
    }

    std::shared_ptr<const Graph> m_file, m_freed;
    const freeing::Plan& m_plan;
    const FreeAxis& m_axis;
    const base::Progress& m_progress;
    InferenceOptions m_options;
    Typed m_typed;
    Findings m_known;
};

struct Freed {
    std::shared_ptr<const Graph> graph;
    freeing::Plan plan;
};

base::Result<Freed> freeAxis(const std::shared_ptr<const Graph>& graph, const FreeAxis& axis,
    const base::Progress& progress) {
    const Place place = axis.inputs.front();
    auto plan = freeing::planFreeing(graph, place, axis.symbol, progress);
    if (!plan)
        return plan.error();
    Freed freed{freeing::carryOut(*graph, *plan, axis.symbol), *std::move(plan)};
    if (auto proved = Proof(graph, freed.graph, freed.plan, axis, progress).run(); !proved)
        return proved.error();
    return freed;
}

} // namespace

std::vector<FreeAxis> freeAxisCandidates(const Graph& graph) {
    std::vector<FreeAxis> candidates;
    if (graph.blocks.empty())
        return candidates;
    const ValueId id = dataInput(graph);
    if (!id.isValid())
        return candidates;
    const Value& value = graph.values[id];
    const std::size_t rank = value.declared.shape->size();
    if (isFixedAxis(value, 0))
        candidates.push_back(candidateAt(graph, id, 0, "batch"));
    const bool isTokens = rank == 2 && isInteger(value.declared.dtype);
    const std::string first = (*value.declared.shape)[0].text();
    const bool isTimeFirst =
        first.find("seq") != std::string::npos || first.find("time") != std::string::npos;
    if ((isTokens || rank == 3) && isFixedAxis(value, 1))
        candidates.push_back(candidateAt(graph, id, 1, isTimeFirst ? "batch" : "sequence"));
    return candidates;
}

std::vector<FreeAxis> ownAxes(
    const std::shared_ptr<const Graph>& graph, const base::Progress& progress) {
    std::vector<FreeAxis> axes;
    const auto symbols = freeSymbols(*graph);
    if (symbols.empty())
        return axes;
    std::vector<inference::SizeDemand> demands;
    inference::Hooks hooks;
    hooks.afterNode = [&](inference::State& state, NodeId) {
        for (; !state.demands.empty(); state.demands.pop_back())
            demands.push_back(state.demands.back());
    };
    base::Diagnostics diagnostics;
    inference::inferHooked(graph, {}, diagnostics, progress, hooks);
    std::map<std::string, std::int64_t> sizes;
    for (const FreeSymbol& symbol : symbols)
        sizes[symbol.name] = 1;
    for (const FreeSymbol& symbol : symbols) {
        FreeAxis axis;
        axis.symbol = symbol.name;
        for (const auto& [input, at] : symbol.places)
            axis.inputs.emplace_back(input, static_cast<std::size_t>(at));
        axis.isProved = true;
        axis.largest = freeing::largestSize(demands, symbol.name, 1, sizes);
        axes.push_back(std::move(axis));
    }
    return axes;
}

FreeAxis tryAxis(
    const std::shared_ptr<const Graph>& graph, FreeAxis candidate, const base::Progress& progress) {
    const auto freed = freeAxis(graph, candidate, progress);
    candidate.isProved = static_cast<bool>(freed);
    if (freed) {
        candidate.reason.clear();
        candidate.inputs = freed->plan.places;
        candidate.smallest = freed->plan.smallest;
        candidate.largest = freed->plan.largest;
    } else {
        candidate.reason = freed.error().message;
    }
    return candidate;
}

std::vector<FreeAxis> freeAxes(
    const std::shared_ptr<const Graph>& graph, const base::Progress& progress) {
    std::vector<FreeAxis> axes;
    for (const FreeAxis& candidate : freeAxisCandidates(*graph)) {
        FreeAxis tried = tryAxis(graph, candidate, progress);
        if (progress.isCancelled())
            break;
        axes.push_back(std::move(tried));
    }
    return axes;
}

base::Result<std::shared_ptr<const Graph>> resymbolise(const std::shared_ptr<const Graph>& graph,
    const FreeAxis& axis, const base::Progress& progress) {
    if (!axis.isProved)
        return refused(axis.reason, axis.symbol);
    auto freed = freeAxis(graph, axis, progress);
    if (!freed)
        return freed.error();
    return std::move(freed->graph);
}

namespace {

/// "NAME=NUMBER"; nullopt for anything else, which addBinding then explains.
std::optional<std::pair<std::string, std::int64_t>> parsed(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return std::nullopt;
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, number);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return std::pair(text.substr(0, equals), number);
}

/// The fixed axis that a name means: "batch", "sequence", or "INPUT.AXIS".
std::optional<FreeAxis> fixedAxis(const Graph& graph, const std::string& name) {
    const auto candidates = freeAxisCandidates(graph);
    for (const FreeAxis& candidate : candidates)
        if (candidate.symbol == name)
            return candidate;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos)
        return std::nullopt;
    const std::string digits = name.substr(dot + 1);
    if (digits.empty() || digits.size() > 3
        || digits.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    const std::size_t axis = std::stoul(digits);
    for (const ValueId id : graph.main().inputs) {
        if (graph.values[id].name != name.substr(0, dot) || !isFixedAxis(graph.values[id], axis))
            continue;
        for (const FreeAxis& candidate : candidates)
            if (candidate.inputs.front() == Place{id, axis})
                return candidate;
        std::string symbol = name;
        for (char& c : symbol)
            if (!std::isalnum(static_cast<unsigned char>(c)))
                c = '_';
        if (std::isdigit(static_cast<unsigned char>(symbol.front())))
            symbol.insert(symbol.begin(), '_');
        return candidateAt(graph, id, axis, symbol);
    }
    return std::nullopt;
}

base::Result<base::Done> bindFixed(
    BoundGraph& bound, FreeAxis axis, std::int64_t size, const base::Progress& progress) {
    if (size == axis.size)
        return base::Done();
    if (size <= 0)
        return base::Error{base::ErrorCode::InvalidArgument,
            "The size of \"" + axis.symbol + "\" has to be 1 or more.", "--bind"};
    auto freed = freeAxis(bound.graph, axis, progress);
    if (!freed) {
        if (freed.error().code == base::ErrorCode::Cancelled)
            return freed.error();
        return base::Error{base::ErrorCode::InvalidArgument,
            "The file fixes \"" + axis.symbol + "\" at " + std::to_string(axis.size)
                + ", and it cannot be changed: " + freed.error().message,
            "--bind"};
    }
    const std::int64_t largest = freed->plan.largest;
    if (size < freed->plan.smallest || (largest > 0 && size > largest))
        return base::Error{base::ErrorCode::InvalidArgument,
            "The model takes \"" + axis.symbol + "\" "
                + (size < freed->plan.smallest ? "from " + std::to_string(freed->plan.smallest)
                                               : "up to " + std::to_string(largest))
                + " only.",
            "--bind"};
    bound.graph = std::move(freed->graph);
    bound.bindings.dims[axis.symbol] = size;
    return base::Done();
}

} // namespace

base::Result<BoundGraph> bindSizes(const std::shared_ptr<const Graph>& graph,
    const std::vector<std::string>& texts, const base::Progress& progress) {
    BoundGraph bound{graph, {}};
    for (const std::string& text : texts) {
        const auto binding = parsed(text);
        const auto axis =
            binding && !graph->blocks.empty() ? fixedAxis(*graph, binding->first) : std::nullopt;
        if (!axis) {
            if (auto added = addBinding(bound.bindings, *bound.graph, text); !added)
                return added.error();
            continue;
        }
        const auto& [input, at] = axis->inputs.front();
        const Dim& now = (*bound.graph->values[input].declared.shape)[at];
        if (now.isSymbolic()) {
            const std::string symbol = now.text();
            const auto given = bound.bindings.dims.find(symbol);
            if (given != bound.bindings.dims.end() && given->second != binding->second)
                return base::Error{base::ErrorCode::InvalidArgument,
                    "\"" + binding->first + "\" is the same size as \"" + symbol + "\", which is "
                        + std::to_string(given->second) + ".",
                    "--bind"};
            continue;
        }
        if (auto set = bindFixed(bound, *axis, binding->second, progress); !set)
            return set.error();
    }
    return bound;
}

} // namespace fivefold::ir
