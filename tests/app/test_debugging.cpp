// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/debugging.h"
#include "app/gui/fault_lab_dialog.h"
#include "app/gui/message_bar.h"
#include "app/gui/open_runs_dialog.h"
#include "tests/app/window_fixture.h"
#include "views/divergence/focus.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

using namespace fivefold;
using app::DebugSession;
using views::divergence::Focus;

class TestDebugging : public QObject {
    Q_OBJECT

    QTemporaryDir m_home;
    std::unique_ptr<app::MainWindow> m_window;

    app::Debugging& debugging() { return m_window->debugging(); }
    DebugSession& session() { return debugging().session(); }
    Focus& focus() { return Focus::of(m_window->state()); }
    std::shared_ptr<const compare::Divergence> shown() { return m_window->state().divergence(); }

    /// Plants a fault in the first sample of its carrier and waits for the comparison.
    void plant(int fault, bool isHidden = false) {
        app::FaultLabDialog& lab = debugging().openFaultLab();
        lab.select(static_cast<numerics::FaultId>(fault));
        lab.hidden().setChecked(isHidden);
        lab.plantInSample(0);
        QTRY_VERIFY2_WITH_TIMEOUT(
            shown() != nullptr, qPrintable(m_window->messageBar().text() + lab.marks()), 20000);
    }

private slots:
    void initTestCase() { tests::useOwnSettings(m_home, QStringLiteral("FivefoldTestDebugging")); }
    void init() {
        m_window = tests::shownWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }

    void aPlantedFaultIsSelectedAndProved();
    void keysGoToTheNextAndTheWorst();
    void theAnswerIsHiddenUntilItIsMarked();
    void oneNanHasFourCauses();
    void runsFromFilesAreCompared();
    void aDumpThatIsNoneIsASentence();
    void anotherModelEndsTheComparison();
    void theArrangementComesAndGoes();
    void cardsAreWrittenAsMarkdownAndPdf();
};

void TestDebugging::aPlantedFaultIsSelectedAndProved() {
    plant(12);
    QCOMPARE(shown()->origins.size(), std::size_t{1});
    const compare::Layer& origin = shown()->layers[shown()->origins.front()];
    QVERIFY(origin.global.wrong.count > 0);
    QVERIFY(!shown()->levels.empty());
    QVERIFY(shown()->levels.front().level == numerics::Level::Layout);
    QVERIFY(shown()->levels.front().how == compare::HowKnown::Proved);
    // Selected at once, and the docks of a comparison are there.
    QCOMPARE(focus().layer(), std::optional(shown()->origins.front()));
    const QStringList docks = tests::shownDocks(*m_window);
    for (const char* id : {"verdict", "layers", "graph", "ladder", "elements", "element"})
        QVERIFY2(docks.contains(id), id);
    QVERIFY(m_window->state().lens() == views::common::Lens::Verdict);
}

void TestDebugging::keysGoToTheNextAndTheWorst() {
    plant(12);
    QWidget* layers = m_window->panel("layers");
    QVERIFY(layers);
    m_window->showPanel("layers");
    QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : layers;
    QTest::keyClick(target, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(focus().layer(), shown()->worst);
    QTest::keyClick(target, Qt::Key_N);
    QCOMPARE(focus().layer(), std::optional(shown()->origins.front()));
}

void TestDebugging::theAnswerIsHiddenUntilItIsMarked() {
    plant(12, true);
    QVERIFY(shown()->levels.empty());
    QVERIFY(!shown()->headline.empty());
    app::FaultLabDialog& lab = debugging().openFaultLab();
    QVERIFY(lab.markButton().isEnabled());
    lab.level().setCurrentIndex(3); // layout
    focus().setLayer(shown()->origins.front());
    QTest::mouseClick(&lab.markButton(), Qt::LeftButton);
    QVERIFY2(!lab.marks().isEmpty(), qPrintable(lab.marks()));
    QVERIFY(!shown()->levels.empty());
    QVERIFY(!lab.markButton().isEnabled());
}

void TestDebugging::oneNanHasFourCauses() {
    app::FaultLabDialog& lab = debugging().openFaultLab();
    std::vector<std::optional<numerics::Level>> levels;
    for (std::size_t i = 0; i < compare::nanCauses().size(); ++i) {
        const auto before = shown();
        lab.oneNan();
        QTRY_VERIFY_WITH_TIMEOUT(shown() && shown() != before, 60000);
        QVERIFY(!shown()->levels.empty());
        levels.push_back(shown()->levels.front().level);
        const compare::Layer& last = shown()->layers.back();
        QVERIFY2(!last.global.nonFiniteWrong.isEmpty(), qPrintable(QString::number(i)));
    }
    using numerics::Level;
    const std::vector<std::optional<Level>> expected{
        Level::Decomposition, Level::Fusion, Level::Layout, Level::Transfer};
    QVERIFY(levels == expected);
}

void TestDebugging::runsFromFilesAreCompared() {
    plant(12);
    const auto planted = session().current()->planted;
    QVERIFY(planted);
    const QString device = m_home.filePath("device.npz");
    QVERIFY(compare::writeNpz(device.toStdString(), planted->device).isOk());
    std::vector<std::pair<std::string, numerics::Tensor>> inputs;
    for (const auto& [name, datum] : planted->inputs)
        inputs.emplace_back(name, datum.tensor);
    QVERIFY(compare::writeNpz(m_home.filePath("inputs.npz").toStdString(), inputs).isOk());
    app::DebugSources sources;
    sources.device = QStringList{device};
    app::OpenRunsDialog dialog(sources, m_window.get());
    QCOMPARE(dialog.device().count(), 1);
    const auto before = shown();
    session().start(dialog.sources());
    QTRY_VERIFY_WITH_TIMEOUT(shown() != before, 60000);
    QCOMPARE(shown()->origins.size(), std::size_t{1});
    // Dumps alone never prove.
    QVERIFY(shown()->levels.front().how != compare::HowKnown::Proved);
}

void TestDebugging::aDumpThatIsNoneIsASentence() {
    QVERIFY(tests::openSample(*m_window, "attention_block.onnx"));
    QFile file(m_home.filePath("broken.npz"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("PK no zip");
    file.close();
    app::DebugSources sources;
    sources.device = QStringList{file.fileName()};
    session().start(sources);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->messageBar().text().isEmpty(), 20000);
    QVERIFY(!shown());
}

void TestDebugging::anotherModelEndsTheComparison() {
    plant(12);
    QVERIFY(tests::openSample(*m_window, "attention_block.onnx"));
    QVERIFY(!shown());
    QVERIFY(!session().current());
}

void TestDebugging::theArrangementComesAndGoes() {
    QVERIFY(tests::openSample(*m_window, "attention_block.onnx"));
    const QStringList before = tests::shownDocks(*m_window);
    QTest::keyClick(m_window.get(), Qt::Key_F8, Qt::ShiftModifier);
    QVERIFY(tests::shownDocks(*m_window).contains("ladder"));
    QVERIFY(!tests::shownDocks(*m_window).contains("roofline"));
    QTest::keyClick(m_window.get(), Qt::Key_F8, Qt::ShiftModifier);
    QCOMPARE(tests::shownDocks(*m_window), before);
}

void TestDebugging::cardsAreWrittenAsMarkdownAndPdf() {
    const QString markdown = QStringLiteral("# A card\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    for (const char* name : {"card.md", "card.pdf"}) {
        const QString path = m_home.filePath(name);
        QVERIFY(app::writeCard(markdown, path).isOk());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(2) == (path.endsWith("pdf") ? "%P" : "# "));
    }
    QVERIFY(!app::writeCard(markdown, "/nowhere/at/all/card.pdf").isOk());
}

QTEST_MAIN(TestDebugging)
#include "test_debugging.moc"
