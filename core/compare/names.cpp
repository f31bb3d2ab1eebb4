// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

namespace fivefold::compare {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool isNumber(const std::string& text) {
    return number(text).has_value();
}

/// The dotted path as scopes: a number stays with the name before it.
std::string scopePath(const std::vector<std::string>& parts, std::size_t count) {
    std::string path;
    for (std::size_t i = 0; i < count; ++i)
        path += (i > 0 && isNumber(parts[i]) ? "." : "/") + parts[i];
    return path;
}

} // namespace

std::string normalised(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)))
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (!text.empty() && text.back() != '_')
            text += '_';
    }
    constexpr std::array<std::string_view, 8> kSuffixes{"_dequantizelinear_output",
        "_quantizelinear_input", "_quantizelinear_output", "_output_0", "_out_0", "_output", "_0",
        "_"};
    for (const std::string_view suffix : kSuffixes) {
        if (text.size() > suffix.size() && text.ends_with(suffix)) {
            text.resize(text.size() - suffix.size());
            break;
        }
    }
    std::erase(text, '_');
    return text;
}

std::optional<CallKey> parseCall(std::string_view key) {
    // Separators between the parts of a file's name may be those of a folder.
    const auto parts = split(key.substr(key.rfind('/') + 1), '.');
    const auto forward = std::ranges::find(parts, "forward");
    if (parts.size() < 4 || forward == parts.end())
        return std::nullopt;
    const auto at = static_cast<std::size_t>(forward - parts.begin());
    CallKey call;
    call.isModule = parts[0] == "Module" || parts[0] == "Cell";
    // Modules carry the count behind "forward", functions before it.
    const std::size_t counted = call.isModule ? at + 1 : at - 1;
    const std::size_t role = call.isModule ? at + 2 : at + 1;
    if (at < 2 || role >= parts.size() || !isNumber(parts[counted]))
        return std::nullopt;
    for (std::size_t i = 1; i + 1 < at; ++i)
        call.kind += (i > 1 ? "." : "") + parts[i];
    call.number = *number(parts[counted]);
    call.isOutput = parts[role] == "output";
    call.index = role + 1 < parts.size() ? number(parts[role + 1]).value_or(0) : 0;
    return call;
}

std::string operatorOfCall(std::string_view kind) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kOperators{{
        {"layernorm", "layernormalization"},
        {"batchnorm", "batchnormalization"},
        {"groupnorm", "groupnormalization"},
        {"rmsnorm", "rmsnormalization"},
        {"conv1d", "conv"},
        {"conv2d", "conv"},
        {"conv3d", "conv"},
        {"embedding", "gather"},
        {"truediv", "div"},
        {"maxpool2d", "maxpool"},
        {"avgpool2d", "averagepool"},
        {"iadd", "add"},
        {"radd", "add"},
        {"rmul", "mul"},
    }};
    const std::string name = normalised(kind);
    const auto at =
        std::ranges::find(kOperators, name, [](const auto& pair) { return pair.first; });
    return at == kOperators.end() ? name : std::string(at->second);
}

std::string modulePath(std::string_view key) {
    if (const auto call = parseCall(key))
        return call->isModule && call->isOutput && call->index == 0
            ? scopePath(split(call->kind, '.'), split(call->kind, '.').size())
            : std::string();
    if (key.empty() || key.find('/') != std::string_view::npos
        || key.find(' ') != std::string_view::npos)
        return {};
    auto parts = split(key, '.');
    if (parts.size() > 1 && (parts.back() == "output" || parts.back() == "out"))
        parts.pop_back();
    return scopePath(parts, parts.size());
}

} // namespace fivefold::compare
