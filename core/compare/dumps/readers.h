// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/json_tree.h"
#include "core/compare/dumps/zip_archive.h"

namespace fivefold::compare::dumps {

// One function a format. Each is given bytes that look like its own and returns what they hold, or
// an Error in a sentence. `stem` names a single tensor that has no name of its own.

base::Result<Listing> readNpy(
    const Source& source, const std::string& stem, const Context& context);
base::Result<Listing> readNpz(
    const std::shared_ptr<const ZipArchive>& archive, const Context& context);

bool isTorchArchive(const ZipArchive& archive);
/// Tensors of torch.save, with nested dicts, lists and tuples as "a.b.0".
base::Result<Listing> readTorch(const std::shared_ptr<const ZipArchive>& archive,
    const std::string& stem, const Context& context);

bool isSafetensors(std::span<const std::byte> start, std::uint64_t size);
base::Result<Listing> readSafetensors(const Source& source, const Context& context);

/// Nullopt when the bytes are no TensorProto. External data is looked for in the folder of `path`.
base::Result<std::optional<Listing>> readTensorProto(
    const Source& source, const std::filesystem::path& path, const Context& context);

bool isPolygraphy(const JsonNode& root);
base::Result<Listing> readPolygraphy(
    const Source& source, const JsonNode& root, const Context& context);

bool isMsprobe(const JsonNode& root);
/// One process's folder, from its dump.json; keys are the names of the calls with the role and the
/// position ("Functional.linear.0.forward.output.0"), after `prefix`.
base::Result<base::Done> addMsprobe(Listing& listing, const std::filesystem::path& folder,
    const std::string& prefix, const Context& context);
/// A folder of steps, ranks or one process; nullopt when it is none.
base::Result<std::optional<Listing>> readMsprobe(
    const std::filesystem::path& folder, const Context& context);

/// A TT-NN report: tensors of db.sqlite, contents from tensors/<id>.pt where they are there;
/// nullopt when the folder has no such database.
base::Result<std::optional<Listing>> readTtnn(
    const std::filesystem::path& folder, const Context& context);

/// A folder of files of one tensor each.
base::Result<Listing> readFolder(const std::filesystem::path& folder, const Context& context);

/// A zip archive or an array inside another format.
base::Result<Listing> readPayload(
    const Source& source, const std::string& stem, const Context& context);
/// Any format that is one file, by its first bytes.
base::Result<Listing> readFile(
    const Source& source, const std::filesystem::path& path, const Context& context);

} // namespace fivefold::compare::dumps
