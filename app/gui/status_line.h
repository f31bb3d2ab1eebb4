// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QLabel;
class QStatusBar;

namespace fivefold::app {

class Session;

/// What the status bar says: file, counts, selection, problems.
class StatusLine final : public QObject {
    Q_OBJECT

public:
    StatusLine(Session& session, QStatusBar& bar);

private:
    void refresh();

    Session& m_session;
    QLabel* m_file = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_selection = nullptr;
    QLabel* m_problems = nullptr;
};

} // namespace fivefold::app
