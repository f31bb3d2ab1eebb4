// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/json_tree.h"
#include "core/compare/dumps/readers.h"

#include <algorithm>
#include <cstring>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;

/// The cap of the reference library (huggingface/safetensors, MAX_HEADER_SIZE).
constexpr std::uint64_t kMostHeader = 100'000'000;
constexpr std::uint64_t kPrefix = 8;

std::optional<DType> typeOf(std::string_view name) {
    static constexpr std::pair<std::string_view, DType> kTypes[] = {{"F64", DType::Float64},
        {"F32", DType::Float32}, {"F16", DType::Float16}, {"BF16", DType::BFloat16},
        {"F8_E4M3", DType::Float8E4M3FN}, {"F8_E5M2", DType::Float8E5M2},
        {"F8_E8M0", DType::Float8E8M0}, {"F8_E4M3FNUZ", DType::Float8E4M3FNUZ},
        {"F8_E5M2FNUZ", DType::Float8E5M2FNUZ}, {"F4", DType::Float4E2M1}, {"I64", DType::Int64},
        {"I32", DType::Int32}, {"I16", DType::Int16}, {"I8", DType::Int8}, {"U64", DType::UInt64},
        {"U32", DType::UInt32}, {"U16", DType::UInt16}, {"U8", DType::UInt8}, {"BOOL", DType::Bool},
        {"C64", DType::Complex64}};
    for (const auto& [text, dtype] : kTypes)
        if (text == name)
            return dtype;
    return std::nullopt;
}

struct Range {
    std::uint64_t begin = 0, end = 0;
    std::string name;
};

class Reader {
public:
    Reader(Source source, const Context& context)
        : m_source(std::move(source))
        , m_context(context)
        , m_listing("safetensors", m_source->name(), context.limits) { }

    Result<Listing> read() {
        std::uint64_t length = 0;
        if (auto done = m_source->read(0, std::as_writable_bytes(std::span(&length, 1))); !done)
            return done.error();
        if (length > kMostHeader || length > m_source->size() - kPrefix)
            return malformed("The header claims " + std::to_string(length) + " bytes");
        m_dataBegin = kPrefix + length;
        m_dataSize = m_source->size() - m_dataBegin;
        const Source text = partOf(m_source, kPrefix, length, m_source->name());
        const auto header =
            readJson(*text, {m_context.limits.jsonDepth, 65'536, 12'000'000, false});
        if (!header)
            return header.error();
        if (!header->isObject())
            return malformed("The header is not an object");
        for (const JsonNode& node : header->items) {
            if (m_context.progress.isCancelled())
                return base::Progress::cancelled();
            if (node.key == "__metadata__")
                continue;
            if (auto done = add(node); !done)
                return done.error();
        }
        if (auto done = checkRanges(); !done)
            return done.error();
        return std::move(m_listing);
    }

private:
    Error malformed(std::string what) const {
        return {
            ErrorCode::Malformed, std::move(what) + "; write the file again.", m_source->name()};
    }

    Result<Done> add(const JsonNode& node) {
        const std::string what = "Tensor " + inQuotes(node.key);
        const auto type = node.textAt("dtype");
        const JsonNode* shape = node.find("shape");
        const JsonNode* offsets = node.find("data_offsets");
        if (!type || !shape || !shape->isArray() || !offsets || !offsets->isArray()
            || offsets->items.size() != 2)
            return malformed(what + " has no dtype, shape or data_offsets of the right form");
        DumpEntry entry;
        entry.name = node.key;
        for (const JsonNode& extent : shape->items) {
            if (extent.kind != JsonNode::Kind::Integer)
                return malformed(what + " has a shape that is not made of integers");
            entry.shape.push_back(extent.integer);
        }
        Range range{0, 0, node.key};
        for (const auto& [offset, target] : {std::pair(&offsets->items[0], &range.begin),
                 std::pair(&offsets->items[1], &range.end)}) {
            if (offset->kind != JsonNode::Kind::Integer || offset->integer < 0)
                return malformed(what + " has offsets that are not counts of bytes");
            *target = static_cast<std::uint64_t>(offset->integer);
        }
        if (range.begin > range.end || range.end > m_dataSize)
            return malformed(what + " lies at bytes " + std::to_string(range.begin) + " to "
                + std::to_string(range.end) + " of " + std::to_string(m_dataSize)
                + "; the file was cut or damaged");
        return place(std::move(entry), *type, std::move(range));
    }

    Result<Done> place(DumpEntry entry, const std::string& type, Range range) {
        const auto dtype = typeOf(type);
        m_ranges.push_back(range);
        if (!dtype)
            return m_listing.addUnreadable(std::move(entry),
                "The element type " + inQuotes(type) + " is not known.",
                "Save the tensor in a type that this version knows.");
        entry.dtype = *dtype;
        const auto bytes =
            checkedBytes(*dtype, entry.shape, m_context.limits, "Tensor " + inQuotes(entry.name));
        if (!bytes)
            return Error{bytes.error().code, bytes.error().message, m_source->name()};
        if (*bytes != range.end - range.begin)
            return malformed("Tensor " + inQuotes(entry.name) + " needs " + std::to_string(*bytes)
                + " bytes by its shape and has " + std::to_string(range.end - range.begin));
        Placement placement{*dtype, entry.shape, {}, m_dataBegin + range.begin};
        return m_listing.add(
            std::move(entry), [source = m_source, placement = std::move(placement)] {
                return readTensor(*source, placement);
            });
    }

    /// The tensors must tile the data: none overlaps another, nothing lies between or behind.
    Result<Done> checkRanges() {
        std::stable_sort(m_ranges.begin(), m_ranges.end(), [](const Range& a, const Range& b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        std::uint64_t covered = 0;
        for (const Range& range : m_ranges) {
            if (range.begin < covered)
                return malformed("Tensor " + inQuotes(range.name)
                    + " lies over the bytes of another; the file is damaged");
            if (range.begin > covered)
                return malformed(std::to_string(range.begin - covered) + " bytes before tensor "
                    + inQuotes(range.name) + " belong to none; the file is damaged");
            covered = range.end;
        }
        if (covered != m_dataSize)
            return malformed(std::to_string(m_dataSize - covered)
                + " bytes at the end belong to no tensor; the file is damaged");
        return Done{};
    }

    Source m_source;
    const Context& m_context;
    Listing m_listing;
    std::uint64_t m_dataBegin = 0, m_dataSize = 0;
    std::vector<Range> m_ranges;
};

} // namespace

bool isSafetensors(std::span<const std::byte> start, std::uint64_t size) {
    if (start.size() <= kPrefix)
        return false;
    std::uint64_t length = 0;
    std::memcpy(&length, start.data(), sizeof length);
    // A header that begins like one is read, and refused if it claims too much.
    return start[kPrefix] == std::byte{'{'} && length < std::uint64_t(1) << 48 && size > kPrefix;
}

Result<Listing> readSafetensors(const Source& source, const Context& context) {
    return Reader(source, context).read();
}

} // namespace fivefold::compare::dumps
