// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_panel.h"

#include "views/common/header_fit.h"
#include "views/common/palette.h"
#include "views/common/panel_frame.h"
#include "views/layout/address_bar.h"
#include "views/layout/layout_canvas.h"
#include "views/layout/layout_painter.h"

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
} // namespace

LayoutPanel::LayoutPanel(ViewState& state, QWidget* parent)
    : Panel(state, parent) {
    m_frame = new PanelFrame(*this);
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_bar = new AddressBar(content);
    m_canvas = new LayoutCanvas(state, content);
    layout->addWidget(m_bar);
    layout->addWidget(m_canvas, 1);
    content->setFocusProxy(m_canvas);
    createControls();
    createActions();
    m_frame->setCanvas(content);
    fitHeader(m_frame->header(), m_optional, width());
    connect(&state, &ViewState::resultChanged, this, &LayoutPanel::updateAll);
    connect(&state, &ViewState::selectionChanged, this, &LayoutPanel::updateAll);
    connect(&state, &ViewState::stageChanged, this, &LayoutPanel::updateAll);
    connect(&state, &ViewState::hoverChanged, m_canvas, &LayoutCanvas::updateHover);
    connect(&state, &ViewState::lensChanged, m_canvas, qOverload<>(&QWidget::update));
    connect(&state, &ViewState::staleChanged, m_canvas, &Canvas::setStale);
    connect(m_canvas, &LayoutCanvas::placeChanged, this, &LayoutPanel::updatePlace);
    connect(m_canvas, &LayoutCanvas::viewChanged, this, &LayoutPanel::updatePlace);
    connect(m_bar, &AddressBar::placeEntered, m_canvas, &LayoutCanvas::setPlace);
    connect(this, &Panel::sentenceChanged, m_canvas, &Canvas::setSentence);
    updateAll();
}

void LayoutPanel::createControls() {
    m_tensors = new QComboBox(this);
    m_tensors->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_tensors->setMinimumContentsLength(10);
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
    m_frame->header()->addStretch(1);
}

void LayoutPanel::createActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_canvas->addAction(action);
        connect(action, &QAction::triggered, this, slot);
        m_actions << action;
        return action;
    };
    QAction* hex =
        add(tr("Hexadecimal addresses"), Qt::Key_X, [this](bool isOn) { m_canvas->setHex(isOn); });
    hex->setCheckable(true);
    hex->setChecked(true);
    auto* box = new QCheckBox(tr("hex"), this);
    box->setChecked(true);
    connect(box, &QCheckBox::clicked, hex, [hex] { hex->trigger(); });
    connect(hex, &QAction::toggled, box, &QCheckBox::setChecked);
    m_frame->header()->addWidget(box);
    m_optional << box;
    const auto side = [this](const QString& text, bool isLogical) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setChecked(!isLogical);
        connect(button, &QToolButton::clicked, this,
            [this, isLogical] { m_canvas->setLogical(isLogical); });
        m_frame->header()->addWidget(button);
        return button;
    };
    m_logical = side(tr("Logical"), true);
    m_device = side(tr("Device"), false);
    add(tr("Logical or device"), {}, [this] { m_canvas->setLogical(!m_canvas->view().isLogical); });
    add(tr("Go to element…"), {}, [this] {
        QLineEdit* field = m_bar->field(AddressBar::Field::Element);
        m_bar->setVisible(true);
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
    });
    add(tr("Zoom in"), QKeySequence::ZoomIn,
        [this] { m_canvas->setZoom(m_canvas->view().zoom * 1.2); });
    add(tr("Zoom out"), QKeySequence::ZoomOut,
        [this] { m_canvas->setZoom(m_canvas->view().zoom / 1.2); });
    add(tr("Fit all"), Qt::Key_Space, [this] { zoomToFit(); });
}

QString LayoutPanel::sentence() const {
    const Picture& picture = m_canvas->picture();
    const bool hasElement = state().selection().element.has_value();
    const bool isPadding = !picture.isEmpty() && !picture.grid->indexAt(m_canvas->view().place);
    return layout::sentence(
        picture, hasElement || isPadding ? std::optional(m_canvas->view().place) : std::nullopt);
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
    m_tensors->setVisible(m_tensors->count() > 0);
    if (picture.isEmpty())
        m_frame->showEmpty(picture.reason);
    else
        m_frame->showCanvas();
    m_frame->setLegend(legend(picture), footnote(picture));
    updatePlace();
}

void LayoutPanel::updatePlace() {
    m_bar->show(m_canvas->picture(), m_canvas->view().place, m_canvas->view().isHex);
    m_logical->setChecked(m_canvas->view().isLogical);
    m_device->setChecked(!m_canvas->view().isLogical);
    updateBarVisibility();
    refreshSentence();
}

void LayoutPanel::updateBarVisibility() {
    m_bar->setVisible(height() >= kBarFromHeight && !m_canvas->picture().isEmpty());
}

void LayoutPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitHeader(m_frame->header(), m_optional, width());
    updateBarVisibility();
}

void LayoutPanel::paintContent(QPainter& painter, const QSize& size) {
    const QSize canvas(size.width(), size.height() - kLegendHeight);
    m_canvas->paintContent(painter, canvas);
    const QRectF row(0, canvas.height(), size.width(), kLegendHeight);
    painter.fillRect(row, Palette::current().role("canvas"));
    if (m_canvas->picture().isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), canvas).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_canvas->picture().reason);
        return;
    }
    paintLegend(painter, row, legend(m_canvas->picture()), footnote(m_canvas->picture()));
}

void LayoutPanel::zoomToFit() {
    m_canvas->setZoom(1);
}

} // namespace fivefold::views::layout
