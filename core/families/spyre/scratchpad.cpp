// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/scratchpad.h"

#include "core/lowering/tiling.h"

#include <algorithm>
#include <cmath>

namespace fivefold::families::spyre {

using lowering::roundUp;

namespace {

struct Block {
    std::int64_t address = 0, end = 0; ///< bytes, end exclusive
    std::int64_t last = 0; ///< tick of the last read
    std::size_t request = 0;
};

/// Blocks in use, kept sorted by address.
class Plan {
public:
    explicit Plan(std::int64_t capacity)
        : m_capacity(capacity) { }

    void releaseBefore(std::int64_t tick) {
        std::erase_if(m_blocks, [tick](const Block& block) { return block.last < tick; });
    }

    std::optional<std::int64_t> place(std::size_t index, const LxRequest& request) {
        const std::int64_t size = roundUp(std::max<std::int64_t>(1, request.bytes), kLxAlignment);
        if (auto address = takeOver(index, request, size))
            return address;
        std::int64_t address = 0;
        if (!m_blocks.empty() && m_blocks.front().address < size) {
            address = roundUp(m_blocks.back().end, kLxAlignment);
            if (address > m_capacity - size) {
                const auto gap = firstGap(size);
                if (!gap)
                    return std::nullopt;
                address = *gap;
            }
        }
        if (size > m_capacity || address > m_capacity - size)
            return std::nullopt;
        insert({address, address + size, request.last, index});
        return address;
    }

private:
    std::optional<std::int64_t> takeOver(
        std::size_t index, const LxRequest& request, std::int64_t size) {
        for (std::size_t parent : request.inPlaceParents)
            for (Block& block : m_blocks)
                if (block.request == parent && block.last == request.first
                    && block.end - block.address >= size) {
                    block.request = index;
                    block.last = request.last;
                    return block.address;
                }
        return std::nullopt;
    }

    std::optional<std::int64_t> firstGap(std::int64_t size) const {
        std::int64_t from = 0;
        for (const Block& block : m_blocks) {
            if (block.address - from >= size)
                return from;
            from = std::max(from, roundUp(block.end, kLxAlignment));
        }
        return std::nullopt;
    }

    void insert(Block block) {
        m_blocks.insert(
            std::ranges::upper_bound(m_blocks, block.address, {}, &Block::address), block);
    }

    std::int64_t m_capacity;
    std::vector<Block> m_blocks;
};

} // namespace

std::int64_t usableLxBytes(std::int64_t lxBytes, double backendShare) {
    constexpr std::int64_t kReserved = 64 * 1024; ///< kept by the runtime
    if (lxBytes <= kReserved)
        return 0;
    const double usable = static_cast<double>(lxBytes - kReserved) * (1 - backendShare);
    return roundUp(static_cast<std::int64_t>(usable), kLxAlignment);
}

std::vector<std::optional<std::int64_t>> planLx(
    const std::vector<LxRequest>& requests, std::int64_t capacity) {
    std::vector<std::optional<std::int64_t>> out(requests.size());
    Plan plan(capacity);
    std::int64_t now = requests.empty() ? 0 : requests.front().first;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        now = std::max(now, requests[i].first);
        plan.releaseBefore(now);
        out[i] = plan.place(i, requests[i]);
    }
    return out;
}

} // namespace fivefold::families::spyre
