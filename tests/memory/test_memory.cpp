// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/memory/memory.h"

#include <QtTest>
#include <random>

using namespace fivefold;
using base::Bytes;
using base::Picoseconds;
using lowering::NodeId;
using lowering::StepId;
using lowering::ValueId;
using memory::Lifetime;
using memory::Request;

class TestMemory : public QObject {
    Q_OBJECT

private:
    static Request request(std::int64_t bytes, std::size_t first, std::size_t last) {
        return {Bytes(bytes), {StepId(first), StepId(last)}};
    }

    static machines::Machine machine(std::int64_t capacity) {
        machines::Machine m;
        m.memories.resize(2);
        m.memories[1].capacity.value = static_cast<double>(capacity);
        return m;
    }

    static void addBuffer(lowering::Program& program, std::int64_t bytes, std::size_t first,
        std::size_t last, std::int64_t unit = -1) {
        lowering::Buffer b;
        b.level = 1;
        b.bytes = Bytes(bytes);
        b.unit = unit;
        b.firstStep = StepId(first);
        b.lastStep = StepId(last);
        b.first = Picoseconds(static_cast<std::int64_t>(first) * 10);
        b.last = Picoseconds(static_cast<std::int64_t>(last + 1) * 10);
        program.buffers.add(b);
    }

private slots:
    void firstFitByHand() {
        // Two live together, the third takes the room of the first, the fourth does not fit.
        const auto at = memory::allocateFirstFit(
            {request(100, 0, 1), request(50, 0, 9), request(90, 2, 3), request(500, 2, 3)},
            Bytes(512), 64);
        QCOMPARE(*at[0], std::int64_t(0));
        QCOMPARE(*at[1], std::int64_t(128));
        QCOMPARE(*at[2], std::int64_t(0));
        QVERIFY(!at[3]);
    }

    void placedRequestsNeverOverlap_data() {
        QTest::addColumn<int>("seed");
        QTest::addColumn<bool>("isOrdered");
        for (int seed = 0; seed < 20; ++seed)
            QTest::addRow("seed %d", seed) << seed << (seed % 2 == 0);
    }

    void placedRequestsNeverOverlap() {
        QFETCH(int, seed);
        QFETCH(bool, isOrdered);
        std::mt19937 random(static_cast<unsigned>(seed));
        std::vector<Request> requests;
        for (int i = 0; i < 300; ++i) {
            const std::size_t first = random() % 100;
            const std::size_t last = random() % 4 == 0 ? 99 : first + random() % 10;
            requests.push_back(
                request(static_cast<std::int64_t>(random() % 1000), first, std::max(first, last)));
        }
        if (isOrdered)
            std::sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
                return a.lifetime.first < b.lifetime.first;
            });
        const auto at = memory::allocateFirstFit(requests, Bytes(30000), 32);
        std::size_t placed = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (!at[i])
                continue;
            ++placed;
            QCOMPARE(*at[i] % 32, std::int64_t(0));
            QVERIFY(*at[i] + requests[i].bytes.value <= 30000);
            for (std::size_t j = 0; j < i; ++j) {
                if (!at[j])
                    continue;
                const Lifetime &a = requests[i].lifetime, &b = requests[j].lifetime;
                const bool together = a.first <= b.last && b.first <= a.last;
                const bool apart = *at[i] + requests[i].bytes.value <= *at[j]
                    || *at[j] + requests[j].bytes.value <= *at[i];
                QVERIFY(!together || apart || requests[i].bytes.value == 0
                    || requests[j].bytes.value == 0);
            }
        }
        QVERIFY(placed > 50);
    }

    void lifetimesFollowTheEdges() {
        lowering::StageGraph g; // w, x → n0 → n1 → out; n0's result is read by n1 alone
        for (int i = 0; i < 4; ++i)
            g.values.add({});
        const auto addNode = [&](std::vector<ValueId> inputs, ValueId output) {
            lowering::Node node;
            node.inputs = inputs;
            node.outputs = {output};
            const NodeId id = g.nodes.add(node);
            g.values[output].producer = id;
            for (const ValueId input : inputs)
                g.values[input].users.push_back(id);
        };
        addNode({ValueId(0), ValueId(1)}, ValueId(2));
        addNode({ValueId(2), ValueId(0)}, ValueId(3));
        g.outputs = {ValueId(3)};
        base::IdVector<StepId, lowering::Step> steps(4);
        steps[StepId(1)].nodes = {NodeId(0)};
        steps[StepId(2)].nodes = {NodeId(1)};
        const auto lives = memory::lifetimes(g, steps);
        QVERIFY(lives[ValueId(0)] == (Lifetime{StepId(0), StepId(2)}));
        QVERIFY(lives[ValueId(1)] == (Lifetime{StepId(0), StepId(1)}));
        QVERIFY(lives[ValueId(2)] == (Lifetime{StepId(1), StepId(2)}));
        QVERIFY(lives[ValueId(3)] == (Lifetime{StepId(2), StepId(3)}));
    }

    void thePeakIsWhereBuffersMeet() {
        lowering::Program program;
        program.steps.resize(4);
        addBuffer(program, 100, 0, 3);
        addBuffer(program, 30, 1, 2);
        addBuffer(program, 50, 2, 2);
        const auto levels = memory::use(program, machine(1000));
        QCOMPARE(levels.size(), std::size_t(2));
        const memory::LevelUse& use = levels[1];
        QCOMPARE(use.peak.value, std::int64_t(180));
        QCOMPARE(use.peakAt.value, std::int64_t(20));
        QCOMPARE(use.peakStep, StepId(2));
        QCOMPARE(use.capacity->value, std::int64_t(1000));
        QCOMPARE(use.samples.back().bytes.value, std::int64_t(0));
        for (const auto& sample : use.samples) {
            Bytes sum;
            for (const Bytes bytes : sample.byRole)
                sum += bytes;
            QCOMPARE(sum.value, sample.bytes.value);
        }
        QVERIFY(levels[0].samples.empty());
    }

    void theFullestInstanceCounts() {
        lowering::Program program;
        program.steps.resize(1);
        addBuffer(program, 10, 0, 0);
        addBuffer(program, 100, 0, 0, 3);
        addBuffer(program, 70, 0, 0, 4);
        addBuffer(program, 20, 0, 0, 4);
        QCOMPARE(memory::use(program, machine(1000))[1].peak.value, std::int64_t(110));
    }

    void stepsWithoutATimeDoNotPileUp() {
        lowering::Program program;
        program.steps.resize(3);
        for (std::size_t i = 0; i < 3; ++i)
            addBuffer(program, 10, i, i);
        for (lowering::Buffer& buffer : program.buffers)
            buffer.first = buffer.last = Picoseconds(0);
        QCOMPARE(memory::use(program, machine(1000))[1].peak.value, std::int64_t(10));
    }

    void trafficIsTheSumOverSteps() {
        lowering::Program program;
        std::mt19937 random(7);
        std::int64_t read = 0, written = 0;
        for (int i = 0; i < 50; ++i) {
            lowering::Step step;
            step.executions = static_cast<std::int64_t>(random() % 5);
            const std::int64_t r = random() % 1000, w = random() % 1000;
            step.estimate.traffic.push_back({random() % 2, Bytes(r), Bytes(w), {}});
            if (step.estimate.traffic[0].level == 1) {
                read += r * step.executions;
                written += w * step.executions;
            }
            program.steps.add(step);
        }
        const auto levels = memory::use(program, machine(1));
        QCOMPARE(levels[1].read.value, read);
        QCOMPARE(levels[1].written.value, written);
    }
};

QTEST_APPLESS_MAIN(TestMemory)
#include "test_memory.moc"
