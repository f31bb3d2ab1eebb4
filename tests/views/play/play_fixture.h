// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/play.h"
#include "tests/views/common/panel_fixture.h"
#include "tests/views/common/sample_result.h"

namespace fivefold::views::testing {

inline schedule::FiringOptions firing(schedule::ExecutionModel model, double jitter = 0) {
    schedule::FiringOptions options;
    options.model = model;
    options.jitter = jitter;
    return options;
}

/// The whole program under two models.
inline std::shared_ptr<const analysis::Play> playOf(const analysis::Result& result,
    const schedule::FiringOptions& left, const schedule::FiringOptions& right) {
    analysis::PlayRequest request;
    request.models = {left, right};
    return std::make_shared<const analysis::Play>(analysis::play(result, request));
}

/// A static schedule with late transfers beside dynamic dataflow.
inline std::shared_ptr<const analysis::Play> lateStatic(const analysis::Result& result) {
    return playOf(result, firing(schedule::ExecutionModel::StaticSchedule, 0.5),
        firing(schedule::ExecutionModel::DynamicDataflow, 0.5));
}

} // namespace fivefold::views::testing
