// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/folder_files.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <sqlite3.h>
#include <unordered_map>

namespace fivefold::compare::dumps {

namespace {

namespace fs = std::filesystem;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

// Source of the structure: tenstorrent/tt-metal ttnn/ttnn/database.py.
constexpr const char* kDatabase = "db.sqlite";
constexpr const char* kTensors = "tensors";

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

/// Reading of columns and nothing else: no function, no pragma, no attachment, no write.
int authorize(void*, int action, const char*, const char*, const char*, const char* origin) {
    if (action == SQLITE_SELECT || (action == SQLITE_READ && !origin)) // origin: a view or trigger
        return SQLITE_OK;
    return SQLITE_DENY;
}

/// How far a query may go before it is asked whether to stop.
struct Watch {
    const base::Progress& progress;
    std::int64_t calls = 0;
};
constexpr int kStepsBetweenCalls = 10'000;
constexpr std::int64_t kMostCalls = 200'000;

int watch(void* user) {
    auto& state = *static_cast<Watch*>(user);
    return ++state.calls > kMostCalls || state.progress.isCancelled();
}

/// A path as an SQLite URI that opens the file as it is, without a journal or a lock.
std::string immutableUri(const fs::path& path) {
    std::string uri = "file:";
    for (const char c : fs::absolute(path).string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || std::strchr("/._-~", c)) {
            uri += c;
            continue;
        }
        constexpr const char* kHex = "0123456789ABCDEF";
        uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
    return uri + "?mode=ro&immutable=1";
}

void restrict(sqlite3* database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    constexpr std::pair<int, int> kLimits[] = {{SQLITE_LIMIT_LENGTH, 1 << 20},
        {SQLITE_LIMIT_SQL_LENGTH, 1 << 16}, {SQLITE_LIMIT_COLUMN, 200},
        {SQLITE_LIMIT_EXPR_DEPTH, 20}, {SQLITE_LIMIT_COMPOUND_SELECT, 2},
        {SQLITE_LIMIT_VDBE_OP, 25'000}, {SQLITE_LIMIT_FUNCTION_ARG, 8}, {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1}, {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (const auto& [limit, value] : kLimits)
        sqlite3_limit(database, limit, value);
    // SQLite's advice for files of unknown origin (sqlite.org/security.html).
    sqlite3_exec(
        database, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;", nullptr, nullptr, nullptr);
}

/// A row whose columns are asked for by name; names that the table has not give nothing.
class Row {
public:
    explicit Row(sqlite3_stmt* statement)
        : m_statement(statement) { }

    std::optional<std::int64_t> integer(const char* name) const {
        const int column = columnOf(name);
        if (column < 0 || sqlite3_column_type(m_statement, column) != SQLITE_INTEGER)
            return std::nullopt;
        return sqlite3_column_int64(m_statement, column);
    }
    std::optional<double> number(const char* name) const {
        const int column = columnOf(name);
        const int type = column < 0 ? SQLITE_NULL : sqlite3_column_type(m_statement, column);
        if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
            return std::nullopt;
        return sqlite3_column_double(m_statement, column);
    }
    std::string text(const char* name) const {
        const int column = columnOf(name);
        if (column < 0 || sqlite3_column_type(m_statement, column) != SQLITE_TEXT)
            return {};
        const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
        const int length = sqlite3_column_bytes(m_statement, column);
        return value ? std::string(value, static_cast<std::size_t>(length)) : std::string();
    }

private:
    int columnOf(const char* name) const {
        for (int i = 0; i < sqlite3_column_count(m_statement); ++i) {
            const char* column = sqlite3_column_name(m_statement, i);
            if (column && sqlite3_stricmp(column, name) == 0)
                return i;
        }
        return -1;
    }
    sqlite3_stmt* m_statement;
};

/// Extents of a displayed shape: "ttnn.Shape([1, 1, 32[35], 64])", "torch.Size([2, 3])"; in
/// brackets behind an extent stands the padded one.
std::optional<std::vector<std::int64_t>> parseShape(std::string_view text) {
    std::vector<std::int64_t> shape;
    std::size_t at = text.find('[');
    if (at == std::string_view::npos)
        return std::nullopt;
    ++at;
    const auto skip = [&] {
        while (at < text.size() && text[at] == ' ')
            ++at;
        return at < text.size() ? text[at] : '\0';
    };
    const auto extent = [&](std::int64_t& value) {
        skip();
        const auto [end, error] =
            std::from_chars(text.data() + at, text.data() + text.size(), value);
        at = static_cast<std::size_t>(end - text.data());
        return error == std::errc() && value >= 0;
    };
    if (skip() == ']')
        return shape;
    while (shape.size() < 1000) {
        std::int64_t value = 0, padded = 0;
        if (!extent(value))
            return std::nullopt;
        shape.push_back(value);
        if (skip() == '[' && (++at, !extent(padded) || skip() != ']' || (++at, false)))
            return std::nullopt;
        const char next = skip();
        ++at;
        if (next == ']')
            return shape;
        if (next != ',')
            return std::nullopt;
    }
    return std::nullopt;
}

/// "DataType.BFLOAT16", "torch.float32"; block formats (BFLOAT8_B) have no element type of ours.
ir::DType parseType(std::string text) {
    text.erase(0, text.rfind('.') + 1);
    std::transform(text.begin(), text.end(), text.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ir::parseDType(text).value_or(ir::DType::Undefined);
}

/// Whether a table's definition has the word AS, which computed columns need and stored ones do
/// not: an expression of a stranger is not evaluated.
bool computesColumns(std::string sql) {
    std::string word;
    sql += ' ';
    for (const char c : sql) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            continue;
        }
        if (word == "as")
            return true;
        word.clear();
    }
    return false;
}

class Reader {
public:
    Reader(fs::path folder, const Context& context)
        : m_folder(std::move(folder))
        , m_context(context)
        , m_watch{context.progress}
        , m_listing("ttnn", m_folder.string(), context.limits) { }

    Result<Listing> read() {
        if (auto done = open(); !done)
            return done.error();
        for (auto step : {&Reader::readOperations, &Reader::readOutputs, &Reader::readLocal,
                 &Reader::readGlobal, &Reader::readTensors})
            if (auto done = (this->*step)(); !done)
                return done.error();
        if (m_binFiles > 0)
            m_listing.diagnostics.info("dump.ttnn_bin", {},
                std::to_string(m_binFiles)
                    + " tensors are stored in TT-NN's own .bin files, which are not read.",
                "Convert them with ttnn.load_tensor and torch.save to <id>.pt to compare "
                "elements.");
        return std::move(m_listing);
    }

private:
    Error error(ErrorCode code, std::string message) const {
        return {code, std::move(message), (m_folder / kDatabase).string()};
    }

    Result<Done> open() {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open_v2(immutableUri(m_folder / kDatabase).c_str(), &opened,
            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
            nullptr);
        m_database.reset(opened);
        if (code != SQLITE_OK)
            return damaged();
        restrict(m_database.get());
        sqlite3_set_authorizer(m_database.get(), authorize, nullptr);
        sqlite3_progress_handler(m_database.get(), kStepsBetweenCalls, watch, &m_watch);
        return Done{};
    }

    Error damaged() const {
        if (m_context.progress.isCancelled())
            return base::Progress::cancelled();
        const char* why = m_database ? sqlite3_errmsg(m_database.get()) : "out of memory";
        return error(ErrorCode::Malformed,
            "The database of the report cannot be read (" + std::string(why)
                + "); write the report again.");
    }

    /// Whether the schema has a true table of this name: no view, no virtual table. An Error for
    /// one with computed columns.
    Result<bool> hasTable(const std::string& table) {
        bool isThere = false;
        auto done =
            each("SELECT type, name, rootpage, sql FROM sqlite_master", [&](const Row& row) {
                if (row.text("name") != table)
                    return Result<Done>(Done{});
                isThere = row.text("type") == "table" && row.integer("rootpage").value_or(0) > 0;
                if (isThere && computesColumns(row.text("sql")))
                    return Result<Done>(error(ErrorCode::Refused,
                        "The table " + inQuotes(table)
                            + " computes columns, which is not evaluated; write the report "
                              "again."));
                return Result<Done>(Done{});
            });
        if (!done)
            return done.error();
        return isThere;
    }

    template <typename Visit> Result<Done> each(const std::string& query, Visit visit) {
        sqlite3_stmt* prepared = nullptr;
        const int code =
            sqlite3_prepare_v2(m_database.get(), query.c_str(), -1, &prepared, nullptr);
        const Statement statement(prepared);
        if (code != SQLITE_OK || !statement)
            return damaged();
        for (std::int64_t rows = 0;; ++rows) {
            const int step = sqlite3_step(statement.get());
            if (step == SQLITE_DONE)
                return Done{};
            if (step != SQLITE_ROW)
                return damaged();
            if (rows > 4 * m_context.limits.tensors)
                return error(ErrorCode::Limit,
                    "The report has more rows than are read; make one of fewer operations.");
            if (auto done = visit(Row(statement.get())); !done)
                return done;
        }
    }

    template <typename Visit> Result<Done> eachOf(const std::string& table, Visit visit) {
        const auto isThere = hasTable(table);
        if (!isThere)
            return isThere.error();
        return *isThere ? each("SELECT * FROM \"" + table + "\"", visit) : Result<Done>(Done{});
    }

    Result<Done> readOperations() {
        return eachOf("operations", [this](const Row& row) {
            if (const auto id = row.integer("operation_id"))
                m_operations[*id] = row.text("name");
            return Result<Done>(Done{});
        });
    }

    Result<Done> readOutputs() {
        return eachOf("output_tensors", [this](const Row& row) {
            const auto operation = row.integer("operation_id");
            const auto tensor = row.integer("tensor_id");
            const auto index = row.integer("output_index");
            if (operation && tensor && index)
                m_producers.try_emplace(*tensor, *operation, *index);
            return Result<Done>(Done{});
        });
    }

    Result<Done> readLocal() { return readRecords("local"); }
    Result<Done> readGlobal() { return readRecords("global"); }
    Result<Done> readRecords(const std::string& kind) {
        return eachOf(kind + "_tensor_comparison_records", [&](const Row& row) {
            const auto tensor = row.integer("tensor_id");
            if (!tensor)
                return Result<Done>(Done{});
            // `desired_pcc` is declared bool and holds a fraction.
            for (const char* figure : {"matches", "desired_pcc", "actual_pcc", "golden_tensor_id"})
                if (const auto value = row.number(figure))
                    m_records[*tensor][kind + "." + figure] = *value;
            return Result<Done>(Done{});
        });
    }

    Result<Done> readTensors() {
        const auto isThere = hasTable("tensors");
        if (!isThere)
            return isThere.error();
        if (!*isThere)
            return error(ErrorCode::Malformed,
                "The database has no table of tensors; this is no TT-NN report.");
        return eachOf("tensors", [this](const Row& row) { return addTensor(row); });
    }

    std::string nameOf(std::int64_t id, std::string& role) const {
        const auto producer = m_producers.find(id);
        if (producer == m_producers.end()) {
            role = "input";
            return "tensor." + std::to_string(id);
        }
        role = "output";
        const auto [operation, index] = producer->second;
        const auto found = m_operations.find(operation);
        return (found == m_operations.end() ? "operation" : found->second) + "."
            + std::to_string(operation) + ".output." + std::to_string(index);
    }

    Result<Done> addTensor(const Row& row) {
        const auto id = row.integer("tensor_id");
        if (!id)
            return error(ErrorCode::Malformed,
                "A tensor of the report has no number; write the report again.");
        DumpEntry entry;
        entry.name = nameOf(*id, entry.role);
        if (!m_names.insert(entry.name).second) // two tensors for one output: the number tells
            entry.name += ".tensor." + std::to_string(*id);
        entry.dtype = parseType(row.text("dtype"));
        const auto shape = parseShape(row.text("shape"));
        if (shape)
            entry.shape = *shape;
        else
            m_listing.diagnostics.warn("dump.shape_unknown", entry.name,
                "The shape " + inQuotes(row.text("shape")) + " cannot be read.",
                "The shape is taken from the tensor's file where there is one.");
        if (const auto records = m_records.find(*id); records != m_records.end()) {
            entry.statistics.emplace();
            entry.statistics->others = records->second;
        }
        return addContents(std::move(entry), *id, shape);
    }

    Result<Done> addContents(
        DumpEntry entry, std::int64_t id, const std::optional<std::vector<std::int64_t>>& shape) {
        const fs::path below = fs::path(kTensors) / (std::to_string(id) + ".pt");
        const auto check = checkInside(m_folder / below, m_folder);
        Contents contents;
        if (check.isThere) {
            entry.file = below.generic_string();
            contents = fileContents(m_folder / below, shape, m_context.limits);
        } else if (!check.refusal.empty()) {
            m_listing.diagnostics.warn("dump.path_refused", entry.name,
                "The tensor's file is not opened: " + check.refusal + ".",
                "Copy the file itself into the folder of the report.");
        } else {
            std::error_code ignored;
            m_binFiles += fs::exists(m_folder / kTensors / (std::to_string(id) + ".bin"), ignored);
        }
        return m_listing.add(std::move(entry), std::move(contents));
    }

    fs::path m_folder;
    const Context& m_context;
    Watch m_watch;
    Listing m_listing;
    Database m_database;
    std::unordered_map<std::int64_t, std::string> m_operations;
    std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> m_producers;
    std::unordered_map<std::int64_t, std::map<std::string, double>> m_records;
    std::unordered_set<std::string> m_names;
    std::int64_t m_binFiles = 0;
};

} // namespace

Result<std::optional<Listing>> readTtnn(const fs::path& folder, const Context& context) {
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    if (!checkInside(folder / kDatabase, folder).isThere)
        return std::optional<Listing>();
    const auto source = fileSource(folder / kDatabase);
    if (!source)
        return source.error();
    const auto start = (*source)->piece(0, kMagic.size());
    if (!start)
        return start.error();
    if (std::string_view(reinterpret_cast<const char*>(start->data()), start->size()) != kMagic)
        return Error{ErrorCode::Malformed,
            "The report's db.sqlite is no SQLite database; write the report again.",
            (folder / kDatabase).string()};
    auto listing = Reader(folder, context).read();
    if (!listing)
        return listing.error();
    return std::optional(std::move(*listing));
}

} // namespace fivefold::compare::dumps
