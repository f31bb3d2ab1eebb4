// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/stage_graph.h"

namespace fivefold::lowering {

using StepId = base::Id<struct StepTag>;
using BufferId = base::Id<struct BufferTag>;
using EventId = base::Id<struct EventTag>;
using ResourceId = base::Id<struct ResourceTag>;

/// Which bound holds.
enum class Bound : std::uint8_t { Compute, Memory, Scheduling, Unknown };
std::string_view toString(Bound bound);

/// What a scheduling part is for, in the gap bar.
enum class PartKind : std::uint8_t {
    Launch, ///< launch, dispatch, host hand-off: getting it to run
    Relayout, ///< rearranging data inside the step
    Stall, ///< fill, drain, hops, synchronisation
};

/// One named part of a time ("launch", "fill", "relayout", "sync", "hops", "dispatch").
struct TimePart {
    std::string name;
    base::Seconds time;
    PartKind kind = PartKind::Stall;
};

/// Bytes a step moves at one memory level.
struct LevelTraffic {
    std::size_t level = 0; ///< index into Machine::memories
    base::Bytes read;
    base::Bytes written;
    base::Seconds time; ///< at the level's effective bandwidth
    base::Bytes total() const { return read + written; }
};

/// Modelled time of one execution of a step. time = overlap of compute and memory + scheduling;
/// compute + memory + scheduling shares add up to it.
struct Estimate {
    bool isKnown = true; ///< false: an unsupported operator or unknown shapes; times are then 0 and not meant
    base::Flops flops; ///< useful work (2·macs + 1 per other result)
    base::Flops paddedFlops; ///< with tile, stick and wave padding
    base::Seconds ideal; ///< unpadded work at the larger of peak compute and device-memory time
    base::Seconds compute; ///< with padding, tile, wave and fill effects
    std::vector<LevelTraffic> traffic;
    std::vector<TimePart> scheduling;
    base::Seconds computeShare; ///< part of `time` charged to compute
    base::Seconds memoryShare;
    base::Seconds schedulingShare;
    base::Seconds time; ///< = computeShare + memoryShare + schedulingShare
    /// An asynchronous copy's own duration, beside other steps and so no part of `time`.
    base::Seconds hidden;
    std::optional<base::Seconds> low, high; ///< measured error band, where there is one
    std::string bandSource; ///< of the band: "12.8 % on 49 points of spyre_matmul"; empty: not validated
    /// What the machine's own compiler says it takes at best, where its cost model is public.
    std::optional<base::Seconds> compilerIdeal;
    Bound bound = Bound::Unknown;
    std::size_t boundLevel = 0; ///< memory level that binds, when bound is Memory
    std::string because; ///< one sentence
};

/// What runs as one: an OpSpec on Spyre, a kernel on a GPU, a fusion on a TPU. A point of the roofline.
struct Step {
    std::string name;
    KernelId kernel;
    std::vector<NodeId> nodes; ///< of the scheduled stage; the first contraction (else the first) names it
    NodeId mainNode;
    std::int64_t executions = 1;
    std::string workDivision; ///< "b1 · m16 · n2 · k1 = 32 cores", "7×14 tiles of 256×128, 1 wave"
    std::int64_t unitsUsed = 1;
    Estimate estimate; ///< of one execution
};

/// A tensor's stay in one memory.
struct Buffer {
    ValueId value; ///< of the placed stage
    std::size_t level = 0; ///< index into Machine::memories
    std::int64_t unit = -1; ///< −1: the same address on every instance
    std::int64_t address = 0; ///< bytes from the start of the level
    base::Bytes bytes; ///< per instance, padding included
    StepId firstStep, lastStep; ///< first write (or program start), last read
    base::Picoseconds first, last; ///< filled from the schedule
    ValueRole category = ValueRole::Activation;
    bool isSpill = false; ///< wanted a nearer level and did not fit
    std::string reason; ///< why it is here and not nearer
    DecidedBy decidedBy = DecidedBy::Compiler; ///< who chose its address
};

enum class EventKind : std::uint8_t { Compute, Read, Write, Launch, Relayout, Wait, HostWork };
std::string_view toString(EventKind kind);

struct Resource {
    std::string name; ///< "LPDDR5 in", "array (PT)", "tensor cores", "launch queue"
    std::string kind; ///< "compute", "memory", "link", "queue"
};

/// Something that occupies a resource. A step that repeats is one event with a repeat count; its span covers
/// all repeats.
struct Event {
    StepId step;
    ResourceId resource;
    EventKind kind = EventKind::Compute;
    base::Picoseconds start, end;
    std::int64_t repeat = 1;
    std::vector<EventId> depends;
    DecidedBy decidedBy = DecidedBy::Compiler;
};

/// A rectangle of processing elements on a wafer, or another named place of a kernel on the floor plan.
struct Region {
    KernelId kernel;
    std::int64_t x = 0, y = 0, width = 0, height = 0;
};

/// One operation as a compiler hands it to its backend, where that is public: rows of the JSON
/// report's `opspecs`.
struct OpSpec {
    NodeId node; ///< of the scheduled stage
    std::int64_t bundle = -1; ///< counted from 0; −1: runs on the host
    std::string op; ///< the backend's word, the ATen operator on the host
    std::string kind; ///< "pointwise", "reduction", "restickify", "fallback"
    std::vector<std::int64_t> shape; ///< of what it writes into
    std::vector<std::int64_t> deviceSize, strideMap; ///< the layout of that
    std::vector<std::int64_t> splits; ///< one a loop, in the order of emission
    std::int64_t cores = 1;
    std::string placement; ///< "lx", "hbm_pool", "hbm"; empty: not placed
    std::optional<std::int64_t> address; ///< bytes; the number of the kernel argument for "hbm"
};

/// The lowered program of one machine: plain data. memory, schedule and roofline compute on it.
struct Program {
    std::array<std::shared_ptr<const StageGraph>, kStageCount> stages;
    base::IdVector<StepId, Step> steps; ///< execution order
    base::IdVector<BufferId, Buffer> buffers;
    base::IdVector<ResourceId, Resource> resources;
    base::IdVector<EventId, Event> events; ///< by start time
    std::vector<Region> regions; ///< wafer floor plan
    std::vector<OpSpec> opSpecs; ///< program order; empty where no compiler says, or it refuses
    std::int64_t chips = 1; ///< devices the program needs
    std::string mode; ///< family's execution mode, a sentence ("layer-pipelined: the weights fit the wafer")

    const StageGraph& stage(Stage s) const { return *stages[static_cast<std::size_t>(s)]; }
};

} // namespace fivefold::lowering
