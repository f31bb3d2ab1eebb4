// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/pipeline.h"
#include "core/numerics/rungs.h"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

namespace fivefold::tests {

inline constexpr std::string_view kMachines[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

template <typename T> T must(base::Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().text());
    return *std::move(result);
}

/// A model lowered for one machine at its default precision, or the given one.
inline numerics::Subject subjectOf(const std::shared_ptr<const analysis::Model>& model,
    std::string_view machine, const ir::Bindings& bindings = {},
    std::optional<machines::Precision> precision = {}) {
    analysis::Request request{model, machines::findMachine(machine), bindings, {}};
    request.settings.precision = precision.value_or(request.machine->defaultPrecision());
    const auto result = must(analysis::analyze(request));
    numerics::Subject subject;
    subject.typed = result->typed;
    subject.program = std::make_shared<lowering::Program>(result->program);
    subject.machine = request.machine;
    subject.precision = request.settings.precision;
    subject.weights = std::make_shared<numerics::Weights>(model->graph);
    return subject;
}

/// Largest |a − b| over the largest |a|; infinity where shapes or special values differ.
inline double difference(const numerics::Tensor& a, const numerics::Tensor& b) {
    if (a.shape() != b.shape())
        return INFINITY;
    double worst = 0;
    double scale = 0;
    const std::vector<double> left = a.numbers();
    const std::vector<double> right = b.numbers();
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (std::isfinite(left[i]))
            scale = std::max(scale, std::abs(left[i]));
        if (left[i] == right[i] || (std::isnan(left[i]) && std::isnan(right[i])))
            continue;
        if (!std::isfinite(left[i]) || !std::isfinite(right[i]))
            return INFINITY;
        worst = std::max(worst, std::abs(left[i] - right[i]));
    }
    return worst == 0 ? 0 : worst / scale;
}

} // namespace fivefold::tests
