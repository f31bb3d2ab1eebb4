// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/resymbolise_reshape.h"

#include "core/ir/inference/state.h"

#include <algorithm>

namespace fivefold::ir::freeing {

namespace {

/// Whether a symbol stands in the text of an opaque atom ("floor(batch/2)") as a word.
bool hasWord(const std::string& text, const std::string& word) {
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end])))
            return true;
    }
    return false;
}

/// Axes [first, last) of the two shapes that hold the same elements.
struct Group {
    std::size_t inFirst, inLast, outFirst, outLast;
};

class Aligner {
public:
    Aligner(const Shape& in, const Shape& out, const Sizes& sizes)
        : m_in(in)
        , m_out(out)
        , m_sizes(sizes)
        , m_result(out)
        , m_isTaken(out.size(), false) { }

    std::variant<Shape, Ambiguity> align() {
        if (!findGroups())
            return Ambiguity("does not keep the number of elements");
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (m_reason.empty())
                assignGroup(g);
        for (std::size_t gap = 0; gap <= m_groups.size(); ++gap)
            if (m_reason.empty())
                assignGap(gap);
        if (!m_reason.empty())
            return m_reason;
        return m_result;
    }

private:
    std::int64_t number(const Dim& dim) const { return m_sizes.number(dim); }

    /// Pairs the axes larger than 1 by their running products.
    bool findGroups() {
        const auto large = [this](const Shape& shape) {
            std::vector<std::size_t> axes;
            for (std::size_t i = 0; i < shape.size(); ++i)
                if (number(shape[i]) != 1)
                    axes.push_back(i);
            return axes;
        };
        const auto ins = large(m_in);
        const auto outs = large(m_out);
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < ins.size() || j < outs.size()) {
            if (i == ins.size() || j == outs.size())
                return false;
            const std::size_t firstIn = i;
            const std::size_t firstOut = j;
            std::int64_t a = number(m_in[ins[i++]]);
            std::int64_t b = number(m_out[outs[j++]]);
            while (a != b) {
                if (a <= 0 || b <= 0)
                    return false;
                const bool isIn = a < b;
                if (isIn ? i == ins.size() : j == outs.size())
                    return false;
                const std::int64_t next = isIn ? number(m_in[ins[i++]]) : number(m_out[outs[j++]]);
                if (__builtin_mul_overflow(isIn ? a : b, next, isIn ? &a : &b))
                    return false;
            }
            m_groups.push_back({ins[firstIn], ins[i - 1] + 1, outs[firstOut], outs[j - 1] + 1});
        }
        return true;
    }

    /// Axes of size 1 between two groups: those of `out` from `first` to `last`.
    std::pair<std::size_t, std::size_t> outGap(std::size_t gap) const {
        return {gap == 0 ? 0 : m_groups[gap - 1].outLast,
            gap == m_groups.size() ? m_out.size() : m_groups[gap].outFirst};
    }
    std::pair<std::size_t, std::size_t> inGap(std::size_t gap) const {
        return {gap == 0 ? 0 : m_groups[gap - 1].inLast,
            gap == m_groups.size() ? m_in.size() : m_groups[gap].inFirst};
    }

    /// What axis `j` has to be so that the group keeps its product; nullopt where it can't.
    std::optional<Dim> quotient(
        const Dim& total, const std::vector<std::size_t>& axes, std::size_t j) const {
        Dim others(1);
        for (const std::size_t axis : axes)
            if (axis != j)
                others = others * m_out[axis];
        const Dim q = floorDiv(total, others);
        if (!isSame(q * others, total) || !isSame(m_sizes.inFile(q), m_out[j]))
            return std::nullopt;
        return q;
    }

    /// Whether axis `j` of the group holds the freed axis `i` whole, in the order of the elements.
    bool holdsWhole(const Group& group, std::size_t i, std::size_t j) const {
        std::int64_t minor = 1;
        for (std::size_t k = i + 1; k < group.inLast; ++k)
            minor *= number(m_in[k]);
        std::int64_t below = 1;
        for (std::size_t k = j + 1; k < group.outLast; ++k)
            below *= number(m_out[k]);
        return minor % below == 0 && (below * number(m_out[j])) % (minor * number(m_in[i])) == 0;
    }

    void assignGroup(std::size_t g) {
        const Group& group = m_groups[g];
        std::vector<std::size_t> freed;
        Dim total(1);
        for (std::size_t i = group.inFirst; i < group.inLast; ++i) {
            total = total * m_in[i];
            if (m_sizes.isFreed(m_in[i]))
                freed.push_back(i);
        }
        if (freed.empty())
            return;
        std::vector<std::size_t> axes;
        const auto [before, unusedBegin] = outGap(g);
        const auto [unusedEnd, after] = outGap(g + 1);
        (void)unusedBegin;
        (void)unusedEnd;
        for (std::size_t j = before; j < after; ++j)
            axes.push_back(j);
        const std::string text = m_sizes.inFile(m_in[freed.front()]).text();
        std::vector<std::size_t> chosen = candidates(total, axes, freed);
        if (chosen.size() > 1 && freed.size() == 1) {
            std::vector<std::size_t> whole;
            for (const std::size_t j : chosen)
                if (j >= group.outFirst && j < group.outLast && holdsWhole(group, freed[0], j))
                    whole.push_back(j);
            chosen = whole.empty() ? chosen : whole;
        }
        if (chosen.size() > 1
            && std::find(chosen.begin(), chosen.end(), freed.front()) != chosen.end())
            chosen = {freed.front()};
        if (chosen.empty())
            m_reason = "fixes " + text + " in its shape " + toText(m_out)
                + " and does not keep it apart from the sizes beside it";
        else if (chosen.size() > 1)
            m_reason = "fixes " + text + " in its shape " + toText(m_out) + ", and "
                + m_out[chosen.back()].text() + " is also another size there";
        else {
            m_result[chosen.front()] = *quotient(total, axes, chosen.front());
            m_isTaken[chosen.front()] = true;
        }
    }

    /// The axes that may take the freed symbols: those where they stand alone, else as in the
    /// input, else any.
    std::vector<std::size_t> candidates(const Dim& total, const std::vector<std::size_t>& axes,
        const std::vector<std::size_t>& freed) const {
        std::vector<std::size_t> alone, asBefore, any;
        for (const std::size_t j : axes) {
            const auto q = quotient(total, axes, j);
            if (!q)
                continue;
            any.push_back(j);
            for (const auto& [symbol, size] : m_sizes.freed)
                if (isSame(*q, Dim::symbol(symbol)))
                    alone.push_back(j);
            for (const std::size_t i : freed)
                if (isSame(*q, m_in[i])) {
                    asBefore.push_back(j);
                    break;
                }
        }
        return !alone.empty() ? alone : !asBefore.empty() ? asBefore : any;
    }

    /// Freed axes whose size in the file is 1, between two groups.
    void assignGap(std::size_t gap) {
        const auto [inFirst, inLast] = inGap(gap);
        const auto [outFirst, outLast] = outGap(gap);
        std::vector<std::size_t> freed;
        for (std::size_t i = inFirst; i < inLast; ++i)
            if (m_sizes.isFreed(m_in[i]))
                freed.push_back(i);
        if (freed.empty())
            return;
        std::vector<std::size_t> ones;
        for (std::size_t j = outFirst; j < outLast; ++j)
            if (!m_isTaken[j])
                ones.push_back(j);
        if (ones.empty())
            return mergeOnes(gap, freed);
        if (ones.size() == freed.size() || ones.size() == inLast - inFirst) {
            for (const std::size_t i : freed)
                m_result[ones[ones.size() == freed.size() ? static_cast<std::size_t>(
                                  std::find(freed.begin(), freed.end(), i) - freed.begin())
                                                          : i - inFirst]] = m_in[i];
            return;
        }
        for (const std::size_t i : freed) {
            const bool keepsPlace = std::find(ones.begin(), ones.end(), i) != ones.end();
            if (!keepsPlace) {
                m_reason = "has " + std::to_string(ones.size()) + " axes of size 1 in its shape "
                    + toText(m_out) + ", and which of them is free cannot be told";
                return;
            }
            m_result[i] = m_in[i];
        }
    }

    /// No axis of its own: the symbol multiplies a neighbour, where there is but one.
    void mergeOnes(std::size_t gap, const std::vector<std::size_t>& freed) {
        const bool hasLeft = gap > 0;
        const bool hasRight = gap < m_groups.size();
        if (hasLeft == hasRight) {
            m_reason = "has no axis of size 1 in its shape " + toText(m_out)
                + ", and whether the free axis joins the one before or the one after cannot be "
                  "told";
            return;
        }
        const std::size_t j = hasLeft ? m_groups[gap - 1].outLast - 1 : m_groups[gap].outFirst;
        for (const std::size_t i : freed)
            m_result[j] = m_result[j] * m_in[i];
    }

    const Shape& m_in;
    const Shape& m_out;
    const Sizes& m_sizes;
    Shape m_result;
    std::vector<bool> m_isTaken;
    std::vector<Group> m_groups;
    Ambiguity m_reason;
};

} // namespace

bool Sizes::isFreed(const Dim& dim) const {
    for (const std::string& atom : dim.symbols()) {
        if (freed.contains(atom))
            return true;
        if (atom.find('(') != std::string::npos)
            for (const auto& [symbol, size] : freed)
                if (hasWord(atom, symbol))
                    return true;
    }
    return false;
}

Dim Sizes::inFile(const Dim& dim) const {
    return isFreed(dim) ? inference::resolveDim(freed, dim) : dim;
}

std::int64_t Sizes::number(const Dim& dim) const {
    return inference::resolveDim(all, dim).known().value_or(-1);
}

std::variant<Shape, Ambiguity> alignReshape(const Shape& in, const Shape& out, const Sizes& sizes) {
    return Aligner(in, out, sizes).align();
}

} // namespace fivefold::ir::freeing
