// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

namespace fivefold::app {

class MainWindow;

/// Lays one panel over all docks, and brings the docks back as they were.
class FullWidth final : public QObject {
    Q_OBJECT

public:
    explicit FullWidth(MainWindow& window);

    /// The panel that lies over the docks; empty: none.
    QString panelId() const;
    /// Shows the panel alone; a second time: back to the docks.
    void toggle(const QString& panelId);
    void leave();

signals:
    void changed();

private:
    void enter(const QString& panelId);
    void noteClosing();

    MainWindow& m_window;
    QString m_panelId;
    QByteArray m_before;
    bool m_wasExploring = true;
};

} // namespace fivefold::app
