// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/reader.h"

#include <vector>

namespace fivefold::frontends {

/// All readers, in the order in which formats are listed to the user. They live as long as the
/// program.
const std::vector<const Reader*>& readers();

} // namespace fivefold::frontends
