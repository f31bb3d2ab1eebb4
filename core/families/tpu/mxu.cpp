// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/mxu.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::tpu {

namespace {

using lowering::ceilDiv;
using lowering::roundUp;
using lowering::saturatingMul;

} // namespace

MxuPlan planMxu(const Device& device, const MxuProblem& p) {
    MxuPlan plan;
    const std::int64_t side = device.side;
    plan.foldsK = ceilDiv(p.k, side);
    plan.foldsN = ceilDiv(p.n, side);
    plan.folds = saturatingMul(p.batch, saturatingMul(plan.foldsK, plan.foldsN));
    plan.rows = roundUp(std::max<std::int64_t>(1, p.m), device.sublanes);
    const std::int64_t arrays = std::max<std::int64_t>(1, device.arrays);
    if (plan.folds > 0 && plan.folds < arrays)
        plan.rowParts =
            std::clamp<std::int64_t>(arrays / plan.folds, 1, plan.rows / device.sublanes);
    const std::int64_t partRows = roundUp(ceilDiv(plan.rows, plan.rowParts), device.sublanes);
    plan.foldCycles = static_cast<double>(std::max(partRows, side));
    plan.streamCycles = static_cast<double>(ceilDiv(plan.folds, arrays)) * plan.foldCycles;
    plan.fillCycles = static_cast<double>(3 * side - 2);
    plan.paddedFlops = 2.0 * static_cast<double>(plan.folds) * static_cast<double>(side)
        * static_cast<double>(side) * static_cast<double>(plan.rows);
    const double useful = 2.0 * static_cast<double>(p.batch) * static_cast<double>(p.m)
        * static_cast<double>(p.n) * static_cast<double>(p.k);
    plan.utilisation = plan.paddedFlops > 0 ? useful / plan.paddedFlops : 0;
    return plan;
}

double nonOverlappedCycles(
    std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t rows, std::int64_t columns) {
    return static_cast<double>(ceilDiv(k, rows)) * static_cast<double>(ceilDiv(n, columns))
        * static_cast<double>(m + 2 * rows + columns - 2)
        - 1;
}

std::string describe(const MxuPlan& plan, const Device& device) {
    const std::string side = std::to_string(device.side);
    std::string text = std::to_string(plan.foldsK) + "×" + std::to_string(plan.foldsN);
    const std::int64_t one = plan.foldsK * plan.foldsN;
    if (one > 0 && plan.folds != one)
        text = std::to_string(plan.folds / one) + "×" + text;
    text += (plan.folds == 1 ? " fold of " : " folds of ") + side + "×" + side + " on "
        + std::to_string(device.arrays) + (device.arrays == 1 ? " array, " : " arrays, ")
        + std::to_string(plan.rows) + " rows each";
    return text;
}

} // namespace fivefold::families::tpu
