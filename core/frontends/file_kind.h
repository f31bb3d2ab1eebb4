// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace fivefold::frontends {

/// What a file looks like, from its first bytes, as a noun phrase for an error message: "a PNG
/// image", "a ZIP archive (as .pt2, .pt and .npz files are)", "plain text", "binary data of an
/// unknown format".
std::string fileKind(std::span<const std::byte> head);

} // namespace fivefold::frontends
