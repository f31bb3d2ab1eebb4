// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

#include <QRectF>

#include <memory>
#include <vector>

namespace fivefold::views::divergence {

/// What the layers list draws: the comparison, the locked scale of its bars, the suspects.
struct LayersPicture {
    std::shared_ptr<const compare::Divergence> divergence;
    double low = 0, high = 1; ///< log10 of the errors at the ends of the bars
    std::vector<char> isSuspect; ///< by layer

    std::size_t rows() const { return divergence ? divergence->layers.size() : 0; }
    /// Share of the bar that an error fills, 0..1; 0 only for none. Not finite: 1.
    double share(double error) const;
};
LayersPicture layersPicture(std::shared_ptr<const compare::Divergence> divergence);

constexpr int kLayersHeader = 24;
constexpr int kLayerRow = 24; ///< 32 where all rows fit so
constexpr int kTallLayerRow = 32;
constexpr int kBeforeTitle = 28, kBeforeRow = 20;

/// Columns of a list of that width; a column without room is null.
struct LayerColumns {
    QRectF number, name, verdict, bar, wrong, error; ///< left and width count
    bool hasVerdictWord = true;
};
LayerColumns layerColumns(double width);
int rowAt(double y, int rowHeight, std::size_t rows); ///< −1: none
/// Height of the block "Before any layer"; 0 when nothing was checked. At most `room`.
int beforeHeight(const compare::Divergence& divergence, int room);

} // namespace fivefold::views::divergence
