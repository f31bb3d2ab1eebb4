// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/level.h"

#include "core/compare/fault_lab.h"
#include "core/compare/headline.h"
#include "core/compare/lab/differences.h"
#include "core/compare/level_candidates.h"
#include "core/compare/local_errors.h"
#include "core/numerics/rungs/fault_rules.h"
#include "core/numerics/rungs/faults_logical.h"

#include <algorithm>
#include <limits>
#include <set>

namespace fivefold::compare {

using numerics::Datum;
using numerics::Fault;
using numerics::Level;
using numerics::Rung;
using numerics::Tensor;

namespace {

constexpr std::array<std::string_view, numerics::kLevels> kArtefacts{
    "fx_graph_readable.py, the captured graph, with its guards and constants",
    "fx_graph_transformed.py, the decomposed graph", "ir_post_fusion.txt, the fused groups",
    "sdsc_*.json, loop ranges and layouts of the compiled kernels",
    "the address map and the schedule", "the queues' occupancy and the last event of each unit",
    "the transfer log with times and checksums",
    "a second run with fp32 accumulation, and the machine's declared numerics"};

/// Runs the node of one origin again under faults, from the device's own inputs.
class Namer {
public:
    Namer(const numerics::Subject& subject, const numerics::Inputs& inputs,
        const Divergence& divergence, const base::Progress& progress)
        : m_subject(subject)
        , m_inputs(inputs)
        , m_divergence(divergence)
        , m_progress(progress) {
        for (std::size_t i = 0; i < divergence.layers.size(); ++i)
            if (divergence.layers[i].value.isValid())
                m_layerOf[divergence.layers[i].value] = i;
    }

    /// Elements of the origin, where a fault that matches tells them better than tolerances do.
    std::optional<ElementSet> name(std::size_t origin, LevelVerdict& verdict) {
        const Layer& layer = m_divergence.layers[origin];
        const auto contents = m_divergence.contents.find(origin);
        if (!layer.value.isValid() || !nodeOf(layer).isValid()
            || contents == m_divergence.contents.end() || !contents->second.device.isDefined())
            return std::nullopt;
        const Tensor& right = contents->second.expected.isDefined() ? contents->second.expected
                                                                    : contents->second.reference;
        if (!right.isDefined() || right.size() != contents->second.device.size())
            return std::nullopt;
        const numerics::Format format =
            ir::isFloat(layer.dtype) ? numerics::formatOf(layer.dtype) : numerics::Format::Fp32;
        double unit = numerics::facts(format).unitRoundoff;
        if (m_subject.machine) {
            const auto arithmetic = numerics::arithmeticOf(*m_subject.machine, m_subject.precision);
            unit = std::max(unit, numerics::facts(arithmetic.storage).unitRoundoff);
        }
        const Observed observed{contents->second.device, right, unit, layer.tolerance.absolute};
        m_isClean = false;
        const std::vector<Attempt> attempts = tries(layer, observed);
        decide(layer, attempts, verdict);
        const bool isFine = verdict.fault
            && std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& attempt) {
                   return attempt.isFine && attempt.fault.id == verdict.fault->id;
               });
        return isFine && m_cleanNode
            ? std::optional(differences(contents->second.device, *m_cleanNode))
            : std::nullopt;
    }

private:
    /// The node that makes the value; the first that reads it, of an input of the model.
    ir::NodeId nodeOf(const Layer& layer) const {
        const auto& users = m_subject.graph().values[layer.value].users;
        return layer.node.isValid() || users.empty() ? layer.node : users.front();
    }

    std::vector<Attempt> tries(const Layer& layer, const Observed& observed) {
        std::vector<Fault> faults = applicable(m_subject, nodeOf(layer));
        if (!layer.node.isValid()) // only what befalls it on the way can be wrong with an input
            std::erase_if(faults, [](const Fault& f) { return numerics::number(f.id) != 31; });
        std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) {
            return priorOf(a.id, layer.pattern) < priorOf(b.id, layer.pattern);
        });
        std::vector<Attempt> best;
        for (const Fault& fault : faults) {
            std::optional<Attempt> own;
            for (const Fault& variant : variants(fault, m_subject, layer)) {
                if (m_progress.isCancelled())
                    return best;
                auto now = attemptOf(layer, observed, variant);
                if (now && (!own || now->score() > own->score()))
                    own = now;
            }
            if (own)
                best.push_back(*own);
        }
        if (auto other = otherTensor(layer))
            best.push_back(*other);
        if (auto partial = partialCopy(layer, observed))
            best.push_back(*partial);
        return best;
    }

    /// F20 from dumps: the wrong elements hold another tensor.
    std::optional<Attempt> otherTensor(const Layer& layer) const {
        if (layer.pattern.kind != Pattern::Kind::OtherTensor || layer.pattern.share < 0.95)
            return std::nullopt;
        Attempt result;
        result.fault.id = static_cast<numerics::FaultId>(20);
        result.fault.node = layer.node;
        const ElementSet& wrong = layer.local ? layer.local->wrong : layer.global.wrong;
        result.wrong = wrong.count;
        result.explained =
            static_cast<std::int64_t>(layer.pattern.share * static_cast<double>(wrong.count));
        result.jaccard = result.values = layer.pattern.share;
        return result;
    }

    /// F12 where the layout of the device is not known: loops that end early along one axis, in
    /// every row of several. A transfer that breaks off leaves one flat suffix, no such comb.
    std::optional<Attempt> partialCopy(const Layer& layer, const Observed& observed) const {
        const Pattern& pattern = layer.pattern;
        const auto rank = static_cast<int>(layer.shape.size());
        if (pattern.kind != Pattern::Kind::Suffix || pattern.axis < 1 || pattern.axis >= rank
            || observed.device.shape() != layer.shape)
            return std::nullopt;
        std::int64_t rows = 1, inner = 1;
        for (int axis = 0; axis < rank; ++axis)
            (axis < pattern.axis ? rows : inner) *=
                axis == pattern.axis ? 1 : layer.shape[static_cast<std::size_t>(axis)];
        if (rows < 2)
            return std::nullopt;
        const std::int64_t extent = layer.shape[static_cast<std::size_t>(pattern.axis)];
        std::vector<double> values = observed.expected.numbers();
        const double old = observed.device.number(pattern.at * inner);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (static_cast<std::int64_t>(i) / inner % extent >= pattern.at)
                values[i] = old;
        Attempt result =
            attempt(observed, Tensor(layer.dtype, layer.shape, std::move(values)), false);
        result.fault.id = static_cast<numerics::FaultId>(12);
        result.fault.node = layer.node;
        result.fault.parameters["covered"] = static_cast<double>(pattern.at);
        return result;
    }

    std::optional<Attempt> attemptOf(
        const Layer& layer, const Observed& observed, const Fault& fault) {
        const bool isLogical = numerics::isLogicalFault(fault.id);
        const bool isOpen = m_subject.program && !isLogical
            && layer.pattern.kind != Pattern::Kind::Constant
            && layer.pattern.kind != Pattern::Kind::NonFinite;
        const bool isNaN = layer.pattern.kind == Pattern::Kind::NonFinite && !isLogical;
        const double memory = isOpen || isNaN ? std::numeric_limits<double>::quiet_NaN()
            : layer.pattern.kind == Pattern::Kind::Constant ? layer.pattern.value
                                                            : 0;
        const auto result =
            m_subject.program ? throughRung(layer, fault, memory) : throughRule(layer, fault);
        if (!result)
            return std::nullopt;
        if (isOpen) // zeros explain more than contents of which nothing is known
            if (const auto zeros = throughRung(layer, fault, 0)) {
                Attempt now = attempt(observed, *zeros, false);
                now.fault = fault;
                if (now.isMatch())
                    return now;
            }
        Attempt now = attempt(observed, *result, isOpen);
        if (isLogical && !now.isMatch() && m_subject.program)
            if (const Tensor* clean = cleanNode(layer, fault))
                if (Attempt fine = fineAttempt(observed.device, *clean, *result); fine.isMatch())
                    now = fine;
        now.fault = fault;
        return now;
    }

    /// The node as the machine runs it without a fault; null: it cannot.
    const Tensor* cleanNode(const Layer& layer, const Fault& fault) {
        if (!m_isClean)
            m_cleanNode = throughRung(layer, fault, 0, false);
        m_isClean = true;
        return m_cleanNode ? &*m_cleanNode : nullptr;
    }

    std::map<ir::ValueId, Datum> givenFor(const Fault& fault) {
        std::map<ir::ValueId, Datum> given;
        const auto add = [&](ir::ValueId value) {
            const bool isArriving = numerics::number(fault.id) == 31 && value.isValid()
                && m_inputs.contains(m_subject.graph().values[value].name);
            if (!value.isValid() || given.contains(value) || isArriving)
                return;
            if (Datum datum = contentsOf(value); datum.tensor.isDefined())
                given.emplace(value, std::move(datum));
        };
        for (const ir::ValueId input : m_subject.graph().nodes[fault.node].inputs)
            add(input);
        if (numerics::number(fault.id) == 20) // what comes to lie on the result is made later
            for (const auto& [value, layer] : m_layerOf) {
                const auto& outputs = m_subject.graph().nodes[fault.node].outputs;
                if (std::find(outputs.begin(), outputs.end(), value) == outputs.end())
                    add(value);
            }
        if (numerics::isLogicalFault(fault.id))
            for (const ir::ValueId input : numerics::faultReads(fault.id, m_subject, fault.node))
                add(input);
        return given;
    }

    /// The device's own value; the model's input; else what the machine computes without a fault.
    Datum contentsOf(ir::ValueId value) {
        if (const auto layer = m_layerOf.find(value); layer != m_layerOf.end()) {
            const auto found = m_divergence.contents.find(layer->second);
            if (found != m_divergence.contents.end() && found->second.device.isDefined())
                return found->second.device;
        }
        const auto& name = m_subject.graph().values[value].name;
        if (const auto input = m_inputs.find(name); input != m_inputs.end())
            return input->second;
        if (m_subject.graph().values[value].origin != ir::ValueOrigin::NodeOutput)
            return {};
        const auto& computed = clean();
        const auto found = computed.find(value);
        return found == computed.end() ? Datum() : found->second;
    }

    const std::map<ir::ValueId, Datum>& clean() {
        if (m_clean || m_inputs.empty() || !m_subject.weights)
            return m_clean ? *m_clean : m_clean.emplace();
        auto run = numerics::run(*m_subject.typed, m_inputs, *m_subject.weights, {}, m_progress);
        return run ? m_clean.emplace(std::move(run->values)) : m_clean.emplace();
    }

    std::optional<Tensor> throughRung(
        const Layer& layer, const Fault& fault, double memory, bool isPlanted = true) {
        numerics::RungOptions options;
        options.fault = isPlanted ? &fault : nullptr;
        options.seed = fault.seed;
        options.poison = memory;
        options.given = givenFor(fault);
        options.only = {fault.node};
        auto run = numerics::runRung(m_subject, Rung::Numerics, m_inputs, options, m_progress);
        if (!run)
            return std::nullopt;
        const auto found = run->values.find(layer.value);
        if (found == run->values.end() || !found->second.tensor.isDefined())
            return std::nullopt;
        return found->second.tensor;
    }

    /// Without a program: the captured operator under the faulty rule, in fp64.
    std::optional<Tensor> throughRule(const Layer& layer, const Fault& fault) {
        const ir::Node& node = m_subject.graph().nodes[fault.node];
        base::Diagnostics ignored;
        const numerics::ReadCaptured read = [&](ir::ValueId value) -> Datum {
            if (Datum datum = contentsOf(value); datum.tensor.isDefined())
                return datum;
            if (!m_subject.weights)
                return {};
            auto weight = m_subject.weights->of(value, numerics::Carrier::Double, ignored);
            return weight ? Datum(*weight) : Datum();
        };
        numerics::Arithmetic arithmetic = numerics::exactArithmetic();
        if (ir::isFloat(layer.dtype))
            arithmetic.storage = numerics::formatOf(layer.dtype);
        numerics::changeArithmetic(fault, arithmetic);
        numerics::Evaluation evaluation;
        evaluation.arithmetic = &arithmetic;
        std::vector<Datum> inputs;
        for (const ir::ValueId input : node.inputs) {
            inputs.push_back(input.isValid() ? read(input) : Datum());
            if (input.isValid() && !inputs.back().tensor.isDefined())
                return std::nullopt;
        }
        auto right =
            numerics::evaluate({node.op, node.name, &node.attributes, &m_subject.graph().tensors,
                                   node.version, node.outputs.size(), ir::DType::Undefined},
                inputs, evaluation);
        if (!right || right->empty())
            return std::nullopt;
        std::vector<Datum> results = *right;
        if (numerics::number(fault.id) <= 11) {
            auto wrong = numerics::faultyResults({fault, m_subject, evaluation, read}, *right);
            if (!wrong)
                return std::nullopt;
            results = *std::move(wrong);
        }
        for (std::size_t i = 0; i < node.outputs.size() && i < results.size(); ++i)
            if (node.outputs[i] == layer.value && results[i].tensor.isDefined())
                return results[i].tensor;
        return std::nullopt;
    }

    static std::string words(const Attempt& attempt) {
        return numerics::toString(attempt.fault.id) + " explains "
            + std::to_string(attempt.explained) + " of " + std::to_string(attempt.wrong);
    }

    /// What says only that contents are old gives way to what gives the values, unless one value is
    /// all that there is to give; what was fitted gives way to what explains as much unfitted.
    static void dropUnlikely(const Layer& layer, std::vector<Attempt>& attempts) {
        const bool isConstant = layer.pattern.kind == Pattern::Kind::Constant
            || (layer.local ? layer.local->wrong : layer.global.wrong).count <= 1;
        const auto isStale = [](const Attempt& a) {
            constexpr std::array<int, 6> kLeavesOld{12, 20, 21, 23, 28, 29};
            return a.open > 0
                || std::find(kLeavesOld.begin(), kLeavesOld.end(), numerics::number(a.fault.id))
                != kLeavesOld.end();
        };
        const auto cost = [&](const Attempt& a) {
            const int stale = isStale(a) ? 1 : 0, fitted = freeParameters(a.fault);
            return isConstant ? 2 * fitted + stale : 2 * stale + fitted;
        };
        std::optional<int> least;
        for (const Attempt& a : attempts)
            if (a.isMatch())
                least = std::min(least.value_or(cost(a)), cost(a));
        std::erase_if(attempts, [&](const Attempt& a) { return a.isMatch() && cost(a) > *least; });
    }

    void decide(const Layer& layer, std::vector<Attempt> attempts, LevelVerdict& verdict) const {
        std::stable_sort(attempts.begin(), attempts.end(),
            [](const Attempt& a, const Attempt& b) { return a.score() > b.score(); });
        dropUnlikely(layer, attempts);
        explainReasons(attempts, verdict);
        if (attempts.empty() || !attempts.front().isMatch())
            return;
        const Attempt& best = attempts.front();
        constexpr double kAsGood = 0.01;
        std::set<Level> levels;
        std::string rivals;
        for (const Attempt& attempt : attempts)
            if (attempt.isMatch() && attempt.score() >= best.score() - kAsGood) {
                levels.insert(numerics::facts(attempt.fault.id).level);
                rivals += (rivals.empty() ? "" : ", ") + words(attempt);
            }
        verdict.wrong = best.wrong;
        verdict.explained = best.explained;
        const Level level = numerics::facts(best.fault.id).level;
        if (levels.size() > 1) {
            verdict.sentence =
                "More than one level explains " + layer.nodeName + ": " + rivals + ".";
            verdict.decides.clear();
            for (const Level one : levels)
                verdict.decides += (verdict.decides.empty() ? "" : "; ")
                    + std::string(kArtefacts[static_cast<std::size_t>(one) - 1]);
            return;
        }
        verdict.level = level;
        verdict.how = HowKnown::Matched;
        verdict.fault = best.fault;
        verdict.decides.clear();
        verdict.sentence = "Level " + std::to_string(static_cast<int>(level)) + " of 8, "
            + std::string(numerics::toString(level))
            + ", is to blame: " + std::string(numerics::facts(best.fault.id).mechanism) + ".";
        verdict.proof = words(best) + " wrong elements when "
            + (layer.node.isValid() ? layer.nodeName : "what reads " + layer.key)
            + " runs again from the device's own inputs; dumps alone prove nothing";
        auto& reason = verdict.reasons[static_cast<std::size_t>(level) - 1];
        reason = {LevelReason::State::Blamed,
            words(best) + " wrong elements"
                + (layer.pattern.sentence.empty() ? "" : ": " + layer.pattern.sentence)};
    }

    /// What was tried at each level, and how near it came.
    static void explainReasons(const std::vector<Attempt>& attempts, LevelVerdict& verdict) {
        for (int index = 1; index <= numerics::kLevels; ++index) {
            LevelReason& reason = verdict.reasons[static_cast<std::size_t>(index) - 1];
            const Attempt* best = nullptr;
            for (const Attempt& attempt : attempts)
                if (static_cast<int>(numerics::facts(attempt.fault.id).level) == index
                    && (!best || attempt.score() > best->score()))
                    best = &attempt;
            if (!best)
                continue;
            if (best->isMatch())
                reason = {LevelReason::State::Unknown, words(*best) + " too"};
            else
                reason = {LevelReason::State::Cleared,
                    "no fault of this level gives these elements; at best "
                        + numerics::toString(best->fault.id) + ", "
                        + std::to_string(best->explained) + " of " + std::to_string(best->wrong)};
        }
    }

    const numerics::Subject& m_subject;
    const numerics::Inputs& m_inputs;
    const Divergence& m_divergence;
    const base::Progress& m_progress;
    std::map<ir::ValueId, std::size_t> m_layerOf;
    std::optional<std::map<ir::ValueId, Datum>> m_clean;
    std::optional<Tensor> m_cleanNode; ///< of the origin under way
    bool m_isClean = false; ///< tried
};

} // namespace

base::Result<base::Done> nameLevels(const numerics::Subject& subject,
    const numerics::Inputs& inputs, Divergence& divergence, const base::Progress& progress) {
    if (divergence.levels.size() != divergence.origins.size())
        addUndecidedLevels(divergence);
    if (!subject.typed)
        return base::Done{};
    Namer namer(subject, inputs, divergence, progress);
    for (std::size_t i = 0; i < divergence.origins.size() && i < divergence.levels.size(); ++i) {
        const auto wrong = namer.name(divergence.origins[i], divergence.levels[i]);
        Layer& layer = divergence.layers[divergence.origins[i]];
        if (wrong && layer.local)
            layer.local->wrong = *wrong;
        else if (wrong)
            layer.global.wrong = *wrong;
        if (progress.isCancelled())
            return base::Progress::cancelled();
    }
    divergence.headline = headlineOf(divergence);
    return base::Done{};
}

} // namespace fivefold::compare
