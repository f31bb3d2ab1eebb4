// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/kernels/kernel.h"
#include "core/numerics/rearrange.h"

/// Sliding windows of convolutions and pooling.
namespace fivefold::numerics {

/// One spatial axis of a window. All sizes are small enough that their products with an extent of a
/// tensor stay inside int64.
struct WindowAxis {
    std::int64_t in = 0, out = 0;
    std::int64_t kernel = 1, stride = 1, dilation = 1;
    std::int64_t before = 0, after = 0; ///< padding
    std::int64_t extraOut = 0; ///< output_padding of ConvTranspose

    std::int64_t effective() const { return dilation * (kernel - 1) + 1; }
    /// Where a tap of the window of output `o` reads; outside 0 … in − 1 it is padding.
    std::int64_t source(std::int64_t o, std::int64_t tap) const {
        return o * stride - before + tap * dilation;
    }
};
using WindowAxes = std::vector<WindowAxis>;

/// Strides, dilations, pads and auto_pad of the call over `spatial` extents; `out` by floor, or by
/// ceil_mode of pooling, where a last window that would start behind the input is dropped.
base::Result<WindowAxes> windowAxes(
    const Call& call, const Extents& spatial, const Extents& kernel, bool isPooling);
/// The same for ConvTranspose, by output_shape where it is given.
base::Result<WindowAxes> transposedWindowAxes(
    const Call& call, const Extents& spatial, const Extents& kernel);

Extents outputsOf(const WindowAxes& axes);
Extents kernelOf(const WindowAxes& axes);

/// Row-major counting through extents; false after the last.
bool advance(Extents& index, const Extents& extents);

/// Channels from last to second place, or back.
Tensor channelsSecond(const Tensor& x);
Tensor channelsLast(const Tensor& x);

/// Convolution of x (N, C, …) with weights (M, C ÷ group, …) of one carrier: the call's attributes,
/// its evaluation's arithmetic. No bias.
base::Result<Tensor> convolve(const Call& call, const Tensor& x, const Tensor& w);

} // namespace fivefold::numerics
