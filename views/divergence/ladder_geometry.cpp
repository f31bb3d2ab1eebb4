// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/ladder_geometry.h"

#include "views/common/sentences.h"

#include <algorithm>

namespace fivefold::views::divergence {

namespace {

constexpr double kLamp = 30, kTag = 20, kMargin = 8;
constexpr double kWordsFrom = 72; ///< distance of lamps from which tags hold words
constexpr double kNamesFrom = 70, kShortFrom = 44;
constexpr double kLowRow = 20, kHighRow = 26;

} // namespace

LadderPicture ladderPicture(const compare::LevelVerdict* verdict) {
    LadderPicture picture;
    for (std::size_t rung = 0; rung < numerics::kRungs; ++rung)
        picture.lamps[rung].rung = static_cast<numerics::Rung>(rung);
    for (std::size_t level = 0; level < picture.rows.size(); ++level)
        picture.rows[level].level = static_cast<numerics::Level>(level + 1);
    if (!verdict)
        return picture;
    picture.isEmpty = false;
    picture.blamed = verdict->level;
    for (std::size_t rung = 0; rung < numerics::kRungs; ++rung) {
        picture.lamps[rung].kind = verdict->ladder[rung].kind;
        picture.lamps[rung].words = QString::fromStdString(verdict->ladder[rung].words);
    }
    for (std::size_t level = 0; level < picture.rows.size(); ++level) {
        picture.rows[level].state = verdict->reasons[level].state;
        picture.rows[level].sentence = QString::fromStdString(verdict->reasons[level].sentence);
    }
    return picture;
}

LadderGeometry ladderGeometry(double width, double height) {
    LadderGeometry geometry;
    constexpr auto kLast = static_cast<double>(numerics::kRungs - 1);
    const double side = std::min(56.0, std::max(kLamp / 2 + kMargin, width / 22));
    const double step = (width - 2 * side) / kLast;
    geometry.hasTagWords = step >= kWordsFrom;
    geometry.hasShortNames = step < kNamesFrom;
    const double lamp = std::clamp(step * 0.6, 16.0, kLamp);
    const double tagTop = 8, lampMiddle = tagTop + kTag + 22;
    for (std::size_t rung = 0; rung < numerics::kRungs; ++rung) {
        const double x = side + step * static_cast<double>(rung);
        geometry.lamps[rung] = QRectF(x - lamp / 2, lampMiddle - lamp / 2, lamp, lamp);
        if (step >= kShortFrom)
            geometry.labels[rung] =
                QRectF(x - step / 2 + 1, lampMiddle + kLamp / 2 + 4, step - 2, 32);
    }
    for (std::size_t level = 0; level < geometry.tags.size(); ++level) {
        const double x = side + step * (static_cast<double>(level) + 0.5);
        const double wide = geometry.hasTagWords ? std::min(step - 2, 92.0) : std::min(20.0, step);
        geometry.tags[level] = QRectF(x - wide / 2, tagTop, wide, kTag);
    }
    double y = lampMiddle + kLamp / 2 + (step >= kShortFrom ? 46 : 12);
    geometry.title = QRectF(kMargin, y, width - 2 * kMargin, 24);
    y += 26;
    const double room = height - y - 20;
    const double row = std::clamp(room / static_cast<double>(numerics::kLevels), kLowRow, kHighRow);
    for (QRectF& rect : geometry.rows) {
        rect = QRectF(0, y, width, row);
        y += row;
    }
    geometry.height = y + 20;
    return geometry;
}

int LadderGeometry::tagAt(const QPointF& at) const {
    for (std::size_t level = 0; level < tags.size(); ++level)
        if (tags[level].adjusted(-2, -2, 2, 4).contains(at) || rows[level].contains(at))
            return static_cast<int>(level);
    return -1;
}

int LadderGeometry::lampAt(const QPointF& at) const {
    for (std::size_t rung = 0; rung < lamps.size(); ++rung)
        if (lamps[rung].united(labels[rung]).contains(at))
            return static_cast<int>(rung);
    return -1;
}

} // namespace fivefold::views::divergence
