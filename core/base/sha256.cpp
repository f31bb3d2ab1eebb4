// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

namespace fivefold::base {

namespace {

constexpr std::size_t kPieceBytes = 1 << 20;

std::string hexadecimal(const unsigned char* bytes, unsigned int count) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < count; ++i) {
        text += kDigits[bytes[i] >> 4];
        text += kDigits[bytes[i] & 15];
    }
    return text;
}

} // namespace

Result<std::string> sha256OfFile(const std::filesystem::path& path, const Progress& progress) {
    std::ifstream file(path, std::ios::binary);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
        EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
        return Error{
            ErrorCode::Unsupported, "SHA-256 is not available in this build of OpenSSL.", {}};
    std::vector<char> piece(kPieceBytes);
    while (
        file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
        if (progress.isCancelled())
            return Progress::cancelled();
        EVP_DigestUpdate(context.get(), piece.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.eof())
        return Error{ErrorCode::Unreadable,
            "The file could not be read; check that it exists and may be read.", path.string()};
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int length = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &length);
    return hexadecimal(digest.data(), length);
}

} // namespace fivefold::base
