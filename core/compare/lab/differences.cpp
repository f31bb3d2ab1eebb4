// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/lab/differences.h"
#include "core/numerics/rungs/fault_rules.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fivefold::compare {

using numerics::Datum;

namespace {

bool isSame(double a, double b, double relative) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    if (a == b)
        return true;
    if (std::isinf(a) || std::isinf(b))
        return false;
    return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

ElementSet everything(std::int64_t size) {
    ElementSet all;
    all.total = size;
    all.count = size;
    if (size > 0)
        all.runs.push_back({0, size});
    return all;
}

const numerics::Tensor* tensorOf(const numerics::RungRun& run, ir::ValueId value) {
    const auto found = run.values.find(value);
    if (found == run.values.end() || found->second.kind != Datum::Kind::Tensor
        || !found->second.tensor.isDefined())
        return nullptr;
    return &found->second.tensor;
}

} // namespace

ElementSet differences(const numerics::Tensor& a, const numerics::Tensor& b, double relative) {
    if (a.size() != b.size())
        return everything(a.size());
    ElementSet wrong;
    wrong.total = a.size();
    if (a.isDefined() && b.isDefined() && &a.elements() == &b.elements())
        return wrong;
    if (const auto* left = a.as<double>(), *right = b.as<double>(); left && right) {
        for (std::size_t i = 0; i < left->size(); ++i)
            if ((*left)[i] != (*right)[i] && !isSame((*left)[i], (*right)[i], relative))
                wrong.add(static_cast<std::int64_t>(i));
        return wrong;
    }
    const auto* first = a.as<std::int64_t>();
    const auto* second = b.as<std::int64_t>();
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool isEqual = first && second ? (*first)[at] == (*second)[at]
                                             : isSame(a.number(i), b.number(i), relative);
        if (!isEqual)
            wrong.add(i);
    }
    return wrong;
}

void shareEqual(const numerics::RungRun& with, numerics::RungRun& run) {
    for (auto& [value, datum] : run.values) {
        const numerics::Tensor* own = tensorOf(run, value);
        const numerics::Tensor* other = tensorOf(with, value);
        if (!own || !other || own->dtype() != other->dtype() || own->shape() != other->shape())
            continue;
        const auto *left = own->as<double>(), *right = other->as<double>();
        if (left && right && left->size() == right->size() && !left->empty()
            && std::memcmp(left->data(), right->data(), left->size() * sizeof(double)) == 0)
            datum.tensor = *other;
    }
}

FirstDifference firstDifference(const ir::Graph& graph, const numerics::RungRun& right,
    const numerics::RungRun& wrong, double relative) {
    for (const ir::NodeId id : ir::executionOrder(graph, ir::Graph::mainBlock()))
        for (const ir::ValueId output : graph.nodes[id].outputs) {
            if (!output.isValid())
                continue;
            const numerics::Tensor* a = tensorOf(wrong, output);
            const numerics::Tensor* b = tensorOf(right, output);
            if (!a && b)
                return {id, output, {}, true};
            if (!a || !b)
                continue;
            ElementSet set = differences(*a, *b, relative);
            if (!set.isEmpty())
                return {id, output, std::move(set), false};
        }
    return {};
}

numerics::Fault inertFault() {
    numerics::Fault fault;
    fault.id = static_cast<numerics::FaultId>(12);
    return fault; // its node is invalid: it befalls nothing
}

bool isPhysical(numerics::FaultId id) {
    return !numerics::isLogicalFault(id);
}

} // namespace fivefold::compare
