// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/class_table.h"

#include "core/analysis/result.h"

namespace fivefold::analysis {

std::vector<ClassRow> classTable(const Result&) {
    return {};
}

} // namespace fivefold::analysis
