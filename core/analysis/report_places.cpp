// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/report_places.h"

#include "core/lowering/wave_grid.h"
#include "core/memory/hand_offs.h"

namespace fivefold::analysis {

Json wavesJson(const lowering::Program& program, const lowering::Step& step) {
    const lowering::StageGraph& scheduled = program.stage(lowering::Stage::Scheduled);
    const auto grid = scheduled.nodes.contains(step.mainNode)
        ? lowering::waveGrid(scheduled.nodes[step.mainNode])
        : std::nullopt;
    if (!grid)
        return nullptr;
    return {{"pieces", grid->pieces}, {"units", grid->units}, {"per_unit", grid->perUnit},
        {"waves", grid->waves()}, {"tail", grid->tail()}, {"idle", grid->idleShare()}};
}

Json regionsJson(const lowering::Program& program) {
    Json regions = Json::array();
    for (const lowering::Region& region : program.regions)
        regions.push_back({{"kernel", region.kernel.value}, {"x", region.x}, {"y", region.y},
            {"width", region.width}, {"height", region.height}});
    return regions;
}

Json handOffsJson(const lowering::Program& program) {
    Json list = Json::array();
    for (const memory::HandOff& each : memory::handOffs(program))
        list.push_back({{"from", each.from.value}, {"to", each.to.value},
            {"bytes", each.bytes.value}, {"tensors", each.tensors}, {"hops", each.hops}});
    return list;
}

} // namespace fivefold::analysis
