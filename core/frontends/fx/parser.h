// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/fx/lexer.h"

namespace fivefold::frontends::fx {

/// Recursive descent over the tokens. After a failure `failed()` is true, everything returns at
/// once, and `error()` says what was wrong.
class Parser {
public:
    explicit Parser(std::string_view text)
        : m_lexer(text) {
        take();
    }

    Module module();
    Expr wholeExpression();
    bool failed() const { return m_error.has_value(); }
    const base::Error& error() const { return *m_error; }

private:
    struct Open { ///< a class or function whose lines are being read
        std::vector<std::size_t> path; ///< children's indices from the root
        std::uint32_t column = 0;
    };

    Token take();
    bool accept(std::string_view symbol);
    void expect(std::string_view symbol);
    void fail(const std::string& message);
    void fail(Position at, const std::string& message);
    void skipLine();

    Expr expression(int minimum = 0);
    Expr unary();
    Expr postfix(Expr base);
    Expr primary();
    Expr name();
    Expr sequence(std::string_view close);
    Expr dict();
    Expr subscriptIndex();
    void arguments(Expr& call);

    void line(Module& root);
    void classLine(Module& root);
    void functionLine(Module& root);
    void returned(Statement& statement); ///< at "return"
    /// Reads what follows a name where it is an annotation, a list of names or a compound
    /// assignment; false: none of them, and nothing was read.
    bool assignsToName(Statement& statement, Expr& name);
    void statement(Module& module, std::uint32_t comment);
    void annotate(Target& target);
    Module* current(Module& root);
    static Module* at(Module& root, const std::vector<std::size_t>& path);

    Lexer m_lexer;
    Token m_token;
    std::optional<base::Error> m_error;
    int m_depth = 0;
    std::vector<Open> m_classes;
    std::uint32_t m_functionColumn = 0; ///< 0: no function is open
    bool m_isForward = false; ///< of the open function
    std::string m_comment;
};

} // namespace fivefold::frontends::fx
