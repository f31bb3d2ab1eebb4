// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/family.h"

#include "core/families/groq/implementations.h"
#include "core/families/groq/joins.h"
#include "core/families/groq/stages.h"

namespace fivefold::families::groq {

namespace {

/// On the chip nothing is left to choose: the compiler decides every cycle.
std::vector<lowering::SettingInfo> settings(const machines::Machine&) {
    return {{"host", "Count the inputs and results over PCIe, which the runtime moves.", "off",
        {"off", "on"}, 0, 0}};
}

} // namespace

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily(
        {"groq", "Groq LPU", {"chain", "chains"}, settings, decompose, chain, layOut, place,
            schedule, compilerPipeline, fusionRules(), implementationRules()});
    return kFamily;
}

} // namespace fivefold::families::groq
