// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/placements.h"

#include <algorithm>

namespace fivefold::lowering {

namespace {

std::string memoryList(const machines::Machine& machine) {
    std::string list;
    for (const machines::Memory& memory : machine.memories)
        list += (list.empty() ? "" : ", ") + memory.name;
    return list.empty() ? "none" : list;
}

const machines::Memory* memoryNamed(const machines::Machine& machine, const std::string& name) {
    const auto index = machine.memoryIndex(name);
    return index ? &machine.memories[*index] : nullptr;
}

/// Why a value is not where the user wants it, and what to do instead.
void report(const Context& context, const std::string& name, const std::string& level,
    const Buffer* buffer) {
    const machines::Machine& machine = context.machine;
    const machines::Memory* memory = memoryNamed(machine, level);
    std::string why, remedy;
    if (!memory) {
        why = machine.name + " has no memory \"" + level + "\".";
        remedy = "It has " + memoryList(machine) + ".";
    } else if (memory->managedBy.starts_with("hardware")) {
        why = memory->name + " of " + machine.name
            + " is filled by the hardware: no program places a value there.";
    } else if (!buffer) {
        why = "No kernel of " + machine.name + " stores this value, so there is nothing to place.";
        remedy = "Name a value that one kernel hands to another.";
    } else {
        why = "It was to lie in " + level + ", but stays in " + machine.memories[buffer->level].name
            + ". " + buffer->reason;
    }
    context.diagnostics.warn("lowering.placement", name, std::move(why), std::move(remedy));
}

} // namespace

Placements::Placements(const Context& context) {
    for (const auto& [name, level] : context.settings.placements)
        if (const auto index = context.machine.memoryIndex(level))
            m_levels.emplace(name, *index);
}

std::optional<std::size_t> Placements::wanted(const Value& value) const {
    if (m_levels.empty())
        return std::nullopt;
    const auto found = m_levels.find(value.name);
    return found == m_levels.end() ? std::nullopt : std::optional(found->second);
}

void checkPlacements(const Context& context, const StageGraph& placed, const Program& program) {
    const auto& wishes = context.settings.placements;
    if (wishes.empty())
        return;
    std::map<std::string, std::vector<const Buffer*>> buffers;
    for (const Buffer& buffer : program.buffers) {
        const std::string& name = placed.values[buffer.value].name;
        if (wishes.contains(name))
            buffers[name].push_back(&buffer);
    }
    for (const auto& [name, level] : wishes) {
        const auto found = buffers.find(name);
        if (found == buffers.end()) {
            report(context, name, level, nullptr);
            continue;
        }
        const auto index = context.machine.memoryIndex(level);
        const bool isThere = std::ranges::any_of(
            found->second, [&](const Buffer* buffer) { return index && buffer->level == *index; });
        if (!isThere)
            report(context, name, level, found->second.front());
    }
}

} // namespace fivefold::lowering
