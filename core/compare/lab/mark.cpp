// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/fault_lab.h"

#include <cmath>

namespace fivefold::compare {

namespace {

constexpr int kLevelPoints = 4, kLayerPoints = 4, kElementPoints = 2;
constexpr double kSameElements = 0.95;

} // namespace

Marks mark(const Planted& planted, const Answer& answer) {
    Marks marks;
    marks.of = kLevelPoints + kLayerPoints + kElementPoints;
    const LadderRun& right = planted.ladder;
    marks.isLevelRight = answer.level && answer.level == right.verdict.level;
    marks.isLayerRight = !answer.node.empty() && answer.node == planted.nodeName;
    const bool hasElements = !planted.wrong.isEmpty();
    marks.elements =
        hasElements ? jaccard(planted.wrong, answer.wrong) : (answer.wrong.isEmpty() ? 1 : 0);
    marks.points = (marks.isLevelRight ? kLevelPoints : 0) + (marks.isLayerRight ? kLayerPoints : 0)
        + (marks.elements >= kSameElements
                ? kElementPoints
                : static_cast<int>(std::lround(marks.elements * kElementPoints)));
    const auto said = [](bool isRight) { return std::string(isRight ? "right" : "wrong"); };
    marks.sentence = std::to_string(marks.points) + " of " + std::to_string(marks.of)
        + ": the level is " + said(marks.isLevelRight) + ", the layer is "
        + said(marks.isLayerRight) + ", "
        + std::to_string(static_cast<int>(std::lround(100 * marks.elements)))
        + " % of the elements are shared.";
    return marks;
}

} // namespace fivefold::compare
