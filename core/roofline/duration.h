// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/units.h"

#include <string>

namespace fivefold::roofline {

/// "41 µs", "3.84 ms", "0 s": three significant digits.
std::string durationText(base::Seconds time);
/// "512 B", "1.5 kB", "38.6 MB": three significant digits, powers of ten.
std::string bytesText(base::Bytes bytes);

} // namespace fivefold::roofline
