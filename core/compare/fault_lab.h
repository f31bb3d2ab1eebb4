// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/level.h"

namespace fivefold::compare {

/// Where a fault of the catalogue can be shown: a machine family and the sample graphs that carry
/// it.
struct Carrier {
    numerics::FaultId fault{};
    std::string_view family; ///< "spyre"
    std::string_view machine; ///< "spyre"
    std::array<std::string_view, 2> samples; ///< files under samples/faults, without extension
    std::array<std::string_view, 2> nodes; ///< captured node that it befalls in each
};
std::span<const Carrier> carriers(); ///< by fault; the first of a fault is its lesson
/// One NaN at the output of one sample, from four levels of the stack.
struct NanCause {
    std::string_view name; ///< "decomposition"
    numerics::FaultId fault{};
    std::string_view node;
    /// What memory holds before it is written (the fault's parameter "memory"); none: zeros.
    std::optional<double> memory;
};
constexpr std::string_view kNanSample = "one_nan"; ///< under samples/faults, for Spyre
std::span<const NanCause> nanCauses();

/// Why a fault cannot be expressed on a family, or empty where it can.
std::string notApplicable(numerics::FaultId fault, std::string_view family);

/// Faults that can befall a node of the subject, each with its default parameters.
std::vector<numerics::Fault> applicable(const numerics::Subject& subject, ir::NodeId node);

/// A controlled difference that is no bug: C1 to C8.
struct ControlFacts {
    int number = 1;
    std::string_view what; ///< "K-split summation order"
};
std::span<const ControlFacts> controls();

/// A device run with a fault planted: what `inject` writes.
struct Planted {
    std::vector<numerics::Fault> faults;
    numerics::Inputs inputs;
    std::vector<std::pair<std::string, numerics::Tensor>> device; ///< by captured value name
    LadderRun ladder; ///< of the first fault: the answer, proved
    std::string nodeName; ///< of the answer: the layer to blame
    ElementSet wrong; ///< of the answer's value
};
/// Inputs that make a fault show, by the seed: in every format exact where the fault does not ask
/// for more. `fault` of 0: plain ones.
numerics::Inputs lessonInputs(
    const numerics::Subject& subject, numerics::FaultId fault, std::uint64_t seed);

/// Plants the fault in the first node that it applies to (or the given one) and runs the machine in
/// its own numerics, on lessonInputs() where `inputs` is empty. Fails with a sentence where it is
/// not applicable, or shows nothing on these inputs.
base::Result<Planted> plant(const numerics::Subject& subject, const numerics::Inputs& inputs,
    std::vector<numerics::Fault> faults, const base::Progress& progress = {});

/// The inputs of a control: those of C7 hold a NaN.
numerics::Inputs controlInputs(const numerics::Inputs& inputs, int number, std::uint64_t seed);
/// The device run of a control on controlInputs(), by the seed.
base::Result<std::vector<std::pair<std::string, numerics::Tensor>>> control(
    const numerics::Subject& subject, const numerics::Inputs& inputs, int number,
    std::uint64_t seed, const base::Progress& progress = {});

/// A student's answer against the planted one.
struct Marks {
    bool isLevelRight = false, isLayerRight = false;
    double elements = 0; ///< Jaccard of the element sets
    int points = 0, of = 0;
    std::string sentence;
};
struct Answer {
    std::optional<numerics::Level> level;
    std::string node;
    ElementSet wrong;
};
Marks mark(const Planted& planted, const Answer& answer);

} // namespace fivefold::compare
