// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/elements_panel.h"

#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/divergence/words.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace fivefold::views::divergence {

using namespace common;

namespace {

constexpr int kHeaderFrom = 150; ///< a docked panel keeps its controls
constexpr std::size_t kTwinRows = 100;

} // namespace

ElementsPanel::ElementsPanel(ViewState& state, QWidget* parent, Place place)
    : Panel(state, parent)
    , m_focus(Focus::of(state)) {
    m_frame = new PanelFrame(*this);
    m_frame->keepHeaderFrom(kHeaderFrom);
    m_canvas = new ElementsCanvas(m_focus, this);
    createHeader();
    m_frame->setCanvas(m_canvas);
    m_actions = makeActions(m_focus, *this, place);
    const auto add = [this](const QString& text, auto slot) {
        auto* action = new QAction(text, this);
        connect(action, &QAction::triggered, m_canvas, slot);
        addAction(action);
        m_actions << action;
    };
    // Their keys (. , Space F) are the canvas's own.
    add(tr("Next wrong element"), [this] { m_canvas->goToWrong(1); });
    add(tr("Previous wrong element"), [this] { m_canvas->goToWrong(-1); });
    connect(&m_focus, &Focus::changed, this, &ElementsPanel::updateAll);
    connect(&m_focus, &Focus::showRequested, this, &Panel::showRequested);
    connect(&state, &ViewState::resultChanged, this, [this] {
        m_canvas->refresh();
        updateAll();
    });
    connect(&state, &ViewState::staleChanged, m_canvas, &Canvas::setStale);
    updateAll();
}

void ElementsPanel::createHeader() {
    QHBoxLayout* header = m_frame->header();
    m_coordinates = new QButtonGroup(this);
    const std::pair<QString, Coordinates> kButtons[] = {{tr("Logical"), Coordinates::Logical},
        {tr("Device"), Coordinates::Device}, {tr("Both"), Coordinates::Both}};
    for (const auto& [text, coordinates] : kButtons) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setCheckable(true);
        button->setMinimumSize(64, 24);
        button->setFocusPolicy(Qt::TabFocus);
        m_coordinates->addButton(button, static_cast<int>(coordinates));
        header->addWidget(button);
    }
    connect(m_coordinates, &QButtonGroup::idClicked, this,
        [this](int id) { setCoordinates(static_cast<Coordinates>(id)); });
    auto* label = new QLabel(tr("colour"), this);
    m_colour = new QComboBox(this);
    m_colour->setAccessibleName(tr("Colour of the elements"));
    for (const auto colour :
        {ElementColour::Delta, ElementColour::Relative, ElementColour::Ulp, ElementColour::Verdict})
        m_colour->addItem(colourName(colour));
    connect(m_colour, &QComboBox::activated, this, [this](int row) {
        m_canvas->setColour(static_cast<ElementColour>(row));
        updateHeader();
    });
    m_padding = new QCheckBox(tr("padding lanes"), this);
    m_padding->setChecked(true);
    connect(m_padding, &QCheckBox::toggled, m_canvas, &ElementsCanvas::setPaddingShown);
    m_pattern = new QLabel(this);
    m_pattern->setFont(boldFont());
    m_pattern->setMinimumWidth(1);
    m_pattern->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    header->addWidget(label);
    header->addWidget(m_colour);
    header->addWidget(m_padding);
    header->addWidget(m_pattern, 1);
    m_optional = {m_colour, label, m_padding};
    setCoordinates(Coordinates::Device);
}

void ElementsPanel::setCoordinates(Coordinates coordinates) {
    m_canvas->setCoordinates(coordinates);
    m_coordinates->button(static_cast<int>(coordinates))->setChecked(true);
    refreshSentence();
}

void ElementsPanel::updateAll() {
    const ElementsPicture& old = m_canvas->picture();
    if (old.divergence != m_focus.divergence() || old.layer != m_focus.layer())
        m_canvas->refresh();
    else
        m_canvas->updateElement();
    if (!m_focus.divergence())
        m_frame->showEmpty(
            sentence(), tr("Open dump…"), [this] { emit m_focus.openDumpRequested(); });
    else
        m_frame->showCanvas();
    updateHeader();
    refreshSentence();
    emit twinChanged();
}

void ElementsPanel::updateHeader() {
    const ElementsPicture& picture = m_canvas->picture();
    const bool hasDevice = !picture.isEmpty() && !picture.device.isEmpty();
    for (const auto coordinates : {Coordinates::Device, Coordinates::Both}) {
        QAbstractButton* button = m_coordinates->button(static_cast<int>(coordinates));
        button->setEnabled(hasDevice);
        button->setToolTip(hasDevice ? QString() : picture.noDevice);
    }
    const Coordinates shown = hasDevice ? m_canvas->coordinates() : Coordinates::Logical;
    m_coordinates->button(static_cast<int>(shown))->setChecked(true);
    m_padding->setEnabled(hasDevice);
    m_colour->setEnabled(picture.contents != nullptr);
    const QString pattern =
        picture.pattern.isEmpty() ? QString() : tr("pattern: %1").arg(picture.pattern);
    m_pattern->setText(pattern);
    m_pattern->setToolTip(pattern);
    if (picture.isEmpty())
        m_frame->setLegend({});
    else
        m_frame->setLegend(elementsLegend(picture),
            m_canvas->colour() == ElementColour::Verdict ? QString()
                                                         : tr("scale locked for the layer"));
    fitHeader(m_frame->header(), m_optional, width());
}

void ElementsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_optional, width());
}

QString ElementsPanel::sentence() const {
    return elementsSentence(m_canvas->picture(), m_focus.element());
}

void ElementsPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    m_canvas->paintInto(painter, QSize(size.width(), size.height() - kLegendHeight));
    if (!m_canvas->picture().isEmpty())
        paintLegend(painter, QRectF(0, size.height() - kLegendHeight, size.width(), kLegendHeight),
            elementsLegend(m_canvas->picture()), m_canvas->picture().pattern);
}

std::vector<TwinRow> ElementsPanel::twinRows() const {
    std::vector<TwinRow> rows;
    const ElementsPicture& picture = m_canvas->picture();
    if (picture.isEmpty())
        return rows;
    const compare::Layer& layer = picture.at();
    for (const auto& run : layer.global.wrong.runs)
        for (std::int64_t flat = run.begin; flat < run.end && rows.size() < kTwinRows; ++flat) {
            Selection selection;
            if (layer.node.isValid())
                selection.nodes = {layer.node};
            selection.value = layer.value;
            if (layer.value.isValid())
                selection.element = layout::unflatten(layer.shape, flat);
            QString text = tr("element %1 wrong").arg(indexText(layer.shape, flat));
            if (picture.contents)
                text += tr(": reference %1, device %2")
                            .arg(valueText(picture.contents->reference.number(flat)),
                                valueText(picture.contents->device.number(flat)));
            rows.push_back({text, std::move(selection)});
        }
    return rows;
}

} // namespace fivefold::views::divergence
