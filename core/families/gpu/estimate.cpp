// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/estimate.h"

#include "core/families/gpu/operators.h"
#include "core/families/gpu/plan.h"
#include "core/lowering/tiling.h"
#include "core/roofline/measured_operator.h"
#include "core/roofline/roofline.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::gpu {

namespace {

using namespace lowering;
using base::Bytes;
using base::Flops;
using base::Seconds;
using ir::Op;

constexpr std::int64_t kBlockElements =
    1024; ///< elements of one Triton block of a pointwise kernel
constexpr std::int64_t kStreamWarps = 4; ///< warps of a CTA of such a kernel (Triton's num_warps)
constexpr double kSharedReads = 1; ///< a staged element is read from shared memory once

Bytes toBytes(double value) {
    return Bytes(static_cast<std::int64_t>(std::min(value, 9e18)));
}

/// Time of a level's bytes at a rate that is never above its bandwidth.
Seconds atMost(double bytes, double rate, const std::optional<double>& bandwidth) {
    const double capped = bandwidth ? std::min(rate, *bandwidth) : rate;
    return Seconds(capped > 0 ? bytes / capped : 0);
}

/// What one kernel holds, found in one walk.
struct Content {
    const Node* main = nullptr;
    OpKind kind = OpKind::Free;
    bool isKnown = true;
    double flops = 0;
    std::int64_t results = 0; ///< of the largest node
    std::int64_t rows = 0, rowLength = 1; ///< of its reductions
    bool hasReduction = false, hasExp = false, hasRoot = false;
};

Content contentOf(const StageGraph& graph, const Kernel& kernel) {
    Content content;
    for (const NodeId id : kernel.nodes) {
        const Node& node = graph.nodes[id];
        const OpKind kind =
            node.support == Support::Unsupported ? OpKind::Unsupported : kindOf(node);
        if (kind == OpKind::View || kind == OpKind::Free)
            continue;
        content.isKnown &= node.work.isKnown;
        content.flops += node.work.flops;
        content.results = std::max(content.results, node.work.outElements);
        const bool isCall =
            kind == OpKind::Library || kind == OpKind::Host || kind == OpKind::Unsupported;
        if (!content.main || isCall) {
            content.main = &node;
            content.kind = kind;
        }
        if (isLoopedReduction(node)) {
            content.hasReduction = true;
            content.rows = std::max(content.rows, node.work.outElements);
            content.rowLength = std::max(content.rowLength, node.work.reduced);
        }
        content.hasExp |= node.canonical == Op::Exp;
        content.hasRoot |= node.canonical == Op::Sqrt || node.canonical == Op::Rsqrt;
    }
    return content;
}

class Estimator {
public:
    Estimator(
        const Device& device, const StageGraph& graph, const KernelBytes& bytes, GemmPlans& plans)
        : m_device(device)
        , m_graph(graph)
        , m_bytes(bytes)
        , m_plans(plans) { }

    StepPlan run(const Kernel& kernel) {
        const Content content = contentOf(m_graph, kernel);
        if (!content.main) {
            m_plan.workDivision = "no launch";
            m_plan.unitsUsed = 0;
            m_plan.estimate.because = "Views change indices only, so nothing runs.";
            return m_plan;
        }
        m_plan.estimate.flops = Flops(content.flops);
        m_plan.estimate.paddedFlops = m_plan.estimate.flops;
        if (content.kind == OpKind::Unsupported || !content.isKnown || !m_bytes.isKnown) {
            m_plan.estimate.isKnown = false;
            m_plan.estimate.because = content.kind == OpKind::Unsupported
                ? content.main->op
                    + " has no GPU implementation in PyTorch, so its time is unknown."
                : "A shape of " + content.main->name + " is unknown, so its time is unknown.";
            return m_plan;
        }
        m_plan.estimate.ideal = Seconds(std::max(content.flops / m_device.peak,
            static_cast<double>(m_bytes.total().value) / m_device.dramBandwidth));
        dispatch(content);
        return m_plan;
    }

private:
    void dispatch(const Content& content) {
        const Node& main = *content.main;
        if (content.kind == OpKind::Host)
            host(main);
        else if (const auto problem = problemOf(m_graph, main))
            product(*problem, main);
        else if (isAttention(main.canonical) && main.work.m > 0)
            attention(main);
        else if (isRecurrent(main.canonical))
            recurrent(main);
        else if (isDirectConvolution(main))
            stream(content, m_device.pointwise, "direct convolution");
        else if (content.hasReduction && content.hasExp)
            stream(content, m_device.softmax, "softmax");
        else if (content.hasReduction && content.hasRoot)
            stream(content, m_device.layerNorm, "normalisation");
        else
            stream(content, m_device.pointwise, content.hasReduction ? "reduction" : "streaming");
    }

    void product(const GemmProblem& problem, const Node& main) {
        const GemmPlan& gemm = m_plans.get(m_device, problem);
        Estimate& estimate = m_plan.estimate;
        m_plan.workDivision = describe(gemm, m_device, problem);
        m_plan.unitsUsed = std::min(gemm.tiles, m_device.sms);
        // Staging buffers fill most of an SM's shared memory: one CTA a SM.
        m_plan.grid = {gemm.tiles, m_device.sms, 1, gemm.tileM, gemm.tileN, gemm.splitK};
        estimate.paddedFlops = Flops(std::max(gemm.paddedFlops, estimate.flops.value));
        estimate.compute =
            Seconds(std::max(gemm.computeSeconds, estimate.flops.value / m_device.peak));
        // A convolution reads its input once, not once a tap: bytes of the tensors, not of the
        // product.
        const double productBytes = gemm.dramReadBytes + gemm.dramWrittenBytes;
        const double bytes = static_cast<double>(m_bytes.total().value);
        const double dram = productBytes > 0 ? gemm.dramSeconds * bytes / productBytes : 0;
        addDram(dram);
        const double l2Rate = m_device.dramBandwidth * m_device.gemm.l2Factor;
        // Where the fitted rate is above the L2's, operands come by multicast to clusters of CTAs:
        // fewer bytes.
        const double multicast =
            m_device.l2Bandwidth ? std::max(1.0, l2Rate / *m_device.l2Bandwidth) : 1.0;
        const double l2 = std::max(bytes, (gemm.operandBytes + gemm.partialBytes) / multicast);
        addLevel(m_device.l2Level, l2, l2Rate / multicast, m_device.l2Bandwidth);
        addLevel(m_device.sharedLevel, gemm.operandBytes * kSharedReads,
            m_device.sharedBandwidth.value_or(0), m_device.sharedBandwidth);
        addFixed(m_device.gemm.fixedSeconds + gemm.exposedSeconds + gemm.splitSeconds
            + gemm.quantiseSeconds);
        const std::string note = alignmentNote(problem);
        finish((isConvolution(main.canonical) ? "as an implicit product its" : "its")
            + std::string(" tiles and waves are ")
            + percent(gemm.tileEfficiency * gemm.waveEfficiency) + " useful work"
            + (note.empty() ? note : ", and " + note));
        band(m_device.precision == machines::Precision::Fp8 ? "error_gemm_fp8" : "error_gemm");
    }

    void attention(const Node& node) {
        const AttentionPlan plan = planAttention(m_device, m_graph, node);
        const AttentionTime& time = plan.time;
        Estimate& estimate = m_plan.estimate;
        const double bytes = static_cast<double>(m_bytes.total().value);
        m_plan.unitsUsed = std::min(time.ctas, m_device.sms);
        m_plan.grid = {time.ctas, m_device.sms, 1, plan.isDecode ? 0 : time.queryBlock,
            plan.isDecode ? 0 : plan.problem.headSize, time.splits};
        m_plan.workDivision = std::to_string(time.ctas)
            + (plan.isDecode
                    ? " CTAs of a group of heads and a share of the keys, "
                    : " CTAs of " + std::to_string(time.queryBlock) + " queries and a head, ")
            + std::to_string(plan.waves) + (plan.waves == 1 ? " wave" : " waves");
        addDram(time.memory);
        addLevel(m_device.l2Level, bytes, m_device.dramBandwidth * m_device.gemm.l2Factor,
            m_device.l2Bandwidth);
        estimate.compute = Seconds(std::max(estimate.flops.value / m_device.peak, time.compute));
        if (!plan.isDecode)
            estimate.paddedFlops =
                Flops(estimate.flops.value / tileEfficiency(plan.problem.queries, time.queryBlock));
        estimate.scheduling.push_back({"first and last block", Seconds(time.exposed)});
        addFixed(time.fixed);
        finish(plan.isDecode ? "each CTA walks its keys one block after another"
                             : "scores and softmax stay in shared memory, and the sequence is "
                               "padded to blocks of "
                    + std::to_string(time.queryBlock));
        band(plan.isDecode ? "error_attention_decode" : "error_attention_prefill");
    }

    /// Of the series that measured such kernels, in the types that it measured.
    void band(std::string_view key) {
        using machines::Precision;
        const Precision p = m_device.precision;
        if (m_device.machine
            && (p == Precision::Bf16 || p == Precision::Fp16 || p == Precision::Fp8))
            roofline::setBand(m_plan.estimate, *m_device.machine, key);
    }

    void recurrent(const Node& node) {
        const double steps = static_cast<double>(std::max<std::int64_t>(1, node.work.batch));
        Estimate& estimate = m_plan.estimate;
        m_plan.workDivision =
            std::to_string(std::max<std::int64_t>(1, node.work.batch)) + " steps one after another";
        m_plan.unitsUsed = m_device.sms;
        estimate.compute =
            Seconds(estimate.flops.value / (m_device.peak * m_device.gemm.sustained));
        addDram(static_cast<double>(m_bytes.total().value)
            / (m_device.dramBandwidth * m_device.gemm.dramEfficiency));
        addLevel(m_device.l2Level, static_cast<double>(m_bytes.total().value),
            m_device.dramBandwidth * m_device.gemm.l2Factor, m_device.l2Bandwidth);
        estimate.scheduling.push_back(
            {"steps", Seconds((steps - 1) * m_device.graphLaunchSeconds)});
        addFixed(m_device.gemm.fixedSeconds);
        finish("each recurrent step needs the one before it");
    }

    void stream(const Content& content, const StreamConstants& constants, const std::string& what) {
        const double bytes = static_cast<double>(m_bytes.total().value) * constants.passes;
        Estimate& estimate = m_plan.estimate;
        estimate.compute = Seconds(content.flops / m_device.vectorPeak);
        if (content.hasReduction) {
            const std::int64_t blocks = std::max<std::int64_t>(1, content.rows);
            m_plan.unitsUsed = std::min(blocks, m_device.sms);
            m_plan.grid = {blocks, m_device.sms, streamsPerSm(), 1, content.rowLength, 1};
            m_plan.workDivision = std::to_string(blocks) + (blocks == 1 ? " row of " : " rows of ")
                + std::to_string(content.rowLength);
        } else {
            const std::int64_t blocks =
                std::max<std::int64_t>(1, ceilDiv(content.results, kBlockElements));
            m_plan.unitsUsed = std::min(blocks, m_device.sms);
            m_plan.grid = {blocks, m_device.sms, streamsPerSm(), 1, kBlockElements, 1};
            m_plan.workDivision = std::to_string(blocks) + (blocks == 1 ? " block" : " blocks")
                + " of " + std::to_string(kBlockElements) + " elements";
        }
        addDram(bytes / (m_device.dramBandwidth * constants.efficiency));
        addLevel(m_device.l2Level, static_cast<double>(m_bytes.total().value),
            m_device.l2Bandwidth.value_or(m_device.dramBandwidth * m_device.gemm.l2Factor),
            m_device.l2Bandwidth);
        addFixed(constants.fixedSeconds);
        finish("a " + what + " kernel reads and writes each tensor once, at "
            + percent(constants.efficiency) + " of the bandwidth");
        band(&constants == &m_device.softmax        ? "error_softmax"
                : &constants == &m_device.layerNorm ? "error_norm"
                                                    : "error_elementwise");
    }

    /// CTAs of a streaming kernel that a SM holds at once, where the machine says how many warps it
    /// has room for; registers and shared memory do not bound such kernels.
    std::int64_t streamsPerSm() const {
        return std::max<std::int64_t>(1, m_device.warpsPerSm / kStreamWarps);
    }

    void host(const Node& node) {
        Estimate& estimate = m_plan.estimate;
        m_plan.workDivision = "on the host";
        m_plan.unitsUsed = 0;
        addDram(static_cast<double>(m_bytes.total().value) / m_device.dramBandwidth);
        const double bytes = static_cast<double>(m_bytes.total().value);
        estimate.scheduling.push_back({"host copy", Seconds(bytes / m_device.hostLinkBandwidth),
            lowering::PartKind::Launch});
        estimate.scheduling.push_back({"sync", Seconds(2 * m_device.driverLaunchSeconds),
            lowering::PartKind::Launch});
        roofline::finish(estimate);
        estimate.because = node.op
            + " runs on the host: two copies over PCIe and two waits; the host's own "
              "arithmetic is not counted.";
    }

    void addDram(double seconds) {
        const double least = static_cast<double>(m_bytes.total().value) / m_device.dramBandwidth;
        m_plan.estimate.traffic.push_back(
            {m_device.dramLevel, m_bytes.read, m_bytes.written, Seconds(std::max(seconds, least))});
    }

    void addLevel(std::optional<std::size_t> level, double bytes, double rate,
        const std::optional<double>& bandwidth) {
        if (!level)
            return;
        const Bytes written = m_bytes.written;
        const Bytes all = toBytes(bytes);
        const Bytes read = all > written ? all - written : Bytes(0);
        m_plan.estimate.traffic.push_back(
            {*level, read, all - read, atMost(static_cast<double>(all.value), rate, bandwidth)});
    }

    void addFixed(double seconds) {
        std::vector<TimePart>& parts = m_plan.estimate.scheduling;
        const double launch = std::min(seconds, m_device.graphLaunchSeconds);
        parts.push_back({"launch", Seconds(launch), lowering::PartKind::Launch});
        parts.push_back({"start and drain", Seconds(seconds - launch)});
    }

    /// Without a graph the host launches one kernel every launch_driver_s: what the kernel itself
    /// does not hide of that is added to its launch.
    void finish(std::string because) {
        Estimate& estimate = m_plan.estimate;
        roofline::finish(estimate);
        if (!m_device.isCudaGraph && estimate.time.value < m_device.driverLaunchSeconds) {
            for (TimePart& part : estimate.scheduling)
                if (part.name == "launch")
                    part.time += Seconds(m_device.driverLaunchSeconds - estimate.time.value);
            estimate.because.clear();
            roofline::finish(estimate);
        }
        explain(std::move(because));
    }

    /// roofline::finish names what holds; what this kernel makes of it follows.
    void explain(std::string detail) {
        std::string& because = m_plan.estimate.because;
        if (!because.empty() && because.back() == '.')
            because.pop_back();
        because += "; " + detail + ".";
    }

    static std::string percent(double share) {
        return std::to_string(static_cast<int>(std::lround(share * 100))) + " %";
    }

    const Device& m_device;
    const StageGraph& m_graph;
    const KernelBytes& m_bytes;
    GemmPlans& m_plans;
    StepPlan m_plan;
};

} // namespace

StepPlan planStep(const Device& device, const StageGraph& graph, KernelId kernel,
    const KernelBytes& bytes, GemmPlans& plans) {
    return Estimator(device, graph, bytes, plans).run(graph.kernels[kernel]);
}

} // namespace fivefold::families::gpu
