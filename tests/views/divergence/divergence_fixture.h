// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"
#include "tests/views/common/panel_fixture.h"
#include "tests/views/common/sample_result.h"

namespace fivefold::views::testing {

/// clone → add → mul → relu → sum of 65 elements.
inline std::shared_ptr<analysis::Result> cloneResult() {
    std::vector<SampleNode> nodes;
    const auto add = [&](std::string name, ir::Op op, std::vector<std::string> inputs,
                         std::string output, std::vector<std::int64_t> shape) {
        SampleNode node;
        node.name = std::move(name);
        node.op = op;
        node.inputs = std::move(inputs);
        node.output = std::move(output);
        node.shape = std::move(shape);
        node.schedulingSeconds = 1e-6;
        node.farBytes = 256;
        nodes.push_back(std::move(node));
    };
    add("/clone", ir::Op::Identity, {"x"}, "clone", {65});
    add("/add", ir::Op::Add, {"clone", "x"}, "add", {65});
    add("/mul", ir::Op::Mul, {"add"}, "mul", {65});
    add("/relu", ir::Op::Relu, {"mul"}, "relu", {65});
    add("/sum", ir::Op::ReduceSum, {"relu"}, "sum", {1});
    return sampleResult(nodes);
}

inline compare::ElementSet elements(
    std::int64_t total, std::vector<compare::ElementSet::Run> runs) {
    compare::ElementSet set;
    set.total = total;
    for (const auto& run : runs)
        set.count += run.end - run.begin;
    set.runs = std::move(runs);
    return set;
}

inline numerics::Tensor tensor(std::vector<std::int64_t> shape, std::vector<double> values) {
    return numerics::Tensor(ir::DType::Float16, std::move(shape), std::move(values));
}

/// A layer of a captured node's first output, compared.
inline compare::Layer layerOf(const analysis::Result& result, const std::string& node,
    compare::Verdict verdict, std::int64_t wrongFrom, double maxAbs) {
    compare::Layer layer;
    layer.node = nodeNamed(result, node);
    layer.value = result.graph().nodes[layer.node].outputs.front();
    layer.nodeName = node;
    layer.key = node.substr(1);
    layer.rule = compare::MatchRule::ExactName;
    layer.shape = {65};
    layer.dtype = ir::DType::Float16;
    layer.verdict = verdict;
    layer.global.total = 65;
    layer.global.wrong = wrongFrom < 65 ? elements(65, {{wrongFrom, 65}}) : elements(65, {});
    layer.global.maxAbs = maxAbs;
    layer.global.maxAbsAt = wrongFrom < 65 ? wrongFrom : -1;
    layer.tolerance.reason = "dlfloat16: 3 u S + 1e-5";
    layer.reason = std::string(compare::toString(verdict)) + " by hand";
    return layer;
}

inline compare::LevelVerdict layoutVerdict() {
    using compare::LevelReason;
    using compare::RungState;
    compare::LevelVerdict verdict;
    verdict.level = numerics::Level::Layout;
    verdict.how = compare::HowKnown::Proved;
    numerics::Fault fault;
    fault.id = numerics::FaultId(12);
    verdict.fault = fault;
    verdict.explained = verdict.wrong = 1;
    verdict.sentence = "Level 4 of 8, layout, is to blame: the compiled copy covers [1, 64] of the "
                       "layout's [2, 64] sticks × lanes, so stick 1 is never written.";
    verdict.proof =
        "the rung “laid out” ran the fault lab's own program · F12 explains 1 of 1 wrong "
        "elements · transfer log equal byte for byte";
    const auto rung = [&](numerics::Rung at, RungState::Kind kind, std::string words) {
        auto& state = verdict.ladder[static_cast<std::size_t>(at)];
        state.kind = kind;
        state.words = std::move(words);
        if (kind == RungState::Kind::Differs || kind == RungState::Kind::Same)
            state.wrong = elements(65, {{64, 65}});
    };
    rung(numerics::Rung::Source, RungState::Kind::NotGiven, "not given");
    for (const auto at :
        {numerics::Rung::Captured, numerics::Rung::Decomposed, numerics::Rung::Fused})
        rung(at, RungState::Kind::Equal, "65 equal");
    rung(numerics::Rung::LaidOut, RungState::Kind::Differs, "1 differs");
    for (const auto at : {numerics::Rung::Placed, numerics::Rung::Scheduled, numerics::Rung::Timed,
             numerics::Rung::Numerics})
        rung(at, RungState::Kind::Same, "same 1");
    const char* const kReasons[] = {
        "“captured” equals the reference on both recorded inputs, 65 and 128 elements",
        "decomposed graph equals captured in fp64",
        "fused graph equals decomposed in fp64; one "
        "bundle, one OpSpec",
        "loop range [1, 64], layout [2, 64]: wrong set is exactly the indices ≥ 64",
        "private buffers and one core give the same wrong element",
        "simulation ends, all tokens consumed",
        "4 transfers, destination bytes equal source bytes before the first read",
        "integer probe fails, so not rounding; 64 other elements are exact"};
    for (std::size_t level = 0; level < 8; ++level) {
        verdict.reasons[level].state =
            level == 3 ? LevelReason::State::Blamed : LevelReason::State::Cleared;
        verdict.reasons[level].sentence = kReasons[level];
    }
    return verdict;
}

/// The lanes of the copy: two sticks on two cores, the second never written.
inline numerics::Lanes cloneLanes() {
    numerics::Lanes lanes;
    lanes.layout.shape = {65};
    lanes.layout.axes = {{2, 0, 64, layout::AxisRole::Block}, {64, 0, 1, layout::AxisRole::Lane}};
    lanes.layout.deviceSize = {2, 64};
    lanes.loopRange = {{0, 1}, {0, 64}};
    lanes.values.assign(128, 0);
    lanes.isWritten.assign(128, 0);
    for (std::size_t i = 0; i < 64; ++i) {
        lanes.values[i] = static_cast<double>(i);
        lanes.isWritten[i] = 1;
    }
    return lanes;
}

inline std::vector<numerics::Transfer> cloneTransfers(bool isLate = false) {
    std::vector<numerics::Transfer> transfers;
    for (int t = 0; t < 4; ++t) {
        numerics::Transfer transfer;
        transfer.from = t == 0 ? "host" : t == 3 ? "LPDDR5" : t == 1 ? "LPDDR5" : "LX";
        transfer.to = t == 3 ? "host" : t == 1 ? "LX" : "LPDDR5";
        transfer.bytes = transfer.copied = 256;
        transfer.issued = base::Picoseconds(t * 1'000'000);
        transfer.completed = base::Picoseconds(t * 1'000'000 + 700'000);
        transfer.firstRead = base::Picoseconds(t * 1'000'000 + 900'000);
        if (isLate && t == 2) {
            transfer.copied = 192;
            transfer.completed = base::Picoseconds(5'200'000);
            transfer.deadline = base::Picoseconds(4'000'000);
            transfer.targetSum = 1;
        }
        transfers.push_back(std::move(transfer));
    }
    return transfers;
}

/// The seed bug: the copy of 65 elements leaves element 64 out; the rest inherits it.
inline std::shared_ptr<compare::Divergence> cloneDivergence(const analysis::Result& result) {
    auto divergence = std::make_shared<compare::Divergence>();
    divergence->referenceName = "reference fp32";
    divergence->deviceName = "IBM Spyre";
    compare::Layer input;
    input.value = valueNamed(result, "x");
    input.nodeName = "x";
    input.key = "x";
    input.rule = compare::MatchRule::ExactName;
    input.shape = {65};
    input.dtype = ir::DType::Float16;
    input.verdict = compare::Verdict::Clean;
    input.global.total = 65;
    input.global.wrong.total = 65;
    divergence->layers.push_back(input);
    using compare::Verdict;
    divergence->layers.push_back(layerOf(result, "/clone", Verdict::Origin, 64, 64));
    divergence->layers.back().pattern.kind = compare::Pattern::Kind::Suffix;
    divergence->layers.back().pattern.sentence = "only indices ≥ 64";
    divergence->layers.back().local = divergence->layers.back().global;
    divergence->layers.push_back(layerOf(result, "/add", Verdict::Inherited, 64, 64));
    divergence->layers.push_back(layerOf(result, "/mul", Verdict::Inherited, 64, 32));
    divergence->layers.push_back(layerOf(result, "/relu", Verdict::Inherited, 64, 32));
    divergence->layers.push_back(layerOf(result, "/sum", Verdict::Inherited, 65, 32));
    compare::Layer& sum = divergence->layers.back();
    sum.shape = {1};
    sum.global.total = 1;
    sum.global.wrong = elements(1, {{0, 1}});
    for (std::size_t l = 2; l < 6; ++l) {
        divergence->layers[l].local = compare::ErrorFigures();
        divergence->layers[l].local->total = divergence->layers[l].global.total;
    }
    divergence->origins = {1};
    divergence->worst = 1;
    divergence->before = {{"input x", true, "65 of 65 equal on the device"},
        {"parameters", true, "none"},
        {"transfer floor of the 1-6-9 format", true, "0, as integers up to 1,024 are exact"}};
    divergence->levels = {layoutVerdict()};
    divergence->levels.front().lanes = cloneLanes();
    divergence->levels.front().transfers = cloneTransfers();
    divergence->policy = "DLFloat16, declared";
    divergence->headline =
        "The first diverging layer is clone: element 64 of 65 is wrong, expected 64.0, got 0.0.";
    std::vector<double> reference(65), device(65);
    for (std::size_t i = 0; i < 65; ++i)
        reference[i] = device[i] = static_cast<double>(i);
    device[64] = 0;
    divergence->contents[1] = {
        tensor({65}, device), tensor({65}, reference), tensor({65}, reference)};
    divergence->contents[0] = {tensor({65}, reference), tensor({65}, reference), {}};
    return divergence;
}

/// Every layer within its tolerance; two of them differ for a reason.
inline std::shared_ptr<compare::Divergence> cleanDivergence(const analysis::Result& result) {
    auto divergence = cloneDivergence(result);
    divergence->origins.clear();
    divergence->levels.clear();
    divergence->worst.reset();
    divergence->headline.clear();
    divergence->contents.clear();
    for (compare::Layer& layer : divergence->layers) {
        layer.verdict = compare::Verdict::Clean;
        layer.pattern = {};
        layer.global.wrong = elements(layer.global.total, {});
        layer.global.maxAbs = 0;
        layer.local.reset();
    }
    for (const std::size_t l : {3U, 4U}) {
        divergence->layers[l].verdict = compare::Verdict::Benign;
        divergence->layers[l].reason = "one bf16 ULP, as the declared numerics have it";
        divergence->layers[l].global.maxAbs = 0.0078125;
    }
    return divergence;
}

/// Only the ends were dumped: the first divergence lies among three values between them.
inline std::shared_ptr<compare::Divergence> partialDivergence(const analysis::Result& result) {
    auto divergence = cloneDivergence(result);
    divergence->origins.clear();
    divergence->levels.clear();
    divergence->worst = 5;
    divergence->headline.clear();
    divergence->contents.clear();
    for (const std::size_t l : {1U, 2U, 3U}) {
        divergence->layers[l] =
            layerOf(result, divergence->layers[l].nodeName, compare::Verdict::Missing, 65, 0);
        divergence->layers[l].rule = compare::MatchRule::None;
    }
    compare::Layer odd;
    odd.key = "aux_7";
    odd.verdict = compare::Verdict::Unmatched;
    odd.shape = {4};
    divergence->layers.push_back(odd);
    compare::CapturePlan plan;
    plan.interval = {1, 2, 3, 4};
    plan.next = {divergence->layers[2].value};
    plan.bytes = 130;
    plan.rounds = 2;
    plan.script = "# hooks";
    divergence->capture = plan;
    return divergence;
}

/// Nothing came back: two events wait for each other, one for room in a full queue.
inline std::shared_ptr<compare::Divergence> hangDivergence(const analysis::Result& result) {
    auto divergence = partialDivergence(result);
    divergence->capture.reset();
    divergence->layers.pop_back();
    for (compare::Layer& layer : divergence->layers)
        if (layer.node.isValid())
            layer.verdict = compare::Verdict::Missing;
    divergence->worst.reset();
    compare::LevelVerdict verdict = layoutVerdict();
    verdict.level = numerics::Level::Deadlock;
    verdict.fault->id = numerics::FaultId(25);
    verdict.sentence = "Level 6 of 8, deadlock, is to blame: two units wait for each other.";
    verdict.proof = "the rung “scheduled” ran the fault lab's own program";
    for (std::size_t level = 0; level < 8; ++level) {
        verdict.reasons[level].state = level == 5 ? compare::LevelReason::State::Blamed
            : level > 5                           ? compare::LevelReason::State::Unknown
                                                  : compare::LevelReason::State::Cleared;
        if (level > 5)
            verdict.reasons[level].sentence.clear();
    }
    verdict.reasons[5].sentence = "the wait-for graph has a cycle of two operations";
    for (std::size_t rung = 0; rung < numerics::kRungs; ++rung) {
        verdict.ladder[rung].kind = rung == 0 || rung > 6 ? compare::RungState::Kind::NotGiven
            : rung == 6                                   ? compare::RungState::Kind::Differs
                                                          : compare::RungState::Kind::Equal;
        verdict.ladder[rung].words = rung == 0 || rung > 6 ? "not given"
            : rung == 6                                    ? "stops"
                                                           : "65 equal";
    }
    schedule::Deadlock deadlock;
    deadlock.at = base::Picoseconds(2'400'000);
    const auto event = [&](std::uint32_t index) { return lowering::EventId(index); };
    deadlock.cycle = {event(0), event(2)};
    deadlock.waits = {{event(0), event(2), schedule::WaitReason::Operand, {}, {}},
        {event(2), event(0), schedule::WaitReason::Room, lowering::ResourceId(0),
            lowering::ResourceId(1)},
        {event(4), event(2), schedule::WaitReason::Operand, {}, {}}};
    for (const auto& wait : deadlock.waits)
        deadlock.stuck.push_back({wait.waiter, schedule::WaitKind::Operand, wait.holder});
    verdict.deadlock = deadlock;
    verdict.deadlockSentence =
        "The read of clone waits for a token of add, and add waits for room in "
        "the queue to it: nothing moves after 2.4 µs.";
    verdict.transfers = cloneTransfers(true);
    divergence->levels = {verdict};
    divergence->headline.clear();
    return divergence;
}

/// A chain of many layers, three of them origins, of matrices with one column wrong.
inline std::shared_ptr<compare::Divergence> longDivergence(
    const analysis::Result& result, std::size_t count) {
    auto divergence = std::make_shared<compare::Divergence>();
    divergence->referenceName = "ref.npz";
    divergence->deviceName = "device.npz";
    std::size_t index = 0;
    for (std::uint32_t n = 0; n < result.graph().nodes.size() && index < count; ++n) {
        const ir::Node& node = result.graph().nodes[ir::NodeId(n)];
        compare::Layer layer;
        layer.node = ir::NodeId(n);
        layer.value = node.outputs.front();
        layer.nodeName = node.name;
        layer.key = node.name;
        layer.rule = compare::MatchRule::ExactName;
        layer.shape = {64, 96};
        layer.dtype = ir::DType::Float16;
        layer.verdict = index < count / 4 ? compare::Verdict::Clean : compare::Verdict::Inherited;
        layer.global.total = 64 * 96;
        layer.global.wrong.total = layer.global.total;
        layer.global.maxAbs = index < count / 4 ? 0 : 1e-3 * static_cast<double>(1 + index % 50);
        if (index >= count / 4)
            layer.global.wrong = elements(layer.global.total, {{95, 96}, {191, 192}});
        divergence->layers.push_back(std::move(layer));
        ++index;
    }
    for (const std::size_t origin : {count / 4, count / 2, count - 3}) {
        divergence->layers[origin].verdict = compare::Verdict::Origin;
        divergence->origins.push_back(origin);
        divergence->levels.push_back(layoutVerdict());
    }
    divergence->levels[1].how = compare::HowKnown::Matched;
    divergence->levels[2].how = compare::HowKnown::Undecided;
    divergence->levels[2].decides = "sdsc_0.json of the kernel";
    divergence->levels[2].proof.clear();
    divergence->worst = count - 1;
    divergence->headline =
        "The first diverging layer is one of a chain: 2 of 6,144 elements wrong.";
    return divergence;
}

/// One wrong element in a million.
inline std::shared_ptr<compare::Divergence> millionDivergence(const analysis::Result& result) {
    auto divergence = cloneDivergence(result);
    constexpr std::int64_t kTotal = 1'000'000, kWrong = 123'456;
    compare::Layer& layer = divergence->layers[1];
    layer.shape = {kTotal};
    layer.global.total = kTotal;
    layer.global.wrong = elements(kTotal, {{kWrong, kWrong + 1}});
    layer.local.reset();
    layer.pattern.kind = compare::Pattern::Kind::Single;
    layer.pattern.sentence = "one element";
    divergence->levels.front().lanes.reset();
    divergence->headline.clear();
    std::vector<double> reference(kTotal), device(kTotal);
    for (std::int64_t i = 0; i < kTotal; ++i) {
        const auto at = static_cast<std::size_t>(i);
        reference[at] = static_cast<double>(i % 1000) / 8;
        device[at] = reference[at] + (i % 7 == 0 ? 1e-4 : 0);
    }
    device[kWrong] = -3;
    divergence->contents[1] = {
        tensor({kTotal}, std::move(device)), tensor({kTotal}, std::move(reference)), {}};
    return divergence;
}

} // namespace fivefold::views::testing
