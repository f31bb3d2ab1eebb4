// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/file_kind.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fivefold::frontends {

namespace {

using namespace std::string_view_literals;

struct Signature {
    std::size_t offset;
    std::string_view bytes;
    std::string_view kind;
};

/// From the formats' own specifications; longer and rarer signatures first.
constexpr std::array kSignatures = {
    Signature{
        0, "version https://git-lfs"sv, "a Git LFS pointer (fetch the real file: git lfs pull)"sv},
    Signature{0, "\x89PNG\r\n\x1a\n"sv, "a PNG image"sv},
    Signature{0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file (as Keras .h5 files are)"sv},
    Signature{0, "PK\x03\x04"sv, "a ZIP archive (as .pt2, .pt and .npz files are)"sv},
    Signature{0, "PK\x05\x06"sv, "an empty ZIP archive"sv},
    Signature{0, "GGUF"sv, "a GGUF model"sv},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model"sv},
    Signature{0, "\x93NUMPY"sv, "a NumPy array"sv},
    Signature{0,
        "\x7f"
        "ELF"sv,
        "an executable or library"sv},
    Signature{0, "MZ"sv, "a Windows executable"sv},
    Signature{0, "%PDF"sv, "a PDF document"sv},
    Signature{0, "\xff\xd8\xff"sv, "a JPEG image"sv},
    Signature{0, "GIF8"sv, "a GIF image"sv},
    Signature{0, "\x1f\x8b"sv, "a gzip archive"sv},
    Signature{0,
        "\xfd"
        "7zXZ"sv,
        "an xz archive"sv},
    Signature{0, "7z\xbc\xaf"sv, "a 7-Zip archive"sv},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "a Zstandard archive"sv},
    Signature{0, "BZh"sv, "a bzip2 archive"sv},
    Signature{257, "ustar"sv, "a tar archive"sv},
    Signature{0, "SQLite format 3"sv, "an SQLite database"sv},
    Signature{0, "HloModule"sv, "HLO text"sv},
    Signature{0, "<?xml"sv, "an XML document"sv},
    Signature{0, "<!DOCTYPE"sv, "an HTML page (a failed download?)"sv},
    Signature{0, "<html"sv, "an HTML page (a failed download?)"sv},
    Signature{0, "ML\xefR"sv, "MLIR bytecode"sv},
};

bool isText(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return u == 0x7f || (u < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f');
    });
}

/// Eight bytes of length, then a JSON object.
bool isSafetensors(std::string_view head) {
    return head.size() > 9 && head[8] == '{' && head[6] == '\0' && head[7] == '\0';
}

/// A pickle of protocol 2 to 5 begins with PROTO and its number.
bool isPickle(std::string_view head) {
    return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
}

/// A serialised ONNX TensorProto: dims as varints or packed, then data_type.
bool isTensorProto(std::string_view head) {
    std::size_t at = 0;
    while (at + 1 < head.size() && head[at] == '\x08'
        && static_cast<unsigned char>(head[at + 1]) < 0x80)
        at += 2;
    return at > 0 && at + 1 < head.size() && head[at] == '\x10' && head[at + 1] > 0
        && head[at + 1] <= 26;
}

} // namespace

std::string fileKind(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (head.empty())
        return "an empty file";
    for (const Signature& signature : kSignatures)
        if (head.size() >= signature.offset + signature.bytes.size()
            && head.substr(signature.offset, signature.bytes.size()) == signature.bytes)
            return std::string(signature.kind);
    if (isSafetensors(head))
        return "a safetensors file";
    if (isPickle(head))
        return "a Python pickle";
    if (isTensorProto(head))
        return "one serialised tensor (TensorProto, as in input_0.pb)";
    if (std::all_of(head.begin(), head.end(), [](char c) { return c == '\0'; }))
        return "zeros only";
    if (!isText(head))
        return "binary data of an unknown format";
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (head[first] == '{' || head[first] == '['))
        return "JSON text";
    if (head.find("func.func") != std::string_view::npos)
        return "MLIR text";
    return "plain text";
}

} // namespace fivefold::frontends
