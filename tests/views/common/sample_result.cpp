// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"

#include "core/analysis/explain.h"

#include <algorithm>
#include <map>

namespace fivefold::views::testing {

using namespace lowering;

namespace {

machines::Figure figure(
    double value, std::string unit, machines::FigureStatus status, std::string source) {
    return {value, std::move(unit), status, std::move(source), {}};
}

std::shared_ptr<const layout::TensorLayout> stickLayout(const std::vector<std::int64_t>& shape) {
    constexpr std::int64_t kStick = 64;
    auto result = std::make_shared<layout::TensorLayout>();
    result->shape = shape;
    result->notation = "stick d" + std::to_string(shape.empty() ? 0 : shape.size() - 1);
    for (std::size_t d = 0; d + 1 < shape.size(); ++d)
        result->axes.push_back({shape[d], static_cast<int>(d), 1, layout::AxisRole::Row});
    const int last = static_cast<int>(shape.size()) - 1;
    if (last >= 0)
        result->axes.push_back(
            {(shape.back() + kStick - 1) / kStick, last, kStick, layout::AxisRole::Block});
    result->axes.push_back({kStick, last, last >= 0 ? 1 : 0, layout::AxisRole::Lane});
    result->alignmentBytes = 2 * kStick;
    for (const auto& axis : result->axes)
        result->deviceSize.push_back(axis.extent);
    return result;
}

/// Everything while it grows; one function a part so that each stays readable.
struct Builder {
    std::shared_ptr<analysis::Result> result = std::make_shared<analysis::Result>();
    std::shared_ptr<analysis::Model> model = std::make_shared<analysis::Model>();
    std::shared_ptr<ir::Graph> graph = std::make_shared<ir::Graph>();
    std::shared_ptr<ir::Typed> typed = std::make_shared<ir::Typed>();
    std::shared_ptr<ir::ModelCost> cost = std::make_shared<ir::ModelCost>();
    std::shared_ptr<const machines::Machine> machine;
    std::map<std::string, ir::ValueId> valueByName;
    std::map<std::string, std::vector<std::int64_t>> shapeByName;
    std::map<std::string, ir::ScopeId> scopeByPath;
    base::Picoseconds now;

    void begin();
    ir::ScopeId scopeOf(const std::string& name);
    ir::ValueId captureValue(
        const std::string& name, const std::vector<std::int64_t>& shape, ir::ValueOrigin origin);
    void capture(const SampleNode& spec);
    std::shared_ptr<StageGraph> makeStage(Stage stage, const std::vector<SampleNode>& specs);
    void addStep(const SampleNode& spec, NodeId node, const StageGraph& placed);
    void addBuffers(const StageGraph& placed);
    void addMemory();
    void finish();
};

void Builder::begin() {
    graph->info = {"onnx", "sample 1.0", 8, "sample", {}, {{"", 17}}, {}, std::string(64, 'a'),
        "attention_block.onnx", 4096};
    ir::Block block;
    block.name = "sample";
    block.role = "main";
    graph->blocks.add(block);
    graph->scopes.add({"", "/", {}, {}, {}});
    scopeByPath["/"] = ir::Graph::rootScope();
}

ir::ScopeId Builder::scopeOf(const std::string& name) {
    const auto slash = name.rfind('/');
    const std::string path = slash == std::string::npos || slash == 0 ? "/" : name.substr(0, slash);
    if (const auto found = scopeByPath.find(path); found != scopeByPath.end())
        return found->second;
    const ir::ScopeId parent = scopeOf(path);
    const auto id = graph->scopes.add({path.substr(path.rfind('/') + 1), path, parent, {}, {}});
    graph->scopes[parent].children.push_back(id);
    scopeByPath[path] = id;
    return id;
}

ir::ValueId Builder::captureValue(
    const std::string& name, const std::vector<std::int64_t>& shape, ir::ValueOrigin origin) {
    if (const auto found = valueByName.find(name); found != valueByName.end())
        return found->second;
    ir::Value value;
    value.name = name;
    value.origin = origin;
    value.block = ir::Graph::mainBlock();
    value.declared.dtype = ir::DType::Float32;
    value.declared.shape = ir::Shape(shape.begin(), shape.end());
    typed->types.add(value.declared);
    typed->contents.add(nullptr);
    typed->isConstant.add(origin == ir::ValueOrigin::Initializer);
    const auto id = graph->values.add(std::move(value));
    if (origin == ir::ValueOrigin::BlockInput)
        graph->blocks[ir::Graph::mainBlock()].inputs.push_back(id);
    if (origin == ir::ValueOrigin::Initializer)
        graph->blocks[ir::Graph::mainBlock()].initializers.push_back(id);
    valueByName[name] = id;
    shapeByName[name] = shape;
    return id;
}

void Builder::capture(const SampleNode& spec) {
    ir::Node node;
    node.op = spec.op;
    node.name = spec.name;
    node.sourceOp = std::string(ir::name(spec.op));
    node.version = 17;
    node.block = ir::Graph::mainBlock();
    node.scope = scopeOf(spec.name);
    for (const auto& input : spec.inputs)
        node.inputs.push_back(captureValue(input, spec.shape, ir::ValueOrigin::BlockInput));
    if (!spec.weight.empty())
        node.inputs.push_back(
            captureValue(spec.weight, spec.weightShape, ir::ValueOrigin::Initializer));
    const auto output = captureValue(spec.output, spec.shape, ir::ValueOrigin::NodeOutput);
    node.outputs.push_back(output);
    if (spec.op == ir::Op::Softmax)
        node.attributes.set("axis", std::int64_t(-1));
    const auto inputs = node.inputs;
    const auto id = graph->nodes.add(std::move(node));
    graph->values[output].producer = id;
    for (const auto input : inputs)
        graph->values[input].users.push_back(id);
    graph->blocks[ir::Graph::mainBlock()].nodes.push_back(id);
    graph->scopes[graph->nodes[id].scope].nodes.push_back(id);
    std::int64_t elements = 1;
    for (const auto extent : spec.shape)
        elements *= extent;
    ir::NodeCost nodeCost;
    if (spec.isKnown) {
        nodeCost.macs = spec.macs;
        nodeCost.flops =
            spec.macs > 0 ? 2.0 * static_cast<double>(spec.macs) : static_cast<double>(elements);
        nodeCost.bytesIn = base::Bytes(2 * elements);
        nodeCost.bytesOut = base::Bytes(2 * elements);
        nodeCost.bytesWeight = base::Bytes(0);
    }
    cost->nodes.add(nodeCost);
    typed->takenBranch.add(-1);
    typed->isBranchProved.add(0);
    typed->executions.add(1);
}

std::shared_ptr<StageGraph> Builder::makeStage(Stage stage, const std::vector<SampleNode>& specs) {
    auto out = std::make_shared<StageGraph>();
    out->stage = stage;
    std::map<std::string, ValueId> values;
    const auto value = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        if (const auto found = values.find(name); found != values.end())
            return found->second;
        Value v;
        v.name = name;
        v.dtype = ir::DType::Float16;
        v.shape = shape;
        if (const auto source = valueByName.find(name); source != valueByName.end()) {
            v.source = source->second;
            const auto origin = graph->values[v.source].origin;
            v.role = origin == ir::ValueOrigin::Initializer ? ValueRole::Weight
                : origin == ir::ValueOrigin::BlockInput     ? ValueRole::Input
                                                            : ValueRole::Activation;
            v.shape = shapeByName[name];
        }
        if (stage >= Stage::LaidOut)
            v.layout = stickLayout(*v.shape);
        const auto id = out->values.add(std::move(v));
        if (out->values[id].role == ValueRole::Input)
            out->inputs.push_back(id);
        return values[name] = id;
    };
    std::size_t captured = 0;
    for (const auto& spec : specs) {
        const bool isAdded = !spec.addedBy.empty();
        const ir::NodeId source = isAdded ? ir::NodeId() : ir::NodeId(captured++);
        if (isAdded && stage < Stage::LaidOut)
            continue;
        Node node;
        node.canonical = spec.op;
        node.op = isAdded ? "restickify" : std::string(ir::name(spec.op));
        node.name = spec.name;
        if (!isAdded)
            node.sources = {source};
        for (const auto& input : spec.inputs)
            node.inputs.push_back(value(input, spec.shape));
        if (!spec.weight.empty())
            node.inputs.push_back(value(spec.weight, spec.weightShape));
        node.outputs.push_back(value(spec.output, spec.shape));
        node.support = spec.support;
        node.addedBy = spec.addedBy;
        node.addedAt = isAdded ? Stage::LaidOut : Stage::Captured;
        node.rule = isAdded ? "" : "Taken one to one: the machine has this operator.";
        node.work.isKnown = spec.isKnown;
        node.work.macs = spec.macs;
        if (stage >= Stage::Fused) {
            node.kernel = KernelId(static_cast<std::size_t>(spec.kernel));
            while (out->kernels.size() <= static_cast<std::size_t>(spec.kernel))
                out->kernels.add({"bundle " + std::to_string(out->kernels.size()), "bundle", {},
                    "Everything up to the next operator of another kind runs as one bundle."});
        }
        const auto id = out->nodes.add(std::move(node));
        const Node& added = out->nodes[id];
        if (stage >= Stage::Fused)
            out->kernels[added.kernel].nodes.push_back(id);
        for (const auto input : added.inputs)
            out->values[input].users.push_back(id);
        out->values[added.outputs[0]].producer = id;
        if (source.isValid())
            result->provenance.toStage[static_cast<std::size_t>(stage)][source] = {id};
    }
    for (std::size_t v = 0; v < out->values.size(); ++v) {
        Value& last = out->values[ValueId(v)];
        if (last.users.empty() && last.producer.isValid()) {
            last.role = ValueRole::Output;
            out->outputs.push_back(ValueId(v));
        }
    }
    return out;
}

void Builder::addStep(const SampleNode& spec, NodeId node, const StageGraph& placed) {
    Step step;
    step.name = spec.name;
    step.kernel = placed.nodes[node].kernel;
    step.nodes = {node};
    step.mainNode = node;
    step.workDivision = spec.workDivision;
    step.unitsUsed = 32;
    std::int64_t elements = 1;
    for (const auto extent : spec.shape)
        elements *= extent;
    Estimate& e = step.estimate;
    e.isKnown = spec.isKnown;
    if (spec.isKnown) {
        e.flops = base::Flops(
            spec.macs > 0 ? 2.0 * static_cast<double>(spec.macs) : static_cast<double>(elements));
        e.paddedFlops = e.flops * 1.1;
        const base::Seconds far(
            static_cast<double>(spec.farBytes) / *machine->memories[0].bandwidth.value);
        const base::Seconds near(
            static_cast<double>(spec.nearBytes) / *machine->memories[1].aggregateBandwidth.value);
        const base::Seconds atPeak(
            e.flops.value / machine->peaks.at(machines::Precision::Fp16).valueOr(1));
        e.ideal = std::max(atPeak, far);
        e.compute = base::Seconds(std::max(spec.computeSeconds, atPeak.value));
        const base::Bytes read(spec.farBytes * 2 / 3);
        e.traffic.push_back({0, read, base::Bytes(spec.farBytes) - read, far * 1.1});
        e.traffic.push_back({1, base::Bytes(spec.nearBytes / 2),
            base::Bytes(spec.nearBytes - spec.nearBytes / 2), near});
        const base::Seconds slowest = std::max(far * 1.1, near);
        const base::Seconds scheduling(spec.schedulingSeconds);
        if (scheduling.value > 0)
            e.scheduling.push_back({"fixed", scheduling});
        const bool isCompute = e.compute > slowest;
        e.computeShare = isCompute ? e.compute : base::Seconds(0);
        e.memoryShare = isCompute ? base::Seconds(0) : slowest;
        e.schedulingShare = scheduling;
        e.time = e.computeShare + e.memoryShare + e.schedulingShare;
        e.bound = scheduling > std::max(e.compute, slowest) ? Bound::Scheduling
            : isCompute                                     ? Bound::Compute
                                                            : Bound::Memory;
        e.low = e.time * 0.875;
        e.high = e.time * 1.125;
        e.because = "The far memory is the slowest part.";
    }
    const StepId id = result->program.steps.add(std::move(step));
    const auto sources = placed.nodes[node].sources;
    result->provenance.fromSteps.add(sources);
    for (const auto source : sources)
        result->provenance.toSteps[source] = {id};
    const Estimate& estimate = result->program.steps[id].estimate;
    const base::Picoseconds start = now;
    now += base::toPicoseconds(estimate.time);
    const auto add = [&](std::size_t resource, EventKind kind, base::Picoseconds from,
                         base::Picoseconds to) {
        if (to > from)
            result->program.events.add(
                {id, ResourceId(resource), kind, from, to, 1, {}, DecidedBy::Compiler});
    };
    const auto launch = start + base::toPicoseconds(estimate.schedulingShare);
    add(3, EventKind::Launch, start, launch);
    add(0, EventKind::Read, launch,
        std::min(now, launch + base::toPicoseconds(estimate.memoryShare * 0.6)));
    add(1, EventKind::Compute, launch,
        std::min(now, launch + base::toPicoseconds(estimate.compute)));
    add(2, EventKind::Write,
        std::max(launch, now - base::toPicoseconds(estimate.memoryShare * 0.4)), now);
    if (!estimate.isKnown || estimate.flops.value <= 0)
        return;
    roofline::Point point;
    point.step = id;
    point.flops = estimate.flops;
    point.time = estimate.time;
    point.ideal = estimate.ideal;
    point.bound = estimate.bound;
    point.bytesByLevel = {base::Bytes(spec.farBytes), base::Bytes(spec.nearBytes)};
    point.achieved = estimate.flops.value / estimate.time.value;
    if (estimate.schedulingShare.value > 0)
        point.schedulingCap = estimate.flops.value / estimate.schedulingShare.value;
    result->points.push_back(point);
}

void Builder::addBuffers(const StageGraph& placed) {
    base::IdVector<StepId, std::pair<base::Picoseconds, base::Picoseconds>> spans(
        result->program.steps.size(), {base::Picoseconds(0), base::Picoseconds(0)});
    base::Picoseconds at;
    for (std::size_t s = 0; s < spans.size(); ++s) {
        const auto end = at + base::toPicoseconds(result->program.steps[StepId(s)].estimate.time);
        spans[StepId(s)] = {at, end};
        at = end;
    }
    std::int64_t address = 0;
    for (std::size_t v = 0; v < placed.values.size() && !spans.empty(); ++v) {
        const Value& value = placed.values[ValueId(v)];
        Buffer buffer;
        buffer.value = ValueId(v);
        buffer.category = value.role;
        const auto bytes = value.layout ? [&] {
            std::int64_t n = 2;
            for (const auto& axis : value.layout->axes)
                n *= axis.extent;
            return n;
        }() : 0;
        buffer.bytes = base::Bytes(bytes);
        buffer.level = value.producer.isValid() && bytes <= 400'000 ? 1 : 0;
        if (buffer.level == 1)
            buffer.bytes = base::Bytes(bytes / 32);
        buffer.address = buffer.level == 0 ? address : static_cast<std::int64_t>(v % 8) * 65536;
        if (buffer.level == 0)
            address += bytes;
        buffer.firstStep = StepId(value.producer.isValid() ? value.producer.index() : 0);
        buffer.lastStep = buffer.firstStep;
        for (const auto user : value.users)
            buffer.lastStep = std::max(buffer.lastStep, StepId(user.index()));
        buffer.first = spans[buffer.firstStep].first;
        buffer.last = spans[buffer.lastStep].second;
        buffer.reason = buffer.level == 0 ? "Larger than the room that is left in LX." : "Fits LX.";
        result->program.buffers.add(std::move(buffer));
    }
}

void Builder::addMemory() {
    result->memory = memory::use(result->program, *machine);
}

void Builder::finish() {
    result->ceilings.push_back({"fp16", roofline::CeilingKind::Compute,
        machine->peaks.at(machines::Precision::Fp16), 0, true});
    result->ceilings.push_back({"int8", roofline::CeilingKind::Compute,
        machine->peaks.at(machines::Precision::Int8), 0, false});
    result->ceilings.push_back({machine->memories[0].name, roofline::CeilingKind::Memory,
        machine->memories[0].bandwidth, 0, false});
    result->ceilings.push_back({machine->memories[1].name, roofline::CeilingKind::Memory,
        machine->memories[1].aggregateBandwidth, 1, false});
    for (const auto& step : result->program.steps) {
        auto& totals = result->totals;
        totals.time += step.estimate.time;
        totals.compute += step.estimate.computeShare;
        totals.memory += step.estimate.memoryShare;
        totals.scheduling += step.estimate.schedulingShare;
        totals.unknownSteps += step.estimate.isKnown ? 0 : 1;
    }
    result->totals.low = result->totals.time * 0.875;
    result->totals.high = result->totals.time * 1.125;
    result->totals.validated = analysis::Totals::Validation{49, 0.128, 0.31, "sample measurements"};
    schedule::connect(result->program, &result->program.stage(Stage::Placed));
    result->timing = schedule::timing(result->program);
    result->criticalPath = schedule::criticalPath(result->program, result->timing);
    cost->macs = 0;
    cost->flops = 0;
    for (const auto& node : cost->nodes) {
        if (node.isKnown()) {
            *cost->macs += *node.macs;
            *cost->flops += *node.flops;
        } else {
            ++cost->unknownNodes;
        }
    }
    typed->graph = graph;
    model->graph = graph;
    result->request.model = model;
    result->request.machine = machine;
    result->request.settings.precision = machines::Precision::Fp16;
    result->typed = typed;
    result->cost = cost;
    analysis::explain(*result);
}

} // namespace

std::shared_ptr<const machines::Machine> sampleMachine() {
    using enum machines::FigureStatus;
    auto machine = std::make_shared<machines::Machine>();
    machine->id = "spyre";
    machine->name = "IBM Spyre";
    machine->family = "spyre";
    machine->generation = "IBM Spyre, 32 cores";
    machine->year = 2025;
    machine->peaks[machines::Precision::Fp16] =
        figure(98.3e12, "FLOP/s", Derived, "cores × array × clock");
    machine->peaks[machines::Precision::Int8] =
        figure(393e12, "FLOP/s", Published, "IBM, Hot Chips 2024");
    machines::Memory far;
    far.name = "LPDDR5";
    far.kind = machines::MemoryKind::Device;
    far.capacity = figure(128.0 * 1024 * 1024 * 1024, "B", Published, "IBM product page");
    far.usable =
        figure(112.0 * 1024 * 1024 * 1024, "B", Estimated, "capacity less the runtime's reserve");
    far.bandwidth = figure(204.8e9, "B/s", Published, "IBM product page");
    far.managedBy = "compiler";
    far.scope = "device";
    machine->memories.push_back(far);
    machines::Memory near;
    near.name = "LX";
    near.kind = machines::MemoryKind::Scratchpad;
    near.capacity = figure(2.0 * 1024 * 1024, "B", Published, "IBM, ISSCC 2021");
    near.usable = figure(1625344, "B", Published, "torch-spyre");
    near.bandwidth = figure(128e9, "B/s", Derived, "128 B a cycle × clock");
    near.aggregateBandwidth = figure(4.096e12, "B/s", Derived, "32 cores × 128 B a cycle × clock");
    near.instances = 32;
    near.managedBy = "compiler";
    near.scope = "per core";
    machine->memories.push_back(near);
    machines::Unit unit;
    unit.name = "core";
    unit.count = figure(32, "1", Published, "IBM product page");
    unit.shape = "8×8 array";
    machine->units.push_back(unit);
    machine->clock = figure(1.0e9, "Hz", Estimated, "inferred from the peak");
    machine->power = figure(75, "W", Published, "IBM product page");
    return machine;
}

std::shared_ptr<analysis::Result> sampleResult(
    const std::vector<SampleNode>& nodes, std::shared_ptr<const machines::Machine> machine) {
    Builder builder;
    builder.machine = machine ? std::move(machine) : sampleMachine();
    builder.begin();
    std::size_t captured = 0;
    for (const auto& spec : nodes)
        if (spec.addedBy.empty()) {
            builder.capture(spec);
            ++captured;
        }
    auto& result = *builder.result;
    for (auto& stage : result.provenance.toStage)
        stage.resize(captured);
    result.provenance.toSteps.resize(captured);
    for (const auto stage : kStages)
        result.program.stages[static_cast<std::size_t>(stage)] = builder.makeStage(stage, nodes);
    for (const char* name : {"LPDDR5 in", "array (PT)", "LPDDR5 out", "launch"})
        result.program.resources.add({name,
            std::string(name).starts_with("LPDDR5") ? "memory"
                : std::string(name) == "launch"     ? "queue"
                                                    : "compute"});
    const StageGraph& scheduled = result.program.stage(Stage::Scheduled);
    for (std::size_t n = 0; n < nodes.size(); ++n)
        builder.addStep(nodes[n], NodeId(n), scheduled);
    std::stable_sort(result.program.events.begin(), result.program.events.end(),
        [](const Event& a, const Event& b) { return a.start < b.start; });
    builder.addBuffers(result.program.stage(Stage::Placed));
    builder.addMemory();
    for (const auto& steps : result.provenance.toSteps) {
        analysis::NodeSummary summary;
        if (!steps.empty()) {
            const Step& step = result.program.steps[steps.front()];
            summary.support = scheduled.nodes[step.mainNode].support;
            summary.rule = scheduled.nodes[step.mainNode].rule;
            summary.traffic = step.estimate.traffic;
            if (step.estimate.isKnown)
                summary.time = step.estimate.time;
        }
        result.nodes.add(summary);
    }
    auto& block = builder.graph->blocks[ir::Graph::mainBlock()];
    for (const auto output : result.program.stage(Stage::Captured).outputs)
        block.outputs.push_back(result.program.stage(Stage::Captured).values[output].source);
    builder.finish();
    return builder.result;
}

std::shared_ptr<analysis::Result> attentionSample() {
    using enum ir::Op;
    const std::vector<std::int64_t> x = {1, 128, 768}, qkv = {1, 128, 2304}, heads = {12, 128, 64},
                                    kt = {12, 64, 128}, scores = {12, 128, 128};
    const std::string restick = "Q·Kᵀ wants Kᵀ with its stick on the sequence";
    return sampleResult({
        {"/ln/LayerNormalization", LayerNormalization, {"x"}, "ln", x, 0, 0.6e-6, 1.6e-6, 393'216,
            786'432, "ln.weight", {768}},
        {"/attn/c_attn/MatMul", MatMul, {"ln"}, "qkv0", qkv, 226'492'416, 11.5e-6, 9.5e-6,
            4'325'376, 4'400'000, "c_attn.weight", {768, 2304}, "", Support::Native,
            "b1 · m4 · n4 · k2 = 32 cores"},
        {"/attn/c_attn/Add", Add, {"qkv0"}, "qkv", qkv, 0, 0.4e-6, 0.3e-6, 4'608, 1'179'648,
            "c_attn.bias", {2304}},
        {"/attn/q/Slice", Slice, {"qkv"}, "q", heads, 0, 0, 0.2e-6, 0, 196'608},
        {"/attn/k/Slice", Slice, {"qkv"}, "k", heads, 0, 0, 0.2e-6, 0, 196'608},
        {"/attn/v/Slice", Slice, {"qkv"}, "v", heads, 0, 0, 0.2e-6, 0, 196'608},
        {"/attn/Transpose", Transpose, {"k"}, "kt0", kt, 0, 0, 0.2e-6, 0, 196'608},
        {"restickify Kᵀ", Transpose, {"kt0"}, "kt", kt, 0, 0.5e-6, 3.0e-6, 393'216, 196'608, "", {},
            restick},
        {"/attn/MatMul", MatMul, {"q", "kt"}, "scores", scores, 12'582'912, 3.5e-6, 1.8e-6, 786'432,
            800'000, "", {}, "", Support::Native, "b1 · m16 · n2 · k1 = 32 cores"},
        {"/attn/Mul", Mul, {"scores"}, "scaled", scores, 0, 0.3e-6, 0.4e-6, 0, 786'432},
        {"/attn/Softmax", Softmax, {"scaled"}, "probs", scores, 0, 1.5e-6, 3.4e-6, 786'432,
            1'572'864, "", {}, "", Support::Decomposed, "rows 32"},
        {"/attn/MatMul_1", MatMul, {"probs", "v"}, "ctx", heads, 12'582'912, 3.5e-6, 5.6e-6,
            786'432, 800'000, "", {}, "", Support::Native, "b1 · m32 · n1 · k1 = 32 cores"},
        {"/attn/Transpose_3", Transpose, {"ctx"}, "ctxT", x, 0, 0.4e-6, 1.7e-6, 393'216, 393'216,
            "", {}, "", Support::Native, "rows 32", 1},
        {"/attn/c_proj/MatMul", MatMul, {"ctxT"}, "proj0", x, 75'497'472, 4.5e-6, 4.6e-6, 1'572'864,
            1'600'000, "c_proj.weight", {768, 768}, "", Support::Native,
            "b1 · m2 · n4 · k4 = 32 cores", 1},
        {"/attn/c_proj/Add", Add, {"proj0"}, "proj", x, 0, 0.4e-6, 0.3e-6, 1'536, 393'216,
            "c_proj.bias", {768}, "", Support::Native, "rows 32", 1},
        {"/Add", Add, {"x", "proj"}, "y", x, 0, 0.4e-6, 2.3e-6, 589'824, 589'824, "", {}, "",
            Support::Native, "rows 32", 1},
    });
}

std::shared_ptr<analysis::Result> emptySample() {
    return sampleResult({});
}

std::shared_ptr<analysis::Result> oneNodeSample() {
    return sampleResult({{"/relu/Relu", ir::Op::Relu, {"x"}, "y", {1, 128, 768}, 0, 0.4e-6, 1e-6,
        393'216, 393'216}});
}

std::shared_ptr<analysis::Result> chainSample(std::size_t count) {
    std::vector<SampleNode> nodes;
    nodes.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
        SampleNode node;
        const auto layer = std::to_string(n / 8);
        constexpr ir::Op kOps[] = {ir::Op::MatMul, ir::Op::Softmax, ir::Op::Add, ir::Op::Transpose};
        node.op = kOps[n % 4];
        node.name =
            "/layer" + layer + "/" + std::string(ir::name(node.op)) + "_" + std::to_string(n);
        node.inputs = {n == 0 ? std::string("x") : "v" + std::to_string(n - 1)};
        node.output = "v" + std::to_string(n);
        node.shape = {1, 128, static_cast<std::int64_t>(64 + (n * 37) % 700)};
        node.macs = n % 4 == 0 ? static_cast<std::int64_t>(1'000'000 * (1 + n % 97)) : 0;
        node.computeSeconds = 1e-6 * static_cast<double>(n % 11);
        node.schedulingSeconds = 1e-6 * static_cast<double>(n % 7) / 2;
        node.farBytes = static_cast<std::int64_t>(40'000 * (1 + n % 23));
        node.nearBytes = 2 * node.farBytes;
        node.kernel = static_cast<std::int64_t>(n / 8);
        nodes.push_back(std::move(node));
    }
    return sampleResult(nodes);
}

ir::NodeId nodeNamed(const analysis::Result& result, std::string_view name) {
    const auto& nodes = result.graph().nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (nodes[ir::NodeId(n)].name == name)
            return ir::NodeId(n);
    return {};
}

StepId stepNamed(const analysis::Result& result, std::string_view name) {
    const auto& steps = result.program.steps;
    for (std::size_t s = 0; s < steps.size(); ++s)
        if (steps[StepId(s)].name == name)
            return StepId(s);
    return {};
}

ir::ValueId valueNamed(const analysis::Result& result, std::string_view name) {
    const auto& values = result.graph().values;
    for (std::size_t v = 0; v < values.size(); ++v)
        if (values[ir::ValueId(v)].name == name)
            return ir::ValueId(v);
    return {};
}

} // namespace fivefold::views::testing
