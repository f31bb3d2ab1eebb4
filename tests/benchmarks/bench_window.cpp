// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
// A running window, off screen: from a choice to the painted panels.
#include "app/gui/main_window.h"
#include "views/graph/graph_panel.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QEventLoop>

#include <clocale>

using namespace fivefold;

namespace {

constexpr int kSettleMs = 20000;

QString modelPath(const char* name) {
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    return shared.isEmpty()
        ? QStringLiteral("samples/attention_block.onnx")
        : QStringLiteral("%1/data/onnx/%2.onnx").arg(shared, QLatin1String(name));
}

views::graph::GraphPanel& graphPanel(app::MainWindow& window) {
    return *qobject_cast<views::graph::GraphPanel*>(window.panel(QStringLiteral("graph")));
}

std::unique_ptr<app::MainWindow> makeWindow() {
    auto window = std::make_unique<app::MainWindow>();
    window->arrange({1600, 1000}, false);
    window->show();
    graphPanel(*window).drawings().setProgram(QStringLiteral(FIVEFOLD_PROGRAM));
    graphPanel(*window).setMotion(false);
    return window;
}

void waitForJob(app::MainWindow& window) {
    QEventLoop loop;
    QObject::connect(&window.session().jobs(), &app::JobRunner::finished, &loop, &QEventLoop::quit);
    if (window.session().jobs().isRunning())
        loop.exec();
}

void settleAndPaint(app::MainWindow& window) {
    for (views::common::Panel* panel : window.panels())
        panel->settle(kSettleMs);
    benchmark::DoNotOptimize(window.grab());
}

void openInRunningWindow(benchmark::State& state, const char* name) {
    const auto window = makeWindow();
    for (auto _ : state) {
        window->session().open(modelPath(name));
        waitForJob(*window);
        settleAndPaint(*window);
    }
}

/// Every scope expanded: all nodes placed and painted.
void expandAll(benchmark::State& state, const char* name) {
    const auto window = makeWindow();
    window->session().open(modelPath(name));
    waitForJob(*window);
    window->state().setStage(lowering::Stage::Captured);
    settleAndPaint(*window);
    for (auto _ : state) {
        state.PauseTiming();
        graphPanel(*window).setAllBelow(false);
        settleAndPaint(*window);
        state.ResumeTiming();
        graphPanel(*window).setAllBelow(true);
        settleAndPaint(*window);
    }
}

/// A stage that was shown before: what a key press costs.
void switchStage(benchmark::State& state, const char* name) {
    const auto window = makeWindow();
    window->session().open(modelPath(name));
    waitForJob(*window);
    for (lowering::Stage stage : lowering::kStages) {
        window->state().setStage(stage);
        settleAndPaint(*window);
    }
    int number = 0;
    for (auto _ : state) {
        window->state().setStage(lowering::kStages[number++ % lowering::kStageCount]);
        settleAndPaint(*window);
    }
}

} // namespace

BENCHMARK_CAPTURE(openInRunningWindow, gpt2_small, "gpt2_small")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(expandAll, gpt2_small, "gpt2_small")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(switchStage, gpt2_small, "gpt2_small")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("FivefoldBench"));
    views::common::Palette::apply(application, views::common::Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
