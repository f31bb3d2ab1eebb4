// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_painter.h"

#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPaintEngine>
#include <QPixmap>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

namespace fivefold::views::roofline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("roofline", text);
}

/// From so many dots on they are stamped from pictures, not drawn.
constexpr std::size_t kStampFrom = 400;
constexpr std::size_t kMostCaps = 200;
constexpr std::size_t kMarksKeptClear = 40; ///< the longest steps, which names avoid
constexpr double kGhost = 0.45; ///< opacity of the overlaid result
constexpr double kBrushFill = 0.14;

QRectF around(const QPointF& centre, double radius) {
    return {centre - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)};
}

QRectF around(const PlacedDot& dot) {
    return around(dot.centre, dot.radius);
}

bool isVector(const QPainter& painter) {
    const auto type = painter.paintEngine() ? painter.paintEngine()->type() : QPaintEngine::Raster;
    return type != QPaintEngine::Raster;
}

/// How a dot looks, but for its size.
struct Look {
    Colouring colouring = Colouring::Bound;
    int mark = 0; ///< the bound or the operator class
    bool isHollow = false; ///< no memory roof holds for the step
    auto operator<=>(const Look&) const = default;
};

Look lookOf(const Dot& dot, Colouring colouring) {
    return {colouring,
        colouring == Colouring::Bound ? static_cast<int>(dot.bound) : static_cast<int>(dot.opClass),
        dot.isWithoutRoof};
}

QColor colorOf(const Look& look) {
    const Palette& palette = Palette::current();
    return look.colouring == Colouring::Bound
        ? palette.bound(static_cast<lowering::Bound>(look.mark))
        : palette.operatorClass(static_cast<ir::OpClass>(look.mark));
}

void paintMark(QPainter& painter, const QRectF& rect, const Look& look, const QColor& color) {
    if (look.colouring == Colouring::Bound) {
        paintBoundGlyph(painter, rect, static_cast<lowering::Bound>(look.mark), color);
        return;
    }
    // The class glyphs are thin lines: a disc of the class's colour carries them.
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(rect);
    painter.setBrush(Qt::NoBrush);
    const double inset = rect.width() * 0.22;
    if (rect.width() >= 9)
        paintClassGlyph(painter, rect.adjusted(inset, inset, -inset, -inset),
            static_cast<ir::OpClass>(look.mark), Palette::textOn(color));
}

void paintDot(QPainter& painter, const QRectF& rect, const Look& look) {
    paintMark(painter, rect, look, colorOf(look));
    if (!look.isHollow)
        return;
    const double rim = std::min(1.5, rect.width() / 4);
    const QRectF inner = rect.adjusted(rim, rim, -rim, -rim);
    const QColor canvas = Palette::current().role("canvas");
    if (look.colouring == Colouring::Bound) {
        paintBoundGlyph(painter, inner, static_cast<lowering::Bound>(look.mark), canvas);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(canvas);
    painter.drawEllipse(inner);
    painter.setBrush(Qt::NoBrush);
}

/// A ring: the operator at another level.
void paintRing(QPainter& painter, const QRectF& rect, const QColor& color) {
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(Palette::current().role("canvas"));
    painter.drawEllipse(rect.adjusted(0.75, 0.75, -0.75, -0.75));
    painter.setBrush(Qt::NoBrush);
}

/// Draws marks many times from one picture each: pictures by look and radius (in half pixels).
class Stamps {
public:
    Stamps(QPainter& painter, bool isOn)
        : m_painter(painter)
        , m_isOn(isOn)
        , m_ratio(painter.device()->devicePixelRatioF()) { }

    template <typename Paint>
    void put(const QPointF& centre, double radius, const std::tuple<Look, bool>& key, Paint paint) {
        if (!m_isOn) {
            paint(m_painter, around(centre, radius));
            return;
        }
        const int halfPixels = qRound(2 * radius);
        QPixmap& pixmap = m_pixmaps[{key, halfPixels}];
        if (pixmap.isNull()) {
            const int side = halfPixels + 3;
            pixmap = QPixmap(QSize(side, side) * m_ratio);
            pixmap.setDevicePixelRatio(m_ratio);
            pixmap.fill(Qt::transparent);
            QPainter inside(&pixmap);
            inside.setRenderHint(QPainter::Antialiasing);
            paint(inside, around(QPointF(side / 2.0, side / 2.0), halfPixels / 2.0));
        }
        // Whole pixels: stamping between them costs ten times as much.
        const QSizeF size = pixmap.deviceIndependentSize();
        m_painter.drawPixmap((centre - QPointF(size.width(), size.height()) / 2).toPoint(), pixmap);
    }

private:
    QPainter& m_painter;
    bool m_isOn;
    qreal m_ratio;
    std::map<std::pair<std::tuple<Look, bool>, int>, QPixmap> m_pixmaps;
};

void paintDots(QPainter& painter, const Picture& picture, const std::vector<PlacedDot>& dots,
    const Frame& frame) {
    const QRectF plot = frame.chart.plotArea();
    Stamps stamps(painter, dots.size() >= kStampFrom && !isVector(painter));
    for (std::size_t d = dots.size(); d-- > 0;) { // the longest step on top
        if (!plot.contains(dots[d].centre))
            continue;
        const Look look = lookOf(picture.dots[d], frame.options.colouring);
        stamps.put(dots[d].centre, dots[d].radius, {look, false},
            [&](QPainter& p, const QRectF& rect) { paintDot(p, rect, look); });
    }
}

void paintAllLevels(QPainter& painter, const Frame& frame) {
    const QRectF plot = frame.chart.plotArea();
    Stamps stamps(painter, frame.levels.size() >= kStampFrom && !isVector(painter));
    for (auto level = frame.levels.rbegin(); level != frame.levels.rend(); ++level) {
        if (!plot.contains(level->centre))
            continue;
        const Look look = lookOf(frame.picture.dots[level->dot], frame.options.colouring);
        stamps.put(level->centre, level->radius, {look, true},
            [&](QPainter& p, const QRectF& rect) { paintRing(p, rect, colorOf(look)); });
    }
}

void paintCap(QPainter& painter, const Frame& frame, std::size_t d) {
    const Dot& dot = frame.picture.dots[d];
    if (!dot.cap || !(*dot.cap > 0))
        return;
    const QPointF at = frame.chart.toPixel({dot.intensity, *dot.cap});
    if (!frame.chart.plotArea().contains(at))
        return;
    const QColor color = Palette::current().bound(lowering::Bound::Scheduling);
    painter.setPen(dashedPen(color, 1, {1, 3}));
    painter.drawLine(at, frame.dots[d].centre);
    painter.setPen(QPen(color, 3, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(at - QPointF(kCapHalfWidth, 0), at + QPointF(kCapHalfWidth, 0));
}

/// The selected step at its other memory levels, joined.
std::vector<PlacedLevel> paintLevels(QPainter& painter, const Frame& frame, std::size_t d) {
    const auto levels = placeLevels(frame.picture, frame.chart, d);
    if (levels.empty())
        return levels;
    double left = frame.dots[d].centre.x();
    double right = left;
    for (const auto& level : levels) {
        left = std::min(left, level.centre.x());
        right = std::max(right, level.centre.x());
    }
    const double y = frame.dots[d].centre.y();
    painter.setPen(QPen(Palette::current().role("text"), 1));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    const Look look = lookOf(frame.picture.dots[d], frame.options.colouring);
    for (const auto& level : levels)
        paintRing(painter, around(level.centre, 5), colorOf(look));
    return levels;
}

/// ■ in the colour of text, joined to the estimate: what was measured.
void paintMeasured(QPainter& painter, const Frame& frame, std::size_t d) {
    const Dot& dot = frame.picture.dots[d];
    if (!dot.measured)
        return;
    const QPointF at = frame.chart.toPixel({dot.intensity, dot.measured->achieved});
    if (!frame.chart.plotArea().contains(at))
        return;
    const QColor color = Palette::current().role("text");
    painter.setPen(QPen(color, 1));
    painter.drawLine(frame.dots[d].centre, at);
    painter.fillRect(around(at, 3.5), color);
}

void paintArrows(QPainter& painter, const Frame& frame) {
    if (!frame.overlay)
        return;
    const Palette& palette = Palette::current();
    const QRectF plot = frame.chart.plotArea();
    for (const auto& arrow :
        placeArrows(*frame.overlay, frame.overlayDots, frame.dots, frame.selected)) {
        if (!plot.contains(arrow.from) || !plot.contains(arrow.to))
            continue;
        const bool isSelected = arrow.dot == frame.selected;
        painter.setPen(
            QPen(palette.role(isSelected ? "text" : "textSecondary"), isSelected ? 1.5 : 1));
        painter.drawLine(arrow.from, arrow.to);
        const double angle =
            std::atan2(arrow.to.y() - arrow.from.y(), arrow.to.x() - arrow.from.x());
        for (const double turn : {0.85, 1.15}) {
            const double a = angle + turn * std::numbers::pi;
            painter.drawLine(arrow.to, arrow.to + QPointF(std::cos(a), std::sin(a)) * 6);
        }
    }
}

void paintLabel(
    QPainter& painter, const PlacedLabel& label, const QColor& color, const QFont& font) {
    painter.save();
    painter.translate(label.anchor);
    painter.rotate(label.angle);
    painter.translate(-label.anchor);
    // Words stay readable over lines and dots.
    QColor backdrop = Palette::current().role("canvas");
    backdrop.setAlphaF(0.75F);
    painter.fillRect(label.rect, backdrop);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(label.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label.text);
    painter.restore();
}

void paintRoofLabel(QPainter& painter, const PlacedLabel& label, const Roof& roof) {
    const Palette& palette = Palette::current();
    const QColor color = roof.isMemory ? palette.memoryLevel(roof.kind)
        : roof.isCurrent               ? palette.role("text")
                                       : palette.role("textSecondary");
    painter.save();
    painter.translate(label.anchor);
    painter.rotate(label.angle);
    painter.translate(-label.anchor);
    const QRectF mark(label.rect.left(), label.rect.top(), 12, label.rect.height());
    paintStatusGlyph(painter, mark, roof.status, palette.role("textSecondary"));
    painter.restore();
    PlacedLabel text = label;
    text.rect.setLeft(text.rect.left() + 16);
    const bool isPale = roof.isMemory && roof.kind == machines::MemoryKind::Device;
    paintLabel(painter, text, isPale ? palette.role("textSecondary") : color, smallFont());
}

void paintBrush(QPainter& painter, const Frame& frame) {
    if (!frame.brush)
        return;
    const auto corner = [&](double x, double y) {
        return frame.chart.toPixel({std::pow(10.0, x), std::pow(10.0, y)});
    };
    const QRectF rect = QRectF(corner(frame.brush->x.low, frame.brush->y.high),
        corner(frame.brush->x.high, frame.brush->y.low))
                            .intersected(frame.chart.plotArea());
    const QColor color = Palette::current().selection("brush");
    QColor fill = color;
    fill.setAlphaF(kBrushFill);
    painter.fillRect(rect, fill);
    painter.setPen(QPen(color, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
}

ChartLine chartLine(const Roof& roof, const QVector<QPointF>& points) {
    const Palette& palette = Palette::current();
    ChartLine line;
    line.points = points;
    if (roof.isMemory) {
        line.color = palette.memoryLevel(roof.kind);
        line.width = 2;
        line.dash = Palette::dash(roof.kind);
    } else {
        line.color = palette.role(roof.isCurrent ? "text" : "textSecondary");
        line.width = roof.isCurrent ? 2 : 1;
        if (!roof.isCurrent)
            line.dash = {1, 3};
    }
    return line;
}

/// The other result's ceilings in its machine's colour: those that its own dots stand under.
void addOverlayRoofs(QVector<ChartLine>& lines, const Frame& frame, const AxisRanges& ranges) {
    if (!frame.overlay || frame.overlay->isBefore)
        return;
    const Picture& other = frame.overlay->picture;
    const Options needed;
    for (const auto& roof : other.roofs) {
        if ((!roof.isMemory && !roof.isCurrent) || !isShown(other, roof, needed, std::nullopt))
            continue;
        ChartLine line =
            chartLine(roof, roofLine(other, roof, ranges, flatStart(other, needed, std::nullopt)));
        line.color = Palette::current().machine(frame.overlay->family);
        line.width = 1.5;
        if (!line.points.isEmpty())
            lines.push_back(line);
    }
}

/// Names of roofs, of the overlaid machine and of the selected step's cap and levels; they return
/// as taken places.
std::vector<PlacedLabel> paintFixedLabels(
    QPainter& painter, const Frame& frame, const std::vector<PlacedLevel>& levels) {
    const Palette& palette = Palette::current();
    std::vector<PlacedLabel> taken;
    if (frame.selected)
        if (const auto name =
                placeSelectedName(frame.picture, frame.dots, frame.chart, *frame.selected)) {
            paintLabel(painter, *name, palette.role("text"), boldFont());
            taken.push_back(*name);
        }
    std::vector<PlacedLabel> caps;
    if (frame.options.caps)
        caps = placeCaps(frame.picture, frame.chart);
    else if (frame.selected)
        for (const auto& cap : placeCaps(frame.picture, frame.chart))
            if (cap.item == *frame.selected)
                caps.push_back(cap);
    std::vector<PlacedDot> marks(frame.dots.begin(),
        frame.dots.begin()
            + static_cast<std::ptrdiff_t>(std::min(frame.dots.size(), kMarksKeptClear)));
    for (const auto& cap : caps)
        for (const double part : {0.15, 0.5, 0.85})
            marks.push_back(
                {cap.rect.topLeft() + QPointF(part * cap.rect.width(), cap.rect.height() / 2), 4});
    const auto roofs =
        placeRoofLabels(frame.picture, frame.chart, frame.options, frame.selected, taken, marks);
    for (const auto& label : roofs)
        paintRoofLabel(painter, label, frame.picture.roofs[label.item]);
    taken.insert(taken.end(), roofs.begin(), roofs.end());
    taken.insert(taken.end(), caps.begin(), caps.end());
    const auto paint = [&](const PlacedLabel& label, const QColor& color) {
        paintLabel(painter, label, color, smallFont());
        taken.push_back(label);
    };
    if (frame.selected)
        if (const auto cap = placeCapLabel(frame.picture.dots[*frame.selected], frame.chart, taken))
            paint(*cap, palette.role("text"));
    for (const auto& label : placeLevelLabels(levels, frame.result, frame.chart.plotArea(), taken))
        paint(label, palette.role("text"));
    if (frame.overlay)
        if (const auto label = placeOverlayLabel(*frame.overlay, frame.chart, taken, marks))
            paint(*label, palette.machine(frame.overlay->family));
    return taken;
}

LegendEntry markEntry(const Look& look, const QString& name) {
    return {name, [look](QPainter& painter, const QRectF& rect) {
                paintDot(painter, rect.adjusted(1, 1, -1, -1), look);
            }};
}

} // namespace

void setRoofs(Frame& frame) {
    const AxisRanges ranges{frame.chart.xRange(), frame.chart.yRange()};
    const double flatFrom = flatStart(frame.picture, frame.options, frame.selected);
    QVector<ChartLine> lines;
    addOverlayRoofs(lines, frame, ranges);
    for (const auto& roof : frame.picture.roofs) {
        if (!isShown(frame.picture, roof, frame.options, frame.selected))
            continue;
        const auto points = roofLine(frame.picture, roof, ranges, flatFrom);
        if (!points.isEmpty())
            lines.push_back(chartLine(roof, points));
    }
    frame.chart.setLines(lines);
}

void paintBase(QPainter& painter, Frame& frame) {
    painter.setRenderHint(QPainter::Antialiasing);
    frame.chart.paint(painter);
    if (frame.overlay) {
        painter.setOpacity(painter.opacity() * kGhost);
        paintDots(painter, frame.overlay->picture, frame.overlayDots, frame);
        painter.setOpacity(painter.opacity() / kGhost);
    }
    paintAllLevels(painter, frame);
    paintDots(painter, frame.picture, frame.dots, frame);
    if (frame.dots.size() < kStampFrom)
        for (std::size_t d = 0; d < frame.dots.size(); ++d)
            paintMeasured(painter, frame, d);
}

void paintOverlay(QPainter& painter, const Frame& frame) {
    const Palette& palette = Palette::current();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = frame.chart.plotArea();
    paintBrush(painter, frame);
    paintArrows(painter, frame);
    if (frame.options.caps)
        for (std::size_t d = 0; d < frame.dots.size() && d < kMostCaps; ++d)
            if (d != frame.selected && plot.contains(frame.dots[d].centre))
                paintCap(painter, frame, d);
    for (const std::size_t d : frame.alsoSelected)
        if (plot.contains(frame.dots[d].centre))
            paintSelectionRing(painter, around(frame.dots[d]), false, frame.dots[d].radius);
    std::vector<PlacedLevel> levels;
    if (frame.selected) {
        const std::size_t d = *frame.selected;
        paintCap(painter, frame, d);
        if (plot.contains(frame.dots[d].centre)) {
            levels = paintLevels(painter, frame, d);
            paintSelectionRing(painter, around(frame.dots[d]), true, frame.dots[d].radius);
            paintDot(painter, around(frame.dots[d]),
                lookOf(frame.picture.dots[d], frame.options.colouring));
        }
    }
    const auto taken = paintFixedLabels(painter, frame, levels);
    for (const auto& label : placeDotLabels(frame.picture, frame.dots, plot, frame.selected, taken))
        paintLabel(painter, label, palette.role("textSecondary"), smallFont());
    for (const std::size_t d : frame.hovered)
        if (plot.contains(frame.dots[d].centre))
            paintHoverOutline(
                painter, around(frame.dots[d]).adjusted(-2, -2, 2, 2), frame.dots[d].radius + 2);
}

Legend legend(const Picture& picture, const Options& options, const Overlay* overlay, bool hasCaps,
    bool hasLevels) {
    Legend entries;
    if (options.colouring == Colouring::Bound)
        entries = {boundEntry(lowering::Bound::Compute), boundEntry(lowering::Bound::Memory),
            boundEntry(lowering::Bound::Scheduling)};
    else
        for (const auto c : {ir::OpClass::Contraction, ir::OpClass::Normalisation,
                 ir::OpClass::Pointwise, ir::OpClass::Movement})
            entries.push_back(
                markEntry({Colouring::OperatorClass, static_cast<int>(c), false}, className(c)));
    if (overlay)
        entries.push_back({overlay->name, [](QPainter& painter, const QRectF& rect) {
                               painter.save();
                               painter.setOpacity(kGhost);
                               paintDot(painter, rect.adjusted(1, 1, -1, -1), {});
                               painter.restore();
                           }});
    if (picture.hasDotsWithoutRoof())
        entries.push_back(markEntry({options.colouring, 0, true}, tr("no published roof")));
    if (hasCaps)
        entries.push_back({tr("scheduling cap"), [](QPainter& painter, const QRectF& rect) {
                               painter.fillRect(
                                   QRectF(rect.left(), rect.center().y() - 1.5, rect.width(), 3),
                                   Palette::current().bound(lowering::Bound::Scheduling));
                           }});
    if (hasLevels)
        entries.push_back(
            {tr("same operator at another level"), [](QPainter& painter, const QRectF& rect) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 paintRing(painter, rect.adjusted(1, 1, -1, -1), colorOf({}));
             }});
    return entries;
}

} // namespace fivefold::views::roofline
