// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/compiler_report.h"
#include "core/analysis/machine_diagram.h"
#include "tests/analysis/analysis_fixture.h"

#include <QtTest>

using namespace fivefold;
using analysis::BoxKind;
using analysis::DiagramBox;
using analysis::MachineDiagram;

namespace {

const DiagramBox* boxNamed(const MachineDiagram& diagram, std::string_view name) {
    const auto found = std::ranges::find(diagram.boxes, name, &DiagramBox::name);
    return found == diagram.boxes.end() ? nullptr : &*found;
}

std::string parentOf(const MachineDiagram& diagram, std::string_view name) {
    const DiagramBox* box = boxNamed(diagram, name);
    return box && box->parent ? diagram.boxes[*box->parent].name : std::string();
}

machines::Machine ownMachine() {
    return tests::take(machines::readMachine(R"({
        "id": "own", "name": "My chip", "family": "tpu", "generation": "one",
        "peaks": {},
        "memories": [
            {"name": "DDR", "kind": "device", "capacity": {"value": null, "unit": "B"}, "bandwidth": {"value": null, "unit": "B/s"}},
            {"name": "pad", "kind": "scratchpad", "scope": "per Tile", "instances": 6,
             "capacity": {"value": 1024, "unit": "B", "status": "estimated", "source": "mine"}, "bandwidth": {"value": null, "unit": "B/s"}},
            {"name": "odd", "kind": "cache", "scope": "per nothing here", "capacity": {"value": null, "unit": "B"}, "bandwidth": {"value": null, "unit": "B/s"}}],
        "units": [
            {"name": "tile", "count": {"value": 6, "unit": "1", "status": "estimated", "source": "mine"}},
            {"name": "lane", "inside": "tile", "count": {"value": null, "unit": "1"}}]
    })",
        "own.json"));
}

} // namespace

class TestMachineDiagram : public QObject {
    Q_OBJECT
private slots:
    void drawsEveryBundledMachine();
    void nestsUnitsAndMemories();
    void drawsAMachineOfTheUsersOwn();
    void arraysComeFromUnitsOrParameters();
    void refusesAUnitInsideNothing();
    void refusesUnknownRolesAndNotions();
    void selectionLightsItsHome();
    void productIsTheFirstContraction();
    void jsonHasWhatIsDrawn();
};

void TestMachineDiagram::drawsEveryBundledMachine() {
    QVERIFY(machines::bundledMachines().size() >= 19);
    for (const auto& machine : machines::bundledMachines()) {
        const MachineDiagram diagram = analysis::machineDiagram(*machine);
        QCOMPARE(diagram.boxes.size(),
            1 + machine->units.size() + machine->memories.size() + machine->links.size());
        QVERIFY(diagram.boxes.front().kind == BoxKind::Device);
        for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
            const DiagramBox& box = diagram.boxes[i];
            QVERIFY(!box.name.empty());
            if (box.parent)
                QVERIFY(*box.parent < i); // parents first, so no cycles
            for (const auto& figure : box.figures)
                QVERIFY2(
                    !figure.figure.isKnown() || !figure.figure.source.empty(), box.name.c_str());
        }
        for (std::size_t level = 0; level < machine->memories.size(); ++level)
            QVERIFY(diagram.memoryBox(level).has_value());
        QCOMPARE(diagram.vocabulary.size(), std::size(machines::kVocabulary));
        for (const analysis::Word& word : diagram.vocabulary)
            QVERIFY2(!word.word.empty(),
                (machine->id + " has no word for " + std::string(word.key)).c_str());
        // What the description says is inside a unit is drawn there.
        for (const machines::Memory& memory : machine->memories)
            if (memory.scope.starts_with("per "))
                QVERIFY2(!parentOf(diagram, memory.name).empty()
                        && parentOf(diagram, memory.name) != machine->name,
                    (machine->id + ": " + memory.name).c_str());
    }
}

void TestMachineDiagram::nestsUnitsAndMemories() {
    const MachineDiagram spyre = analysis::machineDiagram(*machines::findMachine("spyre"));
    QCOMPARE(parentOf(spyre, "LX"), std::string("core"));
    QCOMPARE(parentOf(spyre, "PT array"), std::string("corelet"));
    QCOMPARE(parentOf(spyre, "corelet"), std::string("core"));
    QCOMPARE(parentOf(spyre, "core"), std::string("IBM Spyre"));
    QCOMPARE(boxNamed(spyre, "corelet")->perParent.value(), 2.0);
    QVERIFY(!boxNamed(spyre, "SFP")->count.has_value()); // the documents differ
    QVERIFY(!boxNamed(spyre, "LPDDR5")->parent.has_value()); // off chip
    const MachineDiagram gpu = analysis::machineDiagram(*machines::findMachine("gpu_h100_sxm"));
    QCOMPARE(parentOf(gpu, "tensor core"), std::string("SM"));
    QCOMPARE(boxNamed(gpu, "tensor core")->perParent.value(), 4.0);
    QCOMPARE(boxNamed(gpu, "warp")->perParent.value(), 64.0);
    QCOMPARE(parentOf(gpu, "L2"), std::string("NVIDIA H100 SXM"));
    const MachineDiagram tpu = analysis::machineDiagram(*machines::findMachine("tpu_v4"));
    QCOMPARE(parentOf(tpu, "VMEM"), std::string("TensorCore"));
    QCOMPARE(boxNamed(tpu, "MXU")->perParent.value(), 4.0);
}

void TestMachineDiagram::drawsAMachineOfTheUsersOwn() {
    const MachineDiagram diagram = analysis::machineDiagram(ownMachine());
    QCOMPARE(parentOf(diagram, "pad"), std::string("tile")); // "per Tile", whatever the case
    QCOMPARE(parentOf(diagram, "odd"), std::string("My chip"));
    QCOMPARE(boxNamed(diagram, "pad")->perParent.value(), 1.0);
    QVERIFY(!boxNamed(diagram, "lane")->perParent.has_value());
    // It borrows the words of its family.
    QVERIFY(std::ranges::any_of(diagram.vocabulary, [](const analysis::Word& word) {
        return word.key == "matrix" && word.word == "MXU pass";
    }));
}

void TestMachineDiagram::arraysComeFromUnitsOrParameters() {
    const auto sides = [](const char* id) {
        const auto array = analysis::machineArray(*machines::findMachine(id));
        return array
            ? std::vector<std::int64_t>{array->array.rows, array->array.columns, array->array.lanes}
            : std::vector<std::int64_t>{};
    };
    QVERIFY((sides("tpu_v5e") == std::vector<std::int64_t>{128, 128, 1}));
    QVERIFY((sides("tpu_v6e") == std::vector<std::int64_t>{256, 256, 1}));
    QVERIFY((sides("groq_lpu_v1") == std::vector<std::int64_t>{320, 320, 1}));
    QVERIFY((sides("spyre") == std::vector<std::int64_t>{8, 8, 8}));
    QVERIFY(sides("gpu_h100_sxm").empty());
    QVERIFY(sides("cerebras_wse3").empty());
    // Carried over from the first chip, and said so.
    const auto lp30 = analysis::machineArray(*machines::findMachine("groq_lp30"));
    QVERIFY(lp30.has_value());
    QVERIFY(lp30->status == machines::FigureStatus::Estimated);
    QVERIFY(!analysis::machineArray(ownMachine()).has_value());
}

void TestMachineDiagram::refusesAUnitInsideNothing() {
    const auto machine =
        machines::readMachine(R"({"id": "x", "name": "x", "family": "gpu", "peaks": {},
        "memories": [{"name": "m", "kind": "device", "capacity": {"value": null, "unit": "B"}, "bandwidth": {"value": null, "unit": "B/s"}}],
        "units": [{"name": "a", "inside": "b"}]})",
            "x.json");
    QVERIFY(!machine);
    QVERIFY(machine.error().message.find("\"b\"") != std::string::npos);
}

void TestMachineDiagram::refusesUnknownRolesAndNotions() {
    const std::string head = R"({"id": "x", "name": "x", "family": "gpu", "peaks": {},
        "memories": [{"name": "m", "kind": "device", "capacity": {"value": null, "unit": "B"}, "bandwidth": {"value": null, "unit": "B/s"}}],)";
    const auto role =
        machines::readMachine(head + R"("units": [{"name": "a", "role": "wizard"}]})", "x");
    QVERIFY(!role && role.error().message.find("wizard") != std::string::npos);
    const auto word = machines::readMachine(head + R"("vocabulary": {"spell": "x"}})", "x");
    QVERIFY(!word && word.error().message.find("spell") != std::string::npos);
}

void TestMachineDiagram::selectionLightsItsHome() {
    const auto model = tests::take(analysis::openModel(tests::samplePath()));
    for (const std::string_view id : tests::kFiveMachines) {
        const auto result = tests::analyzeOn(model, id);
        const MachineDiagram diagram = analysis::machineDiagram(result->machine());
        QVERIFY(analysis::machineUse(*result, diagram, {}, {}).boxes.empty());
        const auto step =
            result->provenance.toSteps[tests::firstOf(result->graph(), ir::Op::MatMul)];
        QVERIFY(!step.empty());
        const auto use = analysis::machineUse(*result, diagram, step, {});
        const bool hasUnit = std::ranges::any_of(use.boxes, [&](const analysis::BoxUse& box) {
            return diagram.boxes[box.box].kind == BoxKind::Unit;
        });
        QVERIFY2(hasUnit, id.data());
        // Every buffer of every value is in the box of its level, and nowhere else.
        const auto& placed = result->program.stage(lowering::Stage::Placed);
        for (const lowering::Buffer& buffer : result->program.buffers) {
            const ir::ValueId value = placed.values[buffer.value].source;
            if (!value.isValid())
                continue;
            const auto lit = analysis::machineUse(*result, diagram, {}, value);
            const auto* box = lit.find(diagram.memoryBox(buffer.level).value());
            QVERIFY(box && !box->buffers.empty());
            QVERIFY(box->held.value >= buffer.bytes.value);
        }
    }
}

void TestMachineDiagram::productIsTheFirstContraction() {
    const auto model = tests::take(analysis::openModel(tests::samplePath()));
    const auto result = tests::analyzeOn(model, "tpu_v5e");
    const auto matmul = tests::firstOf(result->graph(), ir::Op::MatMul);
    const auto product = analysis::productOf(*result, result->provenance.toSteps[matmul]);
    QVERIFY(product.has_value());
    const double macs = result->cost->nodes[matmul].macs.value();
    QCOMPARE(double(product->batch) * double(product->m) * double(product->n) * double(product->k),
        macs);
    QVERIFY(!analysis::productOf(*result, {}).has_value());
}

void TestMachineDiagram::jsonHasWhatIsDrawn() {
    const auto machine = machines::findMachine("tpu_v5e");
    const analysis::Json json = analysis::diagramJson(*machine);
    QCOMPARE(json["boxes"].size(), analysis::machineDiagram(*machine).boxes.size());
    QCOMPARE(json["array"]["rows"].get<int>(), 128);
    QCOMPARE(json["vocabulary"]["matrix"].get<std::string>(), std::string("MXU pass"));
}

QTEST_GUILESS_MAIN(TestMachineDiagram)
#include "test_machine_diagram.moc"
