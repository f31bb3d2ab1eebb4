// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "lowered_model.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace fivefold::test {

using namespace lowering;

ModelBuilder::ModelBuilder()
    : m_graph(std::make_shared<ir::Graph>()) {
    m_graph->blocks.add({"main", {}, "main", {}, {}, {}, {}});
    m_graph->scopes.add({"", "/", {}, {}, {}});
    m_graph->info.format = "onnx";
    m_graph->info.opsets = {{"", 18}};
}

ir::ValueId ModelBuilder::input(
    const std::string& name, const std::vector<std::int64_t>& shape, ir::DType dtype) {
    ir::Value value;
    value.name = name;
    value.declared.dtype = dtype;
    value.declared.shape = ir::Shape(shape.begin(), shape.end());
    value.block = ir::Graph::mainBlock();
    const ir::ValueId id = m_graph->values.add(std::move(value));
    m_graph->blocks[ir::Graph::mainBlock()].inputs.push_back(id);
    return id;
}

ir::ValueId ModelBuilder::constant(const std::string& name, ir::TensorData data) {
    ir::Value value;
    value.name = name;
    value.declared.dtype = data.dtype;
    value.declared.shape = ir::Shape(data.shape.begin(), data.shape.end());
    value.origin = ir::ValueOrigin::Initializer;
    value.block = ir::Graph::mainBlock();
    data.name = name;
    value.data = m_graph->tensors.add(std::move(data));
    const ir::ValueId id = m_graph->values.add(std::move(value));
    m_graph->blocks[ir::Graph::mainBlock()].initializers.push_back(id);
    return id;
}

ir::ValueId ModelBuilder::weight(
    const std::string& name, const std::vector<std::int64_t>& shape, ir::DType dtype) {
    ir::TensorData data;
    data.dtype = dtype;
    data.shape = shape;
    data.missingReason = "a test needs no contents";
    return constant(name, std::move(data));
}

ir::ValueId ModelBuilder::scalar(const std::string& name, double value) {
    ir::TensorData data;
    data.dtype = ir::DType::Float32;
    data.storage = ir::TensorStorage::Inline;
    const auto number = static_cast<float>(value);
    data.bytes.resize(sizeof number);
    std::memcpy(data.bytes.data(), &number, sizeof number);
    return constant(name, std::move(data));
}

ir::ValueId ModelBuilder::integers(
    const std::string& name, const std::vector<std::int64_t>& values) {
    ir::TensorData data;
    data.dtype = ir::DType::Int64;
    data.shape = {static_cast<std::int64_t>(values.size())};
    data.storage = ir::TensorStorage::Inline;
    data.bytes.resize(values.size() * sizeof(std::int64_t));
    std::memcpy(data.bytes.data(), values.data(), data.bytes.size());
    return constant(name, std::move(data));
}

ir::ValueId ModelBuilder::node(
    ir::Op op, const std::vector<ir::ValueId>& inputs, ir::Attributes attributes) {
    const ir::NodeId id(m_graph->nodes.size());
    ir::Value value;
    value.name = std::string(ir::name(op)) + "_" + std::to_string(id.index()) + "_out";
    value.origin = ir::ValueOrigin::NodeOutput;
    value.producer = id;
    value.block = ir::Graph::mainBlock();
    const ir::ValueId result = m_graph->values.add(std::move(value));
    ir::Node node;
    node.op = op;
    node.sourceOp = ir::name(op);
    node.name = std::string(ir::name(op)) + "_" + std::to_string(id.index());
    node.version = 18;
    node.inputs = inputs;
    node.outputs = {result};
    node.attributes = std::move(attributes);
    node.block = ir::Graph::mainBlock();
    node.scope = ir::Graph::rootScope();
    m_graph->nodes.add(std::move(node));
    m_graph->blocks[ir::Graph::mainBlock()].nodes.push_back(id);
    m_graph->scopes[ir::Graph::rootScope()].nodes.push_back(id);
    for (const ir::ValueId input : inputs)
        if (input.isValid())
            m_graph->values[input].users.push_back(id);
    return result;
}

void ModelBuilder::output(ir::ValueId value) {
    m_graph->blocks[ir::Graph::mainBlock()].outputs.push_back(value);
}

std::shared_ptr<const ir::Graph> ModelBuilder::finish() {
    return m_graph;
}

std::vector<std::string> Lowered::findings() const {
    std::vector<std::string> all;
    for (const Stage s : kStages)
        for (const std::string& finding : verify(stage(s), *graph))
            all.push_back(std::string(toString(s)) + ": " + finding);
    return all;
}

Settings settingsAt(
    machines::Precision precision, std::map<std::string, std::string> values, bool isFusionOn) {
    Settings settings;
    settings.precision = precision;
    settings.isFusionOn = isFusionOn;
    settings.values = std::move(values);
    return settings;
}

std::vector<std::string> atenGraphs() {
    std::vector<std::string> files;
    for (const auto& entry :
        std::filesystem::directory_iterator(FIVEFOLD_SOURCE_DIR "/tests/families/gpu/data"))
        if (entry.path().extension() == ".py")
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += sentence + '\n';
    return text;
}

Lowered lowerGraph(const Family& family, std::shared_ptr<const ir::Graph> graph,
    const std::string& machine, Settings settings) {
    Lowered result;
    result.graph = graph;
    result.settings = std::move(settings);
    result.machine = machines::findMachine(machine);
    if (!result.machine) {
        result.error = "no machine " + machine;
        return result;
    }
    ir::InferenceOptions options;
    options.assumeFree = true;
    base::Result<ir::Typed> typed = ir::infer(graph, options, result.diagnostics);
    if (!typed) {
        result.error = typed.error().text();
        return result;
    }
    result.typed = std::make_shared<const ir::Typed>(std::move(*typed));
    result.cost = std::make_shared<const ir::ModelCost>(ir::modelCost(*result.typed));
    const base::Progress progress;
    const Context context{*result.typed, *result.cost, *result.machine, result.settings,
        result.diagnostics, progress};
    base::Result<Program> program = lower(family, context);
    if (program)
        result.program = std::move(*program);
    else
        result.error = program.error().text();
    return result;
}

Lowered lowerFile(
    const Family& family, const std::string& path, const std::string& machine, Settings settings) {
    base::Diagnostics diagnostics;
    auto graph = frontends::open(path, diagnostics);
    if (!graph) {
        Lowered result;
        result.error = graph.error().text();
        return result;
    }
    return lowerGraph(family, *graph, machine, std::move(settings));
}

std::vector<KernelId> kernelsOf(const StageGraph& graph, ir::NodeId captured) {
    std::vector<KernelId> kernels;
    for (const Node& node : graph.nodes)
        if (std::find(node.sources.begin(), node.sources.end(), captured) != node.sources.end()
            && std::find(kernels.begin(), kernels.end(), node.kernel) == kernels.end())
            kernels.push_back(node.kernel);
    return kernels;
}

ir::NodeId findNode(const ir::Graph& graph, ir::Op op, int number) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].op == op && number-- == 0)
            return ir::NodeId(i);
    return {};
}

namespace {

constexpr double kSlack = 1 - 1e-9; ///< rounding of sums of doubles

void checkEstimate(const Lowered& lowered, const Step& step, std::vector<std::string>& found) {
    const Estimate& e = step.estimate;
    if (!e.isKnown)
        return;
    const auto report = [&](const std::string& what) { found.push_back(step.name + ": " + what); };
    const double peak = lowered.machine->peak(lowered.settings.precision).value_or(0);
    if (peak > 0 && e.time.value < e.flops.value / peak * kSlack)
        report("faster than the peak");
    for (const LevelTraffic& level : e.traffic) {
        const auto bandwidth = lowered.machine->memories[level.level].totalBandwidth();
        if (level.read.value < 0 || level.written.value < 0)
            report("negative bytes");
        if (bandwidth
            && (e.time + e.hidden).value
                < static_cast<double>(level.total().value) / *bandwidth * kSlack)
            report("faster than " + lowered.machine->memories[level.level].name);
    }
    const double shares = e.computeShare.value + e.memoryShare.value + e.schedulingShare.value;
    if (std::abs(shares - e.time.value) > 1e-12 + 1e-9 * e.time.value)
        report("shares do not add up");
    if (e.because.empty() || e.because.back() != '.')
        report("no sentence says why");
    if (e.paddedFlops.value < e.flops.value * kSlack)
        report("padding takes work away");
}

void checkBuffers(const Lowered& lowered, std::vector<std::string>& found) {
    const Program& program = lowered.program;
    const StageGraph& graph = program.stage(Stage::Placed);
    std::vector<const Buffer*> buffers;
    for (const Buffer& buffer : program.buffers) {
        const std::string& name = graph.values[buffer.value].name;
        if (!buffer.firstStep.isValid() || !buffer.lastStep.isValid()
            || buffer.lastStep < buffer.firstStep)
            found.push_back(name + ": a buffer without a life");
        if (buffer.address < 0 || buffer.bytes.value < 0 || buffer.reason.empty())
            found.push_back(name + ": a buffer without a place");
        buffers.push_back(&buffer);
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
        for (std::size_t j = i + 1; j < buffers.size() && buffers.size() < 2000; ++j) {
            const Buffer &a = *buffers[i], &b = *buffers[j];
            const bool areTogether = a.unit == b.unit || a.unit < 0 || b.unit < 0;
            const bool meet = a.level == b.level && areTogether && a.firstStep <= b.lastStep
                && b.firstStep <= a.lastStep;
            if (meet && a.address < b.address + b.bytes.value
                && b.address < a.address + a.bytes.value)
                found.push_back(graph.values[a.value].name + " and " + graph.values[b.value].name
                    + " overlap in memory");
        }
}

} // namespace

std::vector<std::string> violations(const Lowered& lowered) {
    std::vector<std::string> found;
    const Program& program = lowered.program;
    double total = 0, macs = 0;
    std::size_t nodes = 0;
    for (const Step& step : program.steps) {
        checkEstimate(lowered, step, found);
        total += step.estimate.time.value * static_cast<double>(step.executions);
        nodes += step.nodes.size();
        for (const NodeId id : step.nodes) {
            const Node& node = program.stage(Stage::Scheduled).nodes[id];
            macs += static_cast<double>(node.work.macs) * static_cast<double>(node.executions);
            if (node.rule.empty() && node.support != Support::Native)
                found.push_back(node.name + ": no rule says why");
        }
        if (step.workDivision.empty() && step.estimate.isKnown)
            found.push_back(step.name + ": no work division");
    }
    checkBuffers(lowered, found);
    if (nodes != program.stage(Stage::Scheduled).nodes.size())
        found.push_back("not every node runs exactly once");
    const double peak = lowered.machine->peak(lowered.settings.precision).value_or(0);
    if (peak > 0 && total < 0.9 * 2 * macs / peak)
        found.push_back("the whole is faster than its products at the peak");
    base::Picoseconds end;
    for (const Event& event : program.events)
        end = std::max(end, event.end);
    const double tolerance = 1e-12 * static_cast<double>(program.steps.size() + 1) + 1e-9 * total;
    if (std::abs(base::toSeconds(end).value - total) > tolerance)
        found.push_back("the schedule ends at " + std::to_string(end.value)
            + " ps, the steps sum to " + std::to_string(total) + " s");
    return found;
}

std::string broken(const Lowered& lowered) {
    return joined(lowered.findings()) + joined(violations(lowered));
}

} // namespace fivefold::test
