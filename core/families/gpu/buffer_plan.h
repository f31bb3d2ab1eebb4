// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/index_points.h"
#include "core/families/gpu/inline_rules.h"
#include "core/lowering/family.h"

#include <limits>
#include <memory>

namespace fivefold::families::gpu {

enum class BufferKind : std::uint8_t {
    Input, ///< of the program: inputs, weights, constants
    Pointwise, ///< also copies
    Reduction,
    Scan,
    Sort,
    Scatter, ///< writes a buffer through an index
    Library,
    Joined, ///< a concatenation whose inputs wrote their slices: no kernel
};

/// How the elements of a buffer are computed.
enum class Body : std::uint8_t {
    None,
    Node, ///< the node's expression
    Copy, ///< a value under another layout
    Reduce, ///< the node along its axes
    Partial, ///< of one part of the axes (first kernel of a split reduction)
    Combine, ///< of the parts (second kernel)
    Scaled, ///< the raw sum of a mean or variance, divided
};

constexpr int kNever = std::numeric_limits<int>::max();
constexpr int kNoBuffer = -1;

/// One tensor in memory, and the loops of the kernel that would write it alone.
struct PlannedBuffer {
    BufferKind kind = BufferKind::Input;
    Body body = Body::None;
    lowering::ValueId value; ///< what it holds; invalid for partial sums
    lowering::NodeId node; ///< computes it; invalid for inputs
    std::size_t output = 0; ///< of the node
    lowering::ValueId copied; ///< of a Copy
    int time = 0; ///< the lowered node whose loaders it uses: what was realised later is inlined
    Extents size; ///< of the result, kept dimensions of length 1 left out for reductions
    Extents reduce; ///< extents that each result runs over
    std::vector<std::int64_t> axes; ///< of a reduction, scan or sort, in its input
    Extents strides; ///< in elements, of `size`
    bool isFixed = false; ///< strides are decided
    std::int64_t elementBytes = 2;
    std::vector<lowering::NodeId> origins; ///< what was inlined here when it was lowered, sorted
    lowering::NodeId owner; ///< the node whose value it is; invalid for partial sums and copies
    int base = kNoBuffer; ///< Combine: the parts; Scaled: the raw sum; Scatter: the destination
    std::int64_t chunk = 0; ///< Partial: elements a part
    std::int64_t parts = 1;
    bool isInner = true; ///< a reduction along contiguous memory
    std::vector<int> reads; ///< of library calls and concatenations
    std::string reason; ///< of a copy, a sentence

    std::int64_t numel() const;
    std::int64_t reduced() const;
    std::int64_t bytes() const { return numel() * elementBytes; }
    bool isReduction() const {
        return kind == BufferKind::Reduction || kind == BufferKind::Scan
            || kind == BufferKind::Sort;
    }
};

/// Where a value is.
struct ValueState {
    int buffer = kNoBuffer;
    int realisedAt = kNever; ///< lowered node at which it became a buffer
    int hidden = kNoBuffer; ///< raw sum behind a mean or variance
    std::vector<lowering::NodeId> origins; ///< as long as it is an expression
    int depth = 0; ///< expressions under this one, the longest way
    int readsBound = 1, operationsBound = 1; ///< no more than these
};

/// A copy that the compiler adds for one use of a value.
struct PlannedCopy {
    lowering::ValueId value;
    lowering::NodeId user; ///< invalid: an output of the model
    std::size_t input = 0; ///< of the user, or number of the output
    int buffer = kNoBuffer;
    std::string suffix; ///< "weight_nhwc"
};

struct BufferPlan {
    std::vector<PlannedBuffer> buffers; ///< in the order in which they were realised
    base::IdVector<lowering::ValueId, ValueState> values;
    base::IdVector<lowering::NodeId, OperatorRule> rules;
    std::vector<PlannedCopy> copies;
    bool isChannelsLast = false;
    std::vector<std::uint8_t> isOutput; ///< by value
};

/// Inductor's first half [GraphLowering.run_node]: which values become buffers, in which layout,
/// and which reductions run in two steps. Rules: torch/_inductor/ir.py (realize, realize_hint,
/// should_realize_on_reuse, has_exceeded_max_reads, num_splits, ConcatKernel), graph.py (run_node,
/// decide_layout_opt), lowering.py (cat, constant_pad_nd, pooling) of PyTorch 2.13/2.14, default
/// options. `sms` is the number of multiprocessors. O(nodes · size of an expression).
BufferPlan planBuffers(const lowering::Context& context, const lowering::StageGraph& graph,
    std::int64_t sms, bool allowsChannelsLast);

} // namespace fivefold::families::gpu
