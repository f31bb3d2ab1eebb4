// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/faults_physical.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace fivefold::numerics {

namespace {

/// Purposes of the draws.
constexpr std::uint64_t kArrived = 28, kBlock = 30;
constexpr double kDefaultBurst = 64; ///< bytes; a beat of LPDDR5 and half a Spyre stick

const layout::TensorLayout* operandLayout(const PlantedFault& planted) {
    const lowering::ValueId id = planted.place.operand;
    return planted.graph->values.contains(id) ? planted.graph->values[id].layout.get() : nullptr;
}

/// F29: elements of the last, incomplete burst of the tensor's own bytes; 0 when there is none.
std::int64_t shortBy(const PlantedFault& planted, const layout::TensorLayout& layout) {
    const std::int64_t bytes = layout::logicalBytes(layout);
    const auto asked = std::llround(planted.parameter("burst", 0));
    constexpr double kWidest = 4096;
    for (double burst = asked > 0 ? static_cast<double>(asked) : kDefaultBurst;
         burst <= kWidest || asked > 0; burst *= 2) {
        const std::int64_t rest = bytes % std::llround(burst);
        const std::int64_t elements = lowering::ceilDiv(rest * 8, std::max(1, layout.elementBits));
        if (rest > 0 && elements < layout::logicalElements(layout))
            return elements;
        if (asked > 0)
            return 0;
    }
    return 0;
}

/// Lanes of logical elements in the order of their addresses.
std::vector<std::int64_t> lanesInOrder(const LaneIndex& index) {
    std::vector<std::int64_t> lanes;
    forEachRow(index, index.shape(), [&](std::int64_t, std::int64_t base) {
        if (index.shape().empty()) {
            lanes.push_back(0);
            return;
        }
        const auto last = index.offsets(index.shape().size() - 1);
        for (std::int64_t i = 0; base >= 0 && i < index.shape().back(); ++i)
            if (last[static_cast<std::size_t>(i)] >= 0)
                lanes.push_back(base + last[static_cast<std::size_t>(i)]);
    });
    std::sort(lanes.begin(), lanes.end());
    return lanes;
}

/// F28: the first lane that has not arrived when it is read: as many whole bursts as time allowed.
std::int64_t firstOldLane(const PlantedFault& planted, const DeviceValue& operand) {
    const auto lanes = lanesInOrder(operand.index());
    if (lanes.size() < 2)
        return lanes.empty() ? 0 : lanes.front();
    const double share = planted.arrivedShare();
    const auto n = static_cast<std::int64_t>(lanes.size());
    std::int64_t first = static_cast<std::int64_t>(share * static_cast<double>(n));
    const std::int64_t burst = std::max<std::int64_t>(1,
        std::llround(planted.parameter("burst", kDefaultBurst)) * 8
            / std::max(1, operand.layout().elementBits));
    if (first >= burst)
        first -= first % burst;
    return lanes[static_cast<std::size_t>(std::clamp<std::int64_t>(first, 1, n - 1))];
}

template <typename T> void forgetFrom(std::vector<T>& lanes, std::int64_t first, T junk) {
    std::fill(
        lanes.begin() + std::min<std::ptrdiff_t>(first, std::ssize(lanes)), lanes.end(), junk);
}

/// The fp16 bits of a number, read as bf16.
double readAsBf16(double value) {
    const double half = round(value, Format::Fp16);
    if (!std::isfinite(half))
        return half;
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(half), &exponent);
    std::uint16_t bits = 0;
    if (half != 0) {
        constexpr int kBias = 15, kMantissa = 10, kLeastExponent = -13;
        bits = exponent < kLeastExponent
            ? static_cast<std::uint16_t>(std::ldexp(std::abs(half), 24))
            : static_cast<std::uint16_t>(((exponent - 1 + kBias) << kMantissa)
                | static_cast<int>(std::ldexp(mantissa * 2 - 1, kMantissa)));
    }
    if (std::signbit(half))
        bits |= 0x8000;
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Words of 32 bits of the stream, one for every element: half of them are upper halves.
std::vector<std::int64_t> readAsInt32(const std::vector<std::int64_t>& right) {
    std::vector<std::int64_t> wrong(right.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
        const auto word = static_cast<std::uint64_t>(right[i / 2]);
        wrong[i] = static_cast<std::int32_t>(i % 2 == 0 ? word : word >> 32);
    }
    return wrong;
}

} // namespace

double PlantedFault::arrivedShare() const {
    constexpr double kLeast = 0.15, kSpread = 0.7; // of the transfer; never all, never none
    return parameter("arrived", kLeast + kSpread * uniform(draw, kArrived));
}

std::int64_t PlantedFault::missingBytes() const {
    const layout::TensorLayout* layout = operandLayout(*this);
    return layout ? lowering::ceilDiv(shortBy(*this, *layout) * layout->elementBits, 8) : 0;
}

bool isTimeout(const PlantedFault& planted) {
    return planted.number == 30
        && planted.parameter("accumulates", planted.fault->seed % 2 == 0) == 0;
}

bool transferFaultActs(const PlantedFault& planted) {
    if (planted.number == 30)
        return true;
    if (planted.number == 31)
        return planted.place.input.isValid();
    const layout::TensorLayout* layout = operandLayout(planted);
    if (!layout || layout::logicalElements(*layout) < 2)
        return false;
    const auto& buffers = planted.program->buffers;
    if (std::none_of(buffers.begin(), buffers.end(),
            [&](const lowering::Buffer& b) { return b.value == planted.place.operand; }))
        return false; // made and used in one kernel: nothing moves it
    return planted.number == 28 || shortBy(planted, *layout) > 0;
}

void misreadTransfer(const PlantedFault& planted, DeviceValue& operand) {
    if (planted.number == 28) {
        const std::int64_t first = firstOldLane(planted, operand);
        if (operand.isInteger())
            forgetFrom(operand.changeIntegers(), first, integerPoison(planted.poison));
        else
            forgetFrom(operand.changeFloats(), first, planted.poison);
        return;
    }
    const std::int64_t missing = shortBy(planted, operand.layout());
    const Tensor right = operand.tensor();
    const auto from = static_cast<std::size_t>(std::max<std::int64_t>(0, right.size() - missing));
    if (const auto* list = right.as<std::int64_t>()) {
        auto values = *list;
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(),
            integerPoison(planted.poison));
        return operand.write(Tensor(right.dtype(), right.shape(), std::move(values)), false);
    }
    auto values = right.numbers();
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(), planted.poison);
    operand.write(Tensor(right.dtype(), right.shape(), std::move(values)), false);
}

void doubleBlock(const PlantedFault& planted, DeviceValue& result) {
    const Tensor right = result.tensor();
    if (isTimeout(planted) || right.size() == 0)
        return;
    constexpr std::int64_t kBlocks = 4;
    const std::int64_t size = lowering::ceilDiv(right.size(), kBlocks);
    const std::int64_t blocks = lowering::ceilDiv(right.size(), size);
    const auto block = static_cast<std::int64_t>(
        uniform(planted.fault->seed, kBlock) * static_cast<double>(blocks));
    const std::int64_t first = block * size, end = std::min(first + size, right.size());
    if (const auto* list = right.as<std::int64_t>()) {
        auto values = *list;
        for (std::int64_t i = first; i < end; ++i)
            values[static_cast<std::size_t>(i)] *= 2;
        return result.write(Tensor(right.dtype(), right.shape(), std::move(values)), false);
    }
    auto values = right.numbers();
    for (std::int64_t i = first; i < end; ++i)
        values[static_cast<std::size_t>(i)] *= 2;
    result.write(Tensor(right.dtype(), right.shape(), std::move(values)), false);
}

void spoilInput(const PlantedFault& planted, DeviceValue& input) {
    if (planted.number != 31)
        return;
    const Tensor right = input.tensor();
    Tensor wrong;
    if (const auto* list = right.as<std::int64_t>()) {
        wrong = Tensor(right.dtype(), right.shape(), readAsInt32(*list));
    } else {
        auto values = right.numbers();
        std::transform(values.begin(), values.end(), values.begin(), readAsBf16);
        wrong = Tensor(right.dtype(), right.shape(), std::move(values));
    }
    if (input.hasLanes())
        input.write(wrong, false);
    else
        input = DeviceValue(Datum(std::move(wrong)));
}

} // namespace fivefold::numerics
