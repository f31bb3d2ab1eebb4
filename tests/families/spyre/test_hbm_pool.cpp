// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/hbm_pool.h"
#include "tests/families/spyre/loop_programs.h"

#include <QtTest>

using namespace fivefold::families::spyre;
using fivefold::families::spyre::test::ProgramBuilder;

namespace {

constexpr std::int64_t kBytes = 512 * 1024 * 2;

void inBundle(LoopProgram& program, std::int64_t bundle) {
    for (LoopOp& op : program.ops)
        if (op.kind != LoopKind::Fallback && op.kind != LoopKind::Alloc && op.bundle < 0)
            op.bundle = bundle;
}

QString place(const LoopProgram& program, BufferIndex buffer) {
    const Buffer& value = program.buffers[buffer];
    return QString::fromUtf8(toString(value.space).data()) + ' ' + QString::number(value.address);
}

} // namespace

class TestHbmPool : public QObject {
    Q_OBJECT

private slots:
    void blocksAreReusedAfterTheLastRead();
    void restOfABlockIsFreedLast();
    void writersOfPartsTakeABlockEach();
    void valuesThatLeaveTheirBundleAreArguments();
    void argumentsAreReadOnesFirst();
    void whatLiesInLxTakesNoRoom();
};

void TestHbmPool::blocksAreReusedAfterTheLastRead() {
    ProgramBuilder b;
    std::vector<BufferIndex> chain{b.input(b.matrix("x", 512, 1024))};
    for (int i = 0; i < 5; ++i) {
        chain.push_back(b.matrix("t" + std::to_string(i), 512, 1024));
        b.pointwise("aten.relu.default", chain.back(), {chain[chain.size() - 2]}, 32);
    }
    b.output(chain.back());
    inBundle(b.program, 0);
    planHbm(b.program);
    // A block is still taken in the step that reads it last.
    QCOMPARE(place(b.program, chain[1]), QString("hbm_pool 0"));
    QCOMPARE(place(b.program, chain[2]), QString("hbm_pool %1").arg(kBytes));
    QCOMPARE(place(b.program, chain[3]), QString("hbm_pool 0"));
    QCOMPARE(place(b.program, chain[4]), QString("hbm_pool %1").arg(kBytes));
    QCOMPARE(place(b.program, chain[0]), QString("hbm 0"));
    QCOMPARE(place(b.program, chain[5]), QString("hbm 1"));
}

void TestHbmPool::restOfABlockIsFreedLast() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto large = b.matrix("large", 512, 1024), step = b.matrix("step", 512, 1024);
    const auto small = b.matrix("small", 128, 1024), smaller = b.matrix("smaller", 128, 1024);
    const auto last = b.matrix("last", 128, 1024);
    b.pointwise("aten.relu.default", large, {x}, 32);
    b.pointwise("aten.relu.default", step, {large}, 32);
    b.pointwise("aten.relu.default", small, {step}, 32);
    b.pointwise("aten.relu.default", smaller, {small, step}, 32);
    b.pointwise("aten.relu.default", last, {smaller, small}, 32);
    b.output(last);
    inBundle(b.program, 0);
    planHbm(b.program);
    QCOMPARE(place(b.program, step), QString("hbm_pool %1").arg(kBytes));
    QCOMPARE(place(b.program, small), QString("hbm_pool 0"));
    QCOMPARE(place(b.program, smaller), QString("hbm_pool %1").arg(kBytes / 4));
}

void TestHbmPool::writersOfPartsTakeABlockEach() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024)), whole = b.matrix("cat", 512, 1024);
    const auto y = b.matrix("y", 512, 1024);
    b.allocation("aten.cat.default", whole);
    b.pointwise("aten.cat.default", whole, {x}, 32).isMutation = true;
    b.pointwise("aten.cat.default", whole, {x}, 32).isMutation = true;
    b.pointwise("aten.relu.default", y, {whole}, 32);
    b.output(y);
    inBundle(b.program, 0);
    planHbm(b.program);
    QCOMPARE(place(b.program, whole), QString("hbm_pool %1").arg(kBytes));
}

void TestHbmPool::valuesThatLeaveTheirBundleAreArguments() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024)), r = b.matrix("relu", 512, 1024);
    const auto s = b.matrix("sin", 512, 1024), y = b.matrix("y", 512, 1024);
    b.pointwise("aten.relu.default", r, {x}, 32).bundle = 0;
    b.host("aten.sin.default", s, x);
    b.pointwise("aten.add.Tensor", y, {s, r}, 32).bundle = 1;
    b.output(y);
    planHbm(b.program);
    QCOMPARE(place(b.program, r), QString("hbm 1")); // of bundle 0, behind x
    QCOMPARE(place(b.program, s), QString("hbm 0")); // of bundle 1
    QCOMPARE(place(b.program, y), QString("hbm 2"));
}

void TestHbmPool::argumentsAreReadOnesFirst() {
    ProgramBuilder b;
    const auto a = b.input(b.matrix("a", 512, 1024)), c = b.input(b.matrix("c", 512, 1024));
    const auto first = b.matrix("first", 512, 1024), second = b.matrix("second", 512, 1024);
    b.pointwise("aten.relu.default", first, {c}, 32);
    b.pointwise("aten.add.Tensor", second, {first, a}, 32);
    b.output(first);
    b.output(second);
    inBundle(b.program, 0);
    planHbm(b.program);
    QCOMPARE(place(b.program, c), QString("hbm 0"));
    QCOMPARE(place(b.program, a), QString("hbm 1"));
    QCOMPARE(place(b.program, first), QString("hbm 2"));
    QCOMPARE(place(b.program, second), QString("hbm 3"));
}

void TestHbmPool::whatLiesInLxTakesNoRoom() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), r = b.matrix("relu", 512, 1024);
    const auto y = b.matrix("y", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 32);
    b.pointwise("aten.relu.default", r, {e}, 32);
    b.pointwise("aten.relu.default", y, {r}, 32);
    b.output(y);
    b.program.buffers[e].space = MemorySpace::Lx;
    b.program.buffers[e].address = 4096;
    inBundle(b.program, 0);
    planHbm(b.program);
    QCOMPARE(place(b.program, e), QString("lx 4096"));
    QCOMPARE(place(b.program, r), QString("hbm_pool 0"));
}

QTEST_APPLESS_MAIN(TestHbmPool)
#include "test_hbm_pool.moc"
