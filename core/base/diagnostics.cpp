// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/diagnostics.h"

namespace fivefold::base {

std::string_view toString(Severity severity) {
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "info";
}

void Diagnostics::add(Diagnostic diagnostic) {
    std::string key = diagnostic.code + '\x1f' + diagnostic.node + '\x1f' + diagnostic.message;
    if (const auto found = m_indexByKey.find(key); found != m_indexByKey.end()) {
        m_entries[found->second].count += diagnostic.count;
        return;
    }
    auto& ofCode = m_entriesByCode[diagnostic.code];
    if (ofCode.size() >= kKeptPerCode) {
        m_entries[ofCode.back()].count += diagnostic.count;
        return;
    }
    ofCode.push_back(m_entries.size());
    m_indexByKey.emplace(std::move(key), m_entries.size());
    m_entries.push_back(std::move(diagnostic));
}

void Diagnostics::info(
    std::string code, std::string node, std::string message, std::string remedy) {
    add({Severity::Info, std::move(code), std::move(node), std::move(message), std::move(remedy)});
}

void Diagnostics::warn(
    std::string code, std::string node, std::string message, std::string remedy) {
    add({Severity::Warning, std::move(code), std::move(node), std::move(message),
        std::move(remedy)});
}

void Diagnostics::error(
    std::string code, std::string node, std::string message, std::string remedy) {
    add({Severity::Error, std::move(code), std::move(node), std::move(message), std::move(remedy)});
}

void Diagnostics::append(const Diagnostics& other) {
    for (const Diagnostic& d : other.m_entries)
        add(d);
}

std::int64_t Diagnostics::count(std::string_view code) const {
    const auto found = m_entriesByCode.find(std::string(code));
    if (found == m_entriesByCode.end())
        return 0;
    std::int64_t total = 0;
    for (std::size_t index : found->second)
        total += m_entries[index].count;
    return total;
}

} // namespace fivefold::base
