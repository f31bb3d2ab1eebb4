// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/zoom_pan.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::common {

namespace {

/// How much content stays in view when it is pushed to an edge.
constexpr double kKeptPixels = 48;
constexpr double kNotch = 120; // QWheelEvent::angleDelta of one notch

double clampedOrigin(double origin, double low, double high, double viewport, double scale) {
    const double kept = std::min(kKeptPixels, (high - low) * scale) / scale;
    const double smallest = low - viewport / scale + kept;
    const double largest = high - kept;
    return smallest <= largest ? std::clamp(origin, smallest, largest) : (smallest + largest) / 2;
}

} // namespace

double wheelFactor(int angleDelta) {
    return std::pow(kZoomPerNotch, angleDelta / kNotch);
}

Interval zoomInterval(const Interval& shown, double anchor, double factor, const Interval& bounds,
    double minimumSpan) {
    if (!(factor > 0) || !std::isfinite(factor) || shown.span() <= 0)
        return shown;
    const double most = bounds.span();
    const double span = std::clamp(shown.span() / factor, std::min(minimumSpan, most), most);
    const double part = std::clamp((anchor - shown.low) / shown.span(), 0.0, 1.0);
    const double low = std::clamp(shown.low + part * (shown.span() - span), bounds.low,
        std::max(bounds.low, bounds.high - span));
    return {low, low + span};
}

Interval panInterval(const Interval& shown, double delta, const Interval& bounds) {
    if (!std::isfinite(delta))
        return shown;
    const double span = shown.span();
    const double low =
        std::clamp(shown.low + delta, bounds.low, std::max(bounds.low, bounds.high - span));
    return {low, low + span};
}

void PlaneView::setContent(const QRectF& content) {
    m_content = content;
    clamp();
}

void PlaneView::setViewport(const QSizeF& viewport) {
    m_viewport = viewport;
    clamp();
}

void PlaneView::setScaleLimits(double minimum, double maximum) {
    m_minimumScale = minimum;
    m_maximumScale = std::max(minimum, maximum);
    m_scale = std::clamp(m_scale, m_minimumScale, m_maximumScale);
    clamp();
}

QPointF PlaneView::toPixel(const QPointF& content) const {
    return (content - m_origin) * m_scale;
}

QRectF PlaneView::toPixel(const QRectF& content) const {
    return {toPixel(content.topLeft()), content.size() * m_scale};
}

QPointF PlaneView::toContent(const QPointF& pixel) const {
    return pixel / m_scale + m_origin;
}

QRectF PlaneView::toContent(const QRectF& pixels) const {
    return {toContent(pixels.topLeft()), pixels.size() / m_scale};
}

QRectF PlaneView::visibleContent() const {
    return toContent(QRectF(QPointF(0, 0), m_viewport));
}

void PlaneView::zoomAt(const QPointF& pixel, double factor) {
    if (!(factor > 0) || !std::isfinite(factor))
        return;
    const QPointF anchor = toContent(pixel);
    m_scale = std::clamp(m_scale * factor, m_minimumScale, m_maximumScale);
    m_origin = anchor - pixel / m_scale;
    clamp();
}

void PlaneView::panBy(const QPointF& pixels) {
    m_origin -= pixels / m_scale;
    clamp();
}

void PlaneView::fit(const QRectF& target, double margin, double maximumScale) {
    if (target.width() <= 0 && target.height() <= 0) {
        centreOn(target.center());
        return;
    }
    const double width = std::max(1.0, m_viewport.width() - 2 * margin);
    const double height = std::max(1.0, m_viewport.height() - 2 * margin);
    const double across = target.width() > 0 ? width / target.width() : maximumScale;
    const double down = target.height() > 0 ? height / target.height() : maximumScale;
    m_scale = std::clamp(std::min({across, down, maximumScale}), m_minimumScale, m_maximumScale);
    centreOn(target.center());
}

void PlaneView::centreOn(const QPointF& content) {
    m_origin = content - QPointF(m_viewport.width(), m_viewport.height()) / (2 * m_scale);
    clamp();
}

void PlaneView::ensureVisible(const QRectF& target, double margin) {
    const QRectF pixels = toPixel(target).adjusted(-margin, -margin, margin, margin);
    QPointF move(0, 0);
    if (pixels.left() < 0 || pixels.width() > m_viewport.width())
        move.setX(-pixels.left());
    else if (pixels.right() > m_viewport.width())
        move.setX(m_viewport.width() - pixels.right());
    if (pixels.top() < 0 || pixels.height() > m_viewport.height())
        move.setY(-pixels.top());
    else if (pixels.bottom() > m_viewport.height())
        move.setY(m_viewport.height() - pixels.bottom());
    if (!move.isNull())
        panBy(move);
}

void PlaneView::setScale(double scale) {
    zoomAt(QPointF(m_viewport.width(), m_viewport.height()) / 2, scale / m_scale);
}

void PlaneView::setView(double scale, const QPointF& origin) {
    m_scale = std::clamp(scale, m_minimumScale, m_maximumScale);
    m_origin = origin;
    clamp();
}

void PlaneView::clamp() {
    if (m_content.isEmpty() || m_viewport.isEmpty())
        return;
    m_origin.setX(clampedOrigin(
        m_origin.x(), m_content.left(), m_content.right(), m_viewport.width(), m_scale));
    m_origin.setY(clampedOrigin(
        m_origin.y(), m_content.top(), m_content.bottom(), m_viewport.height(), m_scale));
}

} // namespace fivefold::views::common
