// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/compare/evidence.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace fivefold::cli {

namespace {

struct ReduceOptions : RequestOptions {
    std::string reference, device, inputs, output;
    std::size_t origin = 1;
};

base::Result<base::Done> reduceCase(const ReduceOptions& options) {
    const base::Progress progress = terminalProgress();
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    auto inputs =
        analysis::openInputs(*opened->model->graph, options.inputs, options.reference, progress);
    if (!inputs)
        return inputs.error();
    auto subject = openSubject(options, *opened, *inputs, progress);
    if (!subject)
        return subject.error();
    auto reference = analysis::openSide({options.reference}, {}, progress);
    if (!reference)
        return reference.error();
    auto device = analysis::openSide({options.device}, {}, progress);
    if (!device)
        return device.error();
    analysis::DebugRequest request{subject->subject, *reference, *device, *inputs, {}, {}};
    auto divergence = analysis::debug(request, progress);
    if (!divergence)
        return divergence.error();
    if ((*divergence)->origins.empty())
        return base::Error{base::ErrorCode::NotFound,
            "Nothing diverges between the two runs: there is nothing to reduce.", {}};
    if (options.origin < 1 || options.origin > (*divergence)->origins.size())
        return base::Error{base::ErrorCode::InvalidArgument,
            "There are " + std::to_string((*divergence)->origins.size()) + " origins.", "--origin"};
    auto reproducer = compare::reduce(subject->subject, **divergence, options.origin - 1, *device,
        *inputs, analysis::lowererOf(subject->request), progress);
    if (!reproducer)
        return reproducer.error();
    if (auto done = compare::writeReproducer(*reproducer, options.output); !done)
        return done;
    return writeOutput(options.output + "/evidence.md", [&](std::ostream& out) {
        out << compare::evidenceCard(subject->subject, **divergence, options.origin - 1);
    });
}

struct ReplayOptions {
    std::string folder;
};

base::Result<base::Done> replayCase(const ReplayOptions& options) {
    const base::Progress progress = terminalProgress();
    auto reproducer = compare::readReproducer(options.folder);
    if (!reproducer)
        return reproducer.error();
    RequestOptions wanted;
    const auto policy = [&](const std::string& key) {
        const auto found = reproducer->policy.find(key);
        return found == reproducer->policy.end() ? std::string() : found->second;
    };
    wanted.model = options.folder + "/model.onnx";
    wanted.machine = policy("machine");
    if (!wanted.machine.empty())
        wanted.precision = policy("precision");
    auto opened = openModel(wanted, progress);
    if (!opened)
        return opened.error();
    auto subject = openSubject(wanted, *opened, reproducer->inputs, progress);
    if (!subject)
        return subject.error();
    auto replay = compare::replay(
        *reproducer,
        [&subject](const auto&) -> base::Result<numerics::Subject> { return subject->subject; },
        progress);
    if (!replay)
        return replay.error();
    std::cout << replay->sentence << '\n';
    if (!replay->isReproduced)
        return base::Error{
            base::ErrorCode::NotFound, "The case is not reproduced.", options.folder};
    return base::Done{};
}

} // namespace

void addReduceCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "reduce", "Write the smallest case in which a device run still diverges");
    auto options = std::make_shared<ReduceOptions>();
    addRequestOptions(*command, *options, ModelOption::Named);
    command->add_option("--reference", options->reference, "Dump of the right values")->required();
    command->add_option("--device", options->device, "Dump of the device's values")->required();
    command->add_option("--inputs", options->inputs,
        "Dump of the model's inputs; default: inputs.npz beside the reference");
    command->add_option("--origin", options->origin, "Which of several origins, from 1");
    command->add_option("--out", options->output, "Folder to write")->required();
    command->callback([options, &action] { action = [options] { return reduceCase(*options); }; });
}

void addReplayCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("replay", "Run a reduced case again and say what it shows");
    auto options = std::make_shared<ReplayOptions>();
    command->add_option("DIR", options->folder, "Folder that `reduce` wrote")->required();
    command->callback([options, &action] { action = [options] { return replayCase(*options); }; });
}

} // namespace fivefold::cli
