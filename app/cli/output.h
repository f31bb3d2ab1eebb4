// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ir/resymbolise.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace fivefold::cli {

/// Writes to a file, or to stdout for "-". A file is replaced as a whole or left as it was: the new
/// one is written beside its place and renamed. Links are followed; devices and pipes are written
/// to. Fails for a folder and for what cannot be written.
base::Result<base::Done> writeOutput(
    const std::string& path, const std::function<void(std::ostream&)>& write);

/// Progress on stderr, and only when that is a terminal.
base::Progress terminalProgress();

base::Result<ir::Bindings> parseBindings(
    const ir::Graph& graph, const std::vector<std::string>& texts);

/// `--bind`: a size that the file fixes is made free where that can be proved, and the graph is
/// then another one.
base::Result<ir::BoundGraph> bindSizes(const std::shared_ptr<const ir::Graph>& graph,
    const std::vector<std::string>& texts, const base::Progress& progress);

/// "2,65" → {2, 65}; "" → {}.
base::Result<std::vector<std::int64_t>> parseIntegers(
    const std::string& text, const std::string& option);

} // namespace fivefold::cli
