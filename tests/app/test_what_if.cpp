// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/main_window.h"
#include "app/gui/what_if_bar.h"
#include "app/gui/what_if_choices.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace fivefold;
using app::MainWindow;

namespace {

/// Inputs of 1 × 128: Reshape constants hold both sizes.
QString fixedSample() {
    return QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx");
}

} // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;

    app::Session& session() const { return m_window->session(); }
    std::shared_ptr<const analysis::Result> result() const { return m_window->state().result(); }
    void wait() {
        QTRY_VERIFY_WITH_TIMEOUT(!session().jobs().isRunning()
                && (!session().model() || session().sizes().isKnown)
                && !session().backgroundJobs().isRunning(),
            60000);
    }
    template <typename Widget> Widget* named(const QString& name) const {
        for (Widget* widget : m_window->whatIfBar().findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    double total() const { return result()->totals.time.value; }

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("FivefoldTest"));
        QCoreApplication::setApplicationName(QStringLiteral("FivefoldTestWhatIf"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
    }

    void init() {
        views::common::Palette::apply(*qApp, views::common::Theme::Light);
        m_window = std::make_unique<MainWindow>();
        m_window->arrange({1600, 1000}, false);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        session().open(fixedSample());
        wait();
        QVERIFY(result());
    }

    void cleanup() { m_window.reset(); }

    void fixedSizesThatAreProvedHaveSliders() {
        for (const char* name : {"batch", "sequence"}) {
            auto* slider = named<QSlider>(QString::fromLatin1(name));
            QVERIFY2(slider, name);
            QVERIFY(slider->isEnabled());
        }
        QCOMPARE(named<QSpinBox>(QStringLiteral("sequence"))->value(), 128);
        QCOMPARE(named<QSpinBox>(QStringLiteral("batch"))->value(), 1);
    }

    void aSizeReachesTheResultAndIsTakenBack() {
        const double before = total();
        auto* batch = named<QSpinBox>(QStringLiteral("batch"));
        batch->setValue(8);
        wait();
        QVERIFY(total() > before);
        QCOMPARE(result()->request.bindings.dims.at("batch"), std::int64_t(8));
        const auto& shape = result()->typed->types[result()->graph().main().inputs[0]].shape;
        QCOMPARE(ir::toText(*shape), std::string("8×128×768"));
        QVERIFY(m_window->whatIfBar().bandText().contains(QStringLiteral("Δ +")));
        auto* restore = named<QToolButton>(QStringLiteral("Restore batch"));
        QVERIFY(restore && restore->isVisible());
        QTest::mouseClick(restore, Qt::LeftButton);
        QCoreApplication::processEvents();
        wait();
        QCOMPARE(total(), before);
        QVERIFY(!m_window->whatIfBar().bandText().contains(QStringLiteral("Δ")));
    }

    void oneDragIsOneStep() {
        auto* slider = named<QSlider>(QStringLiteral("sequence"));
        const int steps = session().undoStack().count();
        emit slider->sliderPressed();
        for (const int position : {24, 20, 16})
            slider->setValue(position);
        slider->setValue(12);
        emit slider->sliderReleased();
        wait();
        QCOMPARE(session().undoStack().count(), steps + 1);
        QCOMPARE(result()->request.bindings.dims.at("sequence"), std::int64_t(8));
        session().undoStack().undo();
        wait();
        QVERIFY(session().choices().isUntouched());
    }

    void everyModeIsWhatItSets() {
        session().setMachineNamed(QStringLiteral("gpu"));
        wait();
        auto* mode = named<QComboBox>(QStringLiteral("mode"));
        QVERIFY(mode);
        app::Choices choices = session().choices();
        app::setMode(choices, "eager");
        QVERIFY(!choices.isFusionOn);
        QCOMPARE(choices.settings.at("cuda_graph"), std::string("off"));
        QCOMPARE(app::currentMode(choices).value_or(""), std::string("eager"));
        app::clearMode(choices);
        QVERIFY(choices == session().choices());
        QVERIFY(app::defaultMode(*session().choices().machine).has_value());
    }

    void triedChoicesAreListedRemovedAndReset() {
        app::Choices choices = session().choices();
        choices.placements["x"] = "LX";
        choices.implementations["/attn/MatMul"]["tile"] = "64x64";
        session().change(QStringLiteral("try"), choices);
        wait();
        const auto tried = app::triedChoices(session().choices());
        QCOMPARE(tried.size(), std::size_t(2));
        choices = session().choices();
        tried.front().remove(choices);
        session().change(QStringLiteral("remove"), choices);
        QCOMPARE(app::triedChoices(session().choices()).size(), std::size_t(1));
        session().resetWhatIf();
        wait();
        QVERIFY(session().choices().isUntouched());
        session().undoStack().undo();
        wait();
        QCOMPARE(app::triedChoices(session().choices()).size(), std::size_t(1));
    }

    void anotherFileClearsWhatBelongsToTheModel() {
        app::Choices choices = session().choices();
        choices.bindings.dims["batch"] = 4;
        choices.placements["x"] = "LX";
        choices.implementations["/attn/MatMul"]["tile"] = "64x64";
        choices.substitutes["/attn/MatMul"] = "none";
        choices.fusionEdits["gpu"].push_back({});
        choices.precision = machines::Precision::Int8;
        session().change(QStringLiteral("try"), choices);
        wait();
        session().open(QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples/fusion_loses.onnx"));
        wait();
        QVERIFY(static_cast<const app::ModelChoices&>(session().choices()) == app::ModelChoices{});
        QVERIFY(session().choices().precision.has_value()); // that is no part of the model
        QCOMPARE(session().undoStack().count(), 0);
        QVERIFY(m_window->whatIfBar().bandText().contains(QStringLiteral("Δ"))); // of the file
    }

    void reloadKeepsWhatWasVaried() {
        session().bind(QStringLiteral("batch"), 4);
        wait();
        const double before = total();
        session().reload();
        wait();
        wait();
        QCOMPARE(session().boundSize("batch").value_or(0), std::int64_t(4));
        QCOMPARE(total(), before);
    }

    void nothingIsClippedAtThreeWidths() {
        for (const int width : {1600, 1280, 1024}) {
            m_window->resize(width, width == 1600 ? 1000 : 760);
            QTest::qWait(50);
            auto& bar = m_window->whatIfBar();
            for (const char* type : {"QSpinBox", "QComboBox", "QToolButton", "QPushButton"})
                for (QWidget* child : bar.findChildren<QWidget*>()) {
                    if (!child->inherits(type) || !child->isVisible()
                        || child->window() != m_window.get())
                        continue;
                    const QRect at(child->mapTo(&bar, QPoint(0, 0)), child->size());
                    QVERIFY2(bar.rect().contains(at),
                        qPrintable(child->accessibleName() + QString::number(width)));
                    QVERIFY2(child->width() >= child->minimumSizeHint().width(),
                        qPrintable(child->accessibleName() + QString::number(width)));
                }
        }
    }
};

QTEST_MAIN(TestWhatIf)
#include "test_what_if.moc"
