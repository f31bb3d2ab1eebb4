// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/ladder.h"

#include "core/compare/words.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using numerics::Datum;
using numerics::Level;
using numerics::Rung;
using numerics::RungRun;
using numerics::Tensor;

namespace {

std::string spelled(Rung rung) {
    std::string text(numerics::toString(rung));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

const Tensor* tensorAt(const RungRun& run, ir::ValueId value) {
    const auto found = run.values.find(value);
    return found == run.values.end() || !found->second.tensor.isDefined() ? nullptr
                                                                          : &found->second.tensor;
}

/// Operands of a node that are small integers, in place of what the run had.
std::map<ir::ValueId, Datum> integerOperands(
    const ir::Graph& graph, ir::NodeId node, const RungRun& run) {
    constexpr std::int64_t kPeriod = 5; // products and sums of these stay exact in every format
    std::map<ir::ValueId, Datum> given;
    for (const ir::ValueId input : graph.nodes[node].inputs) {
        const Tensor* tensor = input.isValid() ? tensorAt(run, input) : nullptr;
        if (!tensor || !ir::isFloat(tensor->dtype()))
            continue;
        std::vector<double> values(static_cast<std::size_t>(tensor->size()));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<double>(static_cast<std::int64_t>(i) % kPeriod) + 1;
        given.emplace(input, Tensor(tensor->dtype(), tensor->shape(), std::move(values)));
    }
    return given;
}

std::map<ir::ValueId, Datum> ownOperands(
    const ir::Graph& graph, ir::NodeId node, const RungRun& run) {
    std::map<ir::ValueId, Datum> given;
    for (const ir::ValueId input : graph.nodes[node].inputs)
        if (const auto found = run.values.find(input); input.isValid() && found != run.values.end())
            given.emplace(input, found->second);
    return given;
}

/// What is known about the value at fault besides the ladder.
struct Evidence {
    std::optional<std::int64_t> integerWrong; ///< wrong elements on small integers
    std::optional<bool> variesWithMemory; ///< another old contents, another result
    const RungRun* timed = nullptr; ///< under the fault
    std::optional<ElementSet> wrongAtTimed, wrongAtNumerics;
};

class Explanation {
public:
    Explanation(Ladder& ladder, Rung first, const FirstDifference& found, LevelVerdict& verdict)
        : m_ladder(ladder)
        , m_first(first)
        , m_found(found)
        , m_verdict(verdict)
        , m_planted(ladder.known(first)->planted) { }

    void run() {
        gather();
        fillLadder();
        fillReasons();
        m_verdict.sentence = "Level " + std::to_string(static_cast<int>(*m_verdict.level))
            + " of 8, " + std::string(numerics::toString(*m_verdict.level))
            + ", is to blame: " + why();
        if (!m_verdict.sentence.ends_with('.'))
            m_verdict.sentence += '.';
    }

private:
    std::optional<ElementSet> wrongAt(Rung rung) {
        auto pair = m_ladder.at(rung);
        if (!pair)
            return std::nullopt;
        const Tensor* right = tensorAt((*pair)->right, m_found.value);
        const Tensor* wrong = tensorAt((*pair)->planted, m_found.value);
        if (!right || !wrong)
            return std::nullopt;
        constexpr double kShown = 1e-9;
        return differences(*wrong, *right, rung == Rung::Numerics ? 0 : kShown);
    }

    void gather() {
        m_evidence.wrongAtTimed = wrongAt(Rung::Timed);
        if (const Ladder::Pair* timed = m_ladder.known(Rung::Timed))
            m_evidence.timed = &timed->planted;
        m_evidence.wrongAtNumerics = wrongAt(Rung::Numerics);
        if (m_evidence.timed)
            keepTransfers(m_evidence.timed->transfers);
        if (m_found.node.isValid() && !m_found.isMissing)
            probe();
        m_verdict.lanes = m_ladder.plantedLanes(m_first, m_found.value);
    }

    void keepTransfers(const std::vector<numerics::Transfer>& transfers) {
        m_transfers = transfers.size();
        for (const numerics::Transfer& transfer : transfers) {
            m_unclean += transfer.isClean() ? 0 : 1;
            constexpr std::size_t kMostKept = 64;
            if (m_verdict.transfers.size() < kMostKept)
                m_verdict.transfers.push_back(transfer);
        }
    }

    void probe() {
        const RungRun& right = m_ladder.known(m_first)->right;
        const auto given = integerOperands(m_ladder.graph(), m_found.node, right);
        if (!given.empty())
            if (auto pair = m_ladder.runNode(m_first, m_found.node, given, kOldContents))
                m_evidence.integerWrong = wrongCount(*pair);
        constexpr double kOther = -77;
        const auto own = ownOperands(m_ladder.graph(), m_found.node, right);
        auto pair = m_ladder.runNode(m_first, m_found.node, own, kOther);
        const Tensor* before = tensorAt(m_planted, m_found.value);
        const Tensor* after = pair ? tensorAt(pair->planted, m_found.value) : nullptr;
        if (before && after)
            m_evidence.variesWithMemory = !differences(*after, *before).isEmpty();
    }

    std::optional<std::int64_t> wrongCount(const Ladder::Pair& pair) const {
        const Tensor* right = tensorAt(pair.right, m_found.value);
        const Tensor* wrong = tensorAt(pair.planted, m_found.value);
        if (!right || !wrong)
            return std::nullopt;
        return differences(*wrong, *right).count;
    }

    void fillLadder() {
        using Kind = RungState::Kind;
        const std::int64_t total = m_found.wrong.total;
        for (int index = 0; index < static_cast<int>(numerics::kRungs); ++index) {
            RungState& state = m_verdict.ladder[static_cast<std::size_t>(index)];
            const Rung rung = static_cast<Rung>(index);
            if (rung == Rung::Source) {
                state = {Kind::NotGiven, {}, "not given"};
            } else if (rung < m_first) {
                state = {Kind::Equal, {}, total > 0 ? std::to_string(total) + " equal" : "equal"};
            } else if (rung == m_first) {
                state = {Kind::Differs, m_found.wrong,
                    m_found.isMissing ? "stops" : std::to_string(m_found.wrong.count) + " differs"};
                if (m_found.wrong.count != 1 && !m_found.isMissing)
                    state.words = std::to_string(m_found.wrong.count) + " differ";
            } else {
                state = {Kind::Same, m_found.wrong,
                    m_found.isMissing ? "same stop"
                                      : "same " + std::to_string(m_found.wrong.count)};
            }
        }
    }

    bool isSameAbove() const {
        return m_evidence.wrongAtTimed && jaccard(*m_evidence.wrongAtTimed, m_found.wrong) == 1;
    }

    std::string equalWords() const {
        return m_found.wrong.total > 0 ? counted(m_found.wrong.total, "element")
                                       : std::string("what was computed");
    }

    /// What clears a level below the first rung that differs.
    std::string clearedBelow(Level level) const {
        switch (level) {
        case Level::Capture:
            return "the captured graph, run operator by operator in fp64, gives the right "
                + equalWords();
        case Level::Decomposition:
            return "the decomposed graph equals the captured one in fp64";
        case Level::Fusion: {
            const auto& program = *m_ladder.subject().program;
            const auto& fused = program.stages[static_cast<std::size_t>(lowering::Stage::Fused)];
            return "the fused graph equals the decomposed one in fp64; "
                + counted(fused ? static_cast<std::int64_t>(fused->kernels.size()) : 0, "kernel");
        }
        case Level::Layout:
            return "in the machine's own lanes, padding included, with private buffers and one "
                   "after another, the result is right";
        case Level::Conflict:
            return m_first == Rung::Scheduled
                ? "with real addresses, one after another, nothing is overwritten"
                : "real addresses and the real order give what private buffers give";
        case Level::Deadlock:
            return tokens();
        case Level::Transfer:
            return transfers();
        case Level::Numerics:
            return {};
        }
        return {};
    }

    std::string tokens() const {
        if (!m_evidence.timed)
            return {};
        return m_evidence.timed->deadlock || m_evidence.timed->lostTokens > 0
            ? std::string()
            : "the simulation ends with all tokens consumed";
    }

    std::string transfers() const {
        if (!m_evidence.timed || m_unclean > 0)
            return {};
        if (m_transfers == 0)
            return "nothing is moved between memories on the way";
        return counted(static_cast<std::int64_t>(m_transfers), "transfer")
            + ", destination bytes equal source bytes before the first read";
    }

    /// What clears a level above the first rung that differs.
    std::string clearedAbove(Level level) const {
        if (level == Level::Deadlock)
            return tokens();
        if (level == Level::Transfer)
            return transfers();
        if (level == Level::Numerics)
            return numericsAbove();
        if (!m_found.isMissing && isSameAbove()) {
            if (level == Level::Conflict)
                return "private buffers and one core give the same wrong "
                    + std::string(m_found.wrong.count == 1 ? "element" : "elements");
            if (level == Level::Layout)
                return "logical tensors without any padding give the same wrong elements";
            return "the " + std::string(numerics::toString(*m_verdict.level))
                + " before it gives the same wrong elements";
        }
        return "rungs above the first difference add nothing of their own";
    }

    std::string numericsAbove() const {
        if (m_found.isMissing)
            return "nothing was computed that could be rounded";
        if (!m_evidence.integerWrong)
            return "fp64 shows the same error";
        if (*m_evidence.integerWrong > 0)
            return "the integer probe fails, so it is not rounding; "
                + counted(m_found.wrong.total - m_found.wrong.count, "other element")
                + (m_found.wrong.total - m_found.wrong.count == 1 ? " is exact" : " are exact");
        return "fp64 shows the error too, though small integers do not";
    }

    void fillReasons() {
        using State = LevelReason::State;
        const int blamed = static_cast<int>(*m_verdict.level);
        for (int index = 1; index <= numerics::kLevels; ++index) {
            LevelReason& reason = m_verdict.reasons[static_cast<std::size_t>(index - 1)];
            const auto level = static_cast<Level>(index);
            if (index == blamed) {
                reason = {State::Blamed, blame()};
                continue;
            }
            // The rung "scheduled" shows two levels: what stops is 6, what goes on wrongly 5.
            const std::string text = index < blamed ? clearedBelow(level) : clearedAbove(level);
            reason = text.empty() ? LevelReason{State::Unknown,
                         "not decided: the fault below may hide what this level does"}
                                  : LevelReason{State::Cleared, text};
        }
    }

    std::string loopWords() const {
        if (!m_verdict.lanes || m_verdict.lanes->loopRange.empty())
            return {};
        const auto& axes = m_verdict.lanes->layout.axes;
        const auto& loops = m_verdict.lanes->loopRange;
        std::string covered, whole;
        bool isPartial = false;
        for (std::size_t i = 0; i < loops.size() && i < axes.size(); ++i) {
            const std::int64_t extent = loops[i].second - loops[i].first;
            if (axes[i].extent == 1 && extent == 1)
                continue;
            isPartial |= extent < axes[i].extent;
            covered += (covered.empty() ? "" : ", ") + std::to_string(extent);
            whole += (whole.empty() ? "" : ", ") + std::to_string(axes[i].extent);
        }
        return isPartial ? "loop range [" + covered + "], layout [" + whole + "]" : std::string();
    }

    std::string where() const { return elementsText(m_found.wrong, shapeOfFound()); }

    std::vector<std::int64_t> shapeOfFound() const {
        const Tensor* tensor = tensorAt(m_planted, m_found.value);
        return tensor ? tensor->shape() : std::vector<std::int64_t>{m_found.wrong.total};
    }

    std::string blame() const {
        std::string text = loopWords();
        const std::string fault = m_verdict.fault
            ? std::string(numerics::facts(m_verdict.fault->id).mechanism)
            : std::string("the rung differs from the one below it");
        if (m_found.isMissing)
            return m_planted.deadlockSentence.empty() ? fault : m_planted.deadlockSentence;
        if (text.empty())
            text = fault;
        if (m_verdict.level == Level::Transfer && m_unclean > 0)
            text += "; " + counted(m_unclean, "transfer") + " of " + std::to_string(m_transfers)
                + " not whole before the first read";
        if (m_planted.lostTokens > 0)
            text += "; " + counted(m_planted.lostTokens, "token") + " lost";
        if (m_evidence.variesWithMemory.value_or(false))
            text += "; the result changes with what memory held before";
        if (m_verdict.level == Level::Numerics && m_evidence.integerWrong)
            text += *m_evidence.integerWrong == 0 ? "; exact on small integers"
                                                  : "; wrong on small integers too";
        return text + ": wrong " + where();
    }

    std::string why() const {
        if (m_found.isMissing && !m_planted.deadlockSentence.empty())
            return m_planted.deadlockSentence;
        const std::string loops = loopWords();
        std::string text = m_verdict.fault
            ? std::string(numerics::facts(m_verdict.fault->id).mechanism)
            : "the rung " + spelled(m_first) + " differs";
        if (!loops.empty())
            text += " (" + loops + ")";
        return text;
    }

    Ladder& m_ladder;
    Rung m_first;
    const FirstDifference& m_found;
    LevelVerdict& m_verdict;
    const RungRun& m_planted;
    Evidence m_evidence;
    std::size_t m_transfers = 0;
    std::int64_t m_unclean = 0;
};

} // namespace

void explainLadder(
    Ladder& ladder, Rung first, const FirstDifference& found, LevelVerdict& verdict) {
    Explanation(ladder, first, found, verdict).run();
}

} // namespace fivefold::compare
