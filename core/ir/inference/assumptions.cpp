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

Dim evaluated(const Sizes& sizes, const Dim& dim) {
    return dim.isSymbolic() ? resolveDimName(sizes, dim.text()) : dim;
}

/// left − right under the sizes; nullopt when it is not a number.
std::optional<std::int64_t> gap(const Sizes& sizes, const SizeDemand& wanted) {
    const Dim left = evaluated(sizes, wanted.left);
    const Dim right = evaluated(sizes, wanted.right);
    return (left - right).known();
}

bool isMet(const Sizes& sizes, const SizeDemand& wanted) {
    const auto difference = gap(sizes, wanted);
    if (!difference || *difference == 0)
        return true; // what cannot be told demands nothing
    switch (wanted.kind) {
    case SizeDemand::Kind::Equal:
        return false;
    case SizeDemand::Kind::Broadcast:
        return evaluated(sizes, wanted.left).is(1) || evaluated(sizes, wanted.right).is(1);
    case SizeDemand::Kind::AtMost:
        return *difference < 0;
    case SizeDemand::Kind::AtLeast:
        return *difference > 0;
    }
    return true;
}

/// The size for which the two sides are equal: exact where the gap is linear in it, else by trial.
std::int64_t solved(Sizes trial, const std::string& name, const SizeDemand& wanted) {
    constexpr std::int64_t kLargestTried = 512;
    const auto at = [&](std::int64_t size) {
        trial[name] = size;
        return gap(trial, wanted);
    };
    const auto first = at(1);
    const auto second = at(2);
    if (first && second && *first != *second && -*first % (*second - *first) == 0) {
        const std::int64_t size = 1 - *first / (*second - *first);
        if (size >= 1 && at(size) == 0)
            return size;
    }
    for (std::int64_t size = 1; size <= kLargestTried; ++size)
        if (at(size) == 0)
            return size;
    return 0;
}

/// A size of `name` that meets the demand, nearest to the present one; 0 when there is none.
std::int64_t adjusted(Sizes trial, const std::string& name, const SizeDemand& wanted) {
    const std::int64_t present = trial[name];
    const auto meets = [&](std::int64_t size) {
        trial[name] = size;
        return isMet(trial, wanted);
    };
    if (wanted.kind == SizeDemand::Kind::AtLeast) {
        constexpr std::int64_t kLargestRaised = 1 << 20;
        for (std::int64_t size = present; size <= kLargestRaised; size *= 2)
            if (meets(size))
                return size;
        return 0;
    }
    if (wanted.kind != SizeDemand::Kind::AtMost)
        return solved(trial, name, wanted);
    if (!meets(1))
        return 0;
    std::int64_t good = 1;
    for (std::int64_t bad = present; bad - good > 1;) {
        const std::int64_t middle = good + (bad - good) / 2;
        (meets(middle) ? good : bad) = middle;
    }
    return good;
}

void satisfy(Sizes& sizes, const SizeDemand& wanted, std::set<std::string>& isFixed) {
    if (isMet(sizes, wanted))
        return;
    std::vector<std::string> names;
    for (const Dim& dim : {wanted.left, wanted.right})
        for (const std::string& name : dim.symbols())
            for (const auto& [known, size] : sizes)
                if (name == known
                    || (name.find('(') != std::string::npos
                        && name.find(known) != std::string::npos))
                    names.push_back(known);
    // The largest first: a batch of 1 is what everybody expects, a length of 128 only a guess.
    std::sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
    });
    for (const std::string& name : names) {
        const std::int64_t size = isFixed.contains(name) ? 0 : adjusted(sizes, name, wanted);
        if (size == 0)
            continue;
        sizes[name] = size;
        if (wanted.kind == SizeDemand::Kind::Equal || wanted.kind == SizeDemand::Kind::Broadcast)
            isFixed.insert(name);
        return;
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
    for (const auto kind : {SizeDemand::Kind::Equal, SizeDemand::Kind::Broadcast,
             SizeDemand::Kind::AtLeast, SizeDemand::Kind::AtMost})
        for (const SizeDemand& wanted : symbolic.demands)
            if (wanted.kind == kind)
                satisfy(sizes, wanted, isFixed);
    return sizes;
}

} // namespace fivefold::ir::inference
