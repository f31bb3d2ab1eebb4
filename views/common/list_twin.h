// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

#include <QListView>
#include <QPointer>

namespace fivefold::views::common {

/// What a canvas shows, as a list: the same things in the same order under the same selection, for
/// screen readers and for those who prefer words. Arrows move and select, Enter shows the
/// inspector. Any panel that answers twinRows() has one.
class ListTwin final : public QListView {
    Q_OBJECT

public:
    explicit ListTwin(QWidget* parent = nullptr);

    /// The panel that is listed; null: none.
    void setPanel(common::Panel* panel);
    common::Panel* panel() const { return m_panel; }
    /// Rows that belong to the selection, the clicked one first.
    std::vector<int> selectedRows() const;

signals:
    void panelChanged();

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Model;
    void refill();
    void followSelection();

    Model* m_model = nullptr;
    QPointer<common::Panel> m_panel;
    bool m_isFollowing = false; ///< the selection came from elsewhere
};

} // namespace fivefold::views::common
