// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>

namespace fivefold::views::common {

/// A closed range of an axis; on a logarithmic axis it is in log10 of the value.
struct Interval {
    double low = 0;
    double high = 1;
    double span() const { return high - low; }
    bool contains(double value) const { return value >= low && value <= high; }
    bool operator==(const Interval&) const = default;
};

/// One notch of a wheel (120 eighths of a degree) zooms by this factor.
constexpr double kZoomPerNotch = 1.2;
/// Zoom factor of a wheel turn, > 1 for turning away from the user.
double wheelFactor(int angleDelta);

/// Zooms about `anchor`, which keeps its place; factor > 1 shows less. The result spans at least
/// `minimumSpan`, at most `bounds`, and lies inside `bounds`.
Interval zoomInterval(const Interval& shown, double anchor, double factor, const Interval& bounds,
    double minimumSpan);
/// Moves by `delta` and stays inside `bounds` with the span unchanged (where it fits).
Interval panInterval(const Interval& shown, double delta, const Interval& bounds);

/// Which part of a plane a viewport shows: pixel = (content − origin) × scale. Pure arithmetic; the
/// same scale on both axes.
class PlaneView {
public:
    double scale() const { return m_scale; }
    QPointF origin() const { return m_origin; } ///< content point at pixel (0, 0)
    QRectF content() const { return m_content; }
    QSizeF viewport() const { return m_viewport; }

    /// What may be seen: the view never loses it out of sight.
    void setContent(const QRectF& content);
    void setViewport(const QSizeF& viewport);
    void setScaleLimits(double minimum, double maximum);

    QPointF toPixel(const QPointF& content) const;
    QRectF toPixel(const QRectF& content) const;
    QPointF toContent(const QPointF& pixel) const;
    QRectF toContent(const QRectF& pixels) const;
    QRectF visibleContent() const;

    /// The content point under `pixel` stays there.
    void zoomAt(const QPointF& pixel, double factor);
    void panBy(const QPointF& pixels);
    /// Shows the whole rectangle, centred, with a margin in pixels; never larger than
    /// `maximumScale`.
    void fit(const QRectF& target, double margin = 8, double maximumScale = 1);
    void centreOn(const QPointF& content);
    /// Moves as little as possible until the rectangle is in view.
    void ensureVisible(const QRectF& target, double margin = 8);
    void setScale(double scale); ///< about the middle of the viewport
    /// For animations: sets both, clamped.
    void setView(double scale, const QPointF& origin);

private:
    void clamp();

    double m_scale = 1;
    double m_minimumScale = 0.02;
    double m_maximumScale = 8;
    QPointF m_origin;
    QRectF m_content;
    QSizeF m_viewport;
};

} // namespace fivefold::views::common
