// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/comparison.h"
#include "views/common/hover_card.h"
#include "views/common/view_state.h"
#include "views/common/zoom_pan.h"

#include <QString>
#include <QStringList>
#include <QVector>

namespace fivefold::views::five {

/// How far a machine's result is.
enum class SlotState { Waiting, Computing, Ready, Failed };

/// One of the five machines, as whoever computes the results tells of it.
struct Slot {
    std::string family;
    std::shared_ptr<const machines::Machine> machine; ///< null before anything is known
    SlotState state = SlotState::Waiting;
    QString text; ///< stage while computing, the sentence of a failure
};
using Slots = std::vector<Slot>;

/// What the rows are about, and on which axis.
struct Options {
    bool isSelection = false; ///< else the whole graph
    bool isLog = true;
    bool isLocked = true;
    bool operator==(const Options&) const = default;
};

struct LevelBar {
    QString name;
    machines::MemoryKind kind = machines::MemoryKind::Device;
    base::Bytes bytes;
    double share = 0; ///< of the longest bar of all rows, 0..1
};

/// A machine's row in words.
struct Row {
    std::string family;
    QString title; ///< "GPU"
    QString subtitle; ///< "H100 SXM · bf16"
    SlotState state = SlotState::Waiting;
    QString stateText;
    bool isCurrent = false;
    bool isStale = false; ///< an older answer, kept while a newer one is computed
    std::shared_ptr<const analysis::Result> result; ///< null until there is one
    analysis::ComparisonRow figures; ///< of result
    QVector<LevelBar> bars; ///< at most two: device memory, and the one with most traffic
    QString time; ///< "41.6 µs", "~16.7 µs", "at least 3.1 ms", "unknown"
    QString band; ///< "36–48 µs · errors 8–19 % by kernel"; empty: not validated
    bool hasAnswer() const { return result != nullptr; }
};

struct Picture {
    QVector<Row> rows; ///< five in the fixed order, or none
    QString reason; ///< why there is none
    QString what; ///< "attention_block, batch=1" or the selected operator's name
    QString note; ///< what the selection could not say; may be empty
    std::optional<std::int64_t> macs;
    bool isSelection = false;
    bool isEmpty() const { return rows.isEmpty(); }
};

/// Rows that were worked out already, so that only what changed is worked out again.
using Known = QVector<Row>;

/// One row a machine; `results` as in ViewState::otherResults, in the order of the slots. A row
/// without a result keeps the one of `known` where that is of the same model and machine.
Picture present(const common::ViewState& state, const Slots& machineSlots, const Options& options,
    const Known& known = {});

/// Range of the time axis that shows all rows: seconds, log10 of them on a log axis. Not validated
/// times take ½ to 2 ×.
std::optional<common::Interval> rangeOf(const Picture& picture, bool isLog);

// Words.
QString familyTitle(std::string_view family); ///< "GPU", "TPU", "Cerebras", "Groq", "IBM Spyre"
QString sentence(const Picture& picture);
QString twinText(const Row& row);
QString csv(const Picture& picture);
QString paddingText(const Row& row);
QString boundText(const Row& row); ///< second line: "HBM3, 62 %"

enum class Column { Machine, Program, Padding, Bytes, Time, Bound, Missing, Because };
common::CardContent card(const Row& row, Column column);

} // namespace fivefold::views::five
