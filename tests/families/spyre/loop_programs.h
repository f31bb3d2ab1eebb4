// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"

#include <string>

/// Small loop programs over fp16 matrices in the default layout, 64 elements a stick.
namespace fivefold::families::spyre::test {

class ProgramBuilder {
public:
    /// Rows × columns, row-major; sticks run along the columns.
    BufferIndex matrix(const std::string& name, std::int64_t rows, std::int64_t columns) {
        Buffer buffer;
        buffer.name = name;
        buffer.shape = {rows, columns};
        buffer.strides = {columns, 1};
        buffer.layout.deviceSize = {(columns + 63) / 64, rows, 64};
        buffer.layout.strideMap = {64, columns, 1};
        return add(buffer);
    }
    /// One value a row, one element a stick: what a reduction along the stick leaves.
    BufferIndex column(const std::string& name, std::int64_t rows) {
        Buffer buffer;
        buffer.name = name;
        buffer.shape = {rows, 1};
        buffer.strides = {1, 1};
        buffer.layout.deviceSize = {1, rows, 64};
        buffer.layout.strideMap = {-1, 1, -1};
        return add(buffer);
    }
    BufferIndex input(BufferIndex buffer) {
        program.buffers[buffer].role = BufferRole::Input;
        program.inputs.push_back(buffer);
        return buffer;
    }
    void output(BufferIndex buffer) {
        program.buffers[buffer].isOutput = true;
        program.outputs.push_back(buffer);
    }

    /// out = f(operands…) with rows and columns split over the cores; columns are broadcast.
    LoopOp& pointwise(const std::string& aten, BufferIndex out, std::vector<BufferIndex> operands,
        std::int64_t rowSplit, std::int64_t columnSplit = 1) {
        LoopOp op = start(aten, LoopKind::Pointwise);
        const Buffer& to = program.buffers[out];
        op.loops = {loop(to.shape[0], rowSplit), loop(to.shape[1], columnSplit)};
        for (BufferIndex operand : operands)
            op.reads.push_back({operand, rowMajor(operand), -1});
        op.write = {out, rowMajor(out), -1};
        return finish(std::move(op));
    }
    /// One value a row.
    LoopOp& reduce(
        const std::string& aten, BufferIndex out, BufferIndex in, std::int64_t rowSplit) {
        LoopOp op = start(aten, LoopKind::Reduction);
        const Buffer& from = program.buffers[in];
        op.loops = {loop(from.shape[0], rowSplit), loop(from.shape[1], 1, true)};
        op.reads = {{in, rowMajor(in), -1}};
        op.write = {out, Index::of(0), -1};
        return finish(std::move(op));
    }
    /// out[m,n] = a[m,k] · b[k,n].
    LoopOp& product(BufferIndex out, BufferIndex a, BufferIndex b, std::int64_t m, std::int64_t n,
        std::int64_t k = 1) {
        LoopOp op = start("aten.mm.default", LoopKind::Reduction);
        op.op = "batchmatmul";
        const std::int64_t inner = program.buffers[a].shape[1];
        const std::int64_t columns = program.buffers[b].shape[1];
        op.loops = {loop(program.buffers[a].shape[0], m), loop(columns, n), loop(inner, k, true)};
        op.reads = {{a, Index::of(0, inner) + Index::of(2), -1},
            {b, Index::of(2, columns) + Index::of(1), -1}};
        op.write = {out, rowMajor(out), -1};
        return finish(std::move(op));
    }
    LoopOp& host(const std::string& aten, BufferIndex out, BufferIndex in) {
        LoopOp op = start(aten, LoopKind::Fallback);
        op.reads = {{in, {}, -1}};
        op.write = {out, {}, -1};
        return finish(std::move(op));
    }
    LoopOp& allocation(const std::string& aten, BufferIndex out) {
        LoopOp op = start(aten, LoopKind::Alloc);
        op.write = {out, {}, -1};
        return finish(std::move(op));
    }

    Index rowMajor(BufferIndex buffer) const {
        const auto& strides = program.buffers[buffer].strides;
        Index index = Index::of(0, strides[0]);
        if (program.buffers[buffer].shape[1] > 1)
            index += Index::of(1, strides[1]);
        return index;
    }

    LoopProgram program;

private:
    BufferIndex add(Buffer buffer) {
        program.buffers.push_back(std::move(buffer));
        return program.buffers.size() - 1;
    }
    static Loop loop(std::int64_t extent, std::int64_t split, bool isReduced = false) {
        Loop loop;
        loop.extent = extent;
        loop.split = split;
        loop.isReduced = isReduced;
        return loop;
    }
    static LoopOp start(const std::string& aten, LoopKind kind) {
        LoopOp op;
        op.op = aten;
        op.kind = kind;
        op.aten = {aten};
        return op;
    }
    LoopOp& finish(LoopOp op) {
        for (std::size_t i = 0; i < op.loops.size(); ++i) {
            op.emitted.push_back(static_cast<int>(i));
            op.cores *= op.loops[i].split;
        }
        program.ops.push_back(std::move(op));
        return program.ops.back();
    }
};

} // namespace fivefold::families::spyre::test
