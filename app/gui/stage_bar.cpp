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

#include <algorithm>

namespace fivefold::app {

using lowering::Stage;
using views::common::Palette;

namespace {

constexpr int kHeight = 36;
constexpr int kMargin = 8;
constexpr int kPoint = 10; // horizontal reach of a chevron's point
constexpr int kGap = 2;
constexpr int kCorner = 10; // legs of the red corner of a stage that its verifier refused
constexpr int kNarrow = 130; // below this width a chevron shows its name alone

const lowering::StageGraph* graphOf(const analysis::Result* result, Stage stage) {
    return result ? &result->program.stage(stage) : nullptr;
}

/// "+3 copy" where all that the stage added is of one operator, else "+3 added".
QString addedNote(const analysis::Result& result, Stage stage) {
    const lowering::StageGraph& graph = result.program.stage(stage);
    const lowering::Family* family = analysis::findFamily(result.machine().family);
    const auto isView = family ? family->fusionRules().isView : nullptr;
    int count = 0;
    std::string op;
    bool isOne = true;
    for (const lowering::Node& node : graph.nodes) {
        if (node.addedBy.empty() || node.addedAt != stage || (isView && isView(graph, node)))
            continue;
        isOne &= count == 0 || node.op == op;
        op = node.op;
        ++count;
    }
    if (count == 0)
        return StageBar::tr("no relayout");
    if (count == 1)
        return StageBar::tr("+1 added");
    constexpr std::size_t kShortOp = 8;
    return isOne && op.size() <= kShortOp
        ? QStringLiteral("+%1 %2").arg(count).arg(QString::fromStdString(op))
        : StageBar::tr("+%1 added").arg(count);
}

} // namespace

StageBar::StageBar(views::common::ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages"));
    connect(&state, &views::common::ViewState::stageChanged, this, qOverload<>(&QWidget::update));
    connect(&state, &views::common::ViewState::resultChanged, this, &StageBar::refresh);
    refresh();
}

void StageBar::setOrder(Order order) {
    m_order = order;
    setAccessibleDescription(
        order == Order::Teaching ? tr("in the teaching order") : tr("in the compiler's own order"));
    update();
}

const lowering::CompilerPipeline* StageBar::pipeline() const {
    const auto result = m_state.result();
    const lowering::Family* family =
        result ? analysis::findFamily(result->machine().family) : nullptr;
    return family ? &family->compilerPipeline() : nullptr;
}

std::vector<Stage> StageBar::stages() const {
    const lowering::CompilerPipeline* compiler = m_order == Order::Compiler ? pipeline() : nullptr;
    return compiler ? lowering::stageOrder(*compiler)
                    : std::vector<Stage>(lowering::kStages.begin(), lowering::kStages.end());
}

std::optional<Stage> StageBar::neighbour(Stage stage, int direction) const {
    const std::vector<Stage> order = stages();
    const auto at = std::find(order.begin(), order.end(), stage) - order.begin() + direction;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(order.size()))
        return std::nullopt;
    return order[static_cast<std::size_t>(at)];
}

QString StageBar::word(Stage stage) const {
    const lowering::CompilerPipeline* compiler = m_order == Order::Compiler ? pipeline() : nullptr;
    if (!compiler)
        return title(stage);
    const std::string_view text = compiler->stageWords[static_cast<std::size_t>(stage)];
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool StageBar::hasFailed(Stage stage) const {
    return m_hasFailed[static_cast<std::size_t>(stage)];
}

QString StageBar::note(Stage stage) const {
    return m_notes[static_cast<std::size_t>(stage)];
}

void StageBar::refresh() {
    m_hasFailed.fill(false);
    const auto result = m_state.result();
    for (Stage stage : lowering::kStages)
        m_notes[static_cast<std::size_t>(stage)] = noteOf(stage);
    if (result)
        for (const base::Diagnostic& finding : result->diagnostics.entries())
            if (finding.code == "lowering.verifier")
                if (const auto stage = lowering::parseStage(finding.node))
                    m_hasFailed[static_cast<std::size_t>(*stage)] = true;
    update();
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

QString StageBar::noteOf(Stage stage) const {
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
        return addedNote(*result, stage);
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
    const std::vector<Stage> order = stages();
    const auto index =
        static_cast<double>(std::find(order.begin(), order.end(), stage) - order.begin());
    const double left = kMargin + index * pitch;
    const double right = left + pitch - kGap;
    const double top = 4, bottom = kHeight - 4, middle = kHeight / 2.0;
    QPolygonF polygon{
        {left, top}, {right, top}, {right + kPoint, middle}, {right, bottom}, {left, bottom}};
    if (index > 0)
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
    for (Stage stage : lowering::kStages)
        paintChevron(painter, stage);
}

void StageBar::paintChevron(QPainter& painter, Stage stage) const {
    const Palette& colors = Palette::current();
    const QPolygonF outline = chevron(stage);
    const bool isFirst = stages().front() == stage;
    const bool isCurrent = stage == m_state.stage();
    const QColor fill = isCurrent ? colors.role("highlight")
        : m_hovered == stage      ? colors.role("buttonTop")
                                  : colors.role("button");
    painter.setPen(QPen(isCurrent ? colors.role("highlight") : colors.role("border"), 1));
    painter.setBrush(fill);
    painter.drawPolygon(outline);
    if (hasFailed(stage)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.role("error"));
        const QPointF corner = outline.at(0);
        painter.drawPolygon(
            QPolygonF{corner, corner + QPointF(kCorner, 0), corner + QPointF(0, kCorner)});
    }
    const QRectF box = outline.boundingRect().adjusted(isFirst ? 8 : kPoint + 8, 0, -kPoint - 6, 0);
    QFont bold = font();
    bold.setBold(true);
    const QColor text = isCurrent ? colors.role("highlightText") : colors.role("text");
    painter.setPen(text);
    painter.setFont(bold);
    const QString number = QString::number(static_cast<int>(stage) + 1);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, number);
    const double numberWidth = QFontMetricsF(bold).horizontalAdvance(number) + 8;
    if (!isCurrent)
        painter.setFont(font());
    const QFontMetricsF metrics(painter.font());
    const QString name = word(stage);
    const QRectF rest = box.adjusted(numberWidth, 0, 0, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(name, Qt::ElideRight, rest.width()));
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    if (QFontMetricsF(small).horizontalAdvance(note(stage)) + metrics.horizontalAdvance(name) + 8
            <= rest.width()
        && rest.width() >= kNarrow - 40) {
        painter.setPen(isCurrent ? text : colors.role("textSecondary"));
        painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, note(stage));
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

QString StageBar::tip(Stage stage) const {
    QString text = tr("Stage %1: %2 (%3). Key %1.")
                       .arg(static_cast<int>(stage) + 1)
                       .arg(title(stage), note(stage));
    if (hasFailed(stage))
        text += '\n' + tr("The verifier refused what this stage left; see Problems.");
    const lowering::CompilerPipeline* compiler = pipeline();
    if (!compiler)
        return text;
    const auto latin = [](std::string_view words) {
        return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
    };
    text += '\n' + tr("In the words of %1:").arg(latin(compiler->compiler));
    for (const lowering::CompilerPass* pass : lowering::passesOf(*compiler, stage))
        text += QStringLiteral("\n%1 (%2): %3")
                    .arg(latin(pass->name), latin(pass->layer), latin(pass->does));
    return text;
}

bool StageBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto stage = stageAt(help->pos()))
            QToolTip::showText(help->globalPos(), tip(*stage));
        return true;
    }
    return QWidget::event(event);
}

} // namespace fivefold::app
