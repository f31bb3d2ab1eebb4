// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/roofline.h"

#include "core/roofline/duration.h"

#include <cmath>

namespace fivefold::roofline {

using base::Seconds;

namespace {

std::string reason(lowering::Bound bound, Seconds compute, Seconds memory, Seconds scheduling) {
    switch (bound) {
    case lowering::Bound::Compute:
        return "Its arithmetic takes " + durationText(compute) + ", its traffic "
            + durationText(memory) + ".";
    case lowering::Bound::Memory:
        return "Its traffic takes " + durationText(memory) + ", its arithmetic "
            + durationText(compute) + ".";
    case lowering::Bound::Scheduling:
        return "Getting it to run takes " + durationText(scheduling)
            + ", more than its arithmetic and traffic.";
    case lowering::Bound::Unknown:
        return "It has nothing to do.";
    }
    return {};
}

void makeUnknown(lowering::Estimate& e) {
    e.isKnown = false;
    e.computeShare = e.memoryShare = e.schedulingShare = e.time = Seconds();
    e.bound = lowering::Bound::Unknown;
    if (e.because.empty())
        e.because = "Its time is not known.";
}

bool isTime(Seconds time) {
    return std::isfinite(time.value) && time.value >= 0;
}

} // namespace

void finish(lowering::Estimate& e, bool overlaps) {
    Seconds memory, scheduling;
    bool isSound = e.isKnown && isTime(e.compute);
    for (const lowering::LevelTraffic& traffic : e.traffic) {
        isSound = isSound && isTime(traffic.time);
        if (traffic.time > memory) {
            memory = traffic.time;
            e.boundLevel = traffic.level;
        }
    }
    for (const lowering::TimePart& part : e.scheduling) {
        isSound = isSound && isTime(part.time);
        scheduling += part.time;
    }
    if (!isSound) {
        makeUnknown(e);
        return;
    }
    const bool isComputeLonger = e.compute >= memory;
    e.computeShare = overlaps && !isComputeLonger ? Seconds() : e.compute;
    e.memoryShare = overlaps && isComputeLonger ? Seconds() : memory;
    e.schedulingShare = scheduling;
    e.time = e.computeShare + e.memoryShare + e.schedulingShare;
    if (e.time.value == 0)
        e.bound = lowering::Bound::Unknown;
    else if (scheduling > e.computeShare + e.memoryShare)
        e.bound = lowering::Bound::Scheduling;
    else
        e.bound = isComputeLonger ? lowering::Bound::Compute : lowering::Bound::Memory;
    if (e.because.empty())
        e.because = reason(e.bound, e.compute, memory, scheduling);
}

} // namespace fivefold::roofline
