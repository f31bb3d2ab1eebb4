// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace fivefold::base {

/// SHA-256 digest (FIPS 180-4) of a file's content as 64 lower-case hexadecimal digits, read in
/// pieces of 1 MiB. Fails when the file cannot be read or the work was cancelled.
Result<std::string> sha256OfFile(const std::filesystem::path& path, const Progress& progress = {});

} // namespace fivefold::base
