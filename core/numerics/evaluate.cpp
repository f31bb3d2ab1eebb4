// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/evaluate.h"

#include "core/numerics/kernels/elements.h"
#include "core/numerics/kernels/kernel.h"

#include <array>
#include <exception>
#include <new>

namespace fivefold::numerics {

namespace {

using Lookup = std::array<Kernel, static_cast<std::size_t>(ir::kOpCount)>;

Lookup makeLookup() {
    Lookup lookup{};
    for (const KernelTable table : {pointwiseKernels(), contractionKernels(), reductionKernels(),
             normalisationKernels(), attentionKernels(), quantisationKernels(), movementKernels(),
             indexingKernels(), poolingKernels(), samplingKernels(), recurrentKernels(),
             generatorKernels(), sequenceKernels(), signalKernels()}) {
        for (const auto& [op, kernel] : table)
            lookup[static_cast<std::size_t>(op)] = kernel;
    }
    return lookup;
}

Kernel kernelOf(ir::Op op) {
    static const Lookup lookup = makeLookup();
    const auto at = static_cast<std::size_t>(op);
    return at < lookup.size() ? lookup[at] : nullptr;
}

/// The same elements in the carrier of the evaluation.
Datum carried(const Datum& datum, Carrier carrier) {
    Datum result = datum;
    if (carrier == Carrier::Double)
        result.tensor = datum.tensor.carried<double>();
    else
        result.tensor = datum.tensor.carried<float>();
    return result;
}

bool isCarried(const Datum& datum, Carrier carrier) {
    return carrier == Carrier::Double ? !datum.tensor.as<float>() : !datum.tensor.as<double>();
}

/// Rounds floats to the format that the machine stores results in.
Tensor stored(const Tensor& tensor, const Arithmetic& arithmetic) {
    const auto* list = tensor.as<double>();
    if (!list)
        return tensor;
    const Rounder rounder(arithmetic.storage, arithmetic);
    std::vector<double> rounded(list->size());
    for (std::size_t i = 0; i < rounded.size(); ++i)
        rounded[i] = rounder((*list)[i]);
    return {tensor.dtype(), tensor.shape(), std::move(rounded)};
}

/// Results as the caller wants them: in the carrier, rounded to storage, of the asked type, and as
/// many as the node has.
base::Result<std::vector<Datum>> finished(const Call& call, std::vector<Datum> results) {
    const Evaluation& evaluation = call.evaluation;
    const ir::DType wanted = call.operation.outputType;
    if (!results.empty() && wanted != ir::DType::Undefined && results[0].tensor.isDefined()
        && results[0].tensor.dtype() != wanted)
        results[0].tensor = ofType(results[0].tensor, wanted, evaluation.carrier);
    for (Datum& datum : results) {
        if (!isCarried(datum, evaluation.carrier))
            datum = carried(datum, evaluation.carrier);
        if (evaluation.arithmetic && !evaluation.arithmetic->isExact())
            datum.tensor = stored(datum.tensor, *evaluation.arithmetic);
        if (datum.tensor.bytesInMemory() > evaluation.largestTensorBytes)
            return tooLargeError(call, datum.tensor.shape());
    }
    results.resize(std::max(results.size(), call.operation.outputs));
    return results;
}

base::Result<std::vector<Datum>> guarded(Kernel kernel, const Call& call) {
    try {
        auto results = kernel(call);
        return results ? finished(call, std::move(results).value()) : results;
    } catch (const std::bad_alloc&) {
        return base::Error{base::ErrorCode::Limit,
            call.error("there is not enough memory for the result; smaller shapes would fit.")
                .message,
            {}};
    } catch (const std::exception& exception) {
        return call.error(std::string("it could not be computed (") + exception.what() + ").");
    }
}

} // namespace

const Tensor* Call::input(std::size_t index) const {
    if (index >= inputs.size() || inputs[index].kind != Datum::Kind::Tensor
        || !inputs[index].tensor.isDefined())
        return nullptr;
    return &inputs[index].tensor;
}

base::Result<const Tensor*> Call::required(std::size_t index) const {
    if (const Tensor* tensor = input(index))
        return tensor;
    return error("input " + std::to_string(index + 1) + " is missing; the operator needs it.");
}

std::optional<std::vector<std::int64_t>> Call::integers(
    std::size_t index, std::string_view attribute) const {
    if (const Tensor* tensor = input(index)) {
        if (const auto* list = tensor->as<std::int64_t>())
            return *list;
        std::vector<std::int64_t> result;
        for (std::int64_t i = 0; i < tensor->size(); ++i)
            result.push_back(tensor->integer(i));
        return result;
    }
    const ir::AttributeValue* value = attributes().find(attribute);
    if (!value)
        return std::nullopt;
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(value))
        return *list;
    if (const auto* one = std::get_if<std::int64_t>(value))
        return std::vector{*one};
    if (const auto* tensor = std::get_if<ir::TensorId>(value); tensor && operation.tensors)
        return operation.tensors->integers(*tensor);
    return std::nullopt;
}

base::Error Call::error(std::string sentence) const {
    std::string message(ir::name(operation.op));
    if (!operation.name.empty())
        message += " " + std::string(operation.name);
    return {base::ErrorCode::InvalidArgument, message + ": " + std::move(sentence), {}};
}

std::optional<base::Error> Call::tooLarge(const std::vector<std::int64_t>& shape) const {
    if (evaluation.progress && evaluation.progress->isCancelled())
        return base::Progress::cancelled();
    for (const std::int64_t extent : shape)
        if (extent < 0)
            return error("a dimension of the result would be negative.");
    const std::int64_t elements = productOf(shape);
    const std::int64_t width = isDouble() ? sizeof(double) : sizeof(float);
    if (elements > evaluation.largestTensorBytes / width)
        return tooLargeError(*this, shape);
    return std::nullopt;
}

bool isExecutable(ir::Op op) {
    return kernelOf(op) != nullptr;
}

base::Result<std::vector<Datum>> evaluate(
    const Operation& operation, std::span<const Datum> inputs, const Evaluation& evaluation) {
    static const ir::Attributes none;
    Operation complete = operation;
    if (!complete.attributes)
        complete.attributes = &none;
    const Kernel kernel = kernelOf(operation.op);
    if (!kernel)
        return base::Error{base::ErrorCode::Unsupported,
            Call{complete, inputs, evaluation}.error("it is not executable here.").message, {}};
    if (evaluation.progress && evaluation.progress->isCancelled())
        return base::Progress::cancelled();
    bool isUniform = true;
    for (const Datum& datum : inputs)
        isUniform = isUniform && isCarried(datum, evaluation.carrier);
    if (isUniform)
        return guarded(kernel, {complete, inputs, evaluation});
    std::vector<Datum> converted;
    converted.reserve(inputs.size());
    for (const Datum& datum : inputs)
        converted.push_back(carried(datum, evaluation.carrier));
    return guarded(kernel, {complete, converted, evaluation});
}

} // namespace fivefold::numerics
