// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace fivefold::machines {

/// The text of one file of resources/machines, embedded at build time.
struct BundledText {
    std::string_view file; ///< "gpu_h100_sxm.json"
    std::string_view text;
};
const std::vector<BundledText>& bundledTexts();

} // namespace fivefold::machines
