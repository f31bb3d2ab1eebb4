// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/fault_lab.h"
#include "core/compare/ladder.h"
#include "core/numerics/rungs/fault_rules.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using base::Error;
using base::ErrorCode;
using numerics::Fault;
using numerics::Rung;
using numerics::Tensor;

namespace {

Error refused(const numerics::Subject& subject, const Fault& fault) {
    const std::string name = numerics::toString(fault.id);
    const std::string reason =
        subject.machine ? notApplicable(fault.id, subject.machine->family) : std::string();
    if (!reason.empty())
        return {ErrorCode::Unsupported, name + " cannot be planted on this machine: " + reason, {}};
    std::string sample;
    for (const Carrier& carrier : carriers())
        if (carrier.fault == fault.id && sample.empty())
            sample = " Try samples/faults/" + std::string(carrier.samples[0]) + ".onnx on "
                + std::string(carrier.machine) + ".";
    const std::string where = fault.node.isValid() && subject.graph().nodes.contains(fault.node)
        ? subject.graph().nodes[fault.node].name
        : std::string("any node of this model");
    return {ErrorCode::NotFound,
        name + " does not apply to " + where + ": it needs "
            + std::string(numerics::facts(fault.id).trigger) + "." + sample,
        {}};
}

/// The given node, else the first that the fault can befall.
base::Result<base::Done> place(const numerics::Subject& subject, Fault& fault) {
    if (subject.machine && !notApplicable(fault.id, subject.machine->family).empty())
        return refused(subject, fault);
    if (fault.node.isValid()) {
        if (!numerics::appliesTo(fault.id, subject, fault.node))
            return refused(subject, fault);
        return base::Done{};
    }
    for (const ir::NodeId node : ir::executionOrder(subject.graph(), ir::Graph::mainBlock()))
        if (numerics::appliesTo(fault.id, subject, node)) {
            fault.node = node;
            return base::Done{};
        }
    return refused(subject, fault);
}

/// A device's dump: fp16 as fp16, other formats in fp32, which holds them.
Tensor asDumped(const Tensor& tensor, numerics::Format storage) {
    if (!ir::isFloat(tensor.dtype()))
        return tensor;
    return tensor.retyped(
        storage == numerics::Format::Fp16 ? ir::DType::Float16 : ir::DType::Float32);
}

std::vector<std::pair<std::string, Tensor>> dumped(
    const numerics::Subject& subject, const numerics::RungRun& run) {
    const ir::Graph& graph = subject.graph();
    const numerics::Format storage = subject.machine
        ? numerics::arithmeticOf(*subject.machine, subject.precision).storage
        : numerics::Format::Fp32;
    std::vector<std::pair<std::string, Tensor>> tensors;
    const auto add = [&](ir::ValueId value) {
        const auto found = run.values.find(value);
        if (found != run.values.end() && found->second.kind == numerics::Datum::Kind::Tensor
            && found->second.tensor.isDefined() && !graph.values[value].name.empty())
            tensors.emplace_back(graph.values[value].name, asDumped(found->second.tensor, storage));
    };
    for (const ir::ValueId input : graph.main().inputs)
        add(input);
    for (const ir::NodeId id : ir::executionOrder(graph, ir::Graph::mainBlock()))
        for (const ir::ValueId output : graph.nodes[id].outputs)
            if (output.isValid())
                add(output);
    return tensors;
}

const Tensor* at(const numerics::RungRun& run, ir::ValueId value) {
    const auto found = run.values.find(value);
    return found == run.values.end() || !found->second.tensor.isDefined() ? nullptr
                                                                          : &found->second.tensor;
}

/// Elements that are finite on one side alone, or differ by more than a few steps.
ElementSet beyondRounding(const Tensor& a, const Tensor& b, numerics::Format storage) {
    constexpr double kSteps = 8;
    ElementSet far;
    far.total = a.size();
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const double x = a.number(i), y = b.number(i);
        const bool isNear = std::isfinite(x) && std::isfinite(y)
            ? std::abs(x - y) <= kSteps * numerics::ulp(y, storage)
            : x == y || (std::isnan(x) && std::isnan(y));
        if (!isNear)
            far.add(i);
    }
    return far;
}

/// Elements that the fault makes wrong on the device: that differ there. Those that differ in fp64
/// as well, or by more than rounding, where there are any: rounding that follows from them does
/// not count.
ElementSet deviceWrong(
    Ladder& ladder, const Ladder::Pair& device, const LadderRun& answer, numerics::Format storage) {
    constexpr double kExact = 1e-9; // far above fp64 rounding of one operator
    const Tensor* a = at(device.planted, answer.value);
    const Tensor* b = at(device.right, answer.value);
    if (!a || !b)
        return {};
    const ElementSet all = differences(*a, *b);
    for (std::size_t i = 0; i < answer.verdict.ladder.size(); ++i) {
        if (answer.verdict.ladder[i].kind != RungState::Kind::Differs)
            continue;
        const auto exact = ladder.at(static_cast<Rung>(i));
        const Tensor* c = exact ? at((*exact)->planted, answer.value) : nullptr;
        const Tensor* d = exact ? at((*exact)->right, answer.value) : nullptr;
        if (!c || !d || c->size() != a->size())
            return all;
        ElementSet counted = intersection(all, differences(*c, *d, kExact));
        counted.total = all.total;
        const ElementSet far = beyondRounding(*a, *b, storage);
        if (2 * counted.count < far.count) // fp64 all but hides it (F06)
            return all;
        counted = unite(counted, far);
        counted.total = all.total;
        return counted;
    }
    return all;
}

} // namespace

base::Result<Planted> plant(const numerics::Subject& subject, const numerics::Inputs& inputs,
    std::vector<Fault> faults, const base::Progress& progress) {
    if (!subject.program || !subject.machine)
        return Error{ErrorCode::InvalidArgument,
            "A fault is planted in a program; choose a machine with --machine.", {}};
    if (faults.empty())
        return Error{ErrorCode::InvalidArgument, "Name a fault to plant, F01 to F35.", {}};
    Planted result;
    for (Fault& fault : faults)
        if (auto done = place(subject, fault); !done)
            return done.error();
    result.faults = std::move(faults);
    // F26 hangs in some interleavings only: the lab shows one that does.
    for (Fault& fault : result.faults)
        if (numerics::number(fault.id) == 26)
            fault.parameters.emplace("hangs", 1);
    result.inputs = inputs.empty()
        ? lessonInputs(subject, result.faults.front().id, result.faults.front().seed)
        : inputs;
    std::vector<const Fault*> pointers;
    for (const Fault& fault : result.faults)
        pointers.push_back(&fault);
    auto ladder = climb(subject, result.inputs, pointers, progress);
    if (!ladder)
        return ladder.error();
    result.ladder = *std::move(ladder);
    if (!result.ladder.verdict.level)
        return Error{ErrorCode::NotFound,
            numerics::toString(result.faults.front().id)
                + " shows nothing on these inputs: it needs "
                + std::string(numerics::facts(result.faults.front().id).trigger)
                + ". Leave --inputs out, and the lab makes inputs that show it.",
            {}};
    if (result.ladder.node.isValid())
        result.nodeName = subject.graph().nodes[result.ladder.node].name;
    Ladder device(subject, result.inputs, pointers, progress);
    auto pair = device.at(Rung::Numerics);
    if (!pair)
        return pair.error();
    result.device = dumped(subject, (*pair)->planted);
    result.wrong = deviceWrong(device, **pair, result.ladder,
        numerics::arithmeticOf(*subject.machine, subject.precision).storage);
    return result;
}

} // namespace fivefold::compare
