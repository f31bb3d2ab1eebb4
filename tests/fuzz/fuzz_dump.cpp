// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/dump_exercise.h"

#include <cstdint>

/// Any bytes: they open or give a sentence. FIVEFOLD_DUMP_FORMAT names the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)fivefold::tests::exerciseDump(FIVEFOLD_DUMP_FORMAT, std::as_bytes(std::span(data, size)));
    return 0;
}
