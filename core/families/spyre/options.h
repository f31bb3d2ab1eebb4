// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/scratchpad.h"
#include "core/families/spyre/work_division.h"
#include "core/lowering/family.h"

namespace fivefold::families::spyre {

constexpr std::int64_t kMaximumCores = 32; ///< of one card (torch-spyre, spyre_accelerator.md)

/// What the user set, resolved; unreadable settings keep their defaults.
struct Options {
    DivisionRules division;
    LxSettings lx;
    layout::SpyreLayoutVersion version() const { return division.version; }
    /// In June 2026 a bundle had at most this many distinct tensors that are not its own
    /// intermediates, because a kernel has seven address segments (torch-spyre, fusion.py); later
    /// there is no limit: 0.
    std::size_t bundleTensorLimit() const { return division.isAugust() ? 0 : 6; }
};
Options options(const lowering::Settings& settings, const machines::Machine& machine);

std::vector<lowering::SettingInfo> settingInfos(const machines::Machine& machine);

} // namespace fivefold::families::spyre
