// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/chip.h"
#include "core/families/groq/stages.h"
#include "core/layout/family_layouts.h"

#include <map>

namespace fivefold::families::groq {

using lowering::Value;

/// Every tensor is vectors of 320 lanes along its last dimension, which is what MXM, VXM and SXM
/// all take: no two operators disagree, so nothing is added. What changes the last dimension is
/// work for the SXM and stands in the model already.
lowering::StageGraph layOut(const lowering::Context& context, lowering::StageGraph fused) {
    fused.stage = lowering::Stage::LaidOut;
    const Chip c = chip(context.machine, context.settings.precision);
    using Key = std::pair<std::vector<std::int64_t>, ir::DType>;
    std::map<Key, std::shared_ptr<const layout::TensorLayout>> cache;
    for (Value& value : fused.values) {
        if (!value.shape)
            continue;
        auto& made = cache[{*value.shape, value.dtype}];
        if (!made)
            made = std::make_shared<const layout::TensorLayout>(
                layout::groqVectors(*value.shape, value.dtype, c.lanes, c.slices));
        value.layout = made;
    }
    if (c.isClockAssumed)
        context.diagnostics.info("groq.unpublished", "",
            "The units, vector length and clock of " + context.machine.name
                + " are not published; layouts and cycles assume those of the first chip at the "
                  "clock that its published rate implies.",
            "Read its layouts, cycles and times as estimates.");
    return fused;
}

} // namespace fivefold::families::groq
