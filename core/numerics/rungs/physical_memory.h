// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/physical_lanes.h"

#include <functional>

namespace fivefold::numerics {

/// Two buffers of one memory that lie on each other while both are held.
struct Clash {
    lowering::BufferId writer; ///< written later
    lowering::BufferId victim; ///< read again after that
};
/// Of a sound placement none. A buffer whose last reader is the step that writes the other is dead
/// by then. O(buffers · log buffers + clashes).
std::vector<Clash> clashes(const lowering::Program& program);

/// What the writer's elements do to the victim's where their addresses meet, in every unit: each
/// victim element whose first byte lies in the writer's buffer holds the writer's element of that
/// byte. The memory of a level is one of `lanes ÷ slices` elements a unit.
void overwrite(DeviceValue& victim, const lowering::Buffer& victimAt, const DeviceValue& writer,
    const lowering::Buffer& writerAt);

} // namespace fivefold::numerics
