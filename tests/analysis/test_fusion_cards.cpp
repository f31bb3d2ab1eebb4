// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/group_card.h"
#include "core/analysis/report.h"
#include "core/analysis/stage_changes.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

#include <set>
#include <sstream>

using namespace fivefold;
using analysis::GroupCard;
using lowering::FusionEdit;
using lowering::Stage;

/// What fusions buy, what stages change, and what a user may do about it, on whole programs.
class TestFusionCards : public QObject {
    Q_OBJECT

private:
    static std::shared_ptr<const analysis::Model> model(const char* name) {
        return tests::take(
            analysis::openModel(std::string(FIVEFOLD_SOURCE_DIR "/samples/") + name));
    }
    static std::shared_ptr<const analysis::Result> analyze(
        const char* name, std::string_view machine, std::vector<FusionEdit> edits = {}) {
        analysis::Request request{model(name), machines::findMachine(machine), {}, {}};
        request.settings.precision = request.machine->defaultPrecision();
        request.settings.fusionEdits = std::move(edits);
        return tests::take(analysis::analyze(request));
    }
    /// The card of the kernel that holds a captured operator.
    static std::optional<GroupCard> cardOf(const analysis::Result& result, std::string_view node) {
        const ir::NodeId captured = tests::nodeNamed(result.graph(), node);
        const auto cards = analysis::groupCards(result);
        const auto& placed = result.program.stage(Stage::Placed);
        for (const lowering::NodeId id :
            result.provenance.toStage[static_cast<std::size_t>(Stage::Placed)][captured])
            if (cards[placed.nodes[id].kernel])
                return cards[placed.nodes[id].kernel];
        return std::nullopt;
    }
    static std::string verifierFinding(const analysis::Result& result) {
        for (const base::Diagnostic& finding : result.diagnostics.entries())
            if (finding.code == "lowering.verifier")
                return finding.node + ": " + finding.message;
        return {};
    }

private slots:
    void aSmallFusionSavesNothing_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("level");
        QTest::newRow("tpu") << "tpu_v5e"
                             << "VMEM";
        QTest::newRow("wafer") << "cerebras_wse3"
                               << "PE SRAM";
        QTest::newRow("lpu") << "groq_lpu_v1"
                             << "SRAM";
    }
    void aSmallFusionSavesNothing() {
        QFETCH(QString, machine);
        QFETCH(QString, level);
        const auto result = analyze("fusion_saves_nothing.onnx", machine.toStdString());
        const auto card = cardOf(*result, "/fc/MatMul");
        QVERIFY(card);
        QVERIFY(card->operators >= 3); // a TPU adds conversions
        QCOMPARE(card->isOnChipAlready, std::optional(true));
        QCOMPARE(QString::fromStdString(card->levelAlone), level);
        QCOMPARE(card->net, std::optional(base::Bytes(0)));
        // 128 × 64 in 16 bits, twice: the product and the sum.
        QVERIFY(card->intermediateBytes->value >= 2 * 128 * 64 * 2);
        QVERIFY2(
            QString::fromStdString(card->verdict).contains("saves nothing"), card->verdict.c_str());
    }

    void computingASumTwiceLoses() {
        const auto result = analyze("fusion_loses.onnx", "gpu_h100_sxm");
        // bf16, 16384 × 4096: one tensor is 128 MiB.
        constexpr std::int64_t kTensor = 16384LL * 4096 * 2;
        const auto cards = analysis::groupCards(*result);
        std::int64_t losses = 0, gains = 0;
        for (const auto& card : cards) {
            if (!card)
                continue;
            QVERIFY(card->net && card->saved && card->recomputed);
            QCOMPARE(card->net->value,
                card->saved->value - card->spilled->value - card->recomputed->value);
            (card->net->value < 0 ? losses : gains) += card->net->value;
        }
        // The second reduction reads a, b and c again instead of one stored sum.
        QCOMPARE(losses, -2 * kTensor);
        QVERIFY(gains > 0);
    }

    void aKernelWithoutFusionHasNoCard() {
        analysis::Request request{
            model("fusion_saves_nothing.onnx"), machines::findMachine("groq_lpu_v1"), {}, {}};
        request.settings.precision = request.machine->defaultPrecision();
        request.settings.isFusionOn = false;
        const auto result = tests::take(analysis::analyze(request));
        for (const auto& card : analysis::groupCards(*result))
            QVERIFY(!card);
    }

    void everyCardOfTheAttentionBlockAddsUp_data() {
        QTest::addColumn<QString>("machine");
        for (const std::string_view machine : tests::kFiveMachines)
            QTest::newRow(std::string(machine).c_str())
                << QString::fromUtf8(machine.data(), static_cast<int>(machine.size()));
    }
    void everyCardOfTheAttentionBlockAddsUp() {
        QFETCH(QString, machine);
        const auto result = analyze("attention_block.onnx", machine.toStdString());
        const auto cards = analysis::groupCards(*result);
        QCOMPARE(cards.size(), result->program.stage(Stage::Placed).kernels.size());
        int count = 0;
        for (const auto& card : cards) {
            if (!card)
                continue;
            ++count;
            QVERIFY(card->operators >= 2);
            QVERIFY(!card->verdict.empty());
            QVERIFY(card->net);
            QCOMPARE(card->net->value,
                card->saved->value - card->spilled->value - card->recomputed->value);
            if (card->tile)
                QVERIFY(card->tile->bytes > 0);
        }
        QVERIFY(count > 0);
    }

    void aSplitIsFollowedToTheSchedule() {
        const auto before = analyze("fusion_saves_nothing.onnx", "tpu_v5e");
        std::string relu;
        for (const lowering::Node& node : before->program.stage(Stage::Fused).nodes)
            if (node.canonical == ir::Op::Relu || node.op == "maximum")
                relu = node.name;
        QVERIFY(!relu.empty());
        const FusionEdit split{FusionEdit::Kind::Split, relu, {}};
        QCOMPARE(analysis::fusionRefusal(*before, split), std::string());
        const auto after = analyze("fusion_saves_nothing.onnx", "tpu_v5e", {split});
        QCOMPARE(verifierFinding(*after), std::string());
        QCOMPARE(after->program.stage(Stage::Fused).kernels.size(),
            before->program.stage(Stage::Fused).kernels.size() + 1);
        QCOMPARE(after->program.steps.size(), before->program.steps.size() + 1);
        QVERIFY(after->totals.time > before->totals.time);
        // Joined again, the program is the old one.
        const auto mended = analyze("fusion_saves_nothing.onnx", "tpu_v5e",
            {split, {FusionEdit::Kind::Join, "/fc/MatMul", {}}});
        QCOMPARE(mended->totals.time.value, before->totals.time.value);
    }

    void aLibraryCallIsNotJoined() {
        const auto result = analyze("attention_block.onnx", "gpu_h100_sxm");
        const auto& fused = result->program.stage(Stage::Fused);
        for (const lowering::Kernel& kernel : fused.kernels) {
            if (kernel.kind != "library")
                continue;
            const auto refusal = QString::fromStdString(analysis::fusionRefusal(
                *result, {FusionEdit::Kind::Join, fused.nodes[kernel.nodes.front()].name, {}}));
            QVERIFY2(refusal.contains("library call") || refusal.contains("Nothing reads"),
                qPrintable(refusal));
        }
    }

    void oneLayerIsOneRegion() {
        const auto result = analyze("attention_block.onnx", "cerebras_wse3");
        const auto refusal = QString::fromStdString(analysis::fusionRefusal(
            *result, {FusionEdit::Kind::Join, "/attn/MatMul", "/attn/MatMul_1"}));
        QVERIFY2(
            refusal.contains("A region is one layer") || refusal.contains("wait for each other"),
            qPrintable(refusal));
    }

    void aBundleCanBeCut() {
        const auto before = analyze("attention_block.onnx", "spyre");
        const auto& fused = before->program.stage(Stage::Fused);
        const auto& nodes = fused.kernels[lowering::KernelId(0)].nodes;
        const FusionEdit split{
            FusionEdit::Kind::Split, fused.nodes[nodes[nodes.size() / 2]].name, {}};
        QCOMPARE(analysis::fusionRefusal(*before, split), std::string());
        const auto after = analyze("attention_block.onnx", "spyre", {split});
        QCOMPARE(verifierFinding(*after), std::string());
        QCOMPARE(after->program.stage(Stage::Fused).kernels.size(), fused.kernels.size() + 1);
    }

    void aRefusedEditIsToldInTheReport() {
        const auto result = analyze(
            "attention_block.onnx", "spyre", {{FusionEdit::Kind::Split, "/no/such/operator", {}}});
        std::ostringstream out;
        analysis::writeReport(out, *result);
        const QString json = QString::fromStdString(out.str());
        QVERIFY(json.contains("lowering.fusion_edit"));
        QVERIFY(json.contains("\"fusion_edits\""));
    }

    void everyAddedNodeIsCountedWithItsEdges_data() { everyCardOfTheAttentionBlockAddsUp_data(); }
    void everyAddedNodeIsCountedWithItsEdges() {
        QFETCH(QString, machine);
        const auto result = analyze("attention_block.onnx", machine.toStdString());
        for (const Stage stage : lowering::kStages) {
            const analysis::StageChanges changes = analysis::stageChanges(*result, stage);
            const lowering::StageGraph& graph = result->program.stage(stage);
            std::size_t added = 0;
            for (const lowering::Node& node : graph.nodes)
                added += !node.addedBy.empty() && node.addedAt == stage;
            QCOMPARE(changes.added.size(), added);
            std::int64_t edges = 0;
            for (const std::int64_t count : changes.edgesByKind)
                edges += count;
            QCOMPARE(edges, static_cast<std::int64_t>(changes.edges.size()));
            QVERIFY(changes.edges.size() >= changes.added.size());
            for (const analysis::AddedNode& node : changes.added)
                QVERIFY2(!node.rule.empty(), graph.nodes[node.node].name.c_str());
            for (const analysis::AddedEdge& edge : changes.edges)
                QVERIFY(!edge.rule.empty());
            QCOMPARE(analysis::movementSentence(changes).empty(), changes.added.empty());
        }
    }

    void everyCapturedOperatorIsKeptReplacedOrRemoved() {
        const auto result = analyze("attention_block.onnx", "spyre");
        const analysis::StageChanges changes = analysis::stageChanges(*result, Stage::Decomposed);
        QVERIFY(!changes.replaced.empty());
        QVERIFY(!changes.removed.empty());
        std::set<std::string> names;
        for (const lowering::Node& node : result->program.stage(Stage::Decomposed).nodes)
            names.insert(node.name);
        std::set<ir::NodeId> told;
        for (const auto& node : changes.replaced)
            told.insert(node.captured);
        for (const auto& node : changes.removed)
            told.insert(node.node);
        for (std::size_t n = 0; n < result->graph().nodes.size(); ++n) {
            const ir::NodeId id(n);
            QVERIFY2(told.contains(id) || names.contains(result->graph().nodes[id].name),
                result->graph().nodes[id].name.c_str());
        }
        const ir::NodeId softmax = tests::firstOf(result->graph(), ir::Op::Softmax);
        const auto found = std::find_if(changes.replaced.begin(), changes.replaced.end(),
            [&](const auto& node) { return node.captured == softmax; });
        QVERIFY(found != changes.replaced.end());
        QVERIFY(found->by.size() >= 5);
        QVERIFY(!found->rule.empty());
    }

    void paddingIsAChangeOfTheLayouts() {
        const auto result = analyze("attention_block.onnx", "tpu_v5e");
        const analysis::StageChanges changes = analysis::stageChanges(*result, Stage::LaidOut);
        QVERIFY(!changes.padded.empty());
        QVERIFY(changes.paddingBytes().value > 0);
        QVERIFY(analysis::stageChanges(*result, Stage::Fused).padded.empty());
    }
};

QTEST_APPLESS_MAIN(TestFusionCards)
#include "test_fusion_cards.moc"
