// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"
#include "views/layout/layout_grid.h"

#include <QString>
#include <QVector>

#include <memory>

namespace fivefold::views::layout {

/// The vendor's words for the parts of a layout.
struct Words {
    QString unit; ///< "core"
    QString line; ///< "stick"
    QString lines; ///< "sticks"
    QString block; ///< "block"
    QString unitLetter; ///< "c": labels of the unit map
};
Words wordsOf(const std::string& family);

/// A tensor that the panel can show for the selection.
struct TensorChoice {
    QString label; ///< "x · 2×65 fp16"
    ir::ValueId source; ///< invalid for one that lowering made
    lowering::ValueId lowered;
};

/// Everything that the canvas draws for one tensor.
struct Picture {
    QString reason; ///< not empty: why there is no layout to draw, a sentence
    QString name;
    QString shapeText; ///< "12 × 128 × 128 fp16"
    ir::ValueId value;
    lowering::ValueId lowered;
    lowering::Stage stage = lowering::Stage::LaidOut;
    std::shared_ptr<const Grid> grid; ///< null where there is a reason
    Words words;
    QString unitCaption; ///< "cores · m16 × n2"
    QVector<TensorChoice> choices;
    machines::MemoryKind memory = machines::MemoryKind::Device; ///< whose colour the cells have
    bool isDefault = false; ///< nothing is selected: the result of the longest step is shown

    bool isEmpty() const { return !grid; }
};

/// The layout of the selection's tensor (the picked value, else the first result of the first node)
/// as the stage leaves it; stages before Laid out show the laid-out graph.
Picture present(const common::ViewState& state);
/// What the panel shows, and where the element of `place` lies.
QString sentence(const Picture& picture, const std::optional<Place>& place);

// Words for one place.
QString indexText(const Picture& picture, const Place& place); ///< "[0, 3, 42, 0]" or "padding"
QString addressText(const Picture& picture, const Place& place, bool isHex); ///< "base + 0x1AA00"
QString lineText(const Picture& picture, const Place& place); ///< "stick 852, lane 0"
QString unitText(const Picture& picture, const Place& place); ///< "core 5 of 32"
/// The compiler's own words for the layout: device_size on Spyre, else the notation.
QString notationText(const Picture& picture);
/// Number of the place's line in the order of addresses.
std::int64_t lineNumber(const Grid& grid, const Place& place);

} // namespace fivefold::views::layout
