// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace fivefold::base {

enum class Severity { Info, Warning, Error };

std::string_view toString(Severity severity);

/// One finding about the data: what is wrong, on which node or value, and what would mend it.
/// Work goes on after a diagnostic; what stops work is an Error.
struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string code; ///< stable, dotted: "onnx.external_data_missing"
    std::string node; ///< name of the node or value, empty for the whole model
    std::string message;
    std::string remedy;
    std::int64_t count = 1; ///< how often the same (code, node, message) was reported

    bool operator==(const Diagnostic&) const = default;
};

/// Collects diagnostics in order of first report; repeats are counted. At most kKeptPerCode different
/// entries of one code are kept; the rest add to the count of the last kept one, so that a broken file
/// cannot fill the memory.
class Diagnostics {
public:
    static constexpr std::size_t kKeptPerCode = 200;

    void add(Diagnostic diagnostic);
    void info(std::string code, std::string node, std::string message, std::string remedy = {});
    void warn(std::string code, std::string node, std::string message, std::string remedy = {});
    void error(std::string code, std::string node, std::string message, std::string remedy = {});
    void append(const Diagnostics& other);

    const std::vector<Diagnostic>& entries() const { return m_entries; }
    bool empty() const { return m_entries.empty(); }
    /// Number of reports with this code, repeats included.
    std::int64_t count(std::string_view code) const;

private:
    std::vector<Diagnostic> m_entries;
    std::unordered_map<std::string, std::size_t> m_indexByKey;
    std::unordered_map<std::string, std::vector<std::size_t>> m_entriesByCode;
};

} // namespace fivefold::base
