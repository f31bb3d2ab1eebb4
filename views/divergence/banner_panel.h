// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/parts.h"
#include "views/divergence/words.h"

class QPushButton;
class QHBoxLayout;

namespace fivefold::views::divergence {

constexpr int kBannerHeight = 108;
constexpr int kFlatBannerHeight = 48; ///< two lines, where there is little room

/// Paints the banner; `buttons`: width at the right of the last line that stays free. Flat ones
/// have two lines.
void paintBanner(
    QPainter& painter, const BannerText& text, const QRectF& rect, double buttons, bool isFlat);

/// What went wrong first, which level is to blame, and how that is known.
class BannerPanel final : public common::Panel {
    Q_OBJECT

public:
    explicit BannerPanel(
        common::ViewState& state, QWidget* parent = nullptr, Place place = Place::Dock);

    QString id() const override { return QStringLiteral("verdict"); }
    QString title() const override { return tr("Verdict"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override;

    const BannerText& text() const { return m_text; }
    QPushButton* button(const QString& name) const; ///< "evidence", "reduce", "next", "worst"
    QSize sizeHint() const override { return {800, kBannerHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* addButton(const QString& name, const QString& text, QAction* action);
    void updateText();
    void placeButtons();
    bool isFlat() const;

    Focus& m_focus;
    BannerText m_text;
    EmptyLabel* m_empty = nullptr;
    QList<QPushButton*> m_buttons; ///< evidence, reduce, next, worst
    double m_buttonsWidth = 0;
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::divergence
