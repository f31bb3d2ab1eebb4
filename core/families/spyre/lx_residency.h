// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/lx_views.h"
#include "core/families/spyre/scratchpad.h"

/// Which buffers may lie in LX at all: the first rule that bars one wins (torch-spyre
/// scratchpad/allocator.py, _buffer_residency_reason and _input_residency_reason; utils.py,
/// get_ncores_for_buffers, August 2026).
namespace fivefold::families::spyre {

/// One access of a buffer. `access` points into the program.
struct BufferUse {
    std::size_t op = 0;
    const Access* access = nullptr;
    bool isWrite = false;
};

/// All accesses by buffer, in program order, the reads of an operation before its write. A write
/// into a buffer that another operation allocates is none of its uses, as in the compiler.
class BufferUses {
public:
    explicit BufferUses(const LoopProgram& program);
    const std::vector<BufferUse>& of(BufferIndex buffer) const { return m_uses[buffer]; }
    /// The operations that touch it, ascending, each once.
    std::vector<std::size_t> ops(BufferIndex buffer) const;
    /// The operation that makes it, SIZE_MAX for arguments.
    std::size_t producer(BufferIndex buffer) const { return m_producers[buffer]; }
    bool isMutated(BufferIndex buffer) const { return m_isMutated[buffer]; }

private:
    std::vector<std::vector<BufferUse>> m_uses;
    std::vector<std::size_t> m_producers;
    std::vector<bool> m_isMutated;
};

/// Whether all users of a buffer cut it alike.
struct Agreement {
    std::int64_t cores = 1; ///< that share it
    CoreView view; ///< of the first user
    std::string mismatch; ///< a sentence; empty where they agree
};
Agreement agreementOn(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer,
    std::int64_t availableCores);

/// Why a buffer must stay out of LX; empty: nothing bars it. `isRelayoutSource`: a relayout is
/// planned from it, which overrides the list of operators.
std::string barOnBuffer(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer,
    const Agreement& agreement, const LxSettings& settings, bool isRelayoutSource);
/// The same for a graph input, which would be copied in.
std::string barOnInput(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer,
    const Agreement& agreement, const LxSettings& settings);

/// Whether `op` may write its result over operand `read`: an operator that PyTorch tags as
/// pointwise, or a read at the very index of the write. June 2026: exp, sub, add, rsqrt.
bool mayWriteOver(const LoopOp& op, const Access& read, bool isAugust);

/// Whether it is a loop nest on the device: not the host, a constant or an allocation.
bool isDeviceLoop(const LoopOp& op);
/// "restickify" to the scratchpad: one that the compiler inserted, not a copy that amounts to one.
bool isRestickify(const LoopOp& op);
/// What the panels call an operation: the buffer it writes.
std::string displayName(const LoopProgram& program, const LoopOp& op);

} // namespace fivefold::families::spyre
