// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/graph.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fivefold::numerics {

/// The eight levels of the stack. Their names are inferred from public descriptions: label them
/// "reconstructed".
enum class Level : std::uint8_t {
    Capture = 1,
    Decomposition,
    Fusion,
    Layout, ///< tiling and padding included
    Conflict, ///< scheduling and placement
    Deadlock, ///< lost progress
    Transfer, ///< DMA
    Numerics,
};
constexpr int kLevels = 8;
std::string_view toString(Level level); ///< "capture", …, "dma", "numerics"

/// Faults of the catalogue, F01 to F35: switches of the simulator.
enum class FaultId : std::uint8_t {};
constexpr int kFaults = 35;
std::string toString(FaultId id); ///< "F12"
std::optional<FaultId> parseFault(std::string_view text); ///< "F12", "f12"
constexpr int number(FaultId id) {
    return static_cast<int>(id);
} ///< 1..35

/// What the catalogue says of one.
struct FaultFacts {
    FaultId id;
    Level level = Level::Capture;
    std::string_view mechanism; ///< "copy covers only full sticks"
    std::string_view trigger;
    std::string_view observable; ///< which elements go wrong, and how
};
const FaultFacts& facts(FaultId id);
std::span<const FaultFacts> faultCatalogue(); ///< F01 first

/// One planted fault: which switch, where, and how far it is turned.
struct Fault {
    FaultId id{};
    ir::NodeId node; ///< captured node that it befalls
    std::uint64_t seed = 1; ///< timing, places and sizes that the fault leaves open
    /// What the mechanism needs beyond: "n0" (F01), "pitch" (F18), "bits" (F19), "depth" (F25), …;
    /// missing ones take their default from shapes and seed.
    std::map<std::string, double> parameters;
    double parameter(std::string_view name, double fallback) const;
};

} // namespace fivefold::numerics
