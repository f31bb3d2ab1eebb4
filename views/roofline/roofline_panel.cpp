// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/roofline/roofline_panel.h"

#include "views/common/canvas_controls.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/roofline/gap_block.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/side_card.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>

namespace fivefold::views::roofline {

using namespace common;

namespace {

constexpr int kGapFromHeight = 600; ///< of the panel
constexpr int kFixedOverlays = 2; ///< none, before; then the other machines

} // namespace

RooflinePanel::RooflinePanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    m_canvas = new RooflineCanvas(state, this);
    m_gap = new GapBlock(this);
    m_side = new SideCard(this);
    createHeader();
    auto* body = new QWidget(this);
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_canvas, 0, 0);
    grid->addWidget(m_side, 0, 1);
    grid->addWidget(m_gap, 1, 0, 1, 2);
    grid->setRowStretch(0, 1);
    grid->setColumnStretch(0, 1);
    body->setFocusProxy(m_canvas);
    m_frame->setCanvas(body);
    connectState();
    updateAll(true);
    fit();
}

void RooflinePanel::connectState() {
    connect(&state(), &ViewState::resultChanged, this, &RooflinePanel::updateAll);
    connect(&state(), &ViewState::selectionChanged, this, [this] {
        m_canvas->updateSelection();
        updateLegend();
        updateDetails();
        refreshSentence();
    });
    connect(&state(), &ViewState::hoverChanged, m_canvas, &RooflineCanvas::updateHover);
    connect(&state(), &ViewState::staleChanged, m_canvas, &RooflineCanvas::setStale);
    connect(&state(), &ViewState::otherResultsChanged, this, [this] {
        m_canvas->updateOthers();
        updateOverlays();
    });
    connect(this, &Panel::sentenceChanged, m_canvas, &RooflineCanvas::setSentence);
    connect(m_canvas, &RooflineCanvas::rangesChanged, this, &RooflinePanel::updateLegend);
    connect(m_canvas, &RooflineCanvas::optionsChanged, this, [this] {
        updateLegend();
        updateGap();
        refreshSentence();
    });
    const auto retell = [this] {
        updateLegend();
        updateSide();
        refreshSentence();
    };
    connect(m_canvas, &RooflineCanvas::overlayChanged, this, retell);
    connect(m_canvas, &RooflineCanvas::brushChanged, this, retell);
}

QComboBox* RooflinePanel::addBox(const QString& label, const QStringList& items) {
    auto* words = new QLabel(label, this);
    auto* box = new QComboBox(this);
    box->addItems(items);
    box->setAccessibleName(label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setFocusPolicy(Qt::TabFocus);
    words->setBuddy(box);
    m_frame->header()->addWidget(words);
    m_frame->header()->addWidget(box);
    m_optional << words << box;
    return box;
}

void RooflinePanel::createHeader() {
    m_precision = addBox(tr("precision"), {tr("all")});
    m_precision->setToolTip(tr("Whose compute ceiling to show beside the one in force."));
    connect(m_precision, &QComboBox::activated, this, [this](int index) {
        Options options = m_canvas->options();
        options.precision = index == 0 ? QString() : m_precision->itemText(index);
        m_canvas->setOptions(options);
    });
    m_colour = addBox(tr("colour"), {tr("bound"), tr("operator class")});
    connect(m_colour, &QComboBox::currentIndexChanged, this, [this](int index) {
        Options options = m_canvas->options();
        options.colouring = index == 0 ? Colouring::Bound : Colouring::OperatorClass;
        m_canvas->setOptions(options);
    });
    m_overlay = addBox(tr("overlay"), {tr("none"), tr("before")});
    connect(m_overlay, &QComboBox::activated, this, &RooflinePanel::chooseOverlay);
    CanvasControls controls(*this, *m_canvas, *m_frame);
    createViewActions(controls);
    createGapActions(controls);
    m_actions = controls.actions();
    // A narrow header loses its boxes from the first on, then the buttons.
    QList<QWidget*> optional;
    for (QWidget* button : controls.buttons())
        optional.prepend(button);
    for (QWidget* box : controls.boxes())
        optional << box;
    m_optional = optional + m_optional;
}

void RooflinePanel::createViewActions(CanvasControls& controls) {
    controls.toggle(tr("all levels"), Qt::Key_V, false, [this](bool isOn) {
        Options options = m_canvas->options();
        options.allLevels = isOn;
        m_canvas->setOptions(options);
    });
    controls.toggle(tr("scheduling caps"), Qt::Key_C, false, [this](bool isOn) {
        Options options = m_canvas->options();
        options.caps = isOn;
        m_canvas->setOptions(options);
    });
    controls.toggle(tr("lock axes"), {}, false, [this](bool isOn) {
        m_canvas->setAxesLocked(isOn);
        updateLegend();
    });
    m_frame->header()->addStretch(1);
    controls.button(
        controls.add(tr("Fit all"), Qt::Key_Space, [this] { zoomToFit(); }), QStringLiteral("fit"));
    controls.button(controls.add(tr("Fit selection"), Qt::Key_F, [this] { zoomToSelection(); }),
        QStringLiteral("fit-selection"));
    controls.button(
        controls.add(tr("Zoom in"), QKeySequence::ZoomIn, [this] { m_canvas->zoomBy(1.5); }),
        QStringLiteral("zoom-in"));
    controls.button(
        controls.add(tr("Zoom out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomBy(1 / 1.5); }),
        QStringLiteral("zoom-out"));
    controls.add(tr("Next operator by time (→)"), {}, [this] { m_canvas->walk(1); });
    controls.add(tr("Previous operator by time (←)"), {}, [this] { m_canvas->walk(-1); });
    QAction* brush = controls.add(tr("Brush by dragging (Shift+drag)"), {},
        [this](bool isOn) { m_canvas->setBrushing(isOn); });
    brush->setCheckable(true);
    controls.add(tr("Colour by the other meaning"), {},
        [this] { m_colour->setCurrentIndex(1 - m_colour->currentIndex()); });
    controls.add(tr("Next precision's ceiling"), {}, [this] {
        m_precision->setCurrentIndex((m_precision->currentIndex() + 1) % m_precision->count());
        emit m_precision->activated(m_precision->currentIndex());
    });
    controls.add(tr("Next overlay"), {},
        [this] { chooseOverlay((m_overlay->currentIndex() + 1) % m_overlay->count()); });
    controls.add(tr("Take this state as before"), {}, [this] { m_canvas->takeAsBefore(); });
}

void RooflinePanel::createGapActions(CanvasControls& controls) {
    const auto add = [&](const QString& text, const QString& button, bool isOn, auto slot) {
        QAction* action = controls.add(text, {}, slot);
        action->setCheckable(true);
        action->setChecked(isOn);
        action->setIconText(button);
        m_gap->addButton(action);
        return action;
    };
    m_ofSelection = add(tr("Gap bar of the selection"), tr("Selection"), false, [this] {
        m_isWhole = false;
        updateGap();
    });
    m_ofWhole = add(tr("Gap bar of the whole graph"), tr("Whole graph"), false, [this] {
        m_isWhole = true;
        updateGap();
    });
    add(tr("Gap as a table"), tr("Table"), false, [this](bool isOn) { m_gap->setTable(isOn); });
    const auto charge = [this](bool isToCause) {
        m_canvas->setCharge(isToCause ? Charge::ToCause : Charge::ToItself);
        const QSignalBlocker blocker(m_gap->chargeBox());
        m_gap->chargeBox()->setCurrentIndex(isToCause ? 0 : 1);
    };
    m_toCause = controls.add(tr("Charge relayouts to their cause"), {}, charge);
    m_toCause->setCheckable(true);
    m_toCause->setChecked(true);
    connect(m_gap->chargeBox(), &QComboBox::currentIndexChanged, this, [this](int index) {
        if (m_toCause->isChecked() != (index == 0))
            m_toCause->trigger();
    });
}

QString RooflinePanel::sentence() const {
    const auto result = state().result();
    if (result && m_canvas->brush())
        return sumSentence(m_canvas->picture(), m_canvas->brushed(), *result);
    if (result && m_canvas->overlay())
        return overlaySentence(
            *m_canvas->overlay(), m_canvas->picture(), *result, m_canvas->selected());
    return roofline::sentence(m_canvas->picture(), state());
}

void RooflinePanel::updateAll(bool isOtherModel) {
    m_canvas->updateResult(isOtherModel);
    updatePrecisions();
    updateOverlays();
    const bool hasPicture = state().result()
        && !(m_canvas->picture().dots.empty() && m_canvas->picture().roofs.empty());
    if (hasPicture)
        m_frame->showCanvas();
    else
        m_frame->showEmpty(sentence());
    updateLegend();
    updateDetails();
    refreshSentence();
    emit twinChanged();
}

void RooflinePanel::updatePrecisions() {
    const QSignalBlocker blocker(m_precision);
    const QString chosen = m_canvas->options().precision;
    m_precision->clear();
    m_precision->addItem(tr("all"));
    for (const auto& roof : m_canvas->picture().roofs)
        if (!roof.isMemory && m_precision->findText(roof.name) < 0)
            m_precision->addItem(roof.name);
    m_precision->setCurrentIndex(std::max(0, m_precision->findText(chosen)));
}

void RooflinePanel::updateOverlays() {
    const QSignalBlocker blocker(m_overlay);
    m_overlay->clear();
    m_overlay->addItems({tr("none"), tr("before")});
    const auto result = state().result();
    for (const auto& other : state().otherResults())
        if (result && other && other->machine().id != result->machine().id
            && other->request.model == result->request.model)
            m_overlay->addItem(QString::fromStdString(other->machine().name),
                QString::fromStdString(other->machine().id));
    using Kind = RooflineCanvas::OverlayKind;
    int index = m_canvas->overlayKind() == Kind::Before ? 1 : 0;
    if (m_canvas->overlayKind() == Kind::Machine)
        index =
            std::max(0, m_overlay->findData(QString::fromStdString(m_canvas->overlayMachine())));
    m_overlay->setCurrentIndex(index);
    fit();
}

void RooflinePanel::chooseOverlay(int index) {
    using Kind = RooflineCanvas::OverlayKind;
    m_overlay->setCurrentIndex(index);
    if (index < kFixedOverlays)
        m_canvas->setOverlay(index == 0 ? Kind::None : Kind::Before);
    else
        m_canvas->setOverlay(Kind::Machine, m_overlay->itemData(index).toString().toStdString());
}

GapContent RooflinePanel::gap(const analysis::Result& result) const {
    const auto& selection = state().selection();
    if (m_isWhole || selection.isEmpty())
        return gapContent(result, m_canvas->gaps());
    QString subject = QString::fromStdString(selection.added);
    if (selection.nodes.size() == 1)
        subject = shortName(result.graph().nodes[selection.nodes.front()].name);
    else if (!selection.nodes.empty())
        subject =
            tr("%1 operators").arg(formatCount(static_cast<std::int64_t>(selection.nodes.size())));
    return gapContent(
        result, m_canvas->gaps(), state().selectedSteps(), m_canvas->charge(), subject);
}

void RooflinePanel::updateGap() {
    const bool hasSelection = !state().selection().isEmpty();
    const bool isWhole = m_isWhole || !hasSelection;
    m_ofSelection->setEnabled(hasSelection);
    m_ofSelection->setChecked(!isWhole);
    m_ofWhole->setChecked(isWhole);
    m_gap->chargeBox()->setVisible(m_canvas->picture().hasRelayouts);
    if (const auto result = state().result(); result && !m_gap->isHidden())
        m_gap->setContent(gap(*result));
}

void RooflinePanel::updateSide() {
    const auto result = state().result();
    if (!result || m_side->isHidden())
        return;
    const auto& brushed = m_canvas->brushed();
    m_side->setContent(sideContent(m_canvas->picture(), *result,
        brushed.empty() ? dotsOf(m_canvas->picture(), state().selectedSteps()) : brushed));
}

void RooflinePanel::updateDetails() {
    updateGap();
    updateSide();
}

void RooflinePanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fit();
}

void RooflinePanel::fit() {
    fitHeader(m_frame->header(), m_optional, width());
    const bool hadGap = !m_gap->isHidden();
    m_gap->setVisible(height() >= kGapFromHeight);
    if (!hadGap)
        updateGap();
    const bool hadSide = !m_side->isHidden();
    m_side->setVisible(width() >= kSideFromWidth);
    m_side->setFixedWidth(width() >= kWideFromWidth ? kWideSideWidth : kSideWidth);
    if (!hadSide)
        updateSide();
}

void RooflinePanel::updateLegend() {
    const auto result = state().result();
    if (!result) {
        m_frame->setLegend({});
        return;
    }
    const Picture& picture = m_canvas->picture();
    QString note = tr("size = share of time");
    if (m_canvas->isFrozen())
        note = tr("frozen axes hide dots · ") + note;
    if (picture.unknownSteps > 0)
        note += tr(" · %1 of unknown time")
                    .arg(formatCount(static_cast<std::int64_t>(picture.unknownSteps)));
    if (!isValidated(*result))
        note += tr(" · total not validated");
    m_frame->setLegend(m_canvas->legendEntries(), note);
}

void RooflinePanel::paintContent(QPainter& painter, const QSize& size) {
    const auto result = state().result();
    const bool hasGap = result && size.height() >= kGapFromHeight - kHeaderHeight;
    const bool hasSide = result && size.width() >= kSideFromWidth;
    const int gapHeight = hasGap ? kGapHeight : 0;
    const int side = hasSide ? kSideWidth : 0;
    const QSize chart(size.width() - side, size.height() - kLegendHeight - gapHeight);
    painter.save();
    m_canvas->paintContent(painter, chart);
    painter.restore();
    if (hasSide)
        paintSide(painter, QRectF(chart.width(), 0, side, chart.height()),
            sideContent(m_canvas->picture(), *result,
                dotsOf(m_canvas->picture(), state().selectedSteps())));
    if (hasGap)
        paintGap(painter, QRectF(0, chart.height(), size.width(), gapHeight), gap(*result), 0);
    const QRectF row(0, chart.height() + gapHeight, size.width(), kLegendHeight);
    painter.fillRect(row, Palette::current().role("canvas"));
    paintLegend(painter, row, m_canvas->legendEntries(), tr("size = share of time"));
}

QString RooflinePanel::toCsv() const {
    const auto result = state().result();
    if (!result)
        return {};
    QVector<QStringList> rows;
    for (const auto& dot : m_canvas->picture().dots)
        rows << QStringList{QString::fromStdString(result->program.steps[dot.step].name),
            QString::number(dot.intensity, 'g', 12), QString::number(dot.achieved, 'g', 12),
            QString::number(dot.time.value, 'g', 12), boundName(dot.bound),
            dot.cap ? QString::number(*dot.cap, 'g', 12) : QString()};
    return csvTable({QStringLiteral("name"), QStringLiteral("flop_per_byte"),
                        QStringLiteral("flop_per_s"), QStringLiteral("time_s"),
                        QStringLiteral("bound"), QStringLiteral("scheduling_cap_flop_per_s")},
        rows);
}

std::vector<TwinRow> RooflinePanel::twinRows() const {
    std::vector<TwinRow> rows;
    const auto result = state().result();
    if (!result)
        return rows;
    rows.reserve(m_canvas->picture().dots.size());
    for (const auto& dot : m_canvas->picture().dots)
        rows.push_back({tr("%1: %2, bound by %3, %4 at %5 FLOP per byte of %6")
                            .arg(dot.name, formatTime(std::optional(dot.time)),
                                boundName(dot.bound), formatFlops(dot.achieved),
                                intensityText(dot.intensity), levelName(*result, dot.level)),
            state().selectionOf(dot.step)});
    return rows;
}

void RooflinePanel::zoomToFit() {
    m_canvas->zoomToFit();
}

void RooflinePanel::zoomToSelection() {
    m_canvas->zoomToSelection();
}

} // namespace fivefold::views::roofline
