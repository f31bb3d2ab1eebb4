// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace fivefold::frontends::onnx {

enum class ExternalState : std::uint8_t {
    Found,
    Missing, ///< no such file, or not a regular one
    Refused, ///< absolute, leads out of the model's folder, or no usable path
};

struct ExternalFile {
    ExternalState state = ExternalState::Missing;
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::string reason; ///< a sentence, when not Found
};

/// Finds files of external data beside a model. A location is relative to the model's folder and
/// may not leave it: not by being absolute, not by "..", not through a symbolic link. Each is
/// looked up once.
class ExternalFiles {
public:
    explicit ExternalFiles(const std::filesystem::path& model);
    const ExternalFile& find(const std::string& location);

private:
    ExternalFile look(const std::string& location) const;

    std::filesystem::path m_folder;
    std::map<std::string, ExternalFile> m_files;
};

} // namespace fivefold::frontends::onnx
