// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/pipeline.h"
#include "views/common/view_state.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <QtTest>

/// What the tests of panels share: hands, and a panel on a state.
namespace fivefold::views::testing {

/// Pictures for the eye where FIVEFOLD_RENDER_DIR names a folder.
inline void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("FIVEFOLD_RENDER_DIR");
    if (folder.isEmpty())
        return;
    QCoreApplication::processEvents(); // layouts that wait for it
    QVERIFY(widget.grab().save(folder + '/' + name + ".png"));
}

inline void turnWheel(QWidget* widget, const QPoint& at, int delta) {
    QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

/// A press, two moves and a release, as a hand does it.
inline void drag(
    QWidget* widget, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {}) {
    const auto send = [&](QEvent::Type type, const QPoint& at, Qt::MouseButton button,
                          Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, widget->mapToGlobal(at), button, buttons, modifiers);
        QApplication::sendEvent(widget, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
}

/// A panel that shows a result.
template <typename PanelType> struct ShownPanel {
    explicit ShownPanel(
        std::shared_ptr<const analysis::Result> result, const QSize& size = {1000, 700})
        : panel(state, nullptr) {
        state.setResult(std::move(result), true);
        panel.resize(size);
        panel.show();
    }
    common::ViewState state;
    PanelType panel;
};

/// A model file lowered for a machine; null when either is not there.
inline std::shared_ptr<const analysis::Result> resultOf(
    const std::string& file, std::string_view machineId) {
    const auto model = analysis::openModel(file);
    const auto machine = machines::findMachine(machineId);
    if (!model || !machine)
        return nullptr;
    analysis::Request request{*model, machine, {}, {}};
    request.settings.precision = machine->defaultPrecision();
    const auto result = analysis::analyze(request);
    return result ? *result : nullptr;
}

/// The bundled attention block on a machine.
inline std::shared_ptr<const analysis::Result> attentionOn(std::string_view machineId) {
    return resultOf(FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx", machineId);
}

} // namespace fivefold::views::testing
