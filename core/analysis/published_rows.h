// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace fivefold::analysis {

/// The text of resources/published_points.tsv, which the build embeds.
std::string_view publishedRows();

} // namespace fivefold::analysis
