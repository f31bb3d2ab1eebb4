// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/folder_files.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fivefold::compare::dumps {

namespace {

namespace fs = std::filesystem;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kDeepestFolder = 16;

/// A tensor on the way to its key.
struct Found {
    std::string folder; ///< below the root, with a slash at its end unless empty
    std::string file; ///< name without its ending
    std::string whole; ///< name with its ending
    bool isProto = false;
    Stored stored;
};

class Reader {
public:
    Reader(fs::path root, const Context& context)
        : m_root(std::move(root))
        , m_context(context)
        , m_listing("folder", m_root.string(), context.limits) { }

    Result<Listing> read() {
        if (auto done = collect(m_root, "", 0); !done)
            return done.error();
        const bool areProtos = !m_found.empty()
            && std::all_of(
                m_found.begin(), m_found.end(), [](const Found& found) { return found.isProto; });
        if (areProtos)
            m_listing.format = "tensorproto";
        const auto keys = areProtos ? protoKeys() : fileKeys();
        for (std::size_t i = 0; i < m_found.size(); ++i)
            if (auto done = add(std::move(m_found[i]), keys[i]); !done)
                return done.error();
        return std::move(m_listing);
    }

private:
    Result<Done> collect(const fs::path& folder, const std::string& below, std::size_t depth) {
        std::vector<fs::directory_entry> entries;
        std::error_code error;
        for (fs::directory_iterator it(folder, error), end; !error && it != end;
             it.increment(error)) {
            if (static_cast<std::int64_t>(entries.size() + m_seen) > 2 * m_context.limits.tensors)
                return Error{ErrorCode::Limit,
                    "The folder holds more files than tensors are read ("
                        + std::to_string(m_context.limits.tensors) + "); split it.",
                    m_root.string()};
            entries.push_back(*it);
        }
        if (error)
            return Error{ErrorCode::Unreadable,
                "The folder cannot be listed: " + error.message() + "; check its permissions.",
                folder.string()};
        m_seen += entries.size();
        std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            return naturallyLess(a.path().filename().string(), b.path().filename().string());
        });
        for (const auto& entry : entries) {
            if (m_context.progress.isCancelled())
                return base::Progress::cancelled();
            auto done = entry.is_directory(error) ? addFolder(entry, below, depth)
                                                  : addFile(entry.path(), below);
            if (!done)
                return done;
        }
        return Done{};
    }

    Result<Done> addFolder(
        const fs::directory_entry& entry, const std::string& below, std::size_t depth) {
        const std::string name = entry.path().filename().string();
        std::error_code error;
        if (entry.is_symlink(error) || depth >= kDeepestFolder) {
            m_listing.diagnostics.warn("dump.folder_refused", below + name,
                entry.is_symlink(error) ? "A link to a folder is not followed."
                                        : "Folders this deep are not read.",
                "Copy the files into the folder of the dump.");
            return Done{};
        }
        return collect(entry.path(), below + name + "/", depth + 1);
    }

    Result<Done> addFile(const fs::path& path, const std::string& below) {
        const std::string name = path.filename().string();
        const auto check = checkInside(path, m_root);
        if (!check.isThere) {
            m_listing.diagnostics.warn("dump.file_refused", below + name,
                "The file is not read: "
                    + (check.refusal.empty() ? "it leads nowhere" : check.refusal) + ".",
                "Copy the file itself into the folder of the dump.");
            return Done{};
        }
        const auto source = fileSource(path, FileUse::Reopened);
        if (!source)
            return unreadable(name, below, source.error());
        auto listing = readFile(*source, path, m_context);
        if (!listing)
            return unreadable(name, below, listing.error());
        m_listing.diagnostics.append(listing->diagnostics);
        const bool isProto = listing->format == "tensorproto";
        const bool isOne = listing->entries().size() == 1;
        for (Stored& stored : std::move(*listing).take()) {
            Found found{below, path.stem().string(), name, isProto, std::move(stored)};
            if (!isOne) {
                found.file += "/" + found.stored.entry.name;
                found.whole += "/" + found.stored.entry.name;
            }
            m_found.push_back(std::move(found));
        }
        return Done{};
    }

    /// What is no dump is left aside; a damaged one is said so; limits end the reading.
    Result<Done> unreadable(const std::string& name, const std::string& below, const Error& error) {
        if (error.code == ErrorCode::Limit || error.code == ErrorCode::Cancelled)
            return error;
        if (error.code == ErrorCode::Unsupported)
            m_listing.diagnostics.info("dump.file_ignored", below + name, error.message,
                "Nothing needs to be done if it is no tensor.");
        else
            m_listing.diagnostics.warn("dump.file_damaged", below + name, error.message,
                "The other files are read without it.");
        return Done{};
    }

    /// Paths without endings; where two files differ by their ending alone, with it.
    std::vector<std::string> fileKeys() const {
        std::unordered_map<std::string, int> count;
        for (const Found& found : m_found)
            ++count[found.folder + found.file];
        std::vector<std::string> keys;
        for (const Found& found : m_found)
            keys.push_back(
                found.folder + (count[found.folder + found.file] > 1 ? found.whole : found.file));
        return keys;
    }

    /// The tensors' own names, where each has one of its own within its folder.
    std::vector<std::string> protoKeys() {
        std::vector<std::string> keys;
        std::unordered_set<std::string> seen;
        for (const Found& found : m_found)
            if (!seen.insert(keys.emplace_back(found.folder + found.stored.entry.name)).second) {
                m_listing.diagnostics.warn("dump.names_collide", keys.back(),
                    "Two tensors have the same name; names of files are taken instead.",
                    "Give each tensor its own name.");
                return fileKeys();
            }
        return keys;
    }

    Result<Done> add(Found found, const std::string& key) {
        DumpEntry entry = std::move(found.stored.entry);
        entry.name = key;
        entry.file = found.folder + found.whole;
        if (found.file.starts_with("input_") || found.file.starts_with("output_"))
            entry.role = found.file.starts_with("input_") ? "input" : "output";
        return m_listing.add(std::move(entry), std::move(found.stored.contents));
    }

    fs::path m_root;
    const Context& m_context;
    Listing m_listing;
    std::vector<Found> m_found;
    std::size_t m_seen = 0;
};

} // namespace

Result<Listing> readFolder(const fs::path& folder, const Context& context) {
    return Reader(folder, context).read();
}

} // namespace fivefold::compare::dumps
