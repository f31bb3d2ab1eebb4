// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/report_parts.h"

namespace fivefold::analysis {

/// The report's `opspecs`: what the public Spyre compiler hands to its backend, one object an
/// operation in program order; no member for machines whose compiler has none.
void writeOpSpecs(JsonStream& json, const Result& result);

} // namespace fivefold::analysis
