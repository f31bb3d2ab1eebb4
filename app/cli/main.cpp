// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "core/base/version.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"Fivefold: one PyTorch model, five machines.", "fivefold-cli"};
    app.set_version_flag("--version", std::string(fivefold::base::kVersion));
    app.require_subcommand(1);

    fivefold::cli::Action action;
    fivefold::cli::addMachinesCommand(app, action);
    fivefold::cli::addSummaryCommand(app, action);
    fivefold::cli::addAnalyzeCommand(app, action);
    fivefold::cli::addLayoutCommand(app, action);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUsage;
    }
    const auto done = action();
    if (!done) {
        std::cerr << done.error().text() << '\n';
        return kFailed;
    }
    return 0;
}
