// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fivefold::frontends::onnx::wire {

/// Protobuf wire types that ONNX files use; groups (3, 4) are not among them.
enum class Type : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct Field {
    std::uint32_t number = 0;
    Type type = Type::Varint;
    std::size_t begin = 0; ///< offset of the tag
    std::size_t payload = 0; ///< offset of the content: behind tag and length prefix
    std::uint64_t length = 0; ///< bytes of content; what the file claims, when `isOverrun`
    std::uint64_t varint = 0; ///< value, for Varint
    bool isOverrun = false; ///< the content would reach behind the end that the cursor was given

    std::size_t end() const { return payload + static_cast<std::size_t>(length); }
};

enum class Step : std::uint8_t {
    Field, ///< a field was read
    End, ///< the end was reached between two fields
    Cut, ///< the end came inside a tag, a length or a number
    Invalid, ///< no protobuf: field number 0, a group or an unknown wire type, an 11-byte varint
};

/// Walks the fields of one message without looking into them. Never reads outside [begin, end).
class Cursor {
public:
    /// Requires begin ≤ end ≤ bytes.size().
    Cursor(std::span<const std::byte> bytes, std::size_t begin, std::size_t end)
        : m_bytes(bytes)
        , m_at(begin)
        , m_end(end) { }

    /// On Field the cursor stands behind the field (or at the end when it is overrun).
    Step next(Field& field);
    std::size_t position() const { return m_at; }

private:
    Step varint(std::uint64_t& value);

    std::span<const std::byte> m_bytes;
    std::size_t m_at;
    std::size_t m_end;
};

std::string_view text(std::span<const std::byte> bytes, const Field& field);
/// Appends a varint; at least one byte.
void putVarint(std::string& out, std::uint64_t value);
/// Appends the tag of a field.
void putTag(std::string& out, std::uint32_t number, Type type);

} // namespace fivefold::frontends::onnx::wire
