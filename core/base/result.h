// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace fivefold::base {

enum class ErrorCode {
    Cancelled, ///< the caller asked to stop; never shown as a failure
    NotFound, ///< a file or a named thing does not exist
    Unreadable, ///< the file exists and cannot be read
    Malformed, ///< the content breaks its own format
    Unsupported, ///< valid, and beyond what is implemented
    Limit, ///< valid, and beyond a stated limit (size, depth, memory)
    InvalidArgument, ///< the request itself is wrong
    Refused, ///< valid, and not done for safety (paths outside the model's folder)
};

/// Why something could not be done. `message` is one sentence: what failed, on what, and what would
/// mend it; `where` names the place (a file, a byte offset, a node) and may be empty.
struct Error {
    ErrorCode code = ErrorCode::Malformed;
    std::string message;
    std::string where;

    /// "where: message", or the message alone.
    std::string text() const { return where.empty() ? message : where + ": " + message; }
    bool operator==(const Error&) const = default;
};

/// Either a value or an Error. There are no exceptions between the folders of core.
template<typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value)) { }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error)) { }

    bool isOk() const { return m_state.index() == 0; }
    explicit operator bool() const { return isOk(); }

    T& value() & {
        assert(isOk());
        return std::get<0>(m_state);
    }
    const T& value() const& {
        assert(isOk());
        return std::get<0>(m_state);
    }
    T&& value() && {
        assert(isOk());
        return std::get<0>(std::move(m_state));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const {
        assert(!isOk());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// The result of something that yields nothing but may fail.
struct Done {
    bool operator==(const Done&) const = default;
};

} // namespace fivefold::base
