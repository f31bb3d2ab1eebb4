// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/global_errors.h"
#include "core/compare/local_errors.h"
#include "core/compare/own_numerics.h"

#include <optional>

namespace fivefold::compare {

/// What is passed along the graph about a value.
struct ValueState {
    std::int32_t layer = -1; ///< index into Divergence::layers
    std::int32_t origin = -1; ///< layer of an origin that it follows from by reachability
    bool isWrong = false; ///< differs from the reference beyond rounding
    bool isMissing = false;
    enum class Cause : std::uint8_t { None, Amplified, Random } cause = Cause::None;
    std::int32_t causedBy = -1; ///< layer where that began
    double relative = 0; ///< RMSE over the reference's root mean square
};

/// Goes through the values in topological order and gives each its verdict.
class Judge {
public:
    Judge(const numerics::Subject& subject, SideValues* reference, SideValues& device,
        const numerics::Inputs& inputs, const CompareOptions& options,
        const base::Progress& progress);
    Divergence run();

private:
    struct Finding; ///< everything about one output before the verdict
    void judgeSource(ir::ValueId value);
    void judgeNode(ir::NodeId node);
    Finding look(ir::ValueId value);
    void lookLocally(ir::NodeId node, std::vector<Finding>& findings);
    void noteOverflow(ir::NodeId node, Finding& finding);
    void lookAtRepeats(ir::NodeId node, std::vector<Finding>& findings);
    void dropWhatReferenceLacks(ir::NodeId node, std::vector<Finding>& findings);
    void dropOwnNumerics(ir::NodeId node, std::vector<Finding>& findings);
    ValueState inherited(ir::NodeId node) const;
    double inputError(ir::NodeId node) const;
    void decide(ir::NodeId node, std::vector<Finding>& findings);
    void decideWrong(Finding& finding, const ValueState& before, std::int32_t& own);
    void decideRight(ir::NodeId node, Finding& finding, const ValueState& before);
    void judgeAlone(ir::NodeId node, Finding& finding, double inputs);
    void sharpen(Finding& finding);
    std::size_t addLayer(Finding finding);
    void addUnmatched();
    void release(ir::NodeId node);
    const RoundOff& roundOff(ir::DType dtype);
    Recompute& recompute(std::size_t repeat, ir::DType dtype);
    Recompute& referenceRecompute();
    bool isLocal(ir::NodeId node) const;
    void keepContents(std::size_t layer, const Finding& finding);

    const numerics::Subject& m_subject;
    const ir::Graph& m_graph;
    SideValues* m_reference;
    SideValues& m_device;
    const numerics::Inputs& m_inputs;
    const CompareOptions& m_options;
    const base::Progress& m_progress;
    OwnNumerics m_own;
    const numerics::Arithmetic* m_declared;
    numerics::Format m_contents = numerics::Format::Fp32; ///< of floats that were widened
    std::map<numerics::Format, RoundOff> m_roundOffs;
    std::map<std::pair<std::size_t, numerics::Format>, std::unique_ptr<Recompute>> m_recomputes;
    std::unique_ptr<Recompute> m_referenceRecompute;
    RoundOff m_referenceRoundOff;
    base::IdVector<ir::ValueId, ValueState> m_states;
    base::IdVector<ir::ValueId, std::int32_t> m_usersLeft;
    double m_spentAfterOrigin = 0; ///< multiply-adds of nodes behind an origin
    std::int64_t m_keptElements = 0;
    Divergence m_result;

public:
    void setContentsFormat(numerics::Format format) { m_contents = format; }
};

} // namespace fivefold::compare
