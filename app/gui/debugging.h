// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/debug_session.h"

namespace fivefold::app {

class FaultLabDialog;
class MainWindow;
class MessageBar;

/// What finds the first diverging layer in the window: its dialogs, its files, its arrangement, and
/// what the divergence panels ask for.
class Debugging final : public QObject {
    Q_OBJECT

public:
    explicit Debugging(MainWindow& window);

    DebugSession& session() { return m_debug; }
    /// Failures and progress go there.
    void showIn(MessageBar& messages);
    void openRuns(); ///< asks for dumps and compares them
    void compareComputed(); ///< the machine's own numerics against fp64
    FaultLabDialog& openFaultLab();
    void saveEvidence(std::size_t origin); ///< .md or .pdf
    void saveReproducer(std::size_t origin);
    void showCaptureScript();
    void showMatches();
    void plant(numerics::FaultId fault); ///< in the first sample of its carrier
    /// The docks of a comparison, or back to Explore.
    void arrange(bool isOn);
    bool isArranged() const;

signals:
    void arrangedChanged(bool isOn);

private:
    void connectFocus();
    void take();

    MainWindow& m_window;
    DebugSession m_debug;
    JobRunner m_jobs; ///< reducing
    FaultLabDialog* m_lab = nullptr;
    bool m_isArranged = false;
    bool m_isSeen = false; ///< a comparison has been arranged for
};

/// Writes a card as Markdown or as a PDF of A4 pages, by the suffix of the path.
base::Result<base::Done> writeCard(const QString& markdown, const QString& path);

} // namespace fivefold::app
