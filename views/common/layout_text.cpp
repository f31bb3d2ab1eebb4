// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/layout_text.h"

#include <QStringList>

namespace fivefold::views::common {

std::optional<Padding> paddingOf(const layout::TensorLayout& layout) {
    std::int64_t device = 1, logical = 1, bits = 0;
    for (const auto& axis : layout.axes)
        if (__builtin_mul_overflow(device, axis.extent, &device))
            return std::nullopt;
    for (const auto extent : layout.shape)
        if (__builtin_mul_overflow(logical, extent, &logical))
            return std::nullopt;
    if (__builtin_mul_overflow(
            device - logical, static_cast<std::int64_t>(layout.elementBits), &bits))
        return std::nullopt;
    // An empty tensor has no padding, whatever its axes say.
    if (logical <= 0 || device <= 0)
        return Padding{};
    return Padding{
        base::Bytes(bits / 8), static_cast<double>(device - logical) / static_cast<double>(device)};
}

QString layoutText(const layout::TensorLayout& layout) {
    const auto list = [](const std::vector<std::int64_t>& numbers) {
        QStringList texts;
        for (const auto number : numbers)
            texts << QString::number(number);
        return u'[' + texts.join(QStringLiteral(", ")) + u']';
    };
    if (!layout.deviceSize.empty())
        return list(layout.deviceSize);
    if (!layout.notation.empty())
        return QString::fromStdString(layout.notation);
    std::vector<std::int64_t> extents;
    for (const auto& axis : layout.axes)
        extents.push_back(axis.extent);
    return list(extents);
}

} // namespace fivefold::views::common
