// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fivefold::base {

namespace {

/// Closes a file descriptor at the end of its scope.
struct Descriptor {
    int fd = -1;
    explicit Descriptor(int descriptor)
        : fd(descriptor) { }
    Descriptor(Descriptor&& other) noexcept
        : fd(std::exchange(other.fd, -1)) { }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (fd >= 0)
            ::close(fd);
    }
};

struct OpenedFile {
    Descriptor descriptor;
    std::uint64_t size = 0;
};

Error systemError(const std::filesystem::path& path, int number) {
    if (number == ENOENT || number == ENOTDIR)
        return {ErrorCode::NotFound, "There is no such file; check the path.", path.string()};
    if (number == EACCES || number == EPERM)
        return {ErrorCode::Unreadable,
            "The file may not be read by this user; change its permissions.", path.string()};
    return {ErrorCode::Unreadable,
        std::string("The file cannot be read: ") + std::strerror(number) + ".", path.string()};
}

/// Opens without blocking (a named pipe would wait for its writer) and accepts regular files only.
Result<OpenedFile> openRegular(const std::filesystem::path& path) {
    Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.fd < 0)
        return systemError(path, errno);
    struct stat status { };
    if (::fstat(descriptor.fd, &status) != 0)
        return systemError(path, errno);
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::Unreadable,
            "This is a folder, not a file; choose the model file inside it.", path.string()};
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::Unreadable,
            "This is a device or a pipe, not a file; save its content to a file first.",
            path.string()};
    return OpenedFile{std::move(descriptor), static_cast<std::uint64_t>(status.st_size)};
}

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const auto opened = openRegular(path);
    if (!opened)
        return opened.error();
    MappedFile mapped;
    if (opened->size == 0)
        return mapped;
    void* data = ::mmap(nullptr, opened->size, PROT_READ, MAP_PRIVATE, opened->descriptor.fd, 0);
    if (data == MAP_FAILED)
        return systemError(path, errno);
    // Readers jump over large payloads: read-ahead would load what nobody asks for.
    ::madvise(data, opened->size, MADV_RANDOM);
    mapped.m_data = static_cast<const std::byte*>(data);
    mapped.m_size = opened->size;
    return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr))
    , m_size(std::exchange(other.m_size, 0)) { }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

MappedFile::~MappedFile() {
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), m_size);
}

Result<std::vector<std::byte>> readRegion(
    const std::filesystem::path& path, std::uint64_t offset, std::uint64_t length) {
    const auto opened = openRegular(path);
    if (!opened)
        return opened.error();
    if (offset > opened->size || length > opened->size - offset)
        return Error{ErrorCode::Malformed,
            "The file has " + std::to_string(opened->size) + " bytes; bytes "
                + std::to_string(offset) + " to " + std::to_string(offset) + "+"
                + std::to_string(length) + " are asked for. It was cut or replaced; get it again.",
            path.string()};
    std::vector<std::byte> bytes(length);
    std::uint64_t done = 0;
    while (done < length) {
        const ssize_t got = ::pread(opened->descriptor.fd, bytes.data() + done, length - done,
            static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError(path, errno);
        if (got == 0)
            return Error{ErrorCode::Unreadable,
                "The file became shorter while it was read; try again.", path.string()};
        done += static_cast<std::uint64_t>(got);
    }
    return bytes;
}

} // namespace fivefold::base
