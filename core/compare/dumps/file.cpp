// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/npy.h"
#include "core/compare/dumps/readers.h"

#include <cstring>

namespace fivefold::compare::dumps {

namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kSqlite = "SQLite format 3";

Result<Listing> readZip(const Source& source, const std::string& stem, const Context& context) {
    const auto archive = ZipArchive::open(source, context.limits);
    if (!archive)
        return archive.error();
    return isTorchArchive(**archive) ? readTorch(*archive, stem, context)
                                     : readNpz(*archive, context);
}

Error legacyPickle(const ByteSource& source) {
    return {ErrorCode::Refused,
        "This is a bare pickle, as PyTorch wrote before version 1.6; a pickle may run code and is "
        "not read. Load it where you trust it and save it as safetensors, or with today's "
        "torch.save.",
        source.name()};
}

Error notADump(const ByteSource& source) {
    return {ErrorCode::Unsupported,
        "The file is no dump of a known format: npy, npz, safetensors, PyTorch .pt, ONNX "
        "TensorProto, Polygraphy JSON, msprobe dump.json, TT-NN db.sqlite. Save the tensors in "
        "one of these.",
        source.name()};
}

bool isPickle(std::span<const std::byte> start) {
    return start.size() > 1 && start[0] == std::byte{0x80} && start[1] >= std::byte{2}
    && start[1] <= std::byte{5};
}

bool isJson(std::span<const std::byte> start) {
    std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

Result<Listing> readJsonDump(
    const Source& source, const std::filesystem::path& path, const Context& context) {
    const auto root = readJson(*source, {context.limits.jsonDepth});
    if (!root)
        return root.error();
    if (isMsprobe(*root)) {
        Listing listing("msprobe", source->name(), context.limits);
        if (auto done = addMsprobe(listing, path.parent_path(), "", context); !done)
            return done.error();
        return listing;
    }
    return isPolygraphy(*root) ? readPolygraphy(source, *root, context)
                               : Result<Listing>(notADump(*source));
}

Result<Listing> readDatabase(
    const Source& source, const std::filesystem::path& path, const Context& context) {
    if (path.filename() != "db.sqlite")
        return notADump(*source);
    auto listing = readTtnn(path.parent_path(), context);
    if (!listing)
        return listing.error();
    return *listing ? Result<Listing>(std::move(**listing)) : notADump(*source);
}

} // namespace

Result<Listing> readPayload(const Source& source, const std::string& stem, const Context& context) {
    const auto start = source->piece(0, 8);
    if (!start)
        return start.error();
    if (isNpy(*start))
        return readNpy(source, stem, context);
    if (isZip(*start))
        return readZip(source, stem, context);
    return isPickle(*start) ? legacyPickle(*source) : notADump(*source);
}

Result<Listing> readFile(
    const Source& source, const std::filesystem::path& path, const Context& context) {
    constexpr std::uint64_t kSniffed = 64;
    const auto start = source->piece(0, kSniffed);
    if (!start)
        return start.error();
    if (isNpy(*start) || isZip(*start) || isPickle(*start))
        return readPayload(source, path.stem().string(), context);
    if (isSafetensors(*start, source->size()))
        return readSafetensors(source, context);
    if (isJson(*start))
        return readJsonDump(source, path, context);
    if (start->size() > kSqlite.size()
        && std::memcmp(start->data(), kSqlite.data(), kSqlite.size()) == 0)
        return readDatabase(source, path, context);
    auto tensor = readTensorProto(source, path, context);
    if (!tensor)
        return tensor.error();
    return *tensor ? Result<Listing>(std::move(**tensor)) : notADump(*source);
}

} // namespace fivefold::compare::dumps
