// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/panel_frame.h"
#include "views/layout/address_bar.h"
#include "views/layout/curve_pane.h"
#include "views/layout/layout_canvas.h"
#include "views/layout/layout_panel.h"
#include "views/layout/scene_canvas.h"
#include "views/layout/shape_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>

/// The header and the actions of the Layout panel.
namespace fivefold::views::layout {

using namespace common;

void LayoutPanel::createTensorControls() {
    m_tensors = new QComboBox(this);
    m_tensors->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_tensors->setMinimumContentsLength(8);
    m_tensors->setToolTip(tr("Tensors of the selected operator"));
    m_tensors->setAccessibleName(tr("Tensor"));
    m_frame->header()->addWidget(m_tensors, 1);
    connect(m_tensors, &QComboBox::activated, this, [this](int row) {
        const auto& choices = m_canvas->picture().choices;
        if (row < 0 || row >= choices.size() || !choices[row].source.isValid())
            return;
        Selection selection = state().selection();
        selection.value = choices[row].source;
        selection.element.reset();
        state().setSelection(std::move(selection));
    });
    m_shape = new ShapeField(this);
    m_frame->header()->addWidget(m_shape);
    connect(m_shape, &ShapeField::dimensionPicked, this, &LayoutPanel::setDimension);
    connect(m_shape, &ShapeField::sizeDragged, this, [this](int, qlonglong size) {
        if (!hasCurvesBelow())
            setMode(Mode::Padding); // what is dragged is seen
        m_curves->canvas()->setTried(size);
    });
    connect(m_shape, &ShapeField::dragFinished, m_curves->canvas(), &CurveCanvas::bind);
    m_frame->header()->addStretch(1);
}

void LayoutPanel::createModeControls() {
    const QString names[] = {tr("Lanes"), tr("Padding"), tr("Scratchpad"), tr("Floor plan")};
    const QString tips[] = {tr("Where each element of the tensor lies"),
        tr("Padding of all five machines over the sizes of a dimension"),
        tr("Where each tensor lies in the memories, over time"),
        tr("The machine's own view of the program")};
    for (std::size_t i = 0; i < m_modes.size(); ++i) {
        const Mode mode = static_cast<Mode>(i);
        auto* button = m_modes[i] = new QToolButton(this);
        button->setText(names[i]);
        button->setToolTip(tips[i]);
        button->setCheckable(true);
        button->setFixedHeight(24);
        connect(button, &QToolButton::clicked, this, [this, mode] { setMode(mode); });
        m_frame->header()->addWidget(button);
        m_modeActions[i] = addAction(names[i], {}, [this, mode] { setMode(mode); });
        m_modeActions[i]->setCheckable(true);
    }
    m_modeBox = new QComboBox(this);
    m_modeBox->setToolTip(tr("What the panel shows"));
    m_modeBox->setAccessibleName(tr("View"));
    for (std::size_t i = 0; i + 1 < m_modes.size(); ++i)
        m_modeBox->addItem(names[i]);
    m_frame->header()->insertWidget(0, m_modeBox);
    connect(m_modeBox, &QComboBox::activated, this,
        [this](int row) { setMode(static_cast<Mode>(row)); });
}

void LayoutPanel::createLaneControls() {
    m_values = new QCheckBox(tr("values"), this);
    m_hex = new QCheckBox(tr("hex"), this);
    m_frame->header()->addWidget(m_values);
    m_frame->header()->addWidget(m_hex);
    addToggle(tr("Values of the elements"), Qt::Key_V, false, m_values,
        [this](bool isOn) { m_canvas->setValues(isOn); });
    addToggle(tr("Hexadecimal addresses"), Qt::Key_X, true, m_hex,
        [this](bool isOn) { m_canvas->setHex(isOn); });
    const auto side = [this](const QString& text, bool isLogical) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setCheckable(true);
        button->setFixedHeight(24);
        button->setChecked(!isLogical);
        connect(button, &QToolButton::clicked, this,
            [this, isLogical] { m_canvas->setLogical(isLogical); });
        m_frame->header()->addWidget(button);
        return button;
    };
    m_logical = side(tr("Logical"), true);
    m_device = side(tr("Device"), false);
    addAction(
        tr("Logical or device"), {}, [this] { m_canvas->setLogical(!m_canvas->view().isLogical); });
}

void LayoutPanel::createMapControls() {
    m_level = new QComboBox(this);
    m_level->setToolTip(tr("Memory whose addresses are shown"));
    m_level->setAccessibleName(tr("Memory"));
    connect(m_level, &QComboBox::activated, this, [this] {
        SceneView view = m_map->view();
        view.level = static_cast<std::size_t>(m_level->currentData().toULongLong());
        view.unit.reset();
        m_map->setView(view);
    });
    m_unit = new QComboBox(this);
    m_unit->setToolTip(tr("Which instance of the memory"));
    m_unit->setAccessibleName(tr("Instance"));
    connect(m_unit, &QComboBox::activated, this, [this] {
        SceneView view = m_map->view();
        view.unit = m_unit->currentData().toLongLong();
        m_map->setView(view);
    });
    m_order = new QToolButton(this);
    m_order->setText(tr("Program order"));
    m_order->setToolTip(tr("One step beside the next instead of time"));
    m_order->setCheckable(true);
    m_order->setFixedHeight(24);
    for (QWidget* each : {static_cast<QWidget*>(m_level), static_cast<QWidget*>(m_unit),
             static_cast<QWidget*>(m_order)})
        m_frame->header()->addWidget(each);
    QAction* action = addAction(tr("Memory map in program order"), {}, [this] {
        SceneView view = m_map->view();
        view.isInOrder = !view.isInOrder;
        m_map->setView(view);
    });
    connect(m_order, &QToolButton::clicked, action, &QAction::trigger);
}

/// Leaves out, from the end, what the header has no room for: the menus hold it all.
void LayoutPanel::fitControls() {
    const auto result = state().result();
    const bool isLanes = m_mode == Mode::Lanes;
    const bool isTensor = isLanes || m_mode == Mode::Padding;
    const bool isMap = m_mode == Mode::Memory;
    const bool isLow = m_frame->isCompact(); // what shows, of which tensor, at which size
    const bool hasMachine = result && !machineViewName(result->machine().family).isEmpty();
    const auto last = static_cast<std::size_t>(Mode::Machine);
    struct Control {
        QWidget* widget;
        bool isMeant;
    };
    QHBoxLayout* header = m_frame->header();
    if (QWidget* row = header->parentWidget())
        row->setMinimumWidth(1);
    const QMargins margins = header->contentsMargins();
    int room = width() - margins.left() - margins.right();
    const auto needs = [header](const QWidget* widget) {
        return widget->minimumSizeHint().expandedTo(widget->minimumSize()).width()
            + header->spacing();
    };
    // Buttons where tensor and size, or the map's memory, still fit beside them.
    int withButtons = 0;
    for (std::size_t i = 0; i < m_modes.size(); ++i)
        withButtons += i < last || hasMachine ? needs(m_modes[i]) : 0;
    withButtons += isMap ? needs(m_level) : isTensor ? needs(m_tensors) + needs(m_shape) : 0;
    const bool hasButtons = withButtons <= room;
    // By what one would miss most.
    const Control controls[] = {{m_modeBox, !hasButtons}, {m_modes[0], hasButtons},
        {m_modes[1], hasButtons}, {m_modes[2], hasButtons},
        {m_modes[last], hasButtons && hasMachine}, {m_tensors, isTensor && m_tensors->count() > 0},
        {m_shape, isTensor && !m_canvas->picture().isEmpty()},
        {m_level, isMap && m_level->count() > 1}, {m_logical, isLanes && !isLow},
        {m_device, isLanes && !isLow}, {m_order, isMap}, {m_unit, isMap && m_unit->count() > 1},
        {m_values, isLanes && !isLow}, {m_hex, isLanes && !isLow}};
    bool fits = true;
    for (const Control& control : controls) {
        if (control.isMeant) {
            const int needed = needs(control.widget);
            fits = fits && needed <= room;
            room -= fits ? needed : 0;
        }
        control.widget->setVisible(control.isMeant && fits);
    }
    if (m_logical->isHidden() != m_device->isHidden()) // one of two says nothing
        m_logical->setVisible(false);
}

QAction* LayoutPanel::addAction(
    const QString& text, const QKeySequence& key, std::function<void()> slot) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_content->addAction(action);
    connect(action, &QAction::triggered, this, [slot = std::move(slot)] { slot(); });
    m_actions << action;
    return action;
}

QAction* LayoutPanel::addToggle(const QString& text, const QKeySequence& key, bool isOn,
    QCheckBox* box, std::function<void(bool)> slot) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setCheckable(true);
    action->setChecked(isOn);
    box->setChecked(isOn);
    // Letters act with a canvas focused only, not in the fields of the address bar.
    m_canvas->addAction(action);
    connect(action, &QAction::toggled, this, std::move(slot));
    connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
    connect(box, &QCheckBox::clicked, action, &QAction::setChecked);
    m_actions << action;
    return action;
}

void LayoutPanel::createActions() {
    addAction(tr("Go to element…"), QKeySequence(Qt::CTRL | Qt::Key_G), [this] { goToElement(); });
    const auto zoom = [this](double factor) {
        switch (m_mode) {
        case Mode::Lanes:
            return m_canvas->setZoom(m_canvas->view().zoom * factor);
        case Mode::Padding:
            return m_curves->canvas()->setRange(static_cast<std::int64_t>(
                static_cast<double>(m_curves->canvas()->range()) / factor));
        case Mode::Memory:
            return m_map->zoomBy(factor);
        case Mode::Machine:
            return m_machine->zoomBy(factor);
        }
    };
    addAction(tr("Zoom in"), QKeySequence::ZoomIn, [zoom] { zoom(kZoomPerNotch); });
    addAction(tr("Zoom out"), QKeySequence::ZoomOut, [zoom] { zoom(1 / kZoomPerNotch); });
    QAction* fit = addAction(tr("Fit all"), Qt::Key_Space, [this] { zoomToFit(); });
    m_content->removeAction(fit); // Space presses buttons; it fits with a canvas focused
    for (QWidget* canvas : {static_cast<QWidget*>(m_canvas), static_cast<QWidget*>(m_map),
             static_cast<QWidget*>(m_machine), static_cast<QWidget*>(m_curves->canvas())})
        canvas->addAction(fit);
    // The context menus of all canvases hold what the panel can do.
    for (QWidget* canvas : {static_cast<QWidget*>(m_canvas), static_cast<QWidget*>(m_map),
             static_cast<QWidget*>(m_machine), static_cast<QWidget*>(m_curves->canvas())})
        for (QAction* action : m_modeActions)
            canvas->addAction(action);
}

} // namespace fivefold::views::layout
