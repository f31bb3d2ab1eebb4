// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fivefold::frontends::fx {

/// A place in the text, both from 1.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

/// "Line 3, column 14: …": every complaint about the text has this form.
base::Error wrongText(Position at, const std::string& message);

/// One expression of the part of Python's syntax that torch.fx prints. Nothing is evaluated but the
/// sign of a number.
struct Expr {
    enum class Kind : std::uint8_t {
        None,
        Bool, ///< integer 0 or 1
        Integer,
        Number, ///< inf and nan too
        String, ///< text
        Name, ///< text, dotted: "arg0_1", "torch.float16", "self.weight", "<built-in function add>"
        List,
        Tuple,
        Dict, ///< items: key, value, key, value, …
        Call, ///< text: the dotted callee; items and keywords: the arguments
        Subscript, ///< items: base and index
        Binary, ///< text: the operator; items: the two operands
        Unary, ///< text: the operator; items: the operand
        Slice, ///< items: start, stop, step (None where left out)
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    double number = 0;
    std::string text;
    std::vector<Expr> items;
    std::vector<std::pair<std::string, Expr>> keywords;
    Position at;

    bool is(Kind k) const { return kind == k; }
    const Expr* keyword(std::string_view name) const;
};

/// A name with the annotation behind it: arg0_1: "f16[2, 3][3, 1]cuda:0".
struct Target {
    std::string name;
    std::string annotation; ///< without quotes; empty: none
    Position at;
};

/// One line of a forward function. Clean-ups ("a = None") are left out.
struct Statement {
    enum class Kind : std::uint8_t { Assign, Declare, Return };
    Kind kind = Kind::Assign;
    std::vector<Target> targets; ///< several: the value is taken apart
    Expr value; ///< None for Declare and an empty return
    std::uint32_t comment =
        0; ///< index into Module::comments of the last comment before it; 0: none
};

/// One class with its forward function.
struct Module {
    std::string name;
    std::vector<Target> parameters; ///< without self
    std::vector<Statement> statements;
    std::vector<std::string> comments{std::string()}; ///< texts after "# "; entry 0 is empty
    std::vector<Module> children;
    const Module* child(std::string_view name) const;
};

/// Limits against hostile text.
constexpr int kDeepestExpression = 64;
constexpr int kDeepestModule = 32;
constexpr std::size_t kLargestText = std::size_t(64) << 20;

/// Parses the text of torch.fx.GraphModule.print_readable (or the code of a GraphModule: one
/// function without a class). Linear in the text. Fails with the line and column of what it does
/// not understand.
base::Result<Module> parseModule(std::string_view text);
/// Parses one expression that fills the whole text: annotations' sizes.
base::Result<Expr> parseExpression(std::string_view text);

} // namespace fivefold::frontends::fx
