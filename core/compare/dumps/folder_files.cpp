// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/folder_files.h"

#include <algorithm>

namespace fivefold::compare::dumps {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using base::Result;

FileCheck checkInside(const fs::path& file, const fs::path& root) {
    std::error_code error;
    const auto status = fs::status(file, error);
    if (error || status.type() == fs::file_type::not_found)
        return {};
    if (!fs::is_regular_file(status))
        return {false, "it is no regular file"};
    const fs::path real = fs::canonical(file, error);
    const fs::path inside = fs::canonical(root, error);
    if (error)
        return {false, "its place cannot be found out"};
    const auto [inRoot, inReal] =
        std::mismatch(inside.begin(), inside.end(), real.begin(), real.end());
    if (inRoot != inside.end() || inReal == real.end())
        return {false, "it is a link to a file outside the folder"};
    return {true, {}};
}

bool isBareName(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.size() <= 255
        && name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos
        && !(name.size() > 1 && name[1] == ':');
}

Contents fileContents(const fs::path& file, std::optional<std::vector<std::int64_t>> shape,
    const DumpLimits& limits) {
    return [file, shape = std::move(shape), limits]() -> Result<numerics::Tensor> {
        const auto source = fileSource(file, FileUse::KeptOpen);
        if (!source)
            return source.error();
        const base::Progress progress;
        auto listing = readFile(*source, file, Context{limits, progress});
        if (!listing)
            return listing.error();
        const auto& entries = listing->entries();
        if (entries.size() != 1 || !entries[0].contents)
            return Error{ErrorCode::Malformed,
                "The file holds " + std::to_string(entries.size())
                    + " tensors instead of one; write the dump again.",
                file.string()};
        if (shape && entries[0].entry.shape != *shape)
            return Error{ErrorCode::Malformed,
                "The file holds a tensor of another shape than the dump says; the folder mixes "
                "two dumps. Write the dump again into an empty folder.",
                file.string()};
        return entries[0].contents();
    };
}

bool naturallyLess(std::string_view a, std::string_view b) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        const auto digits = [&](std::string_view text, std::size_t& at) {
            while (at < text.size() && text[at] == '0')
                ++at;
            const std::size_t begin = at;
            while (at < text.size() && isDigit(text[at]))
                ++at;
            return text.substr(begin, at - begin);
        };
        const auto x = digits(a, i), y = digits(b, j);
        if (x.size() != y.size())
            return x.size() < y.size();
        if (x != y)
            return x < y;
    }
    if (a.size() - i != b.size() - j)
        return a.size() - i < b.size() - j;
    return a < b;
}

} // namespace fivefold::compare::dumps
