// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/family.h"

#include "core/families/spyre/options.h"
#include "core/families/spyre/stages.h"

namespace fivefold::families::spyre {

namespace {

using lowering::Context;
using lowering::Program;
using lowering::StageGraph;

class SpyreFamily final : public lowering::Family {
public:
    std::string_view id() const override { return "spyre"; }
    std::string_view name() const override { return "IBM Spyre"; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return {"bundle", "bundles"};
    }
    std::vector<lowering::SettingInfo> settings(const machines::Machine& machine) const override {
        return settingInfos(machine);
    }
    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        return checked(context, spyre::decompose(context, std::move(inlined)));
    }
    base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const override {
        return checked(context, bundle(context, std::move(decomposed)));
    }
    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        return checked(context, spyre::layOut(context, std::move(fused)));
    }
    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        return checked(context, spyre::place(context, std::move(laidOut), program));
    }
    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        return checked(context, spyre::schedule(context, std::move(placed), program));
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
    static const SpyreFamily kFamily;
    return kFamily;
}

} // namespace fivefold::families::spyre
