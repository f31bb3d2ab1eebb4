// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/lx_residency.h"

/// Edits of the loop program that LX planning makes: copies and the loop order of LX writers
/// (torch-spyre scratchpad/graph_editor.py; align_lx_producer_loop_order of the scheduler passes).
namespace fivefold::families::spyre {

/// Collects copies and puts them in when done; indices of operations stay those of the program it
/// was given until then.
class CopyInserter {
public:
    explicit CopyInserter(LoopProgram& program);

    /// A copy of `source`, cut as `view`, right before the first of `readers`, which read it from
    /// then on.
    BufferIndex copyBefore(BufferIndex source, const std::vector<std::size_t>& readers,
        const CoreView& view, LoopOrigin origin, std::string suffix);
    /// A copy right after `writer`, the operation that makes `source`, cut like the write; the copy
    /// is the graph's output instead of the source.
    BufferIndex copyOut(BufferIndex source, std::size_t writer);

    /// Puts the copies in. Copies before one reader keep the order in which they were asked for.
    void apply();

private:
    LoopOp copyOperation(BufferIndex source, BufferIndex target, LoopOrigin origin) const;
    BufferIndex addBuffer(BufferIndex source, const std::string& suffix);

    LoopProgram& m_program;
    std::vector<std::vector<LoopOp>> m_before, m_after; ///< by operation
};

/// Gives every writer of an LX buffer the loop order of its first reader, where both walk the
/// buffer by the same strides, each once. `isExcluded`: buffers of relayouts, which keep theirs.
void alignLoopOrders(LoopProgram& program, const std::vector<bool>& isExcluded);

} // namespace fivefold::families::spyre
