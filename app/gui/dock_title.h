// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QDockWidget;

namespace fivefold::app {

/// The 24 px title of a dock: bold name, float and close buttons, and under it, while something is
/// being computed, a 3 px bar.
class DockTitle final : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget& dock);

    void setBusy(bool isBusy);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QDockWidget& m_dock;
    bool m_isBusy = false;
};

} // namespace fivefold::app
