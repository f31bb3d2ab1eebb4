// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/reducer.h"
#include "core/compare/reproducer_run.h"
#include "core/frontends/onnx/onnx_writer.h"
#include "core/frontends/reader.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace fivefold::compare {

namespace {

using Json = nlohmann::ordered_json;
using Tensors = std::vector<std::pair<std::string, numerics::Tensor>>;

/// A reader of small texts of our own: larger ones are not ours.
constexpr std::uintmax_t kLargestPolicy = 1 << 20;

base::Result<base::Done> writeText(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())) || !file.flush())
        return base::Error{base::ErrorCode::Unreadable,
            "The file cannot be written; is there room, and may the folder be written to?",
            path.string()};
    return base::Done{};
}

Json policyOf(const Reproducer& reproducer) {
    Json json = {{"format", "fivefold reproducer"}, {"version", 1}};
    for (const auto& [key, value] : reproducer.policy)
        json[key] = value;
    if (reproducer.fault) {
        const numerics::Fault& fault = *reproducer.fault;
        json["fault"] = {{"id", numerics::toString(fault.id)},
            {"node", reproducer.graph->nodes[fault.node].name}, {"seed", fault.seed},
            {"parameters", Json(fault.parameters)}};
    }
    json["steps"] = reproducer.steps;
    return json;
}

std::string readmeOf(const Reproducer& reproducer) {
    const auto policy = [&](const std::string& key) {
        const auto found = reproducer.policy.find(key);
        return found == reproducer.policy.end() || found->second.empty() ? std::string("–")
                                                                         : found->second;
    };
    std::string text = "# A reduced case\n\nLayer " + policy("layer") + " on " + policy("machine")
        + ", " + policy("precision") + ": " + policy("pattern") + ".\n\n"
        + "| file | what |\n| --- | --- |\n"
        + "| model.onnx | the operators that are left, weights inside |\n"
        + "| inputs.npz, weights.npz | what goes in: the device's own values at the cut |\n"
        + "| expected.npz | fp64 |\n| device.npz | what the machine gives |\n"
        + "| policy.json | machine, precision, tolerance, level, fault |\n"
        + "| repro.py | the same in eager PyTorch |\n\n"
        + "Replay: `fivefold-cli replay DIR`.\n\nHow it was reduced:\n\n";
    for (const std::string& step : reproducer.steps)
        text += "- " + step + "\n";
    if (const std::string residue = policy("residue"); residue != "–")
        text += "- the remainder that matters: " + residue + "\n";
    return text;
}

Tensors weightsOf(const ir::Graph& graph) {
    Tensors result;
    auto shared = std::make_shared<const ir::Graph>(graph);
    numerics::Weights weights(shared);
    base::Diagnostics diagnostics;
    for (const ir::ValueId id : graph.main().initializers)
        if (auto tensor = weights.of(id, numerics::Carrier::Double, diagnostics))
            result.emplace_back(graph.values[id].name, std::move(*tensor));
    return result;
}

base::Result<Tensors> tensorsOf(const std::filesystem::path& path) {
    auto dump = openDump(path);
    if (!dump)
        return dump.error();
    Tensors result;
    for (std::size_t i = 0; i < (*dump)->entries().size(); ++i) {
        auto tensor = (*dump)->read(i);
        if (!tensor)
            return tensor.error();
        result.emplace_back((*dump)->entries()[i].name, std::move(*tensor));
    }
    return result;
}

base::Error broken(const std::filesystem::path& path, const std::string& what) {
    return {
        base::ErrorCode::Malformed, what + " Write the folder again with `reduce`.", path.string()};
}

base::Result<Json> readPolicy(const std::filesystem::path& path) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(path, failure);
    if (failure)
        return base::Error{base::ErrorCode::NotFound,
            "There is no policy.json: this is not the folder of a reduced case.", path.string()};
    if (size > kLargestPolicy)
        return broken(path, "The policy is larger than one of ours is.");
    std::ifstream file(path, std::ios::binary);
    Json json = Json::parse(file, nullptr, false);
    if (!json.is_object() || json.value("format", Json()) != "fivefold reproducer")
        return broken(path, "The policy is not that of a reduced case.");
    return json;
}

base::Result<base::Done> readFault(
    const Json& json, const std::filesystem::path& path, Reproducer& reproducer) {
    if (!json.is_object() || !json.contains("id") || !json["id"].is_string()
        || !json.contains("node") || !json["node"].is_string())
        return broken(path, "The fault has no id or no node.");
    const auto id = numerics::parseFault(json["id"].get<std::string>());
    if (!id)
        return broken(path, "The fault is none of the catalogue.");
    numerics::Fault fault;
    fault.id = *id;
    if (json.contains("seed") && json["seed"].is_number_unsigned())
        fault.seed = json["seed"].get<std::uint64_t>();
    if (json.contains("parameters") && json["parameters"].is_object())
        for (const auto& [key, value] : json["parameters"].items())
            if (value.is_number())
                fault.parameters[key] = value.get<double>();
    const std::string name = json["node"].get<std::string>();
    for (std::size_t i = 0; i < reproducer.graph->nodes.size(); ++i)
        if (reproducer.graph->nodes[ir::NodeId(i)].name == name)
            fault.node = ir::NodeId(i);
    if (!fault.node.isValid())
        return broken(path, "The model has no operator \"" + name + "\".");
    reproducer.fault = std::move(fault);
    return base::Done{};
}

ElementSet wrongOf(const Tensors& device, const Tensors& expected, std::int64_t& total,
    const Tolerance& tolerance) {
    for (const auto& [name, tensor] : device)
        for (const auto& [other, reference] : expected)
            if (name == other && tensor.size() == reference.size()) {
                total = tensor.size();
                return differ(tensor, reference, tolerance, numerics::formatOf(tensor.dtype()))
                    .wrong;
            }
    return {};
}

/// Elements beyond what bf16 rounds, the coarsest storage of a device (torch.testing's 1.6e-2).
ElementSet wrongOf(const Tensors& device, const Tensors& expected, std::int64_t& total) {
    Tolerance tolerance;
    tolerance.absolute = 1e-3;
    tolerance.relative = 1.6e-2;
    return wrongOf(device, expected, total, tolerance);
}

} // namespace

base::Result<base::Done> writeReproducer(
    const Reproducer& reproducer, const std::filesystem::path& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        return base::Error{base::ErrorCode::Unreadable,
            "The folder cannot be made: " + failure.message() + ".", folder.string()};
    base::Diagnostics diagnostics;
    const auto typed = ir::infer(reproducer.graph, {}, diagnostics);
    if (!typed)
        return typed.error();
    Tensors inputs;
    for (const auto& [name, datum] : reproducer.inputs)
        inputs.emplace_back(name, datum.tensor);
    if (auto done = frontends::onnx::writeModel(*typed, folder / "model.onnx"); !done)
        return done;
    const std::pair<const char*, Tensors> archives[]{{"inputs.npz", inputs},
        {"weights.npz", weightsOf(*reproducer.graph)}, {"expected.npz", reproducer.expected},
        {"device.npz", reproducer.device}};
    for (const auto& [name, tensors] : archives)
        if (auto done = writeNpz(folder / name, tensors); !done)
            return done;
    const std::pair<const char*, std::string> texts[]{
        {"policy.json",
            policyOf(reproducer).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"},
        {"repro.py", reproducer.torchText}, {"README.md", readmeOf(reproducer)}};
    for (const auto& [name, text] : texts)
        if (auto done = writeText(folder / name, text); !done)
            return done;
    return base::Done{};
}

base::Result<Reproducer> readReproducer(const std::filesystem::path& folder) {
    const std::filesystem::path policyPath = folder / "policy.json";
    const auto policy = readPolicy(policyPath);
    if (!policy)
        return policy.error();
    Reproducer result;
    base::Diagnostics diagnostics;
    auto graph = frontends::open(folder / "model.onnx", diagnostics);
    if (!graph)
        return graph.error();
    result.graph = *graph;
    auto inputs = tensorsOf(folder / "inputs.npz");
    if (!inputs)
        return inputs.error();
    for (auto& [name, tensor] : *inputs)
        result.inputs[name] = tensor;
    auto expected = tensorsOf(folder / "expected.npz");
    if (!expected)
        return expected.error();
    result.expected = std::move(*expected);
    auto device = tensorsOf(folder / "device.npz");
    if (!device)
        return device.error();
    result.device = std::move(*device);
    for (const auto& [key, value] : policy->items())
        if (value.is_string() && key != "format")
            result.policy[key] = value.get<std::string>();
    if (policy->contains("fault"))
        if (auto done = readFault((*policy)["fault"], policyPath, result); !done)
            return done.error();
    return result;
}

base::Result<Replay> replay(
    const Reproducer& reproducer, const Lowerer& lower, const base::Progress& progress) {
    auto subject = lower(reproducer.graph);
    if (!subject)
        return subject.error();
    auto run = runCase(*subject, reproducer.inputs, reproducer.fault, progress);
    if (!run)
        return run.error();
    Replay result;
    const ElementSet stored = wrongOf(reproducer.device, reproducer.expected, result.total);
    result.wrong = stored.count;
    std::int64_t total = 0;
    const ElementSet here = wrongOf(run->device, run->expected, total);
    const std::string counts =
        std::to_string(stored.count) + " of " + std::to_string(result.total) + " elements";
    if (run->isStuck) {
        result.isReproduced = reproducer.device.empty();
        result.sentence = "The run hangs here as well: nothing comes back.";
    } else if (!reproducer.fault) {
        result.isReproduced = here == stored && !stored.isEmpty();
        result.sentence = result.isReproduced
            ? "The machine's own arithmetic gives the same " + counts + "."
            : "The stored device run is wrong in " + counts + "; a correct stack gives "
                + std::to_string(here.count)
                + " wrong: what is to blame is not in this model of it.";
    } else {
        // Against the same machine without the fault, bit for bit: errors may be small.
        const ElementSet changed = wrongOf(reproducer.device, run->right, result.total, {});
        result.wrong = changed.count;
        result.isReproduced = changed == run->wrong && !changed.isEmpty();
        const std::string same =
            std::to_string(changed.count) + " of " + std::to_string(result.total) + " elements";
        const std::string fault = numerics::toString(reproducer.fault->id);
        result.sentence = result.isReproduced ? fault + " gives the same " + same + " here."
                                              : fault + " gives " + std::to_string(run->wrong.count)
                + " wrong elements here, the stored run " + same + ".";
    }
    return result;
}

} // namespace fivefold::compare
