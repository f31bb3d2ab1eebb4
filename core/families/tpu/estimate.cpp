// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/estimate.h"

#include "core/families/tpu/converts.h"
#include "core/families/tpu/measured.h"
#include "core/families/tpu/operators.h"

#include "core/lowering/tiling.h"
#include "core/roofline/measured_operator.h"
#include "core/roofline/roofline.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using base::Flops;
using base::Seconds;

constexpr std::int64_t kFewChannels = 8;

/// Elements that the vector unit works through for one node; `isPadded`: padding included.
double vectorElements(const StageGraph& graph, const Node& node, OpKind kind, bool isPadded) {
    const auto padded = [&graph, isPadded](ValueId id) -> double {
        if (!graph.values.contains(id))
            return 0;
        const Value& value = graph.values[id];
        if (value.layout && isPadded)
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
    double vectorElements = 0; ///< padding included
    double logicalElements = 0;
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
        if (kind == OpKind::Loop || kind == OpKind::Reduce) {
            content.vectorElements += vectorElements(graph, node, kind, true);
            content.logicalElements += vectorElements(graph, node, kind, false);
        }
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
        addTraffic(content.kind == OpKind::Product || content.kind == OpKind::Copy
                    || content.kind == OpKind::Relayout
                ? m_device.hbmBandwidth * m_device.hbmEfficiency
                : m_device.streamBandwidth);
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

    void addTraffic(double bytesPerSecond) {
        std::vector<LevelTraffic>& traffic = m_plan.estimate.traffic;
        m_hbmSeconds = total() / bytesPerSecond;
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
        if (matrix <= 0 && content.vectorElements > content.logicalElements
            && content.logicalElements > 0)
            estimate.paddedFlops =
                Flops(content.flops * content.vectorElements / content.logicalElements);
        addFixed(content.kind);
        if (m_exposedSeconds > 0)
            estimate.scheduling.push_back({"second operand's copy", Seconds(m_exposedSeconds)});
        roofline::finish(estimate, m_isOverlapped);
        explain(because);
        addBand(content);
    }

    void addFixed(OpKind kind) {
        const double seconds = kind == OpKind::Product ? m_device.productSeconds
            : kind == OpKind::Copy                     ? m_device.copySeconds
                                                       : m_device.opSeconds;
        m_plan.estimate.scheduling.push_back(
            {"kernel start", Seconds(seconds), lowering::PartKind::Launch});
    }

    /// Measured errors are of one operator a kernel; rates of v4 were measured in fp16 alone.
    void addBand(const Content& content) {
        const machines::Machine& machine = *m_device.machine;
        const bool isNarrow = std::ranges::all_of(content.main->outputs, [this](ValueId id) {
            return !m_graph.values.contains(id) || m_graph.values[id].dtype == ir::DType::Float16;
        });
        if (m_device.cmemLevel && !isNarrow)
            return;
        if (content.kind == OpKind::Product && content.products.size() == 1)
            roofline::setBand(m_plan.estimate, machine, "error_matmul");
        else if (content.kind == OpKind::Loop)
            roofline::setBand(m_plan.estimate, machine, "error_elementwise");
        else if (content.kind == OpKind::Copy)
            roofline::setBand(m_plan.estimate, machine, "error_copy");
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
            const double measured = measuredTime(*product, *problem);
            // Beside copies that overlap, no product is faster than its weight tiles are pushed.
            const double pushed = plan.streamCycles / (m_device.clock * m_device.precisionFactor);
            seconds += m_isOverlapped ? std::max(pushed, measured) : measured;
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

    /// Seconds of the arithmetic by the generation's measured equation; notes what copies overlap.
    double measuredTime(const Node& node, const MxuProblem& problem) {
        const auto held = [this, &node](std::size_t input) {
            const bool isThere =
                node.inputs.size() > input && m_graph.values.contains(node.inputs[input]);
            const auto bytes = isThere ? m_graph.values[node.inputs[input]].deviceBytes()
                                       : std::optional<base::Bytes>();
            return bytes ? static_cast<double>(bytes->value) : 0;
        };
        const auto read = static_cast<double>(m_bytes.hbmRead.value);
        const bool isNear =
            static_cast<double>(m_bytes.nearRead.value) >= held(1) && read < held(1);
        Product p{static_cast<double>(problem.batch), static_cast<double>(problem.m),
            static_cast<double>(problem.n), static_cast<double>(problem.k)};
        p.secondBytes = isNear ? 0 : std::min(read, held(1));
        p.firstBytes = read - p.secondBytes;
        p.resultBytes = static_cast<double>(m_bytes.hbmWritten.value);
        const ProductTime time = productTime(
            *m_device.machine, m_device.chipPeak * m_device.chipShare, m_device.hbmBandwidth, p);
        m_exposedSeconds = std::max(m_exposedSeconds, time.exposed);
        m_isOverlapped = m_isOverlapped && time.isOverlapped;
        return time.compute;
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
        estimate.scheduling.push_back(
            {"host copy", Seconds(bytes / m_device.hostLinkBandwidth), lowering::PartKind::Launch});
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
    double m_exposedSeconds = 0; ///< of the product's copies
    bool m_isOverlapped = true;
    StepPlan m_plan;
};

/// The captured node that all nodes of a step come from; invalid where there are several or none.
ir::NodeId onlySource(const StageGraph& graph, const Step& step) {
    ir::NodeId found;
    for (const NodeId node : step.nodes)
        for (const ir::NodeId source : graph.nodes[node].sources) {
            if (found.isValid() && found != source)
                return ir::NodeId();
            found = source;
        }
    return found;
}

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

void addPart(Estimate& e, TimePart part) {
    e.schedulingShare += part.time;
    e.time += part.time;
    if (e.low && e.high) {
        *e.low += part.time;
        *e.high += part.time;
    }
    if (e.schedulingShare > e.computeShare + e.memoryShare)
        e.bound = Bound::Scheduling;
    e.scheduling.push_back(std::move(part));
}

void timeLayerNorms(
    const Device& device, const ir::Graph& captured, const StageGraph& graph, Program& program) {
    if (!device.machine->parameter("norm_fixed_s"))
        return;
    std::map<ir::NodeId, std::vector<Step*>> norms;
    for (Step& step : program.steps) {
        const ir::NodeId source = onlySource(graph, step);
        if (step.estimate.isKnown && step.estimate.time.value > 0 && source.isValid()
            && captured.nodes[source].op == ir::Op::LayerNormalization)
            norms[source].push_back(&step);
    }
    for (const auto& [norm, steps] : norms) {
        const Step* last = steps.back();
        const Node& node = graph.nodes[last->mainNode];
        const auto& shape = node.outputs.empty() ? std::optional<std::vector<std::int64_t>>()
                                                 : graph.values[node.outputs.front()].shape;
        Seconds now;
        for (const Step* step : steps)
            now += step->estimate.time;
        const double measured = shape ? layerNormSeconds(*device.machine, *shape) : 0;
        if (measured <= now.value)
            continue;
        addPart(steps.back()->estimate, {"passes over rows", Seconds(measured) - now});
    }
}

StepPlan planStep(
    const Device& device, const StageGraph& graph, KernelId kernel, const KernelBytes& bytes) {
    return Estimator(device, graph, bytes).run(graph.kernels[kernel]);
}

} // namespace fivefold::families::tpu
