// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/family.h"

#include "core/families/tpu/stages.h"

namespace fivefold::families::tpu {

namespace {

using namespace lowering;

class TpuFamily final : public Family {
public:
    std::string_view id() const override { return "tpu"; }
    std::string_view name() const override { return "TPU"; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return {"fusion", "fusions"};
    }

    std::vector<SettingInfo> settings(const machines::Machine&) const override {
        return {
            {"dispatch", "Count the host's dispatch of one call, as when each call is waited for.",
                "off", {"on", "off"}},
            {"vmem", "Keep internal results on chip where they fit.", "on", {"on", "off"}},
            {"recompute", "Compute cheap producers again in every fusion that reads them.", "on",
                {"on", "off"}},
        };
    }

    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        return tpu::decompose(context, device(context), std::move(inlined));
    }
    base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const override {
        return tpu::fuse(context, device(context), std::move(decomposed));
    }
    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        return tpu::layOut(context, device(context), std::move(fused));
    }
    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        return tpu::place(context, device(context), std::move(laidOut), program);
    }
    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        return tpu::schedule(context, device(context), std::move(placed), program);
    }
};

} // namespace

const Family& family() {
    static const TpuFamily instance;
    return instance;
}

} // namespace fivefold::families::tpu
