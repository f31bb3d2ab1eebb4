// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/stage_bar.h"

#include "core/analysis/pipeline.h"

#include "views/common/format.h"
#include "views/common/palette.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace fivefold::app {

using lowering::Stage;
using views::common::Palette;

namespace {

constexpr int kHeight = 36;
constexpr int kMargin = 8;
constexpr int kPoint = 10; // horizontal reach of a chevron's point
constexpr int kGap = 2;
constexpr int kNarrow = 130; // below this width a chevron shows its name alone

const lowering::StageGraph* graphOf(const analysis::Result* result, Stage stage) {
    return result ? &result->program.stage(stage) : nullptr;
}

int addedAt(const lowering::StageGraph& graph, Stage stage) {
    int count = 0;
    for (const lowering::Node& node : graph.nodes)
        count += !node.addedBy.empty() && node.addedAt == stage;
    return count;
}

} // namespace

StageBar::StageBar(views::common::ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages"));
    connect(&state, &views::common::ViewState::stageChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &views::common::ViewState::resultChanged, this, [this] { update(); });
}

QSize StageBar::sizeHint() const {
    return {900, kHeight};
}
QSize StageBar::minimumSizeHint() const {
    return {360, kHeight};
}

QString StageBar::title(Stage stage) {
    switch (stage) {
    case Stage::Captured:
        return tr("Captured");
    case Stage::Decomposed:
        return tr("Decomposed");
    case Stage::Fused:
        return tr("Fused");
    case Stage::LaidOut:
        return tr("Laid out");
    case Stage::Placed:
        return tr("Placed");
    case Stage::Scheduled:
        return tr("Scheduled");
    }
    return {};
}

QString StageBar::note(Stage stage) const {
    const auto result = m_state.result();
    const lowering::StageGraph* graph = graphOf(result.get(), stage);
    if (!graph)
        return {};
    switch (stage) {
    case Stage::Captured:
    case Stage::Decomposed:
        return views::common::formatCount(static_cast<std::int64_t>(graph->nodes.size()));
    case Stage::Fused: {
        const auto* family = analysis::findFamily(result->machine().family);
        const auto [one, many] = family
            ? family->kernelWord()
            : std::pair<std::string_view, std::string_view>("kernel", "kernels");
        const std::string_view word = graph->kernels.size() == 1 ? one : many;
        return QStringLiteral("%1 %2").arg(
            views::common::formatCount(static_cast<std::int64_t>(graph->kernels.size())),
            QString::fromUtf8(word.data(), static_cast<int>(word.size())));
    }
    case Stage::LaidOut:
        switch (const int added = addedAt(*graph, stage)) {
        case 0:
            return tr("no relayout");
        case 1:
            return tr("+1 relayout");
        default:
            return tr("+%1 relayouts").arg(added);
        }
    case Stage::Placed: {
        // The nearest level with a capacity: what the placement filled.
        for (auto use = result->memory.rbegin(); use != result->memory.rend(); ++use)
            if (use->capacity && use->capacity->value > 0 && use->peak.value > 0)
                return QStringLiteral("%1 %2").arg(
                    QString::fromStdString(result->machine().memories[use->level].name),
                    views::common::formatShare(use->peak / *use->capacity));
        return {};
    }
    case Stage::Scheduled:
        return (result->totals.unknownSteps > 0 ? QStringLiteral("≥ ") : QString())
            + views::common::formatTime(result->totals.time);
    }
    return {};
}

QPolygonF StageBar::chevron(Stage stage) const {
    const double pitch =
        (width() - 2.0 * kMargin - kPoint) / static_cast<double>(lowering::kStageCount);
    const auto index = static_cast<double>(stage);
    const double left = kMargin + index * pitch;
    const double right = left + pitch - kGap;
    const double top = 4, bottom = kHeight - 4, middle = kHeight / 2.0;
    QPolygonF polygon{
        {left, top}, {right, top}, {right + kPoint, middle}, {right, bottom}, {left, bottom}};
    if (stage != Stage::Captured)
        polygon << QPointF(left + kPoint, middle);
    return polygon;
}

std::optional<Stage> StageBar::stageAt(const QPointF& position) const {
    for (Stage stage : lowering::kStages)
        if (chevron(stage).containsPoint(position, Qt::OddEvenFill))
            return stage;
    return std::nullopt;
}

void StageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& colors = Palette::current();
    QFont bold = font();
    bold.setBold(true);
    for (Stage stage : lowering::kStages) {
        const QPolygonF outline = chevron(stage);
        const bool isCurrent = stage == m_state.stage();
        const QColor fill = isCurrent ? colors.role("highlight")
            : m_hovered == stage      ? colors.role("buttonTop")
                                      : colors.role("button");
        painter.setPen(QPen(isCurrent ? colors.role("highlight") : colors.role("border"), 1));
        painter.setBrush(fill);
        painter.drawPolygon(outline);
        const QRectF box = outline.boundingRect().adjusted(
            stage == Stage::Captured ? 8 : kPoint + 8, 0, -kPoint - 6, 0);
        const QColor text = isCurrent ? colors.role("highlightText") : colors.role("text");
        painter.setPen(text);
        painter.setFont(bold);
        const QString number = QString::number(static_cast<int>(stage) + 1);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, number);
        const double numberWidth = QFontMetricsF(bold).horizontalAdvance(number) + 8;
        if (!isCurrent)
            painter.setFont(font());
        const QFontMetricsF metrics(painter.font());
        const double nameWidth = metrics.horizontalAdvance(title(stage));
        const QRectF rest = box.adjusted(numberWidth, 0, 0, 0);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(title(stage), Qt::ElideRight, rest.width()));
        QFont small = font();
        small.setPixelSize(11);
        painter.setFont(small);
        const QString noteText = note(stage);
        if (QFontMetricsF(small).horizontalAdvance(noteText) + nameWidth + 8 <= rest.width()
            && rest.width() >= kNarrow - 40) {
            painter.setPen(isCurrent ? text : colors.role("textSecondary"));
            painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, noteText);
        }
    }
}

void StageBar::mousePressEvent(QMouseEvent* event) {
    if (const auto stage = stageAt(event->position()); stage && event->button() == Qt::LeftButton)
        m_state.setStage(*stage);
}

void StageBar::mouseMoveEvent(QMouseEvent* event) {
    const auto stage = stageAt(event->position());
    if (stage == m_hovered)
        return;
    m_hovered = stage;
    update();
}

void StageBar::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

bool StageBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto stage = stageAt(help->pos()))
            QToolTip::showText(help->globalPos(),
                tr("Stage %1: %2 (%3). Key %1.")
                    .arg(static_cast<int>(*stage) + 1)
                    .arg(title(*stage), note(*stage)));
        return true;
    }
    return QWidget::event(event);
}

} // namespace fivefold::app
