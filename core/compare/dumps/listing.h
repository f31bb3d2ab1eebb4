// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dump.h"
#include "core/compare/dumps/elements.h"

#include <functional>
#include <unordered_set>

namespace fivefold::compare::dumps {

/// Reads the contents of one entry. May be called more than once, from one thread at a time.
using Contents = std::function<base::Result<numerics::Tensor>()>;

struct Stored {
    DumpEntry entry;
    Contents contents; ///< empty where the entry has none
};

/// What every reader is given: the limits, and how it learns that it should stop.
struct Context {
    const DumpLimits& limits;
    const base::Progress& progress;
};

/// The entries that a reader finds, checked against the limits as they come: number, bytes of each
/// and of all, ranks, names, keys that occur twice.
class Listing {
public:
    Listing(std::string format, std::string where, const DumpLimits& limits);

    /// Shape and name are checked here: an Error ends the reading of this dump. `where` of the
    /// error is the dump, or the entry's file.
    base::Result<base::Done> add(DumpEntry entry, Contents contents);
    /// An entry that is listed and cannot be read: reported, with the reason as its Error.
    base::Result<base::Done> addUnreadable(DumpEntry entry, std::string reason, std::string remedy);

    std::string format;
    base::Diagnostics diagnostics;
    const std::vector<Stored>& entries() const { return m_entries; }
    std::vector<Stored> take() && { return std::move(m_entries); }

private:
    base::Error error(base::ErrorCode code, std::string message) const;

    std::string m_where;
    DumpLimits m_limits;
    std::vector<Stored> m_entries;
    std::unordered_set<std::string> m_names;
    std::uint64_t m_bytes = 0;
};

/// Bytes that a tensor of this type and shape takes, after all checks of rank, extents and size;
/// `what` names it in the Error.
base::Result<std::uint64_t> checkedBytes(ir::DType dtype, const std::vector<std::int64_t>& shape,
    const DumpLimits& limits, const std::string& what);

/// A name shortened for a sentence, with what is not printable replaced.
std::string inQuotes(std::string_view name);

/// The dump of a listing. An Error when nothing is listed.
base::Result<std::shared_ptr<const Dump>> toDump(
    Listing&& listing, const std::filesystem::path& path);

} // namespace fivefold::compare::dumps
