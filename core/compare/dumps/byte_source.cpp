// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fivefold::compare::dumps {

namespace {

namespace fs = std::filesystem;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

Error systemError(const fs::path& path, int number) {
    if (number == ENOENT || number == ENOTDIR)
        return {ErrorCode::NotFound, "There is no such file; check the path.", path.string()};
    if (number == EACCES || number == EPERM)
        return {ErrorCode::Unreadable,
            "The file may not be read by this user; change its permissions.", path.string()};
    return {ErrorCode::Unreadable,
        std::string("The file cannot be read: ") + std::strerror(number) + ".", path.string()};
}

Error endsBefore(const std::string& name, std::uint64_t size, std::uint64_t end) {
    return {ErrorCode::Malformed,
        "The data ends at byte " + std::to_string(size) + ", before byte " + std::to_string(end)
            + " that is asked for; it was cut or replaced. Write the dump again.",
        name};
}

class Descriptor {
public:
    explicit Descriptor(int fd)
        : m_fd(fd) { }
    Descriptor(Descriptor&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1)) { }
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int fd() const { return m_fd; }

private:
    int m_fd;
};

/// What tells a file from one that was put in its place.
struct Identity {
    dev_t device{};
    ino_t inode{};
    std::uint64_t size = 0;
    bool operator==(const Identity&) const = default;
};

struct Opened {
    Descriptor descriptor;
    Identity identity;
};

Result<Opened> openRegular(const fs::path& path) {
    Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.fd() < 0)
        return systemError(path, errno);
    struct stat status { };
    if (::fstat(descriptor.fd(), &status) != 0)
        return systemError(path, errno);
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::Unreadable,
            "This is a device, a pipe or a folder, not a file; save its content to a file first.",
            path.string()};
    return Opened{std::move(descriptor),
        {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size)}};
}

Result<Done> readAll(
    int fd, const fs::path& path, std::uint64_t offset, std::span<std::byte> into) {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got =
            ::pread(fd, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError(path, errno);
        if (got == 0)
            return Error{ErrorCode::Unreadable,
                "The file became shorter while it was read; try again.", path.string()};
        done += static_cast<std::size_t>(got);
    }
    return Done{};
}

class FileSource final : public ByteSource {
public:
    FileSource(fs::path path, Opened opened, FileUse use)
        : m_path(std::move(path))
        , m_identity(opened.identity) {
        if (use == FileUse::KeptOpen)
            m_descriptor = std::move(opened.descriptor);
    }

    std::uint64_t size() const override { return m_identity.size; }
    std::string name() const override { return m_path.string(); }

    Result<Done> read(std::uint64_t offset, std::span<std::byte> into) const override {
        if (offset > size() || into.size() > size() - offset)
            return endsBefore(name(), size(), offset + into.size());
        if (m_descriptor.fd() >= 0)
            return readAll(m_descriptor.fd(), m_path, offset, into);
        const auto opened = openRegular(m_path);
        if (!opened)
            return opened.error();
        if (!(opened->identity == m_identity))
            return Error{ErrorCode::Unreadable,
                "The file was replaced after the dump was opened; open the dump again.", name()};
        return readAll(opened->descriptor.fd(), m_path, offset, into);
    }

private:
    fs::path m_path;
    Identity m_identity;
    Descriptor m_descriptor{-1};
};

class MemorySource final : public ByteSource {
public:
    MemorySource(std::vector<std::byte> bytes, std::string name)
        : m_bytes(std::move(bytes))
        , m_name(std::move(name)) { }

    std::uint64_t size() const override { return m_bytes.size(); }
    std::string name() const override { return m_name; }

    Result<Done> read(std::uint64_t offset, std::span<std::byte> into) const override {
        if (offset > size() || into.size() > size() - offset)
            return endsBefore(m_name, size(), offset + into.size());
        if (!into.empty())
            std::memcpy(into.data(), m_bytes.data() + offset, into.size());
        return Done{};
    }

private:
    std::vector<std::byte> m_bytes;
    std::string m_name;
};

class Part final : public ByteSource {
public:
    Part(Source whole, std::uint64_t offset, std::uint64_t length, std::string name)
        : m_whole(std::move(whole))
        , m_offset(offset)
        , m_length(length)
        , m_name(std::move(name)) { }

    std::uint64_t size() const override { return m_length; }
    std::string name() const override { return m_name; }

    Result<Done> read(std::uint64_t offset, std::span<std::byte> into) const override {
        if (offset > m_length || into.size() > m_length - offset)
            return endsBefore(m_name, m_length, offset + into.size());
        return m_whole->read(m_offset + offset, into);
    }

private:
    Source m_whole;
    std::uint64_t m_offset, m_length;
    std::string m_name;
};

} // namespace

Result<std::vector<std::byte>> ByteSource::piece(std::uint64_t offset, std::uint64_t length) const {
    const std::uint64_t left = offset < size() ? size() - offset : 0;
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(length, left)));
    if (bytes.empty())
        return bytes;
    if (auto done = read(offset, bytes); !done)
        return done.error();
    return bytes;
}

Result<Source> fileSource(const fs::path& path, FileUse use) {
    auto opened = openRegular(path);
    if (!opened)
        return opened.error();
    return Source(std::make_shared<FileSource>(path, std::move(*opened), use));
}

Source memorySource(std::vector<std::byte> bytes, std::string name) {
    return std::make_shared<MemorySource>(std::move(bytes), std::move(name));
}

Source partOf(Source whole, std::uint64_t offset, std::uint64_t length, std::string name) {
    return std::make_shared<Part>(std::move(whole), offset, length, std::move(name));
}

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        return std::nullopt;
    return result;
}

} // namespace fivefold::compare::dumps
