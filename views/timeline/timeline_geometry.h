// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/timeline/timeline_presenter.h"

#include <QPolygonF>
#include <QRectF>

#include <map>

namespace fivefold::views::timeline {

struct Tick {
    double x = 0; ///< y of a band's ticks
    QString text;
};
struct BandPlace {
    std::size_t band = 0; ///< index into Picture::bands
    QRectF label, plot;
    double top = 1; ///< bytes at the upper edge
    std::optional<double> capacityY; ///< of the capacity line; nullopt: off the scale or unknown
    QString capacityText;
    std::vector<Tick> ticks; ///< of bytes; none in low bands
    bool isPinned = false;
};
struct RowPlace {
    std::size_t row = 0;
    QRectF label, plot;
    bool isPinned = false;
};

enum class LineType { Title, Heading, Buffer, Total, Text, Link };
/// A line of the list at the right: totals of the range, what is alive, why the selected tensor
/// lies where it does, traffic by cause.
struct ListLine {
    QRectF rect;
    QString name, size, story;
    lowering::BufferId buffer; ///< of a buffer, and of the link to the rule that placed it
    LineType type = LineType::Heading;
};

/// What a user chose about the tracks, by their keys: it outlives results.
struct Arrangement {
    QStringList pins; ///< these stand on top, in this order, and are never left out for others
    QStringList hiddenLevels; ///< memories whose bands are not shown
    bool hasRange = false; ///< room for the row of the selected range
    /// While the scale is locked: bytes at the upper edge of each memory's band, by name, and the
    /// length of the axis that was in view. Empty and 0: not locked.
    std::map<QString, double> lockedTops;
    double lockedLength = 0;
};

/// Rectangles of the canvas for one size and view.
struct Geometry {
    QSizeF size;
    QRectF overview; ///< null in low panels
    QRectF plot; ///< from the first band to the last row
    QRectF axis;
    QRectF rangeRow; ///< below the axis; null without a range, and in low panels
    QRectF list; ///< null in narrow panels
    std::vector<BandPlace> bands;
    std::vector<RowPlace> rows;
    std::vector<Tick> ticks;
    std::size_t hiddenBands = 0, hiddenRows = 0; ///< for want of room
    bool isCut = false; ///< a locked scale leaves a part of the picture out
    common::Interval view;

    double toX(double at) const;
    double fromX(double x) const;
    const BandPlace* bandAt(const QPointF& point) const;
    const RowPlace* rowAt(const QPointF& point) const;
    /// The band or row whose name stands at a point.
    const BandPlace* bandLabelAt(const QPointF& point) const;
    const RowPlace* rowLabelAt(const QPointF& point) const;
    /// The part of the overview that is in view, for an axis of that length.
    QRectF window(double length) const;
};

constexpr double kListFrom = 900; ///< width from which the list of living buffers is there
constexpr double kListWidth = 276;
constexpr double kHandleReach = 6; ///< pixels from which a handle of the overview is grabbed

/// The key of a track: what pins go by.
QString trackKey(const Band& band);
QString trackKey(const Row& row);
/// The key of the track under a point, its name included; empty: none.
QString trackAt(const Picture& picture, const Geometry& geometry, const QPointF& point);
/// Keys of the tracks that are shown, from the top.
QStringList shownTracks(const Picture& picture, const Geometry& geometry);

Geometry arrange(const Picture& picture, const common::Interval& view, const QSizeF& size,
    const Arrangement& arrangement = {});

/// Ticks of 1-2-5 steps for a view in axis units; the first carries the unit.
std::vector<Tick> ticksOf(const Picture& picture, const Geometry& geometry);

/// A stretch of a band's curve in pixels. Stretches shorter than a pixel are merged into their
/// highest one, so there are at most about two a pixel, whatever the number of samples.
struct Stretch {
    double left = 0, right = 0;
    std::array<double, kKinds> bytes{};
    double total() const {
        double sum = 0;
        for (const double part : bytes)
            sum += part;
        return sum;
    }
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

/// A buffer's place in a band from its first write to its last read, in pixels and cut to the view;
/// the whole height where a band has too many changes to follow. Empty: not in view.
QPolygonF lifeOutline(const Picture& picture, const Geometry& geometry, const BandPlace& place,
    lowering::BufferId buffer);

/// An arrow from the end of an event to the start of one that depends on it.
struct Arrow {
    QPointF from, to;
    bool isHolding = false; ///< the later one starts when the earlier one ends, because of it
};
/// Arrows into and out of the chosen steps, or of all events in view where `steps` is null: at most
/// kMostArrows, those between the widest events first; where some of all are left out, so are those
/// of events under half a pixel. O(events in the rows + dependencies), no more memory than that of
/// the arrows.
std::vector<Arrow> arrows(
    const Picture& picture, const Geometry& geometry, const std::vector<char>* steps);
constexpr std::size_t kMostArrows = 150;

/// What the list shows beside what is alive.
struct ListContent {
    base::Picoseconds cursor;
    const schedule::RangeTotals* range = nullptr; ///< null: none is selected
    lowering::BufferId selected; ///< why it lies where it does; invalid: nothing is said
};
/// Totals of the range, then what is alive, memory by memory. Of a memory with many instances whose
/// buffers differ, what the fullest one holds, as the band's curve shows it, and how many buffers
/// lie on others. Then why the selected buffer lies where it does, and traffic by cause where there
/// is room.
std::vector<ListLine> listLines(
    const Picture& picture, const Geometry& geometry, const ListContent& content);

} // namespace fivefold::views::timeline
