// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/canvas.h"
#include "views/common/export.h"
#include "views/common/icons.h"
#include "views/common/marks.h"
#include "views/common/panel.h"
#include "views/common/panel_frame.h"
#include "views/common/table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::common;

namespace {

/// Writes down what happens to it.
class Recorder final : public Canvas {
public:
    QStringList events;
    double factor = 0;
    bool hasCard = true;

protected:
    void paintCanvas(QPainter&, const QRect&) override { }
    void clicked(const QPoint&, Qt::KeyboardModifiers modifiers) override {
        events << (modifiers.testFlag(Qt::ControlModifier) ? "ctrl-click" : "click");
    }
    void doubleClicked(const QPoint&) override { events << "double"; }
    void dragStarted(const QPoint&, Qt::KeyboardModifiers) override { events << "start"; }
    void dragged(const QPoint& delta, const QPoint&) override {
        events << QStringLiteral("drag %1,%2").arg(delta.x()).arg(delta.y());
    }
    void dragEnded(const QPoint&) override { events << "end"; }
    void zoomed(const QPoint&, double by, Qt::KeyboardModifiers) override { factor = by; }
    CardContent cardAt(const QPoint&, QRect& mark) const override {
        mark = QRect(10, 10, 5, 5);
        return hasCard ? CardContent{"title", {"line"}} : CardContent{};
    }
};

class PlainPanel final : public Panel {
public:
    PlainPanel(ViewState& state, QWidget* parent)
        : Panel(state, parent)
        , frame(new PanelFrame(*this)) {
        canvas = new Recorder;
        frame->header()->addWidget(new QWidget(this));
        frame->setCanvas(canvas);
        frame->showCanvas();
        refreshSentence();
    }
    QString id() const override { return QStringLiteral("plain"); }
    QString title() const override { return QStringLiteral("Plain"); }
    QString sentence() const override { return text; }
    void paintContent(QPainter& painter, const QSize& size) override {
        painter.fillRect(QRect(QPoint(0, 0), size), Qt::red);
    }
    void say(const QString& sentence) {
        text = sentence;
        refreshSentence();
    }
    QString text = QStringLiteral("Everything is well.");
    PanelFrame* frame;
    Recorder* canvas = nullptr;
};

void drag(QWidget& widget, const QPoint& from, const QPoint& to) {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, QPointF(to), widget.mapToGlobal(QPointF(to)), Qt::NoButton,
        Qt::LeftButton, {});
    QApplication::sendEvent(&widget, &move);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

} // namespace

class TestWidgets : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aCanvasTellsClicksFromDrags();
    void theWheelZoomsIn();
    void aCardComesAfterTheDelayAndGoesWithThePointer();
    void aPanelHidesWhatHasNoRoom();
    void theSentenceTakesTwoLinesAtMostAndIsReadWhole();
    void theEmptyStateLinksAWayOut();
    void aTableSortsNumbersAndFiltersWords();
    void aTableSelectsByMouseAndKeyboard();
    void aTableCopiesAndExportsWhatItShows();
    void everyExportFormatIsWritten_data();
    void everyExportFormatIsWritten();
    void exportsFailWithASentence();
    void bothThemesHaveEveryRole();
    void wordsOnMarksAreReadable();
    void everyIconDraws();
    void unknownIconsAreNull();
};

void TestWidgets::initTestCase() {
    Palette::apply(*qApp, Theme::Light);
}

void TestWidgets::aCanvasTellsClicksFromDrags() {
    Recorder canvas;
    canvas.resize(200, 200);
    canvas.show();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, {50, 50});
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ControlModifier, {50, 50});
    QCOMPARE(canvas.events, (QStringList{"click", "ctrl-click"}));
    canvas.events.clear();
    drag(canvas, {50, 50}, {90, 60});
    QCOMPARE(canvas.events, (QStringList{"start", "drag 40,10", "end"}));
    canvas.events.clear();
    QTest::mouseClick(&canvas, Qt::RightButton, {}, {50, 50});
    QVERIFY(canvas.events.isEmpty());
}

void TestWidgets::theWheelZoomsIn() {
    Recorder canvas;
    canvas.resize(200, 200);
    canvas.show();
    QWheelEvent event(QPointF(20, 20), canvas.mapToGlobal(QPointF(20, 20)), {}, {0, 120},
        Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &event);
    QVERIFY(canvas.factor > 1);
    QVERIFY(event.isAccepted());
}

void TestWidgets::aCardComesAfterTheDelayAndGoesWithThePointer() {
    Recorder canvas;
    canvas.resize(200, 200);
    canvas.show();
    QTest::mouseMove(&canvas, {20, 20});
    QMouseEvent move(QEvent::MouseMove, QPointF(20, 20), canvas.mapToGlobal(QPointF(20, 20)),
        Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&canvas, &move);
    QVERIFY(!canvas.card() || !canvas.card()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(canvas.card() && canvas.card()->isVisible(), 3000);
    QCOMPARE(canvas.card()->content().title, QStringLiteral("title"));
    QVERIFY(!canvas.card()->geometry().intersects(
        QRect(canvas.mapToGlobal(QPoint(10, 10)), QSize(5, 5))));
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, {20, 20});
    QVERIFY(!canvas.card()->isVisible());
}

void TestWidgets::aPanelHidesWhatHasNoRoom() {
    ViewState state;
    PlainPanel panel(state, nullptr);
    panel.resize(444, 500);
    panel.show();
    QVERIFY(panel.frame->header()->parentWidget()->isVisible());
    QVERIFY(panel.canvas->isVisible());
    panel.resize(444, 250);
    QTRY_VERIFY(!panel.frame->header()->parentWidget()->isVisible());
    QVERIFY(panel.canvas->isVisible());
    panel.resize(200, 100);
    QTRY_VERIFY(!panel.canvas->isVisible());
    QVERIFY(panel.frame->sentenceLabel()->isVisible());
}

void TestWidgets::theSentenceTakesTwoLinesAtMostAndIsReadWhole() {
    ViewState state;
    PlainPanel panel(state, nullptr);
    panel.resize(444, 320);
    panel.show();
    QCOMPARE(panel.frame->sentenceLabel()->height(), kSentenceHeight);
    const QString words = QStringLiteral("word ").repeated(80);
    QSignalSpy said(&panel, &Panel::sentenceChanged);
    panel.say(words);
    QCOMPARE(said.count(), 1);
    QTRY_COMPARE(panel.frame->sentenceLabel()->height(), 36);
    const QStringList lines = panel.frame->sentenceLabel()->lines(444);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines.back().endsWith(QChar(0x2026)));
    QCOMPARE(panel.frame->sentenceLabel()->toolTip(), words);
    QCOMPARE(panel.canvas->accessibleName(), words);
    QCOMPARE(panel.accessibleName(), words);
}

void TestWidgets::theEmptyStateLinksAWayOut() {
    ViewState state;
    PlainPanel panel(state, nullptr);
    panel.resize(444, 320);
    panel.show();
    panel.frame->showEmpty(QStringLiteral("Nothing."), QStringLiteral("Open…"), [] {});
    QVERIFY(panel.frame->isEmpty());
    QVERIFY(!panel.canvas->isVisible());
    QVERIFY(!panel.frame->sentenceLabel()->isVisible()); // it would say the same twice
    panel.frame->showCanvas();
    QVERIFY(panel.canvas->isVisible());
}

namespace {

/// Three rows: name and a number as text, sorted by its value.
void fill(QStandardItemModel& model) {
    model.setColumnCount(2);
    model.setHorizontalHeaderLabels({"Name", "Time"});
    const std::pair<const char*, double> rows[] = {
        {"alpha, first", 9}, {"beta", 100}, {"gamma", 20}};
    for (const auto& [name, time] : rows) {
        auto* number = new QStandardItem(QString::number(time));
        number->setData(time, kSortRole);
        model.appendRow({new QStandardItem(QString::fromLatin1(name)), number});
    }
}

} // namespace

void TestWidgets::aTableSortsNumbersAndFiltersWords() {
    QStandardItemModel model;
    fill(model);
    Table table(&model);
    QAbstractItemModelTester tester(
        table.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.sortByColumn(1, Qt::DescendingOrder);
    QCOMPARE(table.sourceRow(0), 1);
    QCOMPARE(table.sourceRow(1), 2); // 20 before 9: by value, not by letters
    QCOMPARE(table.viewRow(0), 2);
    table.setFilterText(QStringLiteral("GAM 20"));
    QCOMPARE(table.visibleRows(), 1);
    QCOMPARE(table.sourceRow(0), 2);
    QCOMPARE(table.viewRow(0), -1);
    table.setFilterText(QStringLiteral("nothing of the kind"));
    QCOMPARE(table.visibleRows(), 0);
    QCOMPARE(table.sourceRow(0), -1);
}

void TestWidgets::aTableSelectsByMouseAndKeyboard() {
    QStandardItemModel model;
    fill(model);
    Table table(&model);
    table.sortByColumn(1, Qt::DescendingOrder);
    table.resize(300, 200);
    table.show();
    QCOMPARE(table.rowHeight(0), kTableRow);
    QCOMPARE(table.horizontalHeader()->height(), kTableHeader);
    QSignalSpy chosen(&table, &Table::rowChosen);
    QSignalSpy activated(&table, &Table::rowActivated);
    QSignalSpy empty(&table, &Table::emptyClicked);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
        table.visualRect(table.model()->index(1, 0)).center());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.last().front().toInt(), 2);
    QTest::keyClick(&table, Qt::Key_Down);
    QCOMPARE(chosen.last().front().toInt(), 0);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(activated.last().front().toInt(), 0);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, {20, 150});
    QCOMPARE(empty.count(), 1);
}

void TestWidgets::aTableCopiesAndExportsWhatItShows() {
    QStandardItemModel model;
    fill(model);
    Table table(&model);
    table.sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(table.toCsv(),
        QStringLiteral("Name,Time\r\n\"alpha, first\",9\r\ngamma,20\r\nbeta,100\r\n"));
    table.setColumnHidden(1, true);
    table.setFilterText(QStringLiteral("beta"));
    QCOMPARE(table.toCsv(), QStringLiteral("Name\r\nbeta\r\n"));
    table.setCurrentSourceRow(1);
    table.copyCell();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("beta"));
}

void TestWidgets::everyExportFormatIsWritten_data() {
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QByteArray>("magic");
    QTest::newRow("png") << "png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << "svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
}

void TestWidgets::everyExportFormatIsWritten() {
    QFETCH(QString, suffix);
    QFETCH(QByteArray, magic);
    QTemporaryDir folder;
    ViewState state;
    state.setResult(testing::attentionSample(), true);
    PlainPanel panel(state, nullptr);
    const QString path = folder.filePath(QStringLiteral("panel.") + suffix);
    const auto done = exportPanel(panel, path, {300, 200});
    QVERIFY2(done.isOk(), done ? "" : done.error().message.c_str());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(magic));
    if (suffix == QLatin1String("png")) {
        const QImage image(path);
        QVERIFY(image.width() >= 2 * 300);
        QCOMPARE(image.pixelColor(image.width() / 2, image.height() / 2), QColor(Qt::red));
    }
}

void TestWidgets::exportsFailWithASentence() {
    ViewState state;
    PlainPanel panel(state, nullptr);
    for (const char* path :
        {"/nowhere/at/all.png", "/nowhere/at/all.svg", "/nowhere/at/all.pdf", "panel.doc"}) {
        const auto done = exportPanel(panel, QString::fromLatin1(path), {100, 100});
        QVERIFY2(!done.isOk(), path);
        QVERIFY(done.error().message.ends_with('.'));
        QCOMPARE(done.error().where, std::string(path));
    }
    QVERIFY(!exportCsv(panel, QStringLiteral("x.csv")).isOk());
    QVERIFY(!writeTextFile(QStringLiteral("/nowhere/at/all.csv"), {}).isOk());
}

void TestWidgets::bothThemesHaveEveryRole() {
    for (const auto theme : {Theme::Dark, Theme::Light}) {
        Palette::apply(*qApp, theme);
        const Palette& palette = Palette::current();
        for (const char* role : {"window", "base", "canvas", "border", "grid", "text",
                 "textSecondary", "highlight", "link", "error", "warning", "ok", "hatch", "neutral",
                 "neutralSoft", "node", "edge", "group", "titleBar"})
            QVERIFY2(
                palette.role(role).isValid() && palette.role(role) != QColor(Qt::magenta), role);
        QCOMPARE(qApp->palette().color(QPalette::Window), palette.role("window"));
        for (const char* family : {"gpu", "tpu", "cerebras", "groq", "spyre"})
            QVERIFY2(palette.machine(family) != palette.role("neutral"), family);
        QCOMPARE(palette.machine("cpu"), palette.role("neutral"));
        QVERIFY(palette.sequential(0) != palette.sequential(1));
        QCOMPARE(palette.sequential(-5), palette.sequential(0));
    }
    QCOMPARE(Palette::current().selection("halo"), QColor("#FFD21F"));
    QVERIFY(Palette::dash(machines::MemoryKind::Device).isEmpty());
    QCOMPARE(Palette::dash(machines::MemoryKind::Scratchpad), (QVector<qreal>{6, 3}));
}

void TestWidgets::wordsOnMarksAreReadable() {
    QCOMPARE(Palette::textOn(Qt::white), QColor(Qt::black));
    QCOMPARE(Palette::textOn(Qt::black), QColor(Qt::white));
    QCOMPARE(Palette::textOn(QColor("#234583")), QColor(Qt::white));
    QCOMPARE(Palette::textOn(QColor("#FAD180")), QColor(Qt::black));
}

void TestWidgets::everyIconDraws() {
    const char* names[] = {"open", "reload", "back", "forward", "undo", "redo", "fit",
        "fit-selection", "zoom-in", "zoom-out", "direction", "five", "compare", "play", "debug",
        "present", "search", "export", "theme", "copy", "columns"};
    for (const char* name : names) {
        const QIcon drawn = icon(QString::fromLatin1(name));
        QVERIFY2(!drawn.isNull(), name);
        const QImage image = drawn.pixmap(24, 24).toImage();
        int inked = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                inked += qAlpha(image.pixel(x, y)) > 128 ? 1 : 0;
        QVERIFY2(inked > 10 && inked < 24 * 24, name);
    }
}

void TestWidgets::unknownIconsAreNull() {
    QVERIFY(icon(QStringLiteral("no such icon")).isNull());
    QVERIFY(icon(QStringLiteral("../themes/tokens")).isNull());
}

QTEST_MAIN(TestWidgets)
#include "test_widgets.moc"
