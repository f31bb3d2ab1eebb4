// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fivefold::base {

/// A place in a parsed JSON document, for strict reading: every access that fails says which path
/// of the document was wrong ("/memories/0/capacity") and what was expected there. Cheap to copy;
/// the document lives as long as any place in it. Never throws.
class Json {
public:
    /// Parses a whole text. Refuses trailing text, repeated keys, numbers beyond double and nesting
    /// beyond 200 levels. `where` names the file in errors.
    static Result<Json> parse(std::string_view text, std::string_view where);

    bool isNull() const;
    bool isObject() const;
    bool isArray() const;
    bool isString() const;
    bool isNumber() const;
    bool isBoolean() const;

    Result<double> number() const;
    Result<std::int64_t> integer() const; ///< a number without a fraction, within int64
    Result<bool> boolean() const;
    Result<std::string> string() const;
    Result<std::vector<Json>> items() const; ///< of an array
    /// Keys and values of an object, in alphabetical order of the keys.
    Result<std::vector<std::pair<std::string, Json>>> members() const;

    /// The value under a key; nullopt where there is none or this is not an object.
    std::optional<Json> find(std::string_view key) const;
    /// As find, an Error where there is none.
    Result<Json> at(std::string_view key) const;
    /// An Error that names the first key that is not among `known`, or that this is not an object.
    Result<Done> checkKeys(std::initializer_list<std::string_view> known) const;

    const std::string& path() const { return m_path; } ///< JSON pointer; "" is the whole document
    /// An Error at this place: `message` is what is wrong and what would mend it.
    Error error(std::string message) const;

private:
    struct Document;
    Json(std::shared_ptr<const Document> document, const void* node, std::string path)
        : m_document(std::move(document))
        , m_node(node)
        , m_path(std::move(path)) { }

    std::shared_ptr<const Document> m_document;
    const void* m_node; ///< a node of the document
    std::string m_path;
};

/// `text` as a JSON string literal, quotes included; bytes that are not UTF-8 become U+FFFD.
std::string jsonString(std::string_view text);

} // namespace fivefold::base
