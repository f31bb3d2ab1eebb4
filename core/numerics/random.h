// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace fivefold::numerics {

/// Seed of one named stream of a run: FNV-1a over the name, mixed with the run's seed. The same on
/// every machine.
inline std::uint64_t seedOf(std::string_view name, std::uint64_t seed) {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash ^ (seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull);
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): small, and the same on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed) { }

    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; } ///< [0, 1)
    double between(double low, double high) { return low + (high - low) * uniform(); }
    /// 0 … count − 1; 0 for a count below 2.
    std::int64_t below(std::int64_t count) {
        return count < 2 ? 0
                         : static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count));
    }
    /// Mean 0, variance 1 (Box and Muller).
    double normal() {
        constexpr double kTwoPi = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(kTwoPi * uniform());
    }

private:
    std::uint64_t m_state;
};

} // namespace fivefold::numerics
