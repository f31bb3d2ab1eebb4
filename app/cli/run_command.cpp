// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/compare/dump.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <set>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;
using numerics::Rung;

namespace {

struct RunOptions : RequestOptions {
    std::string inputs, stage, folder;
    std::uint64_t seed = 1;
};

/// What a run leaves, whatever was run: captured values, those that lowering made, and what was
/// not computed.
struct Outcome {
    std::map<ir::ValueId, numerics::Datum> values;
    std::map<std::string, numerics::Tensor> inner;
    std::vector<ir::NodeId> skipped;
    base::Diagnostics diagnostics;
    std::string deadlock; ///< who waits for whom
};

base::Result<Rung> rungOf(const RunOptions& options) {
    if (options.stage.empty())
        return options.machine.empty() ? Rung::Captured : Rung::Scheduled;
    const auto rung = numerics::parseRung(options.stage);
    if (!rung || *rung == Rung::Source)
        return Error{ErrorCode::InvalidArgument,
            "\"" + options.stage
                + "\" is no stage; use captured, decomposed, fused, laid_out, placed, scheduled, "
                  "timed or numerics.",
            "--stage"};
    if (options.machine.empty() && *rung != Rung::Captured)
        return Error{ErrorCode::InvalidArgument,
            "Only a machine's program has the stage " + options.stage
                + "; add --machine ID, or run the stage captured.",
            "--stage"};
    return *rung;
}

base::Result<Outcome> runCaptured(const RunOptions& options, const numerics::Subject& subject,
    const numerics::Inputs& inputs, const base::Progress& progress) {
    numerics::RunOptions run;
    run.seed = options.seed;
    run.carrier =
        options.precision == "fp32" ? numerics::Carrier::Float : numerics::Carrier::Double;
    auto result = numerics::run(*subject.typed, inputs, *subject.weights, run, progress);
    if (!result)
        return result.error();
    return Outcome{std::move(result->values), {}, std::move(result->skipped),
        std::move(result->diagnostics), {}};
}

base::Result<Outcome> runStage(const RunOptions& options, Rung rung,
    const numerics::Subject& subject, const numerics::Inputs& inputs,
    const base::Progress& progress) {
    if (rung == Rung::Captured)
        return runCaptured(options, subject, inputs, progress);
    numerics::RungOptions run;
    run.seed = options.seed;
    auto result = numerics::runRung(subject, rung, inputs, run, progress);
    if (!result)
        return result.error();
    return Outcome{std::move(result->values), std::move(result->inner), {},
        std::move(result->diagnostics), std::move(result->deadlockSentence)};
}

/// Named tensors in the order of the model; a sequence gives one an item ("boxes[0]"). A name that
/// comes twice is written once.
class Tensors {
public:
    void add(const std::string& name, const numerics::Datum& datum) {
        if (datum.kind == numerics::Datum::Kind::Tensor) {
            if (datum.tensor.isDefined() && !name.empty() && m_names.insert(name).second)
                m_list.emplace_back(name, datum.tensor);
            return;
        }
        for (std::size_t i = 0; i < datum.items.size(); ++i)
            add(name + '[' + std::to_string(i) + ']', datum.items[i]);
    }
    const auto& list() const { return m_list; }

private:
    std::set<std::string> m_names;
    std::vector<std::pair<std::string, numerics::Tensor>> m_list;
};

/// Texts have no place in a .npz that is read without pickle.
std::vector<std::pair<std::string, numerics::Tensor>> writable(const Tensors& tensors) {
    std::vector<std::pair<std::string, numerics::Tensor>> list;
    for (const auto& [name, tensor] : tensors.list()) {
        if (tensor.as<std::string>())
            std::cerr << name << " holds texts and is not written.\n";
        else
            list.emplace_back(name, tensor);
    }
    return list;
}

/// Weights are values too; those of large models are left out.
void addWeights(Tensors& tensors, const ir::Graph& graph, numerics::Weights& weights) {
    constexpr std::int64_t kMostElements = std::int64_t(1) << 28;
    std::int64_t elements = 0;
    for (const ir::ValueId id : graph.main().initializers) {
        const ir::Value& value = graph.values[id];
        if (value.data.isValid())
            elements = std::min(kMostElements, elements)
                + std::min(kMostElements, graph.tensors[value.data].elements());
    }
    if (elements > kMostElements) {
        std::cerr << "The weights are not written: they are too large.\n";
        return;
    }
    base::Diagnostics said; // by the run
    for (const ir::ValueId id : graph.main().initializers)
        if (!graph.values[id].users.empty())
            if (auto tensor = weights.of(id, numerics::Carrier::Double, said))
                tensors.add(graph.values[id].name, *std::move(tensor));
}

base::Result<base::Done> write(const RunOptions& options, const ir::Graph& graph,
    const numerics::Inputs& inputs, const Outcome& outcome, numerics::Weights& weights) {
    std::error_code error;
    const std::filesystem::path folder(options.folder);
    std::filesystem::create_directories(folder, error);
    if (error)
        return Error{ErrorCode::Unreadable,
            "The folder cannot be made (" + error.message() + "); name one that can be written to.",
            options.folder};
    Tensors given, values;
    for (const auto& [name, datum] : inputs)
        given.add(name, datum);
    for (const auto& [value, datum] : outcome.values)
        values.add(graph.values[value].name, datum);
    for (const auto& [name, tensor] : outcome.inner)
        values.add(name, tensor);
    addWeights(values, graph, weights);
    if (auto done = compare::writeNpz(folder / "inputs.npz", writable(given)); !done)
        return done;
    return compare::writeNpz(folder / "values.npz", writable(values));
}

/// Nodes that were not executed, and why, on stderr.
void report(const ir::Graph& graph, const Outcome& outcome) {
    constexpr std::size_t kMostNamed = 20;
    constexpr std::string_view kRandom = "numerics.random_weights";
    for (const base::Diagnostic& entry : outcome.diagnostics.entries())
        if (entry.code != kRandom)
            std::cerr << (entry.node.empty() ? "" : entry.node + ": ") << entry.message
                      << (entry.remedy.empty() ? "" : " " + entry.remedy) << '\n';
    if (const std::int64_t count = outcome.diagnostics.count(kRandom); count > 0)
        std::cerr << "The file has no values for " << count
                  << " weights; seeded random ones of their shapes are used.\n";
    if (!outcome.deadlock.empty())
        std::cerr << outcome.deadlock << '\n';
    for (std::size_t i = 0; i < std::min(outcome.skipped.size(), kMostNamed); ++i)
        std::cerr << graph.nodes[outcome.skipped[i]].name << " is not executed.\n";
    if (outcome.skipped.size() > kMostNamed)
        std::cerr << "Nor are " << outcome.skipped.size() - kMostNamed << " more operators.\n";
}

/// Whether anything but inputs and constants was computed.
bool hasResult(const ir::Graph& graph, const Outcome& outcome) {
    if (!outcome.inner.empty() || graph.nodes.empty())
        return true;
    return std::any_of(outcome.values.begin(), outcome.values.end(), [&](const auto& entry) {
        const ir::Value& value = graph.values[entry.first];
        return value.origin == ir::ValueOrigin::NodeOutput && !value.data.isValid();
    });
}

base::Result<base::Done> runFile(const RunOptions& options) {
    const base::Progress progress = terminalProgress();
    const auto rung = rungOf(options);
    if (!rung)
        return rung.error();
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    auto inputs = analysis::openInputs(*opened->model->graph, options.inputs, {}, progress);
    if (!inputs)
        return inputs.error();
    auto subject = openSubject(options, *opened, *inputs, progress);
    if (!subject)
        return subject.error();
    const ir::Graph& graph = subject->subject.graph();
    if (options.inputs.empty() && !graph.main().inputs.empty()) {
        *inputs = numerics::randomInputs(*subject->subject.typed, options.seed);
        std::cerr << "No inputs are given: random ones are used (--seed " << options.seed << ").\n";
    }
    auto outcome = runStage(options, *rung, subject->subject, *inputs, progress);
    if (!outcome)
        return outcome.error();
    report(graph, *outcome);
    if (!hasResult(graph, *outcome))
        return Error{ErrorCode::Unsupported,
            "No operator of the model could be executed; the lines above say why.", options.model};
    return write(options, graph, *inputs, *outcome, *subject->subject.weights);
}

} // namespace

void addRunCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("run", "Execute a model, or a stage of its program");
    auto options = std::make_shared<RunOptions>();
    addRequestOptions(*command, *options, ModelOption::Positional);
    command->add_option("--inputs", options->inputs,
        "Inputs by name or position, of any dump format; random ones without it");
    command->add_option("--stage", options->stage,
        "captured decomposed fused laid_out placed scheduled timed numerics; with --machine the "
        "default is scheduled, else captured");
    command->add_option("--seed", options->seed, "Of random inputs, weights and operators");
    command->add_option("--out", options->folder, "Folder for values.npz and inputs.npz")
        ->required();
    command->callback([options, &action] { action = [options] { return runFile(*options); }; });
}

} // namespace fivefold::cli
