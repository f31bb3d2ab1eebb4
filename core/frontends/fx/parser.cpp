// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/parser.h"

#include <cmath>
#include <limits>

namespace fivefold::frontends::fx {

namespace {

/// Binding strength of Python's binary operators (Python reference, "Operator precedence"); 0:
/// none.
int precedence(const Token& token) {
    if (token.kind == Token::Kind::Name)
        return token.text == "or" ? 1 : token.text == "and" ? 2 : 0;
    if (token.kind != Token::Kind::Symbol)
        return 0;
    const std::string& s = token.text;
    if (s == "==" || s == "!=" || s == "<" || s == ">" || s == "<=" || s == ">=")
        return 3;
    if (s == "|")
        return 4;
    if (s == "^")
        return 5;
    if (s == "&")
        return 6;
    if (s == "<<" || s == ">>")
        return 7;
    if (s == "+" || s == "-")
        return 8;
    if (s == "*" || s == "/" || s == "//" || s == "%" || s == "@")
        return 9;
    return s == "**" ? 10 : 0;
}

std::string shown(const Token& token) {
    switch (token.kind) {
    case Token::Kind::Newline:
        return "the line's end";
    case Token::Kind::End:
        return "the end of the text";
    case Token::Kind::String:
        return "a quoted text";
    default:
        return "\"" + token.text.substr(0, 40) + "\"";
    }
}

} // namespace

base::Error wrongText(Position at, const std::string& message) {
    return {base::ErrorCode::Malformed,
        "Line " + std::to_string(at.line) + ", column " + std::to_string(at.column)
            + " of the fx graph: " + message + "; print the graph again.",
        {}};
}

const Expr* Expr::keyword(std::string_view name) const {
    for (const auto& [key, value] : keywords)
        if (key == name)
            return &value;
    return nullptr;
}

const Module* Module::child(std::string_view name) const {
    for (const Module& module : children)
        if (module.name == name)
            return &module;
    return nullptr;
}

Token Parser::take() {
    Token token = std::move(m_token);
    m_token = m_lexer.next();
    if (m_token.kind == Token::Kind::Bad)
        fail(m_token.text);
    return token;
}

void Parser::fail(const std::string& message) {
    fail(m_token.at, message);
}

void Parser::fail(Position at, const std::string& message) {
    if (!m_error)
        m_error = wrongText(at, message);
    m_token = Token();
    m_token.at = at;
}

bool Parser::accept(std::string_view symbol) {
    if (!m_token.isSymbol(symbol))
        return false;
    take();
    return true;
}

void Parser::expect(std::string_view symbol) {
    if (!accept(symbol))
        fail("\"" + std::string(symbol) + "\" is expected here, not " + shown(m_token));
}

void Parser::skipLine() {
    while (m_token.kind != Token::Kind::Newline && m_token.kind != Token::Kind::End)
        take();
}

Expr Parser::expression(int minimum) {
    Expr left;
    if (++m_depth > kDeepestExpression)
        fail(
            "expressions are nested deeper than " + std::to_string(kDeepestExpression) + " levels");
    else
        left = unary();
    while (!failed()) {
        const int strength = precedence(m_token);
        if (strength == 0 || strength < minimum)
            break;
        Expr whole;
        whole.kind = Expr::Kind::Binary;
        whole.at = left.at;
        whole.text = take().text;
        // A chain leans to the left and is built by this loop, which costs no stack; its tree is
        // bounded here, because later passes walk it recursively.
        if (left.kind == Expr::Kind::Binary && ++left.integer > kDeepestExpression)
            fail("an expression has more than " + std::to_string(kDeepestExpression)
                + " operators in a row");
        whole.integer = left.kind == Expr::Kind::Binary ? left.integer : 0;
        whole.items.push_back(std::move(left));
        whole.items.push_back(expression(strength + 1));
        left = std::move(whole);
    }
    --m_depth;
    return left;
}

Expr Parser::unary() {
    const bool isSign = m_token.isSymbol("-") || m_token.isSymbol("+") || m_token.isSymbol("~");
    if (!isSign && !m_token.isName("not"))
        return postfix(primary());
    Expr whole;
    whole.at = m_token.at;
    whole.kind = Expr::Kind::Unary;
    whole.text = take().text;
    Expr operand = expression(10);
    if (whole.text == "-" && operand.is(Expr::Kind::Integer)) {
        operand.integer = operand.integer == std::numeric_limits<std::int64_t>::max()
                && operand.text == "9223372036854775808"
            ? std::numeric_limits<std::int64_t>::min()
            : -operand.integer;
        return operand;
    }
    if (whole.text == "-" && operand.is(Expr::Kind::Number)) {
        operand.number = -operand.number;
        return operand;
    }
    whole.items.push_back(std::move(operand));
    return whole;
}

/// Attributes, calls and subscripts behind an operand. A chain of n links is n levels of tree, so
/// it is bounded as nesting is.
Expr Parser::postfix(Expr base) {
    for (int links = 0; !failed(); ++links) {
        if (links > kDeepestExpression) {
            fail("an expression has more than " + std::to_string(kDeepestExpression)
                + " calls or subscripts in a row");
            return base;
        }
        Expr whole;
        whole.at = base.at;
        if (m_token.isSymbol("(")) {
            whole.kind = Expr::Kind::Call;
            if (base.is(Expr::Kind::Name))
                whole.text = std::move(base.text);
            else
                whole.items.push_back(std::move(base));
            arguments(whole);
        } else if (m_token.isSymbol("[")) {
            take();
            whole.kind = Expr::Kind::Subscript;
            whole.items.push_back(std::move(base));
            whole.items.push_back(subscriptIndex());
            expect("]");
        } else if (m_token.isSymbol(".")) {
            take();
            if (m_token.kind != Token::Kind::Name) {
                fail("a name is expected after the dot, not " + shown(m_token));
                return base;
            }
            const std::string attribute = take().text;
            if (base.is(Expr::Kind::Name)) {
                base.text += "." + attribute;
                continue;
            }
            whole.kind = Expr::Kind::Call;
            whole.text = "getattr";
            whole.items.push_back(std::move(base));
            Expr& text = whole.items.emplace_back();
            text.kind = Expr::Kind::String;
            text.text = attribute;
        } else {
            break;
        }
        base = std::move(whole);
    }
    return base;
}

Expr Parser::name() {
    Expr expr;
    expr.at = m_token.at;
    expr.text = take().text;
    expr.kind = Expr::Kind::Name;
    if (expr.text == "None") {
        expr.kind = Expr::Kind::None;
    } else if (expr.text == "True" || expr.text == "False") {
        expr.kind = Expr::Kind::Bool;
        expr.integer = expr.text == "True" ? 1 : 0;
    } else if (expr.text == "inf" || expr.text == "nan") {
        expr.kind = Expr::Kind::Number;
        expr.number = expr.text == "inf" ? std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::quiet_NaN();
    } else if (expr.text == "class" || expr.text == "def" || expr.text == "return"
        || expr.text == "import" || expr.text == "lambda") {
        fail(expr.at, "\"" + expr.text + "\" is no value");
    }
    return expr;
}

Expr Parser::primary() {
    Expr expr;
    expr.at = m_token.at;
    switch (m_token.kind) {
    case Token::Kind::Integer: {
        const Token token = take();
        expr.kind = Expr::Kind::Integer;
        expr.integer = token.integer;
        expr.text = token.text;
        return expr;
    }
    case Token::Kind::Number:
        expr.kind = Expr::Kind::Number;
        expr.number = take().number;
        return expr;
    case Token::Kind::String:
        expr.kind = Expr::Kind::String;
        while (m_token.kind == Token::Kind::String)
            expr.text += take().text;
        return expr;
    case Token::Kind::Name:
        return name();
    default:
        break;
    }
    if (accept("(")) {
        Expr tuple = sequence(")");
        tuple.at = expr.at;
        // Parentheses around one value without a comma only group.
        if (tuple.items.size() == 1 && tuple.integer == 0) {
            Expr inner = std::move(tuple.items.front());
            inner.integer = inner.is(Expr::Kind::Binary) ? 0 : inner.integer;
            return inner;
        }
        return tuple;
    }
    if (accept("[")) {
        Expr list = sequence("]");
        list.kind = Expr::Kind::List;
        list.at = expr.at;
        return list;
    }
    if (accept("{"))
        return dict();
    if (accept("...")) {
        expr.kind = Expr::Kind::Name;
        expr.text = "...";
        return expr;
    }
    fail("a value is expected here, not " + shown(m_token));
    return expr;
}

/// Up to the closing bracket; `integer` counts the commas.
Expr Parser::sequence(std::string_view close) {
    Expr tuple;
    tuple.kind = Expr::Kind::Tuple;
    while (!failed() && !m_token.isSymbol(close)) {
        accept("*");
        tuple.items.push_back(expression());
        if (!accept(","))
            break;
        ++tuple.integer;
    }
    expect(close);
    return tuple;
}

Expr Parser::dict() {
    Expr whole;
    whole.kind = Expr::Kind::Dict;
    while (!failed() && !m_token.isSymbol("}")) {
        whole.items.push_back(expression());
        if (accept(":"))
            whole.items.push_back(expression());
        else
            whole.items.emplace_back(); // a set: its members are keys without values
        if (!accept(","))
            break;
    }
    expect("}");
    return whole;
}

Expr Parser::subscriptIndex() {
    const auto part = [&] {
        if (!m_token.isSymbol(":")) {
            Expr first = expression();
            if (!m_token.isSymbol(":"))
                return first;
            Expr slice;
            slice.kind = Expr::Kind::Slice;
            slice.items.push_back(std::move(first));
            return slice;
        }
        Expr slice;
        slice.kind = Expr::Kind::Slice;
        slice.items.emplace_back();
        return slice;
    };
    Expr tuple;
    tuple.kind = Expr::Kind::Tuple;
    tuple.at = m_token.at;
    while (!failed() && !m_token.isSymbol("]")) {
        Expr item = part();
        if (item.is(Expr::Kind::Slice))
            while (item.items.size() < 3) {
                Expr bound;
                if (accept(":") && !m_token.isSymbol(":") && !m_token.isSymbol(",")
                    && !m_token.isSymbol("]"))
                    bound = expression();
                item.items.push_back(std::move(bound));
            }
        tuple.items.push_back(std::move(item));
        if (!accept(","))
            break;
        ++tuple.integer;
    }
    if (tuple.items.size() == 1 && tuple.integer == 0) {
        Expr inner = std::move(tuple.items.front());
        return inner;
    }
    return tuple;
}

void Parser::arguments(Expr& call) {
    expect("(");
    while (!failed() && !m_token.isSymbol(")")) {
        if (!accept("**"))
            accept("*");
        Expr value = expression();
        if (m_token.isSymbol("=") && value.is(Expr::Kind::Name)) {
            take();
            call.keywords.emplace_back(std::move(value.text), expression());
        } else {
            call.items.push_back(std::move(value));
        }
        if (!accept(","))
            break;
    }
    expect(")");
}

Expr Parser::wholeExpression() {
    Expr expr = expression();
    if (!failed() && m_token.kind != Token::Kind::End)
        fail("the text goes on after its expression with " + shown(m_token));
    return expr;
}

base::Result<Expr> parseExpression(std::string_view text) {
    Parser parser(text);
    Expr expr = parser.failed() ? Expr() : parser.wholeExpression();
    if (parser.failed())
        return parser.error();
    return expr;
}

} // namespace fivefold::frontends::fx
