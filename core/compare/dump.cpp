// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dump.h"

#include "core/compare/dumps/npy.h"
#include "core/compare/dumps/readers.h"

#include <algorithm>
#include <numeric>

namespace fivefold::compare {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using numerics::Tensor;

class TensorsInMemory final : public Dump {
public:
    TensorsInMemory(std::vector<std::pair<std::string, Tensor>> tensors, std::string format) {
        m_format = std::move(format);
        for (auto& [name, tensor] : tensors) {
            DumpEntry entry;
            entry.name = std::move(name);
            entry.dtype = tensor.dtype();
            entry.shape = tensor.shape();
            entry.hasContents = tensor.isDefined();
            m_entries.push_back(std::move(entry));
            m_tensors.push_back(std::move(tensor));
        }
        sortNames();
    }

    Result<Tensor> read(std::size_t entry) const override {
        if (entry >= m_tensors.size() || !m_tensors[entry].isDefined())
            return Error{ErrorCode::InvalidArgument,
                "There is no tensor " + std::to_string(entry) + " among those computed.", {}};
        return m_tensors[entry];
    }

private:
    std::vector<Tensor> m_tensors;
};

Result<dumps::Listing> readAny(const std::filesystem::path& path, const dumps::Context& context) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        const auto source = dumps::fileSource(path);
        return source ? dumps::readFile(*source, path, context)
                      : Result<dumps::Listing>(source.error());
    }
    for (const auto reader : {dumps::readTtnn, dumps::readMsprobe}) {
        auto listing = reader(path, context);
        if (!listing)
            return listing.error();
        if (*listing)
            return std::move(**listing);
    }
    return dumps::readFolder(path, context);
}

} // namespace

void Dump::sortNames() {
    m_byName.resize(m_entries.size());
    std::iota(m_byName.begin(), m_byName.end(), std::size_t(0));
    std::stable_sort(m_byName.begin(), m_byName.end(),
        [this](std::size_t a, std::size_t b) { return m_entries[a].name < m_entries[b].name; });
}

std::optional<std::size_t> Dump::find(std::string_view name) const {
    const auto found = std::lower_bound(m_byName.begin(), m_byName.end(), name,
        [this](std::size_t entry, std::string_view key) { return m_entries[entry].name < key; });
    if (found == m_byName.end() || m_entries[*found].name != name)
        return std::nullopt;
    return *found;
}

Result<std::shared_ptr<const Dump>> openDump(
    const std::filesystem::path& path, const DumpLimits& limits, const base::Progress& progress) {
    try {
        auto listing = readAny(path, dumps::Context{limits, progress});
        if (!listing)
            return listing.error();
        return dumps::toDump(std::move(*listing), path);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Limit,
            "There is not enough memory to list the dump; close other programs or split it.",
            path.string()};
    } catch (const std::filesystem::filesystem_error& error) {
        return Error{ErrorCode::Unreadable,
            "The folder cannot be read: " + error.code().message() + "; check its permissions.",
            path.string()};
    }
}

std::shared_ptr<const Dump> dumpOf(
    std::vector<std::pair<std::string, Tensor>> tensors, std::string format) {
    return std::make_shared<TensorsInMemory>(std::move(tensors), std::move(format));
}

Result<Done> writeNpz(
    const std::filesystem::path& path, const std::vector<std::pair<std::string, Tensor>>& tensors) {
    std::vector<dumps::NewMember> members;
    for (const auto& [name, given] : tensors) {
        const bool isWidened = given.dtype() == ir::DType::Float4E2M1
            || given.dtype() == ir::DType::Float8E8M0; // a nameless byte would be taken for E4M3
        const Tensor tensor = isWidened ? given.retyped(ir::DType::Float32) : given;
        auto header = dumps::npyHeader(tensor.dtype(), tensor.shape());
        if (!header || !tensor.isDefined() || tensor.as<std::string>())
            return Error{ErrorCode::Unsupported,
                "Tensor " + dumps::inQuotes(name) + " of type "
                    + std::string(ir::name(tensor.dtype()))
                    + " cannot be written to a .npz; write it as real numbers.",
                path.string()};
        const int width = std::max(ir::bitWidth(tensor.dtype()), 8);
        const std::uint64_t size =
            header->size() + static_cast<std::uint64_t>(tensor.size()) * (width / 8);
        members.push_back({name + ".npy", size, [header = std::move(*header), tensor] {
                               auto bytes = *dumps::encodeElements(tensor);
                               const auto* text = reinterpret_cast<const std::byte*>(header.data());
                               bytes.insert(bytes.begin(), text, text + header.size());
                               return bytes;
                           }});
    }
    return dumps::writeZip(path, std::move(members));
}

} // namespace fivefold::compare
