// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/reducer.h"
#include "core/compare/cut.h"
#include "core/compare/reproducer_run.h"
#include "core/compare/torch_text.h"

#include <algorithm>
#include <set>

namespace fivefold::compare {

namespace {

using numerics::Tensor;

/// Enough for three sizes an axis of a few operators; each trial lowers a graph of a few nodes.
constexpr int kMostTrials = 400;

/// One axis of one tensor that goes into the cut.
struct AxisOf {
    ir::ValueId value;
    std::size_t axis = 0;
    bool operator==(const AxisOf&) const = default;
};

/// The first `size` places along an axis.
Tensor sliced(const Tensor& tensor, std::size_t axis, std::int64_t size) {
    std::vector<std::int64_t> shape = tensor.shape();
    std::int64_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < axis ? outer : i > axis ? inner : size) *= i == axis ? 1 : shape[i];
    const std::int64_t old = shape[axis];
    shape[axis] = size;
    return std::visit(
        [&](const auto& from) {
            std::decay_t<decltype(from)> kept;
            kept.reserve(static_cast<std::size_t>(outer * size * inner));
            for (std::int64_t o = 0; o < outer; ++o) {
                const auto begin = from.begin() + o * old * inner;
                kept.insert(kept.end(), begin, begin + size * inner);
            }
            return Tensor(tensor.dtype(), shape, std::move(kept));
        },
        tensor.elements());
}

/// Sizes at which sticks and tiles of the machine fill, for all values that the cut's nodes touch.
std::set<std::int64_t> laneSizes(const numerics::Subject& subject, const Cut& cut) {
    std::set<std::int64_t> sizes;
    if (!subject.program)
        return sizes;
    std::set<ir::ValueId> touched(cut.outputs.begin(), cut.outputs.end());
    for (const auto& [id, tensor] : cut.inputs)
        touched.insert(id);
    for (const lowering::Value& value : subject.program->stage(lowering::Stage::Scheduled).values)
        if (value.layout && touched.contains(value.source))
            for (const layout::Axis& axis : value.layout->axes)
                if (axis.extent > 1 && axis.dimension >= 0
                    && (axis.role == layout::AxisRole::Lane || axis.role == layout::AxisRole::Row))
                    sizes.insert(axis.extent);
    return sizes;
}

class Reduction {
public:
    Reduction(
        const numerics::Subject& subject, const Lowerer& lower, const base::Progress& progress)
        : m_subject(subject)
        , m_lower(lower)
        , m_progress(progress) { }

    base::Result<Reproducer> run(const Divergence& divergence, std::size_t origin,
        const Side& device, const numerics::Inputs& inputs) {
        if (origin >= divergence.origins.size())
            return base::Error{base::ErrorCode::InvalidArgument, "Nothing diverges there.", {}};
        const Layer& layer = divergence.layers[divergence.origins[origin]];
        if (origin < divergence.levels.size())
            m_verdict = &divergence.levels[origin];
        const ir::NodeId node = nodeOf(layer);
        CutChoice choice;
        if (!layer.node.isValid()) // an input that went wrong on its way: cut with what was sent
            choice.asGiven = layer.value;
        auto cut = cutAround(m_subject, node, device, inputs, choice);
        if (!cut)
            return cut.error();
        m_cut = std::move(*cut);
        if (m_verdict && m_verdict->fault && !attempt(m_cut))
            widen(node, choice, device, inputs);
        note("cut " + std::to_string(m_cut.nodes.size()) + " of "
            + std::to_string(m_subject.graph().main().nodes.size())
            + " operators, fed with the device's own values");
        if (m_verdict && m_verdict->fault)
            if (auto error = shrink())
                return *error;
        return finish(layer, device, divergence);
    }

private:
    /// The node that makes the layer's value; of an input of the model the one that is to blame for
    /// reading it wrong.
    ir::NodeId nodeOf(const Layer& layer) const {
        if (layer.node.isValid() || !layer.value.isValid())
            return layer.node;
        if (m_verdict && m_verdict->fault && m_verdict->fault->node.isValid())
            return m_verdict->fault->node;
        const auto& users = m_subject.graph().values[layer.value].users;
        return users.empty() ? layer.node : users.front();
    }

    /// A mechanism may need the node's neighbours: what is cancelled with it, whose bias it takes,
    /// whose mask it is. Takes in up to two of them until the fault shows.
    void widen(
        ir::NodeId node, CutChoice choice, const Side& device, const numerics::Inputs& inputs) {
        for (const bool isInside : {false, true})
            for (const auto& also : neighbourhoods(node)) {
                if (m_trials >= kMostTrials || m_progress.isCancelled())
                    return;
                choice.also = also;
                choice.isOriginInside = isInside;
                auto cut = cutAround(m_subject, node, device, inputs, choice);
                if (!cut || cut->outputs.empty() || !attempt(*cut))
                    continue;
                m_cut = std::move(*cut);
                for (const ir::NodeId id : also)
                    note("kept " + m_subject.graph().nodes[id].name + ": the fault needs it");
                return;
            }
    }

    std::vector<ir::NodeId> makersOf(ir::NodeId node) const {
        std::vector<ir::NodeId> makers;
        const ir::Graph& graph = m_subject.graph();
        for (const ir::ValueId input : graph.nodes[node].inputs) {
            const bool isMade = input.isValid()
                && graph.values[input].origin == ir::ValueOrigin::NodeOutput
                && m_subject.typed->isConstant[input] == 0;
            if (isMade && std::ranges::find(makers, graph.values[input].producer) == makers.end())
                makers.push_back(graph.values[input].producer);
        }
        return makers;
    }

    std::vector<ir::NodeId> readersOf(ir::NodeId node) const {
        std::vector<ir::NodeId> readers;
        const ir::Graph& graph = m_subject.graph();
        for (const ir::ValueId output : graph.nodes[node].outputs)
            if (output.isValid())
                readers.insert(readers.end(), graph.values[output].users.begin(),
                    graph.values[output].users.end());
        return readers;
    }

    /// Sets of one and two nodes around the node, the smaller first.
    std::vector<std::vector<ir::NodeId>> neighbourhoods(ir::NodeId node) const {
        const ir::Graph& graph = m_subject.graph();
        std::vector<ir::NodeId> near = makersOf(node);
        const std::vector<ir::NodeId> readers = readersOf(node);
        near.insert(near.end(), readers.begin(), readers.end());
        std::erase_if(near, [&](ir::NodeId id) { return !graph.nodes[id].blocks.empty(); });
        constexpr std::size_t kMostNear = 6;
        near.resize(std::min(near.size(), kMostNear));
        std::vector<std::vector<ir::NodeId>> sets;
        for (const ir::NodeId id : near)
            sets.push_back({id});
        for (const ir::NodeId id : makersOf(node))
            for (const ir::NodeId before : makersOf(id))
                sets.push_back({id, before});
        for (std::size_t i = 0; i < near.size(); ++i)
            for (std::size_t j = i + 1; j < near.size(); ++j)
                sets.push_back({near[i], near[j]});
        // What lies in memory beside the node's result until it is read (F20).
        for (const ir::NodeId user : readers)
            for (const ir::NodeId beside : makersOf(user))
                if (beside != node)
                    sets.push_back({beside, user});
        return sets;
    }

    void note(std::string words) { m_steps.push_back(std::move(words)); }

    numerics::Inputs inputsOf(const Cut& cut) const {
        numerics::Inputs inputs;
        for (const auto& [id, tensor] : cut.inputs)
            inputs[m_subject.graph().values[id].name] = tensor;
        return inputs;
    }

    std::optional<numerics::Fault> faultIn(const Cut& cut) const {
        if (!m_verdict || !m_verdict->fault)
            return std::nullopt;
        numerics::Fault fault = *m_verdict->fault;
        const auto at = std::ranges::find(cut.nodes, fault.node);
        if (at == cut.nodes.end())
            return std::nullopt;
        fault.node = ir::NodeId(static_cast<std::size_t>(at - cut.nodes.begin()));
        return fault;
    }

    /// The cut as a machine with the fault runs it; nullopt where it does not run or does not fail.
    std::optional<CaseRun> attempt(const Cut& cut) {
        ++m_trials;
        auto subject = m_lower(graphOf(m_subject.graph(), cut));
        if (!subject)
            return std::nullopt;
        auto run = runCase(*subject, inputsOf(cut), faultIn(cut), m_progress);
        if (!run || !run->fails())
            return std::nullopt;
        return std::move(*run);
    }

    std::optional<base::Error> shrink() {
        auto whole = attempt(m_cut);
        if (!whole) {
            note("the fault shows nothing in the cut alone: its shape is kept");
            m_isExplained = false;
            return {};
        }
        m_kind = whole->pattern.kind;
        m_lanes = laneSizes(m_subject, m_cut);
        bool isChanged = true;
        while (isChanged && m_trials < kMostTrials) {
            isChanged = false;
            for (const AxisOf& axis : axes()) {
                if (m_progress.isCancelled())
                    return base::Progress::cancelled();
                if (m_trials >= kMostTrials)
                    break;
                isChanged = shrinkAxis(axis) || isChanged;
            }
        }
        return {};
    }

    std::vector<AxisOf> axes() const {
        std::vector<AxisOf> result;
        for (const auto* tensors : {&m_cut.inputs, &m_cut.constants})
            for (const auto& [id, tensor] : *tensors)
                for (std::size_t axis = 0; axis < tensor.rank(); ++axis)
                    if (tensor.shape()[axis] > 1)
                        result.push_back({id, axis});
        return result;
    }

    Tensor* tensorOf(Cut& cut, ir::ValueId id) const {
        if (const auto found = cut.inputs.find(id); found != cut.inputs.end())
            return &found->second;
        const auto found = cut.constants.find(id);
        return found == cut.constants.end() ? nullptr : &found->second;
    }

    /// {1, E − 1, E, E + 1, 2E + 1} below the size, ascending; 1 and 2 without sticks or tiles.
    std::vector<std::int64_t> sizesBelow(std::int64_t size) const {
        std::set<std::int64_t> sizes{1, 2};
        std::int64_t kept = 0; // full sticks and a remainder: a smaller size has both, too
        for (const std::int64_t lanes : m_lanes) {
            sizes.insert({lanes - 1, lanes, lanes + 1, 2 * lanes + 1});
            if (size > lanes && size % lanes != 0)
                kept = std::max(kept, lanes);
        }
        std::vector<std::int64_t> result;
        for (const std::int64_t each : sizes)
            if (each > 0 && each < size && (kept == 0 || (each > kept && each % kept != 0)))
                result.push_back(each);
        return result;
    }

    /// Alone, then together with every axis of the same size: a sum's depth is in both operands.
    bool shrinkAxis(const AxisOf& axis) {
        Tensor* tensor = tensorOf(m_cut, axis.value);
        if (!tensor || axis.axis >= tensor->rank() || tensor->shape()[axis.axis] <= 1)
            return false;
        const std::int64_t size = tensor->shape()[axis.axis];
        std::vector<AxisOf> together;
        for (const AxisOf& other : axes())
            if (tensorOf(m_cut, other.value)->shape()[other.axis] == size)
                together.push_back(other);
        for (const std::int64_t smaller : sizesBelow(size)) {
            if (accept({axis}, size, smaller))
                return true;
            if (together.size() > 1 && accept(together, size, smaller))
                return true;
        }
        return false;
    }

    /// One wrong element that is left is the smallest case of every kind.
    bool isSameKind(const Pattern& pattern) const {
        return pattern.kind == m_kind || pattern.kind == Pattern::Kind::Single;
    }

    bool accept(const std::vector<AxisOf>& group, std::int64_t from, std::int64_t to) {
        if (m_trials >= kMostTrials || m_progress.isCancelled())
            return false;
        Cut smaller = m_cut;
        for (const AxisOf& each : group) {
            Tensor* tensor = tensorOf(smaller, each.value);
            *tensor = sliced(*tensor, each.axis, to);
        }
        const auto run = attempt(smaller);
        if (!run || !isSameKind(run->pattern))
            return false;
        std::string names;
        for (const AxisOf& each : group)
            names += (names.empty() ? "" : ", ") + m_subject.graph().values[each.value].name + "."
                + std::to_string(each.axis);
        note(std::to_string(from) + " → " + std::to_string(to) + " along " + names);
        m_cut = std::move(smaller);
        return true;
    }

    base::Result<Reproducer> finish(
        const Layer& layer, const Side& device, const Divergence& divergence) {
        Reproducer result;
        result.graph = graphOf(m_subject.graph(), m_cut);
        result.inputs = inputsOf(m_cut);
        if (m_isExplained)
            result.fault = faultIn(m_cut);
        auto subject = m_lower(result.graph);
        if (!subject)
            return subject.error();
        auto run = runCase(*subject, result.inputs, result.fault, m_progress);
        if (!run)
            return run.error();
        result.expected = run->expected;
        result.device = result.fault ? run->device : dumped(layer, device);
        result.torchText = torchText(*subject->typed);
        describe(result, layer, divergence, *run);
        result.steps = std::move(m_steps);
        return result;
    }

    std::vector<std::pair<std::string, Tensor>> dumped(
        const Layer& layer, const Side& device) const {
        const Dump& dump = *device.repeats.front();
        if (const auto entry = dump.find(layer.key))
            if (auto tensor = dump.read(*entry); tensor && layer.value.isValid())
                return {{m_subject.graph().values[layer.value].name, std::move(*tensor)}};
        return {};
    }

    void describe(Reproducer& result, const Layer& layer, const Divergence& divergence,
        const CaseRun& run) const {
        auto& policy = result.policy;
        if (m_subject.machine)
            policy["machine"] = m_subject.machine->id;
        policy["precision"] = std::string(machines::toString(m_subject.precision));
        policy["tolerance"] =
            layer.tolerance.reason.empty() ? divergence.policy : layer.tolerance.reason;
        policy["layer"] = layer.nodeName;
        policy["pattern"] = result.fault ? run.pattern.sentence : layer.pattern.sentence;
        if (m_verdict) {
            policy["how"] = std::string(toString(m_verdict->how));
            if (m_verdict->level)
                policy["level"] = std::to_string(static_cast<int>(*m_verdict->level));
        }
        std::string residue;
        for (const auto& [id, tensor] : m_cut.inputs)
            for (const std::int64_t size : tensor.shape())
                for (const std::int64_t lanes : m_lanes)
                    if (size > lanes && size % lanes != 0)
                        residue += (residue.empty() ? "" : ", ") + std::to_string(size) + " = "
                            + std::to_string(size / lanes) + "·" + std::to_string(lanes) + " + "
                            + std::to_string(size % lanes);
        policy["residue"] = residue;
    }

    const numerics::Subject& m_subject;
    const Lowerer& m_lower;
    const base::Progress& m_progress;
    Cut m_cut;
    const LevelVerdict* m_verdict = nullptr;
    Pattern::Kind m_kind = Pattern::Kind::None;
    std::set<std::int64_t> m_lanes;
    std::vector<std::string> m_steps;
    int m_trials = 0;
    bool m_isExplained = true;
};

} // namespace

base::Result<Reproducer> reduce(const numerics::Subject& subject, const Divergence& divergence,
    std::size_t origin, const Side& device, const numerics::Inputs& inputs, const Lowerer& lower,
    const base::Progress& progress) {
    return Reduction(subject, lower, progress).run(divergence, origin, device, inputs);
}

} // namespace fivefold::compare
