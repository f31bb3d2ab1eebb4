// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/compiler_pipeline.h"

#include <algorithm>
#include <set>

namespace fivefold::lowering {

std::string_view toString(PipelinePhase phase) {
    switch (phase) {
    case PipelinePhase::Capture:
        return "capture";
    case PipelinePhase::Graph:
        return "graph";
    case PipelinePhase::Plan:
        return "plan";
    case PipelinePhase::Code:
        return "code";
    case PipelinePhase::Run:
        break;
    }
    return "run";
}

std::string_view toString(Disclosure disclosure) {
    switch (disclosure) {
    case Disclosure::Open:
        return "open";
    case Disclosure::Observed:
        return "observed";
    case Disclosure::Described:
        return "described";
    case Disclosure::Unpublished:
        break;
    }
    return "unpublished";
}

bool CompilerPass::claims(Stage stage) const {
    return std::ranges::find(stages, stage) != stages.end();
}

const CompilerPass* CompilerPipeline::find(std::string_view id) const {
    const auto found = std::ranges::find(passes, id, &CompilerPass::id);
    return found == passes.end() ? nullptr : &*found;
}

std::vector<Stage> stageOrder(const CompilerPipeline& pipeline) {
    std::vector<Stage> order{Stage::Captured};
    const auto take = [&order](Stage stage) {
        if (std::ranges::find(order, stage) == order.end())
            order.push_back(stage);
    };
    for (const CompilerPass& pass : pipeline.passes)
        std::ranges::for_each(pass.stages, take);
    std::ranges::for_each(kStages, take);
    return order;
}

std::vector<const CompilerPass*> passesOf(const CompilerPipeline& pipeline, Stage stage) {
    std::vector<const CompilerPass*> passes;
    for (const CompilerPass& pass : pipeline.passes)
        if (pass.claims(stage))
            passes.push_back(&pass);
    return passes;
}

namespace {

class PipelineCheck {
public:
    explicit PipelineCheck(const CompilerPipeline& pipeline)
        : m_pipeline(pipeline) { }

    std::vector<std::string> run() {
        for (Stage stage : kStages) {
            if (passesOf(m_pipeline, stage).empty())
                add("No pass does the stage " + std::string(toString(stage)) + ".");
            const std::string_view word = m_pipeline.stageWords[static_cast<std::size_t>(stage)];
            if (word.empty())
                add("The stage " + std::string(toString(stage)) + " has no word.");
        }
        std::ranges::for_each(m_pipeline.passes, [this](const CompilerPass& pass) { check(pass); });
        for (std::size_t i = 1; i < m_pipeline.passes.size(); ++i)
            if (m_pipeline.passes[i].phase < m_pipeline.passes[i - 1].phase)
                add(std::string(m_pipeline.passes[i].id) + " goes back to an earlier phase.");
        if (m_pipeline.modes.empty())
            add("The pipeline has no mode.");
        return std::move(m_findings);
    }

private:
    void add(std::string finding) { m_findings.push_back(std::move(finding)); }

    void check(const CompilerPass& pass) {
        const std::string id(pass.id);
        if (!m_ids.insert(pass.id).second)
            add(id + " stands twice.");
        for (const std::string_view text : {pass.id, pass.name, pass.does, pass.emits, pass.source})
            if (text.empty())
                add(id + " lacks a name, what it does, what it emits, or a source.");
        if (std::ranges::find(m_pipeline.stack, pass.layer) == m_pipeline.stack.end())
            add(id + " names a layer that the stack does not have.");
        for (const PassChange& change : pass.changes)
            if (std::ranges::find(m_pipeline.modes, change.mode, &PipelineMode::id)
                == m_pipeline.modes.end())
                add(id + " names a mode that the pipeline does not have.");
    }

    const CompilerPipeline& m_pipeline;
    std::set<std::string_view> m_ids;
    std::vector<std::string> m_findings;
};

} // namespace

std::vector<std::string> verify(const CompilerPipeline& pipeline) {
    return PipelineCheck(pipeline).run();
}

} // namespace fivefold::lowering
