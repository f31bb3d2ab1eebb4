// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/dump_exercise.h"

#include "core/compare/dumps/pickle.h"
#include "core/compare/dumps/readers.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace fivefold::tests {

namespace {

namespace fs = std::filesystem;
using namespace compare;

[[noreturn]] void broken(const char* promise) {
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

DumpLimits smallLimits() {
    DumpLimits limits;
    limits.bytes = 8 << 20;
    limits.tensorBytes = 1 << 20;
    limits.tensors = 1000;
    limits.pickleBytes = 1 << 20;
    limits.pickleOpcodes = 20'000;
    return limits;
}

/// A folder of this process for formats that are folders; removed when the process ends.
const fs::path& scratch() {
    struct Folder {
        fs::path path =
            fs::temp_directory_path() / ("fivefold_dumps." + std::to_string(::getpid()));
        Folder() { fs::create_directories(path); }
        ~Folder() {
            std::error_code error;
            fs::remove_all(path, error);
        }
    };
    static const Folder folder;
    return folder.path;
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(
        reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

base::Result<dumps::Listing> listed(
    std::string_view format, std::span<const std::byte> bytes, const dumps::Context& context) {
    if (format == "msprobe") {
        write(scratch() / "dump.json", bytes);
        auto listing = dumps::readMsprobe(scratch(), context);
        if (!listing)
            return listing.error();
        if (!*listing)
            broken("a folder with dump.json is one of msprobe");
        return std::move(**listing);
    }
    if (format == "ttnn") {
        write(scratch() / "db.sqlite", bytes);
        auto listing = dumps::readTtnn(scratch(), context);
        if (!listing)
            return listing.error();
        if (!*listing)
            broken("a folder with db.sqlite is one of TT-NN");
        return std::move(**listing);
    }
    const auto source = dumps::memorySource({bytes.begin(), bytes.end()}, "memory");
    return dumps::readFile(source, scratch() / "memory.bin", context);
}

/// Sums of archives seldom survive damage, so that bare pickles are tried too.
void exercisePickle(std::span<const std::byte> bytes, const DumpLimits& limits) {
    const auto pickle = dumps::readPickle(bytes, limits, "memory");
    if (!pickle && pickle.error().message.empty())
        broken("every error of a pickle is a sentence");
    if (pickle && pickle->root >= pickle->values.size())
        broken("the root of a pickle is one of its values");
}

void readContents(const dumps::Stored& stored) {
    const auto tensor = stored.contents();
    if (!tensor) {
        if (tensor.error().message.empty())
            broken("every error of a tensor is a sentence");
        return;
    }
    if (tensor->size() != dumps::elementCount(tensor->shape()) || tensor->size() > (1 << 23))
        broken("a tensor has as many elements as its shape says, within the limits");
    if (!stored.entry.shape.empty() && tensor->shape() != stored.entry.shape)
        broken("contents have the shape that was declared");
}

} // namespace

std::string exerciseDump(std::string_view format, std::span<const std::byte> bytes) {
    const DumpLimits limits = smallLimits();
    const base::Progress progress;
    if (format == "pt")
        exercisePickle(bytes, limits);
    const auto listing = listed(format, bytes, dumps::Context{limits, progress});
    if (!listing) {
        if (listing.error().message.empty())
            broken("every error is a sentence");
        return listing.error().message;
    }
    if (static_cast<std::int64_t>(listing->entries().size()) > limits.tensors)
        broken("no more tensors than the limit");
    for (const auto& stored : listing->entries())
        if (stored.contents)
            readContents(stored);
    return {};
}

} // namespace fivefold::tests
