// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::ir {

/// One dimension of a shape, or one element of a propagated integer value: an exact integer, a
/// polynomial in named symbols with integer coefficients ("2*seq + 1", "batch*seq"), or unknown.
///
/// Operations that leave the polynomials (a floor division that is not exact, a maximum of two symbols)
/// give an opaque symbol whose name is the expression's text ("floor(h/2)"): equal texts are equal dims.
/// Integers saturate to unknown on overflow of int64, so that hostile files cannot cause undefined behaviour.
class Dim {
public:
    Dim() = default; ///< unknown
    Dim(std::int64_t value); // NOLINT: implicit on purpose, shapes are written {1, 128, 768}
    static Dim unknown() { return Dim(); }
    static Dim symbol(std::string name);

    bool isKnown() const { return m_kind == Kind::Known; }
    bool isSymbolic() const { return m_kind == Kind::Symbolic; }
    bool isUnknown() const { return m_kind == Kind::Unknown; }
    bool is(std::int64_t value) const { return isKnown() && m_value == value; }
    std::int64_t value() const { return m_value; } ///< requires isKnown()
    std::optional<std::int64_t> known() const {
        return isKnown() ? std::optional(m_value) : std::nullopt;
    }

    /// "768", "batch*seq", "?".
    std::string text() const;
    /// Names of the atoms of a symbolic dim, sorted, each once.
    std::vector<std::string> symbols() const;

    friend Dim operator+(const Dim& a, const Dim& b);
    friend Dim operator-(const Dim& a, const Dim& b);
    friend Dim operator*(const Dim& a, const Dim& b);
    /// Exact polynomial division where possible, else an opaque floor(a/b); unknown for a zero divisor.
    friend Dim floorDiv(const Dim& a, const Dim& b);
    friend Dim ceilDiv(const Dim& a, const Dim& b);
    friend Dim floorMod(const Dim& a, const Dim& b);
    friend Dim dimMin(const Dim& a, const Dim& b);
    friend Dim dimMax(const Dim& a, const Dim& b);

    /// True only when both are known or symbolic and provably equal; unknown equals nothing.
    friend bool isSame(const Dim& a, const Dim& b);
    /// Structural equality (unknown == unknown), for containers and tests.
    bool operator==(const Dim& other) const;

private:
    enum class Kind : std::uint8_t { Unknown, Known, Symbolic };
    /// monomial (sorted atom names, repeated for powers) → coefficient; the empty monomial is the constant.
    using Polynomial = std::map<std::vector<std::string>, std::int64_t>;

    static Dim fromPolynomial(Polynomial polynomial);
    static Dim opaque(std::string_view function, const Dim& a, const Dim& b);
    Polynomial polynomial() const;

    Kind m_kind = Kind::Unknown;
    std::int64_t m_value = 0;
    std::shared_ptr<const Polynomial> m_polynomial; ///< set when Symbolic
};

Dim floorDiv(const Dim& a, const Dim& b);
Dim ceilDiv(const Dim& a, const Dim& b);
Dim floorMod(const Dim& a, const Dim& b);
Dim dimMin(const Dim& a, const Dim& b);
Dim dimMax(const Dim& a, const Dim& b);
bool isSame(const Dim& a, const Dim& b);

/// A tensor shape of known rank. An unknown rank is std::nullopt where a shape is optional.
using Shape = std::vector<Dim>;

/// Product of all dims; 1 for a scalar, unknown as soon as a factor is unknown (unless one is zero).
Dim elementCount(const Shape& shape);
/// All dims as integers, or nullopt when one is not known.
std::optional<std::vector<std::int64_t>> knownShape(const Shape& shape);
/// "12×128×?"; "scalar" for rank 0.
std::string toText(const Shape& shape);

} // namespace fivefold::ir
