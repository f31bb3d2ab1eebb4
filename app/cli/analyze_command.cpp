// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/request.h"
#include "core/analysis/implementations.h"
#include "core/analysis/kernel_cycles.h"
#include "core/analysis/pipeline.h"
#include "core/analysis/report.h"
#include "core/analysis/report_firing.h"
#include "core/base/sha256.h"
#include "core/lowering/substitutions.h"
#include "core/machines/machine.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;

namespace {

struct Options : RequestOptions {
    std::vector<std::string> inputLayouts;
    std::vector<std::string> splits, joins;
    std::vector<std::string> substitutes, placements, implementations;
    std::optional<std::string> cycles;
    std::vector<std::string> play;
    std::string playBlock;
    std::string output = "-";
};

/// "[2,64]" or "2,64" as integers; empty for anything else.
std::vector<std::int64_t> listOf(std::string text) {
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = text.substr(1, text.size() - 2);
    auto numbers = parseIntegers(text, "--input-layout");
    return numbers ? *std::move(numbers) : std::vector<std::int64_t>{};
}

/// "NAME=DEVICE_SIZE:STRIDE_MAP"; whether the graph has that input is checked later.
base::Result<std::pair<std::string, lowering::DeviceLayout>> parseInputLayout(
    const std::string& text) {
    const auto colon = text.rfind(':');
    const auto equals = text.rfind('=', colon);
    if (colon != std::string::npos && equals != std::string::npos && equals > 0) {
        auto size = listOf(text.substr(equals + 1, colon - equals - 1));
        auto strides = listOf(text.substr(colon + 1));
        if (!size.empty() && size.size() == strides.size()
            && std::all_of(size.begin(), size.end(), [](std::int64_t n) { return n > 0; }))
            return std::pair{text.substr(0, equals),
                lowering::DeviceLayout{std::move(size), std::move(strides)}};
    }
    return Error{ErrorCode::InvalidArgument,
        "\"" + text
            + "\" is no input layout; write NAME=DEVICE_SIZE:STRIDE_MAP with two lists of equal "
              "length, as in arg0_1=[2,64]:[64,1].",
        "--input-layout"};
}

/// The first names of a list, for a sentence that says what is possible.
std::string firstOf(const std::vector<std::string>& names) {
    constexpr std::size_t kMostNames = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
        text += (i ? ", " : "") + names[i];
    if (names.size() > kMostNames)
        text += " and " + std::to_string(names.size() - kMostNames) + " more";
    return names.empty() ? "none" : text;
}

std::vector<std::string> namesOf(const ir::Graph& graph, const std::vector<ir::ValueId>& values) {
    std::vector<std::string> names;
    for (const ir::ValueId id : values)
        if (id.isValid())
            names.push_back(graph.values[id].name);
    return names;
}

/// Fills `settings` and checks every name against the graph's inputs.
base::Result<base::Done> addInputLayouts(lowering::Settings& settings, const ir::Graph& graph,
    const machines::Machine& machine, const std::vector<std::string>& texts) {
    constexpr std::string_view kFamily =
        "spyre"; // the one whose compiler lets inputs arrive laid out
    if (!texts.empty() && machine.family != kFamily)
        return Error{ErrorCode::InvalidArgument,
            machine.name
                + " takes no input layouts: its compiler lays every input out itself; "
                  "leave the option out, or choose a machine of the family "
                + std::string(kFamily) + ".",
            "--input-layout"};
    for (const std::string& text : texts) {
        auto parsed = parseInputLayout(text);
        if (!parsed)
            return parsed.error();
        const auto& inputs = graph.main().inputs;
        const bool isInput = std::any_of(inputs.begin(), inputs.end(),
            [&](ir::ValueId id) { return graph.values[id].name == parsed->first; });
        if (!isInput)
            return Error{ErrorCode::InvalidArgument,
                "The model has no input \"" + parsed->first + "\"; it has "
                    + firstOf(namesOf(graph, inputs)) + ".",
                "--input-layout"};
        settings.inputLayouts.insert_or_assign(parsed->first, parsed->second);
    }
    return base::Done{};
}

base::Result<lowering::Settings> settingsOf(
    const Options& options, const machines::Machine& machine) {
    auto settings = parseSettings(options, machine);
    if (!settings)
        return settings;
    for (const std::string& node : options.splits)
        settings->fusionEdits.push_back({lowering::FusionEdit::Kind::Split, node, {}});
    for (const std::string& node : options.joins)
        settings->fusionEdits.push_back({lowering::FusionEdit::Kind::Join, node, {}});
    return settings;
}

/// "NAME=VALUE", parted at the last "=": names may hold one.
base::Result<std::pair<std::string, std::string>> parsePair(
    const std::string& text, const std::string& what, const std::string& form, const char* option) {
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        return Error{ErrorCode::InvalidArgument,
            "\"" + text + "\" is no " + what + "; write " + form + ".", option};
    return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

base::Result<const ir::Node*> operatorNamed(
    const ir::Graph& graph, const std::string& name, const char* option) {
    std::vector<std::string> names;
    for (const ir::Node& node : graph.nodes) {
        if (node.name == name)
            return &node;
        names.push_back(node.name);
    }
    return Error{ErrorCode::InvalidArgument,
        "The model has no operator \"" + name + "\"; it has " + firstOf(names) + ".", option};
}

base::Result<base::Done> addSubstitutes(
    lowering::Settings& settings, const ir::Graph& graph, const std::vector<std::string>& texts) {
    constexpr const char* kOption = "--substitute";
    for (const std::string& text : texts) {
        auto pair = parsePair(text, "substitution", "NODE=RULE", kOption);
        if (!pair)
            return pair.error();
        auto node = operatorNamed(graph, pair->first, kOption);
        if (!node)
            return node.error();
        std::vector<std::string> rules;
        for (const auto* substitution : lowering::substitutionsOf(**node))
            rules.emplace_back(substitution->rule);
        if (std::ranges::find(rules, pair->second) == rules.end())
            return Error{ErrorCode::InvalidArgument,
                "\"" + pair->second + "\" is no substitution of " + (*node)->sourceOp
                    + (rules.empty() ? "; there is none for it, so leave the option out."
                                     : "; choose " + firstOf(rules) + "."),
                kOption};
        settings.substitutes.insert_or_assign(pair->first, pair->second);
    }
    return base::Done{};
}

/// Fills `settings` and checks the memories; whether a kernel stores the value is known later.
base::Result<base::Done> addPlacements(lowering::Settings& settings,
    const machines::Machine& machine, const std::vector<std::string>& texts) {
    constexpr const char* kOption = "--place";
    for (const std::string& text : texts) {
        auto pair = parsePair(text, "placement", "VALUE=LEVEL", kOption);
        if (!pair)
            return pair.error();
        std::vector<std::string> levels;
        for (const machines::Memory& memory : machine.memories)
            levels.push_back(memory.name);
        if (std::ranges::find(levels, pair->second) == levels.end())
            return Error{ErrorCode::InvalidArgument,
                machine.name + " has no memory \"" + pair->second + "\"; it has " + firstOf(levels)
                    + ".",
                kOption};
        settings.placements.insert_or_assign(pair->first, pair->second);
    }
    return base::Done{};
}

base::Result<base::Done> addImplementations(
    lowering::Settings& settings, const ir::Graph& graph, const std::vector<std::string>& texts) {
    constexpr const char* kOption = "--implement";
    for (const std::string& text : texts) {
        auto pair = parsePair(text, "implementation", "NODE:KEY=VALUE", kOption);
        if (!pair)
            return pair.error();
        const auto colon = pair->first.rfind(':');
        if (colon == std::string::npos || colon == 0 || colon + 1 == pair->first.size())
            return Error{ErrorCode::InvalidArgument,
                "\"" + text + "\" is no implementation; write NODE:KEY=VALUE.", kOption};
        const std::string name = pair->first.substr(0, colon);
        if (auto node = operatorNamed(graph, name, kOption); !node)
            return node.error();
        settings.implementations[name][pair->first.substr(colon + 1)] = pair->second;
    }
    return base::Done{};
}

base::Result<base::Done> addWishes(lowering::Settings& settings, const ir::Graph& graph,
    const machines::Machine& machine, const Options& options) {
    if (auto done = addInputLayouts(settings, graph, machine, options.inputLayouts); !done)
        return done;
    if (auto done = addSubstitutes(settings, graph, options.substitutes); !done)
        return done;
    if (auto done = addPlacements(settings, machine, options.placements); !done)
        return done;
    return addImplementations(settings, graph, options.implementations);
}

/// Whether the model or its program has the values that the user places.
base::Result<base::Done> checkPlacements(const analysis::Result& result) {
    const auto& placements = result.request.settings.placements;
    if (placements.empty())
        return base::Done{};
    std::set<std::string> known;
    std::vector<std::string> names;
    for (const ir::Value& value : result.graph().values)
        known.insert(value.name);
    const auto& placed = result.program.stage(lowering::Stage::Placed);
    for (const lowering::Buffer& buffer : result.program.buffers)
        if (const std::string& name = placed.values[buffer.value].name; !name.empty())
            names.push_back(name);
    known.insert(names.begin(), names.end());
    for (const auto& [name, level] : placements)
        if (!known.contains(name))
            return Error{ErrorCode::InvalidArgument,
                "Neither the model nor its program has a value \"" + name + "\"; it stores "
                    + firstOf(names) + ".",
                "--place"};
    return base::Done{};
}

/// Whether the machine leaves the choices that the user makes.
base::Result<base::Done> checkImplementations(const analysis::Result& result) {
    const ir::Graph& graph = result.graph();
    for (const auto& [name, values] : result.request.settings.implementations) {
        ir::NodeId node(0);
        while (node.index() < graph.nodes.size() && graph.nodes[node].name != name)
            node = ir::NodeId(node.index() + 1);
        if (auto rows = analysis::compareImplementations(result, node, {values}); !rows)
            return Error{ErrorCode::InvalidArgument, rows.error().message, "--implement"};
        for (const auto& choice : analysis::implementationChoices(result, node))
            if (!choice.isApplied && values.contains(choice.key))
                return Error{ErrorCode::InvalidArgument,
                    "No program of " + result.machine().name + " is lowered by \"" + choice.key
                        + "\"; `implementations` prints what each of its values costs.",
                    "--implement"};
    }
    return base::Done{};
}

/// Whether the transfers that come late are transfers of the program.
base::Result<base::Done> checkLate(
    const analysis::Result& result, const std::vector<schedule::FiringOptions>& models) {
    for (const schedule::FiringOptions& options : models)
        if (options.late.isValid() && !schedule::isTransfer(result.program, options.late))
            return Error{ErrorCode::InvalidArgument,
                "The program has no transfer " + std::to_string(options.late.value)
                    + "; write the id of one in events[], of the kind read or write.",
                "--play"};
    return base::Done{};
}

/// Whether the kernels that the user cuts or joins are there. What a rule of the family refuses is
/// no wrong name: the report holds that as a warning.
base::Result<base::Done> checkFusionEdits(const analysis::Result& result) {
    std::vector<std::string> names;
    for (const lowering::Node& node : result.program.stage(lowering::Stage::Fused).nodes)
        names.push_back(node.name);
    for (const lowering::FusionEdit& edit : result.request.settings.fusionEdits)
        if (std::ranges::find(names, edit.node) == names.end())
            return Error{ErrorCode::InvalidArgument,
                "The fused stage has no operator \"" + edit.node + "\"; it has " + firstOf(names)
                    + ".",
                edit.kind == lowering::FusionEdit::Kind::Split ? "--split" : "--fuse-next"};
    return base::Done{};
}

/// The block under the models that were asked for; nullopt: none were.
base::Result<std::optional<analysis::Play>> playOf(
    const Options& options, const analysis::Result& result, const base::Progress& progress) {
    if (options.play.empty() && options.playBlock.empty())
        return std::optional<analysis::Play>();
    std::vector<schedule::FiringOptions> models;
    for (const std::string& text : options.play) {
        auto parsed = analysis::parseFiringOptions(text);
        if (!parsed)
            return parsed.error();
        models.push_back(*parsed);
    }
    if (models.empty()) {
        models.emplace_back();
        models.back().model = analysis::ownModel(result.machine().family).model;
    }
    if (auto checked = checkLate(result, models); !checked)
        return checked.error();
    auto request = analysis::playRequest(result.graph(), options.playBlock, std::move(models));
    if (!request)
        return request.error();
    return std::optional(analysis::play(result, *request, progress));
}

base::Result<base::Done> analyzeFile(const Options& options) {
    const base::Progress progress = terminalProgress();
    auto machine = machines::machineByIdOrFile(options.machine);
    if (!machine)
        return machine.error();
    auto settings = settingsOf(options, **machine);
    if (!settings)
        return settings.error();
    auto opened = openModel(options, progress);
    if (!opened)
        return opened.error();
    if (auto added = addWishes(*settings, *opened->model->graph, **machine, options); !added)
        return added.error();
    auto result =
        analysis::analyze({opened->model, *machine, opened->bindings, *settings}, progress);
    if (!result)
        return result.error();
    if (auto checked = checkFusionEdits(**result); !checked)
        return checked.error();
    if (auto checked = checkPlacements(**result); !checked)
        return checked.error();
    if (auto checked = checkImplementations(**result); !checked)
        return checked.error();
    auto digest = base::sha256OfFile(options.model);
    if (!digest)
        return digest.error();
    std::optional<lowering::CycleView> cycles;
    if (options.cycles) {
        auto view = analysis::kernelCycles(**result, *options.cycles);
        if (!view)
            return view.error();
        cycles = *std::move(view);
    }
    auto play = playOf(options, **result, progress);
    if (!play)
        return play.error();
    return writeOutput(options.output, [&](std::ostream& out) {
        analysis::writeReport(
            out, **result, *digest, cycles ? &*cycles : nullptr, *play ? &**play : nullptr);
    });
}

} // namespace

void addAnalyzeCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("analyze", "Lower a model for one machine");
    auto options = std::make_shared<Options>();
    addRequestOptions(*command, *options, ModelOption::Positional);
    command->get_option("--machine")->required();
    command->add_option(
        "--cycles", options->cycles, "Kernel whose cycles are printed one by one (Groq)");
    command
        ->add_option("--input-layout", options->inputLayouts,
            "NAME=DEVICE_SIZE:STRIDE_MAP, the layout that an input arrives in (Spyre)")
        ->allow_extra_args(false);
    command
        ->add_option("--split", options->splits,
            "Operator of the fused stage before which its kernel is cut")
        ->allow_extra_args(false);
    command
        ->add_option("--fuse-next", options->joins,
            "Operator of the fused stage whose kernel takes the next one in")
        ->allow_extra_args(false);
    command
        ->add_option("--substitute", options->substitutes,
            "NODE=RULE, an operator written in others that are supported")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--place", options->placements, "VALUE=LEVEL, the memory that a value is to lie in")
        ->allow_extra_args(false);
    command
        ->add_option("--implement", options->implementations,
            "NODE:KEY=VALUE, how a product, convolution, attention or softmax runs")
        ->allow_extra_args(false);
    command
        ->add_option("--play", options->play,
            "MODEL[:KEY=VALUE,…], an execution model that the program is played under; repeat it "
            "for a second beside it. Models: program_counter dynamic_dataflow static_schedule; "
            "keys: jitter seed queue arbitration late")
        ->allow_extra_args(false);
    command->add_option("--play-block", options->playBlock,
        "Node or scope that is played alone; the whole graph by default");
    command->add_option("--json", options->output, "Where the JSON goes; - is stdout");
    command->callback([options, &action] { action = [options] { return analyzeFile(*options); }; });
}

} // namespace fivefold::cli
