// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/divergence.h"
#include "core/compare/global_errors.h"
#include "core/compare/headline.h"
#include "core/compare/local_errors.h"
#include "core/compare/side_values.h"
#include "core/compare/words.h"

#include <filesystem>

namespace fivefold::compare {

namespace {

std::string fileName(const Dump& dump) {
    return std::filesystem::path(dump.path()).filename().string();
}

/// One pair of tensors; what differs first is the origin, what comes after it inherited.
Layer compared(const std::string& key, const numerics::Tensor& device,
    const numerics::Tensor& reference, numerics::Format contents, double before, double& after) {
    Layer layer;
    layer.key = layer.nodeName = key;
    layer.rule = MatchRule::ExactName;
    layer.shape = device.shape();
    layer.dtype = device.dtype();
    auto format = numerics::formatOf(device.dtype());
    if (format == numerics::Format::Fp32 || device.dtype() == ir::DType::Float64)
        format = contents;
    constexpr double kGrowth = 12;
    const auto error =
        globalError(device, reference, roundOffOf(format, nullptr), kGrowth * before);
    layer.global = error.figures;
    layer.tolerance = error.tolerance;
    after = error.relative;
    layer.verdict = error.figures.wrong.isEmpty() ? Verdict::Clean : Verdict::Origin;
    layer.reason = error.figures.wrong.isEmpty()
        ? "within what rounding explains"
        : elementsText(error.figures.wrong, layer.shape) + " beyond what rounding explains";
    return layer;
}

} // namespace

base::Result<Divergence> compareDumps(const Side& reference, const Side& device,
    const CompareOptions& options, const base::Progress& progress) {
    if (reference.repeats.empty() || device.repeats.empty())
        return base::Error{base::ErrorCode::InvalidArgument,
            "There is nothing to compare: a side has no dump.", {}};
    const Dump& right = *reference.repeats.front();
    const Dump& own = *device.repeats.front();
    Divergence result;
    result.referenceName = fileName(right);
    result.deviceName = fileName(own);
    const auto contents = formatOfContents(own);
    const auto pairs = matchDumps(right, own);
    double before = 0;
    for (const auto& [from, to] : pairs) {
        if (progress.isCancelled())
            return base::Progress::cancelled();
        const auto a = own.read(*own.find(to));
        const auto b = right.read(*right.find(from));
        if (!a || !b) {
            result.notes.push_back((a ? b.error() : a.error()).text());
            continue;
        }
        double after = 0;
        Layer layer = compared(to, *a, *b, contents, before, after);
        if (layer.verdict == Verdict::Origin && !result.origins.empty()) {
            layer.verdict = Verdict::Inherited;
            layer.reason = "after " + result.layers[result.origins.front()].key
                + " in the file; without a model its inputs are not known";
        }
        if (layer.verdict == Verdict::Origin) {
            result.origins.push_back(result.layers.size());
            result.contents[result.layers.size()] = {*a, *b, {}};
            layer.pattern = classify(*a, *b, layer.global.wrong, nullptr, {});
        } else if (layer.verdict == Verdict::Clean) {
            before = std::max(before, after);
        }
        result.layers.push_back(std::move(layer));
    }
    result.notes.push_back("Without a model layers stand in the order of the reference's file.");
    result.policy = policyText(contents, options, result);
    addUndecidedLevels(result);
    result.headline = headlineOf(result);
    return result;
}

} // namespace fivefold::compare
