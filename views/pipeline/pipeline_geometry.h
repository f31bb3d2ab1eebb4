// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/pipeline/pipeline_presenter.h"

#include <QRectF>
#include <QSizeF>

namespace fivefold::views::pipeline {

/// A step that is named by its row and its place in the row; −1, −1 is none.
struct Place {
    int row = -1;
    int step = -1;
    bool isValid() const { return row >= 0 && step >= 0; }
    bool operator==(const Place&) const = default;
};

struct StepBox {
    Place place;
    QRectF rect;
};

struct RowBox {
    int row = 0;
    QRectF rect; ///< of the whole row
    QRectF label;
    int lines = 1; ///< of text in its steps: name, what it emits, what the mode changes
    bool isLow = false; ///< too low for names in narrow steps: the stages' numbers alone
};

struct PhaseHead {
    QString title;
    QRectF rect;
};

/// Rows under common columns, one a phase: steps share their phase's width evenly, so that capture
/// stands over capture and code over code.
struct Geometry {
    QVector<PhaseHead> phases; ///< empty where the height is too small for their titles
    QVector<RowBox> rows;
    QVector<StepBox> steps;
    QVector<QRectF> gaps; ///< separators between phases

    const StepBox* box(const Place& place) const;
    Place placeAt(const QPointF& point) const;
    int rowAt(const QPointF& point) const; ///< −1: none
};
Geometry arrange(const Picture& picture, const QSizeF& size);

/// The step above or below (`by` ±1 rows) whose middle is nearest; the same place at the ends.
Place neighbour(const Geometry& geometry, const Place& place, int by);

} // namespace fivefold::views::pipeline
