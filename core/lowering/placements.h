// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

#include <optional>

namespace fivefold::lowering {

/// The memories that the user wants values in (`--place VALUE=LEVEL`), for the families' place
/// stages.
class Placements {
public:
    explicit Placements(const Context& context);
    bool isEmpty() const { return m_levels.empty(); }
    /// Index into Machine::memories by the value's name; nullopt: no wish, or no such memory.
    std::optional<std::size_t> wanted(const Value& value) const;

private:
    std::map<std::string, std::size_t, std::less<>> m_levels;
};

/// Reports wishes that the placed program does not fulfil as "lowering.placement", with the reason
/// that the machine's rules give. O(buffers + wishes · log buffers).
void checkPlacements(const Context& context, const StageGraph& placed, const Program& program);

} // namespace fivefold::lowering
