// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"
#include "views/common/zoom_pan.h"

#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace fivefold::views::timeline {

/// What the horizontal axis counts: picoseconds, or steps of the program with equal widths.
enum class Order { Time, Program };

/// Buffer kinds that are stacked in a band, from the bottom.
enum class Kind : std::uint8_t { Weights, KvCache, Activations, Scratch };
constexpr std::size_t kKinds = 4;
Kind kindOf(lowering::ValueRole role);

/// From `at` (axis units) on, so many bytes of each kind are in use.
struct Sample {
    double at = 0;
    std::array<double, kKinds> bytes{};
    double total() const { return bytes[0] + bytes[1] + bytes[2] + bytes[3]; }
};

struct Band {
    std::size_t level = 0;
    QString name; ///< "LX a core"
    /// What one of its instances belongs to ("PE") where they hold different buffers: curve, peak
    /// and list then are those of the fullest; empty where all hold the same.
    QString instance;
    machines::MemoryKind kind = machines::MemoryKind::Device;
    std::optional<base::Bytes> capacity;
    base::Bytes peak;
    double peakAt = 0; ///< axis units
    std::vector<Sample> samples; ///< by rising `at`
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
};

/// Everything that the canvas draws, whatever its size. Built once a result and order.
struct Picture {
    std::shared_ptr<const analysis::Result> result;
    Order order = Order::Time;
    std::vector<Band> bands; ///< far to near; memories that the program uses
    std::vector<Row> rows; ///< resources that have events
    double length = 0; ///< of the axis; 0: nothing to draw
    base::Picoseconds end; ///< of the program
    std::vector<base::Picoseconds> starts; ///< of the steps, rising: the map of Program order

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
/// How many more buffers other instances of the level hold at that time; O(buffers).
std::size_t aliveElsewhere(const analysis::Result& result, std::size_t level, base::Picoseconds at);
/// What a buffer is: "P", "written by softmax, read by P·V".
QString bufferName(const analysis::Result& result, lowering::BufferId buffer);
QString bufferStory(const analysis::Result& result, lowering::BufferId buffer);
/// The captured value a buffer holds; invalid for one that lowering made.
ir::ValueId bufferValue(const analysis::Result& result, lowering::BufferId buffer);

/// Sums over a range of time.
struct RangeTotals {
    base::Seconds duration;
    double share = 0; ///< of the program
    std::size_t level = 0; ///< whose bytes are given: the one that moved most
    double bytes = 0; ///< prorated by the part of each step inside the range
    QString busiest; ///< resource that is busy longest
    double busy = 0; ///< its share of the range
};
RangeTotals rangeTotals(const Picture& picture, base::Picoseconds from, base::Picoseconds to);

/// First start and last end of a step's events; nullopt for one without events.
std::optional<std::pair<base::Picoseconds, base::Picoseconds>> spanOf(
    const analysis::Result& result, lowering::StepId step);

QString sentence(const Picture& picture, const common::ViewState& state,
    const std::optional<std::pair<base::Picoseconds, base::Picoseconds>>& range);

} // namespace fivefold::views::timeline
