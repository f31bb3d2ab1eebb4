// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/ladder.h"
#include "core/numerics/rungs/fault_rules.h"

#include <algorithm>

namespace fivefold::compare {

using numerics::Level;
using numerics::Rung;

namespace {

/// Far above fp64 rounding of one operator, far below what any fault does.
constexpr double kExact = 1e-9;

Rung rungAt(int index) {
    return static_cast<Rung>(index);
}

} // namespace

Ladder::Ladder(const numerics::Subject& subject, const numerics::Inputs& inputs,
    const std::vector<const numerics::Fault*>& faults, const base::Progress& progress)
    : m_subject(subject)
    , m_inputs(inputs)
    , m_faults(faults)
    , m_progress(progress)
    , m_inert(inertFault()) {
    m_isPhysical = std::any_of(faults.begin(), faults.end(),
        [](const numerics::Fault* fault) { return isPhysical(fault->id); });
}

numerics::RungOptions Ladder::options(bool isPlanted) const {
    numerics::RungOptions options;
    options.poison =
        m_faults.empty() ? kOldContents : m_faults.front()->parameter("memory", kOldContents);
    options.seed = m_faults.empty() ? 1 : m_faults.front()->seed;
    if (isPlanted)
        options.faults = m_faults;
    if (m_isPhysical)
        options.fault = &m_inert;
    return options;
}

base::Result<Ladder::Pair> Ladder::run(
    Rung rung, numerics::RungOptions with, numerics::RungOptions without) {
    auto right = numerics::runRung(m_subject, rung, m_inputs, without, m_progress);
    if (!right)
        return right.error();
    auto planted = numerics::runRung(m_subject, rung, m_inputs, with, m_progress);
    if (!planted)
        return planted.error();
    shareEqual(*right, *planted);
    return Pair{*std::move(right), *std::move(planted)};
}

std::optional<numerics::Lanes> Ladder::plantedLanes(Rung rung, ir::ValueId value) {
    if (rung < Rung::LaidOut || !value.isValid())
        return std::nullopt;
    numerics::RungOptions with = options(true);
    with.keepsLanes = true;
    with.keeps = [value](ir::ValueId own) { return own == value; };
    auto planted = numerics::runRung(m_subject, rung, m_inputs, with, m_progress);
    if (!planted)
        return std::nullopt;
    const auto found = planted->lanes.find(value);
    return found == planted->lanes.end() ? std::nullopt : std::optional(std::move(found->second));
}

base::Result<const Ladder::Pair*> Ladder::at(Rung rung) {
    auto& slot = m_pairs[static_cast<std::size_t>(rung)];
    if (!slot) {
        auto pair = run(rung, options(true), options(false));
        if (!pair)
            return pair.error();
        ++m_runs;
        slot = std::make_unique<Pair>(*std::move(pair));
    }
    return static_cast<const Pair*>(slot.get());
}

const Ladder::Pair* Ladder::known(Rung rung) const {
    return m_pairs[static_cast<std::size_t>(rung)].get();
}

double Ladder::tolerance(Rung rung) const {
    return m_isStrict || rung == Rung::Numerics ? 0 : kExact;
}

FirstDifference Ladder::first(Rung rung) const {
    const Pair* pair = known(rung);
    return pair ? firstDifference(graph(), pair->right, pair->planted, tolerance(rung))
                : FirstDifference();
}

base::Result<bool> Ladder::differs(Rung rung) {
    auto pair = at(rung);
    if (!pair)
        return pair.error();
    const numerics::RungRun& planted = (*pair)->planted;
    return planted.deadlock.has_value() || planted.lostTokens > 0 || first(rung).value.isValid();
}

base::Result<std::optional<Rung>> Ladder::firstThatDiffers() {
    for (const bool isStrict : {false, true}) {
        m_isStrict = isStrict;
        int low = static_cast<int>(Rung::Captured), high = static_cast<int>(Rung::Numerics);
        while (low < high) {
            const int middle = (low + high) / 2;
            auto different = differs(rungAt(middle));
            if (!different)
                return different.error();
            if (*different)
                high = middle;
            else
                low = middle + 1;
        }
        auto different = differs(rungAt(low));
        if (!different)
            return different.error();
        // What only the formats show may still be a formula that fp64 all but hides (F06).
        const bool isHidden = low == static_cast<int>(Rung::Numerics) && !isStrict;
        if (*different && !isHidden)
            return std::optional(rungAt(low));
    }
    return std::optional<Rung>();
}

base::Result<Ladder::Pair> Ladder::runNode(Rung rung, ir::NodeId node,
    const std::map<ir::ValueId, numerics::Datum>& given, double memory) {
    numerics::RungOptions with = options(true), without = options(false);
    with.poison = without.poison = memory;
    with.given = without.given = given;
    with.only = without.only = {node};
    return run(rung, std::move(with), std::move(without));
}

Level levelOf(Rung rung, const numerics::RungRun& planted) {
    switch (rung) {
    case Rung::Source:
    case Rung::Captured:
        return Level::Capture;
    case Rung::Decomposed:
        return Level::Decomposition;
    case Rung::Fused:
        return Level::Fusion;
    case Rung::LaidOut:
        return Level::Layout;
    case Rung::Placed:
        return Level::Conflict;
    case Rung::Scheduled:
        return planted.deadlock || planted.lostTokens > 0 ? Level::Deadlock : Level::Conflict;
    case Rung::Timed:
        return Level::Transfer;
    case Rung::Numerics:
        return Level::Numerics;
    }
    return Level::Numerics;
}

namespace {

/// Which of the planted faults the first differing rung shows.
const numerics::Fault* shownBy(
    const std::vector<const numerics::Fault*>& faults, Rung rung, ir::NodeId node) {
    const numerics::Fault* shown = nullptr;
    for (const numerics::Fault* fault : faults) {
        if (numerics::firstRung(fault->id) > rung)
            continue;
        if (fault->node == node)
            return fault;
        if (!shown)
            shown = fault;
    }
    return shown;
}

std::string proofOf(const LevelVerdict& verdict, Rung rung) {
    std::string text =
        "the rung “" + std::string(numerics::toString(rung)) + "” ran the fault lab's own program";
    if (verdict.fault && verdict.wrong > 0)
        text += " · " + numerics::toString(verdict.fault->id) + " explains "
            + std::to_string(verdict.explained) + " of " + std::to_string(verdict.wrong)
            + " wrong elements";
    const auto& transfers = verdict.transfers;
    if (!transfers.empty())
        text += std::all_of(transfers.begin(), transfers.end(),
                    [](const numerics::Transfer& transfer) { return transfer.isClean(); })
            ? " · transfer log equal byte for byte"
            : " · transfer log not clean";
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

} // namespace

base::Result<LadderRun> climb(const numerics::Subject& subject, const numerics::Inputs& inputs,
    const std::vector<const numerics::Fault*>& faults, const base::Progress& progress) {
    Ladder ladder(subject, inputs, faults, progress);
    auto rung = ladder.firstThatDiffers();
    if (!rung)
        return rung.error();
    LadderRun result;
    result.runs = ladder.runs();
    if (!*rung) {
        result.verdict.sentence = "No rung differs from the one below it: on these inputs the "
                                  "program computes what it should.";
        return result;
    }
    const FirstDifference found = ladder.first(**rung);
    const numerics::RungRun& planted = ladder.known(**rung)->planted;
    result.node = found.node;
    result.value = found.value;
    LevelVerdict& verdict = result.verdict;
    verdict.level = levelOf(**rung, planted);
    verdict.how = HowKnown::Proved;
    verdict.wrong = verdict.explained = found.wrong.count;
    verdict.deadlock = planted.deadlock;
    verdict.deadlockSentence = planted.deadlockSentence;
    if (const auto* fault = shownBy(faults, **rung, found.node))
        verdict.fault = *fault;
    if (found.isMissing && verdict.fault && verdict.fault->node.isValid())
        result.node = verdict.fault->node; // what stops is reported where it was caused
    explainLadder(ladder, **rung, found, verdict);
    verdict.proof = proofOf(verdict, **rung);
    result.runs = ladder.runs();
    return result;
}

} // namespace fivefold::compare
