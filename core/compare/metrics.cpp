// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/metrics.h"

namespace fivefold::compare {

void ElementSet::add(std::int64_t) { }
bool ElementSet::contains(std::int64_t) const {
    return false;
}
ElementSet intersection(const ElementSet& a, const ElementSet&) {
    return a;
}
ElementSet difference(const ElementSet& a, const ElementSet&) {
    return a;
}
ElementSet unite(const ElementSet& a, const ElementSet&) {
    return a;
}
double jaccard(const ElementSet&, const ElementSet&) {
    return 0;
}
ErrorFigures differ(
    const numerics::Tensor&, const numerics::Tensor&, const Tolerance&, numerics::Format) {
    return {};
}

} // namespace fivefold::compare
