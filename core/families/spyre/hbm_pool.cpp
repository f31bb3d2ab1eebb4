// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/hbm_pool.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fivefold::families::spyre {

namespace {

constexpr std::size_t kNone = SIZE_MAX;

struct Block {
    std::int64_t offset = 0, bytes = 0;
};

/// Free blocks are never merged.
class Pool {
public:
    std::int64_t allocate(std::int64_t bytes) {
        const auto at = std::ranges::find_if(
            m_free, [bytes](const Block& block) { return block.bytes >= bytes; });
        if (at == m_free.end())
            return std::exchange(m_end, m_end + bytes);
        const Block block = *at;
        m_free.erase(at);
        if (block.bytes > bytes)
            m_free.push_back({block.offset + bytes, block.bytes - bytes});
        return block.offset;
    }
    void release(const Block& block) { m_free.push_back(block); }

private:
    std::vector<Block> m_free;
    std::int64_t m_end = 0;
};

/// One value of a buffer: from one write to the last read before the next.
struct Version {
    BufferIndex buffer = kNoBuffer;
    std::size_t write = 0; ///< operation
    std::size_t lastRead = kNone; ///< kNone: nobody reads it
    bool staysInBundle = true;
};

class HbmPlanner {
public:
    explicit HbmPlanner(LoopProgram& program)
        : m_program(program)
        , m_listedIn(program.buffers.size(), -1) { }

    void run() {
        findVersions();
        allocatePools();
        numberArguments();
    }

private:
    bool isFar(BufferIndex b) const { return m_program.buffers[b].space != MemorySpace::Lx; }

    void findVersions() {
        std::vector<std::size_t> current(m_program.buffers.size(), kNone);
        const auto read = [&](BufferIndex b, std::size_t op) {
            if (b == kNoBuffer || current[b] == kNone)
                return;
            Version& version = m_versions[current[b]];
            version.lastRead = op;
            version.staysInBundle = version.staysInBundle
                && m_program.ops[op].bundle == m_program.ops[version.write].bundle;
        };
        for (std::size_t i = 0; i < m_program.ops.size(); ++i) {
            const LoopOp& op = m_program.ops[i];
            for (const Access& access : op.reads)
                read(access.buffer, i);
            const BufferIndex b = op.write.buffer;
            if (b == kNoBuffer || op.kind == LoopKind::Alloc)
                continue;
            read(b, i); // a later writer of parts keeps what is there
            current[b] = m_versions.size();
            m_versions.push_back({b, i, kNone, op.bundle >= 0});
        }
    }

    bool isPooled(const Version& version) const {
        const Buffer& buffer = m_program.buffers[version.buffer];
        return version.staysInBundle && version.lastRead != kNone && isFar(version.buffer)
            && buffer.role == BufferRole::Intermediate && !buffer.isOutput
            && !buffer.isOutputThroughView;
    }

    void allocatePools() {
        std::map<std::int64_t, std::vector<const Version*>> byBundle;
        for (const Version& version : m_versions)
            if (isPooled(version))
                byBundle[m_program.ops[version.write].bundle].push_back(&version);
        for (const auto& [bundle, versions] : byBundle) {
            Pool pool;
            std::vector<std::pair<std::size_t, Block>> inUse; // last read
            for (const Version* version : versions) {
                std::erase_if(inUse, [&](const auto& entry) {
                    if (entry.first >= version->write)
                        return false;
                    pool.release(entry.second);
                    return true;
                });
                Buffer& buffer = m_program.buffers[version->buffer];
                const std::int64_t bytes = buffer.layout.bytes();
                buffer.space = MemorySpace::HbmPool;
                buffer.address = pool.allocate(bytes);
                inUse.push_back({version->lastRead, {buffer.address, bytes}});
            }
        }
    }

    void numberArguments() {
        std::map<std::int64_t, std::vector<const LoopOp*>> byBundle;
        for (const LoopOp& op : m_program.ops)
            if (op.bundle >= 0)
                byBundle[op.bundle].push_back(&op);
        for (const auto& [bundle, ops] : byBundle) {
            std::vector<BufferIndex> arguments;
            std::vector<BufferIndex> written;
            const auto add = [&](std::vector<BufferIndex>& list, BufferIndex b) {
                const MemorySpace space = m_program.buffers[b].space;
                if (space != MemorySpace::Lx && space != MemorySpace::HbmPool
                    && m_listedIn[b] != bundle) {
                    m_listedIn[b] = bundle;
                    list.push_back(b);
                }
            };
            for (const LoopOp* op : ops)
                if (op->write.buffer != kNoBuffer)
                    add(written, op->write.buffer);
            for (const LoopOp* op : ops)
                for (const Access& read : op->reads)
                    if (read.buffer != kNoBuffer)
                        add(arguments, read.buffer);
            arguments.insert(arguments.end(), written.begin(), written.end());
            for (std::size_t i = 0; i < arguments.size(); ++i)
                setArgument(arguments[i], static_cast<std::int64_t>(i));
        }
        for (Buffer& buffer : m_program.buffers)
            if (buffer.space == MemorySpace::Unplaced)
                buffer.space = MemorySpace::Hbm;
    }

    void setArgument(BufferIndex b, std::int64_t position) {
        Buffer& buffer = m_program.buffers[b];
        if (buffer.space != MemorySpace::Unplaced)
            return;
        buffer.space = MemorySpace::Hbm;
        buffer.address = position;
    }

    LoopProgram& m_program;
    std::vector<Version> m_versions; ///< by write
    std::vector<std::int64_t> m_listedIn; ///< by buffer: last bundle whose list has it, −1 none
};

} // namespace

void planHbm(LoopProgram& program) {
    HbmPlanner(program).run();
}

} // namespace fivefold::families::spyre
