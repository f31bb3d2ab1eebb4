// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/fx/syntax.h"

namespace fivefold::frontends::fx {

struct Token {
    enum class Kind : std::uint8_t {
        Name,
        Integer,
        Number,
        String,
        Symbol,
        Comment,
        Newline,
        End,
        Bad
    };
    Kind kind = Kind::End;
    std::string text; ///< of a string: its contents; of a comment: what follows "#"; Bad: why
    std::int64_t integer = 0;
    double number = 0;
    Position at;

    bool isSymbol(std::string_view s) const { return kind == Kind::Symbol && text == s; }
    bool isName(std::string_view s) const { return kind == Kind::Name && text == s; }
};

/// Cuts text into tokens, one at a time. Line ends inside brackets are no tokens.
class Lexer {
public:
    explicit Lexer(std::string_view text)
        : m_text(text) { }

    Token next();
    /// The raw text up to (not including) `stop` in the same line, for a class's name; nullopt when
    /// the line ends before.
    std::optional<std::string> until(char stop);
    /// Leaves all brackets: for what follows an annotation that is not understood.
    int depth() const { return m_depth; }

private:
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    void advance(std::size_t count = 1);
    bool skipBlanks();
    Token number(Token token);
    Token string(Token token);
    Token object(Token token);
    Token symbol(Token token);

    std::string_view m_text;
    std::size_t m_at = 0;
    Position m_position;
    int m_depth = 0;
    bool m_isOperandNext = true; ///< "<" begins an object's text rather than a comparison
};

} // namespace fivefold::frontends::fx
