// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_relayout.h"
#include "core/families/spyre/lx_views.h"
#include "core/families/spyre/scratchpad.h"
#include "tests/families/spyre/loop_programs.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace fivefold::families::spyre;
using fivefold::families::spyre::test::ProgramBuilder;

namespace {

const Buffer& named(const LoopProgram& program, const std::string& name) {
    static const Buffer kMissing;
    for (const Buffer& buffer : program.buffers)
        if (buffer.name == name)
            return buffer;
    return kMissing;
}

/// "NAME@ADDRESS" of what lies in LX, else the name: one a operation, in program order.
QStringList written(const LoopProgram& program) {
    QStringList out;
    for (const LoopOp& op : program.ops) {
        const Buffer& buffer = program.buffers[op.write.buffer];
        QString text = QString::fromStdString(buffer.name);
        if (buffer.space == MemorySpace::Lx)
            text += '@' + QString::number(buffer.address);
        out.append(text);
    }
    return out;
}

bool isReason(const LoopProgram& program, const std::string& name, const char* part) {
    const std::string& reason = named(program, name).reason;
    if (reason.find(part) == std::string::npos)
        qWarning("%s: %s", name.c_str(), reason.c_str());
    return named(program, name).space != MemorySpace::Lx && reason.find(part) != std::string::npos;
}

/// max, x − max, exp, sum, quotient over 512 × 1024, rows on 32 cores.
LoopProgram softmax() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto top = b.column("max", 512), sum = b.column("sum", 512);
    const auto shifted = b.matrix("sub", 512, 1024), e = b.matrix("exp", 512, 1024);
    const auto y = b.matrix("div", 512, 1024);
    b.reduce("aten.amax.default", top, x, 32);
    b.pointwise("aten.sub.Tensor", shifted, {x, top}, 32);
    b.pointwise("aten.exp.default", e, {shifted}, 32);
    b.reduce("aten.sum.dim_IntList", sum, e, 32);
    b.pointwise("aten.div.Tensor", y, {e, sum}, 32);
    b.output(y);
    return b.program;
}

/// x · w + bias: a product on 4 × 8 cores, then rows on 32.
LoopProgram linear(std::int64_t m = 4, std::int64_t n = 8, std::int64_t k = 1) {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024)), w = b.input(b.matrix("w", 1024, 1024));
    const auto bias = b.input(b.matrix("bias", 512, 1024));
    const auto product = b.matrix("mm", 512, 1024), sum = b.matrix("add", 512, 1024);
    b.product(product, x, w, m, n, k);
    b.pointwise("aten.add.Tensor", sum, {product, bias}, 32);
    b.output(sum);
    return b.program;
}

} // namespace

class TestScratchpad : public QObject {
    Q_OBJECT

private slots:
    void softmaxLiesInLxAsTheCompilerPutsIt();
    void productMovesBetweenCoresForItsReader();
    void relayoutIsASetting();
    void relayoutTakesEvenExchangesOnly();
    void partialSumsStayOut();
    void broadcastReaderKeepsItsOperandOut();
    void restickifyKeepsItsOperandOut();
    void hostOperatorsKeepOutWhatLivesAcrossThem();
    void partialReadsKeepOut();
    void operatorsGoByTheNameOfTheLastThatHandsTheBufferOn();
    void outputThatIsAlsoReadIsCopiedOut();
    void outputThroughAViewStaysOut();
    void inputsThatDieTogetherAreOfferedInTheGraphsOrder();
    void tensorsWrittenInPartsStayOut();
    void shareLargerThanLxIsSaidSo();
    void writersTakeTheLoopOrderOfTheirReaders();
    void whatTheSchedulerReordersLeavesLx();
    void copiesCutAlongSticksLeaveLx();
    void juneHasNoCopies();
    void planningCanBeOff();
    void buffersThatLiveTogetherNeverOverlap();
};

void TestScratchpad::softmaxLiesInLxAsTheCompilerPutsIt() {
    LoopProgram program = softmax();
    planScratchpad(program, {});
    QCOMPARE(written(program),
        QStringList({"x_lx@2048", "max@0", "sub@2048", "exp@2048", "sum@0", "div"}));
    QCOMPARE(named(program, "x_lx").lxBytes, std::int64_t{512 * 1024 * 2 / 32});
    QCOMPARE(named(program, "max").lxBytes, std::int64_t{2048});
    const Buffer& shifted = named(program, "sub");
    QCOMPARE(program.buffers[shifted.inPlaceOf].name, std::string("x_lx"));
    const LoopOp& copy = program.ops.front();
    QCOMPARE(copy.origin, LoopOrigin::BoundaryCopy);
    QCOMPARE(copy.loops[0].split, std::int64_t{32});
    QCOMPARE(copy.cores, std::int64_t{32});
    QVERIFY(isReason(program, "x", "copied into LX once"));
    QVERIFY(isReason(program, "div", "It leaves the graph, and no later operation reads it"));
    const auto ranges = liveRanges(program);
    QCOMPARE(ranges[program.ops[3].write.buffer]->first, std::size_t{3});
    QCOMPARE(ranges[program.ops[3].write.buffer]->last, std::size_t{5});
}

void TestScratchpad::productMovesBetweenCoresForItsReader() {
    LoopProgram program = linear();
    planScratchpad(program, {});
    QCOMPARE(written(program), QStringList({"mm@0", "mm_relayout@32768", "add"}));
    const LoopOp& move = program.ops[1];
    QCOMPARE(move.origin, LoopOrigin::LxRelayout);
    QCOMPARE(move.op, std::string("identity"));
    QCOMPARE(move.loops[0].split, std::int64_t{32});
    QCOMPARE(move.loops[1].split, std::int64_t{1});
    QCOMPARE(program.ops[2].reads[0].buffer, move.write.buffer);
    QCOMPARE(move.reads[0].buffer, program.ops[0].write.buffer);
}

void TestScratchpad::relayoutIsASetting() {
    for (const bool isByGreedy : {true, false}) {
        LoopProgram program = linear();
        LxSettings settings;
        settings.allowsRelayout = !isByGreedy;
        settings.solver = isByGreedy ? LxSolver::Greedy : LxSolver::FirstFit;
        planScratchpad(program, settings);
        QCOMPARE(written(program), QStringList({"mm", "add"}));
        QVERIFY(isReason(program, "mm", "Cores own different slices of it"));
    }
}

void TestScratchpad::relayoutTakesEvenExchangesOnly() {
    const CoreView rows{{{1, 4, 1, 4}}, true, false}, columns{{{0, 4, 1, 4}}, true, false};
    QVERIFY(areExchangeable(rows, columns, 4));
    const CoreView half{{{1, 2, 1, 2}}, true, false};
    QVERIFY(!areExchangeable(rows, half, 4)); // two cores would hold the same half
    const CoreView both{{{0, 2, 1, 2}, {1, 2, 2, 2}}, true, false};
    QVERIFY(areExchangeable(both, rows, 4));
    QVERIFY(!areExchangeable(rows, columns, 8));
}

void TestScratchpad::partialSumsStayOut() {
    LoopProgram program = linear(4, 4, 2);
    planScratchpad(program, {});
    QCOMPARE(written(program), QStringList({"mm", "add"}));
    QVERIFY(isReason(program, "mm", "splits the reduced dimension"));
}

void TestScratchpad::broadcastReaderKeepsItsOperandOut() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024)), w = b.input(b.matrix("w", 1024, 1024));
    const auto e = b.matrix("exp", 512, 1024), product = b.matrix("mm", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 32);
    b.product(product, e, w, 4, 8);
    b.output(product);
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"exp", "mm"}));
    QVERIFY(isReason(b.program, "exp", "on 32 cores, but its slices of it cover only 4"));
}

void TestScratchpad::restickifyKeepsItsOperandOut() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), turned = b.matrix("turned", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 32);
    LoopOp& restickify = b.pointwise("spyre.restickify.default", turned, {e}, 32);
    restickify.kind = LoopKind::Restickify;
    restickify.origin = LoopOrigin::Restickify;
    b.output(turned);
    LoopProgram inserted = b.program;
    planScratchpad(inserted, {});
    QVERIFY(isReason(inserted, "exp", "A restickify reads it"));
    // A copy of the model's own that happens to change the stick does not count as one.
    b.program.ops.back().origin = LoopOrigin::Model;
    b.program.ops.back().aten = {"aten.clone.default"};
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"exp@0", "turned"}));
}

void TestScratchpad::hostOperatorsKeepOutWhatLivesAcrossThem() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), sine = b.matrix("sin", 512, 1024);
    const auto early = b.matrix("early", 512, 1024), sum = b.matrix("add", 512, 1024);
    b.pointwise("aten.exp.default", early, {x}, 32);
    b.pointwise("aten.exp.default", e, {early}, 32);
    b.host("aten.sin.default", sine, x);
    b.pointwise("aten.add.Tensor", sum, {e, sine}, 32);
    b.output(sum);
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"early@0", "exp", "sin", "add"}));
    QVERIFY(isReason(b.program, "exp", "A host operator (sin)"));
    QVERIFY(isReason(b.program, "x", "A host operator (sin)"));
    QVERIFY(isReason(b.program, "sin", "No operation on the device makes it"));
}

void TestScratchpad::partialReadsKeepOut() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), half = b.matrix("half", 512, 512);
    b.pointwise("aten.exp.default", e, {x}, 32);
    LoopOp& reader = b.pointwise("aten.neg.default", half, {e}, 32);
    reader.reads[0].index = Index::of(0, 1024) + Index::of(1);
    b.output(half);
    planScratchpad(b.program, {});
    QVERIFY(isReason(b.program, "exp", "half reads only a part of it"));
}

void TestScratchpad::operatorsGoByTheNameOfTheLastThatHandsTheBufferOn() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto r = b.matrix("relu", 512, 1024), y = b.matrix("neg", 512, 1024);
    b.pointwise("aten.relu.default", r, {x}, 32);
    b.pointwise("aten.neg.default", y, {r}, 32);
    b.output(y);
    LoopProgram plain = b.program;
    planScratchpad(plain, {});
    QVERIFY(isReason(plain, "relu", "Results of relu are not on the compiler's list"));
    QVERIFY(isReason(plain, "relu", "reading it once takes 2,097,152 B through LPDDR5"));
    b.program.ops[0].residencyName = "expand";
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"relu@0", "neg"}));
}

void TestScratchpad::outputThatIsAlsoReadIsCopiedOut() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), y = b.matrix("neg", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 32);
    b.pointwise("aten.neg.default", y, {e}, 32);
    b.output(e);
    b.output(y);
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"exp@0", "exp_out", "neg"}));
    QCOMPARE(b.program.buffers[b.program.outputs[0]].name, std::string("exp_out"));
    QVERIFY(b.program.buffers[b.program.outputs[0]].isOutput);
    QVERIFY(!named(b.program, "exp").isOutput);
    QCOMPARE(b.program.ops[1].loops[0].split, std::int64_t{32});
    QVERIFY(isReason(b.program, "exp_out", "later operations read exp in LX"));
}

void TestScratchpad::outputThroughAViewStaysOut() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), y = b.matrix("neg", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 32);
    b.pointwise("aten.neg.default", y, {e}, 32);
    b.output(e);
    b.output(y);
    b.program.buffers[e].isOutputThroughView = true;
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"exp", "neg"}));
    QVERIFY(isReason(b.program, "exp", "through a view"));
}

void TestScratchpad::inputsThatDieTogetherAreOfferedInTheGraphsOrder() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024)), z = b.input(b.matrix("z", 512, 1024));
    const auto both = b.matrix("add", 512, 1024), y = b.matrix("sub", 512, 1024);
    const auto end = b.matrix("mul", 512, 1024);
    b.pointwise("aten.add.Tensor", both, {x, z}, 32);
    b.pointwise("aten.sub.Tensor", y, {z, x}, 32);
    b.pointwise("aten.mul.Tensor", end, {both, y}, 32);
    b.output(end);
    planScratchpad(b.program, {});
    QCOMPARE(
        written(b.program), QStringList({"x_lx@32768", "z_lx@65536", "add@0", "sub@32768", "mul"}));
    QCOMPARE(b.program.buffers[named(b.program, "sub").inPlaceOf].name, std::string("x_lx"));
}

void TestScratchpad::tensorsWrittenInPartsStayOut() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024)), whole = b.matrix("cat", 512, 1024);
    const auto y = b.matrix("y", 512, 1024);
    b.allocation("aten.cat.default", whole);
    b.pointwise("aten.cat.default", whole, {x}, 32).isMutation = true;
    b.pointwise("aten.exp.default", y, {whole}, 32);
    b.output(y);
    planScratchpad(b.program, {});
    QVERIFY(isReason(b.program, "cat", "Several operations write parts of it"));
}

void TestScratchpad::shareLargerThanLxIsSaidSo() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 16384, 8192));
    const auto e = b.matrix("exp", 16384, 8192), y = b.matrix("neg", 16384, 8192);
    b.pointwise("aten.exp.default", e, {x}, 16, 2);
    b.pointwise("aten.neg.default", y, {e}, 16, 2);
    b.output(y);
    planScratchpad(b.program, {});
    QVERIFY(isReason(b.program, "exp", "8,388,608 B, is larger than the 1,625,344 B"));
    QVERIFY(named(b.program, "exp").isSpilled);
}

void TestScratchpad::writersTakeTheLoopOrderOfTheirReaders() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), y = b.matrix("neg", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 32);
    LoopOp& reader = b.pointwise("aten.neg.default", y, {e}, 32);
    reader.emitted = {1, 0};
    b.output(y);
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"exp@0", "neg"}));
    QCOMPARE(b.program.ops[0].emitted, (std::vector<int>{1, 0}));
}

// Scores of 16 heads whose host order is heads, rows, columns, but whose memory order is rows
// first: the product is planned as 2 × 8 × 2 in host order and emitted as 8 × 2 × 2.
void TestScratchpad::whatTheSchedulerReordersLeavesLx() {
    ProgramBuilder b;
    const auto scores = b.matrix("scores", 16, 128), scaled = b.matrix("scaled", 16, 128);
    for (BufferIndex buffer : {scores, scaled}) {
        Buffer& value = b.program.buffers[buffer];
        value.shape = {16, 128, 128};
        value.strides = {128, 2048, 1};
        value.layout.deviceSize = {16, 128, 2, 64};
        value.layout.strideMap = {128, 2048, 64, 1};
    }
    const Index at = Index::of(0, 128) + Index::of(1, 2048) + Index::of(2);
    LoopOp writer;
    writer.op = "batchmatmul";
    writer.aten = {"aten.bmm.default"};
    writer.kind = LoopKind::Reduction;
    for (const auto& [extent, split] : {std::pair{16, 2}, {128, 8}, {128, 2}, {64, 1}}) {
        Loop loop;
        loop.extent = extent;
        loop.split = split;
        writer.loops.push_back(loop);
    }
    writer.loops[3].isReduced = true;
    writer.cores = 32;
    writer.write = {scores, at, -1};
    writer.emitted = {0, 1, 2, 3};
    LoopOp reader;
    reader.op = "mul";
    reader.aten = {"aten.mul.Tensor"};
    reader.loops = {writer.loops[0], writer.loops[1], writer.loops[2]};
    reader.loops[0].split = reader.loops[2].split = 1;
    reader.loops[1].split = reader.cores = 32;
    reader.reads = {{scores, at, -1}};
    reader.write = {scaled, at, -1};
    reader.emitted = {1, 0, 2};
    b.program.ops = {writer, reader};
    b.output(scaled);
    LoopProgram kept = b.program;
    planScratchpad(kept, {});
    QCOMPARE(written(kept), QStringList({"scores@0", "scores_relayout@16384", "scaled"}));
    b.program.ops[0].emitted = {1, 0, 2, 3};
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"scores", "scores_relayout", "scaled"}));
    QVERIFY(isReason(b.program, "scores", "gives its slices to other cores than planned"));
}

// The compiler hands the cut of a copy over by the stride of a device axis, which for whole sticks
// is no loop's (seen with 4 cores in a BERT layer).
void TestScratchpad::copiesCutAlongSticksLeaveLx() {
    ProgramBuilder b;
    const auto x = b.input(b.matrix("x", 512, 1024));
    const auto e = b.matrix("exp", 512, 1024), y = b.matrix("neg", 512, 1024);
    b.pointwise("aten.exp.default", e, {x}, 16);
    b.pointwise("aten.neg.default", y, {e}, 1, 16);
    b.output(y);
    planScratchpad(b.program, {});
    QCOMPARE(written(b.program), QStringList({"exp", "exp_relayout", "neg"}));
    QCOMPARE(b.program.ops[1].cores, std::int64_t{1});
    QVERIFY(isReason(b.program, "exp", "planned into LX"));
}

void TestScratchpad::juneHasNoCopies() {
    LxSettings june;
    june.isAugust = false;
    LoopProgram program = softmax();
    planScratchpad(program, june);
    QCOMPARE(written(program), QStringList({"max@0", "sub@2048", "exp@2048", "sum@0", "div"}));
    LoopProgram other = linear();
    planScratchpad(other, june);
    QCOMPARE(written(other), QStringList({"mm", "add"}));
    QVERIFY(isReason(other, "mm", "Results of mm are not on the compiler's list"));
}

void TestScratchpad::planningCanBeOff() {
    LxSettings off;
    off.isOn = false;
    LoopProgram program = softmax();
    planScratchpad(program, off);
    QCOMPARE(written(program), QStringList({"max", "sub", "exp", "sum", "div"}));
    QVERIFY(isReason(program, "exp", "off"));
}

void TestScratchpad::buffersThatLiveTogetherNeverOverlap() {
    QRandomGenerator random(3);
    int pairs = 0;
    for (int round = 0; round < 30; ++round) {
        ProgramBuilder b;
        std::vector<BufferIndex> made{b.input(b.matrix("x", 512, 1024))};
        for (int i = 0; i < 40; ++i) {
            const auto pick = [&] {
                const int back =
                    random.bounded(static_cast<int>(std::min<std::size_t>(6, made.size())));
                return made[made.size() - 1 - static_cast<std::size_t>(back)];
            };
            const auto out = b.matrix("t" + std::to_string(i), 512, 1024);
            const bool isDividedAlike = random.bounded(4) != 0;
            b.pointwise(random.bounded(5) != 0 ? "aten.add.Tensor" : "aten.relu.default", out,
                {pick(), pick()}, isDividedAlike ? 32 : 4, isDividedAlike ? 1 : 8);
            made.push_back(out);
        }
        b.output(made.back());
        planScratchpad(b.program, {});
        const auto ranges = liveRanges(b.program);
        const auto& buffers = b.program.buffers;
        for (std::size_t i = 0; i < buffers.size(); ++i)
            for (std::size_t k = 0; k < buffers.size(); ++k) {
                if (i == k || buffers[i].space != MemorySpace::Lx
                    || buffers[k].space != MemorySpace::Lx || ranges[k]->first < ranges[i]->first
                    || ranges[k]->first > ranges[i]->last)
                    continue;
                ++pairs;
                const bool isApart = buffers[i].address + buffers[i].lxBytes <= buffers[k].address
                    || buffers[k].address + buffers[k].lxBytes <= buffers[i].address;
                // k is written where i is last read: only an in-place child may lie there.
                QVERIFY(
                    isApart || (buffers[k].inPlaceOf == i && ranges[i]->last == ranges[k]->first));
            }
    }
    QVERIFY(pairs > 500);
}

QTEST_APPLESS_MAIN(TestScratchpad)
#include "test_scratchpad.moc"
