// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/device.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fivefold::families::gpu {

namespace {

using machines::Machine;
using machines::Precision;

constexpr double kPerMille = 1000; ///< third column of the table cta_tiles

std::string setting(const lowering::Context& context, const std::string& key) {
    const auto found = context.settings.values.find(key);
    return found == context.settings.values.end() ? std::string() : found->second;
}

bool isOff(const lowering::Context& context, const std::string& key) {
    const std::string value = setting(context, key);
    return value == "off" || value == "0" || value == "false";
}

/// "128x64" → that tile, with the efficiency the table gives it (that of its nearest smaller one
/// otherwise).
std::optional<Tile> parseTile(const std::string& text, const std::vector<Tile>& tiles) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos)
        return std::nullopt;
    Tile tile;
    const char* end = text.data() + text.size();
    const auto rows = std::from_chars(text.data(), text.data() + cross, tile.rows);
    const auto columns = std::from_chars(text.data() + cross + 1, end, tile.columns);
    if (rows.ec != std::errc() || columns.ec != std::errc() || columns.ptr != end || tile.rows <= 0
        || tile.columns <= 0)
        return std::nullopt;
    const auto found = std::find_if(tiles.begin(), tiles.end(), [&tile](const Tile& known) {
        return known.rows == tile.rows && known.columns == tile.columns;
    });
    tile.efficiency = found != tiles.end() ? found->efficiency : tiles.back().efficiency;
    return tile;
}

void readMemories(Device& device, const Machine& machine) {
    for (std::size_t i = 0; i < machine.memories.size(); ++i) {
        const machines::Memory& memory = machine.memories[i];
        if (memory.kind == machines::MemoryKind::Device) {
            device.dramLevel = i;
            device.dramBandwidth = std::max(1.0, memory.totalBandwidth().value_or(1e12));
        } else if (memory.kind == machines::MemoryKind::Cache && !device.l2Level) {
            device.l2Level = i;
            device.l2Bandwidth = memory.totalBandwidth();
            device.l2Bytes = memory.usableBytes();
        } else if (memory.kind == machines::MemoryKind::Registers && !device.registerBytesPerSm) {
            device.registerBytesPerSm = memory.usableBytes();
        } else if (memory.kind == machines::MemoryKind::Scratchpad && !device.sharedLevel) {
            device.sharedLevel = i;
            device.sharedBandwidth = memory.totalBandwidth();
            device.sharedBytesPerSm = memory.usableBytes();
        }
    }
    for (const machines::Link& link : machine.links)
        if (link.role == "host" && link.bandwidth.isKnown()) {
            const bool isSum = link.direction.find("both") != std::string::npos;
            device.hostLinkBandwidth = link.bandwidth.valueOr(3.2e10) / (isSum ? 2 : 1);
        }
}

/// Keys "gemm_…", or "gemm_fp8_…" for fp8 where the machine has them.
GemmConstants gemmOf(const Machine& machine, Precision precision) {
    GemmConstants gemm;
    const auto read = [&](const std::string& name, double& value) {
        value = machine.parameterOr("gemm_" + name, value);
        if (precision == Precision::Fp8)
            value = machine.parameterOr("gemm_fp8_" + name, value);
    };
    read("sus", gemm.sustained);
    if (precision == Precision::Fp32)
        read("sus_fp32", gemm.sustained);
    read("eff", gemm.dramEfficiency);
    read("t0_s", gemm.fixedSeconds);
    read("l2x", gemm.l2Factor);
    read("t_cta_s", gemm.ctaSeconds);
    read("sat", gemm.saturation);
    read("w", gemm.waveWeight);
    read("resident_share", gemm.residentShare);
    read("resident_factor", gemm.residentFactor);
    read("split_s", gemm.splitSeconds);
    read("exposed_share", gemm.exposedShare);
    read("quantise", gemm.quantiseFactor);
    return gemm;
}

void readAttention(Device& device, const Machine& machine) {
    const auto read = [&machine](const char* key, double& value) {
        value = machine.parameterOr(key, value);
    };
    PrefillConstants& prefill = device.prefill;
    read("attention_prefill_t0_s", prefill.fixedSeconds);
    read("attention_prefill_sus", prefill.sustained);
    read("attention_prefill_eff", prefill.efficiency);
    read("attention_prefill_moved", prefill.moved);
    read("attention_prefill_cta_s", prefill.ctaSeconds);
    DecodeConstants& decode = device.decode;
    read("attention_decode_t0_s", decode.fixedSeconds);
    read("attention_decode_group_s", decode.groupSeconds);
    read("attention_decode_eff", decode.efficiency);
    read("attention_decode_token_s", decode.serialSecondsPerKey);
    read("attention_decode_sat", decode.saturation);
    read("attention_decode_combine_s", decode.combineSeconds);
    read("attention_plain_t0_s", decode.plainFixedSeconds);
    read("attention_plain_eff", decode.plainEfficiency);
    read("attention_plain_token_s", decode.plainSecondsPerKey);
    read("attention_plain_wave_s", decode.plainWaveSeconds);
}

void readConstants(Device& device, const Machine& machine) {
    const double eff = machine.parameterOr("elementwise_eff", 0.8);
    device.pointwise = {machine.parameterOr("elementwise_t0_s", 5e-6), 1.0, eff};
    // Passes count reads and writes of one tensor; a kernel's bytes are one of each already.
    device.softmax = {machine.parameterOr("softmax_t0_s", 14e-6),
        machine.parameterOr("softmax_passes", 2) / 2, machine.parameterOr("softmax_eff", 0.7)};
    device.layerNorm = {machine.parameterOr("norm_t0_s", 14e-6),
        machine.parameterOr("norm_passes", 2.5) / 2, machine.parameterOr("norm_eff", 0.75)};

    readAttention(device, machine);
    device.graphLaunchSeconds = machine.parameterOr("launch_graph_s", device.graphLaunchSeconds);
    device.driverLaunchSeconds = machine.parameterOr("launch_driver_s", device.driverLaunchSeconds);
}

} // namespace

std::vector<Tile> tilesOf(const Machine& machine, double softening) {
    std::vector<Tile> tiles;
    if (const auto found = machine.tables.find("cta_tiles"); found != machine.tables.end())
        for (const std::vector<std::int64_t>& row : found->second) {
            if (row.size() < 2 || row[0] <= 0 || row[1] <= 0)
                continue;
            const double share = row.size() > 2
                ? std::clamp(static_cast<double>(row[2]) / kPerMille, 0.01, 1.0)
                : 1.0;
            tiles.push_back({row[0], row[1], std::pow(share, softening)});
        }
    if (tiles.empty())
        tiles.push_back({128, 128, 1.0});
    return tiles;
}

Device deviceOf(const Machine& machine, Precision precision) {
    Device device;
    device.machine = &machine;
    device.precision = precision;
    device.sms =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(machine.parameterOr("sms", 1)));
    for (const machines::Unit& unit : machine.units)
        if (unit.name == "warp" && unit.count.isKnown())
            device.warpsPerSm = static_cast<std::int64_t>(*unit.count.value) / device.sms;
    device.peak =
        machine.peak(precision).value_or(machine.peak(machine.defaultPrecision()).value_or(1e12));
    device.vectorPeak = std::min(device.peak, machine.peak(Precision::Fp32).value_or(device.peak));
    device.elementBytes = std::max(1, machines::storageBits(precision) / 8);
    readMemories(device, machine);
    device.gemm = gemmOf(machine, precision);
    readConstants(device, machine);
    double softening = machine.parameterOr("gemm_softening", 1.0);
    if (precision == Precision::Fp8)
        softening = machine.parameterOr("gemm_fp8_softening", softening);
    device.tiles = tilesOf(machine, softening);
    return device;
}

Device device(const lowering::Context& context) {
    Device device = deviceOf(context.machine, context.settings.precision);
    device.isCudaGraph = !isOff(context, "cuda_graph");
    device.isSdpaOn = !isOff(context, "sdpa");
    device.isConvolutionChannelsLast = !isOff(context, "channels_last");
    device.hasTemplates = setting(context, "templates") == "on";
    device.tile = parseTile(setting(context, "tile"), device.tiles);
    return device;
}

} // namespace fivefold::families::gpu
