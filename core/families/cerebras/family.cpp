// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/family.h"

#include "core/families/cerebras/floor_plan.h"
#include "core/families/cerebras/implementations.h"
#include "core/families/cerebras/joins.h"
#include "core/families/cerebras/stages.h"

namespace fivefold::families::cerebras {

namespace {

std::vector<lowering::SettingInfo> settings(const machines::Machine&) {
    return {
        {kModeSetting, "How the model uses the wafer: a rectangle a layer, or a layer at a time.",
            kModeAuto, {kModeAuto, kModePipelined, kModeStreaming}, 0, 0}};
}

} // namespace

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily(
        {"cerebras", "Cerebras WSE", {"region", "regions"}, settings, decompose, formRegions,
            layOut, place, schedule, compilerPipeline, fusionRules(), implementationRules()});
    return kFamily;
}

} // namespace fivefold::families::cerebras
