// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/pickle.h"
#include "core/compare/dumps/readers.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using Kind = PickleValue::Kind;

constexpr std::string_view kPickle = "data.pkl";

class Reader {
public:
    Reader(std::shared_ptr<const ZipArchive> archive, std::string stem, const Context& context)
        : m_archive(std::move(archive))
        , m_stem(std::move(stem))
        , m_context(context)
        , m_listing("pt", m_archive->name(), context.limits) { }

    Result<Listing> read() {
        if (auto done = findMembers(); !done)
            return done.error();
        if (auto done = checkByteOrder(); !done)
            return done.error();
        if (auto done = readValues(); !done)
            return done.error();
        if (auto done = walk(m_pickle.root, {}, 0); !done)
            return done.error();
        if (m_ignored > 0)
            m_listing.diagnostics.info("dump.values_ignored", {},
                std::to_string(m_ignored) + " values that are no tensors are not compared.",
                "Nothing needs to be done.");
        return std::move(m_listing);
    }

private:
    Error error(ErrorCode code, std::string message) const {
        return {code, std::move(message), m_archive->name()};
    }

    Result<Done> findMembers() {
        const auto& members = m_archive->members();
        const auto isPickle = [](const ZipArchive::Member& member) {
            return member.name == kPickle || member.name.ends_with("/" + std::string(kPickle));
        };
        const auto found = std::find_if(members.begin(), members.end(), isPickle);
        if (std::count_if(members.begin(), members.end(), isPickle) != 1)
            return error(ErrorCode::Malformed,
                "The archive has more than one data.pkl; write the dump again.");
        m_prefix = found->name.substr(0, found->name.size() - kPickle.size());
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (!members[i].name.starts_with(m_prefix))
                return error(ErrorCode::Malformed,
                    "The member " + inQuotes(members[i].name)
                        + " lies outside the folder of data.pkl; write the dump again.");
            m_members.emplace(members[i].name.substr(m_prefix.size()), i);
        }
        if (m_members.contains("constants.pkl"))
            return error(ErrorCode::Unsupported,
                "This is a TorchScript program, not a dump of tensors; save the tensors with "
                "torch.save.");
        return Done{};
    }

    Result<Done> checkByteOrder() const {
        const auto found = m_members.find("byteorder");
        if (found == m_members.end())
            return Done{};
        constexpr std::string_view kLittle = "little";
        const auto bytes = m_archive->member(found->second)->piece(0, 16);
        if (!bytes)
            return bytes.error();
        const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        if (text != kLittle)
            return error(ErrorCode::Unsupported,
                "The tensors are stored with the byte order " + inQuotes(text)
                    + "; save them on a little-endian machine.");
        return Done{};
    }

    Result<Done> readValues() {
        const std::size_t index = m_members.at(std::string(kPickle));
        const auto size = m_archive->members()[index].size;
        if (size > static_cast<std::uint64_t>(m_context.limits.pickleBytes))
            return error(ErrorCode::Limit,
                "data.pkl has " + std::to_string(size) + " bytes, more than the limit of "
                    + std::to_string(m_context.limits.pickleBytes) + "; split the dump.");
        const auto bytes = m_archive->member(index)->piece(0, size);
        if (!bytes)
            return bytes.error();
        auto pickle = readPickle(*bytes, m_context.limits, m_archive->name());
        if (!pickle)
            return pickle.error();
        m_pickle = std::move(*pickle);
        return Done{};
    }

    /// Visits containers to any depth up to the limit; `key` is what names the value so far.
    Result<Done> walk(std::uint32_t index, const std::string& key, std::int64_t depth) {
        if (++m_visits > m_context.limits.pickleOpcodes)
            return error(ErrorCode::Limit,
                "The values of the pickle refer to each other too often; save a plain dict of "
                "tensors.");
        if (depth > m_context.limits.jsonDepth)
            return error(ErrorCode::Limit,
                "The values are nested more than " + std::to_string(m_context.limits.jsonDepth)
                    + " deep; save a plain dict of tensors.");
        if (static_cast<std::int64_t>(key.size()) > m_context.limits.nameBytes)
            return error(ErrorCode::Limit,
                "A key has more than " + std::to_string(m_context.limits.nameBytes)
                    + " bytes: " + inQuotes(key) + ".");
        const PickleValue& value = m_pickle.values[index];
        switch (value.kind) {
        case Kind::Tensor:
            return addTensor(value, key.empty() ? m_stem : key);
        case Kind::Dict:
            return walkDict(value, key, depth);
        case Kind::List:
        case Kind::Tuple:
            for (std::size_t i = 0; i < value.items.size(); ++i)
                if (auto done = walk(value.items[i], joined(key, std::to_string(i)), depth + 1);
                    !done)
                    return done;
            return Done{};
        default:
            ++m_ignored;
            return Done{};
        }
    }

    Result<Done> walkDict(const PickleValue& dict, const std::string& key, std::int64_t depth) {
        for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
            const PickleValue& name = m_pickle.values[dict.items[i]];
            std::string part;
            if (name.kind == Kind::Text)
                part = name.text;
            else if (name.kind == Kind::Integer)
                part = std::to_string(name.integer);
            else
                return error(ErrorCode::Unsupported,
                    "A dictionary has a key that is neither text nor integer; use texts as keys.");
            if (auto done = walk(dict.items[i + 1], joined(key, part), depth + 1); !done)
                return done;
        }
        return Done{};
    }

    static std::string joined(const std::string& key, const std::string& part) {
        return key.empty() ? part : key + "." + part;
    }

    Result<Done> addTensor(const PickleValue& tensor, const std::string& key) {
        const PickleValue& storage = m_pickle.values[tensor.storage];
        const std::string what = "Tensor " + inQuotes(key);
        const auto found = m_members.find("data/" + storage.text);
        if (found == m_members.end())
            return error(ErrorCode::Malformed,
                what + " refers to the storage " + inQuotes(storage.text)
                    + ", which the archive lacks; write the dump again.");
        const auto width = static_cast<std::uint64_t>(ir::bitWidth(tensor.dtype) / 8);
        const auto needed = product(static_cast<std::uint64_t>(storage.integer), width);
        const auto there = m_archive->members()[found->second].size;
        if (!needed || *needed != there)
            return error(ErrorCode::Malformed,
                what + " lies in a storage of " + std::to_string(storage.integer)
                    + " elements, and " + std::to_string(there)
                    + " bytes are there; the file was cut or damaged. Write the dump again.");
        DumpEntry entry;
        entry.name = key;
        entry.dtype = tensor.dtype;
        entry.shape = tensor.shape;
        const auto bytes = checkedBytes(tensor.dtype, tensor.shape, m_context.limits, what);
        if (!bytes)
            return error(bytes.error().code, bytes.error().message);
        if (!isInside(tensor, storage.integer))
            return error(ErrorCode::Malformed,
                what + " reaches beyond its storage of " + std::to_string(storage.integer)
                    + " elements; the file is damaged. Write the dump again.");
        Placement placement{tensor.dtype, tensor.shape, tensor.strides,
            static_cast<std::uint64_t>(tensor.integer) * width};
        const auto span = checkedBytes(
            tensor.dtype, {elementSpan(placement)}, m_context.limits, what + " with its gaps");
        if (!span)
            return error(span.error().code, span.error().message);
        return m_listing.add(std::move(entry),
            [source = m_archive->member(found->second), placement = std::move(placement)] {
                return readTensor(*source, placement);
            });
    }

    /// Whether every index stays below the number of elements.
    static bool isInside(const PickleValue& tensor, std::int64_t elements) {
        auto last = static_cast<std::uint64_t>(tensor.integer);
        bool isEmpty = false;
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
            if (tensor.shape[i] == 0) {
                isEmpty = true;
                continue;
            }
            const auto step = product(static_cast<std::uint64_t>(tensor.shape[i] - 1),
                static_cast<std::uint64_t>(tensor.strides[i]));
            if (!step || __builtin_add_overflow(last, *step, &last))
                return false;
        }
        const auto count = static_cast<std::uint64_t>(elements);
        return isEmpty ? static_cast<std::uint64_t>(tensor.integer) <= count : last < count;
    }

    std::shared_ptr<const ZipArchive> m_archive;
    std::string m_stem;
    const Context& m_context;
    Listing m_listing;
    std::string m_prefix;
    std::unordered_map<std::string, std::size_t> m_members;
    Pickle m_pickle;
    std::int64_t m_visits = 0;
    std::int64_t m_ignored = 0;
};

} // namespace

bool isTorchArchive(const ZipArchive& archive) {
    return std::any_of(
        archive.members().begin(), archive.members().end(), [](const ZipArchive::Member& member) {
            return member.name == kPickle || member.name.ends_with("/" + std::string(kPickle));
        });
}

Result<Listing> readTorch(const std::shared_ptr<const ZipArchive>& archive, const std::string& stem,
    const Context& context) {
    return Reader(archive, stem, context).read();
}

} // namespace fivefold::compare::dumps
