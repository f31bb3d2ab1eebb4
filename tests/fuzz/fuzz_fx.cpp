// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/fx_reader.h"
#include "core/ir/cost.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace fivefold;

/// Any text: it opens or gives a sentence. What opens can be inferred and counted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    base::Diagnostics diagnostics;
    const auto result = frontends::fx::readText(text, "/nonexistent/graph.py", diagnostics);
    if (!result) {
        if (result.error().message.empty())
            std::abort();
        return 0;
    }
    const auto typed = ir::infer(*result, {}, diagnostics);
    if (!typed || ir::modelCost(*typed).unknownNodes < 0)
        std::abort();
    return 0;
}
