// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <QLineEdit>

namespace fivefold::app {

/// Finds captured nodes by name, operator, shape, or pattern ("MatMul → * → Softmax"); Enter and F3
/// go to the next match, Shift+F3 to the one before, Esc clears.
class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchField(views::common::ViewState& state, QWidget* parent = nullptr);

    void findNext();
    void findPrevious();
    const std::vector<ir::NodeId>& matches() const { return m_matches; }

signals:
    /// "3 of 12", "no match", or empty.
    void statusChanged(const QString& status);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void search();
    void step(int direction);

    views::common::ViewState& m_state;
    std::vector<ir::NodeId> m_matches;
    qsizetype m_at = -1;
};

} // namespace fivefold::app
