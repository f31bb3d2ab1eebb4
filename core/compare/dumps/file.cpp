// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/npy.h"
#include "core/compare/dumps/readers.h"

namespace fivefold::compare::dumps {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

Result<Listing> readZip(const Source& source, const Context& context) {
    const auto archive = ZipArchive::open(source, context.limits);
    if (!archive)
        return archive.error();
    return readNpz(*archive, context);
}

} // namespace

Result<Listing> readFile(const Source& source, const std::string& stem, const Context& context) {
    constexpr std::uint64_t kSniffed = 64;
    const auto start = source->piece(0, kSniffed);
    if (!start)
        return start.error();
    if (isNpy(*start))
        return readNpy(source, stem, context);
    if (isZip(*start))
        return readZip(source, context);
    return Error{ErrorCode::Unsupported,
        "The file is no dump of a known format: npy, npz, safetensors, PyTorch .pt, ONNX "
        "TensorProto, Polygraphy JSON. Save the tensors in one of these.",
        source->name()};
}

} // namespace fivefold::compare::dumps
