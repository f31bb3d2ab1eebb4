// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "../families/lowered_model.h"
#include "core/families/cerebras/family.h"
#include "core/families/gpu/family.h"
#include "core/families/groq/family.h"
#include "core/families/spyre/family.h"
#include "core/families/tpu/family.h"
#include "core/numerics/rungs/rung.h"

#include <algorithm>
#include <cmath>

/// What the tests of the physical rungs share: models lowered for a machine of each family, and how
/// two runs differ.
namespace fivefold::test {

struct Target {
    const char* machine;
    const lowering::Family* family;
};

inline std::vector<Target> targets() {
    return {{"gpu_h100_sxm", &families::gpu::family()}, {"tpu_v5e", &families::tpu::family()},
        {"cerebras_wse3", &families::cerebras::family()},
        {"groq_lpu_v1", &families::groq::family()}, {"spyre", &families::spyre::family()}};
}

inline const lowering::Family& familyOf(const std::string& machine) {
    for (const Target& target : targets())
        if (machine == target.machine)
            return *target.family;
    return families::gpu::family();
}

/// A lowered model as a subject; `error` is the lowering's.
struct OnMachine {
    numerics::Subject subject;
    std::string error;

    ir::ValueId value(const std::string& name) const {
        const auto& values = subject.graph().values;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[ir::ValueId(i)].name == name)
                return ir::ValueId(i);
        return {};
    }
};

inline OnMachine onMachine(Lowered lowered, machines::Precision precision) {
    OnMachine result;
    result.error = lowered.error;
    result.subject.typed = lowered.typed;
    result.subject.program = std::make_shared<const lowering::Program>(std::move(lowered.program));
    result.subject.machine = lowered.machine;
    result.subject.precision = precision;
    result.subject.weights = std::make_shared<numerics::Weights>(lowered.graph);
    return result;
}

inline OnMachine lowerFor(
    const std::string& machine, const std::shared_ptr<const ir::Graph>& graph) {
    const auto precision = machines::findMachine(machine)->defaultPrecision();
    return onMachine(
        lowerGraph(familyOf(machine), graph, machine, settingsAt(precision)), precision);
}

inline ir::Attributes with(const std::string& name, ir::AttributeValue value) {
    ir::Attributes attributes;
    attributes.set(name, std::move(value));
    return attributes;
}

inline numerics::Tensor arange(std::vector<std::int64_t> shape, double first = 0) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = first + static_cast<double>(i);
    return {ir::DType::Float32, std::move(shape), std::move(values)};
}

/// Largest |a − b| over the largest |b|; infinite where shapes, NaNs or infinities differ.
inline double difference(const numerics::Tensor& a, const numerics::Tensor& b) {
    if (a.shape() != b.shape())
        return INFINITY;
    double worst = 0, scale = 1e-30;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const double x = a.number(i), y = b.number(i);
        if (x == y || (std::isnan(x) && std::isnan(y)))
            continue;
        if (!std::isfinite(x) || !std::isfinite(y))
            return INFINITY;
        worst = std::max(worst, std::abs(x - y));
    }
    for (std::int64_t i = 0; i < b.size(); ++i)
        if (std::isfinite(b.number(i)))
            scale = std::max(scale, std::abs(b.number(i)));
    return worst / scale;
}

/// Every value of `wanted` that `run` lacks or has otherwise, a sentence a line.
inline std::string differences(
    const ir::Graph& graph, const numerics::RungRun& run, const numerics::RungRun& wanted) {
    constexpr double kTolerance = 1e-9; // rounding of fp64 sums in another order
    std::string text;
    for (const auto& [id, datum] : wanted.values) {
        const auto found = run.values.find(id);
        const std::string& name = graph.values[id].name;
        if (found == run.values.end())
            text += name + " is missing\n";
        else if (const double d = difference(found->second.tensor, datum.tensor); d > kTolerance)
            text += name + " differs by " + std::to_string(d) + "\n";
    }
    return text;
}

} // namespace fivefold::test
