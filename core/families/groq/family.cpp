// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/family.h"

#include "core/families/groq/stages.h"

namespace fivefold::families::groq {

namespace {

using lowering::Context;
using lowering::Program;
using lowering::StageGraph;

class GroqFamily final : public lowering::Family {
public:
    std::string_view id() const override { return "groq"; }
    std::string_view name() const override { return "Groq LPU"; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return {"chain", "chains"};
    }
    std::vector<lowering::SettingInfo> settings(const machines::Machine&) const override {
        return {}; // nothing is left to choose: the compiler decides every cycle
    }
    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        return checked(context, groq::decompose(context, std::move(inlined)));
    }
    base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const override {
        return checked(context, chain(context, std::move(decomposed)));
    }
    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        return checked(context, groq::layOut(context, std::move(fused)));
    }
    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        return checked(context, groq::place(context, std::move(laidOut), program));
    }
    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        return checked(context, groq::schedule(context, std::move(placed), program));
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
    static const GroqFamily kFamily;
    return kFamily;
}

} // namespace fivefold::families::groq
