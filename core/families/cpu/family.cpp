// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/cpu/family.h"

#include "core/families/cpu/joins.h"
#include "core/families/cpu/stages.h"
#include "core/lowering/fusion.h"
#include "core/lowering/rewriter.h"
#include "core/schedule/schedule.h"

namespace fivefold::families::cpu {

using lowering::Context;
using lowering::Program;
using lowering::StageGraph;

namespace {

/// Kinds of the kernels, by what their operator does.
std::string kernelKind(const lowering::Node& node) {
    switch (node.opClass()) {
    case ir::OpClass::Contraction:
        return "library";
    case ir::OpClass::Normalisation:
        return "reduction";
    case ir::OpClass::Pointwise:
        return "pointwise";
    default:
        return ir::isView(node.canonical) ? "view" : "copy";
    }
}

class Cpu final : public lowering::Family {
public:
    std::string_view id() const override { return "cpu"; }
    std::string_view name() const override { return "CPU"; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return {"operator", "operators"};
    }
    std::vector<lowering::SettingInfo> settings(const machines::Machine&) const override {
        return {};
    }
    const lowering::CompilerPipeline& compilerPipeline() const override {
        return cpu::compilerPipeline();
    }

    /// The operators stay as they are: this machine's library has one of each. What nobody knows
    /// the cost of is marked.
    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        lowering::Rewriter rewriter(std::move(inlined), lowering::Stage::Decomposed);
        for (const lowering::NodeId id : rewriter.order()) {
            lowering::Node& node = rewriter.edit(id);
            if (node.rule.empty())
                node.rule = "the library has this operator";
            if (node.canonical != ir::Op::Unknown)
                continue;
            node.support = lowering::Support::Unsupported;
            node.rule = "no library is known to have this operator";
            context.diagnostics.warn("cpu.unknown_operator", node.name,
                "The operator " + node.op + " has no known cost; its time is left out.",
                "Replace it by operators of a published set.");
        }
        rewriter.applyWords();
        return std::move(rewriter).finish();
    }

    base::Result<StageGraph> fuse(const Context&, StageGraph decomposed) const override {
        return lowering::oneKernelEach(std::move(decomposed), kernelKind);
    }

    lowering::FusionRules fusionRules() const override { return cpu::fusionRules(); }

    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        for (lowering::Value& value : fused.values) {
            if (context.progress.isCancelled())
                return base::Progress::cancelled();
            if (value.shape && ir::bitWidth(value.dtype) > 0)
                value.layout = std::make_shared<const layout::TensorLayout>(
                    layout::rowMajor(*value.shape, value.dtype));
        }
        return fused;
    }

    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        cpu::place(context, laidOut, program);
        return laidOut;
    }

    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        estimate(context, placed, program);
        fivefold::schedule::ResourceMap map;
        map.farLevel = mainMemory(context.machine);
        map.compute = map.vector = program.resources.add({"cores", "compute"});
        map.read = program.resources.add({"memory in", "memory"});
        map.write = program.resources.add({"memory out", "memory"});
        map.launch = program.resources.add({"dispatch", "queue"});
        fivefold::schedule::sequence(program, map);
        return placed;
    }
};

} // namespace

const lowering::Family& family() {
    static const Cpu kFamily;
    return kFamily;
}

} // namespace fivefold::families::cpu
