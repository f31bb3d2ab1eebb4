// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_logical.h"
#include "core/numerics/rungs/rung.h"

#include <algorithm>

namespace fivefold::numerics {

namespace {

using lowering::NodeId;
using lowering::ValueId;

bool isDefined(const Datum& datum) {
    return datum.kind != Datum::Kind::Tensor || datum.tensor.isDefined();
}

std::int64_t bytesOf(const Datum& datum) {
    std::int64_t bytes = datum.tensor.bytesInMemory();
    for (const Datum& item : datum.items)
        bytes += bytesOf(item);
    return bytes;
}

/// Runs one stage on logical tensors.
class LogicalRun {
public:
    LogicalRun(const Subject& subject, Rung rung, const Inputs& inputs, const RungOptions& options,
        const base::Progress& progress)
        : m_graph(subject.program->stage(stageOf(rung)))
        , m_options(options)
        , m_progress(progress)
        , m_values(subject, m_graph, inputs, options)
        , m_evaluator(subject, m_graph, rung, options, m_values, progress)
        , m_contents(m_graph.values.size())
        , m_failed(m_graph.nodes.size(), 0) {
        m_run.rung = rung;
        planReleases();
    }

    base::Result<RungRun> run();

private:
    void planReleases();
    base::Result<Datum> read(ValueId id);
    Datum stored(Datum datum) const;
    bool takeGiven(const lowering::Node& node);
    base::Result<base::Done> execute(const Turn& turn);
    void hold(ValueId id, Datum datum);
    void release(std::size_t turn);

    const lowering::StageGraph& m_graph;
    const RungOptions& m_options;
    const base::Progress& m_progress;
    StageValues m_values;
    NodeEvaluator m_evaluator;
    std::vector<Datum> m_contents;
    std::vector<std::uint8_t> m_failed; ///< nodes without results
    std::vector<std::vector<ValueId>> m_releases; ///< by turn
    std::int64_t m_heldBytes = 0;
    RungRun m_run;
};

/// After which turn each value is no longer read.
void LogicalRun::planReleases() {
    const auto& turns = m_evaluator.turns();
    std::vector<std::size_t> last(m_graph.values.size(), turns.size());
    for (std::size_t t = 0; t < turns.size(); ++t) {
        for (const ValueId id : m_graph.nodes[turns[t].node].inputs)
            if (id.isValid())
                last[id.index()] = t;
        for (const ValueId id : m_graph.nodes[turns[t].node].outputs)
            if (id.isValid())
                last[id.index()] = t;
    }
    m_releases.resize(turns.size());
    for (std::size_t i = 0; i < last.size(); ++i)
        if (last[i] < turns.size())
            m_releases[last[i]].push_back(ValueId(i));
}

/// Floats as the machine holds them.
Datum LogicalRun::stored(Datum datum) const {
    const Arithmetic* arithmetic = m_evaluator.arithmetic();
    if (!arithmetic || datum.kind != Datum::Kind::Tensor || !ir::isFloat(datum.tensor.dtype())
        || ir::bitWidth(datum.tensor.dtype()) <= 8)
        return datum;
    std::vector<double> values = datum.tensor.numbers();
    for (double& value : values)
        value =
            round(value, arithmetic->storage, arithmetic->rounding, arithmetic->flushesSubnormals);
    datum.tensor = Tensor(datum.tensor.dtype(), datum.tensor.shape(), std::move(values));
    return datum;
}

base::Result<Datum> LogicalRun::read(ValueId id) {
    Datum& known = m_contents[id.index()];
    if (isDefined(known))
        return known;
    const lowering::Value& value = m_graph.values[id];
    if (value.producer.isValid())
        return base::Error{base::ErrorCode::NotFound, "An operand was not computed.", value.name};
    auto datum = m_values.of(id);
    if (!datum)
        return datum;
    hold(id, stored(*std::move(datum)));
    return m_contents[id.index()];
}

void LogicalRun::hold(ValueId id, Datum datum) {
    Datum& place = m_contents[id.index()];
    m_heldBytes += bytesOf(datum) - bytesOf(place);
    place = std::move(datum);
}

void LogicalRun::release(std::size_t turn) {
    for (const ValueId id : m_releases[turn]) {
        const ir::ValueId source = m_graph.values[id].source;
        const bool isKept = !m_options.keeps || (source.isValid() && m_options.keeps(source));
        if (!isKept)
            hold(id, {});
    }
}

/// Results that the caller gives; true when all of the node's are.
bool LogicalRun::takeGiven(const lowering::Node& node) {
    bool areAll = !m_options.given.empty();
    for (const ValueId output : node.outputs) {
        if (!output.isValid())
            continue;
        const ir::ValueId source = m_graph.values[output].source;
        const auto found = source.isValid() ? m_options.given.find(source) : m_options.given.end();
        if (found != m_options.given.end())
            hold(output, found->second);
        else
            areAll = false;
    }
    return areAll;
}

base::Result<base::Done> LogicalRun::execute(const Turn& turn) {
    const lowering::Node& node = m_graph.nodes[turn.node];
    if (takeGiven(node) || !m_evaluator.isWanted(turn.node) || m_failed[turn.node.index()] != 0)
        return base::Done{};
    if (m_progress.isCancelled())
        return base::Progress::cancelled();
    std::vector<Datum> inputs;
    for (const ValueId input : node.inputs) {
        if (!input.isValid()) {
            inputs.emplace_back();
            continue;
        }
        auto datum = read(input);
        if (!datum) {
            const bool isOwn = !m_graph.values[input].producer.isValid();
            m_failed[turn.node.index()] = 1;
            if (isOwn && m_options.only.empty()) // one sentence where it begins
                m_run.diagnostics.warn("numerics.unknown_value", m_graph.values[input].name,
                    datum.error().message, "What depends on it has no values at this stage.");
            return base::Done{};
        }
        inputs.push_back(*std::move(datum));
    }
    auto results = m_evaluator.evaluate(turn, inputs);
    if (!results && results.error().code == base::ErrorCode::Cancelled)
        return results.error();
    if (!results) {
        m_failed[turn.node.index()] = 1;
        m_run.diagnostics.warn("numerics.not_executable", node.name, results.error().message,
            "What depends on it has no values at this stage.");
        return base::Done{};
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const ValueId output = node.outputs[i];
        const bool isGiven = output.isValid() && m_graph.values[output].source.isValid()
            && m_options.given.contains(m_graph.values[output].source);
        if (output.isValid() && !isGiven)
            hold(output, std::move((*results)[i]));
    }
    if (m_heldBytes > m_options.memoryLimitBytes)
        return base::Error{base::ErrorCode::Limit,
            "The run holds " + std::to_string(m_heldBytes >> 20)
                + " MiB of values, beyond its limit; keep fewer values or bind smaller sizes.",
            node.name};
    return base::Done{};
}

base::Result<RungRun> LogicalRun::run() {
    const auto& turns = m_evaluator.turns();
    for (std::size_t t = 0; t < turns.size(); ++t) {
        if (auto done = execute(turns[t]); !done)
            return done.error();
        release(t);
        if (t % 64 == 0)
            m_progress.report(
                toString(m_run.rung), static_cast<double>(t) / static_cast<double>(turns.size()));
    }
    for (std::size_t i = 0; i < m_contents.size(); ++i)
        if (isDefined(m_contents[i]))
            record(m_run, m_graph, m_options, ValueId(i), m_contents[i]);
    for (const ValueId output : m_graph.outputs) // one that is an input or a constant
        if (!isDefined(m_contents[output.index()]) && !m_graph.values[output].producer.isValid())
            if (auto datum = read(output))
                record(m_run, m_graph, m_options, output, *datum);
    m_run.diagnostics.append(m_values.diagnostics);
    return std::move(m_run);
}

RunOptions captureOptions(const RungOptions& options) {
    RunOptions result;
    result.carrier = Carrier::Double;
    result.seed = options.seed;
    result.memoryLimitBytes = options.memoryLimitBytes;
    result.keeps = options.keeps;
    result.given = options.given;
    result.only = options.only;
    return result;
}

} // namespace

void record(RungRun& run, const lowering::StageGraph& graph, const RungOptions& options,
    lowering::ValueId value, const Datum& contents) {
    if (!isDefined(contents))
        return;
    const lowering::Value& stored = graph.values[value];
    if (stored.source.isValid()) {
        if (!options.keeps || options.keeps(stored.source)) {
            if (stored.producer.isValid()) // what leaves the device follows what it was made of
                run.values.insert_or_assign(stored.source, contents);
            else
                run.values.try_emplace(stored.source, contents);
        }
    } else if (!options.keeps && contents.kind == Datum::Kind::Tensor
        && stored.producer.isValid()) {
        run.inner.try_emplace(stored.name, contents.tensor);
    }
}

base::Result<RungRun> runLogical(const Subject& subject, Rung rung, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress) {
    return LogicalRun(subject, rung, inputs, options, progress).run();
}

/// A fault of capture changes the results of its node; what follows is computed again from them.
base::Result<RungRun> runCaptured(const Subject& subject, const Inputs& inputs,
    const RungOptions& options, const base::Progress& progress) {
    RunOptions own = captureOptions(options);
    std::vector<const Fault*> faults = activeFaults(options, Rung::Captured);
    std::erase_if(
        faults, [&](const Fault* fault) { return !subject.graph().nodes.contains(fault->node); });
    if (!faults.empty())
        own.keeps = {};
    auto run = numerics::run(*subject.typed, inputs, *subject.weights, own, progress);
    Evaluation evaluation;
    evaluation.seed = options.seed;
    evaluation.progress = &progress;
    for (const Fault* fault : faults) {
        if (!run)
            break;
        const ReadCaptured read = [&](ir::ValueId value) {
            const auto found = run->values.find(value);
            if (found != run->values.end())
                return found->second;
            const ir::Value& stored = subject.graph().values[value];
            if (!stored.data.isValid())
                return Datum();
            auto tensor = subject.weights->of(value, Carrier::Double, run->diagnostics);
            return tensor ? Datum(*std::move(tensor)) : Datum();
        };
        const auto& outputs = subject.graph().nodes[fault->node].outputs;
        std::vector<Datum> right;
        for (const ir::ValueId output : outputs)
            right.push_back(output.isValid() ? read(output) : Datum());
        const auto wrong = faultyResults({*fault, subject, evaluation, read}, right);
        if (!wrong)
            continue;
        for (std::size_t i = 0; i < outputs.size() && i < wrong->size(); ++i)
            if (outputs[i].isValid())
                own.given[outputs[i]] = (*wrong)[i];
        run = numerics::run(*subject.typed, inputs, *subject.weights, own, progress);
    }
    if (!run)
        return run.error();
    RungRun result;
    result.rung = Rung::Captured;
    result.values = std::move(run->values);
    for (const auto& [value, datum] : own.given)
        result.values.try_emplace(value, datum);
    if (options.keeps)
        std::erase_if(
            result.values, [&](const auto& entry) { return !options.keeps(entry.first); });
    result.diagnostics = std::move(run->diagnostics);
    return result;
}

} // namespace fivefold::numerics
