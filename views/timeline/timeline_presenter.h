// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/schedule/range.h"
#include "views/common/view_state.h"
#include "views/common/zoom_pan.h"

#include <QString>
#include <QStringList>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace fivefold::views::timeline {

/// What the horizontal axis counts: picoseconds, or steps of the program with equal widths.
enum class Order { Time, Program };

/// What is stacked in a band, from the bottom.
using Kind = memory::UseKind;
constexpr std::size_t kKinds = memory::kUseKinds;
QString kindName(Kind kind); ///< "weights", "KV cache", …

/// From `at` (axis units) on, so many bytes of each kind are in use.
struct Sample {
    double at = 0;
    std::array<double, kKinds> bytes{};
    double total() const {
        double sum = 0;
        for (const double part : bytes)
            sum += part;
        return sum;
    }
};

struct Band {
    std::size_t level = 0;
    QString name; ///< "LX a core"
    QString key; ///< the memory's own name: pins and hidden levels go by it
    /// What one of its instances belongs to ("PE") where they hold different buffers: curve, peak
    /// and list then are those of the fullest; empty where all hold the same.
    QString instance;
    machines::MemoryKind kind = machines::MemoryKind::Device;
    std::optional<base::Bytes> capacity;
    base::Bytes peak;
    double peakAt = 0; ///< axis units
    std::vector<Sample> samples; ///< by rising `at`
    /// Of a cache, which holds no allocations: what it is modelled to do.
    QStringList words; ///< "hardware decides", "up to 38 MiB resident", "63 % hit"
    bool isCache() const { return kind == machines::MemoryKind::Cache; }
    /// A capacity of up to three peaks is drawn to the scale of the curve.
    bool hasCapacityInScale() const {
        return capacity
            && static_cast<double>(capacity->value)
            <= 3.0 * static_cast<double>(std::max<std::int64_t>(1, peak.value));
    }
};

struct Mark {
    double start = 0, end = 0; ///< axis units
    lowering::EventId event;
    lowering::StepId step;
    ir::OpClass opClass = ir::OpClass::Other;
    bool isCritical = false;
};

struct Row {
    QString name;
    lowering::ResourceId resource;
    std::vector<Mark> marks; ///< by start
    double busy = 0; ///< share of the program's time that it works
};

/// Everything that the canvas draws, whatever its size. Built once a result and order.
struct Picture {
    std::shared_ptr<const analysis::Result> result;
    Order order = Order::Time;
    std::vector<Band> bands; ///< far to near; memories that the program uses, and caches
    std::vector<Row> rows; ///< resources that have events
    double length = 0; ///< of the axis; 0: nothing to draw
    base::Picoseconds end; ///< of the program
    std::vector<base::Picoseconds> starts; ///< of the steps, rising: the map of Program order
    base::IdVector<lowering::StepId, schedule::Span> spans;

    bool isEmpty() const { return !result || (length <= 0); }
    double toAxis(base::Picoseconds time) const;
    base::Picoseconds fromAxis(double at) const;
};

Picture present(const std::shared_ptr<const analysis::Result>& result, Order order);

/// Buffers of a level that are in use at a time, in stacking order (kind, then id): those on every
/// instance of the memory and those on the fullest single one, as memory::use() counts them.
/// O(buffers).
std::vector<lowering::BufferId> alive(
    const analysis::Result& result, std::size_t level, base::Picoseconds at);
/// A buffer's part of a band's stack: its bytes without padding, or its padding.
struct Slice {
    lowering::BufferId buffer;
    Kind kind = Kind::Activations;
    double bytes = 0;
};
/// From the bottom: the buffers by kind, then the padding of all. O(buffers).
std::vector<Slice> stack(const analysis::Result& result, std::size_t level, base::Picoseconds at);
/// How many more buffers other instances of the level hold at that time; O(buffers).
std::size_t aliveElsewhere(const analysis::Result& result, std::size_t level, base::Picoseconds at);
/// What a buffer is: "P", "written by softmax, read by P·V".
QString bufferName(const analysis::Result& result, lowering::BufferId buffer);
QString bufferStory(const analysis::Result& result, lowering::BufferId buffer);
/// The captured value a buffer holds; invalid for one that lowering made.
ir::ValueId bufferValue(const analysis::Result& result, lowering::BufferId buffer);
/// Why a tensor lies where it does: the heading ("Why not in LX") and the placement's own reason;
/// nullopt where nobody gives one.
struct PlaceReason {
    QString heading, text;
};
std::optional<PlaceReason> placeReason(const analysis::Result& result, lowering::BufferId buffer);

/// What an event waits for, and how late it may be: "waits for matmul_3, which makes an operand".
QString holdText(const analysis::Result& result, lowering::EventId event);
QString slackText(const analysis::Result& result, lowering::EventId event);

/// Totals of a range of time as lines of a name and a value; the first says time and share.
struct TotalLine {
    QString name, value;
};
std::vector<TotalLine> totalLines(
    const analysis::Result& result, const schedule::RangeTotals& totals);
/// "softmax 480 µs · 39 % of the program"
QString rangeTitle(const analysis::Result& result, const schedule::RangeTotals& totals);
/// "LPDDR5 48.0 MiB · 105 GB/s"; empty where nothing moves.
QString rangeTraffic(const analysis::Result& result, const schedule::RangeTotals& totals);
/// What moves at a level over the whole program, by cause, the largest first; empty where nothing
/// does or the causes are not known.
std::vector<TotalLine> trafficLines(const analysis::Result& result, std::size_t level);

/// First start and last end of a step's events; nullopt for one without events.
std::optional<std::pair<base::Picoseconds, base::Picoseconds>> spanOf(
    const analysis::Result& result, lowering::StepId step);

/// `totals` are of a selected range, null without one; `from` is its start.
QString sentence(const Picture& picture, const common::ViewState& state,
    const schedule::RangeTotals* totals, base::Picoseconds from);

} // namespace fivefold::views::timeline
