// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/debug_session.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace fivefold::app {

/// Which runs are compared: the device's repeats, the reference's, the inputs. What is left empty
/// is computed here, and the dialog says so.
class OpenRunsDialog final : public QDialog {
    Q_OBJECT

public:
    explicit OpenRunsDialog(const DebugSources& before, QWidget* parent = nullptr);
    DebugSources sources() const;

    QListWidget& device() const { return *m_device; }
    QListWidget& reference() const { return *m_reference; }
    QLineEdit& inputs() const { return *m_inputs; }

private:
    QWidget* createList(QListWidget*& list, const QString& name);
    void add(QListWidget* list, bool isFolder);
    void refresh();

    QListWidget *m_device = nullptr, *m_reference = nullptr;
    QLineEdit* m_inputs = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton* m_compare = nullptr;
    compare::MatchEdits m_edits;
};

} // namespace fivefold::app
