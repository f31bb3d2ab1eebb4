// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/timeline/timeline_geometry.h"

#include "views/common/format.h"
#include "views/common/type.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fivefold::views::timeline {

using namespace common;
using base::Picoseconds;

namespace {

constexpr double kPadding = 8;
constexpr double kOverviewHeight = 24;
constexpr double kOverviewFrom = 330;
constexpr double kBandMinimum = 64;
constexpr double kBandSmallest = 40;
constexpr double kRowMinimum = 22;
constexpr double kRowMaximum = 52;
constexpr double kAxisHeight = 22;
constexpr double kGap = 4;
constexpr double kHeadroom = 1.25; ///< a curve ends below the upper edge, where the words stand
constexpr double kTickDistance = 64;
constexpr double kRangeHeight = 24;
constexpr double kPinWidth = 12; ///< the sign of a pinned track, at the right of its name
constexpr double kRangeFrom = 240; ///< height from which the row of the selected range is there
constexpr double kBandTicksFrom = 88;

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

double labelWidth(const Picture& picture, double width) {
    double widest = 0;
    for (const Band& band : picture.bands) {
        widest = std::max<double>(widest, textWidth(boldFont(), band.name));
        widest = std::max<double>(
            widest, textWidth(smallFont(), tr("peak %1").arg(formatBytes(band.peak))));
        if (band.capacity)
            widest = std::max<double>(
                widest, textWidth(smallFont(), tr("of %1").arg(formatBytes(*band.capacity))));
    }
    for (const Row& row : picture.rows)
        widest = std::max<double>(widest, textWidth(smallFont(), row.name));
    return std::min(widest + kPinWidth + 8, width * 0.3);
}

double niceStep(double rough) {
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough)
            return factor * power;
    return 10 * power;
}

/// Round sizes below the words at the upper edge.
std::vector<Tick> byteTicks(const BandPlace& place) {
    std::vector<Tick> ticks;
    if (place.plot.height() < kBandTicksFrom)
        return ticks;
    double unit = 1;
    while (place.top >= unit * 1024)
        unit *= 1024;
    const double step =
        std::max(1.0, niceStep(place.top / unit / std::max(2.0, place.plot.height() / 48))) * unit;
    for (double at = step; at < place.top * 0.9; at += step)
        ticks.push_back({place.plot.bottom() - at / place.top * place.plot.height(),
            formatBytes(base::Bytes(static_cast<std::int64_t>(at)))});
    return ticks;
}

/// `lockedTop` is 0 where the scale is free.
void scaleBand(const Band& band, double lockedTop, BandPlace& place) {
    if (band.isCache()) {
        place.capacityText = band.words.join(QStringLiteral(" · "));
        return;
    }
    const auto peak = static_cast<double>(std::max<std::int64_t>(1, band.peak.value));
    place.top = lockedTop > 0 ? lockedTop : peak * kHeadroom;
    if (!band.capacity) {
        place.capacityText = tr("capacity unknown");
    } else if (const auto capacity = static_cast<double>(band.capacity->value);
               band.hasCapacityInScale()) {
        place.top = lockedTop > 0 ? lockedTop : std::max(capacity, peak) * 1.12;
        place.capacityY = place.plot.bottom() - capacity / place.top * place.plot.height();
        place.capacityText = tr("usable %1").arg(formatBytes(*band.capacity));
    } else {
        place.capacityText =
            tr("usable %1 is %2 × this scale ↑")
                .arg(formatBytes(*band.capacity), formatCount(std::llround(capacity / place.top)));
    }
    place.ticks = byteTicks(place);
}

/// A band or a row that asks for room.
struct Track {
    std::size_t index = 0; ///< into Picture::bands or Picture::rows
    bool isBand = false, isCache = false, isPinned = false;
};

/// Pinned tracks in the order of the pins, then bands, then rows.
std::vector<Track> tracksOf(const Picture& picture, const Arrangement& arrangement) {
    std::vector<std::pair<qsizetype, Track>> tracks;
    const qsizetype last = arrangement.pins.size();
    const auto add = [&](const QString& key, Track track) {
        const qsizetype pin = arrangement.pins.indexOf(key);
        track.isPinned = pin >= 0;
        tracks.emplace_back(track.isPinned ? pin : last, track);
    };
    for (std::size_t b = 0; b < picture.bands.size(); ++b)
        if (!arrangement.hiddenLevels.contains(picture.bands[b].key))
            add(trackKey(picture.bands[b]), {b, true, picture.bands[b].isCache(), false});
    for (std::size_t r = 0; r < picture.rows.size(); ++r)
        add(trackKey(picture.rows[r]), {r, false, false, false});
    std::stable_sort(tracks.begin(), tracks.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Track> out;
    for (const auto& [pin, track] : tracks)
        out.push_back(track);
    return out;
}

double cacheHeight() {
    return lineHeight(smallFont()) + 6;
}

/// Takes one track out, the one that is missed least; false when none is left.
bool dropOne(std::vector<Track>& tracks) {
    const auto drop = [&](auto isVictim, std::ptrdiff_t keep) {
        if (std::ranges::count_if(tracks, isVictim) <= keep)
            return false;
        const auto found = std::find_if(tracks.rbegin(), tracks.rend(),
            [&](const Track& track) { return isVictim(track) && !track.isPinned; });
        if (found == tracks.rend())
            return false;
        tracks.erase(std::next(found).base());
        return true;
    };
    const auto isRow = [](const Track& track) { return !track.isBand; };
    const auto isCache = [](const Track& track) { return track.isCache; };
    const auto isBand = [](const Track& track) { return track.isBand && !track.isCache; };
    if (drop(isRow, 2) || drop(isCache, 0) || drop(isBand, 1) || drop(isRow, 0))
        return true;
    if (tracks.size() <= 1)
        return false;
    tracks.pop_back();
    return true;
}

/// Heights that bands and rows get: bands at least 64 and rows 22, the rest in the proportion 2 to
/// 1; what does not fit even at 40 is left out.
struct Heights {
    double band = 0, row = 0;
};
Heights fit(std::vector<Track>& tracks, double room) {
    Heights out;
    const auto needed = [&](double band) {
        double sum = 0;
        for (const Track& track : tracks)
            sum += track.isCache ? cacheHeight() + kGap : track.isBand ? band + kGap : kRowMinimum;
        return sum;
    };
    out.band = needed(kBandMinimum) <= room ? kBandMinimum : kBandSmallest;
    while (needed(out.band) > room && dropOne(tracks)) { }
    const auto rows = static_cast<double>(
        std::ranges::count_if(tracks, [](const Track& track) { return !track.isBand; }));
    const auto bands = static_cast<double>(std::ranges::count_if(
        tracks, [](const Track& track) { return track.isBand && !track.isCache; }));
    out.row = kRowMinimum;
    double spare = std::max(0.0, room - needed(out.band));
    if (rows > 0) {
        const double each =
            std::min(bands > 0 ? spare / 3 / rows : spare / rows, kRowMaximum - kRowMinimum);
        out.row += each;
        spare -= each * rows;
    }
    if (bands > 0)
        out.band += spare / bands;
    return out;
}

/// Unit of time labels: its size in picoseconds and its sign.
std::pair<double, QString> timeUnit(double picoseconds) {
    static const std::pair<double, const char*> units[] = {
        {1e12, "s"}, {1e9, "ms"}, {1e6, "µs"}, {1e3, "ns"}};
    for (const auto& [size, sign] : units)
        if (picoseconds >= size)
            return {size, QString::fromUtf8(sign)};
    return {1, QStringLiteral("ps")};
}

} // namespace

double Geometry::toX(double at) const {
    return view.span() > 0 ? plot.left() + (at - view.low) / view.span() * plot.width()
                           : plot.left();
}

double Geometry::fromX(double x) const {
    return plot.width() > 0 ? view.low + (x - plot.left()) / plot.width() * view.span() : view.low;
}

const BandPlace* Geometry::bandAt(const QPointF& point) const {
    for (const BandPlace& place : bands)
        if (place.plot.contains(point))
            return &place;
    return nullptr;
}

const RowPlace* Geometry::rowAt(const QPointF& point) const {
    for (const RowPlace& place : rows)
        if (place.plot.contains(point))
            return &place;
    return nullptr;
}

const BandPlace* Geometry::bandLabelAt(const QPointF& point) const {
    for (const BandPlace& place : bands)
        if (place.label.contains(point))
            return &place;
    return nullptr;
}

const RowPlace* Geometry::rowLabelAt(const QPointF& point) const {
    for (const RowPlace& place : rows)
        if (place.label.contains(point))
            return &place;
    return nullptr;
}

QRectF Geometry::window(double length) const {
    if (overview.isNull() || length <= 0)
        return {};
    const double left = overview.left() + view.low / length * overview.width();
    const double right = overview.left() + view.high / length * overview.width();
    return {QPointF(left, overview.top()), QPointF(std::max(left + 2, right), overview.bottom())};
}

QString trackKey(const Band& band) {
    return QStringLiteral("memory:") + band.key;
}

QString trackKey(const Row& row) {
    return QStringLiteral("resource:") + row.name;
}

QString trackAt(const Picture& picture, const Geometry& geometry, const QPointF& point) {
    const BandPlace* band = geometry.bandAt(point);
    if (!band)
        band = geometry.bandLabelAt(point);
    if (band)
        return trackKey(picture.bands[band->band]);
    const RowPlace* row = geometry.rowAt(point);
    if (!row)
        row = geometry.rowLabelAt(point);
    return row ? trackKey(picture.rows[row->row]) : QString();
}

QStringList shownTracks(const Picture& picture, const Geometry& geometry) {
    std::vector<std::pair<double, QString>> tracks;
    for (const BandPlace& place : geometry.bands)
        tracks.emplace_back(place.plot.top(), trackKey(picture.bands[place.band]));
    for (const RowPlace& place : geometry.rows)
        tracks.emplace_back(place.plot.top(), trackKey(picture.rows[place.row]));
    std::sort(tracks.begin(), tracks.end());
    QStringList keys;
    for (const auto& [top, key] : tracks)
        keys << key;
    return keys;
}

Geometry arrange(const Picture& picture, const Interval& view, const QSizeF& size,
    const Arrangement& arrangement) {
    Geometry out;
    out.size = size;
    out.view = view;
    double right = size.width() - kPadding;
    if (size.width() >= kListFrom) {
        out.list = QRectF(size.width() - kListWidth, 0, kListWidth, size.height());
        right = out.list.left() - kPadding;
    }
    const double labels = labelWidth(picture, right);
    const double left = kPadding + labels;
    double top = 4;
    double bottom = size.height() - kAxisHeight - 2;
    if (right - left < 40 || bottom - top < kRowMinimum)
        return out;
    const bool hasRange = arrangement.hasRange && size.height() >= kRangeFrom;
    if (hasRange)
        bottom -= kRangeHeight;
    if (size.height() >= kOverviewFrom) {
        out.overview = QRectF(left, top, right - left, kOverviewHeight);
        top += kOverviewHeight + kGap;
    }
    std::vector<Track> tracks = tracksOf(picture, arrangement);
    const std::size_t all = tracks.size();
    const auto bands = [&] {
        return static_cast<std::size_t>(
            std::ranges::count_if(tracks, [](const Track& track) { return track.isBand; }));
    };
    const std::size_t allBands = bands();
    const Heights heights = fit(tracks, bottom - top);
    out.hiddenBands = allBands - bands();
    out.hiddenRows = all - tracks.size() - out.hiddenBands;
    out.plot = QRectF(left, top, right - left, bottom - top);
    for (const Track& track : tracks) {
        const double height = track.isCache ? cacheHeight()
            : track.isBand                  ? heights.band
                                            : heights.row - 2;
        const QRectF label(kPadding, top, labels - 8, height);
        const QRectF plot(left, top, right - left, height);
        if (track.isBand) {
            BandPlace place;
            place.band = track.index;
            place.label = label;
            place.plot = plot;
            place.isPinned = track.isPinned;
            const Band& band = picture.bands[track.index];
            const auto locked = arrangement.lockedTops.find(band.key);
            scaleBand(band, locked == arrangement.lockedTops.end() ? 0 : locked->second, place);
            out.isCut = out.isCut || static_cast<double>(band.peak.value) > place.top;
            out.bands.push_back(std::move(place));
        } else {
            out.rows.push_back({track.index, label, plot, track.isPinned});
        }
        top += track.isBand ? height + kGap : heights.row;
    }
    out.plot.setBottom(top);
    out.axis = QRectF(left, top, right - left, kAxisHeight);
    if (hasRange)
        out.rangeRow = QRectF(left, out.axis.bottom() + 2, right - left, kRangeHeight - 4);
    out.ticks = ticksOf(picture, out);
    out.isCut = out.isCut
        || (arrangement.lockedLength > 0 && picture.length > arrangement.lockedLength * 1.001);
    return out;
}

std::vector<Tick> ticksOf(const Picture& picture, const Geometry& geometry) {
    std::vector<Tick> ticks;
    const double span = geometry.view.span();
    if (span <= 0 || geometry.plot.width() <= 0)
        return ticks;
    double step = niceStep(span / std::max(1.0, geometry.plot.width() / kTickDistance));
    const bool isTime = picture.order == Order::Time;
    if (!isTime)
        step = std::max(1.0, step);
    const auto [unit, sign] = timeUnit(geometry.view.high);
    const int decimals =
        isTime ? std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)), 0, 9) : 0;
    for (double at = std::ceil(geometry.view.low / step) * step;
         at <= geometry.view.high + step * 1e-6; at += step) {
        QString text =
            isTime ? QString::number(at / unit, 'f', decimals) : QString::number(at, 'f', 0);
        if (ticks.empty())
            text = isTime ? text + QChar(0x2009) + sign : tr("step %1").arg(text);
        ticks.push_back({geometry.toX(at), text});
        if (ticks.size() > 200)
            break;
    }
    return ticks;
}

std::vector<Stretch> curve(
    const Band& band, const Geometry&, double from, double to, double left, double right) {
    std::vector<Stretch> out;
    if (band.samples.empty() || to <= from || right <= left)
        return out;
    const auto toX = [&](double at) { return left + (at - from) / (to - from) * (right - left); };
    auto it = std::upper_bound(band.samples.begin(), band.samples.end(), from,
        [](double at, const Sample& sample) { return at < sample.at; });
    if (it != band.samples.begin())
        --it;
    for (; it != band.samples.end() && it->at < to; ++it) {
        const auto next = std::next(it);
        const double begins = std::max(left, toX(it->at));
        const double ends = next == band.samples.end() ? right : std::min(right, toX(next->at));
        if (ends < begins)
            continue;
        // What ends within the pixel of the stretch before joins it; the higher of the two is
        // shown.
        if (!out.empty() && ends - out.back().left < 1) {
            out.back().right = ends;
            const Stretch now{begins, ends, it->bytes};
            if (now.total() > out.back().total())
                out.back().bytes = it->bytes;
        } else {
            out.push_back({begins, ends, it->bytes});
        }
    }
    return out;
}

std::vector<PlacedMark> placedMarks(const Row& row, const Geometry& geometry) {
    std::vector<PlacedMark> out;
    const double low = geometry.view.low;
    const double high = geometry.view.high;
    auto it = std::lower_bound(row.marks.begin(), row.marks.end(), low,
        [](const Mark& mark, double at) { return mark.start < at; });
    for (int back = 0; back < 64 && it != row.marks.begin() && std::prev(it)->end > low; ++back)
        --it;
    for (; it != row.marks.end() && it->start <= high; ++it) {
        const double left = std::max(geometry.plot.left() - 4, geometry.toX(it->start));
        const double right = std::min(geometry.plot.right() + 4, geometry.toX(it->end));
        const auto index = static_cast<std::size_t>(it - row.marks.begin());
        if (!out.empty() && right - out.back().left < 1) {
            PlacedMark& last = out.back();
            const Mark& shown = row.marks[last.first];
            if (it->end - it->start > shown.end - shown.start)
                last.first = index;
            last.right = std::max(last.right, right);
            last.isCritical = last.isCritical || it->isCritical;
            ++last.count;
        } else {
            out.push_back({left, right, index, 1, it->isCritical});
        }
    }
    return out;
}

std::optional<std::size_t> markAt(
    const Row& row, const Geometry& geometry, double x, double reach) {
    std::optional<std::size_t> best;
    double nearest = reach;
    for (const PlacedMark& mark : placedMarks(row, geometry)) {
        const double distance = x < mark.left ? mark.left - x : x > mark.right ? x - mark.right : 0;
        if (distance < nearest || (distance == 0 && !best)) {
            nearest = distance;
            best = mark.first;
        }
    }
    return best;
}

} // namespace fivefold::views::timeline
