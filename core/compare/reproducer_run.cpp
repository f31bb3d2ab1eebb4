// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/reproducer_run.h"

namespace fivefold::compare {

namespace {

using Tensors = std::vector<std::pair<std::string, numerics::Tensor>>;

Tensors outputsOf(const ir::Graph& graph, const std::map<ir::ValueId, numerics::Datum>& values) {
    Tensors result;
    for (const ir::ValueId id : graph.main().outputs)
        if (const auto found = values.find(id); found != values.end()
            && found->second.kind == numerics::Datum::Kind::Tensor
            && found->second.tensor.isDefined())
            result.emplace_back(graph.values[id].name, found->second.tensor);
    return result;
}

} // namespace

base::Result<CaseRun> runCase(const numerics::Subject& subject, const numerics::Inputs& inputs,
    const std::optional<numerics::Fault>& fault, const base::Progress& progress) {
    using numerics::Rung;
    const ir::Graph& graph = subject.graph();
    auto exact = numerics::runRung(subject, Rung::Captured, inputs, {}, progress);
    if (!exact)
        return exact.error();
    CaseRun result;
    result.expected = outputsOf(graph, exact->values);
    const Rung rung = subject.program ? Rung::Numerics : Rung::Captured;
    numerics::RungOptions options;
    options.poison = 0; // memory of a fresh process
    auto clean = numerics::runRung(subject, rung, inputs, options, progress);
    if (!clean)
        return clean.error();
    result.right = outputsOf(graph, clean->values);
    if (!fault) {
        result.device = result.right;
        return result;
    }
    options.fault = &*fault;
    auto faulty = numerics::runRung(subject, rung, inputs, options, progress);
    if (!faulty)
        return faulty.error();
    result.isStuck = faulty->deadlock.has_value();
    result.device = outputsOf(graph, faulty->values);
    for (const auto& [name, tensor] : result.device)
        for (const auto& [other, reference] : result.right)
            if (name == other && tensor.size() == reference.size() && result.wrong.isEmpty()) {
                result.wrong =
                    differ(tensor, reference, {}, numerics::formatOf(tensor.dtype())).wrong;
                result.pattern = classify(tensor, reference, result.wrong, nullptr, {});
            }
    return result;
}

} // namespace fivefold::compare
