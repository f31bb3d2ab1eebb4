// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/listing.h"

namespace fivefold::compare::dumps {

/// What the header of a .npy file declares (numpy.lib.format, versions 1.0 to 3.0).
struct NpyHeader {
    Placement placement;
    /// Why the elements cannot be read (object arrays hold a pickle, structured types, text), with
    /// what would mend it; both empty where they can.
    std::string reason, remedy;
    /// The type is not NumPy's own (`V2`, `V1`): what it was taken for, as a sentence.
    std::string assumption;
};

bool isNpy(std::span<const std::byte> start);

/// Reads the header alone. Elements that lie behind the end of the source are an Error, as are
/// bytes behind the elements.
base::Result<NpyHeader> readNpyHeader(const ByteSource& source, const DumpLimits& limits);

/// Adds the array of a .npy source as one entry; name and role are those of `entry`.
base::Result<base::Done> addNpy(
    Listing& listing, const Source& source, DumpEntry entry, const DumpLimits& limits);

/// Header of version 1.0 for little-endian row-major elements.
base::Result<std::string> npyHeader(ir::DType dtype, const std::vector<std::int64_t>& shape);

} // namespace fivefold::compare::dumps
