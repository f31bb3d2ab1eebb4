// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_geometry.h"

#include "views/common/format.h"
#include "views/common/type.h"

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;

namespace {

constexpr std::size_t kMostPieces = 300; ///< of an outline
constexpr std::size_t kStacksUpTo = 20'000; ///< buffers of a program; more are not stacked again

/// Times at which a band's stack changes while the buffer lives and is in view, in pixels.
std::vector<double> changesOf(
    const Band& band, const Geometry& geometry, const BandPlace& place, double from, double to) {
    std::vector<double> xs;
    const double left = std::max(place.plot.left(), geometry.toX(from));
    const double right = std::min(place.plot.right(), geometry.toX(to));
    if (right < left)
        return xs;
    xs.push_back(left);
    auto it = std::upper_bound(band.samples.begin(), band.samples.end(), geometry.fromX(left),
        [](double at, const Sample& sample) { return at < sample.at; });
    for (; it != band.samples.end(); ++it) {
        const double x = geometry.toX(it->at);
        if (x >= right)
            break;
        if (x - xs.back() >= 1)
            xs.push_back(x);
    }
    xs.push_back(std::max(right, left + 1));
    return xs;
}

} // namespace

std::optional<lowering::BufferId> bufferAt(const Picture& picture, const Geometry& geometry,
    const BandPlace& place, const QPointF& point) {
    if (picture.isEmpty() || place.plot.height() <= 0)
        return std::nullopt;
    const double bytes = (place.plot.bottom() - point.y()) / place.plot.height() * place.top;
    double below = 0;
    for (const Slice& slice : stack(*picture.result, picture.bands[place.band].level,
             picture.fromAxis(geometry.fromX(point.x())))) {
        below += slice.bytes;
        if (bytes <= below)
            return slice.buffer;
    }
    return std::nullopt;
}

std::vector<BufferLabel> bufferLabels(
    const Picture& picture, const Geometry& geometry, const BandPlace& place) {
    constexpr std::size_t kMostNames = 4; // of buffers in a band
    constexpr std::size_t kNamesUpTo = 20'000; // buffers; more are not searched for names
    constexpr double kGap = 4; // between neighbouring labels
    std::vector<BufferLabel> labels;
    const auto& buffers = picture.result->program.buffers;
    if (buffers.size() > kNamesUpTo)
        return labels;
    std::vector<lowering::BufferId> ids;
    for (std::size_t b = 0; b < buffers.size(); ++b)
        if (buffers[lowering::BufferId(b)].level == picture.bands[place.band].level)
            ids.push_back(lowering::BufferId(b));
    const auto count = std::min(ids.size(), kMostNames);
    std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
        [&](auto a, auto b) {
            return std::pair(-buffers[a].bytes.value, a) < std::pair(-buffers[b].bytes.value, b);
        });
    ids.resize(count);
    const double line = lineHeight(smallFont());
    for (const auto id : ids) {
        const auto& buffer = buffers[id];
        const double left = std::max(place.plot.left(), geometry.toX(picture.toAxis(buffer.first)));
        const double right =
            std::min(place.plot.right(), geometry.toX(picture.toAxis(buffer.last)));
        const double bytes = static_cast<double>(
            (buffer.bytes - memory::paddingOf(picture.result->program, buffer)).value);
        const double height = bytes / place.top * place.plot.height();
        const QString text =
            bufferName(*picture.result, id) + QStringLiteral("  ") + formatBytes(buffer.bytes);
        const double width = textWidth(smallFont(), text) + 2;
        if (height < line + 2 || right - left < width + 6)
            continue;
        double below = 0;
        const auto middle = picture.fromAxis(geometry.fromX((left + right) / 2));
        const auto slices = stack(*picture.result, buffer.level, middle);
        const auto own = std::ranges::find(slices, id, &Slice::buffer);
        if (own == slices.end())
            continue; // on another instance than the curve shows there
        for (auto other = slices.begin(); other != own; ++other)
            below += other->bytes;
        const double centre =
            place.plot.bottom() - below / place.top * place.plot.height() - height / 2;
        const QRectF rect((left + right - width) / 2, centre - line / 2, width, line);
        const auto covers = [&](const BufferLabel& earlier) {
            return earlier.rect.adjusted(-kGap, 0, kGap, 0).intersects(rect);
        };
        if (std::ranges::none_of(labels, covers))
            labels.push_back({rect, text, id});
    }
    return labels;
}

QPolygonF lifeOutline(const Picture& picture, const Geometry& geometry, const BandPlace& place,
    lowering::BufferId id) {
    const Band& band = picture.bands[place.band];
    const auto& buffers = picture.result->program.buffers;
    if (!buffers.contains(id) || buffers[id].level != band.level)
        return {};
    const auto xs = changesOf(
        band, geometry, place, picture.toAxis(buffers[id].first), picture.toAxis(buffers[id].last));
    if (xs.size() < 2)
        return {};
    const QRectF& plot = place.plot;
    if (xs.size() > kMostPieces || buffers.size() > kStacksUpTo)
        return QPolygonF(
            QRectF(QPointF(xs.front(), plot.top()), QPointF(xs.back(), plot.bottom())));
    QPolygonF top, bottom;
    const auto y = [&](double bytes) { return plot.bottom() - bytes / place.top * plot.height(); };
    for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
        const auto middle = picture.fromAxis(geometry.fromX((xs[i] + xs[i + 1]) / 2));
        double below = 0;
        for (const Slice& slice : stack(*picture.result, band.level, middle)) {
            if (slice.buffer == id) {
                top << QPointF(xs[i], y(below + slice.bytes))
                    << QPointF(xs[i + 1], y(below + slice.bytes));
                bottom << QPointF(xs[i], y(below)) << QPointF(xs[i + 1], y(below));
                break;
            }
            below += slice.bytes;
        }
    }
    std::reverse(bottom.begin(), bottom.end());
    return top + bottom;
}

namespace {

/// Pixels of the narrower event of an arrow: where there are more arrows than are drawn, those
/// between narrower events are noise.
constexpr double kLeastArrowed = 0.5;

struct Candidate {
    double width = 0; ///< pixels of the narrower of its two events
    lowering::EventId event, before;
};

/// Keeps the kMostArrows widest; returns the width of the narrowest kept.
double keepWidest(std::vector<Candidate>& found) {
    const auto isWider = [](const Candidate& a, const Candidate& b) { return a.width > b.width; };
    const auto last = found.begin() + kMostArrows - 1;
    std::nth_element(found.begin(), last, found.end(), isWider);
    const double least = last->width;
    found.resize(kMostArrows);
    return least;
}

} // namespace

std::vector<Arrow> arrows(
    const Picture& picture, const Geometry& geometry, const std::vector<char>* steps) {
    const auto& program = picture.result->program;
    std::vector<double> rowY(program.resources.size(), -1);
    for (const RowPlace& place : geometry.rows)
        rowY[picture.rows[place.row].resource.index()] = place.plot.center().y();
    const auto isChosen = [&](lowering::StepId step) {
        return step.index() < steps->size() && (*steps)[step.index()] != 0;
    };
    std::vector<Candidate> found;
    double least = -1; // narrower ones cannot be among the widest any more
    const double perUnit =
        geometry.view.span() > 0 ? geometry.plot.width() / geometry.view.span() : 0;
    const base::Picoseconds from(picture.fromAxis(geometry.view.low).value - 1);
    const base::Picoseconds to(picture.fromAxis(geometry.view.high).value + 1);
    for (std::size_t e = 0; e < program.events.size(); ++e) {
        const lowering::EventId id(e);
        const auto& event = program.events[id];
        if (event.start < from || event.start > to || event.resource.index() >= rowY.size()
            || rowY[event.resource.index()] < 0)
            continue;
        const bool isOwn = !steps || isChosen(event.step);
        for (const lowering::EventId before : event.depends) {
            if (!program.events.contains(before))
                continue;
            const auto& earlier = program.events[before];
            if (earlier.resource.index() >= rowY.size() || rowY[earlier.resource.index()] < 0
                || (!isOwn && !isChosen(earlier.step)))
                continue;
            const double width = perUnit
                * std::min(picture.toAxis(event.end) - picture.toAxis(event.start),
                    picture.toAxis(earlier.end) - picture.toAxis(earlier.start));
            if (width <= least)
                continue;
            found.push_back({width, id, before});
            if (found.size() == 4 * kMostArrows)
                least = keepWidest(found);
        }
    }
    if (found.size() > kMostArrows)
        least = keepWidest(found);
    const bool isCut = least >= 0;
    std::vector<Arrow> out;
    for (const Candidate& candidate : found) {
        const auto& event = program.events[candidate.event];
        const auto& earlier = program.events[candidate.before];
        if (!steps && isCut && candidate.width < kLeastArrowed)
            continue;
        const bool isHolding = picture.result->timing.contains(candidate.event)
            && picture.result->timing[candidate.event].heldBy == candidate.before;
        out.push_back(
            {QPointF(std::max(geometry.plot.left() - 4, geometry.toX(picture.toAxis(earlier.end))),
                 rowY[earlier.resource.index()]),
                QPointF(geometry.toX(picture.toAxis(event.start)), rowY[event.resource.index()]),
                isHolding});
    }
    return out;
}

} // namespace fivefold::views::timeline
