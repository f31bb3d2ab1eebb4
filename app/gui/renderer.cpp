// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/renderer.h"

#include "app/gui/compare_docks.h"
#include "app/gui/debugging.h"
#include "app/gui/main_window.h"
#include "app/gui/samples.h"
#include "views/common/export.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTimer>

namespace fivefold::app {

using base::Done;
using base::Error;
using base::ErrorCode;
using views::common::Panel;

namespace {

constexpr int kSettleMs = 20000; // a drawing has its own limit of one second before it falls back
constexpr QSize kWindowSize{1600, 1000};
constexpr QSize kPanelSize{900, 600};

/// Opens the model on the machine and waits for the result.
base::Result<Done> openAndWait(MainWindow& window, const QString& file) {
    QEventLoop loop;
    std::optional<Error> failure;
    Session& session = window.session();
    QObject::connect(&session, &Session::failed, &loop, [&](const QString& sentence) {
        failure = Error{ErrorCode::Unreadable, sentence.toStdString(), {}};
    });
    QObject::connect(&session.jobs(), &JobRunner::finished, &loop, &QEventLoop::quit);
    session.open(file);
    loop.exec();
    if (failure)
        return *failure;
    return Done{};
}

base::Result<Done> select(MainWindow& window, const QString& name) {
    const auto result = window.state().result();
    const std::string wanted = name.toStdString();
    const ir::Graph& graph = result->graph();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == wanted) {
            window.state().selectNode(ir::NodeId(i));
            return Done{};
        }
    for (lowering::Stage stage : lowering::kStages) {
        const auto& nodes = result->program.stage(stage).nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[lowering::NodeId(i)].name == wanted) {
                window.state().selectLowered(stage, lowering::NodeId(i));
                return Done{};
            }
    }
    return Error{ErrorCode::NotFound,
        "No node of the model or of a stage has this name; names are those that the summary lists.",
        wanted};
}

void settle(MainWindow& window) {
    // The window is shown off screen; several rounds, since a panel that resizes asks for a new
    // drawing.
    for (int round = 0; round < 3; ++round) {
        QApplication::processEvents();
        for (Panel* panel : window.panels())
            panel->settle(kSettleMs);
        for (Panel* panel : window.compare().panels())
            panel->settle(kSettleMs);
    }
    QApplication::sendPostedEvents();
    QApplication::processEvents();
}

base::Result<Done> unwritable(const QString& path) {
    return Error{ErrorCode::Unreadable,
        "The picture could not be written; check that the folder exists and has room.",
        path.toStdString()};
}

base::Result<Done> renderWindow(MainWindow& window, const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("png"))
        return window.grab().save(path) ? base::Result<Done>(Done{}) : unwritable(path);
    if (suffix == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize(window.size());
        svg.setViewBox(window.rect());
        QPainter painter;
        if (!painter.begin(&svg))
            return unwritable(path);
        window.render(&painter);
        return painter.end() ? base::Result<Done>(Done{}) : unwritable(path);
    }
    if (suffix == QLatin1String("pdf")) {
        QPdfWriter pdf(path);
        constexpr int kDotsPerInch = 96;
        pdf.setResolution(kDotsPerInch);
        pdf.setPageSize(QPageSize(QSizeF(window.size()) * 72.0 / kDotsPerInch, QPageSize::Point));
        pdf.setPageMargins({});
        QPainter painter;
        if (!painter.begin(&pdf))
            return unwritable(path);
        window.render(&painter);
        return painter.end() ? base::Result<Done>(Done{}) : unwritable(path);
    }
    return Error{ErrorCode::InvalidArgument, "The output's name must end in .png, .svg or .pdf.",
        path.toStdString()};
}

/// Compares the runs and waits for what is found.
std::optional<Error> compareAndWait(MainWindow& window, const DebugSources& runs) {
    QEventLoop loop;
    std::optional<Error> failure;
    DebugSession& debug = window.debugging().session();
    QObject::connect(&debug, &DebugSession::failed, &loop, [&](const QString& sentence) {
        failure = Error{ErrorCode::Unreadable, sentence.toStdString(), {}};
    });
    QObject::connect(&debug.jobs(), &JobRunner::finished, &loop, &QEventLoop::quit);
    debug.start(runs);
    loop.exec();
    return failure;
}

std::optional<Error> prepare(MainWindow& window, const RenderRequest& request) {
    if (!request.machine.isEmpty()) {
        auto machine = machines::machineByIdOrFile(request.machine.toStdString());
        if (!machine)
            return machine.error();
        window.session().setMachine(*machine);
    }
    const QString file = request.file.isEmpty() ? bundledSample() : request.file;
    if (auto opened = openAndWait(window, file); !opened)
        return opened.error();
    if (request.runs)
        if (auto failure = compareAndWait(window, *request.runs))
            return failure;
    if (request.stage)
        window.state().setStage(*request.stage);
    if (!request.compare.isEmpty()) {
        auto machine = machines::machineByIdOrFile(request.compare.toStdString());
        if (!machine)
            return machine.error();
        window.arrangeForComparing(true);
        window.compare().side().setMachine(*machine);
        QElapsedTimer timer;
        timer.start();
        while (window.compare().side().jobs().isRunning() && timer.elapsed() < kSettleMs)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    }
    if (!request.select.isEmpty())
        if (auto selected = select(window, request.select); !selected)
            return selected.error();
    return std::nullopt;
}

} // namespace

QString bundledSample() {
    return samplePath(QStringLiteral("attention_block.onnx"));
}

base::Result<Done> render(const RenderRequest& request) {
    views::common::Palette::apply(
        *qobject_cast<QApplication*>(QApplication::instance()), request.theme);
    MainWindow window;
    const bool isWindow = request.panel == QLatin1String("window");
    Panel* panel = isWindow ? nullptr : window.panel(request.panel);
    if (!isWindow && !panel) {
        std::string known = "window";
        for (Panel* each : window.panels())
            known += ", " + each->id().toStdString();
        return Error{ErrorCode::InvalidArgument,
            "There is no panel of this name; there are " + known + ".",
            request.panel.toStdString()};
    }
    window.arrange(isWindow && request.size ? *request.size : kWindowSize, false);
    if (panel)
        window.showPanel(panel->id());
    window.show();
    if (auto failed = prepare(window, request))
        return *failed;
    if (panel) {
        const QSize size = request.size.value_or(kPanelSize);
        settle(window);
        return views::common::exportPanel(*panel, request.output, size);
    }
    settle(window);
    return renderWindow(window, request.output);
}

} // namespace fivefold::app
