// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fivefold::tests {

/// Gives bytes to the reader of a dump format ("npy", "npz", "safetensors", "pt", "tensorproto",
/// "polygraphy", "msprobe", "ttnn") under small limits and reads every tensor that is listed.
/// Empty when the dump opened, otherwise the sentence. Ends the program when a promise is broken:
/// an error without a sentence, contents that differ from what was declared, more than the limits
/// allow.
std::string exerciseDump(std::string_view format, std::span<const std::byte> bytes);

} // namespace fivefold::tests
