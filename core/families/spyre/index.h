// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Exact integer index expressions over the loop variables of one operation: what Inductor keeps as
/// sympy expressions (torch/_inductor/sizevars.py), reduced to sums of floor-and-modulo terms.
namespace fivefold::families::spyre {

class Index;

/// coefficient × ((x / divisor) mod modulus), x a loop variable or a sum; both roundings go down.
/// Values of x are never negative.
struct IndexTerm {
    std::int64_t coefficient = 1;
    int variable = -1; ///< index into the loops; −1 where x is `inner`
    std::shared_ptr<const Index> inner; ///< set only where variable is −1
    std::int64_t divisor = 1; ///< ≥ 1
    std::int64_t modulus = 0; ///< 0: none

    bool isLinear() const { return variable >= 0 && divisor == 1 && modulus == 0; }
    bool operator==(const IndexTerm& other) const;
};

/// The terms of one index: few, so that they lie in it.
using IndexTerms = boost::container::small_vector<IndexTerm, 3>;

/// constant + Σ terms, in one normal form: no two terms walk the same x with the same divisor and
/// modulus, none has coefficient 0, and terms are sorted. Two equal expressions of the shapes that
/// views make compare equal.
class Index {
public:
    Index() = default;
    explicit Index(std::int64_t constant)
        : m_constant(constant) { }
    static Index of(int variable, std::int64_t coefficient = 1);
    static Index of(IndexTerm term);

    std::int64_t constant() const { return m_constant; }
    const IndexTerms& terms() const { return m_terms; }
    bool isConstant() const { return m_terms.empty(); }
    /// Only constant and linear terms.
    bool isLinear() const;
    /// Of the linear term in `variable`; 0 where there is none, as sympy's coeff().
    std::int64_t coefficient(int variable) const;
    bool uses(int variable) const;
    std::vector<int> variables() const; ///< ascending, each once

    Index& operator+=(const Index& other);
    Index operator*(std::int64_t factor) const;
    Index dividedExactly(std::int64_t divisor) const; ///< which divides all coefficients
    friend Index operator+(Index a, const Index& b) { return a += b; }
    bool operator==(const Index& other) const = default;

    /// Value where variable v is `values[v]`; missing ones are 0.
    std::int64_t evaluate(std::span<const std::int64_t> values) const;
    /// Largest value over 0 ≤ v < extents[v]. The bound is exact for linear expressions.
    std::int64_t maximum(std::span<const std::int64_t> extents) const;
    /// Smallest value: the constant, and what negative coefficients (flips) take off.
    std::int64_t minimum(std::span<const std::int64_t> extents) const;
    /// With every variable v replaced by replacements[v].
    Index substitute(
        std::span<const Index> replacements, std::span<const std::int64_t> extents) const;
    /// With the variables renumbered: v becomes renumbered[v] (−1: must not occur).
    Index renumbered(std::span<const int> renumbered) const;

    /// "768*d1 + d2 + 32", "floor(d0/64)": for messages, in the compiler's notation.
    std::string text(char letter = 'd') const;

private:
    void add(IndexTerm term);
    friend Index floorDivide(const Index&, std::int64_t, std::span<const std::int64_t>);
    friend Index modulo(const Index&, std::int64_t, std::span<const std::int64_t>);

    std::int64_t m_constant = 0;
    IndexTerms m_terms;
};

/// ⌊e / divisor⌋ and e mod modulus, simplified under 0 ≤ v < extents[v]: terms that divide leave
/// the floor, terms that are multiples leave the modulus, and one that cannot overflow drops it.
Index floorDivide(const Index& e, std::int64_t divisor, std::span<const std::int64_t> extents);
Index modulo(const Index& e, std::int64_t modulus, std::span<const std::int64_t> extents);

/// One index a dimension of `to`, mapped to one a dimension of `from`: a reshape of row-major
/// element order. Element counts must agree.
std::vector<Index> reshaped(const std::vector<Index>& to, std::span<const std::int64_t> toShape,
    std::span<const std::int64_t> fromShape, std::span<const std::int64_t> extents);

/// Σ index[d] × stride[d] + offset.
Index flattened(const std::vector<Index>& index, std::span<const std::int64_t> strides,
    std::int64_t offset = 0);

} // namespace fivefold::families::spyre
