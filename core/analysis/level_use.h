// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

namespace fivefold::analysis {

/// What is known of one memory's use. Nothing is placed in caches, in registers and in scratchpads
/// that a kernel fills by itself, so the bytes in use there are not known; what is moved through
/// them may be.
struct KnownUse {
    std::optional<base::Bytes> peak; ///< most bytes in use at once, of one instance
    std::optional<base::Bytes> read, written; ///< over the whole program, all instances
};
KnownUse knownUse(const memory::LevelUse& use, const machines::Machine& machine);

} // namespace fivefold::analysis
