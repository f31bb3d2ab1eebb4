// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/duration.h"

#include <cstdio>
#include <utility>

namespace fivefold::roofline {

std::string durationText(base::Seconds time) {
    constexpr std::pair<double, const char*> kUnits[] = {
        {1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}, {1e-12, "ps"}};
    char text[48];
    for (const auto& [size, unit] : kUnits)
        if (time.value >= size * 0.9995) {
            std::snprintf(text, sizeof text, "%.3g %s", time.value / size, unit);
            return text;
        }
    return time.value > 0 ? "< 1 ps" : "0 s";
}

std::string bytesText(base::Bytes bytes) {
    constexpr std::pair<double, const char*> kUnits[] = {
        {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
    char text[48];
    const auto value = static_cast<double>(bytes.value);
    for (const auto& [size, unit] : kUnits)
        if (value >= size * 0.9995) {
            std::snprintf(text, sizeof text, "%.3g %s", value / size, unit);
            return text;
        }
    return std::to_string(bytes.value) + " B";
}

} // namespace fivefold::roofline
