// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace fivefold::base {

struct Json::Document {
    nlohmann::json root;
    std::string where;
};

namespace {

constexpr int kDeepest = 200;

const nlohmann::json& node(const void* pointer) {
    return *static_cast<const nlohmann::json*>(pointer);
}

/// A key as part of a JSON pointer (RFC 6901).
std::string escaped(std::string_view key) {
    std::string text;
    for (const char c : key) {
        if (c == '~')
            text += "~0";
        else if (c == '/')
            text += "~1";
        else
            text += c;
    }
    return text;
}

/// Watches a parse for what nlohmann lets pass: repeated keys and deep nesting.
struct Watch {
    std::vector<std::set<std::string>> keys;
    std::string problem;

    bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        if (event == Event::object_start)
            keys.emplace_back();
        else if (event == Event::object_end && !keys.empty())
            keys.pop_back();
        else if (event == Event::key && !keys.empty()
            && !keys.back().insert(parsed.get<std::string>()).second && problem.empty())
            problem = "the key \"" + parsed.get<std::string>() + "\" is given twice in one object";
        if (depth > kDeepest && problem.empty())
            problem = "objects and arrays are nested more than 200 levels deep";
        return problem.empty() || event == Event::key || event == Event::object_end;
    }
};

} // namespace

Result<Json> Json::parse(std::string_view text, std::string_view where) {
    auto document = std::make_shared<Document>();
    document->where = std::string(where);
    Watch watch;
    try {
        document->root = nlohmann::json::parse(text.begin(), text.end(), std::ref(watch));
    } catch (const nlohmann::json::exception& e) {
        const auto* syntax = dynamic_cast<const nlohmann::json::parse_error*>(&e);
        const std::string place =
            syntax ? "byte " + std::to_string(syntax->byte) : std::string("a number out of range");
        return Error{ErrorCode::Malformed,
            "the text is not valid JSON at " + place + "; correct the syntax there",
            std::string(where)};
    }
    if (!watch.problem.empty())
        return Error{ErrorCode::Malformed, watch.problem, std::string(where)};
    const void* root = &document->root;
    return Json(std::move(document), root, "");
}

bool Json::isNull() const {
    return node(m_node).is_null();
}
bool Json::isObject() const {
    return node(m_node).is_object();
}
bool Json::isArray() const {
    return node(m_node).is_array();
}
bool Json::isString() const {
    return node(m_node).is_string();
}
bool Json::isNumber() const {
    return node(m_node).is_number();
}
bool Json::isBoolean() const {
    return node(m_node).is_boolean();
}

Error Json::error(std::string message) const {
    const std::string place = m_path.empty() ? "the document" : m_path;
    return {ErrorCode::Malformed, place + ": " + std::move(message), m_document->where};
}

Result<double> Json::number() const {
    if (!isNumber())
        return error("a number was expected");
    const double value = node(m_node).get<double>();
    if (!std::isfinite(value))
        return error("the number is out of range");
    return value;
}

Result<std::int64_t> Json::integer() const {
    const auto& value = node(m_node);
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return static_cast<std::int64_t>(number);
    } else if (value.is_number_integer()) {
        return value.get<std::int64_t>();
    } else if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::isfinite(number) && number == std::floor(number) && std::abs(number) < 9.2e18)
            return static_cast<std::int64_t>(number);
    }
    return error("a whole number within 64 bits was expected");
}

Result<bool> Json::boolean() const {
    if (!isBoolean())
        return error("true or false was expected");
    return node(m_node).get<bool>();
}

Result<std::string> Json::string() const {
    if (!isString())
        return error("a string was expected");
    return node(m_node).get<std::string>();
}

Result<std::vector<Json>> Json::items() const {
    if (!isArray())
        return error("an array was expected");
    std::vector<Json> items;
    std::size_t i = 0;
    for (const auto& item : node(m_node))
        items.push_back(Json(m_document, &item, m_path + "/" + std::to_string(i++)));
    return items;
}

Result<std::vector<std::pair<std::string, Json>>> Json::members() const {
    if (!isObject())
        return error("an object was expected");
    std::vector<std::pair<std::string, Json>> members;
    for (const auto& [key, value] : node(m_node).items())
        members.emplace_back(key, Json(m_document, &value, m_path + "/" + escaped(key)));
    return members;
}

std::optional<Json> Json::find(std::string_view key) const {
    if (!isObject())
        return std::nullopt;
    const auto& object = node(m_node);
    const auto found = object.find(std::string(key));
    if (found == object.end())
        return std::nullopt;
    return Json(m_document, &*found, m_path + "/" + escaped(key));
}

Result<Json> Json::at(std::string_view key) const {
    if (auto found = find(key))
        return *found;
    if (!isObject())
        return error("an object was expected");
    return error("\"" + std::string(key) + "\" is missing; add it");
}

Result<Done> Json::checkKeys(std::initializer_list<std::string_view> known) const {
    if (!isObject())
        return error("an object was expected");
    for (const auto& item : node(m_node).items()) {
        if (std::find(known.begin(), known.end(), item.key()) != known.end())
            continue;
        std::string list;
        for (const std::string_view key : known)
            list += (list.empty() ? "" : ", ") + std::string(key);
        return error("the key \"" + item.key() + "\" is unknown; allowed are " + list);
    }
    return Done{};
}

std::string jsonString(std::string_view text) {
    return nlohmann::json(std::string(text))
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace fivefold::base
