// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/npy.h"
#include "core/compare/dumps/readers.h"

namespace fivefold::compare::dumps {

using base::Result;

Result<Listing> readNpy(const Source& source, const std::string& stem, const Context& context) {
    Listing listing("npy", source->name(), context.limits);
    DumpEntry entry;
    entry.name = stem;
    if (auto done = addNpy(listing, source, std::move(entry), context.limits); !done)
        return done.error();
    return listing;
}

Result<Listing> readNpz(const std::shared_ptr<const ZipArchive>& archive, const Context& context) {
    constexpr std::string_view kEnding = ".npy";
    Listing listing("npz", archive->name(), context.limits);
    for (std::size_t i = 0; i < archive->members().size(); ++i) {
        if (context.progress.isCancelled())
            return base::Progress::cancelled();
        const std::string& member = archive->members()[i].name;
        if (!member.ends_with(kEnding)) {
            listing.diagnostics.info("dump.member_ignored", member,
                "A member that is no array is not read.", "Nothing needs to be done.");
            continue;
        }
        DumpEntry entry;
        entry.name = member.substr(0, member.size() - kEnding.size());
        entry.file = member;
        if (auto done = addNpy(listing, archive->member(i), std::move(entry), context.limits);
            !done)
            return done.error();
    }
    return listing;
}

} // namespace fivefold::compare::dumps
