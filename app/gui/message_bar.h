// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;

namespace fivefold::app {

class JobRunner;

/// The strip under the tool bars: while a job runs for more than 200 ms, its stage, a bar and
/// Cancel; after a failure, the sentence in the error colour with a button that puts it away. Never
/// modal.
class MessageBar final : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(JobRunner& jobs, QWidget* parent = nullptr);
    /// Shows the work of another runner as well; of two that run, the one that started last.
    void watch(JobRunner& jobs);

    void showError(const QString& sentence);
    void showNotice(const QString& sentence);
    QString text() const; ///< empty while nothing is shown

signals:
    void shownChanged(bool isShown); ///< the tool bar that holds it follows

private:
    void setShown(bool isShown);
    void showProgress(const QString& stage, double fraction);

    JobRunner* m_jobs = nullptr; ///< that started last; null: none runs
    QLabel* m_glyph;
    QLabel* m_label;
    QProgressBar* m_bar;
    QPushButton* m_button;
    QTimer m_delay;
    bool m_isShown = false;
    bool m_isMessage = false; ///< an error or a notice is shown, not a job
};

} // namespace fivefold::app
