// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/drawing/drawing.h"

#include <QCache>
#include <QObject>
#include <QProcess>
#include <QSet>
#include <QTimer>

#include <memory>
#include <stop_token>

namespace fivefold::views::graph {

/// Places graphs without ever blocking the UI thread: Graphviz in a child process for up to
/// drawing::kGraphvizLimit boxes and one second, our own layered engine in a worker thread for the
/// rest. One request at a time: a newer one kills the older. Finished drawings are kept by the text
/// of their input.
class DrawingService final : public QObject {
    Q_OBJECT

public:
    using Drawing = std::shared_ptr<const drawing::Output>;

    explicit DrawingService(QObject* parent = nullptr);
    ~DrawingService() override;

    /// The program that is started with `--draw`; empty: never a child. By default this very
    /// program where it is called fivefold (a test's main would not know the option).
    void setProgram(const QString& program) { m_program = program; }
    static void setDefaultProgram(const QString& program);
    static QString defaultProgram();

    static constexpr int kTimeoutMs = 1000;
    void setTimeout(int milliseconds) { m_timeoutMs = milliseconds; }

    /// Starts a drawing and returns its number. `finished` follows, from the event loop or, where
    /// the drawing is already known, at once.
    quint64 request(std::shared_ptr<const drawing::Input> input);
    void cancel();
    bool isBusy() const { return m_isBusy; }
    /// Processes events until nothing is pending or the time is over; true when nothing is pending.
    bool waitForDone(int timeoutMs);

signals:
    /// `drawing` is null only when no engine could place the input; `problem` then says why.
    void finished(quint64 number, fivefold::views::graph::DrawingService::Drawing drawing,
        const QString& problem);

private:
    void startChild();
    void childEnded();
    void fallBack();
    void deliver(Drawing drawing, const QString& problem = {});
    void stopChild();

    QString m_program;
    int m_timeoutMs = kTimeoutMs;
    quint64 m_number = 0;
    bool m_isBusy = false;
    std::shared_ptr<const drawing::Input> m_input;
    QByteArray m_key;
    QProcess* m_child = nullptr;
    QTimer m_timer;
    std::stop_source m_stop;
    QCache<QByteArray, Drawing> m_known;
    QSet<QByteArray> m_slow; ///< took Graphviz over its time once
};

} // namespace fivefold::views::graph
