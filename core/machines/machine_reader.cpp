// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/json.h"
#include "core/base/mapped_file.h"
#include "core/machines/machine.h"

#include <algorithm>

namespace fivefold::machines {

namespace {

using base::Error;
using base::Json;
using base::Result;

constexpr std::int64_t kMostInstances = 100'000'000; ///< far above a wafer's 900,000 PEs

/// Reads one description and keeps the first error: members below return false when there is one.
class MachineReader {
public:
    bool read(const Json& root);
    Machine& machine() { return m_machine; }
    const std::optional<Error>& error() const { return m_error; }

private:
    bool fail(Error error) {
        if (!m_error)
            m_error = std::move(error);
        return false;
    }
    template <typename T> bool take(Result<T> result, T& out) {
        if (!result)
            return fail(result.error());
        out = std::move(*result);
        return true;
    }
    bool keys(const Json& object, std::initializer_list<std::string_view> known) {
        auto checked = object.checkKeys(known);
        return checked.isOk() || fail(checked.error());
    }
    bool text(const Json& object, std::string_view key, std::string& out, bool required = false);
    bool figure(const Json& object, std::string_view key, std::string_view unit, Figure& out,
        bool required = false);
    bool figureAt(const Json& place, std::string_view unit, Figure& out);
    bool knownFigure(const Json& place, Figure& out);
    template <typename Reader> bool each(const Json& root, std::string_view key, Reader reader);

    bool identity(const Json& root);
    bool peaks(const Json& root);
    bool memory(const Json& place);
    bool unit(const Json& place);
    bool link(const Json& place);
    bool parameters(const Json& root);
    bool tables(const Json& root);
    bool table(const Json& place, std::vector<std::vector<std::int64_t>>& out);
    bool vocabulary(const Json& root);
    bool validationPoint(const Json& place);
    bool consistent(const Json& root);

    Machine m_machine;
    std::optional<Error> m_error;
};

std::optional<FigureStatus> parseStatus(std::string_view text) {
    for (const auto status : {FigureStatus::Published, FigureStatus::Measured,
             FigureStatus::Derived, FigureStatus::Estimated}) {
        if (text == toString(status))
            return status;
    }
    return std::nullopt;
}

std::optional<UnitRole> parseRole(std::string_view text) {
    for (const auto role : {UnitRole::Core, UnitRole::Matrix, UnitRole::Vector, UnitRole::Movement,
             UnitRole::Memory, UnitRole::Control, UnitRole::Other}) {
        if (text == toString(role))
            return role;
    }
    return std::nullopt;
}

std::optional<MemoryKind> parseKind(std::string_view text) {
    for (const auto kind : {MemoryKind::Host, MemoryKind::Device, MemoryKind::Cache,
             MemoryKind::Scratchpad, MemoryKind::Registers}) {
        if (text == toString(kind))
            return kind;
    }
    return std::nullopt;
}

bool MachineReader::text(
    const Json& object, std::string_view key, std::string& out, bool required) {
    const auto found = object.find(key);
    if (!found) {
        if (required)
            return fail(object.error("\"" + std::string(key) + "\" is missing; add it"));
        return true;
    }
    if (!take(found->string(), out))
        return false;
    if (required && out.empty())
        return fail(found->error("the text is empty; fill it in"));
    return true;
}

bool MachineReader::knownFigure(const Json& place, Figure& out) {
    const auto value = place.find("value");
    if (!value->isNull()) {
        double number = 0;
        if (!take(value->number(), number))
            return false;
        if (number < 0)
            return fail(value->error("a figure is never negative; correct the value"));
        out.value = number;
    }
    if (const auto status = place.find("status")) {
        std::string word;
        if (!take(status->string(), word))
            return false;
        const auto parsed = parseStatus(word);
        if (!parsed)
            return fail(status->error("the status \"" + word
                + "\" is unknown; use published, measured, derived or estimated"));
        out.status = *parsed;
    } else if (out.value) {
        return fail(
            place.error("a known value needs a status: published, measured, derived or estimated"));
    }
    if (out.value && out.source.empty())
        return fail(place.error("a known value needs a source; name the document it stands in"));
    return true;
}

bool MachineReader::figureAt(const Json& place, std::string_view unit, Figure& out) {
    if (!keys(place, {"value", "unit", "status", "source", "note"}))
        return false;
    if (!place.find("value"))
        return fail(place.error("\"value\" is missing; write null where it is unknown"));
    if (!text(place, "unit", out.unit, true) || !text(place, "source", out.source)
        || !text(place, "note", out.note))
        return false;
    if (!unit.empty() && out.unit != unit)
        return fail(place.error("the unit is \"" + out.unit + "\" and must be \""
            + std::string(unit) + "\"; convert the value"));
    return knownFigure(place, out);
}

bool MachineReader::figure(
    const Json& object, std::string_view key, std::string_view unit, Figure& out, bool required) {
    const auto found = object.find(key);
    if (!found)
        return !required
            || fail(object.error("\"" + std::string(key)
                + "\" is missing; add it, with value null where it is unknown"));
    return figureAt(*found, unit, out);
}

template <typename Reader>
bool MachineReader::each(const Json& root, std::string_view key, Reader reader) {
    const auto found = root.find(key);
    if (!found)
        return true;
    std::vector<Json> items;
    if (!take(found->items(), items))
        return false;
    return std::all_of(items.begin(), items.end(), reader);
}

bool MachineReader::identity(const Json& root) {
    if (!text(root, "id", m_machine.id, true) || !text(root, "name", m_machine.name, true)
        || !text(root, "family", m_machine.family, true)
        || !text(root, "generation", m_machine.generation))
        return false;
    const bool isFamily = m_machine.family == "cpu"
        || std::find(std::begin(kFamilies), std::end(kFamilies), m_machine.family)
            != std::end(kFamilies);
    if (!isFamily)
        return fail(root.find("family")->error("the family \"" + m_machine.family
            + "\" is unknown; use gpu, tpu, cerebras, groq, spyre or cpu"));
    if (const auto year = root.find("year"); year && !year->isNull()) {
        std::int64_t number = 0;
        if (!take(year->integer(), number))
            return false;
        if (number < 1950 || number > 2100)
            return fail(year->error("the year is not between 1950 and 2100; correct it"));
        m_machine.year = static_cast<int>(number);
    }
    if (const auto baseline = root.find("baseline"))
        return take(baseline->boolean(), m_machine.isBaseline);
    return true;
}

bool MachineReader::peaks(const Json& root) {
    const auto found = root.find("peaks");
    if (!found)
        return fail(root.error("\"peaks\" is missing; add it, empty where none is known"));
    std::vector<std::pair<std::string, Json>> members;
    if (!take(found->members(), members))
        return false;
    for (const auto& [key, place] : members) {
        const auto precision = parsePrecision(key);
        if (!precision)
            return fail(place.error("the precision \"" + key
                + "\" is unknown; use fp32, tf32, bf16, fp16, fp8, int8 or int4"));
        if (!figureAt(place, "FLOP/s", m_machine.peaks[*precision]))
            return false;
    }
    return true;
}

bool MachineReader::memory(const Json& place) {
    Memory memory;
    std::string kind;
    if (!keys(place,
            {"name", "kind", "instances", "managed_by", "scope", "note", "capacity", "usable",
                "bandwidth", "aggregate_bandwidth"})
        || !text(place, "name", memory.name, true) || !text(place, "kind", kind, true)
        || !text(place, "managed_by", memory.managedBy) || !text(place, "scope", memory.scope)
        || !text(place, "note", memory.note)
        || !figure(place, "capacity", "B", memory.capacity, true)
        || !figure(place, "usable", "B", memory.usable)
        || !figure(place, "bandwidth", "B/s", memory.bandwidth, true)
        || !figure(place, "aggregate_bandwidth", "B/s", memory.aggregateBandwidth))
        return false;
    const auto parsed = parseKind(kind);
    if (!parsed)
        return fail(place.find("kind")->error("the kind \"" + kind
            + "\" is unknown; use host, device, cache, scratchpad or registers"));
    memory.kind = *parsed;
    if (const auto instances = place.find("instances")) {
        if (!take(instances->integer(), memory.instances))
            return false;
        if (memory.instances < 1 || memory.instances > kMostInstances)
            return fail(
                instances->error("the number of instances is not between 1 and 100,000,000"));
    }
    if (m_machine.memoryIndex(memory.name))
        return fail(
            place.error("a memory named \"" + memory.name + "\" is already there; rename one"));
    m_machine.memories.push_back(std::move(memory));
    return true;
}

bool MachineReader::unit(const Json& place) {
    Unit unit;
    std::string role;
    if (!keys(place,
            {"name", "inside", "role", "count", "shape", "rows", "columns", "lanes", "figures"})
        || !text(place, "name", unit.name, true) || !text(place, "inside", unit.inside)
        || !text(place, "role", role) || !text(place, "shape", unit.shape)
        || !figure(place, "count", "1", unit.count) || !figure(place, "rows", "1", unit.rows)
        || !figure(place, "columns", "1", unit.columns) || !figure(place, "lanes", "1", unit.lanes))
        return false;
    if (!role.empty()) {
        const auto parsed = parseRole(role);
        if (!parsed)
            return fail(place.find("role")->error("the role \"" + role
                + "\" is unknown; use core, matrix, vector, movement, memory, control or other"));
        unit.role = *parsed;
    }
    if (!unit.inside.empty()
        && std::ranges::find(m_machine.units, unit.inside, &Unit::name) == m_machine.units.end())
        return fail(place.find("inside")->error("no unit \"" + unit.inside
            + "\" stands before this one; list the unit that holds it first"));
    if (const auto found = place.find("figures")) {
        std::vector<std::pair<std::string, Json>> members;
        if (!take(found->members(), members))
            return false;
        for (const auto& [key, value] : members) {
            if (!figureAt(value, "", unit.figures[key]))
                return false;
        }
    }
    m_machine.units.push_back(std::move(unit));
    return true;
}

bool MachineReader::link(const Json& place) {
    Link link;
    if (!keys(place, {"name", "bandwidth", "count", "latency", "role", "direction"})
        || !text(place, "name", link.name, true) || !text(place, "role", link.role)
        || !text(place, "direction", link.direction)
        || !figure(place, "bandwidth", "B/s", link.bandwidth, true)
        || !figure(place, "count", "1", link.count) || !figure(place, "latency", "s", link.latency))
        return false;
    m_machine.links.push_back(std::move(link));
    return true;
}

bool MachineReader::parameters(const Json& root) {
    const auto found = root.find("parameters");
    if (!found)
        return true;
    std::vector<std::pair<std::string, Json>> members;
    if (!take(found->members(), members))
        return false;
    for (const auto& [key, place] : members) {
        if (!figureAt(place, "", m_machine.parameters[key]))
            return false;
    }
    return true;
}

bool MachineReader::table(const Json& place, std::vector<std::vector<std::int64_t>>& out) {
    std::vector<Json> rows;
    if (!take(place.items(), rows))
        return false;
    for (const Json& row : rows) {
        std::vector<Json> cells;
        if (!take(row.items(), cells))
            return false;
        out.emplace_back();
        for (const Json& cell : cells) {
            std::int64_t number = 0;
            if (!take(cell.integer(), number))
                return false;
            out.back().push_back(number);
        }
    }
    return true;
}

bool MachineReader::tables(const Json& root) {
    const auto found = root.find("tables");
    if (!found)
        return true;
    std::vector<std::pair<std::string, Json>> members;
    if (!take(found->members(), members))
        return false;
    return std::all_of(members.begin(), members.end(),
        [&](const auto& member) { return table(member.second, m_machine.tables[member.first]); });
}

bool MachineReader::vocabulary(const Json& root) {
    const auto found = root.find("vocabulary");
    if (!found)
        return true;
    std::vector<std::pair<std::string, Json>> members;
    if (!take(found->members(), members))
        return false;
    for (const auto& [key, value] : members) {
        if (std::ranges::find(kVocabulary, key, &VocabularyEntry::key) == std::end(kVocabulary))
            return fail(value.error("the notion \"" + key
                + "\" is unknown; use kernel, work, lanes, tile, matrix, scratchpad, transfer or "
                  "relayout"));
        if (!take(value.string(), m_machine.vocabulary[key]))
            return false;
    }
    return true;
}

bool MachineReader::validationPoint(const Json& place) {
    ValidationPoint point;
    const auto value = place.find("value");
    if (!keys(place, {"workload", "config", "value", "unit", "kind", "source"})
        || !text(place, "workload", point.workload, true) || !text(place, "config", point.config)
        || !text(place, "unit", point.unit, true) || !text(place, "kind", point.kind)
        || !text(place, "source", point.source, true))
        return false;
    if (!value)
        return fail(place.error("\"value\" is missing; add it"));
    if (!take(value->number(), point.value))
        return false;
    m_machine.validation.push_back(std::move(point));
    return true;
}

/// What no single figure can show.
bool MachineReader::consistent(const Json& root) {
    if (m_machine.memories.empty())
        return fail(root.error("\"memories\" is missing or empty; describe at least one memory"));
    return true;
}

bool MachineReader::read(const Json& root) {
    return keys(root,
               {"id", "name", "family", "generation", "year", "baseline", "peaks", "memories",
                   "units", "links", "clock", "power", "parameters", "tables", "vocabulary",
                   "validation", "unpublished"})
        && identity(root) && peaks(root)
        && each(root, "memories", [this](const Json& place) { return memory(place); })
        && each(root, "units", [this](const Json& place) { return unit(place); })
        && each(root, "links", [this](const Json& place) { return link(place); })
        && figure(root, "clock", "Hz", m_machine.clock)
        && figure(root, "power", "W", m_machine.power) && parameters(root) && tables(root)
        && vocabulary(root)
        && each(root, "validation", [this](const Json& place) { return validationPoint(place); })
        && each(root, "unpublished",
            [this](const Json& place) {
                return take(place.string(), m_machine.unpublished.emplace_back());
            })
        && consistent(root);
}

} // namespace

base::Result<Machine> readMachine(std::string_view json, std::string_view where) {
    auto root = Json::parse(json, where);
    if (!root)
        return root.error();
    MachineReader reader;
    if (!reader.read(*root))
        return *reader.error();
    reader.machine().path = std::string(where);
    return std::move(reader.machine());
}

base::Result<Machine> readMachineFile(const std::filesystem::path& path) {
    auto file = base::MappedFile::open(path);
    if (!file)
        return file.error();
    const auto bytes = file->bytes();
    return readMachine({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

} // namespace fivefold::machines
