// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::base {

/// A table with one header line (RFC 4180). Every row has as many cells as the header: missing ones
/// are empty, and cells beyond the header are dropped.
struct CsvTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;

    std::optional<std::size_t> column(std::string_view name) const;
};

/// Reads a table. Fails with a sentence for a file that cannot be read, an empty one, or an open
/// quotation. Blank lines are skipped. O(bytes).
Result<CsvTable> readCsv(const std::filesystem::path& path);

/// Writes one line; cells that need it are quoted.
void writeCsvLine(std::ostream& out, const std::vector<std::string>& cells);

} // namespace fivefold::base
