// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>
#include <zip.h>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

/// Deflate cannot pack better than 1032 to 1 (RFC 1951: 258 bytes by two bits); with some room for
/// the last block.
constexpr std::uint64_t kBestRatio = 1032;
constexpr std::uint64_t kRatioSlack = 1032;

constexpr std::size_t kEndRecord = 22; ///< APPNOTE 4.3.16, without the comment
constexpr std::size_t kLongestComment = 65'535;
constexpr std::size_t kLocator64 = 20; ///< APPNOTE 4.3.15

std::uint64_t little(std::span<const std::byte> bytes, std::size_t at, int width) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, static_cast<std::size_t>(width));
    return value;
}

bool hasMark(std::span<const std::byte> bytes, std::size_t at, std::string_view mark) {
    return at + mark.size() <= bytes.size()
        && std::memcmp(bytes.data() + at, mark.data(), mark.size()) == 0;
}

/// Members that the archive claims, before anything is allocated for them; nullopt without an end
/// record.
Result<std::optional<std::uint64_t>> claimedMembers(const ByteSource& source) {
    const std::uint64_t length =
        std::min<std::uint64_t>(source.size(), kEndRecord + kLongestComment + kLocator64);
    const auto tail = source.piece(source.size() - length, length);
    if (!tail)
        return tail.error();
    for (std::size_t at = tail->size() < kEndRecord ? 0 : tail->size() - kEndRecord + 1;
         at-- > 0;) {
        if (!hasMark(*tail, at, "PK\5\6") || at + kEndRecord > tail->size())
            continue;
        const std::uint64_t claimed = little(*tail, at + 10, 2);
        if (claimed != 0xffff || at < kLocator64 || !hasMark(*tail, at - kLocator64, "PK\6\7"))
            return std::optional(claimed);
        const auto end64 = source.piece(little(*tail, at - kLocator64 + 8, 8), 56);
        if (!end64)
            return end64.error();
        if (end64->size() == 56 && hasMark(*end64, 0, "PK\6\6"))
            return std::optional(little(*end64, 32, 8));
        return std::optional(claimed);
    }
    return std::optional<std::uint64_t>();
}

/// What libzip does not compare: whether the header in front of each member says the same of
/// encryption and method as the directory does. Programs that trust one of the two would see
/// different archives (CVE-2025-1945). Members whose place needs 64 bits are left to libzip.
Result<Done> checkLocalHeaders(const ByteSource& source, std::uint64_t members) {
    constexpr std::size_t kCentral = 46, kLocal = 30; // APPNOTE 4.3.12, 4.3.7
    constexpr std::uint64_t kEncryption = 0x2041; ///< flags 0, 6 and 13
    const std::uint64_t length =
        std::min<std::uint64_t>(source.size(), kEndRecord + kLongestComment);
    const auto tail = source.piece(source.size() - length, length);
    if (!tail)
        return tail.error();
    std::size_t end = tail->size() < kEndRecord ? 0 : tail->size() - kEndRecord;
    while (end > 0 && !hasMark(*tail, end, "PK\5\6"))
        --end;
    if (tail->size() < kEndRecord || !hasMark(*tail, end, "PK\5\6"))
        return Done{};
    std::uint64_t at = little(*tail, end + 16, 4);
    for (std::uint64_t i = 0; i < members && at != 0xffffffff; ++i) {
        const auto central = source.piece(at, kCentral);
        if (!central)
            return central.error();
        if (central->size() < kCentral || !hasMark(*central, 0, "PK\1\2"))
            return Done{}; // libzip says what is wrong
        at +=
            kCentral + little(*central, 28, 2) + little(*central, 30, 2) + little(*central, 32, 2);
        const std::uint64_t place = little(*central, 42, 4);
        if (place == 0xffffffff)
            continue;
        const auto local = source.piece(place, kLocal);
        if (!local)
            return local.error();
        if (local->size() < kLocal || !hasMark(*local, 0, "PK\3\4")
            || ((little(*local, 6, 2) ^ little(*central, 8, 2)) & kEncryption) != 0
            || little(*local, 8, 2) != little(*central, 10, 2))
            return Error{ErrorCode::Refused,
                "The headers of the archive's members contradict its directory, so it was edited; "
                "write the dump again.",
                source.name()};
    }
    return Done{};
}

/// A ByteSource as libzip's source: the callbacks and their state.
struct Reading {
    Source source;
    std::uint64_t position = 0;
    zip_error_t error;
};

zip_int64_t readSource(Reading& reading, void* data, zip_uint64_t length) {
    const std::uint64_t left = reading.source->size() - reading.position;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(length, left));
    if (!reading.source->read(reading.position, {static_cast<std::byte*>(data), wanted})) {
        zip_error_set(&reading.error, ZIP_ER_READ, 0);
        return -1;
    }
    reading.position += wanted;
    return static_cast<zip_int64_t>(wanted);
}

zip_int64_t statSource(std::uint64_t size, void* data) {
    auto* stat = static_cast<zip_stat_t*>(data);
    zip_stat_init(stat);
    stat->valid = ZIP_STAT_SIZE;
    stat->size = size;
    return sizeof *stat;
}

zip_int64_t readingCallback(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& reading = *static_cast<Reading*>(user);
    switch (command) {
    case ZIP_SOURCE_OPEN:
        reading.position = 0;
        return 0;
    case ZIP_SOURCE_CLOSE:
        return 0;
    case ZIP_SOURCE_READ:
        return readSource(reading, data, length);
    case ZIP_SOURCE_STAT:
        return statSource(reading.source->size(), data);
    case ZIP_SOURCE_TELL:
        return static_cast<zip_int64_t>(reading.position);
    case ZIP_SOURCE_SEEK: {
        const zip_int64_t to = zip_source_seek_compute_offset(
            reading.position, reading.source->size(), data, length, &reading.error);
        if (to < 0)
            return -1;
        reading.position = static_cast<std::uint64_t>(to);
        return 0;
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&reading.error, data, length);
    case ZIP_SOURCE_FREE:
        delete &reading;
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
            ZIP_SOURCE_SUPPORTS, -1);
    default:
        zip_error_set(&reading.error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

std::string textOf(zip_error_t& error) {
    return zip_error_strerror(&error);
}

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

class OpenArchive;

class MemberSource final : public ByteSource {
public:
    MemberSource(
        std::shared_ptr<const ZipArchive> archive, zip_t* zip, std::size_t index, std::string where)
        : m_archive(std::move(archive))
        , m_zip(zip)
        , m_index(index)
        , m_where(std::move(where)) { }

    std::uint64_t size() const override { return m_archive->members()[m_index].size; }
    std::string name() const override {
        return m_where + ", member " + inQuotes(m_archive->members()[m_index].name);
    }

    Result<Done> read(std::uint64_t offset, std::span<std::byte> into) const override {
        if (offset > size() || into.size() > size() - offset)
            return Error{ErrorCode::Malformed,
                "The member ends before the data that is asked for; write the dump again.", name()};
        std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(m_zip, m_index, 0));
        if (!file)
            return Error{ErrorCode::Malformed,
                "The member cannot be unpacked: " + textOf(*zip_get_error(m_zip))
                    + ". Write the dump again.",
                name()};
        if (auto done = skip(*file, offset); !done)
            return done;
        if (auto done = fill(*file, into); !done)
            return done;
        std::byte more{};
        if (offset + into.size() == size() && zip_fread(file.get(), &more, 1) != 0)
            return damaged(*file);
        return Done{};
    }

private:
    Result<Done> skip(zip_file_t& file, std::uint64_t offset) const {
        std::vector<std::byte> ignored(
            static_cast<std::size_t>(std::min<std::uint64_t>(offset, 65'536)));
        for (std::uint64_t done = 0; done < offset;) {
            const auto length = std::min<std::uint64_t>(offset - done, ignored.size());
            const auto part = std::span(ignored).first(static_cast<std::size_t>(length));
            if (auto filled = fill(file, part); !filled)
                return filled;
            done += length;
        }
        return Done{};
    }

    Result<Done> fill(zip_file_t& file, std::span<std::byte> into) const {
        std::size_t done = 0;
        while (done < into.size()) {
            const auto got = zip_fread(&file, into.data() + done, into.size() - done);
            if (got <= 0)
                return damaged(file);
            done += static_cast<std::size_t>(got);
        }
        return Done{};
    }

    Error damaged(zip_file_t& file) const {
        zip_error_t& error = *zip_file_get_error(&file);
        const bool isKnown = zip_error_code_zip(&error) != ZIP_ER_OK;
        return {ErrorCode::Malformed,
            "The member is damaged ("
                + (isKnown ? textOf(error) : std::string("its length differs from its header"))
                + "); write the dump again.",
            name()};
    }

    std::shared_ptr<const ZipArchive> m_archive;
    zip_t* m_zip;
    std::size_t m_index;
    std::string m_where;
};

class OpenArchive final : public ZipArchive {
public:
    OpenArchive(zip_t* zip, std::string where)
        : m_zip(zip)
        , m_where(std::move(where)) { }

    std::string name() const override { return m_where; }
    Source member(std::size_t index) const override {
        return std::make_shared<MemberSource>(shared_from_this(), m_zip.get(), index, m_where);
    }

    Result<Done> list() {
        const auto count = zip_get_num_entries(m_zip.get(), 0);
        std::unordered_set<std::string> names;
        for (zip_int64_t i = 0; i < count; ++i) {
            if (auto done = addMember(static_cast<zip_uint64_t>(i)); !done)
                return done;
            if (!names.insert(m_members.back().name).second)
                return refused(m_members.back().name, "occurs twice");
        }
        return Done{};
    }

private:
    Error refused(const std::string& name, const std::string& why) const {
        return {ErrorCode::Refused,
            "The archive's member " + inQuotes(name) + " " + why
                + ", so the archive is not read; write the dump again.",
            m_where};
    }

    Result<Done> addMember(zip_uint64_t index) {
        zip_stat_t stat;
        constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE
            | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip_stat_index(m_zip.get(), index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
            return refused("#" + std::to_string(index), "is not fully described");
        const std::string name = stat.name;
        if (stat.encryption_method != ZIP_EM_NONE)
            return refused(name, "is encrypted");
        const bool isStored = stat.comp_method == ZIP_CM_STORE;
        if (!isStored && stat.comp_method != ZIP_CM_DEFLATE)
            return refused(name, "is packed by a method other than deflate");
        if (isStored ? stat.size != stat.comp_size
                     : stat.size / kBestRatio > stat.comp_size + kRatioSlack)
            return refused(name, "declares a size that its bytes cannot hold");
        const std::filesystem::path asPath(name);
        if (std::find(asPath.begin(), asPath.end(), "..") != asPath.end()
            || name.find('\\') != std::string::npos)
            return refused(name, "has a path that leads elsewhere");
        m_members.push_back({name, stat.size, isStored});
        return Done{};
    }

    std::unique_ptr<zip_t, Discard> m_zip;
    std::string m_where;
};

} // namespace

bool isZip(std::span<const std::byte> start) {
    return hasMark(start, 0, "PK\3\4") || hasMark(start, 0, "PK\5\6");
}

Result<std::shared_ptr<const ZipArchive>> ZipArchive::open(
    Source source, const DumpLimits& limits) {
    const std::string where = source->name();
    const auto claimed = claimedMembers(*source);
    if (!claimed)
        return claimed.error();
    if (!*claimed)
        return Error{ErrorCode::Malformed,
            "The archive has no directory at its end; it was cut. Write the dump again.", where};
    // Besides tensors, an archive holds a few members of its own.
    if (**claimed > static_cast<std::uint64_t>(limits.tensors) + 64)
        return Error{ErrorCode::Limit,
            "The archive claims " + std::to_string(**claimed) + " members, more than the "
                + std::to_string(limits.tensors) + " tensors that are read; split the dump.",
            where};
    if (auto done = checkLocalHeaders(*source, **claimed); !done)
        return done.error();
    zip_error_t error;
    zip_error_init(&error);
    auto* reading = new Reading{std::move(source), 0, {}};
    zip_error_init(&reading->error);
    zip_source_t* zipSource = zip_source_function_create(readingCallback, reading, &error);
    if (!zipSource) {
        delete reading;
        return Error{ErrorCode::Unreadable, "The archive cannot be opened.", where};
    }
    zip_t* zip = zip_open_from_source(zipSource, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (!zip) {
        const bool isDouble = zip_error_code_zip(&error) == ZIP_ER_EXISTS;
        const std::string text = isDouble ? "two members have the same name" : textOf(error);
        zip_error_fini(&error);
        zip_source_free(zipSource);
        return Error{ErrorCode::Malformed,
            "The archive cannot be opened (" + text + "); it is damaged. Write the dump again.",
            where};
    }
    auto archive = std::make_shared<OpenArchive>(zip, where);
    if (auto done = archive->list(); !done)
        return done.error();
    return std::shared_ptr<const ZipArchive>(std::move(archive));
}

namespace {

/// A member to be written, as libzip's source: its bytes exist while it is open.
struct Writing {
    NewMember member;
    std::vector<std::byte> bytes;
    std::size_t position = 0;
};

zip_int64_t writingCallback(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& writing = *static_cast<Writing*>(user);
    switch (command) {
    case ZIP_SOURCE_OPEN:
        writing.bytes = writing.member.bytes();
        writing.position = 0;
        return 0;
    case ZIP_SOURCE_READ: {
        const auto left = writing.bytes.size() - writing.position;
        const auto count = std::min<std::size_t>(length, left);
        if (count > 0)
            std::memcpy(data, writing.bytes.data() + writing.position, count);
        writing.position += count;
        return static_cast<zip_int64_t>(count);
    }
    case ZIP_SOURCE_CLOSE:
        writing.bytes = {};
        return 0;
    case ZIP_SOURCE_STAT:
        return statSource(writing.member.size, data);
    case ZIP_SOURCE_ERROR: {
        int codes[2] = {ZIP_ER_OK, 0};
        std::memcpy(data, codes, sizeof codes);
        return sizeof codes;
    }
    case ZIP_SOURCE_FREE:
        delete &writing;
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SUPPORTS, -1);
    default:
        return -1;
    }
}

Error cannotWrite(const std::filesystem::path& path, const std::string& why) {
    return {ErrorCode::Unreadable,
        "The file cannot be written (" + why + "); check the folder and its free space.",
        path.string()};
}

bool addMember(zip_t* zip, NewMember member) {
    const std::string name = member.name;
    auto* writing = new Writing{std::move(member), {}, 0};
    zip_source_t* source = zip_source_function(zip, writingCallback, writing);
    if (!source) {
        delete writing;
        return false;
    }
    const auto index = zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    constexpr zip_uint16_t kFirstDate = 0x21; // 1980-01-01
    const auto at = static_cast<zip_uint64_t>(index);
    return zip_set_file_compression(zip, at, ZIP_CM_STORE, 0) == 0
        && zip_file_set_dostime(zip, at, 0, kFirstDate, 0) == 0;
}

} // namespace

Result<Done> writeZip(const std::filesystem::path& path, std::vector<NewMember> members) {
    int code = 0;
    std::unique_ptr<zip_t, Discard> zip(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (!zip) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string text = textOf(error);
        zip_error_fini(&error);
        return cannotWrite(path, text);
    }
    for (NewMember& member : members)
        if (!addMember(zip.get(), std::move(member)))
            return cannotWrite(path, textOf(*zip_get_error(zip.get())));
    if (zip_close(zip.get()) != 0)
        return cannotWrite(path, textOf(*zip_get_error(zip.get())));
    (void)zip.release();
    return Done{};
}

} // namespace fivefold::compare::dumps
