// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/parser.h"

namespace fivefold::frontends::fx {

Module* Parser::at(Module& root, const std::vector<std::size_t>& path) {
    Module* module = &root;
    for (const std::size_t index : path)
        module = &module->children[index];
    return module;
}

/// The module whose forward function is open, or null where lines do not matter.
Module* Parser::current(Module& root) {
    if (m_functionColumn == 0 || !m_isForward)
        return nullptr;
    return m_classes.empty() ? &root : at(root, m_classes.back().path);
}

Module Parser::module() {
    Module root;
    while (!failed() && m_token.kind != Token::Kind::End)
        line(root);
    return root;
}

void Parser::line(Module& root) {
    if (m_token.kind == Token::Kind::Newline) {
        take();
        return;
    }
    if (m_token.kind == Token::Kind::Comment) {
        m_comment = take().text;
        return;
    }
    const std::uint32_t column = m_token.at.column;
    if (m_functionColumn != 0 && column <= m_functionColumn)
        m_functionColumn = 0;
    if (m_token.isName("class"))
        return classLine(root);
    if (m_token.isName("def"))
        return functionLine(root);
    Module* module = current(root);
    if (!module) {
        if (m_functionColumn == 0)
            fail("a line of a graph stands inside \"def forward\", and this one does not");
        skipLine(); // lines of other functions (__init__) say nothing about the graph
        return;
    }
    std::uint32_t comment = 0;
    if (!m_comment.empty()) {
        if (module->comments.back() != m_comment)
            module->comments.push_back(m_comment);
        comment = static_cast<std::uint32_t>(module->comments.size() - 1);
    }
    while (!failed() && m_token.kind != Token::Kind::Newline && m_token.kind != Token::Kind::End
        && m_token.kind != Token::Kind::Comment) {
        statement(*module, comment);
        if (!accept(";"))
            break;
    }
    if (m_token.kind == Token::Kind::Comment)
        take();
    if (!failed() && m_token.kind != Token::Kind::Newline && m_token.kind != Token::Kind::End)
        fail("the line goes on with \"" + m_token.text.substr(0, 40)
            + "\" where it should have ended");
}

void Parser::classLine(Module& root) {
    const std::uint32_t column = m_token.at.column;
    const Position at = m_token.at;
    while (!m_classes.empty() && m_classes.back().column >= column)
        m_classes.pop_back();
    m_functionColumn = 0;
    m_comment.clear();
    // The name may be "<lambda>"; the lexer has read it as the text of an object or as a name.
    take();
    const std::string name = take().text;
    if (m_token.isSymbol("(")) {
        take();
        while (!failed() && m_token.kind == Token::Kind::Name) {
            primary();
            while (accept("."))
                take();
            if (!accept(","))
                break;
        }
        expect(")");
    }
    expect(":");
    if (failed())
        return;
    Open open;
    open.column = column;
    if (m_classes.empty()) {
        if (!root.name.empty())
            return fail(at, "a second class stands beside the first");
        root.name = name.empty() ? "graph" : name;
    } else {
        if (m_classes.size() >= static_cast<std::size_t>(kDeepestModule))
            return fail(
                at, "classes are nested deeper than " + std::to_string(kDeepestModule) + " levels");
        open.path = m_classes.back().path;
        Module* parent = Parser::at(root, open.path);
        open.path.push_back(parent->children.size());
        parent->children.emplace_back().name = name;
    }
    m_classes.push_back(std::move(open));
}

void Parser::functionLine(Module& root) {
    const std::uint32_t column = m_token.at.column;
    while (!m_classes.empty() && m_classes.back().column >= column)
        m_classes.pop_back();
    take();
    if (m_token.kind != Token::Kind::Name)
        return fail("a function's name is expected after \"def\"");
    m_isForward = take().text == "forward";
    m_functionColumn = column;
    m_comment.clear();
    Module& module = m_classes.empty() ? root : *at(root, m_classes.back().path);
    std::vector<Target> parameters;
    expect("(");
    while (!failed() && !m_token.isSymbol(")")) {
        if (!accept("**"))
            accept("*");
        if (m_token.kind == Token::Kind::Comment) {
            take();
            continue;
        }
        if (m_token.isSymbol(",") || m_token.isSymbol("/")) {
            take();
            continue;
        }
        if (m_token.kind != Token::Kind::Name)
            return fail("a parameter's name is expected here");
        Target target;
        target.at = m_token.at;
        target.name = take().text;
        if (accept(":"))
            annotate(target);
        if (accept("="))
            expression();
        if (target.name != "self")
            parameters.push_back(std::move(target));
        if (!accept(","))
            break;
        while (m_token.kind == Token::Kind::Comment)
            take();
    }
    expect(")");
    if (accept("->"))
        expression();
    expect(":");
    if (m_isForward)
        module.parameters = std::move(parameters);
}

/// "f16[2, 3][3, 1]cuda:0" in quotes, or an expression such as torch.Tensor, which says no type.
void Parser::annotate(Target& target) {
    if (m_token.kind == Token::Kind::String) {
        while (m_token.kind == Token::Kind::String)
            target.annotation += take().text;
        return;
    }
    expression(4);
}

namespace {

Target asTarget(const Expr& expr) {
    Target target;
    target.name = expr.text;
    target.at = expr.at;
    return target;
}

} // namespace

void Parser::returned(Statement& s) {
    take();
    s.kind = Statement::Kind::Return;
    if (m_token.kind == Token::Kind::Newline || m_token.kind == Token::Kind::End
        || m_token.kind == Token::Kind::Comment || m_token.isSymbol(";"))
        return;
    s.value = expression();
    if (!m_token.isSymbol(","))
        return;
    Expr tuple;
    tuple.kind = Expr::Kind::Tuple;
    tuple.at = s.value.at;
    tuple.items.push_back(std::move(s.value));
    while (accept(",") && m_token.kind != Token::Kind::Newline && m_token.kind != Token::Kind::End)
        tuple.items.push_back(expression());
    s.value = std::move(tuple);
}

bool Parser::assignsToName(Statement& s, Expr& value) {
    if (m_token.isSymbol(":")) {
        take();
        Target target = asTarget(value);
        annotate(target);
        s.targets.push_back(std::move(target));
        if (accept("="))
            s.value = expression();
        else
            s.kind = Statement::Kind::Declare;
        return true;
    }
    if (m_token.isSymbol(",")) {
        s.targets.push_back(asTarget(value));
        while (accept(",") && m_token.kind == Token::Kind::Name)
            s.targets.push_back(asTarget(expression()));
        expect("=");
        s.value = expression();
        return true;
    }
    if (m_token.kind != Token::Kind::Symbol || m_token.text.size() < 2 || m_token.text.back() != '='
        || m_token.text == "==" || m_token.text == "!=")
        return false;
    // a += b: the name stands for the sum from here on.
    const std::string op = take().text;
    s.targets.push_back(asTarget(value));
    Expr sum;
    sum.kind = Expr::Kind::Binary;
    sum.at = value.at;
    sum.text = op.substr(0, op.size() - 1);
    sum.items.push_back(std::move(value));
    sum.items.push_back(expression());
    s.value = std::move(sum);
    return true;
}

void Parser::statement(Module& module, std::uint32_t comment) {
    Statement s;
    s.comment = comment;
    if (m_token.isName("return")) {
        returned(s);
        module.statements.push_back(std::move(s));
        return;
    }
    if (m_token.isName("pass") || m_token.isName("del"))
        return skipLine();
    Expr value = expression();
    if (value.is(Expr::Kind::Name) && assignsToName(s, value)) {
        module.statements.push_back(std::move(s));
        return;
    }
    std::vector<Target> names;
    while (m_token.isSymbol("=") && value.is(Expr::Kind::Name)) {
        take();
        names.push_back(asTarget(value));
        value = expression();
    }
    if (!names.empty() && value.is(Expr::Kind::None))
        return; // a clean-up
    if (names.size() > 1)
        return fail(names[1].at, "two names for one value are not written by fx");
    if (names.empty() && !value.is(Expr::Kind::Call))
        return fail(
            value.at, "a line that is neither a call nor an assignment has no meaning here");
    s.targets = std::move(names);
    s.value = std::move(value);
    module.statements.push_back(std::move(s));
}

base::Result<Module> parseModule(std::string_view text) {
    if (text.size() > kLargestText)
        return base::Error{base::ErrorCode::Limit,
            "The text of the fx graph is larger than " + std::to_string(kLargestText >> 20)
                + " MiB; no graph of that size is read.",
            {}};
    Parser parser(text);
    Module module = parser.failed() ? Module() : parser.module();
    if (parser.failed())
        return parser.error();
    return module;
}

} // namespace fivefold::frontends::fx
