// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

namespace fivefold::views::common {

namespace detail {
inline bool isMotionReducedFlag = false;
}

/// The user wants nothing to glide or fade: every motion then takes 0 ms. One preference for the
/// whole program. UI thread only.
inline bool isMotionReduced() {
    return detail::isMotionReducedFlag;
}
inline void setMotionReduced(bool isReduced) {
    detail::isMotionReducedFlag = isReduced;
}

} // namespace fivefold::views::common
