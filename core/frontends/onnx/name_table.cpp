// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/name_table.h"

#include <algorithm>

namespace fivefold::frontends::onnx {

bool NameTable::define(std::string_view name, ir::ValueId value, int position) {
    const auto [found, isNew] = m_definitions.try_emplace(name, Entry{{value, position}, {}});
    if (!isNew)
        found->second.later.push_back({value, position});
    return isNew;
}

std::optional<ir::ValueId> NameTable::find(std::string_view name) const {
    const Entry* later = nullptr;
    for (const NameTable* table = this; table; table = table->m_parent) {
        const auto found = table->m_definitions.find(name);
        if (found == table->m_definitions.end())
            continue;
        const Entry& entry = found->second;
        const auto behind = std::partition_point(entry.later.begin(), entry.later.end(),
            [&](const Definition& d) { return d.position < table->m_position; });
        if (behind != entry.later.begin())
            return std::prev(behind)->value;
        if (entry.first.position < table->m_position)
            return entry.first.value;
        if (!later)
            later = &entry;
    }
    if (later)
        return later->first.value;
    return std::nullopt;
}

} // namespace fivefold::frontends::onnx
