// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::families::gpu {

/// Whether Inductor turns the graph's 2-D convolutions to channels-last
/// (GraphLowering.decide_layout_opt): no without convolutions or with 300 nodes and more a
/// convolution; else each convolution's FLOPs count with a factor by its kind (grouped 1.358, both
/// channels ≤ 64 0.783, input channels ≥ 2 · output channels and a window 0.725, others 0.823), and
/// the sum must not exceed the plain FLOPs.
bool prefersChannelsLast(const lowering::StageGraph& graph);

/// A 2-D convolution of known shapes.
bool isImageConvolution(const lowering::StageGraph& graph, const lowering::Node& node);

/// The weight is as good in either order: a 1×1 window or one input channel a group.
bool isWeightOrderFree(const lowering::StageGraph& graph, const lowering::Node& node);

/// Values that lie channels-last: results of image convolutions, what pointwise operators and pools
/// make of them, and computed inputs of convolutions, which are written that way at no cost.
/// O(nodes + edges).
base::IdVector<lowering::ValueId, std::uint8_t> channelsLastValues(
    const lowering::StageGraph& graph);

} // namespace fivefold::families::gpu
