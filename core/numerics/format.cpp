// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/format.h"

namespace fivefold::numerics {

std::string_view toString(Format) {
    return {};
}
std::optional<Format> parseFormat(std::string_view) {
    return {};
}
Format formatOf(ir::DType) {
    return Format::Fp64;
}
const FormatFacts& facts(Format) {
    static const FormatFacts none;
    return none;
}
double round(double value, Format, Rounding, bool) {
    return value;
}
double ulp(double, Format) {
    return 0;
}
std::optional<std::int64_t> ulpDistance(double, double, Format) {
    return {};
}

} // namespace fivefold::numerics
