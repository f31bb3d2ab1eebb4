// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/debug.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fivefold::cli {

/// Which model, bound how, on which machine: options that several commands share.
struct RequestOptions {
    std::string model; ///< a file
    std::string machine; ///< id or JSON file; may be empty where a command takes the model alone
    std::vector<std::string> bindings;
    std::string precision; ///< empty: the machine's own
    std::string fusion = "on";
    std::vector<std::string> settings;
};

/// --machine, --bind, --precision, --fusion, --set; and MODEL or --model FILE.
enum class ModelOption { Positional, Named };
void addRequestOptions(CLI::App& command, RequestOptions& options, ModelOption form);

/// The precision, fusion and `--set` part. Errors name the option.
base::Result<lowering::Settings> parseSettings(
    const RequestOptions& options, const machines::Machine& machine);

/// Opens the model and binds its sizes; sizes that the file fixes are made free where that is
/// proved.
struct OpenedModel {
    std::shared_ptr<const analysis::Model> model;
    ir::Bindings bindings;
};
base::Result<OpenedModel> openModel(const RequestOptions& options, const base::Progress& progress);

/// With a machine, the lowered program; without one, the model alone. Sizes that stay free follow
/// from the shapes of `inputs`.
struct OpenedSubject {
    numerics::Subject subject;
    analysis::Request request; ///< its machine is null without one
};
base::Result<OpenedSubject> openSubject(const RequestOptions& options, const OpenedModel& opened,
    const numerics::Inputs& inputs, const base::Progress& progress);

} // namespace fivefold::cli
