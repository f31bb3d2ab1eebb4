// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/wave_grid.h"
#include "core/memory/address_map.h"
#include "core/memory/hand_offs.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::lowering;
using base::Bytes;
using memory::Gap;

namespace {

/// A chain of one node a step: value i is written at step i and read at step i + 1.
struct Chain {
    Program program;
    machines::Machine machine;

    explicit Chain(std::size_t steps) {
        machine.memories.resize(2);
        machine.memories[0].kind = machines::MemoryKind::Device;
        machine.memories[1].kind = machines::MemoryKind::Scratchpad;
        machine.memories[1].capacity.value = 1000;
        auto graph = std::make_shared<StageGraph>();
        for (std::size_t i = 0; i < steps; ++i) {
            Node node;
            node.kernel = graph->kernels.add({});
            if (i > 0) {
                node.inputs.push_back(ValueId(i - 1));
                graph->values[ValueId(i - 1)].users.push_back(NodeId(i));
            }
            node.outputs.push_back(ValueId(i));
            Value value;
            value.producer = NodeId(i);
            value.shape = {{128}};
            value.dtype = ir::DType::Int8;
            graph->nodes.add(node);
            graph->values.add(value);
            Step step;
            step.mainNode = NodeId(i);
            program.steps.add(step);
        }
        for (auto& stage : program.stages)
            stage = graph;
    }

    BufferId add(std::size_t value, std::int64_t address, std::int64_t bytes, std::size_t first,
        std::size_t last, std::size_t level = 1, std::int64_t unit = -1) {
        Buffer buffer;
        buffer.value = ValueId(value);
        buffer.level = level;
        buffer.unit = unit;
        buffer.address = address;
        buffer.bytes = Bytes(bytes);
        buffer.firstStep = StepId(first);
        buffer.lastStep = StepId(last);
        return program.buffers.add(buffer);
    }
};

} // namespace

class TestAddressMap : public QObject {
    Q_OBJECT
private slots:
    void gapsAreWhatIsFreeDuringAStep() {
        Chain chain(5);
        chain.add(0, 0, 100, 0, 1);
        chain.add(1, 300, 200, 1, 2);
        chain.add(2, 100, 50, 2, 4);
        const auto map = memory::addressMap(chain.program, chain.machine, 1, -1);
        QCOMPARE(map.stays.size(), std::size_t{3});
        QCOMPARE(map.top, std::int64_t{500});
        QCOMPARE(map.capacity->value, std::int64_t{1000});
        QVERIFY(memory::gapsAt(map, StepId(0)) == (std::vector<Gap>{{100, 900}}));
        QVERIFY(memory::gapsAt(map, StepId(1)) == (std::vector<Gap>{{100, 200}, {500, 500}}));
        QVERIFY(
            memory::gapsAt(map, StepId(2)) == (std::vector<Gap>{{0, 100}, {150, 150}, {500, 500}}));
        QCOMPARE(memory::usedAt(map, StepId(1)), std::int64_t{300});
    }

    void gapsStopAtTheCapacity() {
        Chain chain(1);
        chain.add(0, 900, 400, 0, 0);
        const auto map = memory::addressMap(chain.program, chain.machine, 1, -1);
        QVERIFY(memory::gapsAt(map, StepId(0)) == (std::vector<Gap>{{0, 900}}));
        chain.machine.memories[1].capacity.value.reset();
        const auto open = memory::addressMap(chain.program, chain.machine, 1, -1);
        QVERIFY(!open.capacity);
        QVERIFY(memory::gapsAt(open, StepId(0)) == (std::vector<Gap>{{0, 900}}));
    }

    void aChildWrittenOverItsInputIsInPlace() {
        Chain chain(4);
        const auto parent = chain.add(0, 64, 100, 0, 0);
        const auto child = chain.add(1, 64, 100, 1, 2);
        const auto other = chain.add(3, 64, 100, 3, 3); // reads value 2, which lies elsewhere
        const auto parents = memory::inPlaceParents(chain.program);
        QVERIFY(!parents[parent].isValid());
        QCOMPARE(parents[child], parent);
        QVERIFY(!parents[other].isValid());
        const auto map = memory::addressMap(chain.program, chain.machine, 1, -1);
        QCOMPARE(map.stays[1].inPlaceOf, parent);
    }

    void spillsAreListedWhereTheyWantedToBe() {
        Chain chain(3);
        chain.add(0, 0, 100, 0, 1);
        const auto spilled = chain.add(1, 0, 5000, 1, 2, 0);
        chain.program.buffers[spilled].isSpill = true;
        QVERIFY(memory::addressMap(chain.program, chain.machine, 1, -1).refused
            == std::vector<BufferId>{spilled});
        QVERIFY(memory::addressMap(chain.program, chain.machine, 0, -1).refused.empty());
        QVERIFY(memory::mappedLevels(chain.program, chain.machine)
            == (std::vector<std::size_t>{1, 0})); // near to far
    }

    void eachInstanceShowsWhatIsItsOwn() {
        Chain chain(3);
        chain.add(0, 0, 100, 0, 2);
        chain.add(1, 100, 100, 1, 2, 1, 7);
        chain.add(2, 100, 100, 2, 2, 1, 9);
        QVERIFY(memory::mappedUnits(chain.program, 1) == (std::vector<std::int64_t>{7, 9}));
        QVERIFY(memory::mappedUnits(chain.program, 0) == (std::vector<std::int64_t>{-1}));
        const auto map = memory::addressMap(chain.program, chain.machine, 1, 7);
        QCOMPARE(map.stays.size(), std::size_t{2});
        QCOMPARE(map.stays[1].buffer, BufferId(1));
    }

    void anEmptyProgramHasAnEmptyMap() {
        Chain chain(0);
        const auto map = memory::addressMap(chain.program, chain.machine, 1, -1);
        QVERIFY(map.stays.empty());
        QVERIFY(!map.lastStep.isValid());
        QVERIFY(memory::mappedLevels(chain.program, chain.machine).empty());
        QVERIFY(memory::inPlaceParents(Program()).empty());
        QVERIFY(memory::handOffs(Program()).empty());
    }

    void handOffsCountBytesAndHopsBetweenRegions() {
        Chain chain(3);
        chain.program.regions = {
            {KernelId(0), 0, 0, 10, 10}, {KernelId(1), 10, 0, 20, 10}, {KernelId(2), 0, 10, 30, 4}};
        const auto handOffs = memory::handOffs(chain.program);
        QCOMPARE(handOffs.size(), std::size_t{2});
        QCOMPARE(handOffs[0].from, KernelId(0));
        QCOMPARE(handOffs[0].to, KernelId(1));
        QCOMPARE(handOffs[0].bytes.value, std::int64_t{128});
        QCOMPARE(handOffs[0].hops, 15.0); // from (5, 5) to (20, 5)
        QCOMPARE(handOffs[1].hops, 12.0); // from (20, 5) to (15, 12)
    }

    void wavesCountTheIdleTail() {
        // 109 tiles on 108 SMs are two waves, the second with one tile (NVIDIA, Matrix
        // Multiplication Background).
        const WaveGrid grid{109, 108, 1, 128, 256, 1};
        QCOMPARE(grid.waves(), std::int64_t{2});
        QCOMPARE(grid.tail(), std::int64_t{1});
        QCOMPARE(grid.idlePlaces(), std::int64_t{107});
        QCOMPARE(grid.idleShare(), 1 - 109.0 / 216);
        const WaveGrid full{216, 108, 1, 0, 0, 1};
        QCOMPARE(full.idlePlaces(), std::int64_t{0});
        const WaveGrid nothing{};
        QCOMPARE(nothing.idlePlaces(), std::int64_t{0});
        Node node;
        QVERIFY(!waveGrid(node));
        setWaveGrid(node, grid);
        QVERIFY(*waveGrid(node) == grid);
    }
};

QTEST_APPLESS_MAIN(TestAddressMap)
#include "test_address_map.moc"
