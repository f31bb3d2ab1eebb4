// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/faults.h"

#include <cctype>
#include <cstdio>

namespace fivefold::numerics {

namespace {

constexpr FaultId id(int number) {
    return static_cast<FaultId>(number);
}

constexpr std::array<std::string_view, kLevels> kLevelNames{
    "capture", "decomposition", "fusion", "layout", "conflict", "deadlock", "dma", "numerics"};

// Restated from the fault catalogue of the facts (debugging.md, section 4); E: elements of a stick.
constexpr std::array<FaultFacts, kFaults> kCatalogue{{
    {id(1), Level::Capture, "a size is captured as a constant",
        "traced at one size, run at another: a mean divides by the size of the first call",
        "every element is the right one times n / n0; the first size gives right results"},
    {id(2), Level::Capture, "no guard on a condition: the branch of the first call is reused",
        "a shape or a flag changes between two calls",
        "the whole result is that of the other branch"},
    {id(3), Level::Capture, "an update in place is taken for dead code and removed",
        "one name updates what another name still reads",
        "the update itself is right; whoever reads through the alias gets what was there before"},
    {id(4), Level::Decomposition, "gelu is taken apart by its tanh form where erf is asked for",
        "arguments between −6 and 6",
        "a small smooth error, at most 4.7e-4 near 2.70 in magnitude, in fp64 as well"},
    {id(5), Level::Decomposition, "soft-max is taken apart without taking off the maximum",
        "a logit whose exponential leaves the format: above 11.09 in fp16",
        "rows with a large logit are NaN, the others are right"},
    {id(6), Level::Decomposition, "the variance is computed as E[x²] − E[x]²",
        "squares beyond the format, or a mean far above the deviation",
        "infinity, or a negative variance and NaN, row by row; hardly anything in fp64"},
    {id(7), Level::Decomposition, "the mask of an attention is lost",
        "a causal mask, or one with closed positions",
        "every row is wrong that the mask closes something of; the last one of a causal mask is "
        "right"},
    {id(8), Level::Fusion, "a fused addition reads row 0 of what it should broadcast",
        "a bias that varies by row", "row 0 is right, row r is off by bias[r] − bias[0]"},
    {id(9), Level::Fusion, "the factor is applied to the product and not to the bias",
        "a scaled sum of a product and a bias",
        "off by (1 − factor) · bias: one amount for each column"},
    {id(10), Level::Fusion, "the activation is moved in front of the bias",
        "a bias with negative entries",
        "wrong where the product, or the product plus bias, is negative"},
    {id(11), Level::Fusion, "an operator and its inverse are cancelled",
        "values for which the first of the two leaves the range",
        "only these: finite where the pair gives infinity"},
    {id(12), Level::Layout, "the copy covers full sticks only",
        "a length that is no multiple of the stick: 65 elements of fp16",
        "indices from E · ⌊n / E⌋ on keep what the memory held"},
    {id(13), Level::Layout, "padding of a maximum holds 0",
        "a row of negative values whose length is no multiple of the stick",
        "the row's result is 0"},
    {id(14), Level::Layout, "padding of a soft-max holds 0", "a row shorter than its padded length",
        "rows sum to less than 1; a row of zeros gives 1 over the padded length"},
    {id(15), Level::Layout, "padding takes its constant from the slot of 1/N",
        "a mean over a padded dimension",
        "an offset of padded lanes / N² in every result: zeros do not give zero"},
    {id(16), Level::Layout, "NaN is left in padding and meets a zero of the other operand",
        "an exponential whose padded result a product contracts over",
        "whole rows of the product are NaN"},
    {id(17), Level::Layout, "a transposition of the layout is left out, or done twice",
        "a change of axis order between two operators",
        "the same values at other places: a permutation of axes"},
    {id(18), Level::Layout, "rows are read at the pitch from before padding",
        "rows whose length is no multiple of the stick",
        "row 0 is right, row r is shifted by r times the difference of the pitches"},
    {id(19), Level::Layout, "indices are computed in too few bits",
        "more elements than the index can count",
        "elements past the last index repeat the first ones"},
    {id(20), Level::Conflict, "two buffers that live at once share an address",
        "a scratchpad that is nearly full",
        "where the two intervals overlap, the other tensor's bytes"},
    {id(21), Level::Conflict, "producer and consumer split a tensor among cores differently",
        "an operator divided among several cores",
        "slices are exchanged between cores, or all but one are wrong"},
    {id(22), Level::Conflict, "a pipeline has one buffer too few",
        "transfers that run ahead of the computation",
        "iteration i sees what belongs to i + 1, except at the ends"},
    {id(23), Level::Conflict, "the consumer is scheduled before its producer",
        "two units that work on one value",
        "what the memory held: zeros or garbage in the first run, the last run's values later"},
    {id(24), Level::Deadlock, "two units wait for each other",
        "each needs what the other holds back", "nothing comes back; all units are stopped"},
    {id(25), Level::Deadlock, "a queue is shorter than the path beside it is deep",
        "a skip path that joins a longer one",
        "stalls after exactly as many tokens as the queue holds"},
    {id(26), Level::Deadlock, "one token, two consumers: one takes it before the other has looked",
        "two readers of one result", "hangs, in some orders of the two only"},
    {id(27), Level::Deadlock, "a full queue drops what comes next", "a burst longer than the queue",
        "tokens are missing, and what follows moves up"},
    {id(28), Level::Transfer, "memory is read before its transfer is complete",
        "a transfer that takes longer than the wait that stands for it",
        "a prefix is right, the rest is old; where it begins varies from run to run"},
    {id(29), Level::Transfer, "the descriptor of a transfer is too short",
        "a length that is no multiple of the burst", "the last length mod burst bytes are old"},
    {id(30), Level::Transfer, "a completion is lost: a time-out, or a retry that adds twice",
        "a transfer that accumulates at its target", "a time-out, or one block exactly doubled"},
    {id(31), Level::Transfer, "bits are taken for another format on the way",
        "fp16 read as bf16, or 64-bit integers as 32-bit ones",
        "all elements: huge factors, other signs"},
    {id(32), Level::Numerics, "sums accumulate in fp16",
        "more than 2,048 terms of one size, or partial sums above 65,504",
        "sums stop growing, or pass infinity where a finite result is right"},
    {id(33), Level::Numerics, "subnormal numbers are flushed to zero",
        "magnitudes below the smallest normal number of the format", "these elements are 0"},
    {id(34), Level::Numerics, "the mask holds −10,000 in the place of −∞",
        "large logits, or a row with every position masked",
        "masked positions get some weight; rows masked throughout come out uniform"},
    {id(35), Level::Numerics, "results are truncated and not rounded to nearest", "any values",
        "magnitudes come out too small by half a unit on average"},
}};

} // namespace

std::string_view toString(Level level) {
    const auto index = static_cast<std::size_t>(level) - 1;
    return index < kLevelNames.size() ? kLevelNames[index] : std::string_view();
}

std::string toString(FaultId id) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "F%02d", number(id) & 0xff);
    return text.data();
}

std::optional<FaultId> parseFault(std::string_view text) {
    if (text.size() < 2 || text.size() > 3 || (text[0] != 'F' && text[0] != 'f'))
        return std::nullopt;
    int value = 0;
    for (const char c : text.substr(1)) {
        if (!std::isdigit(static_cast<unsigned char>(c)))
            return std::nullopt;
        value = value * 10 + (c - '0');
    }
    if (value < 1 || value > kFaults)
        return std::nullopt;
    return id(value);
}

const FaultFacts& facts(FaultId id) {
    static const FaultFacts unknown{};
    const int n = number(id);
    return n >= 1 && n <= kFaults ? kCatalogue[static_cast<std::size_t>(n - 1)] : unknown;
}

std::span<const FaultFacts> faultCatalogue() {
    return kCatalogue;
}

double Fault::parameter(std::string_view name, double fallback) const {
    const auto found = parameters.find(std::string(name));
    return found == parameters.end() ? fallback : found->second;
}

} // namespace fivefold::numerics
