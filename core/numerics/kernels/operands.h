// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"
#include "core/numerics/rearrange.h"

/// What kernels share about operands, attributes and results.
namespace fivefold::numerics {

inline std::vector<Datum> one(Tensor tensor) {
    std::vector<Datum> results;
    results.emplace_back(std::move(tensor));
    return results;
}

/// "axis 4 does not exist in a tensor of rank 3."
base::Error badAxis(const Call& call, std::int64_t axis, std::size_t rank);
/// The axis that an attribute names, 0 … rank − 1.
base::Result<std::size_t> axisOf(
    const Call& call, std::string_view attribute, std::int64_t fallback, std::size_t rank);
/// First integer of a small operand, or of the attribute of that name; nullopt without either.
std::optional<std::int64_t> integerOf(
    const Call& call, std::size_t index, std::string_view attribute);
/// Numbers as a tensor: floats in the carrier of the call, integers for other types.
Tensor tensorOf(const Call& call, ir::DType dtype, Extents shape, std::vector<double> values);
/// Numbers of an operand (any numeric carrier), or nullopt when it is omitted.
std::optional<std::vector<double>> numbersOf(const Call& call, std::size_t index);
/// Seed of the call's random stream: the attribute "seed" where it is given, else the run's seed
/// and the operator's name.
std::uint64_t streamSeed(const Call& call);

} // namespace fivefold::numerics
