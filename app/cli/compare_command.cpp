// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/compare/dump.h"

#include <CLI/CLI.hpp>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;

namespace {

struct CompareOptions : RequestOptions {
    std::vector<std::string> references, devices, edits;
    std::string inputs, output = "-", script;
};

base::Result<compare::MatchEdits> parseEdits(const std::vector<std::string>& texts) {
    compare::MatchEdits edits;
    for (const std::string& text : texts) {
        const auto equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0)
            return Error{ErrorCode::InvalidArgument,
                "\"" + text + "\" maps nothing; write KEY=VALUE, or KEY= for no value.", "--map"};
        edits[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return edits;
}

std::vector<std::filesystem::path> pathsOf(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

/// The machine's precision that the device's own tensors are stored in, where it has one.
std::string precisionOf(const compare::Side& device) {
    for (const compare::DumpEntry& entry : device.repeats.front()->entries()) {
        if (entry.dtype == ir::DType::Float16)
            return "fp16";
        if (entry.dtype == ir::DType::BFloat16)
            return "bf16";
    }
    return {};
}

base::Result<OpenedSubject> openFor(const CompareOptions& options, const OpenedModel& opened,
    const numerics::Inputs& inputs, const compare::Side& device, const base::Progress& progress) {
    if (options.machine.empty() || !options.precision.empty())
        return openSubject(options, opened, inputs, progress);
    RequestOptions wanted = options;
    wanted.precision = precisionOf(device);
    auto subject = openSubject(wanted, opened, inputs, progress);
    if (!subject && !wanted.precision.empty()) // the machine has no such precision: its own
        return openSubject(options, opened, inputs, progress);
    return subject;
}

base::Result<base::Done> compareFiles(const CompareOptions& options) {
    const base::Progress progress = terminalProgress();
    if (options.references.empty() && options.inputs.empty())
        return Error{ErrorCode::InvalidArgument,
            "There is nothing to compare the device with; give --reference, or --inputs to compute "
            "it here.",
            "compare"};
    auto edits = parseEdits(options.edits);
    if (!edits)
        return edits.error();
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    auto inputs = analysis::openInputs(*opened->model->graph, options.inputs,
        options.references.empty() ? std::string() : options.references.front(), progress);
    if (!inputs)
        return inputs.error();
    auto device = analysis::openSide(pathsOf(options.devices), *edits, progress);
    if (!device)
        return device.error();
    auto subject = openFor(options, *opened, *inputs, *device, progress);
    if (!subject)
        return subject.error();
    analysis::DebugRequest request;
    request.subject = subject->subject;
    request.device = *device;
    request.inputs = *inputs;
    if (!options.references.empty()) {
        auto reference = analysis::openSide(pathsOf(options.references), *edits, progress);
        if (!reference)
            return reference.error();
        request.reference = *std::move(reference);
    }
    if (request.subject.machine)
        request.options.arithmetic =
            numerics::arithmeticOf(*request.subject.machine, request.subject.precision);
    auto divergence = analysis::debug(request, progress);
    if (!divergence)
        return divergence.error();
    if (!options.script.empty() && (*divergence)->capture) {
        auto done = writeOutput(
            options.script, [&](std::ostream& out) { out << (*divergence)->capture->script; });
        if (!done)
            return done;
    }
    return writeOutput(options.output,
        [&](std::ostream& out) { analysis::writeDivergence(out, request.subject, **divergence); });
}

} // namespace

void addCompareCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "compare", "Find the first layer at which a device run differs from its reference");
    auto options = std::make_shared<CompareOptions>();
    addRequestOptions(*command, *options, ModelOption::Named);
    command
        ->add_option("--reference", options->references,
            "Dump of the right values; repeat it for repeats of the run; without it they are "
            "computed here")
        ->allow_extra_args(false);
    command
        ->add_option("--device", options->devices,
            "Dump of the device's values; repeat it for repeats of the run")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--inputs", options->inputs,
        "Dump of the model's inputs; default: inputs.npz beside the reference");
    command
        ->add_option("--map", options->edits,
            "KEY=VALUE, a key of the dumps and the model's value that it stands for; nothing "
            "behind = unmatches it")
        ->allow_extra_args(false);
    command->add_option("--capture-script", options->script,
        "Where the Python goes that captures what a partial dump lacks");
    command->add_option("--json", options->output, "Where the JSON goes; - is stdout");
    command->callback(
        [options, &action] { action = [options] { return compareFiles(*options); }; });
}

} // namespace fivefold::cli
