// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/benign.h"

#include "core/compare/noise.h"
#include "core/compare/words.h"

namespace fivefold::compare {

namespace {

std::string roundingText(const RightFacts& facts) {
    if (facts.isInteger)
        return "equal to the node recomputed from the device's own inputs, small integers that "
               "are exact on every step";
    std::string text = "within the rounding of " + facts.format
        + " of the node recomputed from the device's own inputs";
    if (facts.ratio)
        text += " (" + number(*facts.ratio) + " times the usual error)";
    return facts.isDeclared ? text + "; declared numerics: " + facts.policy : text;
}

void benign(Layer& layer, std::string reason, bool isAmplified = false) {
    layer.verdict = Verdict::Benign;
    layer.reason = std::move(reason);
    layer.isAmplified = layer.isAmplified || isAmplified;
}

void notAfterOrigin(const RightFacts& facts, Layer& layer) {
    if (facts.isRandom)
        return benign(layer,
            isRandomOperator(facts.node->op)
                ? "a random operator without a seed that both runs share"
                : "follows from the random operator " + facts.cause);
    if (facts.isAmplified)
        return benign(
            layer, "amplified, not originated: the errors look like rounding and grow here", true);
    if (isDiscontinuous(facts.node->op))
        return benign(layer,
            "amplified, not originated: given the device's own inputs it is right; the step "
            "function turns their rounding into whole steps",
            true);
    if (facts.isAfterAmplified)
        return benign(layer, "follows from the amplified difference at " + facts.cause);
    benign(layer,
        (facts.hasLocal ? roundingText(facts) : std::string("no larger than its inputs' errors"))
            + "; what differs from the reference is accumulated rounding");
}

} // namespace

void rightVerdict(const RightFacts& facts, Layer& layer) {
    if (facts.hasOverflow && !facts.isAfterOrigin)
        return benign(layer,
            "the exact result is beyond the range of " + facts.format
                + ", which makes infinity (or its largest value) of it");
    if (facts.isOff && facts.isAfterOrigin) {
        layer.verdict = Verdict::Inherited;
        layer.reason =
            "follows from " + facts.origin + (facts.hasLocal ? "; right given its own inputs" : "");
        return;
    }
    if (facts.isOff)
        return notAfterOrigin(facts, layer);
    if (facts.areInputsWrong && facts.isAfterOrigin) {
        layer.verdict = Verdict::Healed;
        layer.reason = "its inputs differ, it agrees with the reference";
        return;
    }
    layer.verdict = Verdict::Clean;
    if (!facts.hasReference)
        layer.reason = facts.hasLocal
            ? roundingText(facts)
            : "the reference has no such value, and it cannot be recomputed here";
    else if (!facts.isNotTight)
        layer.reason = "equal to the reference within two rounding steps of " + facts.format;
    else
        layer.reason =
            facts.hasLocal ? roundingText(facts) : "within what rounding on the way explains";
}

} // namespace fivefold::compare
