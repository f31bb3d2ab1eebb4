// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/level_candidates.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using numerics::Fault;
using numerics::Level;

namespace {

constexpr double kSame = 0.95; ///< of elements, and of values

bool isNear(double a, double b, double slack) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b))
        return a == b;
    return std::abs(a - b) <= slack;
}

double rootMeanSquare(const numerics::Tensor& tensor) {
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        if (const double value = tensor.number(i); std::isfinite(value)) {
            sum += value * value;
            ++count;
        }
    return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

} // namespace

bool Attempt::isMatch() const {
    return wrong > 0 && jaccard >= kSame && values >= kSame && !(isWhole && open > 0);
}

Attempt attempt(const Observed& observed, const numerics::Tensor& candidate, bool isOpen) {
    Attempt result;
    const std::int64_t total = observed.device.size();
    if (candidate.size() != total || observed.expected.size() != total)
        return result;
    constexpr double kUnits = 8; // roundings on the way that nobody models
    const double floor =
        observed.absolute + kUnits * observed.unit * rootMeanSquare(observed.expected);
    std::int64_t both = 0, either = 0, open = 0;
    for (std::int64_t i = 0; i < total; ++i) {
        const double device = observed.device.number(i), right = observed.expected.number(i),
                     given = candidate.number(i);
        const double slack = floor + kUnits * observed.unit * std::abs(right);
        const bool isOld = isOpen && std::isnan(given) && !std::isnan(right);
        const bool isWrong = !isNear(device, right, slack);
        const bool isGivenWrong = isOld || !isNear(given, right, slack);
        either += isWrong || isGivenWrong ? 1 : 0;
        if (!isWrong)
            continue;
        ++result.wrong;
        if (!isGivenWrong)
            continue;
        ++both;
        constexpr double kOfError = 0.02;
        const double error =
            std::isfinite(device) && std::isfinite(right) ? std::abs(device - right) : 0;
        const double allowed = floor + kUnits * observed.unit * std::abs(given) + kOfError * error;
        if (isOld)
            ++open;
        else if (isNear(device, given, allowed))
            ++result.explained;
    }
    if (either == 0 || result.wrong == 0)
        return result;
    const auto wrong = static_cast<double>(result.wrong);
    constexpr double kNearlyAll = 0.9;
    result.isWhole = wrong >= kNearlyAll * static_cast<double>(total);
    result.jaccard = static_cast<double>(both) / static_cast<double>(either);
    result.open = static_cast<double>(open) / wrong;
    result.explained += open;
    result.values = static_cast<double>(result.explained) / wrong;
    return result;
}

Attempt fineAttempt(const numerics::Tensor& device, const numerics::Tensor& clean,
    const numerics::Tensor& candidate) {
    Attempt result;
    result.isFine = true;
    if (device.size() != clean.size() || device.size() != candidate.size())
        return result;
    constexpr std::int64_t kFewest = 8; // fewer agree by chance
    std::int64_t both = 0, either = 0;
    for (std::int64_t i = 0; i < device.size(); ++i) {
        const double own = device.number(i), right = clean.number(i), given = candidate.number(i);
        const bool isWrong = !isNear(own, right, 0), isGivenWrong = !isNear(given, right, 0);
        either += isWrong || isGivenWrong ? 1 : 0;
        both += isWrong && isGivenWrong ? 1 : 0;
        result.wrong += isWrong ? 1 : 0;
        result.explained += isWrong && isNear(own, given, 0) ? 1 : 0;
    }
    if (result.wrong < kFewest)
        return {};
    result.jaccard = static_cast<double>(both) / static_cast<double>(either);
    result.values = static_cast<double>(result.explained) / static_cast<double>(result.wrong);
    return result;
}

int freeParameters(const Fault& fault) {
    switch (numerics::number(fault.id)) {
    case 18: // a pitch
    case 19: // bits
    case 21: // cores, and which slices
    case 22: // tiles
    case 27: // depth and drops
    case 28: // when the transfer breaks off
    case 29: // the burst
    case 30: // which block
        return 1;
    default:
        return 0;
    }
}

namespace {

void addParameter(std::vector<Fault>& list, const Fault& fault, const std::string& name,
    std::initializer_list<double> values) {
    for (const double value : values) {
        list.push_back(fault);
        list.back().parameters[name] = value;
    }
}

void addSeeds(std::vector<Fault>& list, const Fault& fault, int count) {
    for (int seed = 1; seed <= count; ++seed) {
        list.push_back(fault);
        list.back().seed = static_cast<std::uint64_t>(seed);
    }
}

std::int64_t firstWrong(const Layer& layer) {
    const ElementSet& wrong = layer.local ? layer.local->wrong : layer.global.wrong;
    return wrong.first().value_or(0);
}

std::int64_t sizeOf(const Layer& layer) {
    const ElementSet& wrong = layer.local ? layer.local->wrong : layer.global.wrong;
    return std::max<std::int64_t>(1, wrong.total);
}

/// F01: the size of the first call from the ratio of device and reference.
void addFrozenSizes(std::vector<Fault>& list, const Fault& fault, const numerics::Subject& subject,
    const Layer& layer) {
    const ir::Node& node = subject.graph().nodes[fault.node];
    if (node.inputs.empty() || !node.inputs[0].isValid())
        return;
    const auto& shape = subject.typed->types[node.inputs[0]].shape;
    const auto known = shape ? ir::knownShape(*shape) : std::nullopt;
    if (!known)
        return;
    double elements = 1;
    for (const std::int64_t extent : *known)
        elements *= static_cast<double>(extent);
    const double n = elements / static_cast<double>(sizeOf(layer));
    addParameter(list, fault, "n0", {n - 1, n + 1, n / 2, n * 2});
    if (layer.pattern.kind == Pattern::Kind::Ratio && layer.pattern.value > 0)
        addParameter(list, fault, "n0", {std::round(n / layer.pattern.value)});
}

} // namespace

std::vector<Fault> variants(
    const Fault& fault, const numerics::Subject& subject, const Layer& layer) {
    std::vector<Fault> list{fault};
    switch (numerics::number(fault.id)) {
    case 1:
        addFrozenSizes(list, fault, subject, layer);
        break;
    case 17:
        addParameter(list, fault, "doubled", {1});
        break;
    case 18: {
        const auto n = static_cast<double>(layer.shape.empty() ? 1 : layer.shape.back());
        for (const double line : {32.0, 64.0, 128.0})
            addParameter(list, fault, "pitch", {std::ceil(n / line) * line});
        addParameter(list, fault, "pitch", {n - 1, n, n + 1});
        break;
    }
    case 19:
        addParameter(list, fault, "bits", {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16});
        break;
    case 20:
        addSeeds(list, fault, 4); // which of the other tensors
        break;
    case 21:
        addSeeds(list, fault, 2);
        addParameter(list, fault, "cores", {2, 4, 8, 16, 32});
        break;
    case 22:
        addParameter(list, fault, "tiles", {3, 4, 5, 6, 7, 8});
        break;
    case 28: {
        const auto arrived =
            static_cast<double>(firstWrong(layer)) / static_cast<double>(sizeOf(layer));
        addSeeds(list, fault, 3);
        addParameter(list, fault, "arrived", {arrived, arrived + 1e-3});
        break;
    }
    case 29:
        addParameter(list, fault, "burst", {32, 64, 128, 256, 512, 4096});
        break;
    case 30:
        for (int seed = 1; seed <= 8; ++seed) {
            list.push_back(fault);
            list.back().seed = static_cast<std::uint64_t>(seed);
            list.back().parameters["accumulates"] = 1;
        }
        break;
    default:
        break;
    }
    return list;
}

int priorOf(numerics::FaultId fault, const Pattern& pattern) {
    using Kind = Pattern::Kind;
    const auto level = static_cast<int>(numerics::facts(fault).level);
    const auto first = [&](std::initializer_list<int> levels) {
        int place = 0;
        for (const int candidate : levels) {
            if (candidate == level)
                return place;
            ++place;
        }
        return 8 + level;
    };
    switch (pattern.kind) {
    case Kind::Suffix:
    case Kind::Residue:
    case Kind::Permuted:
    case Kind::Shifted:
        return first({4, 7, 5});
    case Kind::Ratio:
        return first({1, 3});
    case Kind::Offset:
        return first({3, 4});
    case Kind::OtherTensor:
        return first({5, 7});
    case Kind::SaturatedOrFlushed:
        return first({8, 3});
    case Kind::NonFinite:
        return first({2, 4, 8});
    case Kind::Slice:
        return first({5, 4, 2});
    case Kind::Negative:
        return first({3});
    case Kind::Scattered:
        return first({8, 2});
    default:
        return level;
    }
}

} // namespace fivefold::compare
