// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/index.h"

#include <algorithm>
#include <tuple>

namespace fivefold::families::spyre {

namespace {

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

std::int64_t floorMod(std::int64_t a, std::int64_t b) {
    return a - floorDiv(a, b) * b;
}

std::int64_t rounded(const IndexTerm& term, std::int64_t x) {
    const std::int64_t divided = floorDiv(x, term.divisor);
    return term.modulus > 0 ? floorMod(divided, term.modulus) : divided;
}

bool isSameBase(const IndexTerm& a, const IndexTerm& b) {
    if (a.variable != b.variable)
        return false;
    return a.variable >= 0 || (a.inner && b.inner && (a.inner == b.inner || *a.inner == *b.inner));
}

bool isBefore(const IndexTerm& a, const IndexTerm& b) {
    // Sums come last, in the order of their own terms.
    const auto key = [](const IndexTerm& t) {
        return std::tuple(t.variable < 0, t.variable, t.divisor, t.modulus, t.coefficient);
    };
    if (key(a) != key(b))
        return key(a) < key(b);
    if (!a.inner || !b.inner)
        return false;
    if (a.inner->constant() != b.inner->constant())
        return a.inner->constant() < b.inner->constant();
    return std::ranges::lexicographical_compare(a.inner->terms(), b.inner->terms(), isBefore);
}

} // namespace

bool IndexTerm::operator==(const IndexTerm& other) const {
    return coefficient == other.coefficient && divisor == other.divisor && modulus == other.modulus
        && isSameBase(*this, other);
}

Index Index::of(int variable, std::int64_t coefficient) {
    Index index;
    index.add({coefficient, variable, nullptr, 1, 0});
    return index;
}

Index Index::of(IndexTerm term) {
    Index index;
    index.add(std::move(term));
    return index;
}

Index Index::dividedExactly(std::int64_t divisor) const {
    Index out = *this;
    out.m_constant /= divisor;
    for (IndexTerm& term : out.m_terms)
        term.coefficient /= divisor;
    return out;
}

bool Index::isLinear() const {
    return std::ranges::all_of(m_terms, [](const IndexTerm& t) { return t.isLinear(); });
}

std::int64_t Index::coefficient(int variable) const {
    for (const IndexTerm& term : m_terms)
        if (term.isLinear() && term.variable == variable)
            return term.coefficient;
    return 0;
}

bool Index::uses(int variable) const {
    return std::ranges::any_of(m_terms, [variable](const IndexTerm& term) {
        return term.variable == variable || (term.inner && term.inner->uses(variable));
    });
}

std::vector<int> Index::variables() const {
    std::vector<int> all;
    for (const IndexTerm& term : m_terms) {
        if (term.inner) {
            const auto inner = term.inner->variables();
            all.insert(all.end(), inner.begin(), inner.end());
        } else {
            all.push_back(term.variable);
        }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

void Index::add(IndexTerm term) {
    if (term.coefficient == 0)
        return;
    // d·⌊x/d⌋ + x mod d is x again: what a split dimension gives when it is merged.
    for (std::size_t i = 0; i < m_terms.size(); ++i) {
        IndexTerm& have = m_terms[i];
        if (!isSameBase(have, term))
            continue;
        if (have.divisor == term.divisor && have.modulus == term.modulus) {
            have.coefficient += term.coefficient;
            if (have.coefficient == 0)
                m_terms.erase(m_terms.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
        const IndexTerm& low = have.divisor < term.divisor ? have : term;
        const IndexTerm& high = have.divisor < term.divisor ? term : have;
        if (low.modulus > 0 && high.divisor == low.divisor * low.modulus
            && high.coefficient == low.coefficient * low.modulus) {
            IndexTerm joined = low;
            joined.modulus = high.modulus > 0 ? low.modulus * high.modulus : 0;
            m_terms.erase(m_terms.begin() + static_cast<std::ptrdiff_t>(i));
            if (joined.inner && joined.divisor == 1 && joined.modulus == 0) {
                *this += *joined.inner * joined.coefficient;
                return;
            }
            return add(std::move(joined));
        }
    }
    m_terms.insert(std::ranges::upper_bound(m_terms, term, isBefore), std::move(term));
}

Index& Index::operator+=(const Index& other) {
    if (&other == this)
        return *this = *this * 2; // add() changes the terms while they are walked
    m_constant += other.m_constant;
    for (const IndexTerm& term : other.m_terms)
        add(term);
    return *this;
}

Index Index::operator*(std::int64_t factor) const {
    Index out;
    if (factor == 0)
        return out;
    out = *this;
    out.m_constant *= factor;
    for (IndexTerm& term : out.m_terms)
        term.coefficient *= factor;
    if (factor < 0)
        std::ranges::sort(out.m_terms, isBefore);
    return out;
}

std::int64_t Index::evaluate(std::span<const std::int64_t> values) const {
    std::int64_t sum = m_constant;
    for (const IndexTerm& term : m_terms) {
        std::int64_t x = 0;
        if (term.inner)
            x = term.inner->evaluate(values);
        else if (static_cast<std::size_t>(term.variable) < values.size())
            x = values[static_cast<std::size_t>(term.variable)];
        sum += term.coefficient * rounded(term, x);
    }
    return sum;
}

namespace {

std::int64_t extentOf(std::span<const std::int64_t> extents, int variable) {
    return variable >= 0 && static_cast<std::size_t>(variable) < extents.size()
        ? std::max<std::int64_t>(1, extents[static_cast<std::size_t>(variable)])
        : 1;
}

/// Largest value of a term's x, rounded and cut by the modulus.
std::int64_t termMaximum(const IndexTerm& term, std::span<const std::int64_t> extents) {
    const std::int64_t x =
        term.inner ? term.inner->maximum(extents) : extentOf(extents, term.variable) - 1;
    const std::int64_t divided = floorDiv(x, term.divisor);
    return term.modulus > 0 ? std::min(divided, term.modulus - 1) : divided;
}

} // namespace

std::int64_t Index::maximum(std::span<const std::int64_t> extents) const {
    std::int64_t sum = m_constant;
    for (const IndexTerm& term : m_terms)
        if (term.coefficient > 0)
            sum += term.coefficient * termMaximum(term, extents);
    return sum;
}

std::int64_t Index::minimum(std::span<const std::int64_t> extents) const {
    std::int64_t sum = m_constant;
    for (const IndexTerm& term : m_terms)
        if (term.coefficient < 0)
            sum += term.coefficient * termMaximum(term, extents);
    return sum;
}

Index Index::substitute(
    std::span<const Index> replacements, std::span<const std::int64_t> extents) const {
    Index out(m_constant);
    for (const IndexTerm& term : m_terms) {
        Index x;
        if (term.inner)
            x = term.inner->substitute(replacements, extents);
        else if (static_cast<std::size_t>(term.variable) < replacements.size())
            x = replacements[static_cast<std::size_t>(term.variable)];
        if (term.divisor != 1)
            x = floorDivide(x, term.divisor, extents);
        if (term.modulus > 0)
            x = modulo(x, term.modulus, extents);
        out += x * term.coefficient;
    }
    return out;
}

Index Index::renumbered(std::span<const int> renumbered) const {
    Index out(m_constant);
    for (IndexTerm term : m_terms) {
        if (term.inner)
            term.inner = std::make_shared<const Index>(term.inner->renumbered(renumbered));
        else if (static_cast<std::size_t>(term.variable) < renumbered.size())
            term.variable = renumbered[static_cast<std::size_t>(term.variable)];
        out.add(std::move(term));
    }
    return out;
}

std::string Index::text(char letter) const {
    std::string out;
    for (const IndexTerm& term : m_terms) {
        std::string x = term.inner ? "(" + term.inner->text(letter) + ")"
                                   : letter + std::to_string(term.variable);
        if (term.divisor != 1)
            x = "floor(" + x + "/" + std::to_string(term.divisor) + ")";
        if (term.modulus > 0)
            x = "Mod(" + x + ", " + std::to_string(term.modulus) + ")";
        const std::int64_t size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
        if (!out.empty())
            out += term.coefficient < 0 ? " - " : " + ";
        else if (term.coefficient < 0)
            out += "-";
        out += size == 1 ? x : std::to_string(size) + "*" + x;
    }
    if (m_constant != 0 || out.empty())
        out += out.empty() ? std::to_string(m_constant)
                           : (m_constant < 0 ? " - " + std::to_string(-m_constant)
                                             : " + " + std::to_string(m_constant));
    return out;
}

namespace {

/// ⌊x / divisor⌋ of one x: ⌊⌊y/a⌋ / b⌋ = ⌊y/(ab)⌋, and ⌊(y mod ab) / b⌋ = ⌊y/b⌋ mod a. A modulus
/// must be a multiple of the divisor.
IndexTerm roundedDown(IndexTerm x, std::int64_t divisor) {
    x.divisor *= divisor;
    if (x.modulus > 0)
        x.modulus /= divisor;
    return x;
}

/// e = step × high + low with 0 ≤ low < step, for the smallest step > 1 among the coefficients that
/// divides `by`; step 1 where there is none.
struct Digits {
    std::int64_t step = 1;
    Index high, low;
};

Digits digitsOf(const Index& e, std::int64_t by, std::span<const std::int64_t> extents) {
    std::vector<std::int64_t> steps;
    for (const IndexTerm& term : e.terms())
        if (term.coefficient > 1 && by % term.coefficient == 0)
            steps.push_back(term.coefficient);
    std::ranges::sort(steps);
    for (const std::int64_t step : steps) {
        Digits digits{
            step, Index(floorDiv(e.constant(), step)), Index(floorMod(e.constant(), step))};
        for (const IndexTerm& term : e.terms()) {
            const bool isHigh = term.coefficient % step == 0;
            Index one = Index::of(term);
            if (isHigh)
                digits.high += one.dividedExactly(step);
            else
                digits.low += one;
        }
        if (!digits.low.terms().empty() && digits.low.minimum(extents) >= 0
            && digits.low.maximum(extents) < step)
            return digits;
    }
    return {};
}

} // namespace

Index floorDivide(const Index& e, std::int64_t divisor, std::span<const std::int64_t> extents) {
    if (divisor == 1)
        return e;
    Index whole(floorDiv(e.m_constant, divisor));
    Index rest(floorMod(e.m_constant, divisor));
    for (const IndexTerm& term : e.m_terms) {
        if (term.coefficient % divisor == 0) {
            IndexTerm moved = term;
            moved.coefficient /= divisor;
            whole.add(std::move(moved));
        } else {
            rest.add(term);
        }
    }
    if (rest.minimum(extents) >= 0 && rest.maximum(extents) < divisor)
        return whole;
    const bool isOne = rest.m_constant == 0 && rest.m_terms.size() == 1;
    if (isOne) {
        const IndexTerm& only = rest.m_terms.front();
        // ⌊c·x / (c·d)⌋ = ⌊x/d⌋.
        if (only.coefficient > 0 && divisor % only.coefficient == 0) {
            const std::int64_t by = divisor / only.coefficient;
            if (only.modulus == 0 || only.modulus % by == 0) {
                IndexTerm term = roundedDown(only, by);
                term.coefficient = 1;
                if (term.modulus != 1)
                    whole.add(std::move(term));
                return whole;
            }
        }
    }
    if (const Digits digits = digitsOf(rest, divisor, extents); digits.step > 1)
        return whole + floorDivide(digits.high, divisor / digits.step, extents);
    IndexTerm term;
    term.inner = std::make_shared<const Index>(std::move(rest));
    term.divisor = divisor;
    whole.add(std::move(term));
    return whole;
}

Index modulo(const Index& e, std::int64_t modulus, std::span<const std::int64_t> extents) {
    if (modulus == 1)
        return Index();
    Index rest(floorMod(e.m_constant, modulus));
    for (IndexTerm term : e.m_terms) {
        if (term.coefficient % modulus == 0)
            continue;
        rest.add(std::move(term));
    }
    if (rest.minimum(extents) >= 0 && rest.maximum(extents) < modulus)
        return rest;
    if (rest.m_constant == 0 && rest.m_terms.size() == 1) {
        IndexTerm only = rest.m_terms.front();
        // c·x mod c·m = c·(x mod m).
        if (only.coefficient > 0 && modulus % only.coefficient == 0) {
            const std::int64_t by = modulus / only.coefficient;
            if (only.modulus == 0 || only.modulus % by == 0) {
                only.modulus = by;
                Index out;
                if (by > 1)
                    out.add(std::move(only));
                return out;
            }
        }
    }
    if (const Digits digits = digitsOf(rest, modulus, extents); digits.step > 1)
        return families::spyre::modulo(digits.high, modulus / digits.step, extents) * digits.step
            + digits.low;
    IndexTerm term;
    term.inner = std::make_shared<const Index>(std::move(rest));
    term.modulus = modulus;
    Index out;
    out.add(std::move(term));
    return out;
}

std::vector<Index> reshaped(const std::vector<Index>& to, std::span<const std::int64_t> toShape,
    std::span<const std::int64_t> fromShape, std::span<const std::int64_t> extents) {
    Index flat;
    std::int64_t stride = 1;
    for (std::size_t d = to.size(); d-- > 0;) {
        flat += to[d] * stride;
        stride *= toShape[d];
    }
    std::vector<Index> from(fromShape.size());
    std::int64_t inner = 1;
    for (std::size_t d = fromShape.size(); d-- > 0;) {
        if (fromShape[d] != 1) {
            Index at = floorDivide(flat, inner, extents);
            bool isOutermost = true;
            for (std::size_t o = 0; o < d; ++o)
                isOutermost = isOutermost && fromShape[o] == 1;
            from[d] = isOutermost ? std::move(at) : modulo(at, fromShape[d], extents);
        }
        inner *= fromShape[d];
    }
    return from;
}

Index flattened(
    const std::vector<Index>& index, std::span<const std::int64_t> strides, std::int64_t offset) {
    Index flat(offset);
    for (std::size_t d = 0; d < index.size(); ++d)
        flat += index[d] * strides[d];
    return flat;
}

} // namespace fivefold::families::spyre
