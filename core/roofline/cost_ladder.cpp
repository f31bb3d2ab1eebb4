// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/cost_ladder.h"

#include "core/lowering/padded_work.h"
#include "core/lowering/tiling.h"
#include "core/roofline/duration.h"

#include <algorithm>
#include <map>

namespace fivefold::roofline {

using base::Bytes;
using base::Flops;
using base::Seconds;
using lowering::KernelId;
using lowering::Node;
using lowering::NodeId;
using lowering::Stage;
using lowering::StageGraph;
using lowering::Step;
using lowering::StepId;
using lowering::Value;
using lowering::ValueId;

namespace {

constexpr std::size_t index(Stage stage) {
    return static_cast<std::size_t>(stage);
}

/// The memory that every step's operands come from: the farthest of those that most steps use. On
/// a machine whose far memory holds weights alone that is the near one.
std::size_t workLevel(const lowering::Program& program, const machines::Machine& machine) {
    std::vector<std::int64_t> uses(machine.memories.size(), 0);
    for (const Step& step : program.steps)
        for (const lowering::LevelTraffic& traffic : step.estimate.traffic)
            if (traffic.level < uses.size())
                ++uses[traffic.level];
    const auto most = std::max_element(uses.begin(), uses.end()); // the first: the farthest
    return most == uses.end() ? 0 : static_cast<std::size_t>(most - uses.begin());
}

/// What runs as one, with what it takes were the machine ideal.
struct Item {
    double flops = 0;
    double bytes = 0;
    bool isKnown = true;
};

struct Rates {
    double flopsPerSecond = 0, bytesPerSecond = 0;
    double seconds(const Item& item) const {
        return std::max(flopsPerSecond > 0 ? item.flops / flopsPerSecond : 0,
            bytesPerSecond > 0 ? item.bytes / bytesPerSecond : 0);
    }
};

double bytesOf(const std::optional<Bytes>& bytes, bool& isKnown) {
    if (!bytes)
        isKnown = false;
    return bytes ? static_cast<double>(bytes->value) : 0;
}

/// Bits of the floating-point type that most values of a stage have; 0 without any.
int usualFloatBits(const StageGraph& graph) {
    std::map<int, std::int64_t> counts;
    for (const Value& value : graph.values)
        if (ir::isFloat(value.dtype))
            ++counts[ir::bitWidth(value.dtype)];
    const auto most = std::max_element(counts.begin(), counts.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? 0 : most->first;
}

/// Bodies count through their nodes, and what shows a value under another shape moves nothing.
bool isFree(const Node& node) {
    return ir::isView(node.canonical) || ir::isShapeOnly(node.canonical)
        || node.opClass() == ir::OpClass::Control || node.canonical == ir::Op::Call;
}

/// An operator alone: every operand read, every result written. One that only moves values reads
/// no more of an operand than it leaves. Wider floating-point types count with `floatBits`, where
/// that is not 0.
Item itemOf(const StageGraph& graph, const Node& node, int floatBits) {
    Item item;
    const auto size = [&](ValueId id) {
        const Value& value = graph.values[id];
        const double bytes = bytesOf(value.bytes(), item.isKnown);
        const int bits = ir::bitWidth(value.dtype);
        return floatBits > 0 && bits > floatBits && ir::isFloat(value.dtype)
            ? bytes * floatBits / bits
            : bytes;
    };
    if (isFree(node))
        return item;
    double written = 0;
    for (const ValueId output : node.outputs)
        if (graph.values.contains(output))
            written += size(output);
    item.bytes = written;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId input = node.inputs[i];
        if (!graph.values.contains(input)
            || std::find(node.inputs.begin(), node.inputs.begin() + static_cast<long>(i), input)
                != node.inputs.begin() + static_cast<long>(i))
            continue;
        const double read = size(input);
        item.bytes += node.opClass() == ir::OpClass::Movement ? std::min(read, written) : read;
    }
    item.isKnown = item.isKnown && node.work.isKnown;
    item.flops = node.work.isKnown ? node.work.flops : 0;
    return item;
}

/// Times by what they are due to, the largest named.
class Tally {
public:
    void add(const std::string& name, double seconds) {
        auto& entry = m_entries[name];
        entry.first += seconds;
        ++entry.second;
    }
    struct Largest {
        std::string name;
        double seconds = 0;
        std::int64_t count = 0;
    };
    Largest largest() const {
        Largest most;
        for (const auto& [name, entry] : m_entries)
            if (entry.first > most.seconds)
                most = {name, entry.first, entry.second};
        return most;
    }

private:
    std::map<std::string, std::pair<double, std::int64_t>> m_entries;
};

class Ladder {
public:
    Ladder(const lowering::Program& program, const machines::Machine& machine, double peak)
        : m_program(program)
        , m_level(workLevel(program, machine)) {
        m_rates.flopsPerSecond = peak;
        if (m_level < machine.memories.size())
            m_rates.bytesPerSecond = machine.memories[m_level].totalBandwidth().value_or(0);
    }

    CostLadder run(Seconds total) {
        for (const Stage stage : lowering::kStages)
            m_ladder.rungs[index(stage)].stage = stage;
        operators(Stage::Captured);
        operators(Stage::Decomposed);
        kernels(Stage::Fused);
        kernels(Stage::LaidOut);
        placed();
        scheduled(total);
        finish();
        return std::move(m_ladder);
    }

private:
    const StageGraph* graph(Stage stage) const { return m_program.stages[index(stage)].get(); }
    Rung& rung(Stage stage) { return m_ladder.rungs[index(stage)]; }

    void count(Rung& rung, const Item& item, std::int64_t executions) const {
        const auto times = static_cast<double>(executions);
        rung.time += Seconds(m_rates.seconds(item) * times);
        rung.flops += Flops(item.flops * times);
        rung.bytes = Bytes(lowering::saturatingAdd(
            rung.bytes.value, static_cast<std::int64_t>(std::min(item.bytes * times, 9e18))));
        rung.isAtLeast = rung.isAtLeast || !item.isKnown;
        ++rung.operators;
    }

    void operators(Stage stage) {
        const StageGraph* graph = this->graph(stage);
        if (!graph)
            return;
        Rung& rung = this->rung(stage);
        // The file's types become the precision in force, which is no stage's merit.
        const StageGraph* decomposed = this->graph(Stage::Decomposed);
        const int floatBits =
            stage == Stage::Captured && decomposed ? usualFloatBits(*decomposed) : 0;
        for (const Node& node : graph->nodes) {
            const Item item = itemOf(*graph, node, floatBits);
            count(rung, item, node.executions);
            const double seconds = m_rates.seconds(item) * static_cast<double>(node.executions);
            if (node.sources.empty() || !(seconds > 0))
                continue;
            // By the captured operator, so that the next stage can say what became dearer.
            if (node.sources.front().index() >= m_bySource.size())
                m_bySource.resize(node.sources.front().index() + 1, 0);
            m_bySource[node.sources.front().index()] +=
                stage == Stage::Captured ? -seconds : seconds;
        }
        if (stage == Stage::Decomposed)
            explainDecomposed(rung);
    }

    void explainDecomposed(Rung& rung) const {
        const StageGraph* captured = graph(Stage::Captured);
        if (!captured || m_bySource.empty())
            return;
        Tally tally;
        for (const Node& node : captured->nodes)
            if (!node.sources.empty() && node.sources.front().index() < m_bySource.size())
                if (const double more = m_bySource[node.sources.front().index()]; more > 0)
                    tally.add(node.op, more);
        const auto most = tally.largest();
        if (most.seconds > 0)
            rung.because = "The operators that " + most.name
                + " becomes each read and write their tensors: "
                + durationText(Seconds(most.seconds)) + " over " + std::to_string(most.count)
                + (most.count == 1 ? " operator." : " operators.");
    }

    /// Each kernel with what crosses its border; from LaidOut on with padding.
    void kernels(Stage stage) {
        const StageGraph* graph = this->graph(stage);
        if (!graph)
            return;
        Rung& rung = this->rung(stage);
        const bool isPadded = stage == Stage::LaidOut;
        std::vector<Item> items(graph->kernels.size());
        std::vector<std::uint32_t> seen(graph->values.size(), KernelId::kInvalid);
        for (std::size_t k = 0; k < items.size(); ++k)
            for (const NodeId id : graph->kernels[KernelId(k)].nodes)
                addNode(*graph, graph->nodes[id], KernelId(k), isPadded, items[k], seen);
        double relayouts = 0;
        std::int64_t count = 0;
        for (std::size_t k = 0; k < items.size(); ++k) {
            const auto& nodes = graph->kernels[KernelId(k)].nodes;
            std::int64_t executions = 0;
            bool isAdded = !nodes.empty();
            for (const NodeId id : nodes) {
                executions = std::max(executions, graph->nodes[id].executions);
                isAdded = isAdded && !graph->nodes[id].addedBy.empty();
            }
            this->count(rung, items[k], executions);
            if (isAdded && isPadded) {
                relayouts += m_rates.seconds(items[k]) * static_cast<double>(executions);
                ++count;
            }
        }
        explainKernels(rung, relayouts, count);
    }

    void addNode(const StageGraph& graph, const Node& node, KernelId kernel, bool isPadded,
        Item& item, std::vector<std::uint32_t>& seen) const {
        const auto size = [&](ValueId id) {
            const Value& value = graph.values[id];
            return bytesOf(isPadded ? value.deviceBytes() : value.bytes(), item.isKnown);
        };
        const auto isOutside = [&](NodeId other) {
            return !graph.nodes.contains(other) || graph.nodes[other].kernel != kernel;
        };
        if (isFree(node))
            return;
        double written = 0; // without padding
        for (const ValueId output : node.outputs) {
            if (!graph.values.contains(output))
                continue;
            written += bytesOf(graph.values[output].bytes(), item.isKnown);
            const auto& users = graph.values[output].users;
            if (users.empty() || std::any_of(users.begin(), users.end(), isOutside))
                item.bytes += size(output);
        }
        for (const ValueId input : node.inputs) {
            if (!graph.values.contains(input) || seen[input.index()] == kernel.value
                || !isOutside(graph.values[input].producer))
                continue;
            seen[input.index()] = kernel.value;
            const double whole = bytesOf(graph.values[input].bytes(), item.isKnown);
            const bool isPart = node.opClass() == ir::OpClass::Movement && whole > written;
            item.bytes += size(input) * (isPart ? written / whole : 1);
        }
        item.isKnown = item.isKnown && node.work.isKnown;
        if (node.work.isKnown)
            item.flops += node.work.flops * (isPadded ? lowering::paddedWork(graph, node) : 1);
    }

    void explainKernels(Rung& rung, double relayouts, std::int64_t count) {
        const Rung& before = m_ladder.rungs[index(rung.stage) - 1];
        if (rung.stage == Stage::Fused) {
            const std::int64_t kept = before.bytes.value - rung.bytes.value;
            if (kept > 0)
                rung.because = bytesText(Bytes(kept)) + " stay inside "
                    + std::to_string(rung.operators) + " kernels.";
            return;
        }
        const double padding = (rung.time - before.time).value - relayouts;
        if (relayouts > 0 && relayouts >= padding)
            rung.because = std::to_string(count)
                + (count == 1 ? " relayout takes " : " relayouts take ")
                + durationText(Seconds(relayouts)) + ".";
        else if (padding > 0)
            rung.because = "Padding adds " + durationText(Seconds(padding)) + ".";
    }

    /// Steps as placed: arithmetic and traffic as the units' shares make them, nothing to start.
    void placed() {
        Rung& rung = this->rung(Stage::Placed);
        const Step* worst = nullptr;
        double most = 0;
        for (const Step& step : m_program.steps) {
            const lowering::Estimate& e = step.estimate;
            const auto times = static_cast<double>(step.executions);
            ++rung.operators;
            if (!e.isKnown) {
                rung.isAtLeast = true;
                continue;
            }
            const double body = (e.computeShare + e.memoryShare).value * times;
            rung.time += Seconds(body);
            rung.flops += Flops(std::max(e.flops, e.paddedFlops).value * times);
            for (const lowering::LevelTraffic& traffic : e.traffic)
                if (traffic.level == m_level)
                    rung.bytes = Bytes(lowering::saturatingAdd(rung.bytes.value,
                        lowering::saturatingMul(traffic.total().value, step.executions)));
            const double added = body - e.ideal.value * times;
            if (added > most) {
                most = added;
                worst = &step;
            }
        }
        if (worst)
            rung.because = worst->name + " takes " + durationText(Seconds(most))
                + " more than its ideal"
                + (worst->workDivision.empty() ? "." : ": " + worst->workDivision + ".");
    }

    void scheduled(Seconds total) {
        Rung& rung = this->rung(Stage::Scheduled);
        const Rung& before = this->rung(Stage::Placed);
        rung.time = total;
        rung.flops = before.flops;
        rung.bytes = before.bytes;
        rung.operators = before.operators;
        rung.isAtLeast = before.isAtLeast;
        Tally tally;
        for (const Step& step : m_program.steps)
            if (step.estimate.isKnown)
                for (const lowering::TimePart& part : step.estimate.scheduling)
                    tally.add(part.name, part.time.value * static_cast<double>(step.executions));
        const auto most = tally.largest();
        if (most.seconds > 0)
            rung.because = "“" + most.name + "” takes " + durationText(Seconds(most.seconds))
                + " over " + std::to_string(most.count) + (most.count == 1 ? " step." : " steps.");
    }

    void finish() {
        double most = 0;
        const bool isKnown = m_ladder.rungs.back().time.value > 0;
        for (std::size_t i = 1; i < m_ladder.rungs.size(); ++i) {
            Rung& rung = m_ladder.rungs[i];
            rung.added = rung.time - m_ladder.rungs[i - 1].time;
            if (isKnown && rung.added.value > most) {
                most = rung.added.value;
                m_ladder.addsMost = rung.stage;
            }
        }
        constexpr const char* kDoing[] = {
            "Capturing", "Decomposing", "Fusing", "Laying out", "Placing", "Scheduling"};
        const Rung& last = m_ladder.rungs.back();
        if (most > 0)
            m_ladder.sentence = std::string(kDoing[index(m_ladder.addsMost)]) + " adds most: "
                + durationText(Seconds(most)) + " of " + durationText(last.time) + ".";
        else if (last.time.value > 0)
            m_ladder.sentence = "No stage adds to the " + durationText(last.time) + ".";
    }

    const lowering::Program& m_program;
    std::size_t m_level;
    Rates m_rates;
    std::vector<double> m_bySource; ///< decomposed minus captured seconds, by captured node
    CostLadder m_ladder;
};

} // namespace

CostLadder costLadder(const lowering::Program& program, const machines::Machine& machine,
    double peak, Seconds total) {
    return Ladder(program, machine, peak).run(total);
}

} // namespace fivefold::roofline
