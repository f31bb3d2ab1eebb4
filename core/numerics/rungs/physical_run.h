// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/rungs/faults_physical.h"
#include "core/numerics/rungs/physical_memory.h"
#include "core/numerics/rungs/physical_transfers.h"

#include <map>
#include <unordered_map>

namespace fivefold::numerics {

/// One run of a physical rung: values in device lanes, nodes in the order of the machine's steps.
///
/// A value with a layout lives in its lanes alone; what nobody wrote holds RungOptions::poison.
/// Lane-wise operators and copies run over the padding, too. Before a reduction, a soft-max or a
/// contraction the padding that it consumes is set to its identity, in place, so that it is there
/// for everyone after; it then runs over the padded extents. Every other operator reads and writes
/// through the index maps. From Placed on, buffers that lie on each other while both are held
/// overwrite each other's elements.
class PhysicalRun {
public:
    /// All references outlive the object.
    PhysicalRun(const Subject& subject, Rung rung, const Inputs& inputs, const RungOptions& options,
        const base::Progress& progress);
    base::Result<RungRun> run();

private:
    using Step = base::Result<base::Done>;

    void planOrder();
    void planReleases();
    void planMemory();
    std::shared_ptr<const LaneIndex> indexOf(const lowering::Value& value);
    DeviceValue onDevice(lowering::ValueId id, const Datum& contents);
    Datum stored(Datum datum) const;
    base::Result<DeviceValue*> read(lowering::ValueId id, lowering::NodeId reader);
    base::Result<DeviceValue*> upload(lowering::ValueId id);
    DeviceValue* unwritten(lowering::ValueId id);
    DeviceValue* seenBy(lowering::NodeId reader, lowering::ValueId id, DeviceValue& right);
    bool takeGiven(const lowering::Node& node);
    Step execute(const Turn& turn);
    bool gather(const lowering::Node& node, lowering::NodeId id,
        std::vector<DeviceValue*>& operands, Step& outcome);
    NodeOnDevice callOf(const Turn& turn, std::vector<DeviceValue*> operands);
    base::Result<std::vector<Datum>> evaluatePadded(
        const Turn& turn, std::span<const Datum> inputs, const lowering::Node& node);
    void put(const Turn& turn, lowering::ValueId id, Datum result,
        const std::vector<DeviceValue*>& operands);
    bool carryPadding(
        const lowering::Node& node, const std::vector<DeviceValue*>& operands, DeviceValue& result);
    void afterWrite(lowering::ValueId id);
    void intrude(const PlantedFault& planted, const Intruder& intruder);
    bool standsStill(lowering::NodeId node);
    void hold(lowering::ValueId id, DeviceValue value);
    void note(lowering::ValueId id);
    void release(std::size_t position);
    void settle(std::size_t position);
    void finish();

    const Subject& m_subject;
    const lowering::StageGraph& m_graph;
    Rung m_rung;
    const RungOptions& m_options;
    const base::Progress& m_progress;
    StageValues m_values;
    NodeEvaluator m_evaluator;
    std::vector<PlantedFault> m_planted;
    std::vector<Standstill> m_standstills;
    std::map<std::size_t, Intruder> m_intruders; ///< by index into m_planted
    bool m_isPadKept = true; ///< padding takes part: always up to Timed
    /// Somebody may look at lanes that hold no element: the caller, a fault, what lies on them.
    bool m_isPadSeen = true;

    std::vector<Turn> m_order;
    std::vector<std::size_t> m_position; ///< of each node's first turn in the order
    std::size_t m_at = 0;
    std::vector<std::vector<lowering::ValueId>> m_releases;
    std::unordered_map<const layout::TensorLayout*, std::shared_ptr<const LaneIndex>> m_indices;
    std::vector<DeviceValue> m_contents;
    std::vector<std::uint8_t> m_isHeld, m_isFailed; ///< values; nodes
    std::vector<std::map<lowering::ValueId, DeviceValue>> m_seen; ///< by planted fault
    std::map<lowering::ValueId, std::vector<Clash>> m_clashes; ///< by writing value
    Checksums m_sums;
    std::int64_t m_heldBytes = 0;
    RungRun m_run;
};

} // namespace fivefold::numerics
