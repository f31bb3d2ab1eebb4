// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/interpreter.h"

#include "core/numerics/executor.h"
#include "core/numerics/rearrange.h"

#include <algorithm>
#include <cmath>

namespace fivefold::numerics {

namespace {

using ir::ValueId;

std::string typeText(const ir::ValueType& type) {
    std::string text(type.dtype == ir::DType::Undefined ? "any type" : ir::name(type.dtype));
    text += ' ' + (type.shape ? ir::toText(*type.shape) : std::string("of any shape"));
    if (type.kind == ir::ValueKind::Sequence)
        return "a sequence of " + text;
    return type.kind == ir::ValueKind::Optional ? "an optional " + text : text;
}

/// "x (float32 1×3×224×224), n (int64 scalar)".
std::string takenText(const ir::Typed& typed) {
    constexpr std::size_t kMost = 12;
    const auto& inputs = typed.graph->main().inputs;
    std::string text;
    for (std::size_t i = 0; i < std::min(inputs.size(), kMost); ++i)
        text += (i ? ", " : "") + typed.graph->values[inputs[i]].name + " ("
            + typeText(typed.types[inputs[i]]) + ")";
    if (inputs.size() > kMost)
        text += " and " + std::to_string(inputs.size() - kMost) + " more";
    return text.empty() ? "no inputs" : text;
}

base::Error wrongInput(const ir::Typed& typed, const std::string& what) {
    return {
        base::ErrorCode::InvalidArgument, what + "; the model takes " + takenText(typed) + ".", {}};
}

bool fits(const Tensor& tensor, const ir::ValueType& type) {
    if (!type.shape)
        return true;
    if (type.shape->size() != tensor.rank())
        return false;
    for (std::size_t i = 0; i < tensor.rank(); ++i)
        if ((*type.shape)[i].isKnown() && !(*type.shape)[i].is(tensor.shape()[i]))
            return false;
    return true;
}

/// The tensor in the model's type and the run's carrier; nullopt where that loses something.
std::optional<Tensor> converted(const Tensor& tensor, ir::DType dtype, Carrier carrier) {
    if (dtype == ir::DType::Undefined)
        dtype = tensor.dtype();
    const bool isText = tensor.as<std::string>() != nullptr;
    if (isText != (dtype == ir::DType::String))
        return std::nullopt;
    if (isText)
        return tensor;
    if (ir::isFloat(dtype)) {
        const Tensor floats = tensor.as<std::int64_t>()
            ? Tensor(dtype, tensor.shape(), tensor.numbers())
            : tensor.retyped(dtype);
        return carrier == Carrier::Float ? floats.carried<float>() : floats.carried<double>();
    }
    if (tensor.as<std::int64_t>())
        return tensor.retyped(dtype);
    std::vector<std::int64_t> integers(static_cast<std::size_t>(tensor.size()));
    for (std::size_t i = 0; i < integers.size(); ++i) {
        const double value = tensor.number(static_cast<std::int64_t>(i));
        if (!(value == std::floor(value)))
            return std::nullopt;
        integers[i] = tensor.integer(static_cast<std::int64_t>(i));
    }
    return Tensor(dtype, tensor.shape(), std::move(integers));
}

base::Result<Datum> checkedDatum(
    const ir::Typed& typed, ValueId input, const Datum& given, Carrier carrier) {
    const ir::ValueType& type = typed.types[input];
    const std::string& name = typed.graph->values[input].name;
    if (given.kind != Datum::Kind::Tensor) { // items as they come
        Datum datum = given;
        for (Datum& item : datum.items)
            if (item.kind == Datum::Kind::Tensor && item.tensor.isDefined())
                item.tensor = carrier == Carrier::Float ? item.tensor.carried<float>()
                                                        : item.tensor.carried<double>();
        return datum;
    }
    const bool isTensor = type.kind == ir::ValueKind::Tensor;
    if (type.kind == ir::ValueKind::Sequence)
        return wrongInput(typed, "Input " + name + " is a tensor where a sequence is wanted");
    if (!given.tensor.isDefined())
        return wrongInput(typed, "Input " + name + " is given without contents");
    if (isTensor && !fits(given.tensor, type))
        return wrongInput(typed,
            "Input " + name + " is given as " + extentsText(given.tensor.shape())
                + ", which does not fit");
    auto tensor = converted(given.tensor, type.dtype, carrier);
    if (!tensor)
        return wrongInput(typed,
            "Input " + name + " is given as " + std::string(ir::name(given.tensor.dtype()))
                + ", which does not convert");
    Datum datum(*std::move(tensor));
    if (isTensor)
        return datum;
    Datum optional;
    optional.kind = Datum::Kind::Optional;
    optional.items.push_back(std::move(datum));
    return optional;
}

/// Small contents that bindings fix: `--bind n=5`.
std::optional<Tensor> boundTensor(const ir::Typed& typed, ValueId input, Carrier carrier) {
    const ir::Bindings& bindings = typed.options.bindings;
    const std::string& name = typed.graph->values[input].name;
    const ir::ValueType& type = typed.types[input];
    const auto shape = type.shape ? ir::knownShape(*type.shape) : std::nullopt;
    if (!shape || type.kind != ir::ValueKind::Tensor)
        return std::nullopt;
    std::vector<double> values;
    if (const auto found = bindings.scalars.find(name); found != bindings.scalars.end())
        values = {static_cast<double>(found->second)};
    else if (const auto list = bindings.contents.find(name); list != bindings.contents.end())
        values.assign(list->second.begin(), list->second.end());
    else if (const auto numbers = bindings.numbers.find(name); numbers != bindings.numbers.end())
        values = numbers->second;
    if (values.empty() || productOf(*shape) != static_cast<std::int64_t>(values.size()))
        return std::nullopt;
    return converted(Tensor(ir::DType::Float64, *shape, std::move(values)), type.dtype, carrier);
}

const Datum* givenFor(const Inputs& inputs, const std::string& name, std::size_t position) {
    if (const auto found = inputs.find(name); found != inputs.end())
        return &found->second;
    const auto found = inputs.find(std::to_string(position));
    return found == inputs.end() ? nullptr : &found->second;
}

/// Initialisers that the caller replaces.
base::Result<base::Done> addReplaced(const ir::Typed& typed, const Inputs& inputs, Carrier carrier,
    std::map<ValueId, Datum>& result) {
    for (const ValueId id : typed.graph->main().initializers) {
        if (!typed.graph->values.contains(id))
            continue;
        const auto found = inputs.find(typed.graph->values[id].name);
        if (found == inputs.end() || result.contains(id))
            continue;
        auto datum = checkedDatum(typed, id, found->second, carrier);
        if (!datum)
            return datum.error();
        result[id] = *std::move(datum);
    }
    return base::Done{};
}

base::Result<std::map<ValueId, Datum>> checkedInputs(
    const ir::Typed& typed, const Inputs& inputs, const RunOptions& options) {
    const Carrier carrier = options.arithmetic ? Carrier::Double : options.carrier;
    const ir::Graph& graph = *typed.graph;
    std::map<ValueId, Datum> result;
    const auto& ids = graph.main().inputs;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!graph.values.contains(ids[i]) || options.given.contains(ids[i]))
            continue;
        const std::string& name = graph.values[ids[i]].name;
        if (const Datum* given = givenFor(inputs, name, i)) {
            auto datum = checkedDatum(typed, ids[i], *given, carrier);
            if (!datum)
                return datum.error();
            result[ids[i]] = *std::move(datum);
        } else if (auto bound = boundTensor(typed, ids[i], carrier)) {
            result[ids[i]] = *std::move(bound);
        } else if (!graph.values[ids[i]].data.isValid() && options.only.empty()
            && options.given.empty()) {
            return wrongInput(typed, "Input " + name + " is not given");
        }
    }
    if (auto added = addReplaced(typed, inputs, carrier, result); !added)
        return added.error();
    return result;
}

} // namespace

base::Result<Run> run(const ir::Typed& typed, const Inputs& inputs, Weights& weights,
    const RunOptions& options, const base::Progress& progress) {
    if (!typed.graph || typed.graph->blocks.empty())
        return base::Error{
            base::ErrorCode::InvalidArgument, "There is no graph to run; open a model.", {}};
    auto checked = checkedInputs(typed, inputs, options);
    if (!checked)
        return checked.error();
    return Executor(typed, weights, options, progress).run(*checked);
}

} // namespace fivefold::numerics
