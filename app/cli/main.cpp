// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "core/base/version.h"

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <new>

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

/// Errors come back as values; what the standard library still throws (memory that runs out) ends
/// here as a sentence too.
int run(const fivefold::cli::Action& action) {
    try {
        const auto done = action();
        if (done)
            return 0;
        std::cerr << done.error().text() << '\n';
    } catch (const std::bad_alloc&) {
        std::cerr << "There is not enough memory for this; bind smaller dimensions or close other "
                     "programs.\n";
    } catch (const std::exception& error) {
        std::cerr << "The program failed where it should not (" << error.what()
                  << "); please report it with the command that led here.\n";
    }
    return kFailed;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Fivefold: one PyTorch model, five machines.", "fivefold-cli"};
    app.set_version_flag("--version", std::string(fivefold::base::kVersion));
    app.require_subcommand(1);

    fivefold::cli::Action action;
    fivefold::cli::addMachinesCommand(app, action);
    fivefold::cli::addSummaryCommand(app, action);
    fivefold::cli::addAnalyzeCommand(app, action);
    fivefold::cli::addCompareCommand(app, action);
    fivefold::cli::addCompareMachinesCommand(app, action);
    fivefold::cli::addImplementationsCommand(app, action);
    fivefold::cli::addInjectCommand(app, action);
    fivefold::cli::addLayoutCommand(app, action);
    fivefold::cli::addPredictCommand(app, action);
    fivefold::cli::addReduceCommand(app, action);
    fivefold::cli::addReplayCommand(app, action);
    fivefold::cli::addRunCommand(app, action);
    fivefold::cli::addValidateCommand(app, action);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUsage;
    }
    return run(action);
}
