// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/palette.h"
#include "views/common/table.h"
#include "views/published/factor_plot.h"
#include "views/published/published_panel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using published::PublishedModel;
using published::PublishedPanel;
using published::Standing;

namespace {

struct Shown {
    common::ViewState state;
    PublishedPanel panel{state, nullptr};

    explicit Shown(const QSize& size = {1200, 672}) {
        panel.resize(size);
        panel.show();
        panel.load();
        panel.settle(120000);
        QCoreApplication::processEvents();
    }
};

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
    if (!folder.isEmpty())
        QVERIFY(widget.grab().save(folder + '/' + name + ".png"));
}

} // namespace

class TestPublished : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }
    void listsEveryPoint();
    void saysHowAPointCounts();
    void filtersAndSorts();
    void aDotChoosesItsRow();
    void medianIsOfTheScored();
    void exportsWhatItShows();
    void drawsInBothThemes_data();
    void drawsInBothThemes();
};

void TestPublished::listsEveryPoint() {
    Shown shown;
    QCOMPARE(shown.panel.model()->rowCount(), 98);
    QCOMPARE(shown.panel.table()->visibleRows(), 98);
    for (int row = 0; row < 98; ++row) {
        const auto& point = shown.panel.model()->points()[std::size_t(row)];
        QCOMPARE(point.number, row + 1);
        QVERIFY(!point.source.empty());
        QVERIFY(point.measured > 0);
    }
    QVERIFY(shown.panel.sentence().contains("of 98 published points"));
}

void TestPublished::saysHowAPointCounts() {
    Shown shown;
    int missing = 0;
    for (int row = 0; row < shown.panel.model()->rowCount(); ++row) {
        const auto& point = shown.panel.model()->points()[std::size_t(row)];
        const auto cell = [&](int column) {
            return shown.panel.model()->index(row, column).data().toString();
        };
        QCOMPARE(cell(PublishedModel::Predicted) == "not predicted yet", !point.predicted);
        QCOMPARE(cell(PublishedModel::Factor).isEmpty(), !point.factor);
        if (point.isScored && point.factor) {
            QCOMPARE(cell(PublishedModel::State), QString("scored"));
        }
        missing += !point.predicted;
    }
    QVERIFY(missing > 0); // language models come later
}

void TestPublished::filtersAndSorts() {
    Shown shown;
    QTest::keyClicks(shown.panel.filter(), "tpu v5e");
    const int few = shown.panel.table()->visibleRows();
    QVERIFY(few > 0 && few < 98);
    QVERIFY(shown.panel.sentence().contains(QString("%1 are listed: median factor").arg(few)));
    shown.panel.filter()->clear();
    shown.panel.table()->sortByColumn(PublishedModel::Factor, Qt::DescendingOrder);
    double last = 1e9;
    for (int row = 0; row < 98; ++row) {
        const int source = shown.panel.table()->sourceRow(row);
        const double factor = shown.panel.model()->points()[std::size_t(source)].factor.value_or(0);
        QVERIFY(factor <= last);
        last = factor;
    }
}

void TestPublished::aDotChoosesItsRow() {
    Shown shown;
    auto* plot = shown.panel.plot();
    QVERIFY(!plot->dots().isEmpty());
    for (const auto& dot : plot->dots())
        QVERIFY(plot->rect().contains(dot.at.toPoint()));
    const auto dot = plot->dots().first();
    QTest::mouseClick(plot, Qt::LeftButton, {}, dot.at.toPoint());
    const int chosen = shown.panel.model()->selected();
    QVERIFY(chosen >= 0);
    QVERIFY(shown.panel.sentence().contains("a factor of"));
    QTest::keyClick(plot, Qt::Key_Right);
    QVERIFY(shown.panel.model()->selected() >= 0);
    // A row chooses its dot.
    QTest::mouseClick(shown.panel.table()->viewport(), Qt::LeftButton, {}, QPoint(40, 10));
    QCOMPARE(shown.panel.model()->selected(),
        shown.panel.table()->sourceRow(shown.panel.table()->rowAt(10)));
}

void TestPublished::medianIsOfTheScored() {
    std::vector<analysis::PublishedPoint> points(4);
    const double kFactors[] = {1.1, 1.3, 9, 1.2};
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].machine = "gpu_x";
        points[i].factor = kFactors[i];
        points[i].predicted = 1;
        points[i].isScored = i != 2;
    }
    const auto scores = published::familyScores(points);
    QCOMPARE(scores.front().scored, 3);
    QCOMPARE(*scores.front().median, 1.2);
    QCOMPARE(scores.front().points, 4);
    QVERIFY(!scores.back().median);
    QVERIFY(published::scoreSentence(points).contains("median factor 1.20 on 3 GPU points"));
    points[3].isCalibration = true;
    QVERIFY(published::standing(points[3]) == Standing::Calibration);
    QVERIFY(published::standing(points[2]) == Standing::Shown);
}

void TestPublished::exportsWhatItShows() {
    Shown shown;
    QCOMPARE(shown.panel.toCsv().count("\r\n"), 99);
    QImage image(900, 600, QImage::Format_ARGB32);
    QPainter painter(&image);
    shown.panel.paintContent(painter, image.size());
}

void TestPublished::drawsInBothThemes_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isDark");
    for (const QSize size : {QSize(1600, 840), QSize(1280, 548), QSize(700, 300), QSize(280, 160)})
        for (const bool isDark : {false, true})
            QTest::addRow("%dx%d-%s", size.width(), size.height(), isDark ? "dark" : "light")
                << size << isDark;
}

void TestPublished::drawsInBothThemes() {
    QFETCH(QSize, size);
    QFETCH(bool, isDark);
    common::Palette::apply(*qApp, isDark ? common::Theme::Dark : common::Theme::Light);
    Shown shown(size);
    QCOMPARE(shown.panel.grab().toImage().size(), size);
    keepPicture(shown.panel, QString("published-") + QTest::currentDataTag());
    common::Palette::apply(*qApp, common::Theme::Light);
}

QTEST_MAIN(TestPublished)
#include "test_published.moc"
