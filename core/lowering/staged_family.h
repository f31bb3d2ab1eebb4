// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/family.h"

namespace fivefold::lowering {

/// Types of the stages' functions; contracts are those of Family.
using RewriteStage = base::Result<StageGraph>(const Context& context, StageGraph before);
using AssignStage = base::Result<StageGraph>(
    const Context& context, StageGraph before, Program& program);

/// What a family says of the ways to implement an operator; both null: nothing.
struct ImplementationRules {
    std::vector<ImplementationChoice> (*choices)(
        const Context& context, const StageGraph& graph, NodeId node) = nullptr;
    base::Result<ImplementationRow> (*row)(const Context& context, const StageGraph& graph,
        NodeId node, const ImplementationValues& values) = nullptr;
};

/// A family as a table of functions; none of the stages is null.
struct FamilyTable {
    std::string_view id, name;
    std::pair<std::string_view, std::string_view> kernelWord;
    std::vector<SettingInfo> (*settings)(const machines::Machine& machine) = nullptr;
    RewriteStage *decompose = nullptr, *fuse = nullptr, *layOut = nullptr;
    AssignStage *place = nullptr, *schedule = nullptr;
    const CompilerPipeline& (*compilerPipeline)() = nullptr;
    FusionRules fusion;
    ImplementationRules implementation;
};

/// The family of a table. What a stage returns after a cancellation is dropped.
class StagedFamily final : public Family {
public:
    explicit StagedFamily(const FamilyTable& table)
        : m_table(table) { }

    std::string_view id() const override { return m_table.id; }
    std::string_view name() const override { return m_table.name; }
    std::pair<std::string_view, std::string_view> kernelWord() const override {
        return m_table.kernelWord;
    }
    std::vector<SettingInfo> settings(const machines::Machine& machine) const override {
        return m_table.settings(machine);
    }
    const CompilerPipeline& compilerPipeline() const override { return m_table.compilerPipeline(); }
    base::Result<StageGraph> decompose(const Context& context, StageGraph inlined) const override {
        return checked(context, m_table.decompose(context, std::move(inlined)));
    }
    base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) const override {
        return checked(context, m_table.fuse(context, std::move(decomposed)));
    }
    FusionRules fusionRules() const override { return m_table.fusion; }
    std::vector<ImplementationChoice> implementationChoices(
        const Context& context, const StageGraph& graph, NodeId node) const override {
        return m_table.implementation.choices
            ? m_table.implementation.choices(context, graph, node)
            : Family::implementationChoices(context, graph, node);
    }
    base::Result<ImplementationRow> implementation(const Context& context, const StageGraph& graph,
        NodeId node, const ImplementationValues& values) const override {
        return m_table.implementation.row
            ? m_table.implementation.row(context, graph, node, values)
            : Family::implementation(context, graph, node, values);
    }
    base::Result<StageGraph> layOut(const Context& context, StageGraph fused) const override {
        return checked(context, m_table.layOut(context, std::move(fused)));
    }
    base::Result<StageGraph> place(
        const Context& context, StageGraph laidOut, Program& program) const override {
        return checked(context, m_table.place(context, std::move(laidOut), program));
    }
    base::Result<StageGraph> schedule(
        const Context& context, StageGraph placed, Program& program) const override {
        return checked(context, m_table.schedule(context, std::move(placed), program));
    }

private:
    static base::Result<StageGraph> checked(
        const Context& context, base::Result<StageGraph> result) {
        if (result.isOk() && context.progress.isCancelled())
            return base::Progress::cancelled();
        return result;
    }

    FamilyTable m_table;
};

} // namespace fivefold::lowering
