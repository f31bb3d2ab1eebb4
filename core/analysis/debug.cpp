// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"

namespace fivefold::analysis {

numerics::Subject subjectOf(
    const std::shared_ptr<const Result>& result, std::shared_ptr<numerics::Weights> weights) {
    if (!weights)
        weights = std::make_shared<numerics::Weights>(result->request.model->graph);
    return {result->typed, std::shared_ptr<const lowering::Program>(result, &result->program),
        result->request.machine, result->request.settings.precision, std::move(weights)};
}

base::Result<numerics::Subject> subjectOf(const std::shared_ptr<const Model>&, const ir::Bindings&,
    const numerics::Inputs&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

compare::Lowerer lowererOf(const Request& request) {
    return [request](std::shared_ptr<const ir::Graph> graph) -> base::Result<numerics::Subject> {
        Request changed = request;
        changed.model = modelOf(std::move(graph), {});
        changed.bindings = {};
        auto result = analyze(changed);
        if (!result)
            return result.error();
        return subjectOf(*result);
    };
}

base::Result<numerics::Inputs> inputsOf(const ir::Graph&, const compare::Dump&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

base::Result<std::shared_ptr<const compare::Divergence>> debug(
    const DebugRequest&, const base::Progress&) {
    return base::Error{base::ErrorCode::Unsupported, "Not built yet.", {}};
}

} // namespace fivefold::analysis
