// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_residency.h"

#include "core/families/spyre/coordinates.h"

#include <algorithm>
#include <array>

namespace fivefold::families::spyre {

namespace {

// By ATen name, not by the backend's word (torch-spyre scratchpad/utils.py).
constexpr std::array<std::string_view, 19> kAugustList{"max", "amax", "maximum", "sum", "clone",
    "exp", "sub", "mul", "mean", "add", "rsqrt", "neg", "mm", "bmm", "batched_matmul", "div",
    "realdiv", "expand", "silu"};
constexpr std::array<std::string_view, 9> kJuneList{
    "max", "amax", "sum", "exp", "sub", "mul", "mean", "add", "rsqrt"};
constexpr std::array<std::string_view, 4> kJuneInPlace{"exp", "sub", "add", "rsqrt"};

/// ATen operators that become loops over elements but carry no pointwise tag in PyTorch
/// (aten/src/ATen/native/native_functions.yaml).
constexpr std::array<std::string_view, 25> kUntagged{"cat", "constant_pad_nd", "embedding",
    "expand", "flip", "full", "full_like", "gather", "index", "index_select", "narrow", "pad",
    "permute", "repeat", "reshape", "roll", "select", "slice", "slice_scatter", "split", "stack",
    "transpose", "tril", "triu", "view"};

constexpr std::string_view kWrittenInParts =
    "Several operations write parts of it, which one LX address cannot serve.";

template <std::size_t N>
bool isOneOf(std::string_view name, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, name) != list.end();
}

std::string_view residencyName(const LoopOp& op) {
    return op.residencyName.empty() ? op.atenName() : std::string_view(op.residencyName);
}

std::int64_t product(const std::vector<std::int64_t>& values) {
    std::int64_t result = 1;
    for (std::int64_t value : values)
        result *= value;
    return result;
}

/// Elements that a read touches, each counted once a loop of its index.
std::int64_t elementsRead(const LoopOp& op, const Access& access) {
    std::int64_t elements = 1;
    for (int variable : access.index.variables())
        elements *= op.loops[static_cast<std::size_t>(variable)].extent;
    return elements;
}

std::string barByRestickify(
    const LoopProgram& program, const BufferUses& uses, BufferIndex buffer) {
    for (const BufferUse& use : uses.of(buffer))
        if (!use.isWrite && isRestickify(program.ops[use.op]))
            return "A restickify reads it, and each core would need slices that other cores hold: "
                   "its input stays in LPDDR5.";
    return {};
}

std::string barByHost(const LoopProgram& program, const std::vector<std::size_t>& ops) {
    for (std::size_t op = ops.front(); op <= ops.back(); ++op)
        if (program.ops[op].kind == LoopKind::Fallback)
            return "A host operator (" + std::string(program.ops[op].atenName())
                + ") uses it or runs while it is live, and LX may be overwritten meanwhile.";
    return {};
}

std::string barByGather(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer) {
    for (const BufferUse& use : uses.of(buffer))
        if (use.access->indirectVariable >= 0 || (!use.isWrite && program.ops[use.op].isGather()))
            return "It is addressed by data (a gather): such accesses go to LPDDR5.";
    return {};
}

std::string barByPartialRead(
    const LoopProgram& program, const BufferUses& uses, BufferIndex buffer) {
    const std::int64_t elements = product(program.buffers[buffer].shape);
    for (const BufferUse& use : uses.of(buffer))
        if (!use.isWrite && elementsRead(program.ops[use.op], *use.access) < elements)
            return displayName(program, program.ops[use.op])
                + " reads only a part of it, and an LX address carries no offset.";
    return {};
}

/// A device axis longer than the loop along it would leave a gap behind each core's part.
std::string barByBackGap(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer) {
    const DeviceLayout& layout = program.buffers[buffer].layout;
    for (const BufferUse& use : uses.of(buffer)) {
        const LoopOp& op = program.ops[use.op];
        const auto coordinates = deviceCoordinates(layout, op.extents(), use.access->index);
        if (!coordinates)
            continue;
        for (std::size_t axis = 0; axis + 1 < layout.deviceSize.size(); ++axis) {
            const auto& terms = (*coordinates)[axis].terms;
            const std::int64_t extent = terms.empty()
                ? 1
                : op.loops[static_cast<std::size_t>(terms.front().variable)].extent;
            if (layout.deviceSize[axis] > extent)
                return "Its layout is longer than the loop of " + displayName(program, op)
                    + " along axis " + std::to_string(axis) + ", which LX does not support.";
        }
    }
    return {};
}

} // namespace

bool isDeviceLoop(const LoopOp& op) {
    return op.kind == LoopKind::Pointwise || op.kind == LoopKind::Reduction
        || op.kind == LoopKind::Restickify;
}

bool isRestickify(const LoopOp& op) {
    return op.origin == LoopOrigin::Restickify || op.atenName() == "restickify";
}

std::string displayName(const LoopProgram& program, const LoopOp& op) {
    return op.write.buffer == kNoBuffer ? op.op : program.buffers[op.write.buffer].name;
}

BufferUses::BufferUses(const LoopProgram& program)
    : m_uses(program.buffers.size())
    , m_producers(program.buffers.size(), SIZE_MAX)
    , m_isMutated(program.buffers.size(), false) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const LoopOp& op = program.ops[i];
        for (const Access& read : op.reads)
            if (read.buffer != kNoBuffer)
                m_uses[read.buffer].push_back({i, &read, false});
        for (BufferIndex other : op.otherWrites)
            if (m_producers[other] == SIZE_MAX)
                m_producers[other] = i;
        if (op.write.buffer == kNoBuffer)
            continue;
        if (op.isMutation) {
            m_isMutated[op.write.buffer] = true;
            continue;
        }
        m_uses[op.write.buffer].push_back({i, &op.write, true});
        if (m_producers[op.write.buffer] == SIZE_MAX)
            m_producers[op.write.buffer] = i;
    }
}

std::vector<std::size_t> BufferUses::ops(BufferIndex buffer) const {
    std::vector<std::size_t> ops;
    for (const BufferUse& use : m_uses[buffer])
        if (ops.empty() || ops.back() != use.op)
            ops.push_back(use.op);
    return ops;
}

Agreement agreementOn(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer,
    std::int64_t availableCores) {
    Agreement result;
    const auto& users = uses.of(buffer);
    if (availableCores <= 1 || users.empty())
        return result;
    if (users.size() == 1) {
        result.cores = program.ops[users.front().op].cores;
        result.view = coreView(
            program, program.ops[users.front().op], *users.front().access, LoopOrder::Planned);
        return result;
    }
    std::optional<std::int64_t> writerCores;
    const LoopOp* first = nullptr;
    for (const BufferUse& use : users) {
        const LoopOp& op = program.ops[use.op];
        const CoreView view = coreView(program, op, *use.access, LoopOrder::Planned);
        result.cores = first ? std::max(result.cores, op.cores) : op.cores;
        if (!first) {
            first = &op;
            result.view = view;
        }
        if (use.isWrite) {
            writerCores = op.cores;
            if (view.hasPartialSums) {
                result.mismatch = displayName(program, op)
                    + " splits the reduced dimension, so only some cores hold the final sums.";
                return result;
            }
        } else if (view.cores() != op.cores) {
            result.mismatch = displayName(program, op) + " reads it on " + std::to_string(op.cores)
                + " cores, but its slices of it cover only " + std::to_string(view.cores())
                + ": the other cores would find nothing in their LX.";
            return result;
        }
        if (!view.isSameCut(result.view)) {
            result.mismatch = "Cores own different slices of it: " + displayName(program, *first)
                + " has " + result.view.text() + ", " + displayName(program, op) + " has "
                + view.text() + '.';
            return result;
        }
    }
    if (writerCores)
        result.cores = *writerCores;
    return result;
}

std::string barOnBuffer(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer,
    const Agreement& agreement, const LxSettings& settings, bool isRelayoutSource) {
    const Buffer& value = program.buffers[buffer];
    const std::size_t producer = uses.producer(buffer);
    if (producer != SIZE_MAX && program.ops[producer].kind == LoopKind::Alloc)
        return std::string(kWrittenInParts);
    if (producer == SIZE_MAX || !isDeviceLoop(program.ops[producer])
        || value.layout.deviceSize.empty())
        return "No operation on the device makes it.";
    const std::string_view name = residencyName(program.ops[producer]);
    if (!isRelayoutSource
        && !(settings.isAugust ? isOneOf(name, kAugustList) : isOneOf(name, kJuneList)))
        return "Results of " + std::string(name.empty() ? program.ops[producer].op : name)
            + " are not on the compiler's list of what may stay in LX.";
    if (uses.isMutated(buffer))
        return std::string(kWrittenInParts);
    if (std::string bar = barByRestickify(program, uses, buffer); !bar.empty())
        return bar;
    const auto ops = uses.ops(buffer);
    if (std::string bar = barByHost(program, ops); !bar.empty())
        return bar;
    if (std::string bar = barByGather(program, uses, buffer); !bar.empty())
        return bar;
    if (value.isOutput && !settings.isAugust)
        return "It leaves the graph.";
    if (value.isOutputThroughView)
        return "It leaves the graph through a view, so no copy out of LX can take its place.";
    if (std::string bar = barByPartialRead(program, uses, buffer); !bar.empty())
        return bar;
    if (!agreement.mismatch.empty())
        return agreement.mismatch;
    if (ops.size() < 2)
        return value.isOutput ? "It leaves the graph, and no later operation reads it."
                              : "No later operation reads it.";
    return barByBackGap(program, uses, buffer);
}

std::string barOnInput(const LoopProgram& program, const BufferUses& uses, BufferIndex buffer,
    const Agreement& agreement, const LxSettings& settings) {
    const auto ops = uses.ops(buffer);
    if (!settings.isAugust)
        return "It is an argument of the kernel.";
    if (program.buffers[buffer].layout.deviceSize.empty())
        return "It has no layout on the device.";
    if (ops.size() < 2)
        return "One operation reads it: a copy into LX would save nothing.";
    if (std::string bar = barByGather(program, uses, buffer); !bar.empty())
        return bar;
    if (std::string bar = barByHost(program, ops); !bar.empty())
        return bar;
    if (std::string bar = barByPartialRead(program, uses, buffer); !bar.empty())
        return bar;
    if (std::string bar = barByRestickify(program, uses, buffer); !bar.empty())
        return bar;
    if (!agreement.mismatch.empty())
        return agreement.mismatch;
    return barByBackGap(program, uses, buffer);
}

bool mayWriteOver(const LoopOp& op, const Access& read, bool isAugust) {
    if (op.kind != LoopKind::Pointwise && op.kind != LoopKind::Restickify)
        return false;
    if (!isAugust)
        return isOneOf(op.atenName(), kJuneInPlace);
    const std::string_view name = residencyName(op);
    const bool isTagged = name == op.atenName() && !op.aten.empty()
        && op.aten.front().starts_with("aten.") && !isOneOf(name, kUntagged);
    return isTagged || read.index == op.write.index;
}

} // namespace fivefold::families::spyre
