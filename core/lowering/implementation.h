// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fivefold::lowering {

/// What is chosen for one operator: key → value ("tile" → "128x64", "split" → "1,4,8,1").
using ImplementationValues = std::map<std::string, std::string>;

/// A choice that an operator's implementation leaves open.
struct ImplementationChoice {
    std::string key; ///< of `--implement`: "tile", "split", "order", "stick", "attention"
    std::string name; ///< "CTA tile", "work split b·m·n·k"
    std::vector<std::string> values; ///< the machine's candidates, the compiler's own included
    std::string preset; ///< what the compiler takes
    /// The whole model can be lowered with it (Settings::implementations); else it is only priced.
    bool isApplied = false;
    bool operator==(const ImplementationChoice&) const = default;
};

/// One way to run an operator, priced.
struct ImplementationRow {
    ImplementationValues choice; ///< complete: one value for each key
    base::Flops flops; ///< useful work: the same in all rows of an operator
    base::Flops paddedFlops;
    /// (index into Machine::memories, bytes), far to near.
    std::vector<std::pair<std::size_t, base::Bytes>> bytesByLevel;
    std::int64_t syncs = 0; ///< borders between kernels, and reductions across units
    std::int64_t units = 0; ///< that work
    base::Seconds time;
    std::string because; ///< what decides the time, a sentence
    std::string misfit; ///< why the machine cannot run it so, a sentence; empty: it can
};

} // namespace fivefold::lowering
