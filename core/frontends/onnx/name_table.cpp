// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/name_table.h"

namespace fivefold::frontends::onnx {

void NameTable::reserve(std::size_t names) {
    m_definitions.reserve(names);
    m_latest.reserve(names);
}

bool NameTable::define(std::string_view name, ir::ValueId value, int position) {
    const int index = static_cast<int>(m_definitions.size());
    const auto [found, isNew] = m_latest.try_emplace(name, index);
    m_definitions.push_back({value, position, isNew ? -1 : found->second});
    found->second = index;
    return isNew;
}

std::optional<ir::ValueId> NameTable::find(std::string_view name) const {
    for (const NameTable* table = this; table; table = table->m_parent) {
        const auto found = table->m_latest.find(name);
        if (found == table->m_latest.end())
            continue;
        for (int i = found->second; i >= 0; i = table->m_definitions[i].previous)
            if (table->m_definitions[i].position < table->m_position)
                return table->m_definitions[i].value;
    }
    for (const NameTable* table = this; table; table = table->m_parent)
        if (const auto found = table->m_latest.find(name); found != table->m_latest.end())
            return table->m_definitions[found->second].value;
    return std::nullopt;
}

} // namespace fivefold::frontends::onnx
