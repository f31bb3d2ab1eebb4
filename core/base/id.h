// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace fivefold::base {

/// An index into one particular vector, typed by a tag so that indices of different tables do not mix.
/// A default-constructed id is invalid and stands for "none" (an omitted optional input, for instance).
template<typename Tag>
struct Id {
    static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t index)
        : value(static_cast<std::uint32_t>(index)) { }

    constexpr bool isValid() const { return value != kInvalid; }
    constexpr explicit operator bool() const { return isValid(); }
    constexpr std::size_t index() const { return value; }
    constexpr auto operator<=>(const Id&) const = default;
};

/// A vector indexed by its own id type only.
template<typename IdType, typename T>
class IdVector {
public:
    IdVector() = default;
    explicit IdVector(std::size_t size, const T& value = T())
        : m_items(size, value) { }

    IdType add(T item) {
        m_items.push_back(std::move(item));
        return IdType(m_items.size() - 1);
    }

    decltype(auto) operator[](IdType id) { return m_items[id.index()]; }
    decltype(auto) operator[](IdType id) const { return m_items[id.index()]; }
    bool contains(IdType id) const { return id.isValid() && id.index() < m_items.size(); }
    std::size_t size() const { return m_items.size(); }
    bool empty() const { return m_items.empty(); }
    void reserve(std::size_t size) { m_items.reserve(size); }
    void resize(std::size_t size) { m_items.resize(size); }
    void assign(std::size_t size, const T& value) { m_items.assign(size, value); }
    auto begin() { return m_items.begin(); }
    auto end() { return m_items.end(); }
    auto begin() const { return m_items.begin(); }
    auto end() const { return m_items.end(); }
    std::vector<T>& raw() { return m_items; }
    const std::vector<T>& raw() const { return m_items; }

    bool operator==(const IdVector&) const = default;

private:
    std::vector<T> m_items;
};

} // namespace fivefold::base

template<typename Tag>
struct std::hash<fivefold::base::Id<Tag>> {
    std::size_t operator()(fivefold::base::Id<Tag> id) const noexcept { return id.value; }
};
