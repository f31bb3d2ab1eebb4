// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace fivefold::base {

/// SHA-256 (FIPS 180-4), fed in pieces.
class Sha256 {
public:
    void update(std::span<const std::byte> bytes);
    /// The digest of all bytes so far as 64 lower-case hexadecimal digits. Ends the computation.
    std::string finish();

private:
    void block(const std::byte* data);

    std::array<std::uint32_t, 8> m_state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> m_buffer{};
    std::size_t m_buffered = 0;
    std::uint64_t m_total = 0;
};

/// Digest of a file's content, read in pieces of 1 MiB. Fails when it cannot be read or was
/// cancelled.
Result<std::string> sha256OfFile(const std::filesystem::path& path, const Progress& progress = {});

} // namespace fivefold::base
