// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/readers.h"

namespace fivefold::compare::dumps {

struct FileCheck {
    bool isThere = false;
    std::string refusal; ///< why the file may not be read; a clause without a full stop
};
/// A regular file that really lies below `root`, links followed.
FileCheck checkInside(const std::filesystem::path& file, const std::filesystem::path& root);
/// A name from a dump that is to become a file beside it: no folder, no "..", no drive, no NUL.
bool isBareName(std::string_view name);

/// Reads the one tensor of a file, which must have the shape that the dump gave it; a shape that
/// was not known fits any.
Contents fileContents(const std::filesystem::path& file,
    std::optional<std::vector<std::int64_t>> shape, const DumpLimits& limits);

/// Order of names in which numbers count by value: "x2" before "x10".
bool naturallyLess(std::string_view a, std::string_view b);

} // namespace fivefold::compare::dumps
