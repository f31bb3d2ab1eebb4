// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/child.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <ostream>

namespace fivefold::drawing {

namespace {

constexpr std::string_view kInputHead = "fivefold-draw 1";
constexpr std::string_view kOutputHead = "fivefold-drawing 1";
constexpr std::string_view kErrorHead = "fivefold-drawing-error";

class Writer {
public:
    Writer& word(std::string_view text) {
        separate();
        m_text += text;
        return *this;
    }
    template <typename Number> Writer& number(Number value) {
        separate();
        char buffer[64];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
        m_text.append(buffer, end.ptr);
        return *this;
    }
    void line() {
        m_text += '\n';
        m_isLineStart = true;
    }
    std::string take() { return std::move(m_text); }

private:
    void separate() {
        if (!m_isLineStart)
            m_text += ' ';
        m_isLineStart = false;
    }

    std::string m_text;
    bool m_isLineStart = true;
};

/// Reads words and numbers; once something was wrong it stays failed and yields zeros.
class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_rest(text) { }

    bool isOk() const { return m_isOk; }
    void fail() { m_isOk = false; }

    std::string_view word() {
        const std::size_t begin = m_rest.find_first_not_of(" \n\r");
        if (begin == std::string_view::npos) {
            m_isOk = false;
            return {};
        }
        m_rest.remove_prefix(begin);
        const std::size_t length = std::min(m_rest.find_first_of(" \n\r"), m_rest.size());
        const std::string_view found = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        return found;
    }
    void expect(std::string_view words) {
        Scanner wanted(words);
        while (!wanted.m_rest.empty())
            if (word() != wanted.word())
                m_isOk = false;
    }
    template <typename Number> Number number() {
        Number value = 0;
        const std::string_view found = m_isOk ? word() : std::string_view();
        const auto end = std::from_chars(found.data(), found.data() + found.size(), value);
        if (end.ec != std::errc() || end.ptr != found.data() + found.size())
            m_isOk = false;
        return m_isOk ? value : 0;
    }
    double length() {
        const auto value = number<double>();
        if (!std::isfinite(value) || std::abs(value) > 1e12)
            m_isOk = false;
        return m_isOk ? value : 0;
    }
    /// A count of at most `limit`; each entry takes at least two bytes, so more than half the rest
    /// is a lie.
    std::size_t count(std::size_t limit) {
        const auto value = number<std::size_t>();
        if (value > limit || value > m_rest.size() / 2 + 1)
            m_isOk = false;
        return m_isOk ? value : 0;
    }

private:
    std::string_view m_rest;
    bool m_isOk = true;
};

base::Error malformed(std::string_view what) {
    return {base::ErrorCode::Malformed,
        "The " + std::string(what)
            + " is cut short, of another version, or holds a number that is out of range.",
        "draw"};
}

void writeRects(Writer& writer, const std::vector<Rect>& rects) {
    for (const Rect& rect : rects) {
        writer.number(rect.x).number(rect.y).number(rect.width).number(rect.height);
        writer.line();
    }
}

std::vector<Rect> readRects(Scanner& scanner, std::size_t count) {
    std::vector<Rect> rects;
    for (std::size_t i = 0; i < count && scanner.isOk(); ++i) {
        Rect rect;
        rect.x = scanner.length();
        rect.y = scanner.length();
        rect.width = scanner.length();
        rect.height = scanner.length();
        rects.push_back(rect);
    }
    return rects;
}

} // namespace

std::string serialise(const Input& input) {
    Writer writer;
    writer.word(kInputHead).line();
    writer.word("flow")
        .number(input.isLeftToRight ? 1 : 0)
        .number(input.rankGap)
        .number(input.nodeGap);
    writer.line();
    writer.word("boxes").number(input.boxes.size()).line();
    for (const Box& box : input.boxes)
        writer.number(box.width).number(box.height).number(box.group).line();
    writer.word("edges").number(input.edges.size()).line();
    for (const Edge& edge : input.edges)
        writer.number(edge.from)
            .number(edge.to)
            .number(edge.labelWidth)
            .number(edge.isRanking ? 1 : 0)
            .line();
    writer.word("groups").number(input.groups.size()).line();
    for (const Group& group : input.groups)
        writer.number(group.parent)
            .number(group.padding)
            .number(group.titleHeight)
            .number(group.minWidth)
            .line();
    writer.word("end").line();
    return writer.take();
}

base::Result<Input> parseInput(std::string_view text) {
    Scanner scanner(text);
    Input input;
    scanner.expect(kInputHead);
    scanner.expect("flow");
    input.isLeftToRight = scanner.number<int>() != 0;
    input.rankGap = scanner.length();
    input.nodeGap = scanner.length();
    scanner.expect("boxes");
    for (std::size_t n = scanner.count(kMaxChildBoxes); n > 0 && scanner.isOk(); --n) {
        Box box;
        box.width = scanner.length();
        box.height = scanner.length();
        box.group = scanner.number<int>();
        input.boxes.push_back(box);
    }
    scanner.expect("edges");
    for (std::size_t n = scanner.count(kMaxChildEdges); n > 0 && scanner.isOk(); --n) {
        Edge edge;
        edge.from = scanner.number<int>();
        edge.to = scanner.number<int>();
        edge.labelWidth = scanner.length();
        edge.isRanking = scanner.number<int>() != 0;
        input.edges.push_back(edge);
    }
    scanner.expect("groups");
    for (std::size_t n = scanner.count(kMaxChildBoxes); n > 0 && scanner.isOk(); --n) {
        Group group;
        group.parent = scanner.number<int>();
        group.padding = scanner.length();
        group.titleHeight = scanner.length();
        group.minWidth = scanner.length();
        input.groups.push_back(group);
    }
    scanner.expect("end");
    if (!scanner.isOk())
        return malformed("graph to draw");
    if (const auto ok = check(input); !ok)
        return ok.error();
    return input;
}

std::string serialise(const Output& output) {
    Writer writer;
    writer.word(kOutputHead)
        .word(output.engine.empty() ? "-" : output.engine)
        .number(output.width)
        .number(output.height)
        .line();
    writer.word("boxes").number(output.boxes.size()).line();
    writeRects(writer, output.boxes);
    writer.word("edges").number(output.edges.size()).line();
    for (const std::vector<Point>& edge : output.edges) {
        writer.number(edge.size());
        for (const Point& point : edge)
            writer.number(point.x).number(point.y);
        writer.line();
    }
    writer.word("groups").number(output.groups.size()).line();
    writeRects(writer, output.groups);
    writer.word("end").line();
    return writer.take();
}

base::Result<Output> parseOutput(std::string_view text) {
    Scanner scanner(text);
    Output output;
    if (text.substr(0, kErrorHead.size()) == kErrorHead) {
        const std::size_t begin = std::min(text.size(), kErrorHead.size() + 1);
        std::string_view sentence = text.substr(begin, 500);
        sentence = sentence.substr(0, sentence.find('\n'));
        return base::Error{base::ErrorCode::Unsupported, std::string(sentence), "draw"};
    }
    scanner.expect(kOutputHead);
    output.engine = std::string(scanner.word().substr(0, 32));
    output.width = scanner.length();
    output.height = scanner.length();
    scanner.expect("boxes");
    output.boxes = readRects(scanner, scanner.count(kMaxChildBoxes));
    scanner.expect("edges");
    for (std::size_t n = scanner.count(kMaxChildEdges); n > 0 && scanner.isOk(); --n) {
        std::vector<Point> points;
        for (std::size_t k = scanner.count(kMaxChildEdges); k > 0 && scanner.isOk(); --k) {
            const double x = scanner.length();
            points.push_back({x, scanner.length()});
        }
        if (!points.empty() && points.size() % 3 != 1)
            scanner.fail();
        output.edges.push_back(std::move(points));
    }
    scanner.expect("groups");
    output.groups = readRects(scanner, scanner.count(kMaxChildBoxes));
    scanner.expect("end");
    if (!scanner.isOk())
        return malformed("drawing that came back");
    return output;
}

bool isFor(const Output& output, const Input& input) {
    return output.boxes.size() == input.boxes.size() && output.edges.size() == input.edges.size()
        && output.groups.size() == input.groups.size();
}

int runDrawChild(std::istream& in, std::ostream& out) {
    std::string text;
    constexpr std::string_view kLast = "\nend\n";
    for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
        text += static_cast<char>(c);
        if (text.size() > kMaxChildBytes || (c == '\n' && text.ends_with(kLast)))
            break;
    }
    const auto answer = [&]() -> base::Result<Output> {
        const auto input = parseInput(text);
        if (!input)
            return input.error();
        return graphvizEngine().place(*input, {});
    }();
    if (!answer) {
        out << kErrorHead << ' ' << answer.error().message << '\n' << std::flush;
        return 1;
    }
    out << serialise(*answer) << std::flush;
    return out.good() ? 0 : 1;
}

} // namespace fivefold::drawing
