// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/json_tree.h"

#include "core/compare/dumps/listing.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace fivefold::compare::dumps {

namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// Characters of a source for the parser, with what Python adds to JSON put into quotes, and the
/// place of the last text literal.
class Feed {
public:
    Feed(const ByteSource& source, bool allowsNaN)
        : m_source(source)
        , m_allowsNaN(allowsNaN) {
        settle();
    }

    bool isAtEnd() const { return m_pending.empty() && m_at >= m_buffer.size(); }
    char current() const {
        return m_pending.empty() ? static_cast<char>(m_buffer[m_at]) : m_pending.front();
    }
    void advance() {
        if (!m_pending.empty()) {
            m_pending.remove_prefix(1);
        } else {
            track(static_cast<char>(m_buffer[m_at]));
            ++m_at;
        }
        if (m_pending.empty())
            settle();
    }

    std::uint64_t textBegin() const { return m_textBegin; }
    std::uint64_t textEnd() const { return m_textEnd; }
    const std::optional<Error>& error() const { return m_error; }

private:
    static constexpr std::size_t kPiece = 65'536;
    static constexpr std::size_t kLookAhead = 9; ///< "-Infinity"

    std::uint64_t position() const { return m_bufferBegin + m_at; }

    void track(char c) {
        if (!m_isInText) {
            if (c == '"') {
                m_isInText = true;
                m_textBegin = position();
            }
        } else if (m_isEscaped) {
            m_isEscaped = false;
        } else if (c == '\\') {
            m_isEscaped = true;
        } else if (c == '"') {
            m_isInText = false;
            m_textEnd = position() + 1;
        }
    }

    /// Makes sure of the look-ahead, and quotes a bare word.
    void settle() {
        if (m_buffer.size() - m_at < kLookAhead)
            refill();
        if (m_isInText || !m_allowsNaN || m_at >= m_buffer.size())
            return;
        const auto c = static_cast<char>(m_buffer[m_at]);
        if (c != 'N' && c != 'I' && c != '-')
            return;
        using namespace std::string_view_literals;
        const std::string_view rest(
            reinterpret_cast<const char*>(m_buffer.data()) + m_at, m_buffer.size() - m_at);
        for (const auto quotedWord : {"\"NaN\""sv, "\"Infinity\""sv, "\"-Infinity\""sv}) {
            const auto word = quotedWord.substr(1, quotedWord.size() - 2);
            if (rest.starts_with(word)) {
                m_at += word.size();
                m_pending = quotedWord;
                return;
            }
        }
    }

    void refill() {
        const std::uint64_t next = m_bufferBegin + m_buffer.size();
        if (next >= m_source.size() || m_error)
            return;
        auto piece = m_source.piece(next, kPiece);
        if (!piece) {
            m_error = piece.error();
            return;
        }
        m_bufferBegin += m_at;
        m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(m_at));
        m_buffer.insert(m_buffer.end(), piece->begin(), piece->end());
        m_at = 0;
    }

    const ByteSource& m_source;
    bool m_allowsNaN;
    std::vector<std::byte> m_buffer;
    std::size_t m_at = 0;
    std::uint64_t m_bufferBegin = 0;
    std::string_view m_pending;
    bool m_isInText = false, m_isEscaped = false;
    std::uint64_t m_textBegin = 0, m_textEnd = 0;
    std::optional<Error> m_error;
};

class FeedIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    explicit FeedIterator(Feed* feed = nullptr)
        : m_feed(feed) { }
    char operator*() const { return m_feed->current(); }
    FeedIterator& operator++() {
        m_feed->advance();
        return *this;
    }
    void operator++(int) { m_feed->advance(); }
    bool operator==(const FeedIterator& other) const { return isEnd() == other.isEnd(); }
    bool operator!=(const FeedIterator& other) const { return !(*this == other); }

private:
    bool isEnd() const { return !m_feed || m_feed->isAtEnd(); }
    Feed* m_feed;
};

/// Builds the tree from the events of the parser.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
    Builder(const Feed& feed, const JsonRules& rules)
        : m_feed(feed)
        , m_rules(rules) { }

    bool null() override { return add({}); }
    bool boolean(bool value) override {
        JsonNode node;
        node.kind = JsonNode::Kind::Boolean;
        node.boolean = value;
        return add(std::move(node));
    }
    bool number_integer(number_integer_t value) override { return addInteger(value); }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return number_float(static_cast<double>(value), {});
        return addInteger(static_cast<std::int64_t>(value));
    }
    bool number_float(number_float_t value, const string_t&) override {
        JsonNode node;
        node.kind = JsonNode::Kind::Real;
        node.real = value;
        return add(std::move(node));
    }
    bool string(string_t& value) override {
        JsonNode node;
        node.kind = JsonNode::Kind::Text;
        if (value.size() >= m_rules.longText) {
            node.kind = JsonNode::Kind::LongText;
            node.begin = m_feed.textBegin();
            node.end = m_feed.textEnd();
        } else {
            node.text = std::move(value);
        }
        return add(std::move(node));
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonNode::Kind::Object); }
    bool start_array(std::size_t) override { return open(JsonNode::Kind::Array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (!m_open.back().keys.insert(name).second)
            return fail("The key " + inQuotes(name) + " occurs twice in one object");
        m_key = std::move(name);
        return true;
    }
    bool parse_error(
        std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        return fail("The text is not valid JSON at byte " + std::to_string(position));
    }

    JsonNode root;
    std::string failure;

private:
    struct Level {
        JsonNode node;
        std::unordered_set<std::string> keys;
    };

    bool fail(std::string why) {
        failure = std::move(why);
        return false;
    }
    bool addInteger(std::int64_t value) {
        JsonNode node;
        node.kind = JsonNode::Kind::Integer;
        node.integer = value;
        return add(std::move(node));
    }
    bool add(JsonNode node) {
        if (++m_nodes > m_rules.nodes)
            return fail("The text has more than " + std::to_string(m_rules.nodes) + " values");
        if (m_open.empty()) {
            root = std::move(node);
            return true;
        }
        JsonNode& parent = m_open.back().node;
        if (parent.kind == JsonNode::Kind::Object)
            node.key = std::move(m_key);
        parent.items.push_back(std::move(node));
        return true;
    }
    bool open(JsonNode::Kind kind) {
        if (static_cast<std::int64_t>(m_open.size()) >= m_rules.depth)
            return fail("The text is nested more than " + std::to_string(m_rules.depth) + " deep");
        Level level;
        level.node.kind = kind;
        if (!m_open.empty() && m_open.back().node.kind == JsonNode::Kind::Object)
            level.node.key = std::move(m_key);
        m_open.push_back(std::move(level));
        return true;
    }
    bool close() {
        JsonNode node = std::move(m_open.back().node);
        m_open.pop_back();
        m_key = std::move(node.key);
        return add(std::move(node));
    }

    const Feed& m_feed;
    JsonRules m_rules;
    std::vector<Level> m_open;
    std::string m_key;
    std::uint64_t m_nodes = 0;
};

} // namespace

const JsonNode* JsonNode::find(std::string_view name) const {
    if (kind != Kind::Object)
        return nullptr;
    for (const JsonNode& item : items)
        if (item.key == name)
            return &item;
    return nullptr;
}

std::optional<std::string> JsonNode::textAt(std::string_view name) const {
    const JsonNode* node = find(name);
    return node && node->isText() ? std::optional(node->text) : std::nullopt;
}

std::optional<double> JsonNode::number() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (kind) {
    case Kind::Integer:
        return static_cast<double>(integer);
    case Kind::Real:
        return real;
    case Kind::Boolean: // minimum and maximum of a boolean tensor
        return boolean ? 1 : 0;
    case Kind::Text:
        break;
    default:
        return std::nullopt;
    }
    if (text == "NaN" || text == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity" || text == "inf")
        return kInfinity;
    if (text == "-Infinity" || text == "-inf")
        return -kInfinity;
    return std::nullopt;
}

Result<JsonNode> readJson(const ByteSource& source, const JsonRules& rules) {
    Feed feed(source, rules.allowsNaN);
    Builder builder(feed, rules);
    const bool isParsed = nlohmann::json::sax_parse(FeedIterator(&feed), FeedIterator(), &builder);
    if (feed.error())
        return *feed.error();
    if (!isParsed)
        return Error{ErrorCode::Malformed,
            (builder.failure.empty() ? "The text is not valid JSON" : builder.failure)
                + "; it was cut or damaged. Write the dump again.",
            source.name()};
    return std::move(builder.root);
}

Result<std::string> wholeText(const JsonNode& node, const ByteSource& source) {
    if (node.kind == JsonNode::Kind::Text)
        return node.text;
    const auto literal = source.piece(node.begin, node.end - node.begin);
    if (!literal)
        return literal.error();
    const auto* begin = reinterpret_cast<const char*>(literal->data());
    const auto value = nlohmann::json::parse(begin, begin + literal->size(), nullptr, false);
    if (!value.is_string())
        return Error{ErrorCode::Malformed,
            "The file was changed after the dump was opened; open the dump again.", source.name()};
    return value.get<std::string>();
}

} // namespace fivefold::compare::dumps
