// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"

#include <QColor>

#include <span>

namespace fivefold::views::common {

class VerdictMap;

/// What the lens says of one thing: its fill, and the word that doubles it for those who cannot
/// tell colours apart.
struct LensMark {
    QColor fill; ///< invalid: not known; paint the hatch of the unresolved
    QString word; ///< "contraction", "512 KiB", "49 %", "16 bit", a module's path, "C"
};

constexpr int kLenses = 7; ///< the last, Lens::Verdict, says nothing before a comparison
/// "operator class", "bytes", "padding", "dtype", "module", "decided by", "verdict": as in the tool
/// bar.
QString lensName(Lens lens);

/// The one colouring of all panels for one result. Operators, tensors, steps and events of one
/// thing get one fill, whatever panel shows it. Bytes are those of the results, padding included,
/// from 256 B to 256 MiB by their logarithm; padding is its share of them; dtype the widest of
/// them; decided by four steps with the letters P C R H. Use: `LensColours(state.result(),
/// state.lens()).value(state.stage(), id)`. Making one is O(1) but for Lens::Module, O(captured
/// nodes), and for Lens::Verdict, O(compared layers): keep it while result, lens and comparison
/// stay.
class LensColours {
public:
    LensColours() = default;
    /// `divergence`: what Lens::Verdict speaks of; null: nothing was compared.
    LensColours(std::shared_ptr<const analysis::Result> result, Lens lens,
        std::shared_ptr<const compare::Divergence> divergence = {});

    Lens lens() const { return m_lens; }
    const std::shared_ptr<const compare::Divergence>& divergence() const { return m_divergence; }
    /// One operator, or several that are shown as one.
    LensMark node(lowering::Stage stage, lowering::NodeId node) const;
    LensMark nodes(lowering::Stage stage, std::span<const lowering::NodeId> nodes) const;
    /// A tensor: its own bytes, padding and dtype; class, module and decider of the operator that
    /// makes it, else of the first that reads it.
    LensMark value(lowering::Stage stage, lowering::ValueId value) const;
    LensMark step(lowering::StepId step) const;
    /// As its step's; who decided is the event's own.
    LensMark event(lowering::EventId event) const;

private:
    LensMark ofDecider(lowering::DecidedBy decider) const;
    LensMark ofModule(const lowering::Node& node) const;
    LensMark ofMeasure(std::optional<double> value) const;
    LensMark ofVerdicts(lowering::Stage stage, std::span<const lowering::NodeId> nodes) const;

    std::shared_ptr<const analysis::Result> m_result;
    Lens m_lens = Lens::OperatorClass;
    std::vector<std::uint8_t> m_isOddScope; ///< of Lens::Module, by scope
    std::shared_ptr<const compare::Divergence> m_divergence;
    std::shared_ptr<const VerdictMap> m_verdicts; ///< of Lens::Verdict
};

/// What the fills mean, in the words that every panel's legend uses.
Legend lensLegend(Lens lens);

} // namespace fivefold::views::common
