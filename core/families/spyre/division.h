// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/loops.h"
#include "core/families/spyre/work_division.h"

#include <map>

namespace fivefold::families::spyre {

/// How one operation's work lies on the cores.
struct OpDivision {
    std::int64_t cores = 1;
    bool fitsSpan = true; ///< false: the compiler has no split that a core can address
    bool fitsWish = true; ///< false: a split was wanted that the product does not have
    std::optional<MatmulDivision> matmul; ///< a product's split over batch, rows, columns and k
    std::string text; ///< "b1 · m16 · n2 · k1 = 32 cores", "d0 ÷ 32 = 32 cores"
};

/// Work division as torch-spyre's work_division.py does it (August 2026): the span limit first,
/// then a cost model for products, the largest output dimensions for everything else. Sticks are
/// never cut. Expects layouts; fills the splits and cores of the operations.
class Divider {
public:
    Divider(LoopProgram& program, const DivisionRules& rules)
        : m_program(program)
        , m_rules(rules) { }

    /// Equal products are searched once. O(loops · tensors + candidates of the search).
    /// A product takes the split that is wanted where every part divides its extent; `fitsWish`
    /// says whether it did.
    OpDivision divide(LoopOp& op, const std::optional<MatmulDivision>& wanted = std::nullopt);

private:
    LoopProgram& m_program;
    DivisionRules m_rules;
    std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> m_products;
};

} // namespace fivefold::families::spyre
