// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/family.h"

#include "core/families/spyre/joins.h"
#include "core/families/spyre/options.h"
#include "core/families/spyre/stages.h"

namespace fivefold::families::spyre {

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily({"spyre", "IBM Spyre", {"bundle", "bundles"},
        settingInfos, decompose, bundle, layOut, place, schedule, compilerPipeline, fusionRules()});
    return kFamily;
}

} // namespace fivefold::families::spyre
