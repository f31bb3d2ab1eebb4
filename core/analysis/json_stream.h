// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <ostream>
#include <string_view>

namespace fivefold::analysis {

using Json = nlohmann::ordered_json;

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
