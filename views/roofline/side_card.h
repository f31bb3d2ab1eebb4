// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/roofline/roofline_presenter.h"

#include <QWidget>

namespace fivefold::views::roofline {

/// What the column beside the chart says of one operator, of several, or of the whole graph.
struct SideContent {
    /// A label and its value.
    struct Pair {
        QString label, value;
        bool isBold = false;
    };
    /// One memory level: what is moved through it.
    struct Level {
        QString name;
        machines::MemoryKind kind = machines::MemoryKind::Device;
        base::Bytes bytes;
        double intensity = 0; ///< FLOP per byte
        std::optional<base::Seconds> time; ///< at the level's rate; nullopt: of several operators
    };
    /// One part of the time with the mark of what it is for.
    struct Part {
        QString name;
        lowering::Bound bound = lowering::Bound::Unknown;
        base::Seconds time;
    };
    struct Figure {
        machines::FigureStatus status = machines::FigureStatus::Estimated;
        QString text;
    };
    QString title;
    QVector<Pair> pairs;
    QVector<Level> levels;
    QVector<Part> parts;
    QString partsNote; ///< how the parts make the time, a sentence
    QVector<Figure> figures;

    QString text() const; ///< for a screen reader and the clipboard
};

/// Of the dots (indices into the picture); of the whole graph without any.
SideContent sideContent(
    const Picture& picture, const analysis::Result& result, const std::vector<std::size_t>& dots);

/// The column: width of the panel from which it is shown, and its own.
constexpr int kSideFromWidth = 900;
constexpr int kSideWidth = 300;
constexpr int kWideSideWidth = 344;
constexpr int kWideFromWidth = 1100;

/// Paints the column into the area; returns the y below the last row.
double paintSide(QPainter& painter, const QRectF& area, const SideContent& content);

class SideCard final : public QWidget {
    Q_OBJECT

public:
    explicit SideCard(QWidget* parent);
    void setContent(SideContent content);
    const SideContent& content() const { return m_content; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    SideContent m_content;
};

} // namespace fivefold::views::roofline
