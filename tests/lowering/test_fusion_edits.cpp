// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/fusion_edits.h"

#include "core/lowering/fusion.h"
#include "core/lowering/inlining.h"
#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::FusionEdit;
using lowering::FusionRules;
using lowering::KernelId;
using lowering::NodeId;
using lowering::StageGraph;

class TestFusionEdits : public QObject {
    Q_OBJECT

private:
    /// x → relu → reshape → exp → neg in one kernel.
    static void addChain(Model& m) {
        const auto a = m.node(ir::Op::Relu, {m.input("x", {2, 4})});
        const auto view = m.node(ir::Op::Reshape, {a, m.integers("shape", {8})});
        m.output(m.node(ir::Op::Neg, {m.node(ir::Op::Exp, {view})}));
        m.infer();
    }

    static StageGraph fusedAll(const StageGraph& graph) {
        lowering::Fusion fusion(graph);
        for (std::size_t i = 1; i < graph.nodes.size(); ++i)
            fusion.merge(fusion.groupOf(NodeId(0)), fusion.groupOf(NodeId(i)), "all in one");
        return fusion.finish(graph, [](const lowering::Fusion&, lowering::GroupId) {
            return lowering::Fusion::Label{"", "pointwise", ""};
        });
    }
    static StageGraph eachAlone(const StageGraph& graph) {
        return lowering::oneKernelEach(
            graph, [](const lowering::Node&) { return std::string("pointwise"); });
    }
    static std::string nameOf(const StageGraph& graph, ir::Op op) {
        for (const lowering::Node& node : graph.nodes)
            if (node.canonical == op)
                return node.name;
        return {};
    }
    static QStringList kernelsOf(const StageGraph& graph) {
        QStringList kernels;
        for (const lowering::Kernel& kernel : graph.kernels) {
            QStringList ops;
            for (const NodeId id : kernel.nodes) {
                const auto name = ir::name(graph.nodes[id].canonical);
                ops << QString::fromUtf8(name.data(), static_cast<int>(name.size()));
            }
            kernels << ops.join(' ');
        }
        return kernels;
    }

private slots:
    void aSplitCutsBeforeTheOperator() {
        Model m;
        addChain(m);
        const StageGraph fused = fusedAll(lowering::inlined(m.context()));
        QCOMPARE(kernelsOf(fused), QStringList({"Relu Reshape Exp Neg"}));
        m.settings.fusionEdits = {{FusionEdit::Kind::Split, nameOf(fused, ir::Op::Neg), {}}};
        const StageGraph cut = lowering::withFusionEdits(m.context(), {}, fused);
        QCOMPARE(kernelsOf(cut), QStringList({"Relu Reshape Exp", "Neg"}));
        QCOMPARE(firstFinding(cut, *m.graph), std::string());
        for (const lowering::Kernel& kernel : cut.kernels)
            QVERIFY(kernel.decidedBy == lowering::DecidedBy::Programmer);
        QVERIFY(cut.kernels[KernelId(0)].name != cut.kernels[KernelId(1)].name);
        QVERIFY(m.diagnostics.empty());
    }

    void aJoinTakesTheNextKernelIn() {
        Model m;
        addChain(m);
        const StageGraph alone = eachAlone(lowering::inlined(m.context()));
        m.settings.fusionEdits = {{FusionEdit::Kind::Join, nameOf(alone, ir::Op::Exp), {}}};
        const StageGraph joined = lowering::withFusionEdits(m.context(), {}, alone);
        QCOMPARE(kernelsOf(joined), QStringList({"Relu", "Reshape", "Exp Neg"}));
        QCOMPARE(firstFinding(joined, *m.graph), std::string());
    }

    void aSplitAndTheJoinThatMendsItLeaveOneKernel() {
        Model m;
        addChain(m);
        const StageGraph fused = fusedAll(lowering::inlined(m.context()));
        const std::string neg = nameOf(fused, ir::Op::Neg), relu = nameOf(fused, ir::Op::Relu);
        m.settings.fusionEdits = {
            {FusionEdit::Kind::Split, neg, {}}, {FusionEdit::Kind::Join, relu, {}}};
        const StageGraph whole = lowering::withFusionEdits(m.context(), {}, fused);
        QCOMPARE(kernelsOf(whole), kernelsOf(fused));
        QCOMPARE(firstFinding(whole, *m.graph), std::string());
    }

    void aJoinReordersWhatStandsBetween() {
        Model m; // x → a → b, x → c → d: a and c's kernels join, b keeps behind a
        const auto x = m.input("x", {4});
        m.output(m.node(ir::Op::Neg, {m.node(ir::Op::Relu, {x})}));
        m.output(m.node(ir::Op::Abs, {m.node(ir::Op::Exp, {x})}));
        m.infer();
        const StageGraph alone = eachAlone(lowering::inlined(m.context()));
        m.settings.fusionEdits = {
            {FusionEdit::Kind::Join, nameOf(alone, ir::Op::Relu), nameOf(alone, ir::Op::Exp)}};
        const StageGraph joined = lowering::withFusionEdits(m.context(), {}, alone);
        QCOMPARE(firstFinding(joined, *m.graph), std::string());
        QVERIFY(kernelsOf(joined).contains("Relu Exp"));
        QCOMPARE(joined.kernels.size(), std::size_t(3));
    }

    void whatStandsBetweenForbidsAJoin() {
        Model m; // a → product → c and a → c
        const auto a = m.node(ir::Op::Relu, {m.input("x", {4})});
        const auto b = m.node(ir::Op::MatMul, {a, m.weight("w", {4, 4})});
        m.output(m.node(ir::Op::Add, {a, b}));
        m.infer();
        const StageGraph alone = eachAlone(lowering::inlined(m.context()));
        const FusionEdit edit{
            FusionEdit::Kind::Join, nameOf(alone, ir::Op::Relu), nameOf(alone, ir::Op::Add)};
        const std::string refusal = lowering::refusalOf(m.context(), {}, alone, edit);
        QVERIFY2(QString::fromStdString(refusal).contains("wait for each other"), refusal.c_str());
        // Refused: nothing changes, and the rule is told.
        m.settings.fusionEdits = {edit};
        const StageGraph same = lowering::withFusionEdits(m.context(), {}, alone);
        QCOMPARE(kernelsOf(same), kernelsOf(alone));
        QCOMPARE(m.diagnostics.count("lowering.fusion_edit"), std::int64_t(1));
        QVERIFY(m.diagnostics.entries().front().message.find(refusal) != std::string::npos);
    }

    void viewsAloneAreNoKernel() {
        Model m;
        addChain(m);
        const StageGraph fused = fusedAll(lowering::inlined(m.context()));
        const auto refusal = [&](ir::Op op) {
            return QString::fromStdString(lowering::refusalOf(
                m.context(), {}, fused, {FusionEdit::Kind::Split, nameOf(fused, op), {}}));
        };
        QVERIFY2(refusal(ir::Op::Relu).contains("Nothing but views stands before"),
            qPrintable(refusal(ir::Op::Relu)));
        QCOMPARE(refusal(ir::Op::Exp), QString());
    }

    void anOperatorThatIsNotThereIsNamed() {
        Model m;
        addChain(m);
        const StageGraph fused = fusedAll(lowering::inlined(m.context()));
        for (const auto kind : {FusionEdit::Kind::Split, FusionEdit::Kind::Join}) {
            const auto refusal = QString::fromStdString(
                lowering::refusalOf(m.context(), {}, fused, {kind, "/no/such", {}}));
            QVERIFY2(refusal.contains("\"/no/such\""), qPrintable(refusal));
        }
    }

    void theLastKernelHasNoNext() {
        Model m;
        addChain(m);
        const StageGraph fused = fusedAll(lowering::inlined(m.context()));
        QVERIFY(!lowering::nextKernel(fused, KernelId(0)).isValid());
        const auto refusal = QString::fromStdString(lowering::refusalOf(
            m.context(), {}, fused, {FusionEdit::Kind::Join, nameOf(fused, ir::Op::Relu), {}}));
        QVERIFY2(refusal.contains("Nothing reads"), qPrintable(refusal));
    }

    void theFamilysRuleHasTheLastWord() {
        Model m;
        addChain(m);
        const StageGraph alone = eachAlone(lowering::inlined(m.context()));
        FusionRules rules;
        rules.joinRefusal = [](const lowering::Context&, const StageGraph&, KernelId, KernelId) {
            return std::string("The machine fuses nothing.");
        };
        QCOMPARE(lowering::refusalOf(m.context(), rules, alone,
                     {FusionEdit::Kind::Join, nameOf(alone, ir::Op::Exp), {}}),
            std::string("The machine fuses nothing."));
    }
};

QTEST_APPLESS_MAIN(TestFusionEdits)
#include "test_fusion_edits.moc"
