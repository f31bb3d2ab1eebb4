// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"
#include "views/layout/layout_grid.h"

#include <QString>
#include <QVector>

#include <memory>

namespace fivefold::views::layout {

/// Share of padding with the digit that tells sticks apart: "49.2 %", "0 %", "99.6 %".
QString wasteText(double share);

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

/// A size that the panel tries for one dimension of its tensor alone.
struct WhatIf {
    int dimension = 0;
    std::int64_t size = 0;
    bool operator==(const WhatIf&) const = default;
};

/// Values of a tensor that are known without running the model: its data in the file, or the one
/// number that all elements have.
class KnownValues;

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
    std::vector<std::int64_t> modelShape; ///< as the model has it; the grid's without a what-if
    std::optional<WhatIf> whatIf; ///< the grid is of this shape instead
    std::shared_ptr<KnownValues> values; ///< null: none are known
    QString estimate; ///< not empty: why the layout is an estimate, a sentence

    bool isEmpty() const { return !grid; }
};

/// The layout of the selection's tensor (the picked value, else the first result of the first node)
/// as the stage leaves it; stages before Laid out show the laid-out graph.
/// `whatIf` lays the tensor out as if one dimension had another size; one that does not fit the
/// tensor is left out.
Picture present(const common::ViewState& state, const std::optional<WhatIf>& whatIf = std::nullopt);
/// What the panel shows, and where the element of `place` lies.
QString sentence(const Picture& picture, const std::optional<Place>& place);

// Words for one place.
QString indexText(const Picture& picture, const Place& place); ///< "[0, 3, 42, 0]" or "padding"
QString addressText(const Picture& picture, const Place& place, bool isHex); ///< "base + 0x1AA00"
QString lineText(const Picture& picture, const Place& place); ///< "stick 852, lane 0"
QString unitText(const Picture& picture, const Place& place); ///< "core 5 of 32"
/// The element's value where it is known, in at most seven characters' precision; empty otherwise.
QString valueText(const Picture& picture, const Place& place);
/// The element, index or address that a text means, wherever it lies: "[1, 3]" or "1,3" an index,
/// "0x100" an address in the place's unit, "64" a flat number. Nullopt outside the tensor.
std::optional<Place> placeOfText(const Picture& picture, const Place& now, QString text);
/// The compiler's own words for the layout: device_size on Spyre, else the notation.
QString notationText(const Picture& picture);
/// Number of the place's line in the order of addresses.
std::int64_t lineNumber(const Grid& grid, const Place& place);

} // namespace fivefold::views::layout
