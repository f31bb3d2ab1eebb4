// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/attributes.h"

#include <charconv>
#include <type_traits>

namespace fivefold::ir {

namespace {

/// Longest list that is written out; the rest becomes a count.
constexpr std::size_t kListedItems = 16;
constexpr std::size_t kListedCharacters = 200;

std::string text(std::int64_t value) {
    return std::to_string(value);
}

std::string text(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string text(const std::string& value) {
    if (value.size() <= kListedCharacters)
        return '"' + value + '"';
    return '"' + value.substr(0, kListedCharacters) + "…\" (" + std::to_string(value.size())
        + " bytes)";
}

std::string text(TensorId id) {
    return id.isValid() ? "tensor " + std::to_string(id.index()) : "no tensor";
}

template <typename T> std::string text(const std::vector<T>& items) {
    std::string result = "[";
    for (std::size_t i = 0; i < items.size() && i < kListedItems; ++i)
        result += (i ? ", " : "") + text(items[i]);
    if (items.size() > kListedItems)
        result += ", … (" + std::to_string(items.size()) + " items)";
    return result + ']';
}

} // namespace

void Attributes::set(std::string name, AttributeValue value) {
    for (auto& [key, held] : m_items) {
        if (key == name) {
            held = std::move(value);
            return;
        }
    }
    m_items.emplace_back(std::move(name), std::move(value));
}

const AttributeValue* Attributes::find(std::string_view name) const {
    for (const auto& [key, value] : m_items)
        if (key == name)
            return &value;
    return nullptr;
}

std::int64_t Attributes::integer(std::string_view name, std::int64_t fallback) const {
    const AttributeValue* value = find(name);
    const auto* held = value ? std::get_if<std::int64_t>(value) : nullptr;
    return held ? *held : fallback;
}

double Attributes::number(std::string_view name, double fallback) const {
    const AttributeValue* value = find(name);
    if (!value)
        return fallback;
    if (const auto* held = std::get_if<double>(value))
        return *held;
    if (const auto* held = std::get_if<std::int64_t>(value))
        return static_cast<double>(*held);
    return fallback;
}

std::string Attributes::text(std::string_view name, std::string fallback) const {
    const AttributeValue* value = find(name);
    const auto* held = value ? std::get_if<std::string>(value) : nullptr;
    return held ? *held : std::move(fallback);
}

std::optional<std::vector<std::int64_t>> Attributes::integers(std::string_view name) const {
    const AttributeValue* value = find(name);
    const auto* held = value ? std::get_if<std::vector<std::int64_t>>(value) : nullptr;
    return held ? std::optional(*held) : std::nullopt;
}

std::optional<std::vector<double>> Attributes::numbers(std::string_view name) const {
    const AttributeValue* value = find(name);
    const auto* held = value ? std::get_if<std::vector<double>>(value) : nullptr;
    return held ? std::optional(*held) : std::nullopt;
}

std::optional<TensorId> Attributes::tensor(std::string_view name) const {
    const AttributeValue* value = find(name);
    const auto* held = value ? std::get_if<TensorId>(value) : nullptr;
    return held ? std::optional(*held) : std::nullopt;
}

std::string toText(const AttributeValue& value) {
    return std::visit([](const auto& held) { return text(held); }, value);
}

} // namespace fivefold::ir
