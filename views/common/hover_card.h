// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>

class QLabel;

namespace fivefold::views::common {

/// What a card says: a bold name and at most six lines (value, band, status with its source,
/// cause).
struct CardContent {
    static constexpr int kMaximumLines = 6;
    QString title;
    QStringList lines;
    bool isEmpty() const { return title.isEmpty() && lines.isEmpty(); }
    bool operator==(const CardContent&) const = default;
};

/// Where a card of that size goes: beside or below the mark, never over it, inside the bounds where
/// possible.
QRect placeCard(const QSize& card, const QRect& mark, const QRect& bounds);

/// The card that explains a mark after the pointer has rested on it. At most 360 px wide.
class HoverCard final : public QFrame {
    Q_OBJECT

public:
    static constexpr int kWidth = 360;

    explicit HoverCard(QWidget* parent);

    /// Shows the content beside the mark (global coordinates).
    void present(const CardContent& content, const QRect& globalMark);
    const CardContent& content() const { return m_content; }
    /// A pinned card stays until the next click.
    void setPinned(bool pinned) { m_isPinned = pinned; }
    bool isPinned() const { return m_isPinned; }

private:
    CardContent m_content;
    QLabel* m_label = nullptr;
    bool m_isPinned = false;
};

} // namespace fivefold::views::common
