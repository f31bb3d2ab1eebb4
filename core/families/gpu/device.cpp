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

void readConstants(Device& device, const Machine& machine, bool isFp32) {
    GemmConstants& gemm = device.gemm;
    gemm.sustained = machine.parameterOr("gemm_sus", gemm.sustained);
    if (isFp32)
        gemm.sustained = machine.parameterOr("gemm_sus_fp32", gemm.sustained);
    gemm.dramEfficiency = machine.parameterOr("gemm_eff", gemm.dramEfficiency);
    gemm.fixedSeconds = machine.parameterOr("gemm_t0_s", gemm.fixedSeconds);
    gemm.l2Factor = machine.parameterOr("gemm_l2x", gemm.l2Factor);
    gemm.ctaSeconds = machine.parameterOr("gemm_t_cta_s", gemm.ctaSeconds);
    gemm.saturation = machine.parameterOr("gemm_sat", gemm.saturation);
    gemm.waveWeight = machine.parameterOr("gemm_w", gemm.waveWeight);

    const double eff = machine.parameterOr("elementwise_eff", 0.8);
    device.pointwise = {machine.parameterOr("elementwise_t0_s", 5e-6), 1.0, eff};
    // Passes count reads and writes of one tensor; a kernel's bytes are one of each already.
    device.softmax = {machine.parameterOr("softmax_t0_s", 14e-6),
        machine.parameterOr("softmax_passes", 2) / 2, machine.parameterOr("softmax_eff", 0.7)};
    device.layerNorm = {machine.parameterOr("norm_t0_s", 14e-6),
        machine.parameterOr("norm_passes", 2.5) / 2, machine.parameterOr("norm_eff", 0.75)};

    AttentionConstants& attention = device.attention;
    attention.prefillFixedSeconds =
        machine.parameterOr("attention_prefill_t0_s", attention.prefillFixedSeconds);
    attention.prefillSustained =
        machine.parameterOr("attention_prefill_sus", attention.prefillSustained);
    attention.decodeFixedSeconds =
        machine.parameterOr("attention_decode_t0_s", attention.decodeFixedSeconds);
    attention.bandwidthEfficiency =
        machine.parameterOr("attention_decode_eff", attention.bandwidthEfficiency);
    attention.serialSecondsPerKey =
        machine.parameterOr("attention_decode_token_s", attention.serialSecondsPerKey);
    if (const machines::Figure* error = machine.parameter("validated_p90");
        error && error->isKnown())
        device.productError = error->value;
    device.graphLaunchSeconds = machine.parameterOr("launch_graph_s", device.graphLaunchSeconds);
    device.driverLaunchSeconds = machine.parameterOr("launch_driver_s", device.driverLaunchSeconds);
}

} // namespace

Device device(const lowering::Context& context) {
    const Machine& machine = context.machine;
    const Precision precision = context.settings.precision;
    Device device;
    device.sms =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(machine.parameterOr("sms", 1)));
    device.peak =
        machine.peak(precision).value_or(machine.peak(machine.defaultPrecision()).value_or(1e12));
    device.vectorPeak = std::min(device.peak, machine.peak(Precision::Fp32).value_or(device.peak));
    device.elementBytes = std::max(1, machines::storageBits(precision) / 8);
    readMemories(device, machine);
    readConstants(device, machine, precision == Precision::Fp32);
    device.tiles = tilesOf(machine, machine.parameterOr("gemm_softening", 1.0));
    device.isCudaGraph = !isOff(context, "cuda_graph");
    device.isSdpaOn = !isOff(context, "sdpa");
    device.isConvolutionChannelsLast = !isOff(context, "channels_last");
    device.tile = parseTile(setting(context, "tile"), device.tiles);
    return device;
}

} // namespace fivefold::families::gpu
