// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace fivefold::cli {

/// What the chosen command does once its options are parsed. An Error ends the program with status
/// 1 and its sentence on stderr.
using Action = std::function<base::Result<base::Done>()>;

// Each adds one subcommand with its options and sets `action` when the user chose it.
void addMachinesCommand(CLI::App& app, Action& action);
void addSummaryCommand(CLI::App& app, Action& action);
void addAnalyzeCommand(CLI::App& app, Action& action);
void addCompareCommand(CLI::App& app, Action& action);
void addCompareMachinesCommand(CLI::App& app, Action& action);
void addImplementationsCommand(CLI::App& app, Action& action);
void addInjectCommand(CLI::App& app, Action& action);
void addLayoutCommand(CLI::App& app, Action& action);
void addPredictCommand(CLI::App& app, Action& action);
void addReduceCommand(CLI::App& app, Action& action);
void addReplayCommand(CLI::App& app, Action& action);
void addRunCommand(CLI::App& app, Action& action);
void addValidateCommand(CLI::App& app, Action& action);

} // namespace fivefold::cli
