// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/registry.h"

#include "core/base/mapped_file.h"
#include "core/frontends/file_kind.h"
#include "core/frontends/fx/fx_reader.h"
#include "core/frontends/onnx/onnx_reader.h"

#include <algorithm>

namespace fivefold::frontends {

namespace {

/// Bytes that sniffing looks at.
constexpr std::size_t kHeadBytes = 64 * 1024;

std::string knownFormats() {
    std::string list;
    for (const Reader* reader : readers())
        list += (list.empty() ? "" : ", ") + std::string(reader->description());
    return list;
}

} // namespace

const std::vector<const Reader*>& readers() {
    static const onnx::OnnxReader onnxReader;
    static const fx::FxReader fxReader;
    static const std::vector<const Reader*> all = {&onnxReader, &fxReader};
    return all;
}

base::Result<std::shared_ptr<const ir::Graph>> open(const std::filesystem::path& path,
    base::Diagnostics& diagnostics, const base::Progress& progress) {
    const Reader* best = nullptr;
    {
        const auto file = base::MappedFile::open(path);
        if (!file)
            return file.error();
        const auto head = file->bytes().first(std::min(file->bytes().size(), kHeadBytes));
        int bestScore = 0;
        for (const Reader* reader : readers()) {
            if (const int score = reader->sniff(head); score > bestScore) {
                best = reader;
                bestScore = score;
            }
        }
        if (!best)
            return base::Error{base::ErrorCode::Unsupported,
                "This looks like " + fileKind(head)
                    + ", not like a model that can be opened; choose one of: " + knownFormats()
                    + '.',
                path.string()};
    }
    return best->read(path, diagnostics, progress);
}

} // namespace fivefold::frontends
