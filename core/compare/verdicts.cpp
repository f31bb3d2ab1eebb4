// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/verdicts.h"

#include "core/compare/benign.h"
#include "core/compare/noise.h"
#include "core/compare/numbers.h"
#include "core/compare/value_order.h"
#include "core/compare/words.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using ir::NodeId;
using ir::ValueId;
using numerics::Tensor;
using Cause = ValueState::Cause;

namespace {

/// Behind an origin nodes are recomputed to tell carriers from second faults, as far as that is
/// cheap.
constexpr double kMostWorkAfterOrigin = 4e9;
/// Without weights: how much larger than the inputs' an error may be relative to its tensor. Random
/// matrices give 1; trained ones cancel (proposals, checked on the clean pairs).
constexpr double kGrowth = 12, kNearGrowth = 3, kNoiseGrowth = 40;
/// Finer elements are taken where at least one in so many is far beyond its tolerance.
constexpr std::int64_t kEnough = 4;
constexpr std::int64_t kSmallContents = 16384;
constexpr std::int64_t kMostContents = std::int64_t(1) << 22;
/// The reference's own kernels in single precision may err by this many units.
constexpr double kReferenceUnits = 64;

/// Values of 16 bits and fewer that lie below the reference by half a step on average: rounding to
/// nearest errs to both sides. What is equal says nothing.
bool looksCut(const Tensor& device, const Tensor& reference, numerics::Format format) {
    constexpr double kBias = 0.2; // steps; chance gives 0 ± 0.05 over so many
    constexpr std::int64_t kFewestInexact = 24;
    if (numerics::facts(format).bits > 16 || device.size() != reference.size()
        || !ir::isFloat(device.dtype()))
        return false;
    const Numbers d(device), r(reference);
    double sum = 0;
    std::int64_t inexact = 0;
    for (std::int64_t i = 0; i < d.size(); ++i) {
        const double magnitude = std::abs(r[i]);
        if (d[i] == r[i] || !std::isfinite(d[i]) || !std::isfinite(r[i])
            || magnitude < numerics::facts(format).smallestNormal)
            continue;
        sum += (std::abs(d[i]) - magnitude) / numerics::ulp(r[i], format);
        ++inexact;
    }
    return inexact >= kFewestInexact && sum < -kBias * static_cast<double>(inexact);
}

bool isSameBits(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

struct Judge::Finding {
    ValueId value;
    Tensor device, reference;
    std::optional<GlobalError> global;
    std::optional<LocalError> local;
    ElementSet unstable;
    Layer layer;
    bool isWrong = false; ///< given its inputs
    bool isAlone = false; ///< decided from the dumps alone
    bool isCut = false; ///< looks truncated against the reference
    std::string why;
};

Judge::Judge(const numerics::Subject& subject, SideValues* reference, SideValues& device,
    const numerics::Inputs& inputs, const CompareOptions& options, const base::Progress& progress)
    : m_subject(subject)
    , m_graph(subject.graph())
    , m_reference(reference)
    , m_device(device)
    , m_inputs(inputs)
    , m_options(options)
    , m_progress(progress)
    , m_own(subject, device, inputs, progress)
    , m_declared(options.arithmetic ? &*options.arithmetic : nullptr)
    , m_states(m_graph.values.size())
    , m_usersLeft(m_graph.values.size(), 0) {
    for (std::size_t v = 0; v < m_graph.values.size(); ++v)
        m_usersLeft[ValueId(v)] =
            static_cast<std::int32_t>(m_graph.values[ValueId(v)].users.size());
    m_referenceRoundOff.storage = numerics::Format::Fp32;
    m_referenceRoundOff.unit =
        kReferenceUnits * numerics::facts(numerics::Format::Fp32).unitRoundoff;
    m_referenceRoundOff.operand = m_referenceRoundOff.unit;
    m_referenceRoundOff.smallest = numerics::ulp(0.0, numerics::Format::Fp32);
    m_referenceRoundOff.largest = numerics::facts(numerics::Format::Fp32).largest;
    m_referenceRoundOff.accumulator = numerics::facts(numerics::Format::Fp32).unitRoundoff;
}

const RoundOff& Judge::roundOff(ir::DType dtype) {
    numerics::Format format = numerics::formatOf(dtype);
    if (format == numerics::Format::Fp32 || dtype == ir::DType::Float64 || !ir::isFloat(dtype))
        format = m_contents;
    const auto at = m_roundOffs.find(format);
    return at != m_roundOffs.end()
        ? at->second
        : m_roundOffs.emplace(format, roundOffOf(format, m_declared)).first->second;
}

Recompute& Judge::recompute(std::size_t repeat, ir::DType dtype) {
    const RoundOff& off = roundOff(dtype);
    auto& slot = m_recomputes[{repeat, off.storage}];
    if (!slot)
        slot = std::make_unique<Recompute>(m_subject, m_device, repeat, m_inputs, off, m_progress);
    return *slot;
}

Recompute& Judge::referenceRecompute() {
    if (!m_referenceRecompute)
        m_referenceRecompute = std::make_unique<Recompute>(
            m_subject, *m_reference, 0, m_inputs, m_referenceRoundOff, m_progress);
    return *m_referenceRecompute;
}

Divergence Judge::run() {
    const auto order = nodeOrder(m_graph);
    for (const ValueId value : valueOrder(m_graph)) {
        if (!m_graph.values[value].producer.isValid() && m_device.has(value))
            judgeSource(value);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (m_progress.isCancelled())
            break;
        judgeNode(order[i]);
        release(order[i]);
        if (i % 16 == 0)
            m_progress.report(
                "comparing", static_cast<double>(i) / static_cast<double>(order.size()));
    }
    addUnmatched();
    double worst = -1;
    for (std::size_t i = 0; i < m_result.layers.size(); ++i) {
        const ErrorFigures& figures = m_result.layers[i].global;
        const double relative =
            figures.referenceRms > 0 ? figures.rmse / figures.referenceRms : figures.rmse;
        if (figures.total > 0 && (!figures.wrong.isEmpty() || figures.rmse > 0)
            && relative > worst) {
            worst = relative;
            m_result.worst = i;
        }
    }
    return std::move(m_result);
}

Judge::Finding Judge::look(ValueId value) {
    Finding finding;
    finding.value = value;
    Layer& layer = finding.layer;
    const ir::Value& facts = m_graph.values[value];
    layer.value = value;
    layer.node = facts.producer;
    layer.nodeName = facts.producer.isValid() ? m_graph.nodes[facts.producer].name : facts.name;
    layer.key = facts.name;
    const Match* match = m_device.of(value);
    if (match) {
        layer.key = match->key;
        layer.rule = match->rule;
    } else if (m_reference && m_reference->of(value)) {
        layer.key = m_reference->of(value)->key;
    }
    finding.device = m_device.tensor(value);
    if (m_reference)
        finding.reference = m_reference->tensor(value);
    if (!finding.device.isDefined())
        return finding;
    layer.shape = finding.device.shape();
    layer.dtype = finding.device.dtype();
    layer.global.total = finding.device.size();
    if (finding.reference.isDefined()) {
        finding.global =
            globalError(finding.device, finding.reference, roundOff(finding.device.dtype()));
        layer.global = finding.global->figures;
        layer.tolerance = finding.global->tolerance;
        finding.isCut =
            looksCut(finding.device, finding.reference, roundOff(finding.device.dtype()).storage);
    }
    return finding;
}

/// Inputs and parameters: what the device holds against what it was given.
void Judge::judgeSource(ValueId value) {
    Finding finding = look(value);
    if (!finding.device.isDefined()) {
        addLayer(std::move(finding));
        return;
    }
    SideValues none({{dumpOf({})}, {}}, *m_subject.typed);
    const RoundOff& off = roundOff(finding.device.dtype());
    Recompute given(m_subject, none, 0, m_inputs, off, m_progress);
    const Held& held = given.held(value);
    Tensor target = held.isKnown() ? held.exact.tensor : finding.reference;
    Layer& layer = finding.layer;
    layer.verdict = Verdict::Clean;
    layer.reason = "equal to what the run was given";
    if (!target.isDefined() || target.size() != finding.device.size()) {
        layer.reason = "nothing to compare it with";
    } else {
        const Expected expected{target, {}, {}, 1, true, false, 0};
        finding.local = localError(finding.device, expected, off, m_declared, ir::Op::Identity);
        if (!finding.local->figures.wrong.isEmpty()) {
            std::int32_t own = -1;
            finding.isWrong = true;
            finding.why = "it is not what the run was given";
            decideWrong(finding, {}, own);
        }
    }
    m_states[value].isWrong = finding.isWrong;
    addLayer(std::move(finding));
}

bool Judge::isLocal(NodeId node) const {
    const auto& executions = m_subject.typed->executions;
    return m_options.isLocalised && (!executions.contains(node) || executions[node] <= 1);
}

ValueState Judge::inherited(NodeId id) const {
    ValueState state;
    const auto look = [&](ValueId value) {
        if (!value.isValid())
            return;
        const ValueState& from = m_states[value];
        if (state.origin < 0)
            state.origin = from.origin;
        state.isWrong = state.isWrong || from.isWrong;
        if (from.cause > state.cause) {
            state.cause = from.cause;
            state.causedBy = from.causedBy;
        }
    };
    const ir::Node& node = m_graph.nodes[id];
    for (const ValueId value : node.inputs)
        look(value);
    for (const ir::BlockId body : node.blocks) {
        for (const ValueId value : m_graph.blocks[body].outputs)
            look(value);
    }
    return state;
}

/// Largest relative error of what the node reads; through values that are not in the dump, of what
/// those come from.
double Judge::inputError(NodeId id) const {
    double worst = 0;
    for (const ValueId value : m_graph.nodes[id].inputs) {
        if (value.isValid())
            worst = std::max(worst, m_states[value].relative);
    }
    return worst;
}

void Judge::judgeNode(NodeId id) {
    const ir::Node& node = m_graph.nodes[id];
    std::vector<Finding> findings;
    for (const ValueId value : node.outputs) {
        if (value.isValid())
            findings.push_back(look(value));
    }
    // Small and cheap ones are always looked at: that results are cut off shows in no tolerance.
    const auto isCheap = [&](const Finding& finding) {
        return ir::opClass(node.op) == ir::OpClass::Pointwise
            && finding.device.size() <= kSmallContents && ir::isFloat(finding.device.dtype())
            && numerics::facts(roundOff(finding.device.dtype()).storage).bits <= 16;
    };
    const bool isOpen = std::ranges::any_of(findings, [&](const Finding& finding) {
        return finding.device.isDefined()
            && (!finding.global || finding.isCut || isCheap(finding)
                || !finding.global->notTight.isEmpty());
    });
    if (isOpen && isLocal(id) && !isRandomOperator(node.op))
        lookLocally(id, findings);
    lookAtRepeats(id, findings);
    decide(id, findings);
}

void Judge::lookLocally(NodeId id, std::vector<Finding>& findings) {
    const auto first = std::ranges::find_if(
        findings, [](const Finding& finding) { return finding.device.isDefined(); });
    if (first == findings.end())
        return;
    const ValueState before = inherited(id);
    if (before.origin >= 0) {
        double work = static_cast<double>(first->device.size());
        if (ir::opClass(m_graph.nodes[id].op) == ir::OpClass::Contraction
            && m_graph.nodes[id].inputs.size() > 1) {
            const Tensor& other = m_device.tensor(m_graph.nodes[id].inputs[0]);
            work *= other.isDefined() && other.rank() > 0
                ? static_cast<double>(other.shape().back())
                : 1024;
        }
        m_spentAfterOrigin += 3 * work;
        if (m_spentAfterOrigin > kMostWorkAfterOrigin)
            return;
    }
    // The format of the results says how parameters were rounded; integers say nothing.
    ir::DType dtype = first->device.dtype();
    for (const Finding& finding : findings) {
        if (finding.device.isDefined() && ir::isFloat(finding.device.dtype()))
            dtype = finding.device.dtype();
    }
    const auto expected = recompute(0, dtype).expected(id);
    if (!expected)
        return;
    std::size_t k = 0, at = 0;
    for (const ValueId value : m_graph.nodes[id].outputs) {
        const std::size_t output = k++;
        if (!value.isValid())
            continue;
        Finding& finding = findings[at++];
        if (!finding.device.isDefined() || output >= expected->size()
            || !(*expected)[output].value.isDefined())
            continue;
        finding.local = localError(finding.device, (*expected)[output],
            roundOff(finding.device.dtype()), m_declared, m_graph.nodes[id].op);
        ElementSet& wrong = finding.local->figures.wrong;
        // What is the reference's own value is right, however it came about.
        const bool isTruncated = finding.local->isTruncated;
        if (finding.global && finding.global->notTight.total == wrong.total && !isTruncated)
            wrong = intersection(wrong, finding.global->notTight);
        finding.isWrong = !wrong.isEmpty();
        finding.why = finding.local->why;
    }
    if (std::ranges::any_of(findings, &Finding::isWrong))
        dropWhatReferenceLacks(id, findings);
    if (before.origin < 0)
        dropOwnNumerics(id, findings);
    for (Finding& finding : findings)
        noteOverflow(id, finding);
}

/// What the machine's own program gives from the same inputs is by design.
void Judge::dropOwnNumerics(NodeId id, std::vector<Finding>& findings) {
    for (Finding& finding : findings) {
        if (!finding.isWrong || !finding.local)
            continue;
        ElementSet& wrong = finding.local->figures.wrong;
        wrong = m_own.unexplained(id, finding.value, finding.device, std::move(wrong));
        finding.isWrong = !wrong.isEmpty();
    }
}

/// A finite result that the device's format cannot hold. Constants and masks become infinity on
/// purpose; so does what the declared numerics of a machine say.
void Judge::noteOverflow(NodeId id, Finding& finding) {
    constexpr double kMask = 1e30;
    if (!finding.local || finding.local->overflowed.isEmpty() || m_declared
        || isCopying(m_graph.nodes[id].op) || m_graph.nodes[id].op == ir::Op::Cast)
        return;
    const Tensor& expected = finding.local->expected;
    const double exact = expected.number(*finding.local->overflowed.first());
    const bool isReferenceFinite = !finding.reference.isDefined()
        || std::isfinite(finding.reference.number(*finding.local->overflowed.first()));
    if (std::abs(exact) >= kMask || !isReferenceFinite)
        return;
    auto& wrong = finding.local->figures.wrong;
    wrong = unite(wrong, finding.local->overflowed);
    finding.isWrong = true;
    const RoundOff& off = roundOff(finding.device.dtype());
    finding.why = "the exact result " + number(exact) + " is beyond the largest value of "
        + std::string(numerics::toString(off.storage)) + ", " + number(off.largest);
    finding.local->why = finding.why;
}

/// Where the reference does not follow from its own inputs either, the model here is not what ran:
/// the node is judged from the dumps alone.
void Judge::dropWhatReferenceLacks(NodeId id, std::vector<Finding>& findings) {
    if (!m_reference || inherited(id).origin >= 0)
        return;
    const auto expected = referenceRecompute().expected(id);
    if (!expected)
        return;
    std::size_t k = 0, at = 0;
    for (const ValueId value : m_graph.nodes[id].outputs) {
        const std::size_t output = k++;
        if (!value.isValid())
            continue;
        Finding& finding = findings[at++];
        if (!finding.isWrong || !finding.reference.isDefined() || output >= expected->size()
            || !(*expected)[output].value.isDefined())
            continue;
        const auto own = localError(finding.reference, (*expected)[output], m_referenceRoundOff,
            nullptr, m_graph.nodes[id].op);
        const ElementSet left = difference(finding.local->figures.wrong, own.figures.wrong);
        const ElementSet both = intersection(finding.local->figures.wrong, own.figures.wrong);
        if (2 * both.count <= finding.local->figures.wrong.count && !left.isEmpty())
            continue;
        finding.isWrong = false;
        finding.local.reset();
        finding.why = "the reference does not follow from the model here either";
    }
}

void Judge::lookAtRepeats(NodeId id, std::vector<Finding>& findings) {
    for (std::size_t repeat = 1; repeat < m_device.repeats(); ++repeat) {
        std::optional<std::vector<Expected>> expected;
        bool isTried = false;
        for (Finding& finding : findings) {
            const Tensor& other = m_device.tensor(finding.value, repeat);
            if (!finding.device.isDefined() || other.size() != finding.device.size()
                || other == finding.device)
                continue;
            const Numbers a(finding.device), b(other);
            ElementSet varying;
            varying.total = a.size();
            for (std::int64_t i = 0; i < a.size(); ++i) {
                if (!isSameBits(a[i], b[i]))
                    varying.add(i);
            }
            if (varying.isEmpty())
                continue;
            finding.unstable = unite(finding.unstable, varying);
            finding.unstable.total = a.size();
            if (!isTried && isLocal(id))
                expected = recompute(repeat, other.dtype()).expected(id);
            isTried = true;
            const std::size_t k = m_graph.values[finding.value].outputIndex;
            if (!expected || k >= expected->size() || !(*expected)[k].value.isDefined())
                continue;
            auto local = localError(
                other, (*expected)[k], roundOff(other.dtype()), m_declared, m_graph.nodes[id].op);
            if (finding.reference.isDefined())
                local.figures.wrong = intersection(local.figures.wrong,
                    globalError(other, finding.reference, roundOff(other.dtype())).notTight);
            if (local.figures.wrong.isEmpty())
                continue;
            finding.isWrong = true;
            if (finding.local)
                local.figures.wrong = unite(local.figures.wrong, finding.local->figures.wrong);
            finding.local = std::move(local);
        }
    }
}

/// No recomputation: errors may grow from inputs to outputs, but not by leaps.
void Judge::judgeAlone(NodeId id, Finding& finding, double inputs) {
    if (!finding.global || finding.global->notTight.isEmpty())
        return;
    const RoundOff& off = roundOff(finding.device.dtype());
    const double before = std::max(inputs, off.unit / 2);
    finding.isAlone = true;
    const bool isFloat = ir::isFloat(finding.device.dtype());
    if (isFloat)
        finding.global = globalError(finding.device, finding.reference, off, kGrowth * before);
    finding.layer.global = finding.global->figures;
    finding.layer.tolerance = finding.global->tolerance;
    if (isFloat && isScaled(*finding.global, off.unit)) {
        finding.global->figures.wrong = finding.global->notTight;
        finding.layer.global = finding.global->figures;
        finding.isWrong = true;
        finding.why = "all values are scaled by " + number(finding.global->slope);
        return;
    }
    if (finding.global->figures.wrong.isEmpty())
        return;
    const bool isNoise = isFloat && looksLikeNoise(*finding.global)
        && finding.global->relative < kNoiseGrowth * before;
    if (isNoise || (isDiscontinuous(m_graph.nodes[id].op) && inputs > 0)) {
        finding.layer.isAmplified = true;
        return;
    }
    finding.isWrong = true;
    // Elements that are hit less hard come along where many are far beyond.
    const auto finer = globalError(finding.device, finding.reference, off, kNearGrowth * before);
    if (finding.global->figures.wrong.count * kEnough >= finer.figures.wrong.count)
        finding.layer.global.wrong = finer.figures.wrong;
    if (finding.why.empty())
        finding.why = "its inputs agree with the reference to " + number(inputs)
            + " of their size, it does to " + number(finding.global->relative)
            + " of its own; it cannot be recomputed here";
}

void Judge::decide(NodeId id, std::vector<Finding>& findings) {
    ValueState before = inherited(id);
    const double inputs = inputError(id);
    std::int32_t own = -1;
    for (Finding& finding : findings) {
        ValueState state = before;
        state.layer = -1;
        state.isMissing = !finding.device.isDefined();
        state.relative = finding.global ? finding.global->relative : inputs;
        if (finding.device.isDefined() && !finding.local && before.origin < 0
            && before.cause == Cause::None && !isRandomOperator(m_graph.nodes[id].op))
            judgeAlone(id, finding, inputs);
        state.isWrong = finding.global ? !finding.global->figures.wrong.isEmpty()
                                       : finding.isWrong || (state.isMissing && before.isWrong);
        if (finding.device.isDefined()) {
            if (finding.isWrong)
                decideWrong(finding, before, own);
            else
                decideRight(id, finding, before);
        }
        if (finding.layer.isAmplified && state.cause == Cause::None) {
            state.cause = Cause::Amplified;
            state.causedBy = static_cast<std::int32_t>(m_result.layers.size());
        }
        if (isRandomOperator(m_graph.nodes[id].op)) {
            state.cause = Cause::Random;
            state.causedBy = static_cast<std::int32_t>(m_result.layers.size());
        }
        const bool isConstantGap = state.isMissing && m_graph.nodes[id].op == ir::Op::Constant;
        if (!isConstantGap)
            state.layer = static_cast<std::int32_t>(m_result.layers.size());
        const ValueId value = finding.value;
        if (!isConstantGap)
            addLayer(std::move(finding));
        m_states[value] = state;
    }
    if (own < 0)
        return;
    for (const ValueId value : m_graph.nodes[id].outputs) {
        if (value.isValid())
            m_states[value].origin = own;
    }
}

/// Halves the tolerance of what is known to be wrong: elements that are hit less hard come along.
void Judge::sharpen(Finding& finding) {
    if (!finding.local || !finding.local->why.empty() || finding.unstable.count > 0)
        return;
    const RoundOff& off = roundOff(finding.device.dtype());
    Tolerance tolerance;
    tolerance.absolute = off.smallest;
    tolerance.relative = 2 * off.unit;
    const auto finer =
        differ(finding.device, finding.local->expected, tolerance, off.storage).wrong;
    if (ir::isFloat(finding.device.dtype())
        && finding.local->figures.wrong.count * kEnough >= finer.count) {
        ElementSet sharper = finding.global ? intersection(finer, finding.global->notTight) : finer;
        if (sharper.count >= finding.local->figures.wrong.count)
            finding.local->figures.wrong = std::move(sharper);
    }
}

void Judge::decideWrong(Finding& finding, const ValueState& before, std::int32_t& own) {
    Layer& layer = finding.layer;
    const auto next = static_cast<std::int32_t>(m_result.layers.size());
    if (before.origin < 0 && own < 0)
        sharpen(finding);
    if (finding.local) {
        layer.local = finding.local->figures;
        layer.tolerance = finding.local->tolerance;
    }
    const std::string what =
        elementsText(layer.local ? layer.local->wrong : layer.global.wrong, layer.shape);
    if (before.origin >= 0) {
        layer.verdict = Verdict::Inherited;
        layer.reason = "follows from "
            + m_result.layers[static_cast<std::size_t>(before.origin)].nodeName
            + "; wrong given its own inputs too (" + what
            + "), so look here again once that is mended";
        return;
    }
    if (own >= 0) {
        layer.verdict = Verdict::Inherited;
        layer.reason = "another result of the same node is the origin";
        return;
    }
    layer.verdict = Verdict::Origin;
    layer.reason = (finding.local ? "wrong given the device's own inputs: " : "") + what
        + (finding.why.empty() ? "" : "; " + finding.why);
    if (finding.unstable.count > 0)
        layer.reason += "; " + counted(finding.unstable.count, "element")
            + " vary between repeats, which points to a race";
    own = next;
    m_result.origins.push_back(static_cast<std::size_t>(next));
}

void Judge::decideRight(NodeId id, Finding& finding, const ValueState& before) {
    Layer& layer = finding.layer;
    if (finding.local)
        layer.local = finding.local->figures;
    const bool isOff = finding.global && !finding.global->figures.wrong.isEmpty();
    RightFacts facts;
    facts.node = &m_graph.nodes[id];
    facts.isOff = isOff;
    facts.isAfterOrigin = before.origin >= 0;
    facts.areInputsWrong = before.isWrong;
    facts.isRandom = isRandomOperator(facts.node->op) || before.cause == Cause::Random;
    facts.isAfterAmplified = before.cause == Cause::Amplified;
    facts.isAmplified = layer.isAmplified;
    facts.isDeclared = m_declared != nullptr;
    facts.hasOverflow = finding.local && !finding.local->overflowed.isEmpty();
    if (before.causedBy >= 0)
        facts.cause = m_result.layers[static_cast<std::size_t>(before.causedBy)].nodeName;
    if (before.origin >= 0)
        facts.origin = m_result.layers[static_cast<std::size_t>(before.origin)].nodeName;
    facts.format = std::string(numerics::toString(roundOff(finding.device.dtype()).storage));
    facts.policy = m_declared ? m_declared->policy : std::string();
    facts.hasLocal = finding.local.has_value();
    facts.hasReference = finding.global.has_value();
    facts.isNotTight = finding.global && !finding.global->notTight.isEmpty();
    facts.ratio = finding.local ? finding.local->figures.ratio : std::nullopt;
    facts.isInteger =
        finding.local && finding.local->tolerance.reason.find("exact") != std::string::npos;
    rightVerdict(facts, layer);
}

std::size_t Judge::addLayer(Finding finding) {
    finding.layer.unstable = finding.unstable;
    const std::size_t at = m_result.layers.size();
    if (!finding.device.isDefined()) {
        finding.layer.verdict = Verdict::Missing;
        const bool isMatched = m_device.has(finding.value);
        finding.layer.reason = isMatched ? "the device's dump has figures of it, no contents"
                                         : "not in the device's dump";
    }
    if (m_states[finding.value].layer < 0)
        m_states[finding.value].layer = static_cast<std::int32_t>(at);
    keepContents(at, finding);
    m_result.layers.push_back(std::move(finding.layer));
    return at;
}

void Judge::keepContents(std::size_t layer, const Finding& finding) {
    if (!finding.device.isDefined())
        return;
    const std::int64_t size = finding.device.size();
    const bool isOrigin = finding.layer.verdict == Verdict::Origin;
    const bool isSmall = size <= kSmallContents && m_keptElements + size <= kMostContents;
    if (size > m_options.largestKept || !(isOrigin || isSmall))
        return;
    m_keptElements += size;
    m_result.contents[layer] = {
        finding.device, finding.reference, finding.local ? finding.local->expected : Tensor()};
}

void Judge::addUnmatched() {
    for (const std::string& key : m_device.matching().unmatchedKeys) {
        Layer layer;
        layer.key = key;
        layer.verdict = Verdict::Unmatched;
        layer.reason = "no value of the model goes by this key; map it if you know which";
        m_result.layers.push_back(std::move(layer));
    }
}

void Judge::release(NodeId id) {
    for (const ValueId value : m_graph.nodes[id].inputs) {
        if (!value.isValid() || --m_usersLeft[value] > 0)
            continue;
        m_device.drop(value);
        if (m_reference)
            m_reference->drop(value);
        for (auto& [key, recompute] : m_recomputes)
            recompute->release(value);
        if (m_referenceRecompute)
            m_referenceRecompute->release(value);
    }
}

} // namespace fivefold::compare
