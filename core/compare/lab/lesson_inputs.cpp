// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/fault_lab.h"
#include "core/numerics/random.h"

#include <algorithm>
#include <cmath>

namespace fivefold::compare {

using numerics::Random;
using numerics::Tensor;

namespace {

/// Multiples of 1/8 between −4 and 4 without 0: exact in every format, and unlike what memory held.
double plain(Random& random) {
    constexpr std::int64_t kSteps = 32;
    const std::int64_t step = random.below(kSteps) + 1;
    return (random.below(2) == 0 ? -1.0 : 1.0) * static_cast<double>(step) / 8;
}

/// What makes the fault show (the trigger of its entry in the catalogue).
double trigger(int fault, std::int64_t flat, std::int64_t lastExtent, Random& random) {
    constexpr double kBeyondExp = 800; // e^800 is beyond fp64, so beyond all formats
    const std::int64_t row = lastExtent > 0 ? flat / lastExtent : 0;
    const std::int64_t column = lastExtent > 0 ? flat % lastExtent : 0;
    switch (fault) {
    case 5:
        return row % 2 == 0 && column == 1 ? kBeyondExp : plain(random);
    case 6:
        return 300 + std::abs(plain(random));
    case 11:
        return flat % 5 == 2 ? kBeyondExp : flat % 5 == 4 ? -3.5 : std::abs(plain(random));
    case 13:
        return -std::abs(plain(random)) - 1;
    case 32:
        return 1;
    default:
        return plain(random);
    }
}

} // namespace

numerics::Inputs lessonInputs(
    const numerics::Subject& subject, numerics::FaultId fault, std::uint64_t seed) {
    numerics::Inputs inputs = numerics::randomInputs(*subject.typed, seed);
    for (auto& [name, datum] : inputs) {
        const Tensor& given = datum.tensor;
        if (datum.kind != numerics::Datum::Kind::Tensor || !given.isDefined()
            || !ir::isFloat(given.dtype()))
            continue;
        Random random(numerics::seedOf(name, seed));
        std::vector<double> values(static_cast<std::size_t>(given.size()));
        const std::int64_t last = given.rank() > 0 ? given.shape().back() : 1;
        constexpr std::int64_t kExact = 512; // integers up to here are exact in 1-6-9
        for (std::int64_t i = 0; i < given.size(); ++i)
            values[static_cast<std::size_t>(i)] =
                given.rank() == 1 && (numerics::number(fault) == 12 || numerics::number(fault) == 0)
                ? static_cast<double>((i + static_cast<std::int64_t>(seed % kExact) - 1) % kExact)
                : trigger(numerics::number(fault), i, last, random);
        datum = Tensor(given.dtype(), given.shape(), std::move(values));
    }
    return inputs;
}

} // namespace fivefold::compare
