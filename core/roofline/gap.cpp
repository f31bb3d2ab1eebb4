// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/gap.h"

namespace fivefold::roofline {

std::string_view toString(GapKind kind) {
    constexpr std::string_view kNames[] = {
        "ideal", "padding", "tile", "memory", "relayout", "launch", "stall"};
    return kNames[static_cast<std::size_t>(kind)];
}

Gap gapOf(
    const lowering::Program&, const machines::Machine&, std::span<const lowering::StepId>, Charge) {
    return {};
}

Gap gapOf(const lowering::Program&, const machines::Machine&) {
    return {};
}

} // namespace fivefold::roofline
