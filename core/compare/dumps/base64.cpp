// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/base64.h"

#include <algorithm>
#include <array>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::uint8_t kNone = 0xff;

constexpr std::array<std::uint8_t, 256> makeTable() {
    std::array<std::uint8_t, 256> table{};
    table.fill(kNone);
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
    return table;
}
constexpr auto kTable = makeTable();

class Base64Source final : public ByteSource {
public:
    Base64Source(Source text, std::uint64_t size)
        : m_text(std::move(text))
        , m_size(size) { }

    std::uint64_t size() const override { return m_size; }
    std::string name() const override { return m_text->name(); }

    Result<Done> read(std::uint64_t offset, std::span<std::byte> into) const override {
        if (offset > m_size || into.size() > m_size - offset)
            return Error{ErrorCode::Malformed,
                "The array ends before the data that is asked for; write the dump again.", name()};
        constexpr std::size_t kQuads = 16'384;
        std::uint64_t quad = offset / 3;
        std::size_t skipped = static_cast<std::size_t>(offset % 3);
        std::size_t done = 0;
        while (done < into.size()) {
            const auto text = m_text->piece(quad * 4, kQuads * 4);
            if (!text)
                return text.error();
            for (std::size_t at = 0; at + 4 <= text->size() && done < into.size(); at += 4) {
                std::array<std::byte, 3> bytes{};
                const bool isLast = quad * 4 + at + 4 == m_text->size();
                if (!decode({text->data() + at, 4}, isLast, bytes))
                    return Error{ErrorCode::Malformed,
                        "The array is not valid base64; write the dump again.", name()};
                for (; skipped < 3 && done < into.size(); ++skipped)
                    into[done++] = bytes[skipped];
                skipped = 0;
            }
            quad += kQuads;
        }
        return Done{};
    }

private:
    static bool decode(
        std::span<const std::byte> text, bool isLast, std::array<std::byte, 3>& bytes) {
        std::uint32_t bits = 0;
        for (const std::byte c : text) {
            const bool isPadding = isLast && c == std::byte{'='};
            const std::uint8_t value = isPadding ? 0 : kTable[static_cast<std::size_t>(c)];
            if (value == kNone)
                return false;
            bits = bits << 6 | value;
        }
        bytes = {std::byte(bits >> 16), std::byte(bits >> 8 & 0xff), std::byte(bits & 0xff)};
        return true;
    }

    Source m_text;
    std::uint64_t m_size;
};

} // namespace

Result<Source> base64Source(Source text) {
    const std::uint64_t length = text->size();
    const auto tail = text->piece(length - std::min<std::uint64_t>(length, 2), 2);
    if (!tail)
        return tail.error();
    if (length % 4 != 0)
        return Error{ErrorCode::Malformed,
            "The array is not valid base64 by its length; write the dump again.", text->name()};
    const auto padding =
        static_cast<std::uint64_t>(std::count(tail->begin(), tail->end(), std::byte{'='}));
    const std::uint64_t size = length / 4 * 3 - std::min(padding, length / 4 * 3);
    return Source(std::make_shared<Base64Source>(std::move(text), size));
}

} // namespace fivefold::compare::dumps
