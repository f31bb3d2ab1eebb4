// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/wire.h"

namespace fivefold::frontends::onnx::wire {

Step Cursor::varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (m_at == m_end)
            return Step::Cut;
        const auto byte = static_cast<std::uint64_t>(m_bytes[m_at++]);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return Step::Field;
    }
    return Step::Invalid;
}

Step Cursor::next(Field& field) {
    if (m_at == m_end)
        return Step::End;
    field = {};
    field.begin = m_at;
    std::uint64_t tag = 0;
    if (const Step step = varint(tag); step != Step::Field)
        return step;
    if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) // 29 bits: the largest field number of protobuf
        return Step::Invalid;
    field.number = static_cast<std::uint32_t>(tag >> 3);
    field.type = static_cast<Type>(tag & 7);
    field.payload = m_at;
    switch (field.type) {
    case Type::Varint:
        if (const Step step = varint(field.varint); step != Step::Field)
            return step;
        field.length = m_at - field.payload;
        return Step::Field;
    case Type::Fixed64:
        field.length = 8;
        break;
    case Type::Fixed32:
        field.length = 4;
        break;
    case Type::Bytes:
        if (const Step step = varint(field.length); step != Step::Field)
            return step;
        field.payload = m_at;
        break;
    default:
        return Step::Invalid;
    }
    field.isOverrun = field.length > m_end - m_at;
    m_at = field.isOverrun ? m_end : m_at + static_cast<std::size_t>(field.length);
    return Step::Field;
}

std::string_view text(std::span<const std::byte> bytes, const Field& field) {
    return {reinterpret_cast<const char*>(bytes.data()) + field.payload,
        static_cast<std::size_t>(field.length)};
}

void putVarint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    out += static_cast<char>(value);
}

void putTag(std::string& out, std::uint32_t number, Type type) {
    putVarint(out, std::uint64_t(number) << 3 | static_cast<std::uint64_t>(type));
}

} // namespace fivefold::frontends::onnx::wire
