// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/layout/curve_canvas.h"

class QLabel;
class QPushButton;

namespace fivefold::views::layout {

/// The five curves under a line that says what they vary, with the next size that all machines like
/// and the way back.
class CurvePane final : public QWidget {
    Q_OBJECT

public:
    CurvePane(common::ViewState& state, QWidget* parent);

    CurveCanvas* canvas() const { return m_canvas; }
    void setPicture(const CurvePicture& picture, std::int64_t bound);
    /// "Bind 640", "Back to 65".
    QPushButton* bindButton() const { return m_bind; }
    QPushButton* backButton() const { return m_back; }
    /// Height that shows all curves in full.
    static int wantedHeight();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateRow();

    CurveCanvas* m_canvas = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_hint = nullptr;
    QPushButton* m_bind = nullptr;
    QPushButton* m_back = nullptr;
};

} // namespace fivefold::views::layout
