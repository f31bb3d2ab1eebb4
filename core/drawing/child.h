// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/drawing/drawing.h"

#include <iosfwd>
#include <string>
#include <string_view>

/// The protocol between the program and the child process that runs Graphviz (the hidden `--draw`
/// mode): the input as text on stdin, the positions as text on stdout. Numbers are written and read
/// without regard to the locale and come back bit by bit.
namespace fivefold::drawing {

/// What neither side accepts more of: a text beyond it is refused before it is stored.
constexpr std::size_t kMaxChildBoxes = 100'000;
constexpr std::size_t kMaxChildEdges = 1'000'000;
constexpr std::size_t kMaxChildBytes = 64u << 20;

/// "fivefold-draw 1", then boxes, edges and groups, one a line, then "end".
std::string serialise(const Input& input);
/// Fails on another version, on wrong counts or numbers, on what check() refuses, and on a text
/// that is cut short.
base::Result<Input> parseInput(std::string_view text);

std::string serialise(const Output& output);
/// Fails on another version, on wrong counts or numbers, and on a text that is cut short. Whether
/// the counts fit the input is the caller's to check (see isFor).
base::Result<Output> parseOutput(std::string_view text);
/// True when the output has exactly one place for each box, edge and group of the input.
bool isFor(const Output& output, const Input& input);

/// Serves one request: reads an input until its "end" line, places it with Graphviz, writes the
/// output. 0; or 1 with "fivefold-drawing-error" and a sentence on `out`.
int runDrawChild(std::istream& in, std::ostream& out);

} // namespace fivefold::drawing
