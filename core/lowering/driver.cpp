// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/inlining.h"
#include "core/lowering/placements.h"
#include "core/lowering/substitutions.h"

namespace fivefold::lowering {

namespace {

/// Runs the stages one after another and keeps what each left.
class Driver {
public:
    Driver(const Family& family, const Context& context)
        : m_family(family)
        , m_context(context) { }

    base::Result<Program> run() {
        if (m_context.progress.isCancelled())
            return base::Progress::cancelled();
        keep(Stage::Captured, captured(m_context));
        if (m_context.progress.isCancelled())
            return base::Progress::cancelled();
        StageGraph start = withSubstitutes(m_context, inlined(m_context));
        for (std::size_t i = 1; i < kStageCount; ++i) {
            const Stage stage = kStages[i];
            if (m_context.progress.isCancelled())
                return base::Progress::cancelled();
            m_context.progress.report(
                toString(stage), static_cast<double>(i) / static_cast<double>(kStageCount));
            auto next = step(stage, i == 1 ? std::move(start) : m_program.stage(kStages[i - 1]));
            if (!next)
                return next.error();
            next->stage = stage;
            keep(stage, std::move(*next));
        }
        return std::move(m_program);
    }

private:
    base::Result<StageGraph> step(Stage stage, StageGraph graph) {
        switch (stage) {
        case Stage::Decomposed:
            return m_family.decompose(m_context, std::move(graph));
        case Stage::Fused:
            return edited(m_family.fuse(m_context, std::move(graph)));
        case Stage::LaidOut:
            return m_family.layOut(m_context, std::move(graph));
        case Stage::Placed:
            return checked(m_family.place(m_context, std::move(graph), m_program));
        case Stage::Scheduled:
            return m_family.schedule(m_context, std::move(graph), m_program);
        case Stage::Captured:
            break;
        }
        return graph;
    }

    base::Result<StageGraph> edited(base::Result<StageGraph> fused) const {
        if (!fused || m_context.settings.fusionEdits.empty())
            return fused;
        return withFusionEdits(m_context, m_family.fusionRules(), *std::move(fused));
    }

    base::Result<StageGraph> checked(base::Result<StageGraph> placed) const {
        if (placed)
            checkPlacements(m_context, *placed, m_program);
        return placed;
    }

    void keep(Stage stage, StageGraph graph) {
        for (std::string& finding : verify(graph, *m_context.typed.graph))
            m_context.diagnostics.error("lowering.verifier", std::string(toString(stage)),
                std::move(finding),
                "This is a defect of the program, not of the model; please report it.");
        m_program.stages[static_cast<std::size_t>(stage)] =
            std::make_shared<const StageGraph>(std::move(graph));
    }

    const Family& m_family;
    const Context& m_context;
    Program m_program;
};

} // namespace

base::Result<Program> lower(const Family& family, const Context& context) {
    return Driver(family, context).run();
}

} // namespace fivefold::lowering
