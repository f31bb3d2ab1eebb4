// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/lowering/cycle_view.h"

#include <iosfwd>
#include <string>

namespace fivefold::analysis {

struct Play;

/// Writes the whole Result as JSON: the form of `fivefold-cli analyze`. Arrays keep graph order;
/// the same Result gives the same bytes. Unknown is null; NaN and Infinity never appear. Streams,
/// so that memory stays flat on large graphs.
/// `sha256` is the digest of the model's file; empty: null. `cycles` is one kernel's cycle view, or
/// null. `play` is a block as it fires under execution models, or null.
void writeReport(std::ostream& out, const Result& result, const std::string& sha256 = {},
    const lowering::CycleView* cycles = nullptr, const Play* play = nullptr);

/// One sentence that names model, machine, settings, program version and how far the times are to
/// be believed: the foot line of every export.
std::string footLine(const Result& result);

/// "±12.8 % on 49 points" or "not validated".
std::string validationText(const Totals& totals);

} // namespace fivefold::analysis
