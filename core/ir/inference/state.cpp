// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/state.h"

#include <cctype>
#include <charconv>
#include <cmath>

namespace fivefold::ir::inference {

namespace {

/// Recursive descent over "2*s0 + 1", "batch*(seq + 1)", "h // 2": what exporters write as dim
/// names.
class DimNameParser {
public:
    DimNameParser(const std::map<std::string, std::int64_t>& sizes, std::string_view text)
        : m_sizes(sizes)
        , m_text(text) { }

    std::optional<Dim> parse() {
        auto value = sum(0);
        skipBlanks();
        return m_position == m_text.size() ? value : std::nullopt;
    }

private:
    static constexpr int kDeepest = 32;

    void skipBlanks() {
        while (m_position < m_text.size() && m_text[m_position] == ' ')
            ++m_position;
    }

    bool take(std::string_view token) {
        skipBlanks();
        if (m_text.substr(m_position, token.size()) != token)
            return false;
        m_position += token.size();
        return true;
    }

    std::optional<Dim> sum(int depth) {
        auto left = term(depth);
        while (left) {
            const bool isPlus = take("+");
            if (!isPlus && !take("-"))
                return left;
            const auto right = term(depth);
            if (!right)
                return std::nullopt;
            left = isPlus ? *left + *right : *left - *right;
        }
        return left;
    }

    std::optional<Dim> term(int depth) {
        auto left = factor(depth);
        while (left) {
            const bool isDivision = take("//");
            const bool isModulo = !isDivision && take("%");
            if (!isDivision && !isModulo && !take("*"))
                return left;
            const auto right = factor(depth);
            if (!right)
                return std::nullopt;
            left = isDivision ? floorDiv(*left, *right)
                : isModulo    ? floorMod(*left, *right)
                              : *left * *right;
        }
        return left;
    }

    std::optional<Dim> factor(int depth) {
        if (depth > kDeepest)
            return std::nullopt;
        if (take("(")) {
            auto inner = sum(depth + 1);
            return inner && take(")") ? inner : std::nullopt;
        }
        skipBlanks();
        for (const std::string_view function : {"floor", "ceil", "min", "max", "mod"})
            if (take(std::string(function) + "("))
                return call(function, depth + 1);
        const std::size_t begin = m_position;
        while (m_position < m_text.size()
            && (std::isalnum(static_cast<unsigned char>(m_text[m_position]))
                || m_text[m_position] == '_' || m_text[m_position] == '.'))
            ++m_position;
        const std::string word(m_text.substr(begin, m_position - begin));
        if (word.empty() || word.size() > 200)
            return std::nullopt;
        if (std::isdigit(static_cast<unsigned char>(word.front())))
            return number(word);
        const auto found = m_sizes.find(word);
        return found == m_sizes.end() ? Dim::symbol(word) : Dim(found->second);
    }

    /// The opaque forms that Dim itself writes: floor(a/b), ceil(a/b), min(a, b), max(a, b), mod(a,
    /// b).
    std::optional<Dim> call(std::string_view function, int depth) {
        const auto left = sum(depth);
        const bool isDivision = function == "floor" || function == "ceil";
        if (!left || !take(isDivision ? "/" : ","))
            return std::nullopt;
        const auto right = sum(depth);
        if (!right || !take(")"))
            return std::nullopt;
        if (isDivision)
            return function == "floor" ? floorDiv(*left, *right) : ceilDiv(*left, *right);
        if (function == "mod")
            return floorMod(*left, *right);
        return function == "min" ? dimMin(*left, *right) : dimMax(*left, *right);
    }

    static std::optional<Dim> number(const std::string& word) {
        constexpr std::size_t kMostDigits = 17;
        if (word.size() > kMostDigits || word.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        return Dim(static_cast<std::int64_t>(std::stoll(word)));
    }

    const std::map<std::string, std::int64_t>& m_sizes;
    std::string_view m_text;
    std::size_t m_position = 0;
};

bool isExpression(const std::string& name) {
    return name.find_first_of("+*/%(") != std::string::npos
        || name.find(" - ") != std::string::npos;
}

void loadStored(State& state, ValueId id) {
    if (state.isLoaded[id])
        return;
    state.isLoaded[id] = 1;
    const Value& value = state.graph.values[id];
    if (!value.data.isValid() || value.data.index() >= state.graph.tensors.size())
        return;
    const TensorData& data = state.graph.tensors[value.data];
    if (data.isSparse() || data.storage == TensorStorage::Missing)
        return;
    if (isInteger(data.dtype) && data.storage == TensorStorage::Strings) {
        state.typed.contents[id] =
            std::make_shared<const Contents>(resolveTexts(state.sizes, data.strings));
    } else if ((isInteger(data.dtype) || data.dtype == DType::Bool) && data.elements() <= kContentsLimit) {
        if (const auto stored = state.graph.tensors.integers(value.data, kContentsLimit))
            state.typed.contents[id] =
                std::make_shared<const Contents>(stored->begin(), stored->end());
    } else if (isFloat(data.dtype) && data.elements() <= kNumbersLimit) {
        if (auto stored = state.graph.tensors.numbers(value.data, kNumbersLimit))
            state.numbers[id] = std::make_shared<const Numbers>(std::move(*stored));
    }
}

bool differ(const Dim& a, const Dim& b) {
    return a.isKnown() && b.isKnown() && !isSame(a, b);
}

} // namespace

void demand(State& state, SizeDemand::Kind kind, const Dim& left, const Dim& right) {
    if (left.isUnknown() || right.isUnknown() || (left.isKnown() && right.isKnown())
        || isSame(left, right))
        return;
    if (kind == SizeDemand::Kind::Broadcast && (left.is(1) || right.is(1)))
        return;
    SizeDemand wanted{kind, left, right};
    // Layers repeat the same demand; looking at the latest few is enough to keep the list short.
    constexpr std::size_t kLatest = 16;
    const std::size_t count = state.demands.size();
    for (std::size_t i = count; i > 0 && i + kLatest > count; --i)
        if (state.demands[i - 1] == wanted)
            return;
    state.demands.push_back(std::move(wanted));
}

Dim resolveDimName(const std::map<std::string, std::int64_t>& sizes, const std::string& name) {
    if (const auto found = sizes.find(name); found != sizes.end())
        return Dim(found->second);
    if (isExpression(name))
        if (const auto parsed = DimNameParser(sizes, name).parse())
            return *parsed;
    return Dim::symbol(name);
}

Contents resolveTexts(
    const std::map<std::string, std::int64_t>& sizes, const std::vector<std::string>& texts) {
    Contents contents;
    for (const std::string& text : texts) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        contents.push_back(error == std::errc() && end == text.data() + text.size()
                ? Dim(number)
                : resolveDimName(sizes, text));
    }
    return contents;
}

Dim resolveDim(const std::map<std::string, std::int64_t>& sizes, const Dim& dim) {
    if (dim.isKnown())
        return dim.value() < 0 ? Dim() : dim;
    if (!dim.isSymbolic())
        return dim;
    const auto names = dim.symbols();
    return names.size() == 1 && dim == Dim::symbol(names.front())
        ? resolveDimName(sizes, names.front())
        : resolveDimName(sizes, dim.text());
}

ValueType resolveDeclared(const State& state, const ValueType& declared) {
    ValueType type = declared;
    if (type.shape)
        for (Dim& dim : *type.shape)
            dim = resolveDim(state.sizes, dim);
    return type;
}

ValueType mergeDeclared(
    State& state, const ValueType& inferred, const ValueType& declared, const std::string& name) {
    ValueType merged = inferred;
    if (merged.dtype == DType::Undefined)
        merged.dtype = declared.dtype;
    if (merged.kind == ValueKind::Tensor && !merged.shape)
        merged.kind = declared.kind;
    if (!declared.shape)
        return merged;
    if (!merged.shape) {
        merged.shape = declared.shape;
        return merged;
    }
    const auto report = [&] {
        state.diagnostics->warn("infer.declared_differs", name,
            "The file declares the shape " + toText(*declared.shape) + ", but the operator gives "
                + toText(*inferred.shape) + ".",
            "The inferred shape is used; export the model again to mend its declarations.");
    };
    if (merged.shape->size() != declared.shape->size()) {
        report();
        return merged;
    }
    for (std::size_t i = 0; i < merged.shape->size(); ++i) {
        Dim& dim = (*merged.shape)[i];
        const Dim& other = (*declared.shape)[i];
        if (differ(dim, other)) {
            report();
            return inferred;
        }
        if (dim.isUnknown() || (dim.isSymbolic() && other.isKnown()))
            dim = other;
    }
    return merged;
}

ValueType trustDeclared(
    State& state, const ValueType& inferred, const ValueType& declared, const std::string& name) {
    ValueType merged = inferred;
    if (declared.dtype != DType::Undefined)
        merged.dtype = declared.dtype;
    if (!declared.shape)
        return merged;
    bool isSame = !inferred.shape || inferred.shape->size() == declared.shape->size();
    merged.shape = declared.shape;
    for (std::size_t i = 0; inferred.shape && isSame && i < inferred.shape->size(); ++i) {
        isSame = !differ((*inferred.shape)[i], (*declared.shape)[i]);
        if ((*merged.shape)[i].isUnknown())
            (*merged.shape)[i] = (*inferred.shape)[i];
    }
    if (!isSame)
        state.diagnostics->warn("infer.declared_differs", name,
            "The text states the shape " + toText(*declared.shape) + ", but the operator gives "
                + toText(*inferred.shape) + ".",
            "The stated shape is used; print the graph again if it was edited.");
    return merged;
}

ValueType commonType(const ValueType& a, const ValueType& b) {
    ValueType common = a;
    if (a.dtype != b.dtype)
        common.dtype = DType::Undefined;
    if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) {
        common.shape = std::nullopt;
        return common;
    }
    for (std::size_t i = 0; i < a.shape->size(); ++i)
        if (!isSame((*a.shape)[i], (*b.shape)[i]))
            (*common.shape)[i] = Dim();
    return common;
}

const Contents* contentsOf(State& state, ValueId value) {
    if (!value.isValid())
        return nullptr;
    loadStored(state, value);
    return state.typed.contents[value].get();
}

const Numbers* numbersOf(State& state, ValueId value) {
    if (!value.isValid())
        return nullptr;
    loadStored(state, value);
    if (!state.numbers[value] && state.typed.contents[value]) {
        Numbers numbers;
        for (const Dim& dim : *state.typed.contents[value]) {
            if (!dim.isKnown())
                return nullptr;
            numbers.push_back(static_cast<double>(dim.value()));
        }
        state.numbers[value] = std::make_shared<const Numbers>(std::move(numbers));
    }
    return state.numbers[value].get();
}

void copyKnowledge(State& state, ValueId from, ValueId to) {
    if (!from.isValid() || !to.isValid())
        return;
    loadStored(state, from);
    state.typed.types[to] = state.typed.types[from];
    state.typed.contents[to] = state.typed.contents[from];
    state.typed.isConstant[to] = state.typed.isConstant[from];
    state.numbers[to] = state.numbers[from];
    state.sequences[to] = state.sequences[from];
    state.bounds[to] = state.bounds[from];
    state.isOptionalOfSequence[to] = state.isOptionalOfSequence[from];
    state.isLoaded[to] = 1;
}

void forget(State& state, ValueId value) {
    state.typed.types[value] = {};
    state.typed.contents[value] = nullptr;
    state.typed.isConstant[value] = 0;
    state.numbers[value] = nullptr;
    state.sequences[value] = nullptr;
    state.bounds[value] = Dim();
    state.isOptionalOfSequence[value] = 0;
    state.isLoaded[value] = 0;
}

} // namespace fivefold::ir::inference
