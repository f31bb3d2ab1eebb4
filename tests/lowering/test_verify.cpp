// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/fusion.h"
#include "core/lowering/inlining.h"
#include "core/lowering/provenance.h"
#include "tests/lowering/model.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::tests;
using lowering::KernelId;
using lowering::NodeId;
using lowering::Stage;
using lowering::StageGraph;
using lowering::ValueId;
using Break = std::function<void(StageGraph&)>;
Q_DECLARE_METATYPE(Break)

class TestVerify : public QObject {
    Q_OBJECT

private:
    /// relu → exp → neg, a kernel each, row-major.
    static StageGraph sound(Model& m) {
        const auto x = m.input("x", {2, 4});
        m.output(m.node(ir::Op::Neg, {m.node(ir::Op::Exp, {m.node(ir::Op::Relu, {x})})}));
        m.infer();
        StageGraph g = lowering::oneKernelEach(
            lowering::inlined(m.context()), [](const lowering::Node&) { return "pointwise"; });
        for (lowering::Value& value : g.values)
            value.layout = std::make_shared<const layout::TensorLayout>(
                layout::rowMajor(*value.shape, value.dtype));
        g.stage = Stage::LaidOut;
        return g;
    }

private slots:
    void aSoundGraphHasNoFindings() {
        Model m;
        QCOMPARE(firstFinding(sound(m), *m.graph), std::string());
    }

    void eachPlantedDefectIsFound_data() {
        QTest::addColumn<Break>("damage");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, Break damage, const char* word) {
            QTest::newRow(name) << damage << QString(word);
        };
        row(
            "two nodes of one name",
            [](StageGraph& g) { g.nodes[NodeId(1)].name = g.nodes[NodeId(0)].name; },
            "belongs to two nodes");
        row(
            "an input out of range",
            [](StageGraph& g) { g.nodes[NodeId(1)].inputs[0] = ValueId(99); }, "does not exist");
        row(
            "an output out of range",
            [](StageGraph& g) { g.nodes[NodeId(1)].outputs[0] = ValueId(99); }, "does not exist");
        row(
            "a value that two nodes write",
            [](StageGraph& g) { g.nodes[NodeId(2)].outputs[0] = g.nodes[NodeId(0)].outputs[0]; },
            "names another producer");
        row(
            "a producer that does not write",
            [](StageGraph& g) { g.nodes[NodeId(2)].outputs.clear(); },
            "is not a result of the node");
        row(
            "a user before the producer",
            [](StageGraph& g) { g.nodes[NodeId(0)].inputs[0] = g.nodes[NodeId(2)].outputs[0]; },
            "before it is produced");
        row(
            "users that do not read",
            [](StageGraph& g) { g.values[g.inputs[0]].users.push_back(NodeId(2)); },
            "are not the nodes that read it");
        row(
            "no provenance", [](StageGraph& g) { g.nodes[NodeId(1)].sources.clear(); },
            "neither a captured node nor who added it");
        row(
            "a source out of range",
            [](StageGraph& g) { g.nodes[NodeId(1)].sources.push_back(ir::NodeId(77)); },
            "does not exist");
        row(
            "a captured node that got lost",
            [](StageGraph& g) { g.nodes[NodeId(1)].sources = g.nodes[NodeId(0)].sources; },
            "neither lowered nor removed");
        row(
            "a removal without a rule",
            [](StageGraph& g) {
                g.removed.push_back({ir::NodeId(0), Stage::Fused, ""});
            },
            "names no rule");
        row(
            "an empty kernel",
            [](StageGraph& g) {
                g.kernels.add({"empty", "copy", {}, ""});
            },
            "is empty");
        row(
            "a node in two kernels",
            [](StageGraph& g) { g.kernels[KernelId(0)].nodes.push_back(NodeId(1)); },
            "is in two kernels");
        row(
            "a node in no kernel", [](StageGraph& g) { g.nodes[NodeId(1)].kernel = KernelId(); },
            "is not in the kernel");
        row(
            "no layout", [](StageGraph& g) { g.values[ValueId(0)].layout.reset(); },
            "has no layout");
        row(
            "a layout of another shape",
            [](StageGraph& g) {
                g.values[ValueId(0)].layout = std::make_shared<const layout::TensorLayout>(
                    layout::rowMajor({3}, ir::DType::Float16));
            },
            "is for another shape");
        row(
            "an output of the model out of range",
            [](StageGraph& g) { g.outputs.emplace_back(99); }, "value that does not exist");
    }

    void eachPlantedDefectIsFound() {
        QFETCH(Break, damage);
        QFETCH(QString, word);
        Model m;
        StageGraph g = sound(m);
        damage(g);
        bool isFound = false;
        for (const std::string& finding : lowering::verify(g, *m.graph))
            isFound = isFound || QString::fromStdString(finding).contains(word);
        QVERIFY2(isFound, qPrintable(QString::fromStdString(firstFinding(g, *m.graph))));
    }

    void theStructuralHashIgnoresSizesAndSeesEdges() {
        Model a, b, c;
        a.output(a.node(ir::Op::Neg, {a.node(ir::Op::Relu, {a.input("x", {4})})}));
        b.output(b.node(ir::Op::Neg, {b.node(ir::Op::Relu, {b.input("y", {400})})}));
        const auto x = c.input("x", {4});
        c.node(ir::Op::Relu, {x});
        c.output(c.node(ir::Op::Neg, {x}));
        for (Model* m : {&a, &b, &c})
            m->infer();
        const auto hash = [](Model& m) { return lowering::captured(m.context()).structuralHash(); };
        QCOMPARE(hash(a), hash(b));
        QVERIFY(hash(a) != hash(c));
    }

    void provenanceMapsBothWays() {
        Model m;
        const StageGraph g = sound(m);
        const auto nodes = lowering::nodesOfCaptured(g, m.graph->nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i)
            QVERIFY(nodes[ir::NodeId(i)] == std::vector<NodeId>{NodeId(i)});
        const NodeId all[] = {NodeId(2), NodeId(0), NodeId(2)};
        QVERIFY(lowering::mergedSources(g, all)
            == (std::vector<ir::NodeId>{ir::NodeId(0), ir::NodeId(2)}));
    }

    void stageNamesReadBack() {
        for (const Stage stage : lowering::kStages)
            QVERIFY(lowering::parseStage(lowering::toString(stage)) == stage);
        QVERIFY(!lowering::parseStage("linked"));
    }
};

QTEST_APPLESS_MAIN(TestVerify)
#include "test_verify.moc"
