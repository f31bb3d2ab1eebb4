// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/pipeline/pipeline_geometry.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::views::pipeline {

namespace {

constexpr double kMargin = 8;
constexpr double kHead = 16; ///< titles of the phases
constexpr double kHeadFromHeight = 130;
constexpr double kWideLabel = 132, kNarrowLabel = 56;
constexpr double kWideFromWidth = 620;
constexpr double kPhaseGap = 10, kStepGap = 3, kRowGap = 4;
constexpr double kLine = 15, kBoxPadding = 5; ///< of a line of text; above and below in a box
constexpr int kMostLines = 5; ///< of the current machine's steps, before the others get a second
constexpr double kSmallestRow = 13;
constexpr double kMostExtra = 110; ///< room for what a pass does

QString titleOf(lowering::PipelinePhase phase) {
    switch (phase) {
    case lowering::PipelinePhase::Capture:
        return QCoreApplication::translate("pipeline", "capture");
    case lowering::PipelinePhase::Graph:
        return QCoreApplication::translate("pipeline", "graph passes");
    case lowering::PipelinePhase::Plan:
        return QCoreApplication::translate("pipeline", "planning: fuse, lay out, place");
    case lowering::PipelinePhase::Code:
        return QCoreApplication::translate("pipeline", "code");
    case lowering::PipelinePhase::Run:
        break;
    }
    return QCoreApplication::translate("pipeline", "run");
}

std::size_t phaseIndex(const Step& step) {
    return static_cast<std::size_t>(step.pass->phase);
}

constexpr std::size_t kPhases = lowering::kPipelinePhases.size();

class Arranger {
public:
    Arranger(const Picture& picture, const QSizeF& size)
        : m_picture(picture)
        , m_size(size) { }

    Geometry arrange() {
        if (m_picture.isEmpty() || m_size.width() < 4 * kMargin || m_size.height() < 4 * kMargin)
            return {};
        placePhases();
        placeRows();
        for (const RowBox& row : m_geometry.rows)
            placeSteps(row);
        return std::move(m_geometry);
    }

private:
    void placePhases() {
        std::array<double, kPhases> weights{};
        for (const Row& row : m_picture.rows) {
            std::array<double, kPhases> counts{};
            for (const Step& step : row.steps)
                ++counts[phaseIndex(step)];
            for (std::size_t phase = 0; phase < kPhases; ++phase)
                weights[phase] = std::max(weights[phase], counts[phase]);
        }
        double total = 0;
        for (double& weight : weights) {
            // A phase with one step still shows its name.
            weight = std::max(1.3, weight);
            total += weight;
        }
        m_label = m_size.width() >= kWideFromWidth ? kWideLabel : kNarrowLabel;
        const double room = m_size.width() - 2 * kMargin - m_label - kPhases * kPhaseGap;
        double x = kMargin + m_label + kPhaseGap;
        m_head = m_size.height() >= kHeadFromHeight ? kHead : 0;
        for (std::size_t phase = 0; phase < kPhases; ++phase) {
            const double width = std::max(1.0, room * weights[phase] / total);
            m_columns[phase] = QRectF(x, kMargin / 2, width, m_size.height() - kMargin);
            if (m_head > 0)
                m_geometry.phases << PhaseHead{titleOf(lowering::kPipelinePhases[phase]),
                    QRectF(x, kMargin / 2, width, m_head)};
            if (phase > 0)
                m_geometry.gaps << QRectF(
                    x - kPhaseGap / 2, kMargin / 2, 1, m_size.height() - kMargin);
            x += width + kPhaseGap;
        }
    }

    /// Lines of text that fit: the current machine's row gets them first.
    void placeRows() {
        const auto count = static_cast<int>(m_picture.rows.size());
        const double room = m_size.height() - kMargin - m_head - kRowGap * (count - 1);
        // The rows of the other machines are as low as they can be until the current one has all
        // its lines.
        std::vector<int> lines(static_cast<std::size_t>(count), 0);
        const auto height = [](int n) { return n == 0 ? kSmallestRow : n * kLine + kBoxPadding; };
        const auto total = [&] {
            double sum = 0;
            for (int n : lines)
                sum += height(n);
            return sum;
        };
        const auto grow = [&](int row, int most) {
            int& n = lines[static_cast<std::size_t>(row)];
            for (; n < most; ++n)
                if (total() - height(n) + height(n + 1) > room)
                    return;
        };
        // Its names and what each pass left take several lines in narrow steps.
        grow(m_picture.current, 3);
        for (int row = 0; row < count; ++row)
            grow(row, 1);
        grow(m_picture.current, kMostLines);
        for (int row = 0; row < count; ++row)
            grow(row, 2);
        // What is left is shared.
        const double extra = std::max(0.0, (room - total()) / count);
        double y = kMargin / 2 + m_head;
        for (int row = 0; row < count; ++row) {
            const int n = lines[static_cast<std::size_t>(row)];
            const double tall = height(n) + std::min(extra, kMostExtra);
            const QRectF rect(kMargin, y, m_size.width() - 2 * kMargin, tall);
            m_geometry.rows << RowBox{
                row, rect, QRectF(kMargin, y, m_label, tall), std::max(1, n), n == 0};
            y += tall + kRowGap;
        }
    }

    void placeSteps(const RowBox& box) {
        const Row& row = m_picture.rows[box.row];
        std::array<int, kPhases> counts{};
        for (const Step& step : row.steps)
            ++counts[phaseIndex(step)];
        std::array<int, kPhases> placed{};
        for (int s = 0; s < row.steps.size(); ++s) {
            const std::size_t phase = phaseIndex(row.steps[s]);
            const QRectF& column = m_columns[phase];
            const double width = (column.width() - kStepGap * (counts[phase] - 1)) / counts[phase];
            const double x = column.left() + placed[phase]++ * (width + kStepGap);
            m_geometry.steps << StepBox{
                {box.row, s}, QRectF(x, box.rect.top(), std::max(1.0, width), box.rect.height())};
        }
    }

    const Picture& m_picture;
    QSizeF m_size;
    Geometry m_geometry;
    std::array<QRectF, kPhases> m_columns;
    double m_label = 0, m_head = 0;
};

} // namespace

const StepBox* Geometry::box(const Place& place) const {
    for (const StepBox& step : steps)
        if (step.place == place)
            return &step;
    return nullptr;
}

Place Geometry::placeAt(const QPointF& point) const {
    for (const StepBox& step : steps)
        if (step.rect.contains(point))
            return step.place;
    return {};
}

int Geometry::rowAt(const QPointF& point) const {
    for (const RowBox& row : rows)
        if (row.rect.contains(point))
            return row.row;
    return -1;
}

Geometry arrange(const Picture& picture, const QSizeF& size) {
    return Arranger(picture, size).arrange();
}

Place neighbour(const Geometry& geometry, const Place& place, int by) {
    const StepBox* from = geometry.box(place);
    if (!from)
        return place;
    Place best = place;
    double nearest = 0;
    for (const StepBox& step : geometry.steps) {
        if (step.place.row != place.row + by)
            continue;
        const double distance = std::abs(step.rect.center().x() - from->rect.center().x());
        if (best == place || distance < nearest) {
            best = step.place;
            nearest = distance;
        }
    }
    return best;
}

} // namespace fivefold::views::pipeline
