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
constexpr double kCapacityInScale = 3; ///< a capacity up to this many peaks is drawn to scale
constexpr double kTickDistance = 64;

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
    return std::min(widest + 8, width * 0.3);
}

void scaleBand(const Band& band, BandPlace& place) {
    const auto peak = static_cast<double>(std::max<std::int64_t>(1, band.peak.value));
    place.top = peak * kHeadroom;
    if (!band.capacity) {
        place.capacityText = tr("capacity unknown");
        return;
    }
    const auto capacity = static_cast<double>(band.capacity->value);
    if (capacity <= peak * kCapacityInScale) {
        place.top = std::max(capacity, peak) * 1.12;
        place.capacityY = place.plot.bottom() - capacity / place.top * place.plot.height();
        place.capacityText = tr("usable %1").arg(formatBytes(*band.capacity));
    } else {
        place.capacityText = tr("usable %1, off scale ↑").arg(formatBytes(*band.capacity));
    }
}

/// Heights that bands and rows get: bands at least 64 and rows 22, the rest in the proportion 2 to
/// 1; what does not fit even at 40 is left out from the end.
struct Heights {
    double band = 0, row = 0;
    std::size_t bands = 0, rows = 0;
};
Heights share(double room, std::size_t bands, std::size_t rows) {
    Heights out;
    out.bands = bands;
    out.rows = rows;
    const auto needed = [&](double band) {
        return static_cast<double>(out.bands) * (band + kGap)
            + static_cast<double>(out.rows) * kRowMinimum;
    };
    out.band = needed(kBandMinimum) <= room ? kBandMinimum : kBandSmallest;
    while (needed(out.band) > room && out.rows > 2)
        --out.rows;
    while (needed(out.band) > room && out.bands > 1)
        --out.bands;
    while (needed(out.band) > room && out.rows > 0)
        --out.rows;
    out.row = kRowMinimum;
    double spare = std::max(0.0, room - needed(out.band));
    if (out.rows > 0) {
        const double each =
            std::min(spare / 3 / static_cast<double>(out.rows), kRowMaximum - kRowMinimum);
        out.row += each;
        spare -= each * static_cast<double>(out.rows);
    }
    if (out.bands > 0)
        out.band += spare / static_cast<double>(out.bands);
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

double niceStep(double rough) {
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough)
            return factor * power;
    return 10 * power;
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

Geometry arrange(const Picture& picture, const Interval& view, const QSizeF& size) {
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
    const double bottom = size.height() - kAxisHeight - 2;
    if (right - left < 40 || bottom - top < kRowMinimum)
        return out;
    if (size.height() >= kOverviewFrom) {
        out.overview = QRectF(left, top, right - left, kOverviewHeight);
        top += kOverviewHeight + kGap;
    }
    const Heights heights = share(bottom - top, picture.bands.size(), picture.rows.size());
    out.hiddenBands = picture.bands.size() - heights.bands;
    out.hiddenRows = picture.rows.size() - heights.rows;
    out.plot = QRectF(left, top, right - left, bottom - top);
    for (std::size_t b = 0; b < heights.bands; ++b) {
        BandPlace place;
        place.band = b;
        place.label = QRectF(kPadding, top, labels - 8, heights.band);
        place.plot = QRectF(left, top, right - left, heights.band);
        scaleBand(picture.bands[b], place);
        out.bands.push_back(place);
        top += heights.band + kGap;
    }
    for (std::size_t r = 0; r < heights.rows; ++r) {
        out.rows.push_back({r, QRectF(kPadding, top, labels - 8, heights.row - 2),
            QRectF(left, top, right - left, heights.row - 2)});
        top += heights.row;
    }
    out.plot.setBottom(top);
    out.axis = QRectF(left, top, right - left, kAxisHeight);
    out.ticks = ticksOf(picture, out);
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

std::optional<lowering::BufferId> bufferAt(const Picture& picture, const Geometry& geometry,
    const BandPlace& place, const QPointF& point) {
    if (picture.isEmpty() || place.plot.height() <= 0)
        return std::nullopt;
    const double bytes = (place.plot.bottom() - point.y()) / place.plot.height() * place.top;
    double below = 0;
    for (const auto id : alive(*picture.result, picture.bands[place.band].level,
             picture.fromAxis(geometry.fromX(point.x())))) {
        below += static_cast<double>(picture.result->program.buffers[id].bytes.value);
        if (bytes <= below)
            return id;
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
        const double height =
            static_cast<double>(buffer.bytes.value) / place.top * place.plot.height();
        const QString text =
            bufferName(*picture.result, id) + QStringLiteral("  ") + formatBytes(buffer.bytes);
        const double width = textWidth(smallFont(), text) + 2;
        if (height < line + 2 || right - left < width + 6)
            continue;
        double below = 0;
        const auto middle = picture.fromAxis(geometry.fromX((left + right) / 2));
        const auto stack = alive(*picture.result, buffer.level, middle);
        const auto own = std::ranges::find(stack, id);
        if (own == stack.end())
            continue; // on another instance than the curve shows there
        for (auto other = stack.begin(); other != own; ++other)
            below += static_cast<double>(buffers[*other].bytes.value);
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

std::vector<ListLine> listLines(
    const Picture& picture, const Geometry& geometry, Picoseconds cursor) {
    std::vector<ListLine> out;
    if (picture.isEmpty() || geometry.list.isNull())
        return out;
    const double line = lineHeight(bodyFont()) + 2;
    const double small = lineHeight(smallFont()) + 2;
    const double left = geometry.list.left() + 12;
    const double width = geometry.list.width() - 24;
    double top = geometry.list.top() + 10;
    const auto add = [&](double height, ListLine entry) {
        entry.rect = QRectF(left, top, width, height);
        out.push_back(std::move(entry));
        top += height;
    };
    add(line + 4, {{}, tr("Alive at %1").arg(formatTime(cursor)), tr("by size"), {}, {}, true});
    const auto& buffers = picture.result->program.buffers;
    for (const Band& band : picture.bands) {
        auto ids = alive(*picture.result, band.level, cursor);
        std::stable_sort(ids.begin(), ids.end(),
            [&](auto a, auto b) { return buffers[a].bytes > buffers[b].bytes; });
        base::Bytes total;
        for (const auto id : ids)
            total += buffers[id].bytes;
        if (top + small + 4 > geometry.list.bottom())
            break;
        const QString heading = band.instance.isEmpty()
            ? band.name
            : tr("%1, fullest %2").arg(band.name, band.instance);
        add(small + 4, {{}, heading, formatBytes(total), {}, {}, true});
        std::size_t shown = 0;
        for (const auto id : ids) {
            if (top + line + 2 * small + 4 > geometry.list.bottom())
                break;
            add(line + small + 4,
                {{}, bufferName(*picture.result, id), formatBytes(buffers[id].bytes),
                    bufferStory(*picture.result, id), id, false});
            ++shown;
        }
        if (shown < ids.size())
            add(small + 4,
                {{}, tr("%1 more").arg(formatCount(static_cast<std::int64_t>(ids.size() - shown))),
                    {}, {}, {}, true});
        const std::size_t elsewhere = aliveElsewhere(*picture.result, band.level, cursor);
        if (elsewhere > 0 && top + small + 4 <= geometry.list.bottom())
            add(small + 4,
                {{},
                    tr("%1 on other %2s")
                        .arg(formatCount(static_cast<std::int64_t>(elsewhere)), band.instance),
                    {}, {}, {}, true});
    }
    return out;
}

} // namespace fivefold::views::timeline
