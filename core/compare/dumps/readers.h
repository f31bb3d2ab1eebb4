// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/zip_archive.h"

namespace fivefold::compare::dumps {

// One function a format. Each is given bytes that look like its own and returns what they hold, or
// an Error in a sentence. `stem` names a single tensor that has no name of its own.

base::Result<Listing> readNpy(
    const Source& source, const std::string& stem, const Context& context);
base::Result<Listing> readNpz(
    const std::shared_ptr<const ZipArchive>& archive, const Context& context);

/// Any format that is one file, by its first bytes.
base::Result<Listing> readFile(
    const Source& source, const std::string& stem, const Context& context);

} // namespace fivefold::compare::dumps
