// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/family.h"

#include "core/families/gpu/stages.h"

namespace fivefold::families::gpu {

namespace {

using namespace lowering;

class GpuFamily final : public Family {
public:
    std::string_view id() const override { return "gpu"; }
    std::string_view name() const override { return "GPU"; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return {"kernel", "kernels"};
    }

    std::vector<SettingInfo> settings(const machines::Machine& machine) const override {
        std::vector<SettingInfo> settings;
        settings.push_back({"cuda_graph",
            "Launch all kernels from one recorded CUDA graph instead of one by one from the host.",
            "on", {"on", "off"}});
        settings.push_back({"sdpa",
            "Replace matched attention patterns by one fused scaled_dot_product_attention call.",
            "on", {"on", "off"}});
        settings.push_back({"channels_last",
            "Let convolutions run channels-last where Inductor's estimate says so.", "on",
            {"on", "off"}});
        SettingInfo tile{
            "tile", "CTA tile of every matrix product, rows × columns.", "auto", {"auto"}};
        if (const auto found = machine.tables.find("cta_tiles"); found != machine.tables.end())
            for (const std::vector<std::int64_t>& row : found->second)
                if (row.size() >= 2)
                    tile.choices.push_back(std::to_string(row[0]) + "x" + std::to_string(row[1]));
        settings.push_back(std::move(tile));
        return settings;
    }

    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        return gpu::decompose(context, device(context), std::move(inlined));
    }
    base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const override {
        return gpu::fuse(context, device(context), std::move(decomposed));
    }
    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        return gpu::layOut(context, device(context), std::move(fused));
    }
    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        return gpu::place(context, device(context), std::move(laidOut), program);
    }
    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        return gpu::schedule(context, device(context), std::move(placed), program);
    }
};

} // namespace

const Family& family() {
    static const GpuFamily instance;
    return instance;
}

} // namespace fivefold::families::gpu
