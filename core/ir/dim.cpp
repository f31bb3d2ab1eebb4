// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/dim.h"

#include <algorithm>
#include <limits>
#include <set>

namespace fivefold::ir {

namespace {

using Monomial = std::vector<std::string>;
using Terms = std::map<Monomial, std::int64_t>;

/// Beyond these a file is hostile or the expression useless to a reader; the dim becomes unknown.
constexpr std::size_t kMostTerms = 48;
constexpr std::size_t kHighestDegree = 12;
constexpr std::size_t kLongestAtom = 400;

bool add(std::int64_t a, std::int64_t b, std::int64_t& out) {
    return !__builtin_add_overflow(a, b, &out);
}

bool multiply(std::int64_t a, std::int64_t b, std::int64_t& out) {
    return !__builtin_mul_overflow(a, b, &out);
}

/// floor(a/b) for b != 0, false on the one overflow there is.
bool divideFloor(std::int64_t a, std::int64_t b, std::int64_t& quotient, std::int64_t& rest) {
    if (a == std::numeric_limits<std::int64_t>::min() && b == -1)
        return false;
    quotient = a / b;
    rest = a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) {
        --quotient;
        rest += b;
    }
    return true;
}

/// Graded lexicographic order: admissible, so that division by one polynomial is exact where it can
/// be.
bool isLeading(const Monomial& a, const Monomial& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
}

Terms::const_iterator leadingTerm(const Terms& terms) {
    auto best = terms.begin();
    for (auto it = terms.begin(); it != terms.end(); ++it)
        if (isLeading(it->first, best->first))
            best = it;
    return best;
}

bool addTerm(Terms& terms, const Monomial& monomial, std::int64_t coefficient) {
    auto [it, isNew] = terms.emplace(monomial, coefficient);
    if (!isNew && !add(it->second, coefficient, it->second))
        return false;
    if (it->second == 0)
        terms.erase(it);
    return true;
}

Monomial product(const Monomial& a, const Monomial& b) {
    Monomial result;
    result.reserve(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

/// a / b as monomials, or nullopt when b does not divide a.
std::optional<Monomial> quotient(const Monomial& a, const Monomial& b) {
    if (!std::includes(a.begin(), a.end(), b.begin(), b.end()))
        return std::nullopt;
    Monomial result;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
}

/// Exact quotient of polynomials, or nullopt.
std::optional<Terms> divideExactly(Terms a, const Terms& b) {
    Terms result;
    const auto leadB = leadingTerm(b);
    for (std::size_t step = 0; !a.empty(); ++step) {
        if (step > kMostTerms)
            return std::nullopt;
        const auto leadA = leadingTerm(a);
        const auto monomial = quotient(leadA->first, leadB->first);
        if (!monomial || leadB->second == -1 || leadA->second % leadB->second != 0)
            return std::nullopt;
        const std::int64_t factor = leadA->second / leadB->second;
        if (!addTerm(result, *monomial, factor))
            return std::nullopt;
        for (const auto& [m, c] : b) {
            std::int64_t scaled = 0;
            if (!multiply(c, factor, scaled) || scaled == std::numeric_limits<std::int64_t>::min()
                || !addTerm(a, product(m, *monomial), -scaled))
                return std::nullopt;
        }
    }
    return result;
}

/// Sizes of tensors that hold something: a plain symbol is at least 1, an opaque expression at
/// least 0.
bool isOpaque(const std::string& atom) {
    return atom.find('(') != std::string::npos;
}

/// True when the polynomial cannot be negative for any admissible values of its atoms.
bool isNeverNegative(const Terms& terms) {
    std::int64_t least = 0;
    for (const auto& [monomial, coefficient] : terms) {
        if (monomial.empty()) {
            if (!add(least, coefficient, least))
                return false;
            continue;
        }
        if (coefficient < 0)
            return false;
        if (std::none_of(monomial.begin(), monomial.end(), isOpaque)
            && !add(least, coefficient, least))
            return false;
    }
    return least >= 0;
}

std::string monomialText(const Monomial& monomial) {
    std::string text;
    for (const std::string& atom : monomial)
        text += (text.empty() ? "" : "*") + atom;
    return text;
}

std::string termsText(const Terms& terms) {
    std::vector<const Terms::value_type*> order;
    for (const auto& term : terms)
        order.push_back(&term);
    std::sort(
        order.begin(), order.end(), [](auto* a, auto* b) { return isLeading(a->first, b->first); });
    std::string text;
    for (const auto* term : order) {
        const auto& [monomial, coefficient] = *term;
        const bool isNegative = coefficient < 0;
        std::string digits = std::to_string(coefficient);
        if (isNegative)
            digits.erase(0, 1);
        if (text.empty())
            text = isNegative ? "-" : "";
        else
            text += isNegative ? " - " : " + ";
        if (monomial.empty())
            text += digits;
        else
            text += (digits == "1" ? "" : digits + "*") + monomialText(monomial);
    }
    return text;
}

} // namespace

Dim::Dim(std::int64_t value)
    : m_kind(Kind::Known)
    , m_value(value) { }

Dim Dim::symbol(std::string name) {
    if (name.empty())
        return Dim();
    Polynomial terms;
    terms.emplace(Monomial{std::move(name)}, 1);
    return fromPolynomial(std::move(terms));
}

Dim Dim::fromPolynomial(Polynomial polynomial) {
    if (polynomial.empty())
        return Dim(0);
    if (polynomial.size() == 1 && polynomial.begin()->first.empty())
        return Dim(polynomial.begin()->second);
    if (polynomial.size() > kMostTerms)
        return Dim();
    for (const auto& [monomial, coefficient] : polynomial)
        if (monomial.size() > kHighestDegree)
            return Dim();
    Dim result;
    result.m_kind = Kind::Symbolic;
    result.m_polynomial = std::make_shared<const Polynomial>(std::move(polynomial));
    return result;
}

Dim::Polynomial Dim::polynomial() const {
    if (isSymbolic())
        return *m_polynomial;
    Polynomial terms;
    if (m_value != 0)
        terms.emplace(Monomial(), m_value);
    return terms;
}

Dim Dim::opaque(std::string_view function, const Dim& a, const Dim& b) {
    const bool isDivision = function == "floor" || function == "ceil";
    const auto part = [&](const Dim& d) {
        const bool isSum = d.isSymbolic() && d.m_polynomial->size() > 1;
        const bool isProduct = d.isSymbolic() && !isSum && d.text().find('*') != std::string::npos;
        const bool needsBrackets = isDivision && (isSum || (isProduct && &d == &b));
        return needsBrackets ? "(" + d.text() + ")" : d.text();
    };
    std::string text(function);
    text += "(" + part(a) + (isDivision ? "/" : ", ") + part(b) + ")";
    return text.size() > kLongestAtom ? Dim() : symbol(std::move(text));
}

std::string Dim::text() const {
    switch (m_kind) {
    case Kind::Unknown:
        return "?";
    case Kind::Known:
        return std::to_string(m_value);
    case Kind::Symbolic:
        return termsText(*m_polynomial);
    }
    return "?";
}

std::vector<std::string> Dim::symbols() const {
    std::set<std::string> names;
    if (isSymbolic())
        for (const auto& [monomial, coefficient] : *m_polynomial)
            names.insert(monomial.begin(), monomial.end());
    return {names.begin(), names.end()};
}

Dim operator+(const Dim& a, const Dim& b) {
    if (a.isUnknown() || b.isUnknown())
        return Dim();
    if (a.isKnown() && b.isKnown()) {
        std::int64_t sum = 0;
        return add(a.m_value, b.m_value, sum) ? Dim(sum) : Dim();
    }
    Terms terms = a.polynomial();
    for (const auto& [monomial, coefficient] : b.polynomial())
        if (!addTerm(terms, monomial, coefficient))
            return Dim();
    return Dim::fromPolynomial(std::move(terms));
}

Dim operator-(const Dim& a, const Dim& b) {
    if (a.isKnown() && b.isKnown()) {
        std::int64_t difference = 0;
        return __builtin_sub_overflow(a.m_value, b.m_value, &difference) ? Dim() : Dim(difference);
    }
    return a + b * Dim(-1);
}

Dim operator*(const Dim& a, const Dim& b) {
    if (a.is(0) || b.is(0))
        return Dim(0);
    if (a.isUnknown() || b.isUnknown())
        return Dim();
    if (a.isKnown() && b.isKnown()) {
        std::int64_t result = 0;
        return multiply(a.m_value, b.m_value, result) ? Dim(result) : Dim();
    }
    if (a.is(1))
        return b;
    if (b.is(1))
        return a;
    Terms terms;
    const Terms right = b.polynomial();
    for (const auto& [monomialA, coefficientA] : a.polynomial()) {
        for (const auto& [monomialB, coefficientB] : right) {
            std::int64_t coefficient = 0;
            if (!multiply(coefficientA, coefficientB, coefficient)
                || !addTerm(terms, product(monomialA, monomialB), coefficient))
                return Dim();
        }
    }
    return Dim::fromPolynomial(std::move(terms));
}

Dim floorDiv(const Dim& a, const Dim& b) {
    if (a.isUnknown() || b.isUnknown() || b.is(0))
        return Dim();
    if (b.is(1))
        return a;
    if (!b.isKnown()) {
        if (a.is(0))
            return Dim(0);
        if (auto exact = divideExactly(a.polynomial(), b.polynomial()))
            return Dim::fromPolynomial(std::move(*exact));
        return Dim::opaque("floor", a, b);
    }
    // Per coefficient c = b·q + r with 0 ≤ r < b: floor(a/b) = Σq + floor(Σr / b), one text for
    // equal values.
    Terms whole;
    Terms rest;
    for (const auto& [monomial, coefficient] : a.polynomial()) {
        std::int64_t q = 0;
        std::int64_t r = 0;
        if (!divideFloor(coefficient, b.m_value, q, r))
            return Dim();
        if ((q != 0 && !addTerm(whole, monomial, q)) || (r != 0 && !addTerm(rest, monomial, r)))
            return Dim();
    }
    const Dim left = Dim::fromPolynomial(std::move(whole));
    const Dim right = Dim::fromPolynomial(std::move(rest));
    return right.isKnown() ? left : left + Dim::opaque("floor", right, b);
}

Dim ceilDiv(const Dim& a, const Dim& b) {
    if (b.isKnown() && b.m_value > 0)
        return floorDiv(a + Dim(b.m_value - 1), b);
    if (b.isKnown() && b.m_value < 0)
        return Dim(0) - floorDiv(a, Dim(0) - b);
    if (a.isUnknown() || b.isUnknown() || b.is(0))
        return Dim();
    if (a.is(0))
        return Dim(0);
    if (auto exact = divideExactly(a.polynomial(), b.polynomial()))
        return Dim::fromPolynomial(std::move(*exact));
    return Dim::opaque("ceil", a, b);
}

Dim floorMod(const Dim& a, const Dim& b) {
    if (a.isUnknown() || b.isUnknown() || b.is(0))
        return Dim();
    if (!b.isKnown())
        return divideExactly(a.polynomial(), b.polynomial()) ? Dim(0) : Dim::opaque("mod", a, b);
    Terms rest;
    for (const auto& [monomial, coefficient] : a.polynomial()) {
        std::int64_t q = 0;
        std::int64_t r = 0;
        if (!divideFloor(coefficient, b.m_value, q, r))
            return b.is(-1) ? Dim(0) : Dim();
        if (r != 0 && !addTerm(rest, monomial, r))
            return Dim();
    }
    const Dim left = Dim::fromPolynomial(std::move(rest));
    return left.isKnown() ? left : Dim::opaque("mod", left, b);
}

Dim dimMin(const Dim& a, const Dim& b) {
    if (a.isUnknown() || b.isUnknown())
        return Dim();
    if (a.isKnown() && b.isKnown())
        return Dim(std::min(a.m_value, b.m_value));
    const Dim difference = a - b;
    if (difference.isUnknown())
        return Dim();
    if (isNeverNegative(difference.polynomial()))
        return b;
    if (isNeverNegative((b - a).polynomial()))
        return a;
    return a.text() < b.text() ? Dim::opaque("min", a, b) : Dim::opaque("min", b, a);
}

Dim dimMax(const Dim& a, const Dim& b) {
    if (a.isUnknown() || b.isUnknown())
        return Dim();
    if (a.isKnown() && b.isKnown())
        return Dim(std::max(a.m_value, b.m_value));
    const Dim difference = a - b;
    if (difference.isUnknown())
        return Dim();
    if (isNeverNegative(difference.polynomial()))
        return a;
    if (isNeverNegative((b - a).polynomial()))
        return b;
    return a.text() < b.text() ? Dim::opaque("max", a, b) : Dim::opaque("max", b, a);
}

bool isSame(const Dim& a, const Dim& b) {
    return !a.isUnknown() && a == b;
}

bool Dim::operator==(const Dim& other) const {
    if (m_kind != other.m_kind)
        return false;
    if (isKnown())
        return m_value == other.m_value;
    return isUnknown() || m_polynomial == other.m_polynomial
        || *m_polynomial == *other.m_polynomial;
}

Dim elementCount(const Shape& shape) {
    Dim count(1);
    for (const Dim& dim : shape)
        if (dim.is(0))
            return Dim(0);
    for (const Dim& dim : shape)
        count = count * dim;
    return count;
}

std::optional<std::vector<std::int64_t>> knownShape(const Shape& shape) {
    std::vector<std::int64_t> sizes;
    sizes.reserve(shape.size());
    for (const Dim& dim : shape) {
        if (!dim.isKnown())
            return std::nullopt;
        sizes.push_back(dim.value());
    }
    return sizes;
}

std::string toText(const Shape& shape) {
    if (shape.empty())
        return "scalar";
    std::string text;
    for (const Dim& dim : shape)
        text += (text.empty() ? "" : "×") + dim.text();
    return text;
}

} // namespace fivefold::ir
