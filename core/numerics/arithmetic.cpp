// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/format.h"

namespace fivefold::numerics {

Arithmetic exactArithmetic() {
    return {};
}
Arithmetic singleArithmetic() {
    return {};
}
Arithmetic arithmeticOf(const machines::Machine&, machines::Precision) {
    return {};
}

} // namespace fivefold::numerics
