// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

namespace fivefold::analysis {

using Json = nlohmann::ordered_json;

/// A count that is computed in double, as the integer that it is; as a double where it has a
/// fraction or exceeds int64, and null where it is unknown or not finite.
inline Json countJson(const std::optional<double>& count) {
    constexpr double kBeyondInt64 = 9223372036854775808.0; // 2⁶³
    if (!count || !std::isfinite(*count))
        return nullptr;
    if (*count == std::floor(*count) && std::abs(*count) < kBeyondInt64)
        return static_cast<std::int64_t>(*count);
    return *count;
}

/// Writes the outer objects and arrays of a large document piece by piece; the pieces are nlohmann
/// values, so that escaping and numbers are the library's. One piece a line. The library has no
/// streaming writer, and a document of a large graph as one tree takes ten times its size in
/// memory.
class JsonStream {
public:
    explicit JsonStream(std::ostream& out)
        : m_out(out) { }

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    void key(std::string_view name) {
        separate();
        m_out << Json(name).dump() << ": ";
        m_isFirst = true;
    }
    void value(const Json& json) {
        separate();
        m_out << json.dump(-1, ' ', false, Json::error_handler_t::replace);
        m_isFirst = false;
    }
    void member(std::string_view name, const Json& json) {
        key(name);
        value(json);
    }
    /// An array of `count` pieces made one at a time.
    template <typename Make> void array(std::string_view name, std::size_t count, Make make) {
        key(name);
        beginArray();
        for (std::size_t i = 0; i < count; ++i)
            value(make(i));
        endArray();
    }

private:
    void separate() {
        if (!m_isFirst)
            m_out << ",\n";
        m_isFirst = false;
    }
    void open(char bracket) {
        separate();
        m_out << bracket;
        m_isFirst = true;
    }
    void close(char bracket) {
        m_out << bracket;
        m_isFirst = false;
    }

    std::ostream& m_out;
    bool m_isFirst = true;
};

} // namespace fivefold::analysis
