// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/validate.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace fivefold;

class TestValidate : public QObject {
    Q_OBJECT

private slots:
    void aFolderWithoutTablesIsASentence() {
        QTemporaryDir folder;
        const auto validation = analysis::validate(folder.path().toStdString());
        QVERIFY(!validation.isOk());
        QVERIFY(validation.error().message.find("gpu_gemm_measured.csv") != std::string::npos);
    }

    void aSeriesOverItsLimitDoesNotHold() {
        analysis::SeriesScore score;
        score.crossValidated = {100, 0.10, 0.20};
        QVERIFY(score.holds()); // nothing to be held to
        score.geomeanLimit = 0.10;
        QVERIFY(score.holds());
        score.geomeanLimit = 0.099;
        QVERIFY(!score.holds());
        score.geomeanLimit = std::nullopt;
        score.deratedRoofline = 0.09;
        QVERIFY(!score.holds()); // a plain roofline does better
        score.crossValidated.count = 3;
        QVERIFY(score.holds()); // a constant alone fits three rows
    }

    /// A table of rows that the equation itself made is predicted without error.
    void aSeriesThatFollowsItsEquationHasNoError() {
        QTemporaryDir folder;
        std::ofstream table(folder.filePath("accelerator_ops_scored.csv").toStdString());
        table << "group,machine,op,dtype,k,n,pes,measured\n";
        for (int side = 100; side < 700; side += 30)
            table << "wse3_gemv_tree,cerebras_wse3,gemv_tree,fp16," << side * 10 << ',' << side * 20
                  << ',' << side << ',' << 307 + 2.39 * side + 0.335 * 200 << '\n';
        table << "no_such_series,cerebras_wse3,gemv_tree,fp16,1,1,1,1\n";
        table.close();
        const auto validation = analysis::validate(folder.path().toStdString());
        QVERIFY(validation.isOk());
        QCOMPARE(validation->rowsWithoutPrediction, std::size_t(1));
        QCOMPARE(validation->series.size(), std::size_t(1));
        const analysis::SeriesScore& score = validation->series.front();
        QCOMPARE(score.shipped.count, std::size_t(20));
        QVERIFY(score.shipped.geomean < 1e-9);
        QVERIFY(score.crossValidated.geomean < 1e-3);
        QVERIFY(score.holds());
    }

    void measuredSeriesAreWithinTheirLimits() {
        const QByteArray shared = qgetenv("FIVEFOLD_SHARED");
        if (shared.isEmpty())
            QSKIP("FIVEFOLD_SHARED is not set: no tables of measurements");
        const auto validation = analysis::validate(shared.toStdString() + "/reference");
        QVERIFY(validation.isOk());
        QCOMPARE(validation->rowsWithoutPrediction, std::size_t(0));
        QCOMPARE(validation->series.size(), std::size_t(47));
        for (const analysis::SeriesScore& score : validation->series)
            QVERIFY2(score.holds(),
                (score.series + ": " + std::to_string(score.crossValidated.geomean)).c_str());
    }
};

QTEST_GUILESS_MAIN(TestValidate)
#include "test_validate.moc"
