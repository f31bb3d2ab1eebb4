// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/padding_curve.h"
#include "views/common/panel_frame.h"
#include "views/layout/layout_presenter.h"

#include <QLineF>
#include <QPointF>

namespace fivefold::views::layout {

constexpr std::int64_t kLargestSize = 4096; ///< sizes that the curves know
constexpr std::int64_t kFirstRange = 256; ///< sizes that they show at first
/// Columns of PEs that share a tensor on the wafer where no kernel has chosen its rectangle: a
/// programmer's choice, here the sixteen of the design's picture.
constexpr std::int64_t kChosenColumns = 16;

/// One machine's padding over the sizes of the varied dimension.
struct CurveRow {
    std::shared_ptr<const machines::Machine> machine;
    QString name; ///< "TPU v5e"
    QString rule; ///< "lanes of 128": what decides
    QString failure; ///< not empty: why it has no curve, a sentence
    fivefold::layout::PaddingCurve curve;
    std::vector<std::int64_t> free; ///< sizes without padding
    bool isCurrent = false; ///< the machine that the other panels show
};

/// Padding of one tensor over one dimension on all five machines.
struct CurvePicture {
    QString reason; ///< not empty: why there is nothing to draw, a sentence
    QString name; ///< of the tensor
    std::vector<std::int64_t> shape; ///< as the model has it
    ir::DType dtype = ir::DType::Float16;
    int dimension = 0;
    std::int64_t size = 0; ///< of the dimension in the model
    QString symbol; ///< free symbol that the dimension is; empty: it is fixed in the model
    std::vector<CurveRow> rows; ///< always in the order of the families
    std::optional<fivefold::layout::CommonSize> next; ///< the next that most of them like

    bool isEmpty() const { return !reason.isEmpty(); }
    bool isSame(const CurvePicture& other) const;
};

/// Curves of the picture's tensor; `dimension` −1: the last. Five machines: the shown one for its
/// family, the default product for the others. Sizes 1…4096 (beyond it where the tensor is larger).
CurvePicture presentCurves(
    const common::ViewState& state, const Picture& picture, int dimension = -1);

/// The free symbol that a dimension of a captured value is, where it is one of the model's own;
/// empty where it is fixed or a term.
QString symbolOf(const analysis::Result& result, ir::ValueId value, int dimension);

/// What the curves say at a size, in a sentence.
QString curveSentence(const CurvePicture& picture, std::int64_t size);
/// "next size without padding on all: 640"
QString nextText(const CurvePicture& picture);
/// "free: 64, 128": the first free sizes from `size` on.
QString freeText(const CurveRow& row, std::int64_t size);

/// Where everything lies.
struct CurveGeometry {
    struct Row {
        QRectF head; ///< name and rule
        QRectF plot;
        QRectF tail; ///< figure and free sizes
        std::vector<QPointF> line;
        std::vector<double> ticks; ///< x of free sizes
    };
    QSizeF size;
    std::vector<Row> rows;
    QRectF axis; ///< below the last plot
    std::vector<std::pair<double, std::int64_t>> labels; ///< x and size
    std::int64_t from = 1, to = kFirstRange;

    bool isEmpty() const { return rows.empty(); }
    double pixel(double size) const;
    std::int64_t sizeAt(double pixel) const; ///< clamped to the range
};
CurveGeometry arrangeCurves(const CurvePicture& picture, const QSizeF& size, std::int64_t to);

} // namespace fivefold::views::layout
