// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/timeline/timeline_presenter.h"

#include <QRectF>

namespace fivefold::views::timeline {

struct BandPlace {
    std::size_t band = 0; ///< index into Picture::bands
    QRectF label, plot;
    double top = 1; ///< bytes at the upper edge
    std::optional<double> capacityY; ///< of the capacity line; nullopt: off the scale or unknown
    QString capacityText;
};
struct RowPlace {
    std::size_t row = 0;
    QRectF label, plot;
};
/// A line of the list of what is alive.
struct ListLine {
    QRectF rect;
    QString name, size, story;
    lowering::BufferId buffer; ///< invalid: a heading, or the count of what does not fit
    bool isHeading = false;
};
struct Tick {
    double x = 0;
    QString text;
};

/// Rectangles of the canvas for one size and view.
struct Geometry {
    QSizeF size;
    QRectF overview; ///< null in low panels
    QRectF plot; ///< from the first band to the last row
    QRectF axis;
    QRectF list; ///< null in narrow panels
    std::vector<BandPlace> bands;
    std::vector<RowPlace> rows;
    std::vector<Tick> ticks;
    std::size_t hiddenBands = 0, hiddenRows = 0;
    common::Interval view;

    double toX(double at) const;
    double fromX(double x) const;
    const BandPlace* bandAt(const QPointF& point) const;
    const RowPlace* rowAt(const QPointF& point) const;
};

constexpr double kListFrom = 900; ///< width from which the list of living buffers is there
constexpr double kListWidth = 276;

Geometry arrange(const Picture& picture, const common::Interval& view, const QSizeF& size);

/// Ticks of 1-2-5 steps for a view in axis units; the first carries the unit.
std::vector<Tick> ticksOf(const Picture& picture, const Geometry& geometry);

/// A stretch of a band's curve in pixels. Stretches shorter than a pixel are merged into their
/// highest one, so there are at most about two a pixel, whatever the number of samples.
struct Stretch {
    double left = 0, right = 0;
    std::array<double, kKinds> bytes{};
    double total() const { return bytes[0] + bytes[1] + bytes[2] + bytes[3]; }
};
std::vector<Stretch> curve(
    const Band& band, const Geometry& geometry, double from, double to, double left, double right);

/// Events of a row in pixels; those below a pixel join their neighbours. At most about one a pixel.
struct PlacedMark {
    double left = 0, right = 0;
    std::size_t first = 0; ///< index into Row::marks; of a cluster the longest
    std::size_t count = 1;
    bool isCritical = false;
};
std::vector<PlacedMark> placedMarks(const Row& row, const Geometry& geometry);
/// The event of a row nearest to x, at most `reach` pixels away.
std::optional<std::size_t> markAt(
    const Row& row, const Geometry& geometry, double x, double reach = 2);

/// The buffer under a point of a band, by stacking order.
std::optional<lowering::BufferId> bufferAt(
    const Picture& picture, const Geometry& geometry, const BandPlace& place, const QPointF& point);

/// A buffer's name and size on its block of the stack.
struct BufferLabel {
    QRectF rect; ///< of the text, one line high
    QString text;
    lowering::BufferId buffer;
};
/// Labels of the largest buffers of a band, where the block has room for one; a label that would
/// cover an earlier, larger buffer's is left out. O(buffers).
std::vector<BufferLabel> bufferLabels(
    const Picture& picture, const Geometry& geometry, const BandPlace& place);

/// What is alive, memory by memory. Of a memory with many instances whose buffers differ, what the
/// fullest one holds, as the band's curve shows it, and how many buffers lie on others.
std::vector<ListLine> listLines(
    const Picture& picture, const Geometry& geometry, base::Picoseconds cursor);

} // namespace fivefold::views::timeline
