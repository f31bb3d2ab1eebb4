// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/lexer.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace fivefold::frontends::fx {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}
bool isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
}

/// Longest first.
constexpr std::array<std::string_view, 44> kSymbols = {"...", "**=", "//=", "<<=", ">>=", "**",
    "//", "<<", ">>", "<=", ">=", "==", "!=", "->",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=", "(", ")", "[", "]", "{", "}", ",",
    ":", ";", "=", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~"};

} // namespace

void Lexer::advance(std::size_t count) {
    for (std::size_t i = 0; i < count && m_at < m_text.size(); ++i, ++m_at) {
        if (m_text[m_at] == '\n') {
            ++m_position.line;
            m_position.column = 1;
        } else {
            ++m_position.column;
        }
    }
}

/// True when a line end was passed that matters.
bool Lexer::skipBlanks() {
    while (m_at < m_text.size()) {
        const char c = peek();
        if (c == '\n' && m_depth == 0)
            return true;
        if (c == '\\' && peek(1) == '\n')
            advance(2);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f')
            advance();
        else
            return false;
    }
    return false;
}

Token Lexer::next() {
    const bool isLineEnd = skipBlanks();
    Token token;
    token.at = m_position;
    if (m_at >= m_text.size())
        return token;
    if (isLineEnd) {
        advance();
        m_isOperandNext = true;
        token.kind = Token::Kind::Newline;
        return token;
    }
    const char c = peek();
    if (c == '#') {
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        token.kind = Token::Kind::Comment;
        token.text = m_text.substr(m_at + 1, end - m_at - 1);
        advance(end - m_at);
        return token;
    }
    const bool isOperandNext = m_isOperandNext;
    m_isOperandNext = false;
    if (isDigit(c) || (c == '.' && isDigit(peek(1))))
        return number(std::move(token));
    if (c == '"' || c == '\'')
        return string(std::move(token));
    if (isNameStart(c)) {
        std::size_t length = 1;
        while (isNamePart(peek(length)))
            ++length;
        token.text = m_text.substr(m_at, length);
        const char after = peek(length);
        advance(length);
        // r'…', b"…": the prefix changes nothing that matters here.
        if (length == 1 && (after == '"' || after == '\'')
            && std::string_view("rbuRBUf").find(c) != std::string_view::npos)
            return string(std::move(token));
        token.kind = Token::Kind::Name;
        m_isOperandNext = token.text == "class" || token.text == "return" || token.text == "not"
            || token.text == "and" || token.text == "or";
        return token;
    }
    if (c == '<' && isOperandNext && peek(1) != '<' && peek(1) != '=')
        return object(std::move(token));
    return symbol(std::move(token));
}

Token Lexer::number(Token token) {
    std::size_t length = 0;
    bool isFloat = false;
    bool isHex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    while (true) {
        const char c = peek(length);
        const char before = length > 0 ? peek(length - 1) : '\0';
        if ((c == '+' || c == '-') && !isHex && (before == 'e' || before == 'E')) {
            ++length;
        } else if (isNamePart(c) || c == '.') {
            isFloat = isFloat || c == '.' || (!isHex && (c == 'e' || c == 'E'));
            ++length;
        } else {
            break;
        }
    }
    std::string text;
    for (std::size_t i = 0; i < length; ++i)
        if (peek(i) != '_')
            text += peek(i);
    advance(length);
    token.kind = Token::Kind::Integer;
    token.text = text;
    const char* first = text.data() + (isHex ? 2 : 0);
    const char* last = text.data() + text.size();
    if (!isFloat) {
        const auto [end, error] = std::from_chars(first, last, token.integer, isHex ? 16 : 10);
        if (error == std::errc() && end == last)
            return token;
        if (error == std::errc::result_out_of_range && end == last) {
            token.integer = std::numeric_limits<std::int64_t>::max();
            return token;
        }
    } else {
        char* end = nullptr;
        token.kind = Token::Kind::Number;
        token.number = std::strtod(text.c_str(), &end);
        if (end == text.c_str() + text.size() || (end && *end == 'j' && end[1] == '\0'))
            return token;
    }
    token.kind = Token::Kind::Bad;
    token.text = "\"" + text.substr(0, 40) + "\" is no number";
    return token;
}

Token Lexer::string(Token token) {
    const char quote = peek();
    const bool isTriple = peek(1) == quote && peek(2) == quote;
    advance(isTriple ? 3 : 1);
    token.kind = Token::Kind::String;
    token.text.clear();
    while (m_at < m_text.size()) {
        const char c = peek();
        if (c == '\\' && m_at + 1 < m_text.size()) {
            const char escaped = peek(1);
            token.text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
            advance(2);
        } else if (c == quote && (!isTriple || (peek(1) == quote && peek(2) == quote))) {
            advance(isTriple ? 3 : 1);
            return token;
        } else if (c == '\n' && !isTriple) {
            break;
        } else {
            token.text += c;
            advance();
        }
    }
    token.kind = Token::Kind::Bad;
    token.text = "the quotation mark that begins here is not closed";
    return token;
}

/// "<built-in function add>": the text of an object that has no literal.
Token Lexer::object(Token token) {
    int open = 0;
    for (std::size_t length = 0; m_at + length < m_text.size() && peek(length) != '\n'; ++length) {
        open += peek(length) == '<' ? 1 : peek(length) == '>' ? -1 : 0;
        if (open != 0)
            continue;
        token.kind = Token::Kind::Name;
        token.text = m_text.substr(m_at, length + 1);
        advance(length + 1);
        return token;
    }
    token.kind = Token::Kind::Bad;
    token.text = "the \"<\" is not closed by \">\" in its line";
    return token;
}

Token Lexer::symbol(Token token) {
    const std::string_view rest = m_text.substr(m_at);
    std::string_view found;
    for (const std::string_view symbol : kSymbols)
        if (rest.substr(0, symbol.size()) == symbol) {
            found = symbol;
            break;
        }
    if (found.empty() && (rest[0] == '<' || rest[0] == '>' || rest[0] == '@' || rest[0] == '!'))
        found = rest.substr(0, 1);
    if (found.empty()) {
        token.kind = Token::Kind::Bad;
        token.text = "this character has no place here";
        advance();
        return token;
    }
    token.kind = Token::Kind::Symbol;
    token.text = found;
    if (found == "(" || found == "[" || found == "{")
        ++m_depth;
    else if ((found == ")" || found == "]" || found == "}") && m_depth > 0)
        --m_depth;
    m_isOperandNext = found != ")" && found != "]" && found != "}";
    advance(found.size());
    return token;
}

std::optional<std::string> Lexer::until(char stop) {
    const std::size_t end = m_text.find_first_of(std::string{stop, '\n'}, m_at);
    if (end == std::string_view::npos || m_text[end] == '\n')
        return std::nullopt;
    std::string text(m_text.substr(m_at, end - m_at));
    advance(end - m_at);
    const std::size_t first = text.find_first_not_of(" \t");
    const std::size_t last = text.find_last_not_of(" \t");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

} // namespace fivefold::frontends::fx
