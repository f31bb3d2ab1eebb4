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

base::Result<Done> writeOutput(
    const std::string& path, const std::function<void(std::ostream&)>& write) {
    if (path == "-") {
        write(std::cout);
        std::cout.flush();
        if (!std::cout)
            return Error{ErrorCode::Unreadable, "The output could not be written.", "stdout"};
        return Done{};
    }
    const std::string temporary = path + ".part";
    {
        std::ofstream out(temporary, std::ios::binary);
        if (out)
            write(out);
        out.close();
        if (!out) {
            std::error_code ignored;
            std::filesystem::remove(temporary, ignored);
            return Error{ErrorCode::Unreadable,
                "The output could not be written; check that the folder exists and has room.",
                path};
        }
    }
    std::error_code failed;
    std::filesystem::rename(temporary, path, failed);
    if (failed) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        return Error{ErrorCode::Unreadable,
            "The output could not be put in place (" + failed.message() + ").", path};
    }
    return Done{};
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
