// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "rung_fixture.h"

#include <QFile>
#include <QTest>

using namespace fivefold;
using numerics::Rung;

namespace {

constexpr double kTolerance = 1e-9; ///< relative to the largest element, in fp64

QString shared(const char* name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_SHARED");
    return folder.isEmpty() ? QString() : folder + "/data/onnx/" + name;
}

class RungsTest : public QObject {
    Q_OBJECT

private slots:
    void names() {
        for (std::size_t i = 0; i < numerics::kRungs; ++i) {
            const auto rung = static_cast<Rung>(i);
            QVERIFY(numerics::parseRung(numerics::toString(rung)) == rung);
        }
        QVERIFY(!numerics::parseRung("attic"));
        QVERIFY(numerics::stageOf(Rung::Timed) == lowering::Stage::Scheduled);
    }

    void rungsThatAreNotGiven() {
        const auto model =
            tests::must(analysis::openModel(FIVEFOLD_SOURCE_DIR "/samples/one_placement.onnx"));
        numerics::Subject subject = tests::subjectOf(model, "spyre");
        const auto inputs = numerics::randomInputs(*subject.typed, 1);
        QVERIFY(numerics::runRung(subject, Rung::Source, inputs).error().code
            == base::ErrorCode::NotFound);
        subject.program = nullptr;
        QVERIFY(numerics::runRung(subject, Rung::Captured, inputs).isOk());
        QVERIFY(numerics::runRung(subject, Rung::Fused, inputs).error().code
            == base::ErrorCode::NotFound);
    }

    void logicalRungsAgree_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("isWhole"); ///< every output must come out
        for (const char* name :
            {"attention_block", "fusion_saves_nothing"})
            QTest::newRow(name) << QString(FIVEFOLD_SOURCE_DIR "/samples/%1.onnx").arg(name)
                                << true;
        for (const char* name : {"llama_tiny_2l.onnx", "lstm_lm_stripped.onnx", "gpt2_mini_4l.onnx",
                 "moe_top2_of_8_dense_stripped.onnx", "ch_ppocr_mobile_v2.0_cls_infer.onnx"})
            QTest::newRow(name) << shared(name) << true;
    }
    void logicalRungsAgree() {
        QFETCH(QString, path);
        QFETCH(bool, isWhole);
        if (path.isEmpty() || !QFile::exists(path))
            QSKIP("the reference models are not here");
        const auto model = tests::must(analysis::openModel(path.toStdString()));
        std::optional<numerics::RungRun> captured;
        for (const std::string_view machine : tests::kMachines) {
            const numerics::Subject subject = tests::subjectOf(model, machine);
            const auto inputs = numerics::randomInputs(*subject.typed, 1);
            if (!captured)
                captured = tests::must(numerics::runRung(subject, Rung::Captured, inputs));
            for (const Rung rung : {Rung::Decomposed, Rung::Fused})
                compare(subject, *captured, tests::must(numerics::runRung(subject, rung, inputs)),
                    machine, isWhole);
        }
    }

    /// The machine's formats differ from fp64 by about their rounding, and not by nothing.
    void numericsRoundsToTheFormat() {
        const auto model =
            tests::must(analysis::openModel(FIVEFOLD_SOURCE_DIR "/samples/one_placement.onnx"));
        for (const std::string_view machine : tests::kMachines) {
            const numerics::Subject subject = tests::subjectOf(model, machine);
            const auto inputs = numerics::randomInputs(*subject.typed, 1);
            const auto exact = tests::must(numerics::runRung(subject, Rung::Captured, inputs));
            const auto rounded = tests::must(numerics::runRung(subject, Rung::Numerics, inputs));
            const ir::ValueId output = subject.graph().main().outputs[0];
            const double error =
                tests::difference(exact.values.at(output).tensor, rounded.values.at(output).tensor);
            QVERIFY2(error > 1e-7 && error < 0.1, std::string(machine).c_str());
            const auto format = numerics::arithmeticOf(*subject.machine, subject.precision).storage;
            const numerics::Tensor& values = rounded.values.at(output).tensor;
            for (std::int64_t i = 0; i < values.size(); ++i)
                QVERIFY(numerics::round(values.number(i), format) == values.number(i));
        }
    }

    /// Given values are taken as they are, and only what is asked for runs.
    void oneNodeFromGivenValues() {
        const auto model =
            tests::must(analysis::openModel(FIVEFOLD_SOURCE_DIR "/samples/one_placement.onnx"));
        const numerics::Subject subject = tests::subjectOf(model, "cerebras_wse3");
        const auto inputs = numerics::randomInputs(*subject.typed, 1);
        const auto whole = tests::must(numerics::runRung(subject, Rung::Captured, inputs));
        const auto& graph = subject.graph();
        const ir::NodeId last = graph.values[graph.main().outputs[0]].producer;
        numerics::RungOptions options;
        options.only = {last};
        for (const ir::ValueId input : graph.nodes[last].inputs)
            if (input.isValid() && whole.values.contains(input)
                && graph.values[input].origin == ir::ValueOrigin::NodeOutput)
                options.given[input] = whole.values.at(input);
        for (const Rung rung : {Rung::Captured, Rung::Decomposed}) {
            const auto part = tests::must(numerics::runRung(subject, rung, {}, options));
            const ir::ValueId output = graph.main().outputs[0];
            QVERIFY(part.values.contains(output));
            QVERIFY(tests::difference(whole.values.at(output).tensor, part.values.at(output).tensor)
                < kTolerance);
        }
    }

private:
    static void compare(const numerics::Subject& subject, const numerics::RungRun& captured,
        const numerics::RungRun& run, std::string_view machine, bool isWhole) {
        int compared = 0;
        for (const auto& [value, datum] : run.values) {
            const auto reference = captured.values.find(value);
            if (reference == captured.values.end() || datum.kind != numerics::Datum::Kind::Tensor)
                continue;
            const double error = tests::difference(reference->second.tensor, datum.tensor);
            ++compared;
            QVERIFY2(error <= kTolerance,
                qPrintable(
                    QString("%1, %2, %3: %4")
                        .arg(QString::fromUtf8(machine.data(), qsizetype(machine.size())))
                        .arg(QString::fromStdString(std::string(numerics::toString(run.rung))))
                        .arg(QString::fromStdString(subject.graph().values[value].name))
                        .arg(error)));
        }
        QVERIFY(compared > 0);
        if (!isWhole)
            return;
        for (const ir::ValueId output : subject.graph().main().outputs)
            QVERIFY2(run.values.contains(output), subject.graph().values[output].name.c_str());
        QCOMPARE(run.diagnostics.count("numerics.not_executable"), std::int64_t(0));
    }
};

} // namespace

QTEST_APPLESS_MAIN(RungsTest)
#include "test_rungs.moc"
