// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/listing.h"

namespace fivefold::compare::dumps {

bool isZip(std::span<const std::byte> start);

/// A zip archive, read only. Members are stored or deflated, neither encrypted nor named twice, and
/// declare no size that their packed bytes could not hold; anything else is refused on opening.
/// Nothing is unpacked to disk and no name becomes a path. Sums are checked when a member is read
/// to its end.
class ZipArchive : public std::enable_shared_from_this<ZipArchive> {
public:
    struct Member {
        std::string name;
        std::uint64_t size = 0; ///< unpacked, declared
        bool isStored = true;
    };
    static base::Result<std::shared_ptr<const ZipArchive>> open(
        Source source, const DumpLimits& limits);
    virtual ~ZipArchive() = default;

    const std::vector<Member>& members() const { return m_members; } ///< in the archive's order
    /// Reads of a part unpack what lies before it too.
    virtual Source member(std::size_t index) const = 0;
    virtual std::string name() const = 0; ///< of the source

protected:
    std::vector<Member> m_members;
};

/// What a new archive holds: bytes are asked for one member after the other.
struct NewMember {
    std::string name;
    std::uint64_t size = 0;
    std::function<std::vector<std::byte>()> bytes;
};
/// Writes an archive of stored members with fixed dates, so that the same members give the same
/// file; a file that was there is replaced as a whole, or left as it was on an Error.
base::Result<base::Done> writeZip(
    const std::filesystem::path& path, std::vector<NewMember> members);

} // namespace fivefold::compare::dumps
