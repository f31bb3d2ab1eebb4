// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/cerebras/fabric.h"
#include "core/families/cerebras/packer.h"
#include "core/lowering/family.h"

namespace fivefold::families::cerebras {

/// Where one kernel runs.
struct Site {
    Rectangle rectangle; ///< its region; the whole fabric when weights are streamed
    std::int64_t side = 1; ///< it works on a square of side × side PEs inside
    double bytes = 0; ///< weights, inputs and outputs that its PEs hold
    Cycles cycles; ///< of one execution
    bool isOverfull = false; ///< its bytes exceed what the PEs of the rectangle can hold

    /// Bytes that each PE would have to hold were they spread over the whole rectangle.
    double bytesPerPe() const {
        return bytes / static_cast<double>(rectangle.area() > 0 ? rectangle.area() : 1);
    }
};

struct FloorPlan {
    bool isStreaming = false;
    std::string reason; ///< why this mode; a sentence
    std::string setting; ///< "auto", or the mode that the user asked for
    base::IdVector<lowering::KernelId, Site> sites;
};

/// Fabric hops between the middles of two rectangles.
double hopsBetween(const Rectangle& from, const Rectangle& to);

/// Areas in proportion to the work, at least what the bytes need, then guillotine cuts; or the
/// whole fabric for each layer in turn when the model does not fit. A mode that the user asks for
/// is kept even where layers do not fit (isOverfull says which). Nodes that lay-out added are left
/// out, so that the plan is the same before and after it. O(nodes · log(side)).
FloorPlan planFloor(const lowering::Context& context, const lowering::StageGraph& graph);

constexpr const char* kModeSetting = "mode";
constexpr const char* kModeAuto = "auto";
constexpr const char* kModePipelined = "layer_pipelined";
constexpr const char* kModeStreaming = "weight_streaming";

} // namespace fivefold::families::cerebras
