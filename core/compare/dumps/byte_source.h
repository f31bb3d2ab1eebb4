// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fivefold::compare::dumps {

/// Bytes of known number that are read piece by piece; nothing is kept in memory that was not asked
/// for. Read from one thread at a time.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;
    /// Fills `into` from `offset`; an Error when the source ends before or cannot be read.
    virtual base::Result<base::Done> read(
        std::uint64_t offset, std::span<std::byte> into) const = 0;
    /// Names the source in errors.
    virtual std::string name() const = 0;

    /// At most `length` bytes from `offset`, fewer at the end of the source.
    base::Result<std::vector<std::byte>> piece(std::uint64_t offset, std::uint64_t length) const;
};

using Source = std::shared_ptr<const ByteSource>;

/// A regular file. KeptOpen: one descriptor as long as the source lives; Reopened: none between
/// reads (for folders of many files), and a file that was replaced meanwhile is refused.
enum class FileUse { KeptOpen, Reopened };
base::Result<Source> fileSource(const std::filesystem::path& path, FileUse use = FileUse::KeptOpen);
Source memorySource(std::vector<std::byte> bytes, std::string name);
/// A part of another source; requires offset + length ≤ its size.
Source partOf(Source whole, std::uint64_t offset, std::uint64_t length, std::string name);

/// a · b, nullopt beyond 64 bits.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b);

} // namespace fivefold::compare::dumps
