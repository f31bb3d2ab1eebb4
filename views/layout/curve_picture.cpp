// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/curve_picture.h"

#include "core/lowering/layout_query.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/type.h"
#include "views/layout/scene.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace fivefold::views::layout {

using namespace common;
using fivefold::layout::CurvePoint;
using fivefold::layout::LayoutQuery;
using fivefold::layout::PaddingCurve;

namespace {

constexpr double kCurveHeight = 64; ///< design/interface.md, section 2
constexpr double kCurveGap = 8;
constexpr double kLowestCurve = 22;
constexpr double kHeadWidth = 150, kTailWidth = 108, kNarrowHead = 96;
constexpr double kNarrow = 520;
constexpr double kAxisHeight = 18;
constexpr double kTop = 16;
constexpr double kMostTicks = 0.25; ///< free sizes a pixel: above, ticks would be a bar

/// One product a family, for the four machines that the other panels do not show.
constexpr std::string_view kProducts[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

std::shared_ptr<const machines::Machine> productOf(
    const analysis::Result& result, std::string_view family) {
    if (result.machine().family == family)
        return result.request.machine;
    for (const std::string_view id : kProducts)
        if (const auto machine = machines::findMachine(id); machine && machine->family == family)
            return machine;
    return nullptr;
}

/// The dimension that lies in the lanes goes last, as the shown layout has it.
std::vector<int> orderOf(const fivefold::layout::TensorLayout& layout) {
    const int rank = static_cast<int>(layout.shape.size());
    if (layout.axes.empty() || rank == 0)
        return {};
    const auto lane = std::ranges::find(
        layout.axes, fivefold::layout::AxisRole::Lane, &fivefold::layout::Axis::role);
    if (lane == layout.axes.end() || lane->dimension == rank - 1)
        return {};
    std::vector<int> order;
    for (int d = 0; d < rank; ++d)
        if (d != lane->dimension)
            order.push_back(d);
    order.push_back(lane->dimension); // kSynthetic is Spyre's −1: one element a stick
    return order;
}

/// Side of the square of PEs that the tensor's kernel works on; 0: unknown.
std::int64_t sideOf(const ViewState& state, const Picture& picture) {
    const auto& program = state.result()->program;
    const auto& graph = program.stage(picture.stage);
    if (!graph.values.contains(picture.lowered))
        return 0;
    const lowering::Value& value = graph.values[picture.lowered];
    const lowering::NodeId node = value.producer.isValid() ? value.producer
        : value.users.empty()                              ? lowering::NodeId()
                                                           : value.users.front();
    if (!node.isValid())
        return 0;
    for (const lowering::Step& step : program.steps)
        if (step.kernel == graph.nodes[node].kernel)
            return std::llround(std::sqrt(static_cast<double>(step.unitsUsed)));
    return 0;
}

QString ruleOf(const LayoutQuery& query, const machines::Machine& machine, bool isOwnSquare) {
    if (machine.family == "gpu")
        return tr("no padding");
    if (machine.family == "tpu")
        return query.shape.size() == 1 ? tr("tiles of one dimension") : tr("tiles of 8 × 128");
    if (machine.family == "cerebras")
        return isOwnSquare ? tr("%1 columns, its region").arg(query.peColumns)
                           : tr("%1 columns, chosen").arg(query.peColumns);
    if (machine.family == "groq")
        return tr("vectors of %1").arg(query.lanes);
    return tr("sticks of 128 B");
}

QString shortMachine(const machines::Machine& machine) {
    QString name = QString::fromStdString(machine.name);
    for (const char* maker : {"NVIDIA ", "Google ", "Cerebras "})
        if (name.startsWith(QLatin1String(maker)) && machine.family != "cerebras")
            name.remove(0, static_cast<qsizetype>(qstrlen(maker)));
    return name;
}

CurveRow rowOf(const ViewState& state, const Picture& picture, const CurvePicture& curves,
    std::string_view family) {
    CurveRow row;
    row.machine = productOf(*state.result(), family);
    if (!row.machine) {
        row.name = QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size()));
        row.failure = tr("no machine of this family is known");
        return row;
    }
    row.name = shortMachine(*row.machine);
    row.isCurrent = row.machine == state.result()->request.machine;
    LayoutQuery query = lowering::layoutQuery(*row.machine, curves.shape, curves.dtype);
    const bool isSquare = family == "cerebras" && row.isCurrent && sideOf(state, picture) > 0;
    if (family == "cerebras")
        query.peRows = query.peColumns = isSquare ? sideOf(state, picture) : kChosenColumns;
    if (row.isCurrent && (family == "spyre" || family == "groq") && picture.grid)
        query.order = orderOf(picture.grid->layout());
    row.rule = ruleOf(query, *row.machine, isSquare);
    if (row.isCurrent && !query.order.empty())
        row.rule += query.order.back() < 0 ? tr(", one element each")
                                           : tr(" along d%1").arg(query.order.back());
    const std::int64_t to = std::max(kLargestSize, curves.size);
    auto curve = fivefold::layout::paddingCurve(
        query, curves.dimension, std::max<std::int64_t>(1, to - kLargestSize + 1), to);
    if (!curve) {
        row.failure = asSentence(curve.error().message);
        return row;
    }
    row.curve = std::move(*curve);
    row.free = fivefold::layout::freeSizes(row.curve);
    return row;
}

} // namespace

bool CurvePicture::isSame(const CurvePicture& other) const {
    return name == other.name && shape == other.shape && dtype == other.dtype
        && dimension == other.dimension && reason == other.reason;
}

QString symbolOf(const analysis::Result& result, ir::ValueId value, int dimension) {
    const ir::Graph& graph = result.graph();
    if (!value.isValid() || !graph.values.contains(value))
        return {};
    const auto& shape = graph.values[value].declared.shape;
    if (!shape || dimension < 0 || static_cast<std::size_t>(dimension) >= shape->size())
        return {};
    const ir::Dim& dim = (*shape)[static_cast<std::size_t>(dimension)];
    if (!dim.isSymbolic())
        return {};
    const auto symbols = dim.symbols();
    return symbols.size() == 1 && symbols.front() == dim.text()
        ? QString::fromStdString(symbols.front())
        : QString();
}

CurvePicture presentCurves(const ViewState& state, const Picture& picture, int dimension) {
    CurvePicture curves;
    if (picture.isEmpty()) {
        curves.reason = picture.reason;
        return curves;
    }
    const auto& layout = picture.grid->layout();
    curves.name = picture.name;
    curves.shape = picture.modelShape.empty() ? layout.shape : picture.modelShape;
    curves.dtype = layout.dtype;
    const int rank = static_cast<int>(curves.shape.size());
    if (rank == 0) {
        curves.reason = tr("%1 is a scalar: it has no dimension to vary.").arg(picture.name);
        return curves;
    }
    curves.dimension = dimension < 0 || dimension >= rank ? rank - 1 : dimension;
    curves.size = curves.shape[static_cast<std::size_t>(curves.dimension)];
    curves.symbol = symbolOf(*state.result(), picture.value, curves.dimension);
    std::vector<PaddingCurve> known;
    std::vector<std::size_t> rowOfCurve;
    for (const std::string_view family : machines::kFamilies) {
        curves.rows.push_back(rowOf(state, picture, curves, family));
        if (!curves.rows.back().curve.isEmpty()) {
            known.push_back(curves.rows.back().curve);
            rowOfCurve.push_back(curves.rows.size() - 1);
        }
    }
    curves.next = fivefold::layout::nextCommonSize(known, curves.size);
    if (curves.next)
        for (std::size_t& padded : curves.next->padded)
            padded = rowOfCurve[padded];
    return curves;
}

QString nextText(const CurvePicture& picture) {
    if (!picture.next)
        return tr("no size up to %1 is without padding").arg(formatCount(kLargestSize));
    const QString size = formatCount(picture.next->size);
    if (picture.next->isFreeOnAll())
        return picture.next->size == picture.size
            ? tr("%1 is without padding on all").arg(size)
            : tr("next size without padding on all: %1").arg(size);
    QStringList names;
    for (const std::size_t row : picture.next->padded)
        names << picture.rows[row].name;
    return tr("none up to %1 without padding on all; %2 on all but %3")
        .arg(formatCount(kLargestSize), size, names.join(tr(" and ")));
}

QString freeText(const CurveRow& row, std::int64_t size) {
    if (row.free.size() == row.curve.points.size())
        return tr("free: any");
    QStringList sizes;
    for (auto at = std::ranges::lower_bound(row.free, size); at != row.free.end(); ++at) {
        sizes << QString::number(*at);
        if (sizes.size() == 2)
            break;
    }
    return sizes.isEmpty() ? tr("free: none above")
                           : tr("free: %1").arg(sizes.join(QStringLiteral(", ")));
}

QString curveSentence(const CurvePicture& picture, std::int64_t size) {
    if (picture.isEmpty())
        return picture.reason;
    QStringList parts;
    for (const CurveRow& row : picture.rows)
        if (const CurvePoint* point = row.curve.at(size))
            parts << row.name + u' ' + wasteText(point->waste);
    QString text = tr("%1 with d%2 = %3, padding: %4")
                       .arg(picture.name, QString::number(picture.dimension), formatCount(size),
                           parts.join(QStringLiteral(", ")));
    text += QStringLiteral("; ") + nextText(picture) + u'.';
    if (size != picture.size)
        text += picture.symbol.isEmpty()
            ? tr(" A what-if of this tensor only: in the model it is %1.")
                  .arg(formatCount(picture.size))
            : tr(" A click binds %1.").arg(picture.symbol);
    return text;
}

double CurveGeometry::pixel(double value) const {
    const QRectF& plot = rows.front().plot;
    const double span = static_cast<double>(std::max<std::int64_t>(1, to - from));
    return plot.left() + (value - static_cast<double>(from)) / span * plot.width();
}

std::int64_t CurveGeometry::sizeAt(double pixel) const {
    const QRectF& plot = rows.front().plot;
    const double part = (pixel - plot.left()) / plot.width();
    const auto at = from
        + static_cast<std::int64_t>(
            std::llround(std::clamp(part, 0.0, 1.0) * static_cast<double>(to - from)));
    return std::clamp(at, from, to);
}

namespace {

/// A column of pixels may hold several sizes: the line takes the least and the most of them.
std::vector<QPointF> lineOf(
    const CurveGeometry& geometry, const CurveRow& row, const QRectF& plot) {
    std::vector<QPointF> line;
    const auto y = [&](double waste) { return plot.bottom() - waste * (plot.height() - 2) - 1; };
    for (const CurvePoint& point : row.curve.points) {
        if (point.size < geometry.from || point.size > geometry.to)
            continue;
        line.emplace_back(geometry.pixel(static_cast<double>(point.size)), y(point.waste));
    }
    return line;
}

} // namespace

CurveGeometry arrangeCurves(const CurvePicture& picture, const QSizeF& size, std::int64_t to) {
    CurveGeometry geometry;
    geometry.size = size;
    if (picture.isEmpty() || picture.rows.empty())
        return geometry;
    const bool isNarrow = size.width() < kNarrow;
    const double head = isNarrow ? kNarrowHead : kHeadWidth;
    const double tail = isNarrow ? 64 : kTailWidth;
    const double room = size.height() - kTop - kAxisHeight - 4;
    const auto count = static_cast<double>(picture.rows.size());
    const double gap = room < count * (kCurveHeight + kCurveGap) ? 3 : kCurveGap;
    const double each = std::clamp(room / count - gap, kLowestCurve, kCurveHeight);
    if (size.width() - head - tail < 80 || room < kLowestCurve)
        return geometry;
    geometry.to = std::max<std::int64_t>(2, to);
    geometry.from = std::max<std::int64_t>(1, geometry.to - kLargestSize + 1);
    for (std::size_t i = 0; i < picture.rows.size(); ++i) {
        const double top = kTop + static_cast<double>(i) * (each + gap);
        CurveGeometry::Row row;
        row.head = QRectF(8, top, head - 12, each);
        row.plot = QRectF(head, top, size.width() - head - tail, each);
        row.tail = QRectF(row.plot.right() + 8, top, tail - 12, each);
        geometry.rows.push_back(row);
    }
    for (std::size_t i = 0; i < geometry.rows.size(); ++i) {
        CurveGeometry::Row& row = geometry.rows[i];
        row.line = lineOf(geometry, picture.rows[i], row.plot);
        const auto& free = picture.rows[i].free;
        const auto first = std::ranges::lower_bound(free, geometry.from);
        const auto last = std::ranges::upper_bound(free, geometry.to);
        if (static_cast<double>(last - first) <= row.plot.width() * kMostTicks)
            for (auto at = first; at != last; ++at)
                row.ticks.push_back(geometry.pixel(static_cast<double>(*at)));
    }
    const QRectF& lowest = geometry.rows.back().plot;
    geometry.axis = QRectF(lowest.left(), lowest.bottom() + 4, lowest.width(), kAxisHeight);
    const int most = std::max(2, static_cast<int>(lowest.width() / 64));
    for (const double at : roundTicks(
             static_cast<double>(geometry.from), static_cast<double>(geometry.to), most, true))
        geometry.labels.emplace_back(geometry.pixel(at), static_cast<std::int64_t>(at));
    return geometry;
}

} // namespace fivefold::views::layout
