// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/layout_for.h"
#include "core/machines/machine.h"

namespace fivefold::lowering {

/// A tensor on a machine: family, shape, type, and the machine's parameters that decide where its
/// elements lie ("generation", "usable_rows", "usable_columns", "lanes", "mem_slices"; what the
/// description leaves out keeps the query's default).
inline layout::LayoutQuery layoutQuery(
    const machines::Machine& machine, std::vector<std::int64_t> shape, ir::DType dtype) {
    layout::LayoutQuery query;
    query.family = machine.family;
    query.shape = std::move(shape);
    query.dtype = dtype;
    const auto parameter = [&](const char* key, auto fallback) {
        return static_cast<decltype(fallback)>(
            machine.parameterOr(key, static_cast<double>(fallback)));
    };
    query.tpuGeneration = parameter("generation", query.tpuGeneration);
    query.peRows = parameter("usable_rows", query.peRows);
    query.peColumns = parameter("usable_columns", query.peColumns);
    query.lanes = parameter("lanes", query.lanes);
    query.slices = parameter("mem_slices", query.slices);
    return query;
}

} // namespace fivefold::lowering
