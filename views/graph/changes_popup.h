// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/stage_changes.h"
#include "views/common/view_state.h"

#include <QFrame>
#include <QVector>

class QTreeWidget;

namespace fivefold::views::graph {

/// One line of the list: a heading, or a change below it.
struct ChangeRow {
    bool isHeading = false;
    QString what; ///< "Added: 3 relayouts, 6 edges", "restickify_2"
    QString bytes; ///< of padding or of what is written; empty: none
    QString why; ///< the rule
    common::Selection selection; ///< what choosing it selects; empty: nothing
};

/// What a stage did, grouped: added by kind, fused, replaced, removed, padded, spilled, transfers.
/// At most kMostRows lines a group, the rest counted in its heading.
constexpr std::size_t kMostRows = 200;
QVector<ChangeRow> changeRows(
    const analysis::Result& result, const analysis::StageChanges& changes);

/// The list beside the Changes button. A click or Enter selects, Escape closes.
class ChangesPopup final : public QFrame {
    Q_OBJECT

public:
    ChangesPopup(const QVector<ChangeRow>& rows, QWidget* parent);

    /// Shows it below a global point, on the screen as a whole; it deletes itself when it closes.
    void present(const QPoint& global);
    QTreeWidget& list() const { return *m_list; }

signals:
    void chosen(const fivefold::views::common::Selection& selection);

private:
    QTreeWidget* m_list = nullptr;
};

} // namespace fivefold::views::graph
