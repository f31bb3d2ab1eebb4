// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/folder_files.h"

#include <algorithm>
#include <cctype>

namespace fivefold::compare::dumps {

namespace {

namespace fs = std::filesystem;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

// Source of the structure: Ascend/msprobe docs/en/dump/pytorch_data_dump_instruct.md, and dumps of
// mindstudio-probe 26.2.
constexpr const char* kJson = "dump.json";
constexpr const char* kData = "dump_tensor_data"; ///< `dump_data_dir` names another machine's path

/// "torch.float32", "Float32", "torch.float8_e4m3fn".
ir::DType typeOf(std::string text) {
    text.erase(0, text.rfind('.') + 1); // npos + 1 is 0
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    std::transform(text.begin(), text.end(), text.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (text == "half")
        text = "float16";
    return ir::parseDType(text).value_or(ir::DType::Undefined);
}

/// The part of a key and the role of a member of a call.
struct Part {
    std::string key, role;
};
Part partOf(const std::string& member) {
    if (member == "input_args" || member == "input_kwargs" || member == "input")
        return {"input", "input"};
    if (member == "output")
        return {"output", "output"};
    if (member == "parameters")
        return {"parameters", "parameter"};
    return {member, ""};
}

class Reader {
public:
    Reader(Listing& listing, fs::path folder, std::string prefix, const Context& context)
        : m_listing(listing)
        , m_folder(std::move(folder))
        , m_prefix(std::move(prefix))
        , m_context(context) { }

    Result<Done> read() {
        const fs::path file = m_folder / kJson;
        const auto source = fileSource(file);
        if (!source)
            return source.error();
        const auto root = readJson(**source, {m_context.limits.jsonDepth});
        if (!root)
            return Error{root.error().code,
                root.error().message
                    + " (msprobe completes dump.json when it stops; after a crash, open the folder "
                      "dump_tensor_data itself.)",
                file.string()};
        const JsonNode* data = root->find("data");
        if (!isMsprobe(*root) || !data->isObject())
            return Error{ErrorCode::Malformed,
                "dump.json has no calls under \"data\"; write the dump again with msprobe.",
                file.string()};
        for (const JsonNode& call : data->items) {
            if (m_context.progress.isCancelled())
                return base::Progress::cancelled();
            for (const JsonNode& member : call.items) {
                const Part part = partOf(member.key);
                if (auto done = visit(member, m_prefix + call.key + "." + part.key, part.role);
                    !done)
                    return done;
            }
        }
        return Done{};
    }

private:
    /// Tensors in lists and dicts to any depth; what is no tensor (null, numbers, texts) is passed.
    Result<Done> visit(const JsonNode& node, const std::string& key, const std::string& role) {
        if (node.isObject() && node.find("shape") && node.find("dtype"))
            return addTensor(node, key, role);
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const JsonNode& item = node.items[i];
            const std::string part = node.isObject() ? item.key : std::to_string(i);
            if (auto done = visit(item, key + "." + part, role); !done)
                return done;
        }
        return Done{};
    }

    Result<Done> addTensor(const JsonNode& node, const std::string& key, const std::string& role) {
        DumpEntry entry;
        entry.name = key;
        entry.role = role;
        entry.dtype = typeOf(node.textAt("dtype").value_or(""));
        const JsonNode* shape = node.find("shape");
        bool hasShape = shape->isArray();
        for (const JsonNode& extent : shape->items) {
            hasShape &= extent.kind == JsonNode::Kind::Integer;
            entry.shape.push_back(extent.kind == JsonNode::Kind::Integer ? extent.integer : 0);
        }
        if (!hasShape)
            return Error{ErrorCode::Malformed,
                "The shape of " + inQuotes(key)
                    + " is not a list of integers; write the dump again.",
                (m_folder / kJson).string()};
        entry.statistics = statisticsOf(node);
        Contents contents = contentsOf(node, entry);
        return m_listing.add(std::move(entry), std::move(contents));
    }

    static std::optional<Statistics> statisticsOf(const JsonNode& node) {
        const auto figure = [&](const char* name) {
            const JsonNode* value = node.find(name);
            return value ? value->number() : std::nullopt;
        };
        Statistics statistics;
        statistics.minimum = figure("Min");
        statistics.maximum = figure("Max");
        statistics.mean = figure("Mean");
        statistics.norm = figure("Norm");
        if (!statistics.minimum && !statistics.maximum && !statistics.mean && !statistics.norm)
            return std::nullopt;
        return statistics;
    }

    Contents contentsOf(const JsonNode& node, DumpEntry& entry) {
        const JsonNode* name = node.find("data_name");
        if (!name || name->kind == JsonNode::Kind::Null)
            return {};
        const std::string file = name->isText() ? name->text : std::string();
        if (!isBareName(file)) {
            m_listing.diagnostics.error("dump.path_refused", entry.name,
                "The file name " + inQuotes(file) + " is not a plain name and is not opened.",
                "Only files of the dump's own folder are read; write the dump again.");
            return {};
        }
        const fs::path path = m_folder / kData / file;
        const auto check = checkInside(path, m_folder);
        if (!check.isThere) {
            m_listing.diagnostics.warn(
                check.refusal.empty() ? "dump.file_missing" : "dump.path_refused", entry.name,
                check.refusal.empty()
                    ? "The file " + inQuotes(file) + " is not in the folder dump_tensor_data."
                    : "The file " + inQuotes(file) + " is not opened: " + check.refusal + ".",
                "Copy the file into the folder dump_tensor_data.");
            return {};
        }
        entry.file = std::string(kData) + "/" + file;
        return fileContents(path, entry.shape, m_context.limits);
    }

    Listing& m_listing;
    fs::path m_folder;
    std::string m_prefix;
    const Context& m_context;
};

/// "step0", "rank3", "rank", "proc1234".
bool isPart(const std::string& name) {
    for (const std::string_view word : {"step", "rank", "proc"})
        if (name.starts_with(word))
            return std::all_of(
                name.begin() + 4, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return false;
}

/// Folders with a dump.json, at most step/rank below.
void findProcesses(const fs::path& folder, const std::string& below, int depth,
    std::vector<std::pair<fs::path, std::string>>& found) {
    constexpr int kDeepest = 3;
    constexpr std::size_t kMost = 100'000;
    std::error_code error;
    if (fs::is_regular_file(folder / kJson, error) && !fs::is_symlink(folder / kJson, error))
        found.emplace_back(folder, below);
    std::vector<std::string> names;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->is_directory(error) && !it->is_symlink(error)
            && isPart(it->path().filename().string()) && names.size() < kMost)
            names.push_back(it->path().filename().string());
    std::sort(names.begin(), names.end(), naturallyLess);
    if (depth < kDeepest)
        for (const std::string& name : names)
            findProcesses(folder / name, below + name + "/", depth + 1, found);
}

} // namespace

bool isMsprobe(const JsonNode& root) {
    return root.find("data") && root.find("task") && root.find("level");
}

Result<Done> addMsprobe(
    Listing& listing, const fs::path& folder, const std::string& prefix, const Context& context) {
    return Reader(listing, folder, prefix, context).read();
}

Result<std::optional<Listing>> readMsprobe(const fs::path& folder, const Context& context) {
    std::vector<std::pair<fs::path, std::string>> processes;
    findProcesses(folder, "", 0, processes);
    if (processes.empty())
        return std::optional<Listing>();
    Listing listing("msprobe", folder.string(), context.limits);
    for (const auto& [process, below] : processes)
        if (auto done =
                addMsprobe(listing, process, processes.size() > 1 ? below : std::string(), context);
            !done)
            return done.error();
    if (processes.size() > 1)
        listing.diagnostics.info("dump.several_runs", {},
            "The folder has more than one step or rank; names begin with it.",
            "Open the folder of one step to compare that step alone.");
    return std::optional(std::move(listing));
}

} // namespace fivefold::compare::dumps
