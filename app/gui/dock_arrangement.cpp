// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/dock_arrangement.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>

namespace fivefold::app {

namespace {

constexpr int kStateVersion = 3;
constexpr int kWideWidth = 1500;
constexpr int kMediumWidth = 1200;

QString settingsKey(SizeClass size) {
    return QStringLiteral("docks/%1").arg(static_cast<int>(size));
}

/// Default widths and heights in pixels, from the interface description.
struct Sizes {
    int graph, middle, right;
    int upper, lower;
};

Sizes sizesOf(SizeClass size) {
    switch (size) {
    case SizeClass::Wide:
        return {560, 588, 444, 312, 312};
    case SizeClass::Medium:
        return {436, 416, 420, 280, 280};
    case SizeClass::Small:
        return {384, 636, 0, 300, 300};
    }
    return {};
}

void tabify(QMainWindow& window, QDockWidget* first, std::initializer_list<QDockWidget*> rest) {
    for (QDockWidget* dock : rest)
        window.tabifyDockWidget(first, dock);
    first->raise();
}

} // namespace

SizeClass sizeClass(const QSize& window) {
    if (window.width() >= kWideWidth)
        return SizeClass::Wide;
    return window.width() >= kMediumWidth ? SizeClass::Medium : SizeClass::Small;
}

void arrangeDefault(QMainWindow& window, const QMap<QString, QDockWidget*>& docks, SizeClass size) {
    const auto dock = [&](const char* id) { return docks.value(QString::fromLatin1(id)); };
    for (QDockWidget* each : docks) {
        window.removeDockWidget(each);
        each->setFloating(false);
    }
    QDockWidget* graph = dock("graph");
    QDockWidget* layout = dock("layout");
    QDockWidget* timeline = dock("timeline");
    QDockWidget* roofline = dock("roofline");
    QDockWidget* inspector = dock("inspector");
    QDockWidget* operators = dock("operators");
    QDockWidget* problems = dock("problems");
    QDockWidget* byClass = dock("by-class");
    QDockWidget* pipeline = dock("pipeline");
    QDockWidget* play = dock("play");
    QDockWidget* machine = dock("machine");
    QDockWidget* implementation = dock("implementation");

    window.addDockWidget(Qt::LeftDockWidgetArea, graph);
    window.splitDockWidget(graph, layout, Qt::Horizontal);
    switch (size) {
    case SizeClass::Wide:
        window.splitDockWidget(layout, operators, Qt::Vertical);
        window.splitDockWidget(layout, roofline, Qt::Horizontal);
        window.splitDockWidget(layout, timeline, Qt::Vertical);
        window.splitDockWidget(roofline, inspector, Qt::Vertical);
        tabify(window, inspector, {implementation});
        tabify(window, operators, {problems, byClass, pipeline, play});
        tabify(window, layout, {machine});
        break;
    case SizeClass::Medium:
        window.splitDockWidget(layout, roofline, Qt::Horizontal);
        window.splitDockWidget(layout, timeline, Qt::Vertical);
        window.splitDockWidget(roofline, inspector, Qt::Vertical);
        tabify(window, inspector, {operators, problems, byClass, pipeline});
        tabify(window, roofline, {implementation});
        tabify(window, timeline, {play});
        tabify(window, layout, {machine});
        break;
    case SizeClass::Small:
        window.splitDockWidget(layout, roofline, Qt::Vertical);
        tabify(window, layout, {timeline, machine, play, pipeline});
        tabify(window, roofline, {inspector, implementation, operators, problems, byClass});
        break;
    }
    for (QDockWidget* each : docks)
        each->show();
    // The first two lie over the docks when they are called,
    // and these belong to a comparison.
    for (const char* id :
        {"five", "published", "divergence", "verdict", "layers", "ladder", "elements", "element"})
        if (QDockWidget* each = dock(id)) {
            window.addDockWidget(Qt::BottomDockWidgetArea, each);
            each->hide();
        }
    // Showing raises; the first tab of each stack is the one to see.
    QList<QDockWidget*> first{layout, roofline};
    if (size == SizeClass::Medium)
        first = {inspector, layout, roofline, timeline};
    else if (size == SizeClass::Wide)
        first = {operators, inspector, layout};
    for (QDockWidget* each : first)
        each->raise();
    resizeDefault(window, docks, size);
}

void arrangeCompare(QMainWindow& window, const QMap<QString, QDockWidget*>& docks,
    QDockWidget* secondGraph, QDockWidget* secondLayout) {
    QDockWidget* graph = docks.value(QStringLiteral("graph"));
    QDockWidget* layout = docks.value(QStringLiteral("layout"));
    for (QDockWidget* each : docks)
        each->hide();
    const QList<QDockWidget*> shown{graph, secondGraph, layout, secondLayout};
    for (QDockWidget* each : shown) {
        window.removeDockWidget(each);
        each->setFloating(false);
    }
    window.addDockWidget(Qt::LeftDockWidgetArea, graph);
    window.splitDockWidget(graph, secondGraph, Qt::Horizontal);
    window.splitDockWidget(graph, layout, Qt::Vertical);
    window.splitDockWidget(secondGraph, secondLayout, Qt::Vertical);
    for (QDockWidget* each : shown)
        each->show();
    const int half = window.width() / 2;
    window.resizeDocks({graph, secondGraph}, {half, half}, Qt::Horizontal);
    const int graphs = window.height() * 6 / 10, layouts = window.height() * 4 / 10;
    window.resizeDocks({graph, layout}, {graphs, layouts}, Qt::Vertical);
    window.resizeDocks({secondGraph, secondLayout}, {graphs, layouts}, Qt::Vertical);
}

void arrangeDebug(QMainWindow& window, const QMap<QString, QDockWidget*>& docks) {
    const auto dock = [&](const char* id) { return docks.value(QString::fromLatin1(id)); };
    QDockWidget* verdict = dock("verdict");
    QDockWidget* layers = dock("layers");
    QDockWidget* graph = dock("graph");
    QDockWidget* ladder = dock("ladder");
    QDockWidget* elements = dock("elements");
    QDockWidget* element = dock("element");
    for (QDockWidget* each : docks)
        each->hide();
    const QList<QDockWidget*> shown{verdict, layers, graph, ladder, elements, element};
    for (QDockWidget* each : shown) {
        window.removeDockWidget(each);
        each->setFloating(false);
    }
    window.addDockWidget(Qt::LeftDockWidgetArea, verdict);
    window.splitDockWidget(verdict, layers, Qt::Vertical);
    window.splitDockWidget(layers, elements, Qt::Vertical);
    window.splitDockWidget(layers, graph, Qt::Horizontal);
    window.splitDockWidget(graph, ladder, Qt::Horizontal);
    window.splitDockWidget(elements, element, Qt::Horizontal);
    for (QDockWidget* each : shown)
        each->show();
    // Shares of the mock-up of 1600 × 1000; in a low window the verdict takes two lines.
    constexpr int kLowWindow = 850, kVerdict = 132, kLowVerdict = 86, kLeastVerdict = 60;
    verdict->widget()->setMinimumHeight(kLeastVerdict);
    const int width = window.width(), height = window.height();
    window.resizeDocks({layers, graph, ladder},
        {width * 34 / 100, width * 21 / 100, width * 45 / 100}, Qt::Horizontal);
    window.resizeDocks({elements, element}, {width * 71 / 100, width * 29 / 100}, Qt::Horizontal);
    window.resizeDocks({verdict, layers, elements},
        {height < kLowWindow ? kLowVerdict : kVerdict, height * 46 / 100, height * 31 / 100},
        Qt::Vertical);
}

void arrangeLecture(
    QMainWindow& window, const QMap<QString, QDockWidget*>& docks, const QString& other) {
    QDockWidget* graph = docks.value(QStringLiteral("graph"));
    QDockWidget* second = docks.value(other);
    for (QDockWidget* each : docks)
        each->hide();
    for (QDockWidget* each : {graph, second}) {
        window.removeDockWidget(each);
        each->setFloating(false);
    }
    window.addDockWidget(Qt::LeftDockWidgetArea, graph);
    window.splitDockWidget(graph, second, Qt::Horizontal);
    graph->show();
    second->show();
    window.resizeDocks({graph, second}, {window.width() / 2, window.width() / 2}, Qt::Horizontal);
}

void resizeDefault(QMainWindow& window, const QMap<QString, QDockWidget*>& docks, SizeClass size) {
    const auto dock = [&](const char* id) { return docks.value(QString::fromLatin1(id)); };
    QDockWidget* graph = dock("graph");
    QDockWidget* layout = dock("layout");
    QDockWidget* timeline = dock("timeline");
    QDockWidget* roofline = dock("roofline");
    QDockWidget* inspector = dock("inspector");
    QDockWidget* operators = dock("operators");
    const Sizes sizes = sizesOf(size);
    if (size == SizeClass::Small)
        window.resizeDocks({graph, layout}, {sizes.graph, sizes.middle}, Qt::Horizontal);
    else
        window.resizeDocks(
            {graph, layout, roofline}, {sizes.graph, sizes.middle, sizes.right}, Qt::Horizontal);
    if (size == SizeClass::Wide) {
        constexpr int kTables = 212;
        window.resizeDocks(
            {layout, timeline, operators}, {sizes.upper, sizes.lower, kTables}, Qt::Vertical);
        window.resizeDocks({roofline, inspector, operators}, {326, 298, kTables}, Qt::Vertical);
    } else if (size == SizeClass::Small) {
        window.resizeDocks({layout, roofline}, {sizes.upper, sizes.lower}, Qt::Vertical);
    } else {
        window.resizeDocks({layout, timeline}, {sizes.upper, sizes.lower}, Qt::Vertical);
        window.resizeDocks({roofline, inspector}, {sizes.upper, sizes.lower}, Qt::Vertical);
    }
}

void storeArrangement(const QMainWindow& window, SizeClass size) {
    QSettings().setValue(settingsKey(size), window.saveState(kStateVersion));
}

bool restoreArrangement(QMainWindow& window, SizeClass size) {
    const QByteArray state = QSettings().value(settingsKey(size)).toByteArray();
    return !state.isEmpty() && window.restoreState(state, kStateVersion);
}

void forgetArrangement(SizeClass size) {
    QSettings().remove(settingsKey(size));
}

} // namespace fivefold::app
