// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/graph.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fivefold::frontends::onnx {

/// The value names of one block. Inner names hide outer ones. A name may be defined more than once
/// (bad files); the definition that stands last before the reader counts.
class NameTable {
public:
    /// Position of block inputs and initialisers: before every node.
    static constexpr int kBeforeNodes = -1;

    /// parent: the enclosing block's names; null for the main graph and for function bodies.
    explicit NameTable(const NameTable* parent = nullptr)
        : m_parent(parent) { }

    void reserve(std::size_t names) { m_definitions.reserve(names); }
    /// Definitions of one name come in the order of their positions. The name's characters must
    /// outlive the table. An invalid id is a formal input that the caller left out. False when this
    /// block has the name already.
    bool define(std::string_view name, ir::ValueId value, int position);
    /// From here on, look-ups stand at this node of the block.
    void setPosition(int position) { m_position = position; }
    /// The value that a reader at the current position sees: this block's, else an enclosing
    /// block's, else one that is only defined later (unsorted files). Nullopt when nothing has the
    /// name.
    std::optional<ir::ValueId> find(std::string_view name) const;
    /// True when this block itself has the name.
    bool hasOwn(std::string_view name) const { return m_definitions.contains(name); }

private:
    struct Definition {
        ir::ValueId value;
        int position = kBeforeNodes;
    };
    struct Entry {
        Definition first;
        std::vector<Definition> later; ///< only in bad files
    };

    const NameTable* m_parent;
    int m_position = 0;
    std::unordered_map<std::string_view, Entry> m_definitions;
};

} // namespace fivefold::frontends::onnx
