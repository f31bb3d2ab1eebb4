// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/windows.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>

namespace fivefold::families::tpu {

namespace {

using lowering::ceilDiv;
using lowering::saturatingMul;

constexpr std::int64_t kTileRows = 8, kTileLanes = 128;
constexpr std::array<std::int64_t, 20> kSteps = {
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 43, 48, 64, 86, 128};
constexpr std::array<std::int64_t, 4> kStepsK = {1, 2, 4, 8};
constexpr std::size_t kMostStepsM = 12; ///< candidates along m

class Search {
public:
    Search(const Device& device, const MxuProblem& problem, std::int64_t elementBytes)
        : m_device(device)
        , m_batch(static_cast<double>(std::max<std::int64_t>(1, problem.batch)))
        , m_m(ceilDiv(problem.m, kTileRows))
        , m_n(ceilDiv(problem.n, kTileLanes))
        , m_k8(ceilDiv(problem.k, kTileRows))
        , m_k128(ceilDiv(problem.k, kTileLanes))
        , m_tileBytes(static_cast<double>(kTileRows * kTileLanes * elementBytes))
        , m_isKernelResident(problem.n >= problem.m) { }

    WindowPlan run() const {
        WindowPlan best = make(1, 1, 1);
        double least = best.bytes <= m_device.windowBytes ? cycles(best) : -1;
        for (const std::int64_t k : kStepsK) {
            if (least >= 0 && k > 1)
                break; // the sum along k stays in one step where it fits
            for (const std::int64_t n : kSteps)
                for (std::size_t i = 0; i < kMostStepsM; ++i) {
                    if (n > m_n || kSteps[i] > m_m || k > m_k128)
                        continue;
                    const WindowPlan plan = make(n, kSteps[i], k);
                    if (plan.bytes > m_device.windowBytes)
                        continue;
                    const double t = cycles(plan);
                    if (least < 0 || t < least) {
                        least = t;
                        best = plan;
                    }
                }
        }
        return best;
    }

private:
    WindowPlan make(std::int64_t stepsN, std::int64_t stepsM, std::int64_t stepsK) const {
        WindowPlan plan;
        plan.n128 = ceilDiv(m_n, stepsN);
        plan.m8 = ceilDiv(m_m, stepsM);
        plan.k128 = ceilDiv(m_k128, stepsK);
        plan.k8 = stepsK == 1 ? m_k8 : std::min(m_k8, plan.k128 * (kTileLanes / kTileRows));
        plan.stepsN = ceilDiv(m_n, plan.n128);
        plan.stepsM = ceilDiv(m_m, plan.m8);
        plan.stepsK = ceilDiv(m_k128, plan.k128);
        const auto buffers = [&](bool changes) { return changes ? 2.0 : 1.0; };
        const double kernel =
            tiles(plan.k8, plan.n128) * buffers(plan.stepsN > 1 || plan.stepsK > 1);
        const double input =
            tiles(plan.m8, plan.k128) * buffers(plan.stepsM > 1 || plan.stepsK > 1);
        const double output =
            tiles(plan.m8, plan.n128) * buffers(plan.stepsM > 1 || plan.stepsN > 1);
        plan.bytes =
            static_cast<std::int64_t>(std::min(9e18, (kernel + input + output) * m_tileBytes));
        return plan;
    }

    static double tiles(std::int64_t rows, std::int64_t columns) {
        return static_cast<double>(rows) * static_cast<double>(columns);
    }

    double cycles(const WindowPlan& plan) const {
        const XlaCycles& c = m_device.xla;
        const double macs = m_batch * tiles(m_m, m_n) * static_cast<double>(m_k8)
            * static_cast<double>(kTileRows * kTileLanes * kTileRows);
        const double compute = c.a * macs / m_device.xlaMacsPerCycle;
        const double perByte = c.h * m_device.clock / m_device.hbmBandwidth;
        const double kernel = tiles(m_k8, m_n) * m_tileBytes,
                     input = tiles(m_m, m_k128) * m_tileBytes;
        const double streamed = m_isKernelResident
            ? input * static_cast<double>(plan.stepsK > 1 ? plan.stepsN : 1)
            : kernel * static_cast<double>(plan.stepsK > 1 ? plan.stepsM : 1);
        const double first = m_isKernelResident ? tiles(plan.m8, plan.k128) * m_tileBytes
                                                : tiles(plan.k8, plan.n128) * m_tileBytes;
        const double copy = perByte * streamed * m_batch;
        const double store = c.w * m_batch * tiles(m_m, m_n);
        const auto steps = static_cast<double>(plan.steps());
        if (plan.steps() == 1)
            return compute + copy + store + c.step;
        return std::max({compute, copy, store}) + c.w * tiles(plan.m8, plan.n128) + perByte * first
            + c.step * steps;
    }

    const Device& m_device;
    double m_batch;
    std::int64_t m_m, m_n, m_k8, m_k128;
    double m_tileBytes;
    bool m_isKernelResident; ///< the larger operand, the second of equal ones, is on chip already
};

} // namespace

std::int64_t WindowPlan::steps() const {
    return saturatingMul(stepsN, saturatingMul(stepsM, stepsK));
}

WindowPlan planWindows(const Device& device, const MxuProblem& problem, std::int64_t elementBytes) {
    return Search(device, problem, std::max<std::int64_t>(1, elementBytes)).run();
}

std::string describe(const WindowPlan& plan) {
    return "kernel window " + std::to_string(plan.k8) + "×" + std::to_string(plan.n128)
        + " of 8×128, " + std::to_string(plan.stepsN) + "×" + std::to_string(plan.stepsM) + "×"
        + std::to_string(plan.stepsK) + (plan.steps() == 1 ? " step" : " steps") + " along n, m, k";
}

} // namespace fivefold::families::tpu
