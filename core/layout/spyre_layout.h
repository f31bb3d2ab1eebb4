// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/layout/tensor_layout.h"

namespace fivefold::layout {

/// Versions of the public Spyre compiler's layout constructor.
enum class SpyreLayoutVersion : std::uint8_t {
    V2025_11, ///< dense contiguous only; rank ≥ 3 puts the stick number first
    V2026_06, ///< tile strides not clamped
    V2026_09, ///< default; differs from 2026-06 in the stride of a tile of extent 1
};
std::string_view toString(SpyreLayoutVersion version);
std::optional<SpyreLayoutVersion> parseSpyreLayoutVersion(std::string_view text);

constexpr std::int64_t kSpyreStickBytes = 128; ///< unit of transfer, torch-spyre BYTES_IN_STICK

/// Elements a stick holds: fp16, bf16, bool 64; fp32, int32, int64 (stored as int32) 32; int8, fp8
/// 128. uint8 counts as int8: an estimate, which the layout's notation says, since no public rule
/// covers it. nullopt for a type that the device does not have.
std::optional<std::int64_t> spyreElementsPerStick(ir::DType dtype);

struct SpyreLayoutRequest {
    std::vector<std::int64_t> shape;
    ir::DType dtype = ir::DType::Float16;
    std::vector<int> order; ///< empty: 0…r−1; last = stick dimension; may end in −1 (sparse)
    std::vector<std::int64_t> strides; ///< host strides in elements; empty: contiguous
    SpyreLayoutVersion version = SpyreLayoutVersion::V2026_09;
};

/// The stick layout, exactly as the compiler's SpyreTensorLayout constructor computes it
/// (torch_spyre/csrc/spyre_tensor_impl.cpp). Fails on a type without a device format, a wrong
/// order, or what the version does not support.
base::Result<TensorLayout> spyreLayout(const SpyreLayoutRequest& request);

/// Only what the device sees of the layout: the same sizes and strides, for searches that make
/// many.
struct SpyreDeviceShape {
    std::vector<std::int64_t> size;
    std::vector<std::int64_t> strideMap;
};
base::Result<SpyreDeviceShape> spyreDeviceShape(const SpyreLayoutRequest& request);

std::int64_t spyreSticks(const TensorLayout& layout); ///< 128-byte sticks of the whole tensor

} // namespace fivefold::layout
