// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/headline.h"

#include "core/compare/words.h"

#include <algorithm>

namespace fivefold::compare {

namespace {

std::string nameOf(const Layer& layer) {
    return layer.nodeName.empty() ? layer.key : layer.nodeName;
}

/// Levels that a pattern speaks for, in the order in which to try them (facts, section 3.2).
std::string priorOf(const Pattern& pattern) {
    switch (pattern.kind) {
    case Pattern::Kind::Suffix:
    case Pattern::Kind::Residue:
    case Pattern::Kind::Permuted:
        return "its pattern speaks for level 4, layout";
    case Pattern::Kind::Shifted:
        return "its pattern speaks for level 4, layout, or 5, conflict";
    case Pattern::Kind::OtherTensor:
        return "its pattern speaks for level 5, conflict";
    case Pattern::Kind::Ratio:
        return "its pattern speaks for level 1, capture, or 3, fusion";
    case Pattern::Kind::Offset:
        return "its pattern speaks for level 3, fusion";
    case Pattern::Kind::SaturatedOrFlushed:
        return "its pattern speaks for level 8, numerics";
    default:
        return "its pattern speaks for no level alone";
    }
}

/// A dump that holds the beginning of a run and nothing of its end looks like a run that stopped.
std::string earlyEnd(const Divergence& divergence) {
    const Layer* first = nullptr;
    std::int64_t missing = 0, held = 0;
    for (const Layer& layer : divergence.layers) {
        if (layer.verdict == Verdict::Unmatched || !layer.node.isValid())
            continue;
        if (layer.verdict != Verdict::Missing) {
            ++held;
            continue;
        }
        first = first ? first : &layer;
        ++missing;
    }
    if (!first || divergence.layers.back().verdict != Verdict::Missing)
        return {};
    std::string text = " But the device's values end: " + nameOf(*first);
    if (missing > 1)
        text += " and " + counted(missing - 1, "later value") + " are";
    else
        text += " is";
    text += " missing" + std::string(held == 0 ? ", and nothing before is there" : "");
    return text
        + ". If they were not left out on purpose, the run stopped there: level 6, deadlock, or 7, "
          "a transfer that timed out. No values can tell the two; the last event of each unit and "
          "the transfer log can.";
}

/// ", expected 64, got 0" of the headline's first wrong element; empty where the values are not
/// kept.
std::string expectedAndGot(const Divergence& divergence, const ElementSet& wrong) {
    const auto found = divergence.contents.find(divergence.origins.front());
    const auto first = wrong.first();
    if (found == divergence.contents.end() || !first)
        return {};
    const auto& [device, reference, expected] = found->second;
    const numerics::Tensor& right = expected.isDefined() ? expected : reference;
    if (*first >= device.size() || *first >= right.size())
        return {};
    return std::string(wrong.count == 1 ? ", expected " : "; the first: expected ")
        + number(right.number(*first)) + ", got " + number(device.number(*first));
}

} // namespace

std::string headlineOf(const Divergence& divergence) {
    if (divergence.origins.empty()) {
        const auto benign = std::ranges::count(divergence.layers, Verdict::Benign, &Layer::verdict);
        std::string text = "No layer diverges";
        if (benign > 0)
            text += ": " + counted(benign, "layer") + " differ" + (benign == 1 ? "s" : "")
                + " for reasons that are no bug";
        return text + "." + earlyEnd(divergence);
    }
    const Layer& layer = divergence.layers[divergence.origins.front()];
    const ElementSet& wrong = layer.local ? layer.local->wrong : layer.global.wrong;
    std::string text = "The first diverging layer is " + nameOf(layer) + ": "
        + elementsText(wrong, layer.shape) + (wrong.count == 1 ? " is" : " are") + " wrong";
    const std::string values = expectedAndGot(divergence, wrong);
    if (layer.pattern.kind != Pattern::Kind::None && !layer.pattern.sentence.empty()
        && (wrong.count != 1 || values.empty()))
        text += ", " + layer.pattern.sentence;
    text += values + ".";
    if (divergence.origins.size() > 1)
        text += " "
            + counted(static_cast<std::int64_t>(divergence.origins.size()) - 1, "other layer")
            + " on parallel paths diverge" + (divergence.origins.size() == 2 ? "s" : "") + " too.";
    return text;
}

std::string policyText(
    numerics::Format contents, const CompareOptions& options, const Divergence& divergence) {
    std::string formats;
    std::vector<numerics::Format> seen;
    for (const Layer& layer : divergence.layers) {
        if (!ir::isFloat(layer.dtype))
            continue;
        auto format = numerics::formatOf(layer.dtype);
        if (format == numerics::Format::Fp32)
            format = contents;
        if (std::ranges::find(seen, format) != seen.end())
            continue;
        seen.push_back(format);
        formats += (formats.empty() ? "" : ", ") + std::string(numerics::toString(format));
    }
    std::string text = options.arithmetic
        ? "declared numerics: " + options.arithmetic->policy
        : "by the dump's own formats (" + (formats.empty() ? "none" : formats) + ")";
    return text
        + "; an element is wrong beyond 3 u (1 + √K) S and the smallest step of the format, u the "
          "unit round-off, S the root mean square of its K terms";
}

void addUndecidedLevels(Divergence& divergence) {
    divergence.levels.clear();
    for (const std::size_t origin : divergence.origins) {
        const Layer& layer = divergence.layers[origin];
        LevelVerdict level;
        level.wrong = (layer.local ? layer.local->wrong : layer.global.wrong).count;
        level.sentence = "The level is not decided: " + priorOf(layer.pattern) + ".";
        level.proof = "Dumps show where the values go wrong, not which level of the stack did it.";
        level.decides =
            "The lowered program of the machine, or the compiler's own artefacts, would "
            "decide.";
        for (RungState& state : level.ladder)
            state.words = "not given";
        divergence.levels.push_back(std::move(level));
    }
}

} // namespace fivefold::compare
