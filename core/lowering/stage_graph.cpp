// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/stage_graph.h"

#include "core/lowering/work.h"

#include <limits>

namespace fivefold::lowering {

namespace {

/// FNV-1a, 64 bit (Fowler, Noll, Vo), fed with whole numbers and strings.
class Hash {
public:
    void add(std::uint64_t number) {
        for (int i = 0; i < 8; ++i)
            byte(static_cast<std::uint8_t>(number >> (8 * i)));
    }
    void add(std::string_view text) {
        for (const char c : text)
            byte(static_cast<std::uint8_t>(c));
        byte(0);
    }
    std::size_t value() const { return static_cast<std::size_t>(m_state); }

private:
    void byte(std::uint8_t b) { m_state = (m_state ^ b) * 0x100000001b3ULL; }
    std::uint64_t m_state = 0xcbf29ce484222325ULL;
};

} // namespace

std::optional<base::Bytes> Value::bytes() const {
    const auto count = elements(shape);
    const int bits = ir::bitWidth(dtype);
    if (!count || bits == 0 || *count > std::numeric_limits<std::int64_t>::max() / bits - 8)
        return std::nullopt;
    return base::Bytes(ir::packedBytes(dtype, *count));
}

std::optional<base::Bytes> Value::deviceBytes() const {
    return layout ? std::optional(base::Bytes(layout::deviceBytes(*layout))) : bytes();
}

std::size_t StageGraph::structuralHash() const {
    // Values are numbered by first appearance, so that ids do not matter.
    std::vector<std::uint64_t> number(values.size(), 0);
    std::uint64_t next = 0;
    Hash hash;
    const auto addValue = [&](ValueId id) {
        if (!values.contains(id)) {
            hash.add(0);
            return;
        }
        std::uint64_t& n = number[id.index()];
        if (n == 0)
            n = ++next;
        hash.add(n);
    };
    for (const ValueId id : inputs)
        addValue(id);
    for (const Node& node : nodes) {
        hash.add(static_cast<std::uint64_t>(node.canonical));
        hash.add(std::string_view(node.op));
        hash.add(node.kernel.value);
        hash.add(node.inputs.size());
        for (const ValueId id : node.inputs)
            addValue(id);
        hash.add(node.outputs.size());
        for (const ValueId id : node.outputs)
            addValue(id);
    }
    for (const ValueId id : outputs)
        addValue(id);
    return hash.value();
}

} // namespace fivefold::lowering
