// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/byte_source.h"

#include <string_view>

namespace fivefold::compare::dumps {

/// A JSON value with its members in the order of the file. Long texts stay in the file.
struct JsonNode {
    enum class Kind : std::uint8_t { Null, Boolean, Integer, Real, Text, LongText, Array, Object };
    Kind kind = Kind::Null;
    bool boolean = false;
    union {
        std::int64_t integer = 0;
        double real;
        std::uint64_t begin; ///< LongText: of the literal in the source, the quote included
    };
    std::uint64_t end = 0; ///< LongText: behind the closing quote
    std::string key; ///< of a member of an object
    std::string text;
    std::vector<JsonNode> items; ///< of an array or an object

    bool isObject() const { return kind == Kind::Object; }
    bool isArray() const { return kind == Kind::Array; }
    bool isText() const { return kind == Kind::Text; }
    const JsonNode* find(std::string_view name) const; ///< null where there is none
    std::optional<std::string> textAt(std::string_view name) const;
    /// A number; NaN and infinities as Python writes them (bare or as text) included.
    std::optional<double> number() const;
};

struct JsonRules {
    std::int64_t depth = 64;
    std::uint64_t longText = 512; ///< bytes of a text from which on it stays in the file
    std::uint64_t nodes = 4'000'000;
    bool allowsNaN = true; ///< bare NaN, Infinity and -Infinity
};

/// Parses a source piece by piece. Refuses invalid JSON, keys that occur twice in an object and
/// what is beyond the rules.
base::Result<JsonNode> readJson(const ByteSource& source, const JsonRules& rules);

/// The contents of a text in either form, escapes undone.
base::Result<std::string> wholeText(const JsonNode& node, const ByteSource& source);

} // namespace fivefold::compare::dumps
