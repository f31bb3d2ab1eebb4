// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/compare/fault_lab.h"
#include "core/compare/words.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <limits>

namespace fivefold::cli {

namespace {

using base::Error;
using base::ErrorCode;
using Json = nlohmann::ordered_json;
using Tensors = std::vector<std::pair<std::string, numerics::Tensor>>;

constexpr std::array<std::string_view, 6> kFamilies{
    "gpu", "tpu", "cerebras", "groq", "spyre", "cpu"};

struct InjectOptions : RequestOptions {
    std::vector<std::string> faults;
    std::vector<std::string> parameters;
    std::string inputs, node, output, control;
    std::uint64_t seed = 1;
    std::uint64_t exercise = 0;
    bool isList = false, isJson = false, hasReference = false, isOneNan = false;
};

Json catalogueJson() {
    Json list = Json::array();
    for (const numerics::FaultFacts& facts : numerics::faultCatalogue()) {
        Json row{{"fault", numerics::toString(facts.id)}, {"level", static_cast<int>(facts.level)},
            {"level_name", std::string(numerics::toString(facts.level))},
            {"mechanism", std::string(facts.mechanism)}, {"trigger", std::string(facts.trigger)},
            {"observable", std::string(facts.observable)}};
        Json carriers = Json::array();
        for (const compare::Carrier& carrier : compare::carriers()) {
            if (carrier.fault != facts.id)
                continue;
            row["machine"] = std::string(carrier.machine);
            for (std::size_t i = 0; i < carrier.samples.size(); ++i)
                carriers.push_back({{"sample", std::string(carrier.samples[i])},
                    {"node", std::string(carrier.nodes[i])}});
        }
        row["carriers"] = std::move(carriers);
        Json reasons = Json::object();
        for (const std::string_view family : kFamilies)
            if (const std::string why = compare::notApplicable(facts.id, family); !why.empty())
                reasons[std::string(family)] = why;
        row["not_applicable"] = std::move(reasons);
        list.push_back(std::move(row));
    }
    Json controls = Json::array();
    for (const compare::ControlFacts& facts : compare::controls())
        controls.push_back(
            {{"control", "C" + std::to_string(facts.number)}, {"what", std::string(facts.what)}});
    return {{"faults", std::move(list)}, {"controls", std::move(controls)}};
}

base::Result<base::Done> printList(const InjectOptions& options) {
    const Json all = catalogueJson();
    if (options.isJson) {
        std::cout << all.dump(2) << '\n';
        return base::Done{};
    }
    for (const Json& row : all["faults"]) {
        std::cout << row["fault"].get<std::string>() << "  " << row["level"] << ' ' << std::left
                  << std::setw(14) << row["level_name"].get<std::string>() << std::setw(14)
                  << row["machine"].get<std::string>();
        for (const Json& carrier : row["carriers"])
            std::cout << carrier["sample"].get<std::string>() << ':'
                      << carrier["node"].get<std::string>() << ' ';
        std::cout << "\n     " << row["mechanism"].get<std::string>() << '\n';
        for (const auto& [family, why] : row["not_applicable"].items())
            std::cout << "     not on " << family << ": " << why.get<std::string>() << '\n';
    }
    for (const Json& row : all["controls"])
        std::cout << row["control"].get<std::string>()
                  << "   no bug: " << row["what"].get<std::string>() << '\n';
    return base::Done{};
}

Json elementsJson(const compare::ElementSet& set) {
    Json ranges = Json::array();
    constexpr std::size_t kMostRanges = 10'000;
    for (const auto& run : set.runs) {
        if (ranges.size() == kMostRanges)
            break;
        ranges.push_back({run.begin, run.end});
    }
    const auto first = set.first();
    return {{"count", set.count}, {"first", first ? Json(*first) : Json(nullptr)},
        {"ranges", std::move(ranges)}};
}

Json answerJson(const numerics::Subject& subject, const compare::Planted& planted) {
    const compare::LevelVerdict& verdict = planted.ladder.verdict;
    const ir::Graph& graph = subject.graph();
    Json faults = Json::array();
    for (const numerics::Fault& fault : planted.faults)
        faults.push_back({{"fault", numerics::toString(fault.id)},
            {"node", graph.nodes[fault.node].name}, {"seed", fault.seed}});
    const numerics::Fault& shown = verdict.fault ? *verdict.fault : planted.faults.front();
    return {{"fault", numerics::toString(shown.id)},
        {"level", verdict.level ? Json(static_cast<int>(*verdict.level)) : Json(nullptr)},
        {"level_name",
            verdict.level ? Json(std::string(numerics::toString(*verdict.level))) : Json(nullptr)},
        {"node", planted.nodeName},
        {"value",
            planted.ladder.value.isValid() ? Json(graph.values[planted.ladder.value].name)
                                           : Json(nullptr)},
        {"elements", elementsJson(planted.wrong)}, {"machine", subject.machine->id},
        {"how", std::string(compare::toString(verdict.how))}, {"sentence", verdict.sentence},
        {"proof", verdict.proof}, {"planted", std::move(faults)}};
}

base::Result<base::Done> makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return Error{ErrorCode::Unreadable, "The folder cannot be made: " + error.message() + ".",
            folder.string()};
    return base::Done{};
}

Tensors asTensors(const numerics::Inputs& inputs) {
    Tensors tensors;
    for (const auto& [name, datum] : inputs)
        if (datum.kind == numerics::Datum::Kind::Tensor && datum.tensor.isDefined())
            tensors.emplace_back(name, datum.tensor);
    return tensors;
}

base::Result<base::Done> writeRuns(const std::filesystem::path& folder,
    const numerics::Subject& subject, const numerics::Inputs& inputs, const Tensors& device,
    bool hasReference, const base::Progress& progress) {
    if (auto done = makeFolder(folder); !done)
        return done;
    if (auto done = compare::writeNpz(folder / "device.npz", device); !done)
        return done;
    if (auto done = compare::writeNpz(folder / "inputs.npz", asTensors(inputs)); !done)
        return done;
    if (!hasReference)
        return base::Done{};
    auto run = numerics::run(*subject.typed, inputs, *subject.weights, {}, progress);
    if (!run)
        return run.error();
    Tensors reference;
    for (const auto& [value, datum] : run->values)
        if (datum.kind == numerics::Datum::Kind::Tensor && datum.tensor.isDefined()
            && !subject.graph().values[value].name.empty())
            reference.emplace_back(subject.graph().values[value].name,
                ir::isFloat(datum.tensor.dtype()) ? datum.tensor.retyped(ir::DType::Float64)
                                                  : datum.tensor);
    return compare::writeNpz(folder / "reference.npz", reference);
}

base::Result<base::Done> writeJson(const std::filesystem::path& path, const Json& json) {
    return writeOutput(path.string(), [&](std::ostream& out) { out << json.dump(2) << '\n'; });
}

base::Result<ir::NodeId> findNode(const ir::Graph& graph, const std::string& name) {
    if (name.empty())
        return ir::NodeId();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == name)
            return ir::NodeId(i);
    return Error{ErrorCode::NotFound, "The model has no node \"" + name + "\".", "--node"};
}

struct Case {
    numerics::Subject subject;
    numerics::Inputs inputs; ///< empty: the lab's
};

base::Result<Case> openCase(const InjectOptions& options, const base::Progress& progress) {
    if (options.model.empty())
        return Error{ErrorCode::InvalidArgument, "Name the model to plant a fault in.", "MODEL"};
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    Case result;
    auto inputs = analysis::openInputs(*opened->model->graph, options.inputs, {}, progress);
    if (!inputs)
        return inputs.error();
    result.inputs = *std::move(inputs);
    auto subject = openSubject(options, *opened, result.inputs, progress);
    if (!subject)
        return subject.error();
    result.subject = subject->subject;
    return result;
}

base::Result<std::vector<numerics::Fault>> faultsOf(
    const InjectOptions& options, const ir::Graph& graph) {
    std::vector<numerics::Fault> faults;
    auto node = findNode(graph, options.node);
    if (!node)
        return node.error();
    for (const std::string& text : options.faults) {
        const auto id = numerics::parseFault(text);
        if (!id)
            return Error{ErrorCode::InvalidArgument,
                "\"" + text + "\" is no fault of the catalogue; there are F01 to F35.", "--fault"};
        numerics::Fault fault;
        fault.id = *id;
        fault.seed = options.seed;
        if (faults.empty())
            fault.node = *node;
        faults.push_back(std::move(fault));
    }
    return faults;
}

base::Result<base::Done> plantOne(const InjectOptions& options) {
    const base::Progress progress = terminalProgress();
    auto opened = openCase(options, progress);
    if (!opened)
        return opened.error();
    auto faults = faultsOf(options, opened->subject.graph());
    if (!faults)
        return faults.error();
    auto planted = compare::plant(opened->subject, opened->inputs, *faults, progress);
    if (!planted)
        return planted.error();
    if (auto done = writeRuns(options.output, opened->subject, planted->inputs, planted->device,
            options.hasReference, progress);
        !done)
        return done;
    return writeJson(std::filesystem::path(options.output) / "answer.json",
        answerJson(opened->subject, *planted));
}

base::Result<base::Done> writeControl(const InjectOptions& options) {
    const base::Progress progress = terminalProgress();
    const std::string digits =
        options.control.size() == 2 && (options.control[0] == 'C' || options.control[0] == 'c')
        ? options.control.substr(1)
        : std::string("0");
    const int number = digits[0] >= '1' && digits[0] <= '8' ? digits[0] - '0' : 0;
    if (number == 0)
        return Error{ErrorCode::InvalidArgument, "There are controls C1 to C8.", "--control"};
    auto opened = openCase(options, progress);
    if (!opened)
        return opened.error();
    const numerics::Inputs inputs = compare::controlInputs(opened->inputs.empty()
            ? compare::lessonInputs(opened->subject, {}, options.seed)
            : opened->inputs,
        number, options.seed);
    auto device = compare::control(opened->subject, inputs, number, options.seed, progress);
    if (!device)
        return device.error();
    return writeRuns(
        options.output, opened->subject, inputs, *device, options.hasReference, progress);
}

/// Plants one fault of the table in its sample beside MODEL's folder, into a folder of its own.
base::Result<Json> plantLesson(const InjectOptions& options, const std::string& sample,
    std::string_view machine, std::string_view fault, std::string_view node,
    const std::filesystem::path& folder, std::optional<double> memory = std::nullopt) {
    InjectOptions one = options;
    one.model = sample;
    one.machine = std::string(machine);
    one.faults = {std::string(fault)};
    one.node = std::string(node);
    const base::Progress progress = terminalProgress();
    auto opened = openCase(one, progress);
    if (!opened)
        return opened.error();
    auto faults = faultsOf(one, opened->subject.graph());
    if (!faults)
        return faults.error();
    if (memory)
        faults->front().parameters["memory"] = *memory;
    auto planted = compare::plant(opened->subject, {}, *faults, progress);
    if (!planted)
        return planted.error();
    if (auto done =
            writeRuns(folder, opened->subject, planted->inputs, planted->device, true, progress);
        !done)
        return done.error();
    std::error_code ignored;
    std::filesystem::copy_file(
        sample, folder / "model.onnx", std::filesystem::copy_options::overwrite_existing, ignored);
    return answerJson(opened->subject, *planted);
}

std::filesystem::path samplesFolder(const InjectOptions& options) {
    std::error_code ignored;
    const std::filesystem::path given = options.model.empty() ? "samples/faults" : options.model;
    return std::filesystem::is_directory(given, ignored) ? given : given.parent_path();
}

/// Three bugs in three folders, and the answers in one file that the teacher keeps.
base::Result<base::Done> writeExercise(const InjectOptions& options) {
    const auto carriers = compare::carriers();
    Json answers = Json::array();
    std::uint64_t at = options.exercise * 7;
    for (int bug = 1; bug <= 3; ++bug) {
        std::optional<Json> answer;
        // Levels of three kinds: one above the layout, one of the layout, one below it.
        for (std::size_t tries = 0; tries < carriers.size() && !answer; ++tries, at += 11) {
            const compare::Carrier& carrier = carriers[at % carriers.size()];
            const int level = static_cast<int>(numerics::facts(carrier.fault).level);
            const int kind = level < 4 ? 1 : level == 4 ? 2 : 3;
            if (kind != bug || level == 6)
                continue;
            const std::size_t sample = (options.exercise / 3) % carrier.samples.size();
            auto planted = plantLesson(options,
                (samplesFolder(options) / (std::string(carrier.samples[sample]) + ".onnx"))
                    .string(),
                carrier.machine, numerics::toString(carrier.fault), carrier.nodes[sample],
                std::filesystem::path(options.output) / ("bug_" + std::to_string(bug)));
            if (planted)
                answer = *planted;
            else if (planted.error().code == ErrorCode::Unreadable
                || planted.error().code == ErrorCode::Cancelled)
                return planted.error();
        }
        if (!answer)
            return Error{ErrorCode::NotFound,
                "The samples of the fault lab are not there; give their folder as MODEL.",
                samplesFolder(options).string()};
        (*answer)["bug"] = bug;
        answers.push_back(*answer);
    }
    return writeJson(std::filesystem::path(options.output) / "answers.json",
        {{"seed", options.exercise}, {"answers", std::move(answers)}});
}

/// One NaN, four causes.
base::Result<base::Done> writeOneNan(const InjectOptions& options) {
    Json answers = Json::array();
    const std::string sample = std::string(compare::kNanSample) + ".onnx";
    for (const compare::NanCause& cause : compare::nanCauses()) {
        auto answer = plantLesson(options, (samplesFolder(options) / sample).string(),
            options.machine.empty() ? std::string_view("spyre") : options.machine,
            numerics::toString(cause.fault), cause.node,
            std::filesystem::path(options.output) / cause.name, cause.memory);
        if (!answer)
            return answer.error();
        answers.push_back(*answer);
    }
    return writeJson(
        std::filesystem::path(options.output) / "answers.json", {{"answers", std::move(answers)}});
}

base::Result<base::Done> inject(const InjectOptions& options) {
    if (options.isList)
        return printList(options);
    if (options.output.empty())
        return Error{ErrorCode::InvalidArgument, "Name the folder to write.", "--out"};
    if (options.isOneNan)
        return writeOneNan(options);
    if (options.exercise > 0)
        return writeExercise(options);
    if (!options.control.empty())
        return writeControl(options);
    return plantOne(options);
}

} // namespace

void addInjectCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "inject", "Plant a fault of the catalogue and write what a device gives");
    auto options = std::make_shared<InjectOptions>();
    addRequestOptions(*command, *options, ModelOption::Positional);
    command->get_option("MODEL")->required(false);
    command->add_option("--fault", options->faults, "F01 to F35; repeated: planted together")
        ->allow_extra_args(false);
    command->add_option("--node", options->node, "Node that the first fault befalls");
    command->add_option("--seed", options->seed, "Of inputs, and of what the fault leaves open");
    command->add_option("--inputs", options->inputs, "Dump of the model's inputs");
    command->add_flag("--reference", options->hasReference, "Also write reference.npz, in fp64");
    command->add_option("--control", options->control, "C1 to C8: a difference that is no bug");
    command->add_option("--exercise", options->exercise,
        "Three bugs to find, chosen by this number; MODEL is the samples' folder");
    command->add_flag("--one-nan", options->isOneNan, "One NaN, four causes");
    command->add_flag("--list", options->isList, "Print the catalogue and its samples");
    command->add_flag("--json", options->isJson, "With --list: as JSON");
    command->add_option("--out", options->output, "Folder to write");
    command->callback([options, &action] { action = [options] { return inject(*options); }; });
}

} // namespace fivefold::cli
