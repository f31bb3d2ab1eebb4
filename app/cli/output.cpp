// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/output.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <unistd.h>

namespace fivefold::cli {

using base::Done;
using base::Error;
using base::ErrorCode;

namespace {

Error unwritable(const std::string& path) {
    return {ErrorCode::Unreadable,
        "The output could not be written; check that the folder exists and has room.", path};
}

base::Result<Done> writeStream(
    std::ostream& out, const std::string& name, const std::function<void(std::ostream&)>& write) {
    if (out)
        write(out);
    out.flush();
    return out ? base::Result<Done>(Done{}) : unwritable(name);
}

/// Where the bytes end up: what a link points to, also when that does not exist yet, so that the
/// link itself stays.
std::filesystem::path targetOf(const std::string& path) {
    constexpr int kLinks = 40; // as many as Linux follows
    std::filesystem::path target(path);
    std::error_code failed;
    for (int i = 0; i < kLinks && std::filesystem::is_symlink(target, failed); ++i) {
        const auto next = std::filesystem::read_symlink(target, failed);
        if (failed)
            break;
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

} // namespace

base::Result<Done> writeOutput(
    const std::string& path, const std::function<void(std::ostream&)>& write) {
    if (path == "-")
        return writeStream(std::cout, "stdout", write);
    const std::filesystem::path target = targetOf(path);
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (std::filesystem::is_directory(status))
        return Error{
            ErrorCode::InvalidArgument, "This is a folder; name a file for the output.", path};
    // A device or a pipe (/dev/null, /dev/stdout, >(…)) is written to, never replaced.
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        std::ofstream out(path, std::ios::binary);
        return writeStream(out, path, write);
    }
    auto temporary = target;
    temporary += "." + std::to_string(::getpid()) + ".part";
    std::ofstream out(temporary, std::ios::binary);
    auto written = writeStream(out, path, write);
    out.close();
    if (written && !out)
        written = unwritable(path);
    if (written)
        std::filesystem::rename(temporary, target, failed);
    if (!written || failed) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
    }
    if (written && failed)
        return Error{ErrorCode::Unreadable,
            "The output could not be put in place (" + failed.message() + ").", path};
    return written;
}

base::Progress terminalProgress() {
    if (!isatty(STDERR_FILENO))
        return {};
    return base::Progress({}, [](std::string_view stage, double fraction) {
        if (fraction >= 0)
            std::fprintf(stderr, "\r\033[K%.*s %.0f %%", static_cast<int>(stage.size()),
                stage.data(), fraction * 100);
        else
            std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(stage.size()), stage.data());
        std::fflush(stderr);
    });
}

base::Result<ir::Bindings> parseBindings(
    const ir::Graph& graph, const std::vector<std::string>& texts) {
    ir::Bindings bindings;
    for (const std::string& text : texts)
        if (auto added = ir::addBinding(bindings, graph, text); !added)
            return added.error();
    return bindings;
}

base::Result<ir::BoundGraph> bindSizes(const std::shared_ptr<const ir::Graph>& graph,
    const std::vector<std::string>& texts, const base::Progress& progress) {
    return ir::bindSizes(graph, texts, progress);
}

base::Result<std::vector<std::int64_t>> parseIntegers(
    const std::string& text, const std::string& option) {
    std::vector<std::int64_t> numbers;
    const char* at = text.data();
    const char* end = text.data() + text.size();
    while (at != end) {
        std::int64_t number = 0;
        const auto [next, failed] = std::from_chars(at, end, number);
        if (failed != std::errc() || (next != end && *next != ',')
            || (next != end && next + 1 == end))
            return Error{ErrorCode::InvalidArgument,
                "\"" + text + "\" is no list of integers; write them as 2,65.", option};
        numbers.push_back(number);
        at = next == end ? end : next + 1;
    }
    return numbers;
}

} // namespace fivefold::cli
