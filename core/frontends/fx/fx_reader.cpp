// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/fx_reader.h"

#include "core/base/mapped_file.h"
#include "core/frontends/fx/graph_builder.h"
#include "core/frontends/fx/syntax.h"

#include <new>

namespace fivefold::frontends::fx {

namespace {

std::string_view trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    const std::size_t last = line.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view()
                                           : line.substr(first, last - first + 1);
}

/// The first line that is neither blank nor a comment.
std::string_view firstLine(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty() && line.front() != '#')
            return line;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {};
}

} // namespace

int FxReader::sniff(std::span<const std::byte> head) const {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    const std::string_view line = firstLine(text);
    const bool isForward = text.find("def forward(") != std::string_view::npos;
    if (line.substr(0, 6) == "class " && line.find("Module)") != std::string_view::npos)
        return isForward ? 100 : 0;
    return line.substr(0, 12) == "def forward(" ? 90 : 0;
}

base::Result<std::shared_ptr<const ir::Graph>> readText(std::string_view text,
    const std::filesystem::path& path, base::Diagnostics& diagnostics,
    const base::Progress& progress) {
    try {
        progress.report("reading", 0);
        auto module = parseModule(text);
        if (!module) {
            base::Error error = module.error();
            error.where = path.string();
            return error;
        }
        auto graph = std::make_shared<ir::Graph>();
        graph->info.format = "fx";
        graph->info.producer = "PyTorch";
        graph->info.graphName = module->name;
        graph->info.path = path.string();
        graph->info.fileBytes = static_cast<std::int64_t>(text.size());
        auto built = GraphBuilder(*module, *graph, diagnostics, progress).build();
        if (!built) {
            base::Error error = built.error();
            error.where = path.string();
            return error;
        }
        progress.report("graph", 1);
        return std::shared_ptr<const ir::Graph>(std::move(graph));
    } catch (const std::bad_alloc&) {
        return base::Error{base::ErrorCode::Limit,
            "There is not enough memory for the model's graph; close other models.", path.string()};
    }
}

base::Result<std::shared_ptr<const ir::Graph>> FxReader::read(const std::filesystem::path& path,
    base::Diagnostics& diagnostics, const base::Progress& progress) const {
    const auto file = base::MappedFile::open(path);
    if (!file)
        return file.error();
    const auto bytes = file->bytes();
    return readText(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path, diagnostics, progress);
}

} // namespace fivefold::frontends::fx
