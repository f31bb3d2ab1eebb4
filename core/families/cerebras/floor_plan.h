// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/cerebras/fabric.h"
#include "core/families/cerebras/packer.h"
#include "core/lowering/family.h"

#include <span>

namespace fivefold::families::cerebras {

/// Where one kernel runs.
struct Site {
    Rectangle rectangle; ///< its region; the whole fabric when weights are streamed
    /// Its tensors are cut over rows × columns of PEs: a square, or the whole rectangle where no
    /// square inside can hold them.
    std::int64_t rows = 1, columns = 1;
    /// It computes on side × side of them. The published equations are for squares, so a longer
    /// rectangle is charged as the square of its shorter side.
    std::int64_t side = 1;
    /// On the fullest PE by the tensors' layouts (layout::waferBlocked): weights, inputs, outputs
    /// and copies of what other regions hold, each in whole memory words.
    std::int64_t peBytes = 0;
    Cycles cycles; ///< of one execution
    bool isOverfull = false; ///< peBytes exceed what a PE has for data

    std::int64_t pes() const { return rows * columns; }
};

struct FloorPlan {
    bool isStreaming = false;
    std::string reason; ///< why this mode; a sentence
    std::string setting; ///< "auto", or the mode that the user asked for
    base::IdVector<lowering::KernelId, Site> sites;
};

/// Fabric hops between the middles of two rectangles.
double hopsBetween(const Rectangle& from, const Rectangle& to);

/// The kernel whose PEs hold a value: its producer's, else its first reader's; invalid without
/// either. O(users).
lowering::KernelId homeOf(const lowering::StageGraph& graph, const lowering::Value& value);
/// True when every region that reads the value keeps a copy: a weight or input wider than a word (a
/// word is an operand of the program).
bool isCopied(const lowering::Value& value);

/// Bytes of the values on one PE when cut over rows × columns of PEs. A value without a known size
/// counts nothing.
std::int64_t bytesOnPe(const lowering::StageGraph& graph,
    std::span<const lowering::ValueId> values, std::int64_t rows, std::int64_t columns);

/// A square for each layer, its area in proportion to the work and at least what the layouts need,
/// so that equal layers get equal squares; where squares do not fit, guillotine cuts; or the whole
/// fabric for each layer in turn when the model does not fit. A mode that the user asks for is kept
/// even where layers do not fit (isOverfull says which). Nodes that lay-out added are left out, so
/// that the plan is the same before and after it. O(nodes · log(side)).
FloorPlan planFloor(const lowering::Context& context, const lowering::StageGraph& graph);

constexpr std::int64_t kWordBytes = 8; ///< a PE's memory is read 64 bits at a time

constexpr const char* kModeSetting = "mode";
constexpr const char* kModeAuto = "auto";
constexpr const char* kModePipelined = "layer_pipelined";
constexpr const char* kModeStreaming = "weight_streaming";

} // namespace fivefold::families::cerebras
