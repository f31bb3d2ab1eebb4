// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

#include <QRectF>
#include <QString>

#include <array>

namespace fivefold::views::divergence {

/// What the ladder draws of one verdict.
struct LadderPicture {
    struct Lamp {
        numerics::Rung rung{};
        compare::RungState::Kind kind = compare::RungState::Kind::NotGiven;
        QString words; ///< "65 equal"
    };
    struct Row {
        numerics::Level level{};
        compare::LevelReason::State state = compare::LevelReason::State::Unknown;
        QString sentence;
    };
    bool isEmpty = true;
    std::array<Lamp, numerics::kRungs> lamps;
    std::array<Row, numerics::kLevels> rows;
    std::optional<numerics::Level> blamed;
};
LadderPicture ladderPicture(const compare::LevelVerdict* verdict);

/// Places at a size. Tags stand on the gaps between lamps; where gaps are narrow they hold the
/// number alone and names of rungs are short or left out.
struct LadderGeometry {
    std::array<QRectF, numerics::kRungs> lamps;
    std::array<QRectF, numerics::kRungs> labels; ///< two lines below a lamp; null: no room
    std::array<QRectF, numerics::kLevels> tags;
    std::array<QRectF, numerics::kLevels> rows;
    QRectF title; ///< "Why level 4, and not its neighbours"
    bool hasTagWords = true;
    bool hasShortNames = false;
    double height = 0; ///< that all of it needs
    int tagAt(const QPointF& at) const; ///< index of a level, by tag or row; −1: none
    int lampAt(const QPointF& at) const;
};
LadderGeometry ladderGeometry(double width, double height);

} // namespace fivefold::views::divergence
