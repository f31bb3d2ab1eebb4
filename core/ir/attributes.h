// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/tensor_data.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fivefold::ir {

/// An attribute value. Graph attributes are not here: they are the node's blocks.
using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
    std::vector<double>, std::vector<std::string>, TensorId, std::vector<TensorId>>;

/// Attributes of one node in file order. Look-up is linear: nodes have few.
class Attributes {
public:
    void set(std::string name, AttributeValue value);
    const AttributeValue* find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }

    /// The value if it is there and of that type, else the fallback.
    std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    double number(std::string_view name, double fallback) const;
    std::string text(std::string_view name, std::string fallback = {}) const;
    std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
    std::optional<std::vector<double>> numbers(std::string_view name) const;
    std::optional<TensorId> tensor(std::string_view name) const;

    auto begin() const { return m_items.begin(); }
    auto end() const { return m_items.end(); }
    std::size_t size() const { return m_items.size(); }

private:
    std::vector<std::pair<std::string, AttributeValue>> m_items;
};

/// "[1, 1]", "0.125", "\"SAME_UPPER\"": for tables and tool tips; long lists are cut with a count.
std::string toText(const AttributeValue& value);

} // namespace fivefold::ir
