// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/play.h"
#include "views/common/lens.h"
#include "views/common/view_state.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace fivefold::views::play {

/// One firing on the chart of a model.
struct Bar {
    int lane = 0;
    base::Picoseconds start, end;
    QColor fill; ///< of the lens; invalid: unresolved
    bool isLate = false; ///< reads a stale value
    bool isWrong = false; ///< computes on one
    std::size_t firing = 0; ///< index into FiringTrace::firings
};

/// One execution model on the common clock.
struct Side {
    QString model; ///< "Dynamic dataflow"
    QString ending; ///< "39.6 µs · 12 % sooner than planned"
    bool isWrong = false; ///< stale values, or a deadlock: the ending is said in the error colour
    base::Picoseconds length;
    std::vector<Bar> bars; ///< by lane, then start
    bool hasQueues = false;
};

/// Everything that does not change while the clock runs.
struct Picture {
    std::shared_ptr<const analysis::Result> result;
    std::shared_ptr<const analysis::Play> play;
    QStringList lanes; ///< names of the resources that the block uses
    std::vector<int> laneOf; ///< by resource; −1: not used
    std::vector<Side> sides;
    base::Picoseconds span; ///< of the common axis
    base::Picoseconds planned;
    QString empty; ///< why there is nothing to play; empty: there is
    bool isEmpty() const { return !empty.isEmpty(); }
};
Picture present(std::shared_ptr<const analysis::Result> result,
    std::shared_ptr<const analysis::Play> play, const common::LensColours& lens);

/// One operation of the list of a side.
struct Line {
    bool isBlocked = false;
    bool isLate = false;
    QString name; ///< "read of attn/MatMul"
    QString words; ///< its rule, or what it waits for
    lowering::StepId step;
};
/// A queue with its tokens.
struct QueueLine {
    QString name; ///< "HBM3 read → tensor cores"
    std::int64_t tokens = 0, capacity = 0;
};
/// A token on its way from one lane to another.
struct Dot {
    int from = 0, to = 0; ///< lanes
    double progress = 0; ///< 0..1; ½ at rest
};

/// What a side does at a moment.
struct Moment {
    QString counts; ///< "23 of 46 fired · 2 running · 1 waits"
    std::vector<std::size_t> running, blocked; ///< indices into FiringTrace::firings
    std::vector<Line> lines; ///< running first; at most `most`
    std::vector<QueueLine> queues;
    std::vector<Dot> dots; ///< at most kMostDots
    std::size_t tokens = 0; ///< all that are under way
    QString stuck; ///< the cycle of a deadlock once the clock has come to it
};
constexpr std::size_t kMostDots = 24;
Moment momentAt(const Picture& picture, std::size_t side, base::Picoseconds at, std::size_t most);

/// What the panel says: how the two models differ, or why there is nothing.
QString sentence(const Picture& picture);
QString modelName(schedule::ExecutionModel model); ///< "Program counter"
QString arbitrationName(schedule::Arbitration arbitration); ///< "oldest first"
QString blockName(analysis::PlayBlock block); ///< "whole graph"
/// "read of attn/MatMul", with the short name of the step.
QString eventName(const analysis::Result& result, lowering::EventId event);

} // namespace fivefold::views::play
