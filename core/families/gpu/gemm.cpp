// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/gemm.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace fivefold::families::gpu {

namespace {

constexpr std::int64_t kStepK = 32; ///< k elements of one step of the main loop
constexpr std::int64_t kStages = 3; ///< staging buffers of the main loop
constexpr std::int64_t kStageK = 64; ///< k elements staged at once at 16 bits
constexpr std::int64_t kSmallestSplit = 256; ///< a split of k keeps at least that many elements
constexpr std::array<std::int64_t, 5> kSplits = {1, 2, 4, 8, 16};
constexpr std::int64_t kPartialBytes = 8; ///< an fp32 partial sum, written and read back
constexpr double kQuantiseBytes = 3; ///< an element read at 16 bits and written at 8
constexpr std::int64_t kAlignment = 16; ///< bytes of a vectorised load

using lowering::ceilDiv;
using lowering::saturatingMul;

bool isBetter(const GemmPlan& a, const GemmPlan& b) {
    return a.seconds() < b.seconds();
}

void fillMemory(GemmPlan& plan, const Device& device, const GemmProblem& p, double depth) {
    const auto b = static_cast<double>(p.elementBytes * p.batch);
    const auto resultBytes =
        static_cast<double>((p.resultBytes > 0 ? p.resultBytes : p.elementBytes) * p.batch);
    const double m = static_cast<double>(p.m), n = static_cast<double>(p.n),
                 k = static_cast<double>(p.k);
    plan.dramReadBytes = b * (m * k + k * n);
    plan.dramWrittenBytes = resultBytes * m * n;
    const double busy = static_cast<double>(std::min(plan.tiles, device.sms))
        / (device.gemm.saturation * static_cast<double>(device.sms));
    const double bytes = plan.dramReadBytes + plan.dramWrittenBytes;
    const double resident =
        std::min(1.0, device.gemm.residentShare * device.l2Bytes.value_or(0) / bytes);
    plan.dramSeconds = bytes * (1 - resident + resident / device.gemm.residentFactor)
        / (device.dramBandwidth * device.gemm.dramEfficiency * std::min(1.0, busy));
    plan.operandBytes = static_cast<double>(plan.tiles)
        * static_cast<double>(plan.tileM + plan.tileN) * depth
        * static_cast<double>(p.elementBytes);
    if (plan.splitK > 1)
        plan.partialBytes =
            static_cast<double>(kPartialBytes * plan.splitK) * static_cast<double>(p.batch) * m * n;
    plan.l2Seconds =
        (plan.operandBytes + plan.partialBytes) / (device.dramBandwidth * device.gemm.l2Factor);
}

} // namespace

double GemmPlan::seconds() const {
    return std::max({computeSeconds, dramSeconds, l2Seconds}) + exposedSeconds + splitSeconds
        + quantiseSeconds;
}

GemmPlan planGemm(const Device& device, const GemmProblem& p, Tile tile, std::int64_t splitK) {
    GemmPlan plan;
    plan.tileM = tile.rows;
    plan.tileN = tile.columns;
    plan.splitK = splitK;
    const std::int64_t rows = ceilDiv(p.m, tile.rows), columns = ceilDiv(p.n, tile.columns);
    plan.tiles = saturatingMul(saturatingMul(p.batch, splitK), saturatingMul(rows, columns));
    plan.waves = ceilDiv(plan.tiles, device.sms);
    plan.tail = plan.tiles - (plan.waves - 1) * device.sms;
    plan.waveEfficiency = lowering::waveEfficiency(plan.tiles, device.sms);
    plan.tileEfficiency =
        lowering::tileEfficiency(p.m, tile.rows) * lowering::tileEfficiency(p.n, tile.columns);

    const double depth = static_cast<double>(kStepK * ceilDiv(ceilDiv(p.k, splitK), kStepK));
    const double tileFlops = 2.0 * static_cast<double>(tile.rows * tile.columns) * depth;
    plan.paddedFlops = static_cast<double>(plan.tiles) * tileFlops;
    const double x = static_cast<double>(plan.tiles) / static_cast<double>(device.sms);
    const double weight = device.gemm.waveWeight;
    const double waves = std::max(1.0, weight * std::ceil(x) + (1 - weight) * x);
    const double ratePerSm =
        device.peak * device.gemm.sustained * tile.efficiency / static_cast<double>(device.sms);
    plan.computeSeconds = waves * (tileFlops / ratePerSm + device.gemm.ctaSeconds);
    plan.sharedBytesPerCta = kStages * (tile.rows + tile.columns) * kStageK * p.elementBytes;
    fillMemory(plan, device, p, depth);
    plan.exposedSeconds = device.gemm.exposedShare
        * std::min(plan.computeSeconds, std::max(plan.dramSeconds, plan.l2Seconds));
    plan.splitSeconds = splitK > 1 ? device.gemm.splitSeconds : 0;
    if (p.elementBytes == 1)
        plan.quantiseSeconds = device.gemm.quantiseFactor * kQuantiseBytes
            * static_cast<double>(p.batch * p.m) * static_cast<double>(p.k) / device.dramBandwidth;
    return plan;
}

std::vector<std::int64_t> splitsOf(const GemmProblem& problem) {
    std::vector<std::int64_t> splits;
    for (const std::int64_t split : kSplits)
        if (split == 1 || problem.k >= split * kSmallestSplit)
            splits.push_back(split);
    return splits;
}

GemmPlan planGemm(const Device& device, const GemmProblem& problem) {
    std::optional<GemmPlan> best;
    const std::vector<Tile> fixed =
        device.tile ? std::vector<Tile>{*device.tile} : std::vector<Tile>{};
    for (const Tile& tile : device.tile ? fixed : device.tiles)
        for (const std::int64_t split : splitsOf(problem)) {
            if (device.splitK && split != *device.splitK)
                continue;
            const GemmPlan plan = planGemm(device, problem, tile, split);
            if (!best || isBetter(plan, *best))
                best = plan;
        }
    return best ? *best : planGemm(device, problem, Tile{}, 1);
}

const GemmPlan& GemmPlans::get(const Device& device, const GemmProblem& p) {
    const auto [at, isNew] = m_plans.try_emplace({p.batch, p.m, p.n, p.k, p.elementBytes});
    if (isNew)
        at->second = planGemm(device, p);
    return at->second;
}

std::string describe(const GemmPlan& plan, const Device& device, const GemmProblem& p) {
    std::string text;
    if (p.batch > 1)
        text += std::to_string(p.batch) + "×";
    text += std::to_string(ceilDiv(p.m, plan.tileM)) + "×"
        + std::to_string(ceilDiv(p.n, plan.tileN)) + " tiles of " + std::to_string(plan.tileM) + "×"
        + std::to_string(plan.tileN);
    if (plan.splitK > 1)
        text += ", k split in " + std::to_string(plan.splitK);
    text += ", " + std::to_string(plan.waves) + (plan.waves == 1 ? " wave" : " waves") + " on "
        + std::to_string(device.sms) + " SMs";
    if (plan.tail != device.sms)
        text += ", tail " + std::to_string(plan.tail);
    return text;
}

std::string alignmentNote(const GemmProblem& p) {
    std::string which;
    if ((p.k * p.elementBytes) % kAlignment != 0)
        which = "k = " + std::to_string(p.k);
    if ((p.n * p.elementBytes) % kAlignment != 0)
        which += (which.empty() ? "n = " : " and n = ") + std::to_string(p.n);
    if (which.empty())
        return {};
    return which + " misses a multiple of 16 bytes, so operands load without full vectors";
}

} // namespace fivefold::families::gpu
