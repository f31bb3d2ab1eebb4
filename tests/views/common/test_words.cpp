// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/gap_bar.h"
#include "views/common/layout_text.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::common;

namespace {

/// Thin spaces written as "_", so that rows can be read.
QString plain(QString text) {
    return text.replace(QChar(0x2009), u'_');
}

} // namespace

class TestWords : public QObject {
    Q_OBJECT

private slots:
    void timesHaveThreeDigits_data();
    void timesHaveThreeDigits();
    void sizesFollowThePreference_data();
    void sizesFollowThePreference();
    void ratesAndCounts();
    void unknownIsAWordAndNeverZero();
    void theFirstClauseOfAText();
    void unitsDoNotBreakAtTheirSlash();
    void estimatesCarryATilde();
    void shapesAndAddresses();
    void namesElideInTheMiddle_data();
    void namesElideInTheMiddle();
    void pathsTellOperatorsApart_data();
    void pathsTellOperatorsApart();
    void aBandStandsInBracketsOnlyWhereItWasMeasured();
    void theFootLineNamesModelMachineSettingsAndBand();
    void csvQuotesWhatItMust_data();
    void csvQuotesWhatItMust();
    void gapPartsAddUpToTheTime();
    void gapPartsOfUnknownTimesAreNone();
    void gapRectanglesFillTheBar();
    void paddingIsCountedFromTheAxes();
};

void TestWords::timesHaveThreeDigits_data() {
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("microseconds") << 8.06e-6 << QStringLiteral("8.1_µs");
    QTest::newRow("milliseconds") << 12.61e-3 << QStringLiteral("12.6_ms");
    QTest::newRow("no decimals from 100 on") << 185.4e-6 << QStringLiteral("185_µs");
    QTest::newRow("rounding up to the next unit") << 999.6e-6 << QStringLiteral("1.0_ms");
    QTest::newRow("nanoseconds") << 384e-9 << QStringLiteral("384_ns");
    QTest::newRow("picoseconds") << 7e-12 << QStringLiteral("7_ps");
    QTest::newRow("long") << 4321.0 << QStringLiteral("4,321_s");
    QTest::newRow("zero") << 0.0 << QStringLiteral("0_µs");
    QTest::newRow("negative has a real minus") << -8.1e-6 << QStringLiteral("−8.1_µs");
}

void TestWords::timesHaveThreeDigits() {
    QFETCH(double, seconds);
    QFETCH(QString, text);
    QCOMPARE(plain(formatTime(std::optional(base::Seconds(seconds)))), text);
}

void TestWords::sizesFollowThePreference_data() {
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<int>("unit");
    QTest::addColumn<QString>("text");
    const int binary = int(SizeUnit::Binary), decimal = int(SizeUnit::Decimal),
              exact = int(SizeUnit::Bytes);
    QTest::newRow("three digits") << qint64(4'325'376) << binary << QStringLiteral("4.13_MiB");
    QTest::newRow("exact stays whole") << qint64(786'432) << binary << QStringLiteral("768_KiB");
    QTest::newRow("one and a half") << qint64(1'572'864) << binary << QStringLiteral("1.50_MiB");
    QTest::newRow("small") << qint64(512) << binary << QStringLiteral("512_B");
    QTest::newRow("decimal") << qint64(786'432) << decimal << QStringLiteral("786_kB");
    QTest::newRow("bytes") << qint64(786'432) << exact << QStringLiteral("786,432_B");
    QTest::newRow("zero") << qint64(0) << binary << QStringLiteral("0_B");
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << binary
                             << QStringLiteral("8_EiB");
}

void TestWords::sizesFollowThePreference() {
    QFETCH(qint64, bytes);
    QFETCH(int, unit);
    QFETCH(QString, text);
    setSizeUnit(static_cast<SizeUnit>(unit));
    QCOMPARE(plain(formatBytes(base::Bytes(bytes))), text);
    setSizeUnit(SizeUnit::Binary);
}

void TestWords::ratesAndCounts() {
    QCOMPARE(plain(formatRate(204.8e9)), QStringLiteral("204.8_GB/s"));
    QCOMPARE(plain(formatRate(19.5e12)), QStringLiteral("19.5_TB/s"));
    QCOMPARE(plain(formatRate(2.039e12)), QStringLiteral("2.039_TB/s"));
    QCOMPARE(plain(formatFlops(98.3e12)), QStringLiteral("98.3_TFLOP/s"));
    QCOMPARE(plain(formatFlops(312e12)), QStringLiteral("312_TFLOP/s"));
    QCOMPARE(formatCount(327'155'712), QStringLiteral("327,155,712"));
    QCOMPARE(formatCount(-5), QStringLiteral("−5"));
    QCOMPARE(plain(formatShortCount(226'492'416.0)), QStringLiteral("226_M"));
    QCOMPARE(plain(formatShortCount(75'497'472.0)), QStringLiteral("75.5_M"));
    QCOMPARE(plain(formatShortCount(12.0)), QStringLiteral("12"));
    QCOMPARE(plain(formatShare(0.37)), QStringLiteral("37_%"));
    QCOMPARE(plain(formatShare(0.001)), QStringLiteral("<1_%"));
    QCOMPARE(plain(formatShare(0.0)), QStringLiteral("0_%"));
}

void TestWords::theFirstClauseOfAText() {
    QCOMPARE(firstClause(QStringLiteral("Erf is refused. 4 tensors have to leave.")),
        QStringLiteral("Erf is refused"));
    QCOMPARE(firstClause(QStringLiteral("takes 1.5 µs, i.e. the whole of layer.0")),
        QStringLiteral("takes 1.5 µs, i.e. the whole of layer.0"));
    const QString head = QStringLiteral("it works on blocks of 6×6 PEs and leaves in others");
    const QString tail = QString(u'x').repeated(kLongestClause);
    QCOMPARE(firstClause(head + QStringLiteral("; ") + tail), head);
    QCOMPARE(firstClause(tail + tail), tail + tail); // nowhere to cut
    QCOMPARE(firstClause(QString()), QString());
}

void TestWords::unitsDoNotBreakAtTheirSlash() {
    const QString joined = unbreakable(QStringLiteral("a/b at 3 GFLOP/s and 2 GB/s"));
    QCOMPARE(joined, QStringLiteral("a/b at 3 GFLOP/\u2060s and 2 GB/\u2060s"));
}

void TestWords::unknownIsAWordAndNeverZero() {
    QCOMPARE(formatTime(std::optional<base::Seconds>()), QStringLiteral("unknown"));
    QCOMPARE(formatBytes(std::nullopt), QStringLiteral("unknown"));
    QCOMPARE(formatRate(std::nullopt), QStringLiteral("unknown"));
    QCOMPARE(formatFlops(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("unknown"));
    QCOMPARE(formatCount(std::nullopt), QStringLiteral("unknown"));
    QCOMPARE(formatFigure({}), QStringLiteral("unknown"));
}

void TestWords::estimatesCarryATilde() {
    machines::Figure figure{1.41e9, "Hz", machines::FigureStatus::Estimated, "recalled", {}};
    QCOMPARE(plain(formatFigure(figure)), QStringLiteral("~1.41_GHz"));
    figure.status = machines::FigureStatus::Published;
    QCOMPARE(plain(formatFigure(figure)), QStringLiteral("1.41_GHz"));
    QCOMPARE(statusGlyph(machines::FigureStatus::Estimated), QStringLiteral("○"));
}

void TestWords::shapesAndAddresses() {
    using Known = std::optional<std::vector<std::int64_t>>;
    QCOMPARE(formatShape(Known({12, 128, 64})), QStringLiteral("12×128×64"));
    QCOMPARE(formatShape(Known(std::vector<std::int64_t>())), QStringLiteral("scalar"));
    QCOMPARE(formatShape(Known()), QStringLiteral("?"));
    QCOMPARE(
        formatShape(std::optional(ir::Shape{ir::Dim::unknown(), 128})), QStringLiteral("?×128"));
    QCOMPARE(formatShape(std::optional(ir::Shape{ir::Dim::symbol("batch"), 768})),
        QStringLiteral("batch×768"));
    QCOMPARE(formatAddress(0x1AA00), QStringLiteral("0x1AA00"));
    QCOMPARE(formatAddress(0), QStringLiteral("0x0"));
}

void TestWords::namesElideInTheMiddle_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("maximum");
    QTest::addColumn<QString>("elided");
    QTest::newRow("fits") << "abcdef" << 6 << "abcdef";
    QTest::newRow("even") << "abcdefgh" << 5 << "ab…gh";
    QTest::newRow("one") << "abcdefgh" << 1 << "…";
    QTest::newRow("none") << "abcdefgh" << 0 << "";
    QTest::newRow("empty") << "" << 3 << "";
}

void TestWords::namesElideInTheMiddle() {
    QFETCH(QString, text);
    QFETCH(int, maximum);
    QFETCH(QString, elided);
    QCOMPARE(elideMiddle(text, maximum), elided);
}

void TestWords::pathsTellOperatorsApart_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::newRow("no slash in front") << "/h.11/mlp.0/MatMul"
                                       << "h.11/mlp.0/MatMul";
    QTest::newRow("a repeated scope once") << "/layer1/layer1.0/conv2/Conv"
                                           << "layer1.0/conv2/Conv";
    QTest::newRow("a repeated operator once") << "/conv1/Conv/conv"
                                              << "conv1/conv";
    QTest::newRow("another part stays") << "/conv1/Conv/bias"
                                        << "conv1/Conv/bias";
    QTest::newRow("not a path") << "p2o.Conv.1"
                                << "p2o.Conv.1";
    QTest::newRow("two parts of one name") << "Conv/conv"
                                           << "Conv/conv";
    QTest::newRow("too long") << "If_0_else_branch__Inline_0__/encoder/0/reparam_conv/Conv"
                              << QStringLiteral("…/encoder/0/reparam_conv/Conv");
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("slashes alone") << "//"
                                   << "//";
}

void TestWords::pathsTellOperatorsApart() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QCOMPARE(shortName(name.toStdString()), text);
}

void TestWords::aBandStandsInBracketsOnlyWhereItWasMeasured() {
    const auto result = testing::attentionSample();
    lowering::Estimate estimate;
    estimate.time = base::Seconds(8.06e-6);
    estimate.low = base::Seconds(7.1e-6);
    estimate.high = base::Seconds(9.1e-6);
    QCOMPARE(plain(timeWithBand(estimate)), QStringLiteral("8.1_µs (7.1–9.1)"));
    QCOMPARE(plain(validationText(*result)), QStringLiteral("±12.8_% on 49 points"));
    result->totals.validated.reset();
    // A step keeps the band of its own class where the whole has none.
    QCOMPARE(plain(timeWithBand(estimate)), QStringLiteral("8.1_µs (7.1–9.1)"));
    estimate.low = estimate.high = std::nullopt;
    QCOMPARE(plain(timeWithBand(estimate)), QStringLiteral("~8.1_µs"));
    QCOMPARE(validationText(*result), QStringLiteral("not validated"));
    estimate.isKnown = false;
    QCOMPARE(timeWithBand(estimate), QStringLiteral("unknown"));
}

void TestWords::theFootLineNamesModelMachineSettingsAndBand() {
    const auto result = testing::attentionSample();
    result->request.settings.values["cores"] = "16";
    result->request.bindings.dims["seq"] = 128;
    const QString foot = footLine(*result);
    for (const char* part : {"attention_block.onnx", "IBM Spyre", "fp16", "fusion on", "cores=16",
             "seq=128", "Fivefold", "49 points"})
        QVERIFY2(foot.contains(QLatin1String(part)), part);
    result->totals.validated.reset();
    QVERIFY(footLine(*result).endsWith(QStringLiteral("not validated")));
}

void TestWords::csvQuotesWhatItMust_data() {
    QTest::addColumn<QStringList>("fields");
    QTest::addColumn<QString>("record");
    QTest::newRow("plain") << QStringList{"a", "b"} << "a,b\r\n";
    QTest::newRow("comma") << QStringList{"a,b", "c"} << "\"a,b\",c\r\n";
    QTest::newRow("quote") << QStringList{"say \"x\""} << "\"say \"\"x\"\"\"\r\n";
    QTest::newRow("line break") << QStringList{"a\nb"} << "\"a\nb\"\r\n";
    QTest::newRow("empty fields") << QStringList{"", ""} << ",\r\n";
}

void TestWords::csvQuotesWhatItMust() {
    QFETCH(QStringList, fields);
    QFETCH(QString, record);
    QCOMPARE(csvRecord(fields), record);
}

void TestWords::gapPartsAddUpToTheTime() {
    const auto result = testing::chainSample(200);
    const roofline::GapAnalysis gaps(result->program, result->machine());
    for (std::size_t s = 0; s < result->program.steps.size(); ++s) {
        const lowering::StepId steps[] = {lowering::StepId(s)};
        const auto gap = gaps.of(steps, roofline::Charge::ToItself);
        double sum = 0;
        for (const auto& part : gap.parts) {
            QVERIFY(part.time.value > 0);
            sum += part.time.value;
        }
        const double time = result->program.steps[lowering::StepId(s)].estimate.time.value;
        QVERIFY(std::abs(sum - time) <= 1e-12 + 1e-9 * time);
        QCOMPARE(gapText(gap).isEmpty(), gap.parts.empty());
    }
}

void TestWords::gapPartsOfUnknownTimesAreNone() {
    const auto result = testing::attentionSample();
    const auto step = testing::stepNamed(*result, "/attn/MatMul");
    result->program.steps[step].estimate.isKnown = false;
    const roofline::GapAnalysis gaps(result->program, result->machine());
    const lowering::StepId steps[] = {step};
    const auto gap = gaps.of(steps, roofline::Charge::ToItself);
    QVERIFY(gap.parts.empty() && gap.isAtLeast);
    QVERIFY(absentParts(gap, result->machine()).contains(QStringLiteral("LPDDR5")));
}

void TestWords::gapRectanglesFillTheBar() {
    const auto result = testing::attentionSample();
    const lowering::StepId steps[] = {testing::stepNamed(*result, "/attn/MatMul")};
    const auto gap = roofline::GapAnalysis(result->program, result->machine())
                         .of(steps, roofline::Charge::ToItself);
    const auto rects = gapRects(gap, QRectF(10, 5, 200, 18));
    QCOMPARE(rects.size(), static_cast<qsizetype>(gap.parts.size()));
    QCOMPARE(rects.front().left(), 10.0);
    QVERIFY(std::abs(rects.back().right() - 210) < 1e-6);
    for (qsizetype r = 1; r < rects.size(); ++r)
        QVERIFY(std::abs(rects[r].left() - rects[r - 1].right()) < 1e-6);
}

void TestWords::paddingIsCountedFromTheAxes() {
    layout::TensorLayout layout;
    layout.shape = {2, 65};
    layout.axes = {{2, 0, 1, layout::AxisRole::Row}, {2, 1, 64, layout::AxisRole::Block},
        {64, 1, 1, layout::AxisRole::Lane}};
    const auto padding = paddingOf(layout);
    QVERIFY(padding);
    QCOMPARE(padding->bytes.value, std::int64_t(2 * 63 * 2));
    QCOMPARE(padding->share, 126.0 / 256.0);
    layout.shape = {0, 65};
    QCOMPARE(paddingOf(layout)->share, 0.0);
    layout.axes.front().extent = std::numeric_limits<std::int64_t>::max();
    QVERIFY(!paddingOf(layout));
}

QTEST_MAIN(TestWords)
#include "test_words.moc"
