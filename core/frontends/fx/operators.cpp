// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/operators.h"

#include "core/frontends/fx/annotation.h"

#include <unordered_map>

namespace fivefold::frontends::fx {

std::optional<std::int64_t> CallContext::integer(std::string_view name) const {
    const Expr* expr = argument(name);
    if (!expr || !(expr->is(Expr::Kind::Integer) || expr->is(Expr::Kind::Bool)))
        return std::nullopt;
    return expr->integer;
}

std::int64_t CallContext::integer(std::string_view name, std::int64_t fallback) const {
    return integer(name).value_or(fallback);
}

std::optional<double> CallContext::number(std::string_view name) const {
    const Expr* expr = argument(name);
    if (!expr)
        return std::nullopt;
    if (expr->is(Expr::Kind::Number))
        return expr->number;
    if (expr->is(Expr::Kind::Integer) || expr->is(Expr::Kind::Bool))
        return static_cast<double>(expr->integer);
    return std::nullopt;
}

std::optional<std::string> CallContext::text(std::string_view name) const {
    const Expr* expr = argument(name);
    if (!expr || !(expr->is(Expr::Kind::String) || expr->is(Expr::Kind::Name)))
        return std::nullopt;
    return expr->text;
}

std::optional<ir::DType> CallContext::dtype(std::string_view name) const {
    const Expr* expr = argument(name);
    return expr && expr->is(Expr::Kind::Name) ? dtypeOfName(expr->text) : std::nullopt;
}

bool CallContext::flag(std::string_view name, bool fallback) const {
    const auto value = integer(name);
    return value ? *value != 0 : fallback;
}

std::optional<std::vector<std::int64_t>> CallContext::integers(std::string_view name) const {
    const Expr* expr = argument(name);
    if (!expr)
        return std::nullopt;
    if (expr->is(Expr::Kind::Integer))
        return std::vector<std::int64_t>{expr->integer};
    if (!expr->is(Expr::Kind::List) && !expr->is(Expr::Kind::Tuple))
        return std::nullopt;
    std::vector<std::int64_t> values;
    for (const Expr& item : expr->items) {
        if (!item.is(Expr::Kind::Integer))
            return std::nullopt;
        values.push_back(item.integer);
    }
    return values;
}

int CallContext::rank(std::string_view name) const {
    const auto& shape = type(name).shape;
    return shape ? static_cast<int>(shape->size()) : -1;
}

namespace {

using Table = std::unordered_map<std::string_view, const Row*>;

const Table& table() {
    static const Table kTable = [] {
        Table rows;
        for (const auto part : {pointwiseRows(), reductionRows(), contractionRows(), movementRows(),
                 indexingRows(), generatorRows(), spyreRows()})
            for (const Row& row : part)
                rows.emplace(row.target, &row);
        return rows;
    }();
    return kTable;
}

const Row* exact(std::string_view target) {
    const auto found = table().find(target);
    return found == table().end() ? nullptr : found->second;
}

} // namespace

const Row* findRow(std::string_view target) {
    if (const Row* row = exact(target))
        return row;
    const std::size_t space = target.find('.');
    if (space == std::string_view::npos)
        return nullptr;
    const std::size_t dot = target.find('.', space + 1);
    std::string_view base = target.substr(0, std::min(dot, target.size()));
    if (const Row* row = exact(base))
        return row;
    if (base.size() < 2 || base.back() != '_' || base[base.size() - 2] == '_')
        return nullptr;
    base.remove_suffix(1);
    if (dot != std::string_view::npos)
        if (const Row* row = exact(std::string(base) + std::string(target.substr(dot))))
            return row;
    return exact(base);
}

} // namespace fivefold::frontends::fx
