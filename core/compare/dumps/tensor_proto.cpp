// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/readers.h"
#include "core/frontends/onnx/dtypes.h"
#include "core/frontends/onnx/external_data.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/frontends/onnx/wire.h"
#include "core/ir/element_codec.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace fivefold::compare::dumps {

namespace {

namespace proto = ::fivefold::onnx;
namespace wire = frontends::onnx::wire;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;

// Field numbers of TensorProto (onnx.proto).
constexpr std::uint32_t kDims = 1, kDataType = 2, kSegment = 3, kFloatData = 4, kInt32Data = 5,
                        kStringData = 6, kInt64Data = 7, kName = 8, kRawData = 9, kDoubleData = 10,
                        kUint64Data = 11, kDocString = 12, kExternalData = 13, kLocation = 14,
                        kMetadata = 16;
constexpr std::uint64_t kMostMessage = std::uint64_t(1) << 31; ///< protobuf's own limit
constexpr std::uint64_t kMostFields = 50'000'000;

bool isPayload(std::uint32_t field) {
    return (field >= kFloatData && field <= kInt64Data) || field == kRawData || field == kDoubleData
        || field == kUint64Data;
}

/// Wire types that a field may have; 0 for a field that a TensorProto has not.
bool isExpected(std::uint32_t field, wire::Type type) {
    switch (field) {
    case kDims:
    case kInt32Data:
    case kInt64Data:
    case kUint64Data:
        return type == wire::Type::Varint || type == wire::Type::Bytes;
    case kDataType:
    case kLocation:
        return type == wire::Type::Varint;
    case kFloatData:
        return type == wire::Type::Fixed32 || type == wire::Type::Bytes;
    case kDoubleData:
        return type == wire::Type::Fixed64 || type == wire::Type::Bytes;
    case kSegment:
    case kStringData:
    case kName:
    case kRawData:
    case kDocString:
    case kExternalData:
    case kMetadata:
        return type == wire::Type::Bytes;
    default:
        return false;
    }
}

/// The fields of a message without its payloads, which are only located.
struct Outline {
    std::string rest; ///< the message without payloads
    std::uint64_t rawBegin = 0, rawLength = 0;
    bool hasRaw = false;
    std::uint32_t typedField = 0; ///< 0: none
    std::uint64_t typedBytes = 0; ///< of their packed form or at least that
    bool hasSeveralTyped = false;
};

/// Walks the top level over a window of the source. Nullopt when it is no TensorProto.
class Walk {
public:
    explicit Walk(const ByteSource& source)
        : m_source(source) { }

    Result<std::optional<Outline>> run() {
        while (m_at < m_source.size()) {
            std::uint64_t tag = 0;
            const std::uint64_t begin = m_at;
            if (++m_fields > kMostFields || !varint(tag) || tag >> 3 > 20'000)
                return finished(false);
            const auto field = static_cast<std::uint32_t>(tag >> 3);
            const auto type = static_cast<wire::Type>(tag & 7);
            if (!isExpected(field, type) || !content(field, type, begin))
                return finished(false);
        }
        return finished(true);
    }

private:
    Result<std::optional<Outline>> finished(bool isProto) {
        if (m_error)
            return *m_error;
        return isProto ? std::optional(std::move(m_outline)) : std::nullopt;
    }

    bool byteAt(std::uint64_t at, std::uint8_t& value) {
        constexpr std::uint64_t kWindow = 4096;
        if (at < m_windowBegin || at >= m_windowBegin + m_window.size()) {
            auto piece = m_source.piece(at, kWindow);
            if (!piece) {
                m_error = piece.error();
                return false;
            }
            if (piece->empty())
                return false;
            m_window = std::move(*piece);
            m_windowBegin = at;
        }
        value = static_cast<std::uint8_t>(m_window[static_cast<std::size_t>(at - m_windowBegin)]);
        return true;
    }

    bool varint(std::uint64_t& value) {
        value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            std::uint8_t byte = 0;
            if (!byteAt(m_at, byte))
                return false;
            ++m_at;
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (!(byte & 0x80))
                return true;
        }
        return false;
    }

    bool content(std::uint32_t field, wire::Type type, std::uint64_t begin) {
        std::uint64_t length = type == wire::Type::Fixed32 ? 4 : 8, ignored = 0;
        if (type == wire::Type::Varint) {
            const std::uint64_t before = m_at;
            if (!varint(ignored))
                return false;
            length = m_at - before;
            m_at = before;
        } else if (type == wire::Type::Bytes && !varint(length)) {
            return false;
        }
        if (length > m_source.size() - m_at)
            return false;
        const std::uint64_t payload = m_at;
        m_at += length;
        if (isPayload(field)) {
            note(field, payload, length);
            return true;
        }
        constexpr std::uint64_t kMostRest = 1'000'000;
        if (field == kDocString || field == kMetadata)
            return true;
        if (m_outline.rest.size() + (m_at - begin) > kMostRest)
            return false;
        const auto bytes = m_source.piece(begin, m_at - begin);
        if (!bytes)
            return false;
        m_outline.rest.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        return true;
    }

    void note(std::uint32_t field, std::uint64_t begin, std::uint64_t length) {
        if (field == kRawData) { // of a field that is repeated by mistake, protobuf takes the last
            m_outline.hasRaw = true;
            m_outline.rawBegin = begin;
            m_outline.rawLength = length;
            return;
        }
        if (length == 0 && field != kStringData)
            return;
        m_outline.hasSeveralTyped |= m_outline.typedField != 0 && m_outline.typedField != field;
        m_outline.typedField = field;
        m_outline.typedBytes += length;
    }

    const ByteSource& m_source;
    Outline m_outline;
    std::uint64_t m_at = 0, m_fields = 0;
    std::vector<std::byte> m_window;
    std::uint64_t m_windowBegin = 0;
    std::optional<Error> m_error;
};

/// The typed field that holds elements of a type (comments of onnx.proto).
std::uint32_t typedField(DType dtype) {
    switch (dtype) {
    case DType::Float32:
    case DType::Complex64:
        return kFloatData;
    case DType::Float64:
    case DType::Complex128:
        return kDoubleData;
    case DType::Int64:
        return kInt64Data;
    case DType::UInt64:
    case DType::UInt32:
        return kUint64Data;
    case DType::String:
        return kStringData;
    default:
        return kInt32Data;
    }
}

template <typename List> std::vector<std::byte> rawBytes(const List& list) {
    const auto bytes = std::as_bytes(std::span(list.data(), static_cast<std::size_t>(list.size())));
    return {bytes.begin(), bytes.end()};
}

template <typename List> std::vector<std::byte> lowBytes(const List& list, DType dtype) {
    std::vector<std::byte> bytes;
    for (const auto value : list)
        ir::appendPacked(bytes, dtype, static_cast<std::uint64_t>(value));
    return bytes;
}

std::vector<std::byte> typedBytes(const proto::TensorProto& tensor, DType dtype) {
    switch (typedField(dtype)) {
    case kFloatData:
        return rawBytes(tensor.float_data());
    case kDoubleData:
        return rawBytes(tensor.double_data());
    case kInt64Data:
        return rawBytes(tensor.int64_data());
    case kUint64Data:
        return lowBytes(tensor.uint64_data(), dtype);
    default:
        return lowBytes(tensor.int32_data(), dtype);
    }
}

/// Reads elements from a typed field: the message is parsed whole.
Result<numerics::Tensor> readTyped(const ByteSource& source, const Placement& placement) {
    const auto bytes = source.piece(0, source.size());
    if (!bytes)
        return bytes.error();
    proto::TensorProto tensor;
    if (bytes->size() >= kMostMessage
        || !tensor.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())))
        return Error{ErrorCode::Malformed,
            "The file is no longer the tensor that it was; open the dump again.", source.name()};
    auto elements = typedBytes(tensor, placement.dtype);
    const std::int64_t count = elementCount(placement.shape);
    Placement inMemory = placement;
    inMemory.offset = 0;
    inMemory.isLoose = ir::bitWidth(placement.dtype) < 8 && count > 1
        && static_cast<std::int64_t>(elements.size()) == count;
    const auto needed = inMemory.isLoose ? count : ir::packedBytes(placement.dtype, count);
    if (static_cast<std::int64_t>(elements.size()) != needed)
        return Error{ErrorCode::Malformed,
            "The tensor has " + std::to_string(elements.size()) + " bytes of elements and needs "
                + std::to_string(needed) + " by its shape; write it again.",
            source.name()};
    return readTensor(*memorySource(std::move(elements), source.name()), inMemory);
}

class Reader {
public:
    Reader(Source source, const std::filesystem::path& path, const Context& context)
        : m_source(std::move(source))
        , m_path(path)
        , m_context(context)
        , m_listing("tensorproto", m_source->name(), context.limits) { }

    Result<Listing> read(const Outline& outline) {
        if (!m_tensor.ParseFromString(outline.rest))
            return malformed("The tensor's description cannot be parsed");
        DumpEntry entry;
        entry.name = m_tensor.name().empty() ? m_path.stem().string() : m_tensor.name();
        entry.shape.assign(m_tensor.dims().begin(), m_tensor.dims().end());
        const auto dtype = frontends::onnx::dtypeOfCode(m_tensor.data_type());
        if (!dtype || *dtype == DType::Undefined)
            return malformed(
                "The element type " + std::to_string(m_tensor.data_type()) + " is not known");
        entry.dtype = *dtype;
        if (auto done = add(std::move(entry), outline); !done)
            return done.error();
        return std::move(m_listing);
    }

private:
    Error malformed(std::string what) const {
        return {
            ErrorCode::Malformed, std::move(what) + "; write the tensor again.", m_source->name()};
    }

    Result<Done> add(DumpEntry entry, const Outline& outline) {
        const auto bytes = checkedBytes(
            entry.dtype, entry.shape, m_context.limits, "Tensor " + inQuotes(entry.name));
        if (!bytes)
            return Error{bytes.error().code, bytes.error().message, m_source->name()};
        if (entry.dtype == DType::String)
            return m_listing.addUnreadable(std::move(entry), "The tensor holds texts.",
                "Texts are not compared; dump the tensors of numbers.");
        if (m_tensor.has_segment())
            return malformed("The tensor is one segment of a larger one");
        const bool isExternal = m_tensor.data_location() == 1;
        if (isExternal + outline.hasRaw + (outline.typedField != 0) > 1 || outline.hasSeveralTyped)
            return malformed("The tensor's elements are given in more than one way");
        if (isExternal)
            return addExternal(std::move(entry), *bytes);
        if (outline.hasRaw)
            return addRaw(std::move(entry), outline, *bytes);
        return addTyped(std::move(entry), outline, *bytes);
    }

    Result<Done> addRaw(DumpEntry entry, const Outline& outline, std::uint64_t bytes) {
        if (outline.rawLength != bytes)
            return malformed("The tensor has " + std::to_string(outline.rawLength)
                + " bytes of elements and needs " + std::to_string(bytes) + " by its shape");
        return place(std::move(entry), m_source, outline.rawBegin);
    }

    Result<Done> place(DumpEntry entry, Source source, std::uint64_t offset) {
        Placement placement{entry.dtype, entry.shape, {}, offset};
        return m_listing.add(
            std::move(entry), [source = std::move(source), placement = std::move(placement)] {
                return readTensor(*source, placement);
            });
    }

    Result<Done> addTyped(DumpEntry entry, const Outline& outline, std::uint64_t bytes) {
        const std::int64_t count = elementCount(entry.shape);
        if (outline.typedField != 0 && outline.typedField != typedField(entry.dtype))
            return malformed("The tensor's elements are in a field of another type");
        // Every element takes a byte at least; those of fewer than 8 bits may share one.
        const auto least = std::min<std::uint64_t>(bytes, static_cast<std::uint64_t>(count));
        if (outline.typedBytes < least)
            return malformed("The tensor has " + std::to_string(outline.typedBytes) + " bytes for "
                + std::to_string(count) + " elements");
        Placement placement{entry.dtype, entry.shape};
        return m_listing.add(
            std::move(entry), [source = m_source, placement = std::move(placement)] {
                return readTyped(*source, placement);
            });
    }

    std::optional<std::uint64_t> externalNumber(const std::string& key, std::uint64_t absent) {
        for (const auto& item : m_tensor.external_data()) {
            if (item.key() != key)
                continue;
            std::uint64_t value = 0;
            const char* end = item.value().data() + item.value().size();
            const auto [parsed, error] = std::from_chars(item.value().data(), end, value);
            return error == std::errc() && parsed == end ? std::optional(value) : std::nullopt;
        }
        return absent;
    }

    Result<Done> addExternal(DumpEntry entry, std::uint64_t bytes) {
        std::string location;
        for (const auto& item : m_tensor.external_data())
            if (item.key() == "location")
                location = item.value();
        frontends::onnx::ExternalFiles files(m_path);
        const auto& file = files.find(location);
        if (file.state != frontends::onnx::ExternalState::Found)
            return m_listing.addUnreadable(std::move(entry), file.reason,
                "Put the file into the folder of the dump, with its bare name.");
        const auto offset = externalNumber("offset", 0);
        const auto length = externalNumber("length", bytes);
        if (!offset || !length || *length != bytes || *offset > file.size
            || bytes > file.size - *offset)
            return malformed("The place of the tensor in " + inQuotes(location)
                + " does not fit its shape or the file");
        auto source = fileSource(file.path, FileUse::Reopened);
        if (!source)
            return source.error();
        return place(std::move(entry), std::move(*source), *offset);
    }

    Source m_source;
    std::filesystem::path m_path;
    const Context& m_context;
    Listing m_listing;
    proto::TensorProto m_tensor;
};

} // namespace

Result<std::optional<Listing>> readTensorProto(
    const Source& source, const std::filesystem::path& path, const Context& context) {
    if (source->size() == 0)
        return std::optional<Listing>();
    auto outline = Walk(*source).run();
    if (!outline)
        return outline.error();
    if (!*outline)
        return std::optional<Listing>();
    proto::TensorProto description;
    if (!description.ParseFromString((*outline)->rest) || !description.has_data_type())
        return std::optional<Listing>();
    auto listing = Reader(source, path, context).read(**outline);
    if (!listing)
        return listing.error();
    return std::optional(std::move(*listing));
}

} // namespace fivefold::compare::dumps
