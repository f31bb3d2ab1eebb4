// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/csv.h"

#include "core/base/mapped_file.h"

#include <algorithm>
#include <ostream>

#include <csv.h>

namespace fivefold::base {

namespace {

struct Reading {
    CsvTable table;
    std::vector<std::string> line;
    bool hasHeader = false;
};

void onCell(void* text, std::size_t length, void* data) {
    auto& reading = *static_cast<Reading*>(data);
    reading.line.emplace_back(text ? static_cast<const char*>(text) : "", length);
}

void onLine(int, void* data) {
    auto& reading = *static_cast<Reading*>(data);
    if (!reading.hasHeader) {
        reading.table.header = std::move(reading.line);
        reading.hasHeader = true;
    } else if (!reading.line.empty()) {
        reading.line.resize(reading.table.header.size());
        reading.table.rows.push_back(std::move(reading.line));
    }
    reading.line.clear();
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

} // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
}

Result<CsvTable> readCsv(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    std::string_view text(
        reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
        text.remove_prefix(kByteOrderMark.size());

    csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return Error{ErrorCode::Limit, "There is no memory to read a table.", path.string()};
    Reading reading;
    const std::size_t read = csv_parse(&parser, text.data(), text.size(), onCell, onLine, &reading);
    const bool isWhole = read == text.size() && csv_fini(&parser, onCell, onLine, &reading) == 0;
    csv_free(&parser);
    if (!isWhole)
        return Error{ErrorCode::Malformed,
            "The quotation marks of line " + std::to_string(reading.table.rows.size() + 2)
                + " or a later one do not pair up; a mark inside a cell is written twice.",
            path.string()};
    if (!reading.hasHeader)
        return Error{ErrorCode::Malformed, "The file is empty; the first line names the columns.",
            path.string()};
    return std::move(reading.table);
}

void writeCsvLine(std::ostream& out, const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0)
            out << ',';
        if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
            out << cells[i];
            continue;
        }
        std::string quoted(csv_write(nullptr, 0, cells[i].data(), cells[i].size()), '\0');
        csv_write(quoted.data(), quoted.size(), cells[i].data(), cells[i].size());
        out << quoted;
    }
    out << '\n';
}

} // namespace fivefold::base
