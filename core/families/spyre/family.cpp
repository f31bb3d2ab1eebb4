// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/family.h"

#include "core/families/spyre/implementations.h"
#include "core/families/spyre/joins.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/stages.h"
#include "core/layout/spyre_layout.h"

namespace fivefold::families::spyre {

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily(
        {"spyre", "IBM Spyre", {"bundle", "bundles"}, settingInfos, decompose, bundle, layOut,
            place, schedule, compilerPipeline, fusionRules(), implementationRules()});
    return kFamily;
}

bool hasLayout(machines::Precision precision) {
    return layout::spyreElementsPerStick(machines::storageType(precision)).has_value();
}

bool isRefused(const lowering::Program& program) {
    return program.mode.starts_with(kNotCompiled);
}

} // namespace fivefold::families::spyre
