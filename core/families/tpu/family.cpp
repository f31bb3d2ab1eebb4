// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/family.h"

#include "core/families/tpu/implementations.h"
#include "core/families/tpu/joins.h"
#include "core/families/tpu/stages.h"

namespace fivefold::families::tpu {

namespace {

std::vector<lowering::SettingInfo> settings(const machines::Machine&) {
    return {
        {"dispatch", "Count the host's dispatch of one call, as when each call is waited for.",
            "off", {"on", "off"}},
        {"vmem", "Keep internal results on chip where they fit.", "on", {"on", "off"}},
        {"recompute", "Compute cheap producers again in every fusion that reads them.", "on",
            {"on", "off"}},
    };
}

} // namespace

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily(
        {"tpu", "TPU", {"fusion", "fusions"}, settings, decompose, fuse, layOut, place, schedule,
            compilerPipeline, fusionRules(), implementationRules()});
    return kFamily;
}

} // namespace fivefold::families::tpu
