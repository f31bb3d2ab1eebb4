// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/published/factor_plot.h"

#include "views/common/marks.h"
#include "views/common/type.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::published {

using namespace common;
using analysis::PublishedPoint;

namespace {

constexpr double kNames = 92;
constexpr double kMedians = 150;
constexpr double kAxis = 22;
constexpr double kDot = 4.5; ///< radius

QString titleOf(std::string_view family) {
    if (family == "gpu")
        return QStringLiteral("GPU");
    if (family == "tpu")
        return QStringLiteral("TPU");
    if (family == "cerebras")
        return QStringLiteral("Cerebras");
    return family == "groq" ? QStringLiteral("Groq") : QStringLiteral("IBM Spyre");
}

double lineHeightOf(const QSizeF& size) {
    return (size.height() - kAxis) / static_cast<double>(std::size(machines::kFamilies));
}

} // namespace

FactorPlot::FactorPlot(const PublishedModel& model, QWidget* parent)
    : Canvas(parent)
    , m_model(model) {
    setFixedHeight(kHeight);
}

double FactorPlot::toX(double factor, double width) const {
    const double room = std::max(20.0, width - kNames - kMedians);
    return kNames + std::log(std::clamp(factor, 1.0, m_most)) / std::log(m_most) * room;
}

QVector<FactorDot> FactorPlot::dotsOf(const QSizeF& size) const {
    QVector<FactorDot> dots;
    const double line = lineHeightOf(size);
    for (std::size_t i = 0; i < m_model.points().size(); ++i) {
        const PublishedPoint& point = m_model.points()[i];
        if (!point.factor)
            continue;
        const std::string of = familyOf(point);
        const auto family = std::ranges::find(machines::kFamilies, std::string_view(of));
        const auto row = static_cast<double>(family - std::begin(machines::kFamilies));
        if (family == std::end(machines::kFamilies))
            continue;
        // Dots of near factors step up and down, so that none hides another.
        constexpr double kSteps[] = {0, -1, 1};
        const double y = (row + 0.5) * line + kSteps[i % 3] * std::min(line / 4, kDot + 1.0);
        dots.push_back({static_cast<int>(i), QPointF(toX(*point.factor, size.width()), y)});
    }
    return dots;
}

void FactorPlot::refresh() {
    m_most = 2;
    for (const PublishedPoint& point : m_model.points())
        m_most = std::max(m_most, point.factor.value_or(1) * 1.1);
    m_dots = dotsOf(size());
    m_hovered = -1;
    update();
}

void FactorPlot::paintAll(
    QPainter& painter, const QSizeF& size, const QVector<FactorDot>& dots) const {
    const Palette& colors = Palette::current();
    const double line = lineHeightOf(size), bottom = size.height() - kAxis;
    painter.setFont(smallFont());
    for (const double factor : {1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
        if (factor > m_most)
            break;
        const double x = toX(factor, size.width());
        painter.setPen(colors.role("grid"));
        painter.drawLine(QPointF(x, 0), QPointF(x, bottom));
        painter.setPen(colors.role("textSecondary"));
        painter.drawText(QRectF(x - 24, bottom + 2, 48, kAxis - 2),
            Qt::AlignHCenter | Qt::AlignVCenter, QLocale(QLocale::English).toString(factor));
    }
    painter.drawText(QRectF(8, bottom + 2, kNames - 8, kAxis - 2),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, tr("factor"));
    const auto scores = familyScores(m_model.points());
    for (int row = 0; row < scores.size(); ++row) {
        const FamilyScore& score = scores[row];
        const double y = (row + 0.5) * line;
        painter.setPen(colors.role("separator"));
        painter.drawLine(QPointF(0, (row + 1) * line), QPointF(size.width(), (row + 1) * line));
        paintMachineGlyph(
            painter, QRectF(8, y - 6, 12, 12), score.family, colors.machine(score.family));
        painter.setFont(bodyFont());
        painter.setPen(colors.role("text"));
        painter.drawText(QRectF(26, y - line / 2, kNames - 30, line),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, titleOf(score.family));
        painter.setFont(smallFont());
        const QString words = score.median
            ? tr("median %1 of %2").arg(factorText(score.median)).arg(score.scored)
            : score.points > 0 ? tr("none of %1 scored").arg(score.points)
                               : tr("none published");
        painter.drawText(QRectF(size.width() - kMedians + 16, y - line / 2, kMedians - 20, line),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, words);
        if (score.median)
            painter.fillRect(
                QRectF(toX(*score.median, size.width()) - 1, y - line * 0.42, 2, line * 0.84),
                colors.role("text"));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FactorDot& dot : dots) {
        const PublishedPoint& point = m_model.points()[static_cast<std::size_t>(dot.row)];
        const QColor color = colors.machine(familyOf(point));
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(point.isScored ? QBrush(color) : QBrush(colors.role("canvas")));
        painter.drawEllipse(dot.at, kDot - 0.75, kDot - 0.75);
    }
}

void FactorPlot::paintContent(QPainter& painter, const QSize& size) const {
    painter.fillRect(QRect(QPoint(), size), Palette::current().role("canvas"));
    paintAll(painter, size, dotsOf(size));
}

void FactorPlot::paintCanvas(QPainter& painter, const QRect&) {
    painter.save();
    paintAll(painter, size(), m_dots);
    painter.restore();
    for (int i = 0; i < m_dots.size(); ++i) {
        const QRectF mark(m_dots[i].at - QPointF(kDot, kDot), QSizeF(2 * kDot, 2 * kDot));
        if (m_dots[i].row == m_model.selected())
            paintSelectionRing(painter, mark, true, kDot);
        else if (i == m_hovered)
            paintHoverOutline(painter, mark.adjusted(-1, -1, 1, 1), kDot);
    }
}

int FactorPlot::dotAt(const QPointF& point) const {
    int best = -1;
    double nearest = 12;
    for (int i = 0; i < m_dots.size(); ++i)
        if (const double distance = QLineF(point, m_dots[i].at).length(); distance < nearest) {
            nearest = distance;
            best = i;
        }
    return best;
}

void FactorPlot::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    setFocus(Qt::MouseFocusReason);
    const int dot = dotAt(position);
    emit rowChosen(dot < 0 ? -1 : m_dots[dot].row);
}

void FactorPlot::hovered(const QPoint* position) {
    const int dot = position ? dotAt(*position) : -1;
    if (dot == m_hovered)
        return;
    m_hovered = dot;
    setCursor(dot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

CardContent FactorPlot::cardAt(const QPoint& position, QRect& mark) const {
    const int dot = dotAt(position);
    if (dot < 0)
        return {};
    const PublishedPoint& point = m_model.points()[static_cast<std::size_t>(m_dots[dot].row)];
    mark = QRectF(m_dots[dot].at - QPointF(kDot, kDot), QSizeF(2 * kDot, 2 * kDot)).toRect();
    CardContent content{QString::fromStdString(point.workload),
        {QString::fromStdString(point.config),
            tr("predicted %1, measured %2: factor %3")
                .arg(valueText(*point.predicted, point.unit), valueText(point.measured, point.unit),
                    factorText(point.factor)),
            standingName(standing(point)), QString::fromStdString(point.source)}};
    if (!point.note.empty())
        content.lines << QString::fromStdString(point.note);
    return content;
}

/// Arrows walk the dots of a family by their factor, and from family to family.
void FactorPlot::keyPressEvent(QKeyEvent* event) {
    if (m_dots.isEmpty() || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        Canvas::keyPressEvent(event);
        return;
    }
    QVector<FactorDot> order = m_dots;
    const auto& points = m_model.points();
    std::stable_sort(order.begin(), order.end(), [&](const FactorDot& a, const FactorDot& b) {
        const auto& left = points[static_cast<std::size_t>(a.row)];
        const auto& right = points[static_cast<std::size_t>(b.row)];
        const auto place = [](const PublishedPoint& point) {
            return std::ranges::find(machines::kFamilies, std::string_view(familyOf(point)))
                - std::begin(machines::kFamilies);
        };
        return std::pair(place(left), *left.factor) < std::pair(place(right), *right.factor);
    });
    const auto at = std::ranges::find(order, m_model.selected(), &FactorDot::row);
    auto index = at == order.end() ? -1 : at - order.begin();
    if (index < 0)
        index = 0;
    else
        index = std::clamp<std::ptrdiff_t>(
            index + (event->key() == Qt::Key_Right ? 1 : -1), 0, order.size() - 1);
    emit rowChosen(order[static_cast<int>(index)].row);
}

void FactorPlot::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    m_dots = dotsOf(size());
}

} // namespace fivefold::views::published
