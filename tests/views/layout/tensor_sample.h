// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/layout_query.h"
#include "tests/views/common/sample_result.h"

namespace fivefold::views::testing {

/// A model of one operator whose result has a shape and type, laid out as a machine lays it out.
/// `isKnown` false: the shape is unknown.
inline std::shared_ptr<analysis::Result> tensorSample(std::string_view machineId,
    std::vector<std::int64_t> shape, ir::DType dtype = ir::DType::Float16, bool isKnown = true) {
    const auto machine = machines::findMachine(machineId);
    auto result = sampleResult(
        {{.name = "/relu", .inputs = {"x"}, .output = "y", .shape = shape, .computeSeconds = 1e-6}},
        machine);
    const ir::ValueId output = valueNamed(*result, "y");
    for (const auto stage : lowering::kStages) {
        auto graph = std::make_shared<lowering::StageGraph>(result->program.stage(stage));
        for (auto& value : graph->values) {
            if (value.source != output)
                continue;
            value.dtype = dtype;
            value.layout = nullptr;
            if (!isKnown) {
                value.shape.reset();
            } else if (stage >= lowering::Stage::LaidOut) {
                const auto made =
                    fivefold::layout::layoutFor(lowering::layoutQuery(*machine, shape, dtype));
                value.layout =
                    made ? std::make_shared<const fivefold::layout::TensorLayout>(*made) : nullptr;
            }
        }
        result->program.stages[static_cast<std::size_t>(stage)] = graph;
    }
    return result;
}

} // namespace fivefold::views::testing
