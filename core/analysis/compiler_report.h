// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/json_stream.h"
#include "core/analysis/machine_diagram.h"
#include "core/analysis/result.h"
#include "core/lowering/compiler_pipeline.h"

#include <string>
#include <vector>

namespace fivefold::analysis {

/// What a pass of the real compiler leaves in our lowered program.
struct PassCount {
    lowering::PassMetric metric;
    std::string key; ///< of the JSON: "nodes", "padding_bytes", "time_s"
    std::string word; ///< as shown, in the machine's words: "bundles"; empty for a time
    std::string unit; ///< "1", "B" or "s"
    std::optional<double> value; ///< nullopt: unknown
    bool isAtLeast = false; ///< a sum without its unknown parts
};

/// One pass over each list that the metrics name; O(nodes + values + buffers).
std::vector<PassCount> passCounts(const Result& result, const lowering::CompilerPass& pass);

/// The mode of the pipeline that these settings stand for: the first whose settings all agree with
/// those in force (a family setting that is not set has its default). Null where none does.
const lowering::PipelineMode* modeInForce(const lowering::CompilerPipeline& pipeline,
    const lowering::Settings& settings, const std::vector<lowering::SettingInfo>& infos);

// JSON of the same: `compiler{name, version, stack[], stage_order[], stage_words{}, modes[],
// unpublished}`, one element of `pipeline[]` without counts, and `diagram{boxes[], vocabulary{}}`
// with `array` for machines that have a systolic one.
Json compilerJson(const lowering::CompilerPipeline& pipeline);
Json passJson(const lowering::CompilerPass& pass);
Json diagramJson(const machines::Machine& machine);
/// The members `compiler{}` (with the mode in force), `pipeline[]` (with counts) and `product{}` of
/// the report; the last is the program's first matrix product on the machine's systolic array, null
/// where it has none.
void writeCompiler(JsonStream& json, const Result& result);

} // namespace fivefold::analysis
