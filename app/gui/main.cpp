// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/debugging.h"
#include "app/gui/main_window.h"
#include "app/gui/renderer.h"
#include "core/base/version.h"
#include "core/drawing/child.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QSettings>

#include <clocale>
#include <iostream>

using namespace fivefold;

namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

struct Arguments {
    std::string file;
    std::string machine;
    std::string render;
    std::string panel = "window";
    std::string size;
    std::string theme;
    std::string language;
    std::string stage;
    std::string compare;
    std::string select;
    std::vector<std::string> device, reference;
    std::string inputs;
    std::vector<std::string> faults;
};

void declare(CLI::App& app, Arguments& arguments) {
    app.set_version_flag("--version", std::string(base::kVersion));
    app.add_option("FILE", arguments.file, "Model to open; none: the bundled attention block");
    app.add_option("--machine", arguments.machine, "Machine id or a machine's JSON file");
    app.add_option("--render", arguments.render, "Paint off screen to .png, .svg or .pdf and end");
    app.add_option("--panel", arguments.panel, "Panel to render, or window");
    app.add_option("--size", arguments.size, "WxH in pixels");
    app.add_option("--theme", arguments.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}));
    app.add_option("--language", arguments.language, "Language of the interface, e.g. en");
    app.add_option(
        "--stage", arguments.stage, "captured, decomposed, fused, laid_out, placed or scheduled");
    app.add_option("--compare", arguments.compare,
        "With --render: machine of a second graph and layout beside the first");
    app.add_option("--select", arguments.select, "Name of the node to select");
    app.add_option("--device", arguments.device, "Dump of a device's run, once for each repeat")
        ->allow_extra_args(false);
    app.add_option("--reference", arguments.reference,
           "Dump of the run that it is compared with; none: computed here")
        ->allow_extra_args(false);
    app.add_option("--inputs", arguments.inputs, "Dump of the model's inputs");
    app.add_option("--fault", arguments.faults, "Fault of the lab to plant (F12) instead of a dump")
        ->allow_extra_args(false);
}

std::optional<QSize> parseSize(const std::string& text) {
    int width = 0, height = 0;
    char tail = 0;
    constexpr int kLargest = 16384; // largest side a raster canvas takes
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &tail) != 2 || width < 16
        || height < 16 || width > kLargest || height > kLargest)
        return std::nullopt;
    return QSize(width, height);
}

views::common::Theme themeOf(const Arguments& arguments) {
    const QString stored = QSettings().value(QStringLiteral("theme")).toString();
    const bool isDark = arguments.theme.empty()
        ? arguments.render.empty() && stored == QLatin1String("dark")
        : arguments.theme == "dark";
    return isDark ? views::common::Theme::Dark : views::common::Theme::Light;
}

QStringList pathsOf(const std::vector<std::string>& texts) {
    QStringList paths;
    for (const std::string& text : texts)
        paths << QString::fromStdString(text);
    return paths;
}

/// The runs to compare; nullopt: none are asked for. False: `wrong` names no fault.
bool readRuns(
    const Arguments& arguments, std::optional<app::DebugSources>& runs, std::string& wrong) {
    if (arguments.device.empty() && arguments.reference.empty() && arguments.faults.empty())
        return true;
    app::DebugSources sources;
    sources.device = pathsOf(arguments.device);
    sources.reference = pathsOf(arguments.reference);
    sources.inputs = QString::fromStdString(arguments.inputs);
    for (const std::string& text : arguments.faults) {
        const auto fault = numerics::parseFault(text);
        if (!fault) {
            wrong = text;
            return false;
        }
        sources.planted.push_back(*fault);
    }
    runs = std::move(sources);
    return true;
}

int wrongUsage(const std::string& sentence) {
    std::cerr << sentence << '\n';
    return kWrongUsage;
}

/// The off-screen platform warns about what it cannot do (size hints, a runtime folder); none of it
/// matters to a picture, and stderr is for the one sentence of a failure.
void dropWarnings(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::cerr << text.toStdString() << '\n';
}

int renderOffScreen(const Arguments& arguments, const std::optional<app::DebugSources>& runs) {
    app::RenderRequest request;
    request.output = QString::fromStdString(arguments.render);
    request.file = QString::fromStdString(arguments.file);
    request.machine = QString::fromStdString(arguments.machine);
    request.panel = QString::fromStdString(arguments.panel);
    request.compare = QString::fromStdString(arguments.compare);
    request.select = QString::fromStdString(arguments.select);
    request.theme = themeOf(arguments);
    request.runs = runs;
    if (!arguments.size.empty()) {
        request.size = parseSize(arguments.size);
        if (!request.size)
            return wrongUsage("--size: \"" + arguments.size + "\" is no size; write 1600x1000.");
    }
    if (!arguments.stage.empty()) {
        request.stage = lowering::parseStage(arguments.stage);
        if (!request.stage)
            return wrongUsage("--stage: \"" + arguments.stage
                + "\" is no stage; use captured, decomposed, fused, laid_out, placed or "
                  "scheduled.");
    }
    const auto done = app::render(request);
    if (!done) {
        std::cerr << done.error().text() << '\n';
        return kFailed;
    }
    return 0;
}

int runWindow(const Arguments& arguments, const std::optional<app::DebugSources>& runs) {
    views::common::Palette::apply(*qApp, themeOf(arguments));
    app::MainWindow window;
    constexpr QSize kDefaultSize{1600, 1000};
    const QSize size = arguments.size.empty()
        ? QSettings().value(QStringLiteral("size"), kDefaultSize).toSize()
        : parseSize(arguments.size).value_or(kDefaultSize);
    window.arrange(size, true);
    window.show();
    if (!arguments.machine.empty()) {
        auto machine = machines::machineByIdOrFile(arguments.machine);
        if (!machine) {
            std::cerr << machine.error().text() << '\n';
            return kFailed;
        }
        window.session().setMachine(*machine);
    }
    const QString file =
        arguments.file.empty() ? app::bundledSample() : QString::fromStdString(arguments.file);
    if (runs)
        window.debugging().session().openAndStart(
            file, QString::fromStdString(arguments.machine), *runs);
    else
        window.session().open(file);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    // The drawing child needs no window system at all; nothing else may run before it.
    if (argc == 2 && std::string_view(argv[1]) == "--draw")
        return drawing::runDrawChild(std::cin, std::cout);

    Arguments arguments;
    CLI::App parser{"Fivefold: one PyTorch model, five machines.", "fivefold"};
    declare(parser, arguments);
    try {
        parser.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return parser.exit(error) == 0 ? 0 : kWrongUsage;
    }
    std::optional<app::DebugSources> runs;
    if (std::string wrong; !readRuns(arguments, runs, wrong))
        return wrongUsage("--fault: \"" + wrong + "\" is no fault; write F01 to F35.");
    if (!arguments.render.empty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(dropWarnings);
    }

    QApplication application(argc, argv);
    // QApplication takes over the user's locale; numbers in files and in Graphviz are in the C
    // locale.
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("Fivefold"));
    QApplication::setOrganizationName(QStringLiteral("Fivefold"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(base::kVersion.data(), static_cast<int>(base::kVersion.size())));
    if (!arguments.language.empty())
        QLocale::setDefault(QLocale(QString::fromStdString(arguments.language)));
    return arguments.render.empty() ? runWindow(arguments, runs) : renderOffScreen(arguments, runs);
}
