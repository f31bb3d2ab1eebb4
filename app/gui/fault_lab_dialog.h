// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/debug_session.h"
#include "core/compare/fault_lab.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QGroupBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace fivefold::views::common {
class ViewState;
}

namespace fivefold::app {

/// The catalogue of faults: plants one in a sample or in the open model, hides the answer, asks for
/// one and marks it. Stays open beside the window.
class FaultLabDialog final : public QDialog {
    Q_OBJECT

public:
    FaultLabDialog(DebugSession& debug, views::common::ViewState& state, QWidget* parent = nullptr);

    void select(numerics::FaultId fault);
    /// Plants the selected fault in the sample of that number of its carrier, 0 or 1.
    void plantInSample(int sample);
    void plantInModel();
    /// Next of three faults that the seed picks; the answer is hidden.
    void exercise();
    /// The next of the four causes of one NaN.
    void oneNan();
    void mark();

    QTreeWidget& list() const { return *m_list; }
    QCheckBox& hidden() const { return *m_hidden; }
    QSpinBox& seed() const { return *m_seed; }
    QComboBox& level() const { return *m_level; }
    QPushButton& markButton() const { return *m_mark; }
    QString marks() const;

private:
    void fillList();
    QWidget* createPlanting();
    QGroupBox* createExercises();
    QGroupBox* createAnswer();
    void showFault();
    void refreshAnswer();
    void plant(const compare::Carrier& carrier, int sample, bool isHidden,
        const std::map<std::string, double>& parameters = {});
    numerics::FaultId current() const;

    DebugSession& m_debug;
    views::common::ViewState& m_state;
    QTreeWidget* m_list = nullptr;
    QLabel *m_about = nullptr, *m_layer = nullptr, *m_marks = nullptr;
    QPushButton *m_first = nullptr, *m_second = nullptr, *m_model = nullptr, *m_mark = nullptr;
    QCheckBox* m_hidden = nullptr;
    QSpinBox* m_seed = nullptr;
    QComboBox* m_level = nullptr;
    int m_exercise = 0, m_nan = 0;
};

} // namespace fivefold::app
