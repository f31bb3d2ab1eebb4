// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/drawing/child.h"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <thread>

/// Draws as the program does in its --draw mode; FIVEFOLD_DRAW_CHILD=slow never answers, =noise
/// answers nonsense.
int main() {
    const char* mode = std::getenv("FIVEFOLD_DRAW_CHILD");
    if (mode && std::string_view(mode) == "slow")
        std::this_thread::sleep_for(std::chrono::minutes(1));
    if (mode && std::string_view(mode) == "noise") {
        std::cout << "fivefold-drawing 1 dot 1 1\nboxes 99999\n";
        return 0;
    }
    return fivefold::drawing::runDrawChild(std::cin, std::cout);
}
