// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kMostHeader = 65'536; ///< NumPy itself trusts 10,000 bytes
constexpr std::uint64_t kPrefix = 12; ///< magic, version, the longer length field

Error malformed(const ByteSource& source, std::string what) {
    return {ErrorCode::Malformed,
        "The .npy header " + std::move(what) + "; write the array again with numpy.save.",
        source.name()};
}

/// The part of Python's literals that a header is made of: one dict with string keys whose values
/// are a string, True or False, or a tuple of integers. Anything else is "other" and named as is.
class Grammar {
public:
    explicit Grammar(std::string_view text)
        : m_text(text) { }

    struct Header {
        std::string_view descr;
        bool isDescrText = false;
        bool isColumnMajor = false;
        std::vector<std::int64_t> shape;
    };

    /// Empty on success, otherwise what is wrong.
    std::string parse(Header& header) {
        if (!take('{'))
            return "does not begin with a dictionary";
        bool seen[3] = {};
        while (!take('}')) {
            std::string_view key;
            if (!text(key) || !take(':'))
                return "has a key that is not a plain string";
            const std::string wrong = value(key, header, seen);
            if (!wrong.empty())
                return wrong;
            if (!take(',') && !isNext('}'))
                return "has no comma between two entries";
        }
        skip();
        if (m_at != m_text.size())
            return "goes on behind its dictionary";
        return seen[0] && seen[1] && seen[2] ? "" : "lacks descr, fortran_order or shape";
    }

private:
    std::string value(std::string_view key, Header& header, bool (&seen)[3]) {
        const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
        if (which < 0)
            return "has the unknown key " + inQuotes(key);
        if (std::exchange(seen[which], true))
            return "has the key " + inQuotes(key) + " twice";
        if (which == 0)
            return descr(header);
        if (which == 1)
            return boolean(header.isColumnMajor) ? "" : "has an order that is not True or False";
        return shape(header.shape) ? "" : "has a shape that is not a tuple of integers";
    }

    /// A string, or a list that describes a structure: that is skipped up to its end.
    std::string descr(Header& header) {
        if (text(header.descr)) {
            header.isDescrText = true;
            return {};
        }
        skip();
        const std::size_t begin = m_at;
        int depth = 0;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '\'' || c == '"') {
                std::string_view ignored;
                if (!text(ignored))
                    return "has a type whose text does not end";
                --m_at;
            } else if (c == '[' || c == '(') {
                ++depth;
            } else if ((c == ']' || c == ')') && --depth == 0) {
                header.descr = m_text.substr(begin, ++m_at - begin);
                return {};
            } else if (depth == 0) {
                break;
            }
        }
        return "has a type that is neither text nor a list";
    }

    bool boolean(bool& value) {
        for (const auto& [word, truth] : {std::pair("True", true), std::pair("False", false)})
            if (takeWord(word)) {
                value = truth;
                return true;
            }
        return false;
    }

    bool shape(std::vector<std::int64_t>& extents) {
        if (!take('('))
            return false;
        while (!take(')')) {
            std::int64_t extent = 0;
            skip();
            const char* begin = m_text.data() + m_at;
            const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), extent);
            if (error != std::errc() || extents.size() > 1000)
                return false;
            m_at += static_cast<std::size_t>(end - begin);
            (void)(m_at < m_text.size() && m_text[m_at] == 'L' && ++m_at); // Python 2's long
            extents.push_back(extent);
            if (!take(',') && !isNext(')'))
                return false;
        }
        return true;
    }

    bool text(std::string_view& value) {
        skip();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"'))
            return false;
        const std::size_t end = m_text.find(m_text[m_at], m_at + 1);
        if (end == std::string_view::npos)
            return false;
        value = m_text.substr(m_at + 1, end - m_at - 1);
        if (value.find('\\') != std::string_view::npos)
            return false;
        m_at = end + 1;
        return true;
    }

    void skip() {
        while (m_at < m_text.size() && std::strchr(" \t\n", m_text[m_at]) && m_text[m_at])
            ++m_at;
    }
    bool isNext(char c) {
        skip();
        return m_at < m_text.size() && m_text[m_at] == c;
    }
    bool take(char c) {
        if (!isNext(c))
            return false;
        ++m_at;
        return true;
    }
    bool takeWord(std::string_view word) {
        skip();
        if (m_text.substr(m_at, word.size()) != word)
            return false;
        m_at += word.size();
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

std::optional<DType> plainType(std::string_view kind) {
    static constexpr std::pair<std::string_view, DType> kTypes[] = {{"f2", DType::Float16},
        {"f4", DType::Float32}, {"f8", DType::Float64}, {"i1", DType::Int8}, {"i2", DType::Int16},
        {"i4", DType::Int32}, {"i8", DType::Int64}, {"u1", DType::UInt8}, {"u2", DType::UInt16},
        {"u4", DType::UInt32}, {"u8", DType::UInt64}, {"b1", DType::Bool}, {"c8", DType::Complex64},
        {"c16", DType::Complex128}};
    for (const auto& [name, dtype] : kTypes)
        if (name == kind)
            return dtype;
    return std::nullopt;
}

void setUnreadable(NpyHeader& header, std::string_view kind, std::string_view descr) {
    const char letter = kind.empty() ? '?' : kind.front();
    if (letter == 'O') {
        header.reason = "The array holds Python objects, which NumPy stores as a pickle; a pickle "
                        "may run code and is not read.";
        header.remedy = "Save it as an array of numbers.";
        return;
    }
    header.reason = "The element type " + inQuotes(descr) + " has no numbers to compare.";
    header.remedy = letter == 'V' ? "Cast it to float32 before saving, or use safetensors."
                                  : "Save it as an array of numbers.";
}

void setType(NpyHeader& header, const Grammar::Header& declared) {
    Placement& placement = header.placement;
    std::string_view kind = declared.descr;
    if (!declared.isDescrText) {
        header.reason = "The array is a structure of several fields.";
        header.remedy = "Save each field as an array of its own.";
        return;
    }
    if (!kind.empty() && std::string_view("<>|=").find(kind.front()) != std::string_view::npos) {
        placement.isBigEndian = kind.front() == '>';
        kind.remove_prefix(1);
    }
    if (const auto dtype = plainType(kind)) {
        placement.dtype = *dtype;
    } else if (kind == "V2") {
        placement.dtype = DType::BFloat16;
        header.assumption = "The array has NumPy's nameless two-byte type, as bfloat16 arrays have "
                            "when they are saved; its elements are taken as bfloat16.";
    } else if (kind == "V1") {
        placement.dtype = DType::Float8E4M3FN;
        header.assumption = "The array has NumPy's nameless one-byte type, as 8-bit float arrays "
                            "have when they are saved; its elements are taken as E4M3, and would "
                            "be wrong for E5M2.";
    } else {
        setUnreadable(header, kind, declared.descr);
    }
}

Result<Done> checkLength(
    const ByteSource& source, const NpyHeader& header, const DumpLimits& limits) {
    const auto& placement = header.placement;
    const auto bytes = checkedBytes(placement.dtype, placement.shape, limits, "The array");
    if (!bytes)
        return Error{bytes.error().code, bytes.error().message, source.name()};
    const std::uint64_t there = source.size() - placement.offset;
    if (!header.reason.empty() || there == *bytes)
        return Done{};
    return Error{ErrorCode::Malformed,
        "The array needs " + std::to_string(*bytes) + " bytes behind its header and "
            + std::to_string(there) + " are there; it was cut or damaged. Write it again.",
        source.name()};
}

} // namespace

bool isNpy(std::span<const std::byte> start) {
    return start.size() >= kMagic.size()
        && std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<NpyHeader> readNpyHeader(const ByteSource& source, const DumpLimits& limits) {
    const auto prefix = source.piece(0, kPrefix);
    if (!prefix)
        return prefix.error();
    const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>((*prefix)[i]); };
    if (!isNpy(*prefix) || prefix->size() < kPrefix)
        return malformed(source, "is cut off or missing");
    const std::uint64_t major = byte(6);
    if (major < 1 || major > 3 || byte(7) != 0)
        return malformed(source,
            "has the version " + std::to_string(major) + "." + std::to_string(byte(7))
                + ", which is not known");
    const std::uint64_t begin = major == 1 ? 10 : 12;
    const std::uint64_t length =
        byte(8) | byte(9) << 8 | (major == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
    if (length > kMostHeader || length > source.size() - std::min(begin, source.size()))
        return malformed(source, "claims " + std::to_string(length) + " bytes");
    const auto bytes = source.piece(begin, length);
    if (!bytes)
        return bytes.error();
    Grammar::Header declared;
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (std::string wrong = Grammar(text).parse(declared); !wrong.empty())
        return malformed(source, std::move(wrong));
    NpyHeader header;
    header.placement.shape = declared.shape;
    header.placement.offset = begin + length;
    setType(header, declared);
    if (auto done = checkLength(source, header, limits); !done)
        return done.error();
    if (declared.isColumnMajor && declared.shape.size() > 1)
        header.placement.strides = columnMajorStrides(declared.shape);
    return header;
}

Result<Done> addNpy(
    Listing& listing, const Source& source, DumpEntry entry, const DumpLimits& limits) {
    auto header = readNpyHeader(*source, limits);
    if (!header)
        return header.error();
    entry.dtype = header->placement.dtype;
    entry.shape = header->placement.shape;
    if (!header->reason.empty())
        return listing.addUnreadable(std::move(entry), header->reason, header->remedy);
    if (!header->assumption.empty())
        listing.diagnostics.warn(
            entry.dtype == DType::BFloat16 ? "dump.bfloat16_assumed" : "dump.float8_assumed",
            entry.name, header->assumption,
            "Save it as float32 or as safetensors, which name the type.");
    return listing.add(std::move(entry), [source, placement = std::move(header->placement)] {
        return readTensor(*source, placement);
    });
}

Result<std::string> npyHeader(DType dtype, const std::vector<std::int64_t>& shape) {
    static constexpr std::pair<DType, std::string_view> kTypes[] = {{DType::Float16, "<f2"},
        {DType::Float32, "<f4"}, {DType::Float64, "<f8"}, {DType::Int8, "|i1"},
        {DType::Int4, "|i1"}, {DType::Int2, "|i1"}, {DType::Int16, "<i2"}, {DType::Int32, "<i4"},
        {DType::Int64, "<i8"}, {DType::UInt8, "|u1"}, {DType::UInt4, "|u1"}, {DType::UInt2, "|u1"},
        {DType::UInt16, "<u2"}, {DType::UInt32, "<u4"}, {DType::UInt64, "<u8"},
        {DType::Bool, "|b1"}, {DType::BFloat16, "|V2"}};
    std::string_view descr = ir::isFloat(dtype) ? "|V1" : "";
    for (const auto& [type, name] : kTypes)
        if (type == dtype)
            descr = name;
    if (descr.empty())
        return Error{ErrorCode::Unsupported,
            "Tensors of type " + std::string(ir::name(dtype))
                + " cannot be written; write them as real numbers.",
            {}};
    std::string dict = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
    for (std::size_t i = 0; i < shape.size(); ++i)
        dict += std::to_string(shape[i])
            + (i + 1 < shape.size()     ? ", "
                    : shape.size() == 1 ? ","
                                        : "");
    dict += "), }";
    constexpr std::size_t kAlignment = 64; // numpy.lib.format
    dict.append((kAlignment - (10 + dict.size() + 1) % kAlignment) % kAlignment, ' ');
    dict += '\n';
    std::string header(kMagic);
    header +=
        {'\1', '\0', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
    return header + dict;
}

} // namespace fivefold::compare::dumps
