// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/groq/partition.h"

#include "core/lowering/tiling.h"

#include <algorithm>

namespace fivefold::families::groq {

using lowering::KernelId;
using lowering::NodeId;
using lowering::StageGraph;
using lowering::Value;
using lowering::ValueId;
using lowering::ValueRole;

namespace {

constexpr std::int64_t kMostPieces = 1 << 20; ///< of one model; beyond it a tensor is one piece

class Filler {
public:
    Filler(const StageGraph& graph, const Chip& chip, std::int64_t room)
        : m_graph(graph)
        , m_lanes(chip.lanes)
        , m_room(std::max(chip.lanes, room)) { }

    void run(Partition& out) {
        std::vector<bool> isPlaced(m_graph.values.size(), false);
        for (std::size_t k = 0; k < m_graph.kernels.size(); ++k) {
            for (NodeId node : m_graph.kernels[KernelId(k)].nodes)
                for (ValueId input : m_graph.nodes[node].inputs)
                    if (input.isValid() && !isPlaced[input.index()]) {
                        isPlaced[input.index()] = true;
                        add(input, out);
                    }
            out.chipOf[KernelId(k)] = m_chip;
        }
        out.chips = m_chip + 1;
    }

private:
    void add(ValueId id, Partition& out) {
        const Value& value = m_graph.values[id];
        const auto bytes = value.deviceBytes();
        if ((value.role != ValueRole::Weight && value.role != ValueRole::Constant) || !bytes
            || bytes->value <= 0)
            return;
        std::int64_t left = lowering::roundUp(bytes->value, m_lanes);
        out.weightBytes = lowering::saturatingAdd(out.weightBytes, left);
        while (left > 0) {
            if (m_used >= m_room) {
                ++m_chip;
                m_used = 0;
            }
            const bool isCut = static_cast<std::int64_t>(out.pieces.size()) < kMostPieces;
            const std::int64_t here = isCut ? std::min(left, m_room - m_used) : left;
            out.pieces.push_back({id, m_chip, m_used, here});
            m_used += here;
            left -= here;
        }
    }

    const StageGraph& m_graph;
    std::int64_t m_lanes, m_room;
    std::int64_t m_chip = 0, m_used = 0;
};

} // namespace

Partition partition(const StageGraph& graph, const Chip& chip, std::int64_t activationBytes) {
    Partition out;
    out.chipOf.resize(graph.kernels.size());
    const std::int64_t reserved = std::min(lowering::roundUp(activationBytes, chip.lanes),
        lowering::roundUp(chip.sramBytes / 2, chip.lanes));
    const std::int64_t room = (chip.sramBytes - reserved) / chip.lanes * chip.lanes;
    Filler(graph, chip, room).run(out);
    out.activationBase =
        out.chips > 1 ? room : std::min(room, lowering::roundUp(out.weightBytes, chip.lanes));
    return out;
}

} // namespace fivefold::families::groq
