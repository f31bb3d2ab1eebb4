// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace fivefold::lowering {

/// What one unit of a statically scheduled machine does from one cycle to another.
struct CyclePhase {
    std::size_t unit = 0; ///< index into CycleView::units
    std::string instruction; ///< in the machine's words: "Read weights"
    std::int64_t first = 0, last = 0; ///< cycles [first, last) from the start of the kernel
    std::int64_t period = 0; ///< cycles of one repeat; 0: not repeated
    std::int64_t repeat = 1; ///< passes within the phase
};

/// One execution of one kernel on a machine whose compiler fixes every cycle.
struct CycleView {
    std::string kernel;
    std::int64_t cycles = 0; ///< of the whole kernel; 0: it cannot be scheduled
    double clockHz = 0;
    bool isEstimated = false; ///< a figure behind it is not published
    std::string note; ///< one sentence: what it shows and how exact it is
    std::vector<std::string> units; ///< rows, in the order in which they are drawn
    std::vector<CyclePhase> phases; ///< by unit, then by first cycle
};

/// What the units do in one cycle, parallel to CycleView::units; empty text: idle.
struct CycleRow {
    std::int64_t cycle = 0;
    std::vector<std::string> instructions;
};

/// Rows of cycles [from, from + count), as far as the kernel goes. O(count · phases).
inline std::vector<CycleRow> cycleRows(
    const CycleView& view, std::int64_t from, std::int64_t count) {
    std::vector<CycleRow> rows;
    from = std::max<std::int64_t>(0, from);
    const std::int64_t end = count < view.cycles - from ? from + count : view.cycles;
    for (std::int64_t cycle = from; cycle < end; ++cycle) {
        CycleRow row{cycle, std::vector<std::string>(view.units.size())};
        for (const CyclePhase& phase : view.phases) {
            if (cycle < phase.first || cycle >= phase.last)
                continue;
            std::string& text = row.instructions[phase.unit];
            text += (text.empty() ? "" : " + ") + phase.instruction;
            if (phase.repeat > 1 && phase.period > 0)
                text += " " + std::to_string((cycle - phase.first) / phase.period + 1) + "/"
                    + std::to_string(phase.repeat);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace fivefold::lowering
