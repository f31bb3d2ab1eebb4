// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_panel.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/common/sentences.h"
#include "views/layout/address_bar.h"
#include "views/layout/curve_pane.h"
#include "views/layout/layout_canvas.h"
#include "views/layout/layout_painter.h"
#include "views/layout/scene_canvas.h"
#include "views/layout/shape_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace fivefold::views::layout {

using namespace common;

namespace {

constexpr int kBarFromHeight = 360; ///< lower panels leave the address to the facts in the canvas
/// A row of controls, a line of the sentence, the legend and lanes with their address fit in it.
constexpr int kControlsFromHeight = 180;
constexpr int kLanesBesideCurves = 190; ///< least height of the lanes when curves stand below

/// Checks a button of a switch, in the highlight's colours: dark themes hardly show a pressed one.
void check(QToolButton* button, bool isOn) {
    button->setChecked(isOn);
    QPalette colours;
    if (isOn) {
        colours.setColor(QPalette::Button, Palette::current().role("highlight"));
        colours.setColor(QPalette::ButtonText, Palette::current().role("highlightText"));
    }
    button->setPalette(colours);
}

Scene machineScene(const ViewState& state, const SceneView& view, const QSizeF& size) {
    const std::string family = state.result() ? state.result()->machine().family : std::string();
    if (family == "cerebras")
        return floorScene(state, view, size);
    if (family == "groq")
        return sliceScene(state, view, size);
    return waveScene(state, view, size);
}

} // namespace

LayoutPanel::LayoutPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent)
    , m_content(new QWidget(this)) {
    m_frame = new PanelFrame(*this);
    m_frame->keepHeaderFrom(kControlsFromHeight);
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_bar = new AddressBar(m_content);
    m_canvas = new LayoutCanvas(state, m_content);
    m_curves = new CurvePane(state, m_content);
    m_map = new SceneCanvas(state, mapScene, m_content);
    m_machine = new SceneCanvas(state, machineScene, m_content);
    layout->addWidget(m_bar);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_curves);
    layout->addWidget(m_map, 1);
    layout->addWidget(m_machine, 1);
    createTensorControls();
    createModeControls();
    createLaneControls();
    createMapControls();
    createActions();
    m_frame->setCanvas(m_content);
    connectState();
    updateMode();
}

void LayoutPanel::connectState() {
    ViewState& state = this->state();
    connect(&state, &ViewState::resultChanged, this, &LayoutPanel::updateMode);
    connect(&state, &ViewState::selectionChanged, this, &LayoutPanel::updateAll);
    connect(&state, &ViewState::stageChanged, this, &LayoutPanel::updateAll);
    connect(&state, &ViewState::hoverChanged, m_canvas, &LayoutCanvas::updateHover);
    connect(&state, &ViewState::lensChanged, this, [this] {
        m_canvas->updateLens();
        m_map->refresh();
        m_machine->refresh();
        updateLegend();
    });
    for (Canvas* canvas : {static_cast<Canvas*>(m_canvas), static_cast<Canvas*>(m_map),
             static_cast<Canvas*>(m_machine), static_cast<Canvas*>(m_curves->canvas())}) {
        connect(&state, &ViewState::staleChanged, canvas, &Canvas::setStale);
        connect(this, &Panel::sentenceChanged, canvas, &Canvas::setSentence);
    }
    for (SceneCanvas* canvas : {m_map, m_machine}) {
        connect(&state, &ViewState::hoverChanged, canvas, &SceneCanvas::updateHover);
        connect(canvas, &SceneCanvas::sceneChanged, this, [this, canvas] {
            if (!canvas->isVisible())
                return;
            updateLegend();
            refreshSentence();
            emit twinChanged();
        });
    }
    connect(m_map, &SceneCanvas::viewChanged, this, &LayoutPanel::updateMapControls);
    connect(m_canvas, &LayoutCanvas::placeChanged, this, &LayoutPanel::updatePlace);
    connect(m_canvas, &LayoutCanvas::viewChanged, this, &LayoutPanel::updatePlace);
    connect(m_bar, &AddressBar::placeEntered, this, [this](const Place& place) {
        m_isGoing = false;
        m_canvas->setPlace(place);
    });
    connect(m_curves->canvas(), &CurveCanvas::bound, this, &LayoutPanel::bindSize);
    connect(m_curves->canvas(), &CurveCanvas::triedChanged, this, [this](qlonglong size) {
        m_shape->setTried(size);
        if (m_mode == Mode::Padding)
            refreshSentence();
    });
}

QString LayoutPanel::machineViewName(const std::string& family) {
    if (family == "cerebras")
        return tr("Floor plan");
    if (family == "groq")
        return tr("Slices");
    if (family == "gpu")
        return tr("Waves");
    return {};
}

void LayoutPanel::setMode(Mode mode) {
    m_wanted = mode;
    updateMode();
    for (QWidget* canvas : {static_cast<QWidget*>(m_canvas), static_cast<QWidget*>(m_map),
             static_cast<QWidget*>(m_machine), static_cast<QWidget*>(m_curves)})
        if (canvas->isVisible()) {
            if (isAncestorOf(window()->focusWidget()))
                canvas->setFocus();
            break;
        }
}

void LayoutPanel::updateMode() {
    const auto result = state().result();
    const QString own = result ? machineViewName(result->machine().family) : QString();
    m_mode = m_wanted == Mode::Machine && own.isEmpty() ? Mode::Lanes : m_wanted;
    for (std::size_t i = 0; i < m_modes.size(); ++i) {
        const bool isOn = static_cast<Mode>(i) == m_mode;
        check(m_modes[i], isOn);
        m_modeActions[i]->setChecked(isOn);
    }
    const auto last = static_cast<std::size_t>(Mode::Machine);
    m_modes[last]->setText(own);
    m_modeActions[last]->setText(own);
    m_modeBox->removeItem(static_cast<int>(last)); // nothing where there is none
    if (!own.isEmpty())
        m_modeBox->addItem(own);
    m_modeBox->setCurrentIndex(static_cast<int>(m_mode));
    m_modeActions[last]->setVisible(!own.isEmpty());
    m_content->setFocusProxy(m_mode == Mode::Memory ? static_cast<QWidget*>(m_map)
            : m_mode == Mode::Machine               ? m_machine
            : m_mode == Mode::Padding               ? static_cast<QWidget*>(m_curves)
                                                    : m_canvas);
    updateAll();
}

bool LayoutPanel::hasCurvesBelow() const {
    return m_mode == Mode::Lanes && !m_canvas->picture().isEmpty()
        && !m_canvas->picture().grid->layout().shape.empty()
        && height() >= CurvePane::wantedHeight() + kLanesBesideCurves + kHeaderHeight
            + kSentenceHeight + kLegendHeight + 2 * kHeaderHeight;
}

QString LayoutPanel::sentence() const {
    const Picture& picture = m_canvas->picture();
    switch (m_mode) {
    case Mode::Padding:
        return curveSentence(m_curves->canvas()->picture(), m_curves->canvas()->tried());
    case Mode::Memory:
    case Mode::Machine: {
        const SceneCanvas* canvas = m_mode == Mode::Memory ? m_map : m_machine;
        if (canvas->isVisible() && !canvas->scene().sentence.isEmpty())
            return canvas->scene().sentence;
        // Not painted yet: the words do not depend on the size.
        return (m_mode == Mode::Memory ? mapScene : machineScene)(
            state(), canvas->view(), QSizeF(0, 0))
            .sentence;
    }
    case Mode::Lanes:
        break;
    }
    const bool hasElement = state().selection().element.has_value();
    const bool isPadding = !picture.isEmpty() && !picture.grid->indexAt(m_canvas->view().place);
    return layout::sentence(picture,
        hasElement || isPadding || picture.whatIf ? std::optional(m_canvas->view().place)
                                                  : std::nullopt);
}

void LayoutPanel::updateAll() {
    m_canvas->updatePicture();
    const Picture& picture = m_canvas->picture();
    m_tensors->clear();
    int current = -1;
    for (int i = 0; i < picture.choices.size(); ++i) {
        m_tensors->addItem(picture.choices[i].label);
        if (picture.choices[i].lowered == picture.lowered)
            current = i;
    }
    m_tensors->setCurrentIndex(current);
    const bool isTensorMode = m_mode == Mode::Lanes || m_mode == Mode::Padding;
    if (isTensorMode && picture.isEmpty())
        m_frame->showEmpty(picture.reason);
    else
        m_frame->showCanvas();
    updateBarVisibility();
    updateCurves();
    m_map->refresh();
    m_machine->refresh();
    updateMapControls();
    updatePlace();
    emit twinChanged();
}

void LayoutPanel::updateCurves() {
    const Picture& picture = m_canvas->picture();
    const int rank = picture.isEmpty() ? 0 : static_cast<int>(picture.grid->layout().shape.size());
    const int dimension = m_dimension < 0 || m_dimension >= rank ? rank - 1 : m_dimension;
    m_shape->setShape(picture.isEmpty() ? std::vector<std::int64_t>() : picture.modelShape,
        picture.isEmpty() ? QString() : dtypeName(picture.grid->layout().dtype), dimension);
    if (m_mode != Mode::Padding && !hasCurvesBelow())
        return;
    const CurvePicture curves = presentCurves(state(), picture, dimension);
    m_curves->setPicture(curves,
        picture.whatIf && picture.whatIf->dimension == curves.dimension ? picture.whatIf->size
                                                                        : curves.size);
    const bool isTried = !curves.isEmpty() && m_curves->canvas()->tried() != curves.size;
    m_shape->setTried(isTried ? std::optional(m_curves->canvas()->tried()) : std::nullopt);
}

void LayoutPanel::setDimension(int dimension) {
    m_dimension = dimension;
    updateCurves();
    if (m_mode == Mode::Padding)
        refreshSentence();
}

void LayoutPanel::bindSize(qlonglong size) {
    const CurvePicture& curves = m_curves->canvas()->picture();
    if (curves.isEmpty())
        return;
    if (!curves.symbol.isEmpty() && !state().isLinked()) {
        m_canvas->setWhatIf(std::nullopt);
        emit bindRequested(curves.symbol, size);
        return;
    }
    m_canvas->setWhatIf(size == curves.size
            ? std::nullopt
            : std::optional(WhatIf{curves.dimension, static_cast<std::int64_t>(size)}));
    updateCurves();
    updatePlace();
}

void LayoutPanel::updateLegend() {
    const Picture& picture = m_canvas->picture();
    switch (m_mode) {
    case Mode::Lanes:
        m_frame->setLegend(legend(picture, m_canvas->lens()), footnote(picture));
        return;
    case Mode::Padding:
        m_frame->setLegend(curveLegend(m_curves->canvas()->picture()),
            tr("rules: published; wafer columns: a programmer's choice"));
        return;
    case Mode::Memory:
        m_frame->setLegend(m_map->scene().legend, m_map->scene().footnote);
        return;
    case Mode::Machine:
        m_frame->setLegend(m_machine->scene().legend, m_machine->scene().footnote);
        return;
    }
}

void LayoutPanel::updateMapControls() {
    const auto choices = mapChoices(state());
    const auto level = shownLevel(state(), m_map->view());
    m_level->clear();
    for (const MapChoice& choice : choices) {
        m_level->addItem(choice.label, static_cast<qulonglong>(choice.level));
        if (level == choice.level)
            m_level->setCurrentIndex(m_level->count() - 1);
    }
    m_unit->clear();
    if (m_mode == Mode::Memory && state().result()) {
        const std::int64_t shown = shownUnit(state(), m_map->view());
        for (const std::int64_t unit : shownUnits(state(), m_map->view())) {
            m_unit->addItem(unitName(state(), unit), static_cast<qlonglong>(unit));
            if (unit == shown)
                m_unit->setCurrentIndex(m_unit->count() - 1);
        }
    }
    check(m_order, m_map->view().isInOrder);
    fitControls();
}

void LayoutPanel::updatePlace() {
    m_bar->show(m_canvas->picture(), m_canvas->view().place, m_canvas->view().isHex);
    check(m_logical, m_canvas->view().isLogical);
    check(m_device, !m_canvas->view().isLogical);
    updateBarVisibility();
    updateLegend();
    refreshSentence();
}

void LayoutPanel::updateBarVisibility() {
    const bool isLanes = m_mode == Mode::Lanes;
    m_bar->setVisible(
        isLanes && (height() >= kBarFromHeight || m_isGoing) && !m_canvas->picture().isEmpty());
    m_canvas->setVisible(isLanes);
    const bool isBelow = hasCurvesBelow();
    m_curves->setVisible(m_mode == Mode::Padding || isBelow);
    m_curves->setMinimumHeight(isBelow ? CurvePane::wantedHeight() : 0);
    m_curves->setMaximumHeight(isBelow ? CurvePane::wantedHeight() : QWIDGETSIZE_MAX);
    m_map->setVisible(m_mode == Mode::Memory);
    m_machine->setVisible(m_mode == Mode::Machine);
}

void LayoutPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitControls();
    updateBarVisibility();
    updateCurves();
}

void LayoutPanel::goToElement() {
    if (m_canvas->picture().isEmpty())
        return;
    if (m_mode != Mode::Lanes)
        setMode(Mode::Lanes);
    m_isGoing = true;
    updateBarVisibility();
    QLineEdit* field = m_bar->field(AddressBar::Field::Element);
    field->setFocus(Qt::ShortcutFocusReason);
    field->selectAll();
}

std::vector<TwinRow> LayoutPanel::laneRows() const {
    const Picture& picture = m_canvas->picture();
    std::vector<TwinRow> rows;
    if (picture.isEmpty() || picture.whatIf)
        return rows;
    const Grid& grid = *picture.grid;
    Place place = m_canvas->view().place;
    for (place.lane = 0; place.lane < grid.lanes(); ++place.lane)
        for (place.pack = 0; place.pack < grid.packs(); ++place.pack) {
            const auto index = grid.indexAt(place);
            QString text = lineText(picture, place) + QStringLiteral(": ")
                + indexText(picture, place) + QStringLiteral(", ")
                + addressText(picture, place, true);
            if (const QString value = valueText(picture, place); !value.isEmpty())
                text += QStringLiteral(" = ") + value;
            Selection selection;
            if (index && picture.value.isValid()) {
                selection = state().selection();
                selection.value = picture.value;
                selection.element = index;
            }
            rows.push_back({text, std::move(selection)});
        }
    return rows;
}

std::vector<TwinRow> LayoutPanel::twinRows() const {
    switch (m_mode) {
    case Mode::Lanes:
        return laneRows();
    case Mode::Memory:
        return m_map->twinRows();
    case Mode::Machine:
        return m_machine->twinRows();
    case Mode::Padding:
        break;
    }
    std::vector<TwinRow> rows;
    const CurvePicture& curves = m_curves->canvas()->picture();
    const std::int64_t size = m_curves->canvas()->tried();
    for (const CurveRow& row : curves.rows)
        if (const auto* point = row.curve.at(size))
            rows.push_back({tr("%1: %2 padding at %3, %4")
                                .arg(row.name, wasteText(point->waste), formatCount(size),
                                    freeText(row, size)),
                {}});
    return rows;
}

void LayoutPanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    const QRect row(0, canvas.height(), size.width(), kLegendHeight);
    const Picture& picture = m_canvas->picture();
    const bool isTensorMode = m_mode == Mode::Lanes || m_mode == Mode::Padding;
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (isTensorMode && picture.isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, picture.reason);
        return;
    }
    switch (m_mode) {
    case Mode::Lanes: {
        const int below = CurvePane::wantedHeight() - kHeaderHeight;
        const bool hasCurves =
            !picture.grid->layout().shape.empty() && canvas.height() >= below + kLanesBesideCurves;
        const int lanes = hasCurves ? canvas.height() - below : canvas.height();
        m_canvas->paintContent(painter, QSize(canvas.width(), lanes));
        if (hasCurves) {
            painter.save();
            painter.translate(0, lanes);
            CurveCanvas curves(state(), nullptr);
            const CurvePicture five = presentCurves(state(), picture, m_dimension);
            curves.setPicture(five,
                picture.whatIf && picture.whatIf->dimension == five.dimension ? picture.whatIf->size
                                                                              : five.size);
            curves.paintContent(painter, QSize(canvas.width(), below));
            painter.restore();
        }
        paintLegend(painter, row, legend(picture, m_canvas->lens()), footnote(picture));
        return;
    }
    case Mode::Padding:
        m_curves->canvas()->paintContent(painter, canvas);
        paintLegend(painter, row, curveLegend(m_curves->canvas()->picture()),
            tr("rules: published; wafer columns: a programmer's choice"));
        return;
    case Mode::Memory:
    case Mode::Machine: {
        SceneCanvas* scene = m_mode == Mode::Memory ? m_map : m_machine;
        scene->paintContent(painter, canvas);
        const Scene words =
            (m_mode == Mode::Memory ? mapScene : machineScene)(state(), scene->view(), canvas);
        if (words.isEmpty()) {
            painter.setPen(Palette::current().role("textSecondary"));
            painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
                Qt::AlignCenter | Qt::TextWordWrap, words.reason);
            return;
        }
        paintLegend(painter, row, words.legend, words.footnote);
        return;
    }
    }
}

void LayoutPanel::zoomToFit() {
    m_canvas->setZoom(1);
    m_map->zoomToFit();
    m_machine->zoomToFit();
}

} // namespace fivefold::views::layout
