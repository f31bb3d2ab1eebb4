// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/listing.h"

#include <limits>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

class ListedDump final : public Dump {
public:
    ListedDump(Listing&& listing, std::string path) {
        m_format = std::move(listing.format);
        m_path = std::move(path);
        m_diagnostics = std::move(listing.diagnostics);
        for (Stored& stored : std::move(listing).take()) {
            m_entries.push_back(std::move(stored.entry));
            m_contents.push_back(std::move(stored.contents));
        }
        sortNames();
    }

    Result<numerics::Tensor> read(std::size_t entry) const override {
        if (entry >= m_contents.size())
            return Error{ErrorCode::InvalidArgument,
                "The dump has no entry " + std::to_string(entry) + ".", m_path};
        if (!m_contents[entry])
            return Error{ErrorCode::Unsupported,
                "The dump has figures of " + inQuotes(m_entries[entry].name)
                    + " and no contents; dump the tensor itself to compare elements.",
                m_path};
        auto tensor = [&]() -> Result<numerics::Tensor> {
            try {
                return m_contents[entry]();
            } catch (const std::bad_alloc&) {
                return Error{ErrorCode::Limit,
                    "There is not enough memory; close other programs or dump a smaller tensor.",
                    {}};
            }
        }();
        if (tensor)
            return tensor;
        Error error = tensor.error();
        error.message = inQuotes(m_entries[entry].name) + ": " + error.message;
        if (error.where.empty())
            error.where = m_path;
        return error;
    }

private:
    std::vector<Contents> m_contents;
};

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size() && i < 40; ++i)
        text += (i ? "," : "") + std::to_string(shape[i]);
    return text + "]";
}

std::string limitText(std::int64_t bytes) {
    return std::to_string(bytes) + " bytes";
}

} // namespace

std::string inQuotes(std::string_view name) {
    constexpr std::size_t kMost = 120;
    std::string text = "\"";
    for (const char c : name.substr(0, kMost))
        text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return text + (name.size() > kMost ? "…\"" : "\"");
}

Result<std::uint64_t> checkedBytes(ir::DType dtype, const std::vector<std::int64_t>& shape,
    const DumpLimits& limits, const std::string& what) {
    if (static_cast<std::int64_t>(shape.size()) > limits.rank)
        return Error{ErrorCode::Limit,
            what + " has " + std::to_string(shape.size()) + " axes, more than the "
                + std::to_string(limits.rank) + " that are read; the file is damaged.",
            {}};
    // Extents of zero do not excuse the others: each product of what comes before is formed.
    std::uint64_t elements = 1, nonZero = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            return Error{ErrorCode::Malformed,
                what + " has the shape " + shapeText(shape)
                    + " with a negative extent; write the dump again.",
                {}};
        const auto next = product(nonZero, extent ? static_cast<std::uint64_t>(extent) : 1);
        if (!next || *next > std::numeric_limits<std::int64_t>::max() / 128)
            return Error{ErrorCode::Limit,
                what + " has the shape " + shapeText(shape)
                    + ", more elements than any file holds; it is damaged.",
                {}};
        nonZero = *next;
        elements *= static_cast<std::uint64_t>(extent);
    }
    const auto bytes =
        static_cast<std::uint64_t>(ir::packedBytes(dtype, static_cast<std::int64_t>(elements)));
    if (bytes > static_cast<std::uint64_t>(limits.tensorBytes))
        return Error{ErrorCode::Limit,
            what + " has " + std::to_string(bytes) + " bytes, more than the limit of "
                + limitText(limits.tensorBytes) + " a tensor; dump a slice of it.",
            {}};
    return bytes;
}

Listing::Listing(std::string name, std::string where, const DumpLimits& limits)
    : format(std::move(name))
    , m_where(std::move(where))
    , m_limits(limits) { }

Error Listing::error(ErrorCode code, std::string message) const {
    return {code, std::move(message), m_where};
}

Result<Done> Listing::add(DumpEntry entry, Contents contents) {
    if (static_cast<std::int64_t>(entry.name.size()) > m_limits.nameBytes)
        return error(ErrorCode::Limit,
            "A tensor's name has " + std::to_string(entry.name.size())
                + " bytes, more than the limit of " + limitText(m_limits.nameBytes) + ": "
                + inQuotes(entry.name) + ".");
    if (entry.name.find('\0') != std::string::npos)
        return error(ErrorCode::Malformed,
            "The name " + inQuotes(entry.name) + " has a zero byte inside; write the dump again.");
    if (static_cast<std::int64_t>(m_entries.size()) >= m_limits.tensors)
        return error(ErrorCode::Limit,
            "The dump has more than " + std::to_string(m_limits.tensors)
                + " tensors, the most that are read; split it.");
    const auto bytes =
        checkedBytes(entry.dtype, entry.shape, m_limits, "Tensor " + inQuotes(entry.name));
    if (!bytes)
        return error(bytes.error().code, bytes.error().message);
    m_bytes += *bytes; // each at most 2^63 / 128, and at most 2^63 / 128 in all before
    if (m_bytes > static_cast<std::uint64_t>(m_limits.bytes))
        return error(ErrorCode::Limit,
            "The tensors of the dump together have more bytes than the limit of "
                + limitText(m_limits.bytes) + "; split the dump.");
    if (!m_names.insert(entry.name).second)
        return error(ErrorCode::Malformed,
            "The name " + inQuotes(entry.name)
                + " occurs twice, so it is not known which tensor is meant; give each its own "
                  "name.");
    entry.hasContents = static_cast<bool>(contents);
    m_entries.push_back({std::move(entry), std::move(contents)});
    return Done{};
}

Result<Done> Listing::addUnreadable(DumpEntry entry, std::string reason, std::string remedy) {
    const std::string name = entry.name;
    auto done = add(std::move(entry), {});
    if (!done)
        return done;
    diagnostics.warn("dump.unreadable", name, reason, remedy);
    Error error{ErrorCode::Unsupported, reason + " " + remedy, m_where};
    m_entries.back().contents = [error = std::move(error)]() -> Result<numerics::Tensor> {
        return error;
    };
    return done;
}

Result<std::shared_ptr<const Dump>> toDump(Listing&& listing, const std::filesystem::path& path) {
    if (listing.entries().empty())
        return Error{ErrorCode::Malformed,
            "The " + listing.format
                + " dump holds no tensor; choose another file, or write the dump again.",
            path.string()};
    return std::shared_ptr<const Dump>(
        std::make_shared<ListedDump>(std::move(listing), path.string()));
}

} // namespace fivefold::compare::dumps
