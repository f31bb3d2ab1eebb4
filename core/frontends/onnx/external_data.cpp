// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/external_data.h"

#include <algorithm>
#include <system_error>

namespace fivefold::frontends::onnx {

namespace fs = std::filesystem;

namespace {

/// True when the path's components begin with those of the folder.
bool isInside(const fs::path& path, const fs::path& folder) {
    const auto [inFolder, inPath] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return inFolder == folder.end() && inPath != path.end();
}

ExternalFile refused(const std::string& location, const std::string& why) {
    return {ExternalState::Refused, {}, 0,
        "External data \"" + location + "\" is refused: " + why
            + "; only files in the model's own folder are read."};
}

} // namespace

ExternalFiles::ExternalFiles(const fs::path& model) {
    std::error_code error;
    m_folder = fs::weakly_canonical(fs::absolute(model, error).parent_path(), error);
}

const ExternalFile& ExternalFiles::find(const std::string& location) {
    const auto [found, isNew] = m_files.try_emplace(location);
    if (isNew)
        found->second = look(location);
    return found->second;
}

ExternalFile ExternalFiles::look(const std::string& location) const {
    if (location.empty() || location.find('\0') != std::string::npos)
        return refused(location, "it names no file");
    std::string portable = location;
    std::replace(portable.begin(), portable.end(), '\\', '/');
    const bool hasDrive = portable.size() > 1 && portable[1] == ':';
    if (portable.front() == '/' || hasDrive)
        return refused(location, "it is an absolute path");
    const fs::path relative(portable);
    if (std::find(relative.begin(), relative.end(), "..") != relative.end())
        return refused(location, "it leads out of the model's folder");
    std::error_code error;
    fs::path path = m_folder / fs::path(location);
    if (!fs::exists(path, error))
        path = m_folder / relative;
    if (!fs::is_regular_file(path, error))
        return {ExternalState::Missing, path, 0,
            "The file of external data \"" + location + "\" is not beside the model."};
    const fs::path real = fs::canonical(path, error);
    if (error || !isInside(real, m_folder))
        return refused(location, "it is a link to a file outside the model's folder");
    const auto size = fs::file_size(real, error);
    if (error)
        return {ExternalState::Missing, path, 0,
            "The file of external data \"" + location + "\" cannot be read."};
    return {ExternalState::Found, real, size, {}};
}

} // namespace fivefold::frontends::onnx
