// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/coordinates.h"

#include <algorithm>
#include <limits>

namespace fivefold::families::spyre {

namespace {

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// numerator × ((v mod modulus) / divisor) of ⌊(step·v mod wrap) / stride⌋; nullopt where it has no
/// such form.
std::optional<CoordinateTerm> termOf(
    int variable, std::int64_t inner, std::int64_t step, std::int64_t wrap, std::int64_t stride) {
    CoordinateTerm term{variable, 1, inner, 1};
    std::int64_t modulus = 0; // of v
    if (wrap > 0) {
        if (wrap % step != 0)
            return std::nullopt;
        modulus = wrap / step;
    }
    if (modulus > 0 && (inner == 0 || modulus < inner)) {
        if (inner > 0 && inner % modulus != 0)
            return std::nullopt;
        term.modulus = modulus;
    }
    if (step % stride == 0)
        term.numerator = step / stride;
    else if (stride % step == 0)
        term.divisor = stride / step;
    else
        return std::nullopt;
    return term;
}

class Spread {
public:
    Spread(const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride)
        : m_size(size)
        , m_stride(stride)
        , m_next(size.size(), kUnbounded)
        , m_coordinates(size.size()) {
        for (std::size_t i = 0; i < size.size(); ++i)
            for (std::size_t j = 0; j < size.size(); ++j)
                if (m_stride[j] > m_stride[i] && m_next[i] > m_stride[j] && m_size[j] > 1)
                    m_next[i] = m_stride[j];
    }

    void offset(std::int64_t value) {
        for (std::size_t d = 0; d < m_size.size(); ++d) {
            if (m_size[d] == 1 || m_stride[d] <= 0)
                continue;
            std::int64_t digit = value;
            if (m_next[d] != kUnbounded)
                digit %= m_next[d];
            m_coordinates[d].offset += digit / m_stride[d];
        }
    }

    /// A loop that moves `step` elements a turn and `limit` in all; its value is taken modulo
    /// `inner` first where that is not 0.
    bool variable(int variable, std::int64_t inner, std::int64_t step, std::int64_t limit) {
        std::int64_t primaryStride = 0;
        std::size_t primary = 0;
        for (std::size_t d = 0; d < m_size.size(); ++d) {
            const std::int64_t st = m_stride[d];
            if (m_size[d] == 1)
                continue;
            if (st <= step && st > primaryStride) {
                primaryStride = st;
                primary = d;
            } else if (st > step && st < limit && !add(d, variable, inner, step, limit)) {
                return false;
            }
        }
        return primaryStride == 0 || add(primary, variable, inner, step, limit);
    }

    std::vector<Coordinate> take() { return std::move(m_coordinates); }

private:
    bool add(
        std::size_t d, int variable, std::int64_t inner, std::int64_t step, std::int64_t limit) {
        const bool overflows = m_next[d] < limit;
        const auto term = termOf(variable, inner, step, overflows ? m_next[d] : 0, m_stride[d]);
        if (term)
            m_coordinates[d].terms.push_back(*term);
        return term.has_value();
    }

    const std::vector<std::int64_t>& m_size;
    const std::vector<std::int64_t>& m_stride;
    std::vector<std::int64_t> m_next; ///< the next larger stride of an axis that is walked
    std::vector<Coordinate> m_coordinates;
};

bool isMod(const Coordinate& c) {
    return c.terms.size() == 1 && c.terms[0].modulus > 0 && c.terms[0].numerator == 1
        && c.terms[0].divisor == 1;
}

} // namespace

bool Coordinate::uses(int variable) const {
    return std::ranges::any_of(
        terms, [variable](const CoordinateTerm& t) { return t.variable == variable; });
}

bool Coordinate::isVariable() const {
    return offset == 0 && terms.size() == 1 && terms[0].modulus == 0 && terms[0].numerator == 1
        && terms[0].divisor == 1;
}

int Coordinate::onlyVariable() const {
    if (terms.empty())
        return -1;
    const int first = terms.front().variable;
    const bool isOne = std::ranges::all_of(
        terms, [first](const CoordinateTerm& t) { return t.variable == first; });
    return isOne ? first : -1;
}

std::string Coordinate::text(char letter) const {
    std::string out;
    for (const CoordinateTerm& t : terms) {
        std::string x = letter + std::to_string(t.variable);
        if (t.modulus > 0)
            x = "Mod(" + x + ", " + std::to_string(t.modulus) + ")";
        if (t.divisor != 1)
            x = "floor(" + x + "/" + std::to_string(t.divisor) + ")";
        if (t.numerator != 1)
            x = std::to_string(t.numerator) + "*" + x;
        out += out.empty() ? x : " + " + x;
    }
    if (offset != 0 || out.empty())
        out += out.empty() ? std::to_string(offset) : " + " + std::to_string(offset);
    return out;
}

std::optional<std::vector<Coordinate>> coordinatesOf(const std::vector<std::int64_t>& size,
    const std::vector<std::int64_t>& stride, const std::vector<std::int64_t>& extents,
    const Index& index) {
    Spread spread(size, stride);
    if (index.constant() < 0)
        return std::nullopt;
    if (index.constant() > 0)
        spread.offset(index.constant());
    for (const IndexTerm& term : index.terms()) {
        if (term.variable < 0 || term.coefficient < 0 || term.divisor != 1)
            return std::nullopt;
        const auto v = static_cast<std::size_t>(term.variable);
        const std::int64_t extent = v < extents.size() ? extents[v] : 1;
        if (extent <= 1)
            continue;
        const std::int64_t turns = term.modulus > 0 ? std::min(term.modulus, extent) : extent;
        const std::int64_t inner = term.modulus > 0 && term.modulus < extent ? term.modulus : 0;
        if (!spread.variable(term.variable, inner, term.coefficient, term.coefficient * turns))
            return std::nullopt;
    }
    return spread.take();
}

bool isSubset(const Coordinate& part, const Coordinate& whole, int variable) {
    if (part.onlyVariable() != variable || part.terms.size() != 1)
        return false;
    if (whole.onlyVariable() != variable || whole.terms.size() != 1)
        return false;
    if (part.offset != whole.offset)
        return false;
    const CoordinateTerm &a = part.terms[0], &b = whole.terms[0];
    if (b.numerator == 1 && b.divisor == 1 && b.modulus == 0)
        return true;
    return isMod(part) && isMod(whole) && a.modulus <= b.modulus;
}

std::optional<std::size_t> matchingDimension(
    const std::vector<Coordinate>& coordinates, const Coordinate& stick) {
    const int variable = stick.onlyVariable();
    if (variable < 0)
        return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
        if (!isSubset(stick, coordinates[d], variable))
            continue;
        if (found)
            return std::nullopt;
        found = d;
    }
    return found;
}

bool isOffsetFree(const Coordinate& stick, std::int64_t perStick) {
    return (stick.offset == 0 && stick.terms.empty()) || stick.isVariable()
        || (stick.offset == 0 && isMod(stick) && stick.terms[0].modulus == perStick);
}

std::optional<std::vector<Coordinate>> deviceCoordinates(
    const DeviceLayout& layout, const std::vector<std::int64_t>& extents, const Index& index) {
    auto coordinates = coordinatesOf(layout.deviceSize, layout.strideMap, extents, index);
    if (!coordinates || coordinates->empty())
        return std::nullopt;
    Coordinate stick = coordinates->back();
    // A constant alone is no stick expression that the backend can follow.
    if (stick.terms.empty() && stick.offset != 0)
        return std::nullopt;
    stick.offset = 0;
    if (!isOffsetFree(stick, layout.lanes()))
        return std::nullopt;
    return coordinates;
}

} // namespace fivefold::families::spyre
