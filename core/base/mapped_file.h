// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace fivefold::base {

/// A regular file mapped read-only into memory: only pages that are touched take memory, so a file
/// may be larger than the machine. Move-only. The file must not be shortened while it is mapped.
class MappedFile {
public:
    /// Fails with a sentence for what is missing, a directory, a device or not readable. An empty
    /// file maps to no bytes.
    static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile() = default;
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

private:
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

/// Reads `length` bytes from `offset` of a regular file. Fails when the file is shorter than
/// offset + length; nothing is allocated before that is known.
Result<std::vector<std::byte>> readRegion(
    const std::filesystem::path& path, std::uint64_t offset, std::uint64_t length);

} // namespace fivefold::base
