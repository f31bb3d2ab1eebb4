// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/assumptions.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>

namespace fivefold::ir::inference {

namespace {

constexpr std::int64_t kAssumedBatch = 1;
constexpr std::int64_t kAssumedImage = 224;
constexpr std::int64_t kAssumedOther = 128;
constexpr std::size_t kTraceLimit = 256;

using Axes =
    std::vector<int>; ///< for each axis of a value, the axis of the graph input it came from

bool isWindowed(Op op) {
    return op == Op::Conv || op == Op::ConvTranspose || op == Op::QLinearConv
        || op == Op::ConvInteger || op == Op::FusedConv || op == Op::MaxPool
        || op == Op::AveragePool || op == Op::DeformConv || op == Op::Resize || op == Op::Upsample
        || op == Op::GlobalAveragePool;
}

bool keepsAxes(Op op) {
    return isPointwise(op) || op == Op::Pad || op == Op::BatchNormalization
        || op == Op::InstanceNormalization || op == Op::Concat || op == Op::Slice
        || op == Op::Split;
}

/// The two spatial axes when the rank-4 input reaches a windowed operator through operators that
/// keep or permute axes; empty otherwise.
std::set<int> spatialAxes(const State& state, ValueId input) {
    const auto& shape = state.typed.types[input].shape;
    if (!shape || shape->size() != 4)
        return {};
    std::deque<std::pair<ValueId, Axes>> open{{input, {0, 1, 2, 3}}};
    std::set<ValueId> seen{input};
    while (!open.empty() && seen.size() < kTraceLimit) {
        const auto [value, axes] = open.front();
        open.pop_front();
        for (const NodeId user : state.graph.values[value].users) {
            const Node& node = state.graph.nodes[user];
            if (isWindowed(node.op) && !node.inputs.empty() && node.inputs[0] == value)
                return {axes[2], axes[3]};
            Axes next = axes;
            if (node.op == Op::Transpose) {
                const auto perm = node.attributes.integers("perm");
                if (!perm || perm->size() != 4)
                    continue;
                for (std::size_t i = 0; i < 4; ++i)
                    next[i] =
                        axes[static_cast<std::size_t>(std::clamp<std::int64_t>((*perm)[i], 0, 3))];
            } else if (!keepsAxes(node.op)) {
                continue;
            }
            for (const ValueId output : node.outputs)
                if (state.graph.values.contains(output) && seen.insert(output).second)
                    open.emplace_back(output, next);
        }
    }
    return {};
}

std::int64_t assumedSize(int axis, const std::set<int>& spatial) {
    if (axis == 0)
        return kAssumedBatch;
    return spatial.contains(axis) ? kAssumedImage : kAssumedOther;
}

using Sizes = std::map<std::string, std::int64_t>;

std::optional<std::int64_t> evaluate(const Sizes& sizes, const Dim& dim) {
    return resolveDimName(sizes, dim.text()).known();
}

/// Largest size of `name` from its present one down for which the demand holds.
bool lower(Sizes& sizes, const std::string& name, const SizeDemand& demand) {
    Sizes trial = sizes;
    for (std::int64_t size = sizes[name]; size >= 1; --size) {
        trial[name] = size;
        const auto value = evaluate(trial, demand.size);
        if (!value)
            return false;
        if (*value <= demand.limit) {
            sizes[name] = size;
            return true;
        }
    }
    return false;
}

/// The size of `name` for which the demanded equality holds, where there is one.
bool solve(Sizes& sizes, const std::string& name, const SizeDemand& demand) {
    constexpr std::int64_t kLargestTried = 4096;
    Sizes trial = sizes;
    for (std::int64_t size = 1; size <= kLargestTried; ++size) {
        trial[name] = size;
        const auto value = evaluate(trial, demand.size);
        if (!value)
            return false;
        if (*value == demand.limit) {
            sizes[name] = size;
            return true;
        }
    }
    return false;
}

void satisfy(Sizes& sizes, const SizeDemand& demand, std::set<std::string>& isFixed) {
    const auto value = evaluate(sizes, demand.size);
    if (!value)
        return;
    const bool isAtMost = demand.kind == SizeDemand::Kind::AtMost;
    if (isAtMost ? *value <= demand.limit : *value == demand.limit)
        return;
    if (demand.kind == SizeDemand::Kind::EqualOrOne && *value == 1)
        return;
    for (const std::string& name : demand.size.symbols()) {
        if (!sizes.contains(name) || isFixed.contains(name))
            continue;
        if (isAtMost ? lower(sizes, name, demand) : solve(sizes, name, demand)) {
            if (!isAtMost)
                isFixed.insert(name);
            return;
        }
    }
}

} // namespace

std::map<std::string, std::int64_t> assumeSizes(const State& symbolic) {
    Sizes sizes;
    for (const ValueId input : symbolic.graph.main().inputs) {
        const auto& shape = symbolic.typed.types[input].shape;
        if (!shape)
            continue;
        const std::set<int> spatial = spatialAxes(symbolic, input);
        for (std::size_t axis = 0; axis < shape->size(); ++axis) {
            const Dim& dim = (*shape)[axis];
            const auto names = dim.symbols();
            for (const std::string& name : names)
                if (names.size() == 1 || !sizes.contains(name))
                    sizes.emplace(name, assumedSize(static_cast<int>(axis), spatial));
        }
    }
    if (sizes.empty())
        return sizes;
    std::set<std::string> isFixed;
    std::vector<SizeDemand> demands;
    for (const SizeDemand& demand : symbolic.demands)
        if (std::find_if(demands.begin(), demands.end(),
                [&](const SizeDemand& d) {
                    return d.kind == demand.kind && d.limit == demand.limit
                        && d.size == demand.size;
                })
            == demands.end())
            demands.push_back(demand);
    for (const auto kind :
        {SizeDemand::Kind::EqualTo, SizeDemand::Kind::EqualOrOne, SizeDemand::Kind::AtMost})
        for (const SizeDemand& demand : demands)
            if (demand.kind == kind)
                satisfy(sizes, demand, isFixed);
    return sizes;
}

} // namespace fivefold::ir::inference
