// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cerebras/family.h"

#include "core/families/cerebras/floor_plan.h"
#include "core/families/cerebras/stages.h"

namespace fivefold::families::cerebras {

namespace {

using lowering::Context;
using lowering::Program;
using lowering::StageGraph;

class CerebrasFamily final : public lowering::Family {
public:
    std::string_view id() const override { return "cerebras"; }
    std::string_view name() const override { return "Cerebras WSE"; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return {"region", "regions"};
    }
    std::vector<lowering::SettingInfo> settings(const machines::Machine&) const override {
        return {{kModeSetting,
            "How the model uses the wafer: a rectangle a layer, or a layer at a time.", kModeAuto,
            {kModeAuto, kModePipelined, kModeStreaming}, 0, 0}};
    }
    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        return checked(context, cerebras::decompose(context, std::move(inlined)));
    }
    base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const override {
        return checked(context, formRegions(context, std::move(decomposed)));
    }
    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        return checked(context, cerebras::layOut(context, std::move(fused)));
    }
    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        return checked(context, cerebras::place(context, std::move(laidOut), program));
    }
    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        return checked(context, cerebras::schedule(context, std::move(placed), program));
    }

private:
    static base::Result<StageGraph> checked(const Context& context, StageGraph graph) {
        if (context.progress.isCancelled())
            return base::Progress::cancelled();
        return graph;
    }
};

} // namespace

const lowering::Family& family() {
    static const CerebrasFamily kFamily;
    return kFamily;
}

} // namespace fivefold::families::cerebras
