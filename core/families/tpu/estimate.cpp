// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/estimate.h"

#include "core/families/tpu/converts.h"
#include "core/families/tpu/operators.h"

#include "core/lowering/tiling.h"
#include "core/roofline/roofline.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using base::Flops;
using base::Seconds;

constexpr std::int64_t kFewChannels = 8;

/// Elements that the vector unit works through for one node, padding included.
double vectorElements(const StageGraph& graph, const Node& node, OpKind kind) {
    const auto padded = [&graph](ValueId id) -> double {
        if (!graph.values.contains(id))
            return 0;
        const Value& value = graph.values[id];
        if (value.layout)
            return static_cast<double>(layout::deviceElements(*value.layout));
        return static_cast<double>(elements(value.shape).value_or(0));
    };
    if (kind == OpKind::Reduce && !node.inputs.empty())
        return std::max(padded(node.inputs.front()), node.work.flops);
    return node.outputs.empty() ? 0 : padded(node.outputs.front());
}

struct Content {
    const Node* main = nullptr;
    OpKind kind = OpKind::Free;
    bool isKnown = true;
    bool hasUnsupported = false;
    double flops = 0;
    double vectorElements = 0;
    std::vector<const Node*> products;
};

Content contentOf(const StageGraph& graph, const Kernel& kernel) {
    Content content;
    for (const NodeId id : kernel.nodes) {
        const Node& node = graph.nodes[id];
        const OpKind kind = kindOf(node);
        if (kind == OpKind::Free || isRuleConvert(node))
            continue;
        if (kind == OpKind::Product)
            content.products.push_back(&node);
        content.isKnown &= node.work.isKnown;
        content.hasUnsupported |= kind == OpKind::Unsupported;
        content.flops += node.work.flops;
        if (kind == OpKind::Loop || kind == OpKind::Reduce)
            content.vectorElements += vectorElements(graph, node, kind);
        const bool isStronger = kind == OpKind::Product || kind == OpKind::Host
            || kind == OpKind::Alone || kind == OpKind::Unsupported
            || (kind == OpKind::Reduce && content.kind != OpKind::Product);
        if (!content.main || isStronger) {
            content.main = &node;
            content.kind = kind;
        }
    }
    return content;
}

class Estimator {
public:
    Estimator(const Device& device, const StageGraph& graph, const KernelBytes& bytes)
        : m_device(device)
        , m_graph(graph)
        , m_bytes(bytes) { }

    StepPlan run(const Kernel& kernel) {
        const Content content = contentOf(m_graph, kernel);
        if (!content.main || kernel.kind == "bitcast") {
            m_plan.workDivision = "nothing runs";
            m_plan.unitsUsed = 0;
            m_plan.estimate.because = "The bytes stay where they are, so nothing runs.";
            return m_plan;
        }
        if (kernel.kind == kCopyStart || kernel.kind == kCopyDone)
            return asyncCopy(kernel);
        Estimate& estimate = m_plan.estimate;
        estimate.flops = estimate.paddedFlops = Flops(content.flops);
        if (content.hasUnsupported || !content.isKnown || !m_bytes.isKnown) {
            estimate.isKnown = false;
            estimate.because = content.hasUnsupported
                ? content.main->op + " has no HLO form, so its time is unknown."
                : "A shape of " + content.main->name + " is unknown, so its time is unknown.";
            return m_plan;
        }
        const double moved = total();
        estimate.ideal =
            Seconds(std::max(content.flops / m_device.chipPeak, moved / m_device.hbmBandwidth));
        addTraffic();
        if (content.kind == OpKind::Host)
            host(*content.main);
        else
            device(content);
        return m_plan;
    }

private:
    /// The DMA engine works beside the kernels; schedule() adds what of the copy is hidden.
    StepPlan asyncCopy(const Kernel& kernel) {
        m_plan.unitsUsed = 0;
        m_plan.workDivision =
            kernel.kind == kCopyStart ? "a DMA beside the kernels" : "waits for the DMA";
        m_plan.estimate.because = kernel.kind == kCopyStart
            ? "The copy runs beside the kernels that follow."
            : "The kernel that follows reads what the copy brought.";
        return m_plan;
    }

    double total() const {
        return static_cast<double>((m_bytes.hbmRead + m_bytes.hbmWritten).value);
    }

    void addTraffic() {
        std::vector<LevelTraffic>& traffic = m_plan.estimate.traffic;
        m_hbmSeconds = total() / (m_device.hbmBandwidth * m_device.hbmEfficiency);
        traffic.push_back(
            {m_device.hbmLevel, m_bytes.hbmRead, m_bytes.hbmWritten, Seconds(m_hbmSeconds)});
        // Every operand passes VMEM: windows of HBM arrays as well as what stays on chip.
        if (m_device.cmemLevel)
            traffic.push_back(
                {*m_device.cmemLevel, m_bytes.nearRead, m_bytes.nearWritten, Seconds(0)});
        if (m_device.vmemLevel) {
            const double all = static_cast<double>((m_bytes.read() + m_bytes.written()).value);
            traffic.push_back({*m_device.vmemLevel, m_bytes.read(), m_bytes.written(),
                Seconds(m_device.vmemBandwidth ? all / *m_device.vmemBandwidth : 0)});
        }
    }

    void device(const Content& content) {
        Estimate& estimate = m_plan.estimate;
        const double vector = content.vectorElements / m_device.vectorRate;
        const double floor = content.flops / m_device.chipPeak;
        double matrix = 0;
        std::string because;
        if (content.kind == OpKind::Product) {
            matrix = matrixSeconds(content, because);
        } else {
            const bool isMove = content.kind == OpKind::Relayout || content.kind == OpKind::Copy;
            if (isMove)
                moveDivision();
            else
                vectorDivision(content);
            because = isMove ? "a change of order reads and writes every byte, padding included"
                             : "the vector unit works on whole (8,128) tiles, padding included";
        }
        estimate.compute = Seconds(std::max({matrix, vector, floor}));
        const bool isProduct = content.kind == OpKind::Product;
        estimate.scheduling.push_back(
            {"kernel start", Seconds(isProduct ? m_device.productSeconds : m_device.opSeconds),
                lowering::PartKind::Launch});
        if (isProduct && m_device.exposedCopySeconds > 0)
            estimate.scheduling.push_back({"first and last window",
                Seconds(std::min(m_hbmSeconds, m_device.exposedCopySeconds))});
        roofline::finish(estimate);
        explain(because);
    }

    /// All products of the kernel, one after another through the arrays.
    double matrixSeconds(const Content& content, std::string& because) {
        Estimate& estimate = m_plan.estimate;
        double seconds = 0, padded = 0;
        for (const Node* product : content.products) {
            const auto problem = problemOf(m_device, m_graph, *product);
            if (!problem) {
                seconds += product->work.m <= 0 && product->work.n <= 0
                    ? product->work.flops / (m_device.chipPeak * m_device.matrixEfficiency)
                    : product->work.flops / m_device.vectorRate;
                padded += product->work.flops;
                if (m_plan.workDivision.empty())
                    vectorDivision(content);
                because = "so thin a product would leave the matrix units empty, and the vector "
                          "unit does it";
                continue;
            }
            const MxuPlan plan = planMxu(m_device, *problem);
            seconds += plan.cycles()
                / (m_device.clock * m_device.precisionFactor * m_device.matrixEfficiency);
            padded += plan.paddedFlops;
            const std::string division = describe(plan, m_device);
            m_plan.workDivision += (m_plan.workDivision.empty() ? "" : ", then ") + division;
            m_plan.unitsUsed = std::max(m_plan.unitsUsed,
                std::min(saturatingMul(plan.folds, plan.rowParts), m_device.arrays));
            because = "useful work fills "
                + std::to_string(static_cast<int>(std::lround(plan.utilisation * 100)))
                + " % of the folds, and filling and draining take "
                + std::to_string(
                    static_cast<int>(std::lround(100 * plan.fillCycles / plan.cycles())))
                + " % of the cycles";
        }
        estimate.paddedFlops = Flops(std::max(padded, content.flops));
        return seconds;
    }

    /// roofline::finish names what holds; what this kernel makes of it follows.
    void explain(const std::string& detail) {
        std::string& because = m_plan.estimate.because;
        if (!because.empty() && because.back() == '.')
            because.pop_back();
        because += "; " + detail + ".";
    }

    void vectorDivision(const Content& content) {
        const auto tiles = static_cast<std::int64_t>(std::min(1e18,
            std::ceil(
                content.vectorElements / static_cast<double>(m_device.lanes * m_device.sublanes))));
        m_plan.unitsUsed = m_device.cores;
        m_plan.workDivision =
            std::to_string(tiles) + (tiles == 1 ? " tile" : " tiles") + " of 8×128";
    }

    void moveDivision() {
        m_plan.unitsUsed = m_device.cores;
        m_plan.workDivision =
            std::to_string(m_bytes.written().value) + " bytes moved, padding included";
    }

    void host(const Node& node) {
        Estimate& estimate = m_plan.estimate;
        m_plan.workDivision = "on the host";
        m_plan.unitsUsed = 0;
        const double bytes = static_cast<double>((m_bytes.read() + m_bytes.written()).value);
        estimate.scheduling.push_back({"host copy", Seconds(bytes / m_device.hostLinkBandwidth)});
        estimate.scheduling.push_back(
            {"dispatch", Seconds(m_device.dispatchSeconds), lowering::PartKind::Launch});
        roofline::finish(estimate);
        estimate.because = node.op
            + " runs on the host: the program ends, data crosses PCIe twice and a second "
              "program starts; the host's own arithmetic is not counted.";
    }

    const Device& m_device;
    const StageGraph& m_graph;
    const KernelBytes& m_bytes;
    double m_hbmSeconds = 0;
    StepPlan m_plan;
};

} // namespace

std::optional<MxuProblem> problemOf(
    const Device& device, const StageGraph& graph, const Node& node) {
    if (kindOf(node) != OpKind::Product || !node.work.isKnown || node.work.m <= 0
        || node.work.n <= 0 || node.work.k <= 0)
        return std::nullopt;
    MxuProblem problem{
        std::max<std::int64_t>(1, node.work.batch), node.work.m, node.work.n, node.work.k};
    if (isConvolution(node.canonical))
        return problem.batch > 1 && problem.n < kFewChannels ? std::nullopt
                                                             : std::optional(problem);
    const Value* weight = node.inputs.size() > 1 && graph.values.contains(node.inputs[1])
        ? &graph.values[node.inputs[1]]
        : nullptr;
    if (problem.batch > 1 && weight && weight->shape && weight->shape->size() == 2) {
        problem.m = saturatingMul(problem.m, problem.batch); // leading dimensions are rows
        problem.batch = 1;
    }
    if (!device.keepsThinDots() && (problem.m == 1 || problem.n == 1))
        return std::nullopt;
    return problem;
}

StepPlan planStep(
    const Device& device, const StageGraph& graph, KernelId kernel, const KernelBytes& bytes) {
    return Estimator(device, graph, bytes).run(graph.kernels[kernel]);
}

} // namespace fivefold::families::tpu
