// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/device.h"

#include <algorithm>

namespace fivefold::families::tpu {

namespace {

using machines::Machine;
using machines::Precision;

constexpr double kVectorSlots = 2; ///< vector ALU slots of a bundle (TPU v2/v3, Hot Chips 2020)
constexpr int kOneCoreGeneration =
    7; ///< from here JAX shows each TensorCore as a device of its own

bool isOff(const lowering::Context& context, const std::string& key, bool fallback) {
    const auto found = context.settings.values.find(key);
    if (found == context.settings.values.end())
        return fallback;
    return found->second == "off" || found->second == "0" || found->second == "false";
}

std::int64_t count(const Machine& machine, std::string_view key, std::int64_t fallback) {
    const double value = machine.parameterOr(key, static_cast<double>(fallback));
    return value >= 1 && value < 1e15 ? static_cast<std::int64_t>(value) : fallback;
}

void readMemories(Device& device, const Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i) {
        const machines::Memory& memory = machine.memories[i];
        if (memory.kind == machines::MemoryKind::Device) {
            device.hbmLevel = i;
            device.hbmBandwidth =
                std::max(1.0, memory.totalBandwidth().value_or(1e12)) * device.chipShare;
        } else if (memory.name == "VMEM") {
            device.vmemLevel = i;
            if (const auto bandwidth = memory.totalBandwidth())
                device.vmemBandwidth = *bandwidth * device.chipShare;
        } else if (memory.name == "CMEM") {
            device.cmemLevel = i;
        }
    }
    for (const machines::Link& link : machine.links)
        if (link.role == "host" && link.bandwidth.isKnown())
            device.hostLinkBandwidth = link.bandwidth.valueOr(device.hostLinkBandwidth);
}

void readResidency(Device& device, const Machine& machine) {
    // v4 keeps internal results in the shared CMEM, later generations in VMEM.
    device.nearLevel = device.cmemLevel ? device.cmemLevel : device.vmemLevel;
    if (!device.nearLevel)
        return;
    const double capacity = machine.memories[*device.nearLevel].usableBytes().value_or(0);
    const double windows = machine.parameterOr("kernel_vmem_bytes", 0);
    const double resident =
        machine.parameterOr("prefetch_bytes", std::max(0.0, capacity - windows));
    device.residentBytes = static_cast<std::int64_t>(std::clamp(resident, 0.0, 1e15));
}

void readXla(Device& device, const Machine& machine) {
    const auto read = [&](const char* key, double& value) {
        const double known = machine.parameterOr(key, value);
        if (known > 0)
            value = known;
    };
    read("xla_step_cycles", device.xla.step);
    read("xla_matmul_a", device.xla.a);
    read("xla_matmul_w", device.xla.w);
    read("xla_matmul_h", device.xla.h);
    device.xlaMacsPerCycle =
        static_cast<double>(device.arrays) * static_cast<double>(device.side * device.side);
    read("xla_mac_per_cycle", device.xlaMacsPerCycle);
    device.windowBytes = count(machine, "kernel_vmem_bytes", device.windowBytes);
}

} // namespace

Device device(const lowering::Context& context) {
    const Machine& machine = context.machine;
    Device device;
    device.machine = &machine;
    device.generation = static_cast<int>(count(machine, "generation", 5));
    device.lanes = count(machine, "lanes", 128);
    device.sublanes = count(machine, "sublanes", 8);
    device.side = count(machine, "mxu_size", 128);
    device.cores = count(machine, "tensor_cores", 1);
    device.arrays = count(machine, "mxu_count", 4) * count(machine, "mxu_rate_factor", 1);
    if (device.generation >= kOneCoreGeneration && device.cores > 1) {
        device.chipShare = 1.0 / static_cast<double>(device.cores);
        device.arrays = std::max<std::int64_t>(1, device.arrays / device.cores);
        device.cores = 1;
    }
    device.clock = machine.parameterOr("xla_clock_hz", machine.clock.valueOr(1e9));
    const double bf16 = machine.peak(Precision::Bf16).value_or(1e12);
    device.chipPeak = machine.peak(context.settings.precision).value_or(bf16);
    device.precisionFactor = device.chipPeak / bf16;
    device.vectorRate = static_cast<double>(device.lanes * device.sublanes * device.cores)
        * kVectorSlots * device.clock;
    readXla(device, machine);
    readMemories(device, machine);
    readResidency(device, machine);
    device.matrixEfficiency = std::clamp(machine.parameterOr("matmul_efficiency", 0.78), 0.01, 1.0);
    device.hbmEfficiency = std::clamp(machine.parameterOr("hbm_efficiency", 0.87), 0.01, 1.0);
    device.streamBandwidth = std::clamp(
        machine.parameterOr("elementwise_bytes_per_s", device.hbmBandwidth * device.hbmEfficiency),
        1.0, device.hbmBandwidth);
    device.opSeconds = machine.parameterOr("op_fixed_s", 1.5e-6);
    device.copySeconds = machine.parameterOr("copy_fixed_s", device.opSeconds);
    device.productSeconds = machine.parameterOr("matmul_fixed_s", device.opSeconds);
    device.dispatchSeconds = machine.parameterOr("dispatch_s", 118e-6);
    device.isDispatchCounted = !isOff(context, "dispatch", true);
    device.isVmemOn = !isOff(context, "vmem", false);
    device.isRecomputeOn = !isOff(context, "recompute", false);
    return device;
}

} // namespace fivefold::families::tpu
