// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/opspecs.h"

#include "core/analysis/result.h"

namespace fivefold::analysis {

void writeOpSpecs(JsonStream& json, const Result& result) {
    if (result.machine().family != "spyre")
        return;
    const auto& specs = result.program.opSpecs;
    json.array("opspecs", specs.size(), [&](std::size_t i) {
        const lowering::OpSpec& spec = specs[i];
        return Json{{"bundle", spec.bundle < 0 ? Json("") : Json(spec.bundle)}, {"op", spec.op},
            {"kind", spec.kind}, {"shape", spec.shape}, {"device_size", spec.deviceSize},
            {"stride_map", spec.strideMap}, {"splits", spec.splits}, {"cores", spec.cores},
            {"placement", spec.placement}, {"address", orNull(spec.address)}};
    });
}

} // namespace fivefold::analysis
