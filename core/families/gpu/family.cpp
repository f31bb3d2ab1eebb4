// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/family.h"

#include "core/families/gpu/implementations.h"
#include "core/families/gpu/joins.h"
#include "core/families/gpu/stages.h"

namespace fivefold::families::gpu {

namespace {

using lowering::SettingInfo;

std::vector<SettingInfo> settings(const machines::Machine& machine) {
    std::vector<SettingInfo> infos;
    infos.push_back({"cuda_graph",
        "Launch all kernels from one recorded CUDA graph instead of one by one from the host.",
        "on", {"on", "off"}});
    infos.push_back({"sdpa",
        "Replace matched attention patterns by one fused scaled_dot_product_attention call.", "on",
        {"on", "off"}});
    infos.push_back(
        {"channels_last", "Let convolutions run channels-last where Inductor's estimate says so.",
            "on", {"on", "off"}});
    infos.push_back({"templates",
        "Matrix products as Triton templates, which take the pointwise kernel behind them along "
        "(max-autotune); off: library calls.",
        "off", {"off", "on"}});
    SettingInfo tile{"tile", "CTA tile of every matrix product, rows × columns.", "auto", {"auto"}};
    if (const auto found = machine.tables.find("cta_tiles"); found != machine.tables.end())
        for (const std::vector<std::int64_t>& row : found->second)
            if (row.size() >= 2)
                tile.choices.push_back(std::to_string(row[0]) + "x" + std::to_string(row[1]));
    infos.push_back(std::move(tile));
    return infos;
}

} // namespace

const lowering::Family& family() {
    static const lowering::StagedFamily kFamily(
        {"gpu", "GPU", {"kernel", "kernels"}, settings, decompose, fuse, layOut, place, schedule,
            compilerPipeline, fusionRules(), implementationRules()});
    return kFamily;
}

} // namespace fivefold::families::gpu
