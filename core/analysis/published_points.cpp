// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/published_points.h"

namespace fivefold::analysis {

const std::vector<PublishedPoint>& publishedPoints() {
    static const std::vector<PublishedPoint> kNone;
    return kNone;
}

std::optional<double> medianFactor(const std::vector<PublishedPoint>&, std::string_view) {
    return std::nullopt;
}

} // namespace fivefold::analysis
