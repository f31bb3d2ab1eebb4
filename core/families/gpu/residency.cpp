// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/residency.h"

#include "core/families/gpu/operators.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

constexpr std::int64_t kAccumulatorBytes = 4; ///< an fp32 accumulator an element of the tile
constexpr double kL2Share = 0.5;
constexpr std::int64_t kPaddingBytes = 16;

std::int64_t registerBytes(const GemmPlan& plan) {
    return plan.tileM * plan.tileN * kAccumulatorBytes;
}

std::string counted(std::int64_t count, const std::string& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

} // namespace

std::int64_t ctasPerSm(const Device& device, const GemmPlan& plan) {
    if (!device.sharedBytesPerSm || plan.sharedBytesPerCta <= 0)
        return 0;
    std::int64_t count =
        static_cast<std::int64_t>(*device.sharedBytesPerSm) / plan.sharedBytesPerCta;
    if (device.registerBytesPerSm)
        count = std::min(
            count, static_cast<std::int64_t>(*device.registerBytesPerSm) / registerBytes(plan));
    return std::max<std::int64_t>(1, count);
}

std::string occupancySentence(const Device& device, const GemmPlan& plan) {
    const std::int64_t resident = ctasPerSm(device, plan);
    if (resident == 0)
        return {};
    std::string text = "A CTA stages " + std::to_string(plan.sharedBytesPerCta) + " of the "
        + std::to_string(static_cast<std::int64_t>(*device.sharedBytesPerSm))
        + " bytes of shared memory of an SM";
    if (device.registerBytesPerSm)
        text += " and accumulates in " + std::to_string(registerBytes(plan)) + " of its "
            + std::to_string(static_cast<std::int64_t>(*device.registerBytesPerSm))
            + " bytes of registers";
    return text + ", so " + counted(resident, "CTA") + " can stay on one SM.";
}

base::IdVector<KernelId, double> residentShares(const StageGraph& graph,
    const base::IdVector<KernelId, Boundary>& borders,
    const base::IdVector<ValueId, ValueId>& stored, double l2Bytes) {
    base::IdVector<KernelId, double> shares(graph.kernels.size(), 0.0);
    std::vector<double> writtenAt(graph.values.size(), -1); // bytes moved until then
    double moved = 0;
    for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
        const Boundary& border = borders[KernelId(k)];
        double read = 0, resident = 0;
        for (const ValueId id : border.inputs) {
            const auto bytes = graph.values[id].bytes();
            if (!bytes)
                continue;
            read += static_cast<double>(bytes->value);
            const double since = writtenAt[stored[id].index()];
            if (since >= 0 && moved - since <= l2Bytes * kL2Share)
                resident += static_cast<double>(bytes->value);
        }
        moved += read;
        for (const ValueId id : border.outputs)
            if (const auto bytes = graph.values[id].bytes()) {
                writtenAt[stored[id].index()] = moved; // its own bytes pass through the L2 as well
                moved += static_cast<double>(bytes->value);
            }
        shares[KernelId(k)] = read > 0 ? resident / read : 0;
    }
    return shares;
}

std::string residencySentence(double share, double l2Bytes) {
    if (share <= 0)
        return {};
    return std::to_string(static_cast<int>(std::lround(share * 100)))
        + " % of what it reads was written within the last "
        + std::to_string(static_cast<std::int64_t>(l2Bytes * kL2Share))
        + " bytes of traffic, half of the L2, and so is likely still there; hardware decides.";
}

std::string paddingRule(const Node& node, std::int64_t elementBytes) {
    if (!isMatrixProduct(node.canonical) || node.work.n <= 0 || elementBytes <= 0)
        return {};
    const std::int64_t alignment = std::max<std::int64_t>(1, kPaddingBytes / elementBytes);
    std::string which;
    for (const auto& [name, size] :
        {std::pair("m", node.work.m), {"n", node.work.n}, {"k", node.work.k}})
        if (size > 1 && size % alignment != 0)
            which += (which.empty() ? "" : ", ") + std::string(name) + " = " + std::to_string(size);
    if (which.empty())
        return {};
    return "Not a multiple of " + std::to_string(alignment) + ": " + which
        + ". Inductor's pad_mm pads such sizes where a measurement on the device says that it "
          "pays; "
          "without one the product stays and loads its operands in parts of a vector";
}

} // namespace fivefold::families::gpu
