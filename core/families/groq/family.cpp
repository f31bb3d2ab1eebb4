// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/family.h"

#include "core/families/groq/joins.h"
#include "core/families/groq/stages.h"

namespace fivefold::families::groq {

namespace {

/// Nothing is left to choose: the compiler decides every cycle.
std::vector<lowering::SettingInfo> settings(const machines::Machine&) {
    return {};
}

} // namespace

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily({"groq", "Groq LPU", {"chain", "chains"}, settings,
        decompose, chain, layOut, place, schedule, compilerPipeline, fusionRules()});
    return kFamily;
}

} // namespace fivefold::families::groq
