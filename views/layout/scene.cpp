// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/scene.h"

#include "views/common/sentences.h"

#include <cmath>

namespace fivefold::views::layout {

using namespace common;

const SceneMark* Scene::markAt(const QPointF& point) const {
    for (auto it = marks.rbegin(); it != marks.rend(); ++it)
        if (it->rect.adjusted(-0.5, -0.5, 0.5, 0.5).contains(point))
            return &*it;
    return nullptr;
}

std::vector<double> roundTicks(double low, double high, int count, bool isBinary) {
    std::vector<double> ticks;
    const double span = high - low;
    if (!(span > 0) || !std::isfinite(span) || count < 1)
        return ticks;
    double step = 0;
    if (isBinary) {
        step = std::exp2(std::ceil(std::log2(span / count)));
    } else {
        const double decade = std::pow(10, std::floor(std::log10(span / count)));
        const double part = span / count / decade;
        step = decade * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
    }
    for (double at = std::ceil(low / step) * step; at <= high + step * 1e-9; at += step)
        ticks.push_back(at);
    return ticks;
}

QString kernelName(const analysis::Result& result, lowering::StepId step) {
    return result.program.steps.contains(step) ? stepName(result, step) : QString();
}

} // namespace fivefold::views::layout
