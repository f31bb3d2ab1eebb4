// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/roofline.h"

namespace fivefold::roofline {

std::optional<double> Point::intensity(std::size_t level) const {
    if (level >= bytesByLevel.size() || bytesByLevel[level].value <= 0)
        return std::nullopt;
    return flops.value / static_cast<double>(bytesByLevel[level].value);
}

std::vector<Point> points(const lowering::Program& program, const machines::Machine& machine) {
    std::vector<Point> result;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        const lowering::Estimate& e = program.steps[lowering::StepId(i)].estimate;
        if (!e.isKnown || e.flops.value <= 0 || e.time.value <= 0)
            continue;
        Point point;
        point.step = lowering::StepId(i);
        point.flops = e.flops;
        point.time = e.time;
        point.ideal = e.ideal;
        point.bound = e.bound;
        point.boundLevel = e.boundLevel;
        point.bytesByLevel.resize(machine.memories.size());
        for (const lowering::LevelTraffic& traffic : e.traffic)
            if (traffic.level < point.bytesByLevel.size())
                point.bytesByLevel[traffic.level] += traffic.total();
        point.achieved = e.flops.value / e.time.value;
        if (e.schedulingShare.value > 0)
            point.schedulingCap = e.flops.value / e.schedulingShare.value;
        result.push_back(std::move(point));
    }
    return result;
}

} // namespace fivefold::roofline
