// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/loops.h"

#include <algorithm>

namespace fivefold::families::spyre {

std::int64_t DeviceLayout::elements() const {
    std::int64_t n = 1;
    for (const std::int64_t d : deviceSize)
        n *= d;
    return n;
}

std::int64_t DeviceLayout::bytes() const {
    constexpr std::int64_t kStickBytes = 128;
    std::int64_t sticks = kStickBytes;
    for (std::size_t d = 0; d + 1 < deviceSize.size(); ++d)
        sticks *= deviceSize[d];
    return sticks;
}

bool LoopOp::isGather() const {
    return std::ranges::any_of(reads, [](const Access& a) { return a.indirectVariable >= 0; });
}

std::vector<std::int64_t> LoopOp::extents() const {
    std::vector<std::int64_t> out;
    out.reserve(loops.size());
    for (const Loop& loop : loops)
        out.push_back(loop.extent);
    return out;
}

std::string_view LoopOp::atenName() const {
    if (aten.empty())
        return {};
    std::string_view name = aten.front();
    if (const auto dot = name.find('.'); dot != std::string_view::npos)
        name.remove_prefix(dot + 1);
    if (const auto dot = name.find('.'); dot != std::string_view::npos)
        name = name.substr(0, dot);
    return name;
}

std::vector<Access> LoopOp::operands(const std::vector<Buffer>& buffers) const {
    std::vector<Access> out;
    for (const Access& read : reads)
        if (read.buffer != kNoBuffer && buffers[read.buffer].role != BufferRole::Constant
            && std::ranges::find(out, read) == out.end())
            out.push_back(read);
    return out;
}

std::string_view toString(Arrangement arrangement) {
    switch (arrangement) {
    case Arrangement::Standard:
        return "STANDARD";
    case Arrangement::Dl16ToFp32:
        return "DL16_TO_FP32";
    case Arrangement::Fp32ToDl16:
        return "FP32_TO_DL16";
    case Arrangement::Exx2:
        return "EXX2";
    case Arrangement::Qfp8ch:
        return "QFP8CH";
    }
    return "STANDARD";
}

std::string_view toString(MemorySpace space) {
    switch (space) {
    case MemorySpace::Unplaced:
        return "";
    case MemorySpace::Lx:
        return "lx";
    case MemorySpace::HbmPool:
        return "hbm_pool";
    case MemorySpace::Hbm:
        return "hbm";
    }
    return "";
}

std::string_view toString(LoopKind kind) {
    switch (kind) {
    case LoopKind::Pointwise:
        return "pointwise";
    case LoopKind::Reduction:
        return "reduction";
    case LoopKind::Restickify:
        return "restickify";
    case LoopKind::Fallback:
        return "fallback";
    case LoopKind::Constant:
        return "constant";
    case LoopKind::Alloc:
        return "alloc";
    }
    return "";
}

} // namespace fivefold::families::spyre
