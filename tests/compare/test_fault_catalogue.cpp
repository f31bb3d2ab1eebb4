// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/debug.h"
#include "core/analysis/pipeline.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace fivefold;
using compare::Carrier;
using numerics::Fault;
using numerics::FaultId;

namespace {

const std::string kSamples = std::string(FIVEFOLD_SOURCE_DIR) + "/samples/faults/";

std::optional<analysis::Request> requestFor(std::string_view sample, std::string_view machine) {
    auto model = analysis::openModel(kSamples + std::string(sample) + ".onnx");
    auto found = machines::machineByIdOrFile(std::string(machine));
    if (!model || !found)
        return std::nullopt;
    analysis::Request request{*model, *found, {}, {}};
    request.settings.precision = (*found)->defaultPrecision();
    return request;
}

numerics::Subject lowered(std::string_view sample, std::string_view machine) {
    const auto request = requestFor(sample, machine);
    if (!request)
        return {};
    auto result = analysis::analyze(*request);
    return result ? analysis::subjectOf(*result) : numerics::Subject();
}

/// What a comparison of the planted device's dump finds, with a reference computed here.
std::shared_ptr<const compare::Divergence> compared(
    const numerics::Subject& subject, const compare::Planted& planted, const compare::Side& side) {
    const analysis::DebugRequest request{subject, std::nullopt, side, planted.inputs, {}, {}};
    auto divergence = analysis::debug(request);
    return divergence ? *divergence : nullptr;
}

compare::Side sideOf(const compare::Planted& planted) {
    compare::Side side;
    side.repeats = {compare::dumpOf(planted.device, "device")};
    return side;
}

/// F31 befalls an input on its way: the dump shows it there, before the node that is to blame.
bool isLayerRight(const numerics::Subject& subject, const compare::Layer& layer,
    const compare::Planted& planted) {
    if (layer.nodeName == planted.nodeName)
        return true;
    const ir::NodeId node = planted.ladder.node;
    const auto& inputs = subject.graph().nodes[node].inputs;
    return !layer.node.isValid() && numerics::number(planted.faults.front().id) == 31
        && std::find(inputs.begin(), inputs.end(), layer.value) != inputs.end();
}

ir::NodeId nodeNamed(const ir::Graph& graph, std::string_view name) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == name)
            return ir::NodeId(i);
    return {};
}

Fault faultOf(const Carrier& carrier, std::size_t sample, const ir::Graph& graph) {
    Fault fault;
    fault.id = carrier.fault;
    fault.node = nodeNamed(graph, carrier.nodes[sample]);
    return fault;
}

} // namespace

class TestFaultCatalogue : public QObject {
    Q_OBJECT

private slots:
    void namesAreRead();
    void everyFaultHasALesson();
    void plants_data();
    void plants();
    void dumpsTell_data();
    void dumpsTell();
    void oneNaNFromFourLevels();
    void aCloneOf65();
    void oneFaultHidesAnother();
    void refusalsSayWhy();
};

void TestFaultCatalogue::namesAreRead() {
    QVERIFY(numerics::parseFault("f12") == FaultId(12));
    QVERIFY(
        !numerics::parseFault("F36") && !numerics::parseFault("F0") && !numerics::parseFault(""));
    QVERIFY(!numerics::parseFault("F1x"));
    QCOMPARE(numerics::toString(FaultId(7)), std::string("F07"));
    for (const auto& facts : numerics::faultCatalogue())
        QVERIFY(!facts.mechanism.empty() && !facts.trigger.empty() && !facts.observable.empty());
}

void TestFaultCatalogue::everyFaultHasALesson() {
    std::map<int, int> seen;
    for (const Carrier& carrier : compare::carriers()) {
        ++seen[numerics::number(carrier.fault)];
        QVERIFY(compare::notApplicable(carrier.fault, carrier.family).empty());
        QVERIFY(carrier.samples[0] != carrier.samples[1]);
    }
    QCOMPARE(seen.size(), std::size_t(numerics::kFaults));
}

void TestFaultCatalogue::plants_data() {
    QTest::addColumn<int>("carrier");
    QTest::addColumn<int>("sample");
    const auto carriers = compare::carriers();
    for (std::size_t i = 0; i < carriers.size(); ++i)
        for (int sample = 0; sample < 2; ++sample)
            QTest::addRow("%s %s", numerics::toString(carriers[i].fault).c_str(),
                std::string(carriers[i].samples[std::size_t(sample)]).c_str())
                << int(i) << sample;
}

/// Level and layer right, and the device's dump wrong where the answer says.
void TestFaultCatalogue::plants() {
    QFETCH(int, carrier);
    QFETCH(int, sample);
    const Carrier& lesson = compare::carriers()[std::size_t(carrier)];
    const auto index = std::size_t(sample);
    const auto subject = lowered(lesson.samples[index], lesson.machine);
    QVERIFY2(subject.program, "the sample is not lowered");
    const Fault fault = faultOf(lesson, index, subject.graph());
    QVERIFY(fault.node.isValid());
    const auto planted = compare::plant(subject, {}, {fault});
    QVERIFY2(planted.isOk(), planted ? "" : planted.error().text().c_str());
    const auto& verdict = planted->ladder.verdict;
    QVERIFY(verdict.level.has_value());
    QCOMPARE(
        static_cast<int>(*verdict.level), static_cast<int>(numerics::facts(lesson.fault).level));
    QCOMPARE(planted->nodeName, std::string(lesson.nodes[index]));
    QVERIFY(verdict.how == compare::HowKnown::Proved);
    QVERIFY(!verdict.sentence.empty() && !verdict.proof.empty());
    const bool stops = verdict.level == numerics::Level::Deadlock || planted->wrong.total == 0;
    QVERIFY(stops || !planted->wrong.isEmpty());
    for (const auto& reason : verdict.reasons)
        QVERIFY(!reason.sentence.empty());
}

void TestFaultCatalogue::dumpsTell_data() {
    plants_data();
}

/// From the device's dump alone: level, layer, elements, and a case of at most three operators that
/// gives the same again. What stops leaves no values: the headline says where they end.
void TestFaultCatalogue::dumpsTell() {
    QFETCH(int, carrier);
    QFETCH(int, sample);
    const Carrier& lesson = compare::carriers()[std::size_t(carrier)];
    const auto index = std::size_t(sample);
    const auto request = requestFor(lesson.samples[index], lesson.machine);
    const auto subject = lowered(lesson.samples[index], lesson.machine);
    QVERIFY(request && subject.program);
    const auto planted = compare::plant(subject, {}, {faultOf(lesson, index, subject.graph())});
    QVERIFY2(planted.isOk(), planted ? "" : planted.error().text().c_str());
    const compare::Side side = sideOf(*planted);
    const auto divergence = compared(subject, *planted, side);
    QVERIFY(divergence);
    if (planted->wrong.total == 0) {
        QVERIFY(divergence->origins.empty());
        QVERIFY(divergence->headline.find("the run stopped there") != std::string::npos);
        // Of F26 the token itself came back: who is missing is the second reader.
        QVERIFY(numerics::number(lesson.fault) == 26
            || divergence->headline.find(planted->nodeName) != std::string::npos);
        return;
    }
    QCOMPARE(divergence->origins.size(), std::size_t(1));
    const auto& layer = divergence->layers[divergence->origins.front()];
    QVERIFY2(isLayerRight(subject, layer, *planted), layer.nodeName.c_str());
    const auto& wrong = layer.local ? layer.local->wrong : layer.global.wrong;
    QVERIFY(compare::jaccard(wrong, planted->wrong) >= 0.95);
    const auto& verdict = divergence->levels.front();
    QVERIFY2(verdict.level.has_value(), verdict.sentence.c_str());
    QVERIFY(*verdict.level == numerics::facts(lesson.fault).level);
    QVERIFY(verdict.how == compare::HowKnown::Matched);
    const compare::Lowerer lower = analysis::lowererOf(*request);
    const auto reduced = compare::reduce(subject, *divergence, 0, side, planted->inputs, lower);
    QVERIFY2(reduced.isOk(), reduced ? "" : reduced.error().text().c_str());
    QVERIFY(reduced->graph->main().nodes.size() <= 3);
    const auto replayed = compare::replay(*reduced, lower);
    QVERIFY2(replayed.isOk(), replayed ? "" : replayed.error().text().c_str());
    QVERIFY2(replayed->isReproduced, replayed->sentence.c_str());
}

void TestFaultCatalogue::oneNaNFromFourLevels() {
    const auto subject = lowered(compare::kNanSample, "spyre");
    QVERIFY(subject.program);
    std::set<int> levels;
    for (const compare::NanCause& cause : compare::nanCauses()) {
        Fault fault;
        fault.id = cause.fault;
        fault.node = nodeNamed(subject.graph(), cause.node);
        if (cause.memory)
            fault.parameters["memory"] = *cause.memory;
        const auto planted = compare::plant(subject, {}, {fault});
        QVERIFY2(planted.isOk(), planted ? "" : planted.error().text().c_str());
        const auto output = planted->device.back().second;
        bool isNaN = false;
        for (std::int64_t i = 0; i < output.size(); ++i)
            isNaN = isNaN || std::isnan(output.number(i));
        QVERIFY2(isNaN, std::string(cause.name).c_str());
        QVERIFY(*planted->ladder.verdict.level == numerics::facts(cause.fault).level);
        levels.insert(static_cast<int>(*planted->ladder.verdict.level));
        const auto divergence = compared(subject, *planted, sideOf(*planted));
        QVERIFY(divergence && !divergence->origins.empty());
        QCOMPARE(divergence->layers[divergence->origins.front()].nodeName, planted->nodeName);
        QVERIFY2(divergence->levels.front().level == numerics::facts(cause.fault).level,
            divergence->levels.front().sentence.c_str());
    }
    QCOMPARE(levels.size(), std::size_t(4));
}

void TestFaultCatalogue::aCloneOf65() {
    const auto subject = lowered("clone_65", "spyre");
    Fault fault;
    fault.id = FaultId(12);
    const auto planted = compare::plant(subject, {}, {fault});
    QVERIFY2(planted.isOk(), planted ? "" : planted.error().text().c_str());
    QCOMPARE(planted->nodeName, std::string("clone"));
    QCOMPARE(planted->wrong.count, 1);
    QCOMPARE(planted->wrong.first().value_or(-1), 64);
    const auto& verdict = planted->ladder.verdict;
    QVERIFY(verdict.lanes && !verdict.lanes->loopRange.empty());
    QVERIFY(verdict.ladder[0].kind == compare::RungState::Kind::NotGiven);
    QVERIFY(verdict.ladder[4].kind == compare::RungState::Kind::Differs);
    QCOMPARE(verdict.ladder[8].words, std::string("same 1"));
    for (int level = 0; level < numerics::kLevels; ++level)
        QVERIFY(verdict.reasons[std::size_t(level)].state
            == (level == 3 ? compare::LevelReason::State::Blamed
                           : compare::LevelReason::State::Cleared));
}

/// F12 and F32 planted together: the first is found, and the other when that one is mended.
void TestFaultCatalogue::oneFaultHidesAnother() {
    const auto subject = lowered("two_faults", "spyre");
    QVERIFY(subject.program);
    Fault copy, sum;
    copy.id = FaultId(12);
    copy.node = nodeNamed(subject.graph(), "clone");
    sum.id = FaultId(32);
    sum.node = nodeNamed(subject.graph(), "sum");
    const auto inputs = compare::lessonInputs(subject, sum.id, 1);
    const auto both = compare::plant(subject, inputs, {copy, sum});
    QVERIFY2(both.isOk(), both ? "" : both.error().text().c_str());
    QCOMPARE(static_cast<int>(*both->ladder.verdict.level), 4);
    QCOMPARE(both->nodeName, std::string("clone"));
    const auto left = compare::plant(subject, inputs, {sum});
    QVERIFY2(left.isOk(), left ? "" : left.error().text().c_str());
    QCOMPARE(static_cast<int>(*left->ladder.verdict.level), 8);
    QCOMPARE(left->nodeName, std::string("sum"));
}

void TestFaultCatalogue::refusalsSayWhy() {
    const auto subject = lowered("clone_65", "gpu_h100_sxm");
    Fault fault;
    fault.id = FaultId(12);
    const auto planted = compare::plant(subject, {}, {fault});
    QVERIFY(!planted);
    QVERIFY(planted.error().message.find("masked") != std::string::npos);
    fault.id = FaultId(10);
    QVERIFY(!compare::plant(subject, {}, {fault}));
}

QTEST_GUILESS_MAIN(TestFaultCatalogue)
#include "test_fault_catalogue.moc"
