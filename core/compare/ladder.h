// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/lab/differences.h"
#include "core/compare/level.h"

#include <array>
#include <memory>

namespace fivefold::compare {

/// What memory holds before anybody writes to it, on the lab's machines.
constexpr double kOldContents = 0;

/// The rungs of a program under planted faults, each beside the same rung without them. Runs are
/// made when they are asked for, and kept.
class Ladder {
public:
    /// All references outlive the object.
    Ladder(const numerics::Subject& subject, const numerics::Inputs& inputs,
        const std::vector<const numerics::Fault*>& faults, const base::Progress& progress);

    struct Pair {
        numerics::RungRun right, planted;
    };
    base::Result<const Pair*> at(numerics::Rung rung);
    /// Whether values, progress or tokens differ at the rung; see `relative`.
    base::Result<bool> differs(numerics::Rung rung);
    /// The first rung that differs, by bisection over Captured to Numerics; nullopt: none does.
    base::Result<std::optional<numerics::Rung>> firstThatDiffers();
    FirstDifference first(numerics::Rung rung) const; ///< of a rung that was run
    const Pair* known(numerics::Rung rung) const;
    int runs() const { return m_runs; }

    /// Only this node at the rung, its operands given: with faults, and without.
    base::Result<Pair> runNode(numerics::Rung rung, ir::NodeId node,
        const std::map<ir::ValueId, numerics::Datum>& given, double memory);

    /// The value in the machine's lanes under the faults; nullopt where the rung lays out nothing.
    /// Runs the rung again: lanes are large, and nobody asks for those of other values.
    std::optional<numerics::Lanes> plantedLanes(numerics::Rung rung, ir::ValueId value);

    const ir::Graph& graph() const { return m_subject.graph(); }
    const std::vector<const numerics::Fault*>& faults() const { return m_faults; }
    const numerics::Subject& subject() const { return m_subject; }

private:
    numerics::RungOptions options(bool isPlanted) const;
    base::Result<Pair> run(
        numerics::Rung rung, numerics::RungOptions with, numerics::RungOptions without);
    double tolerance(numerics::Rung rung) const;

    const numerics::Subject& m_subject;
    const numerics::Inputs& m_inputs;
    const std::vector<const numerics::Fault*>& m_faults;
    const base::Progress& m_progress;
    numerics::Fault m_inert;
    bool m_isPhysical = false;
    bool m_isStrict = false; ///< to the last bit
    int m_runs = 0;
    std::array<std::unique_ptr<Pair>, numerics::kRungs> m_pairs;
};

/// Level between a rung and the one below it.
numerics::Level levelOf(numerics::Rung rung, const numerics::RungRun& planted);

/// Ladder and reasons of a verdict from a climbed ladder: what clears each level, in sentences.
void explainLadder(
    Ladder& ladder, numerics::Rung first, const FirstDifference& found, LevelVerdict& verdict);

} // namespace fivefold::compare
