// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/divergence/elements_panel.h"
#include "views/divergence/words.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace fivefold::views::divergence {

using namespace common;

namespace {

constexpr double kLine = 22, kTop = 6;
constexpr double kLabels = 112;

double labelWidth(double width) {
    return std::min(kLabels, width * 0.4);
}

} // namespace

ElementCardCanvas::ElementCardCanvas(QWidget* parent)
    : Canvas(parent) {
    setMinimumWidth(1);
}

void ElementCardCanvas::setLines(QVector<CardLine> lines) {
    m_lines = std::move(lines);
    setMinimumHeight(static_cast<int>(2 * kTop + kLine * static_cast<double>(m_lines.size())));
    update();
}

void ElementCardCanvas::paintCanvas(QPainter& painter, const QRect&) {
    paintInto(painter, size());
}

void ElementCardCanvas::paintInto(QPainter& painter, const QSize& size) const {
    const double label = labelWidth(size.width());
    double y = kTop;
    for (const CardLine& line : m_lines) {
        painter.setFont(bodyFont());
        painter.setPen(Palette::current().role("textSecondary"));
        drawElided(painter, QRectF(12, y, label - 4, kLine), line.name);
        painter.setFont(line.isStrong ? boldFont() : bodyFont());
        painter.setPen(Palette::current().role("text"));
        drawElided(painter, QRectF(12 + label, y, size.width() - label - 20, kLine), line.value);
        y += kLine;
    }
}

void ElementCardCanvas::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

/// What is elided stands whole in the tool tip.
bool ElementCardCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto line = static_cast<qsizetype>((help->pos().y() - kTop) / kLine);
        if (line >= 0 && line < m_lines.size())
            QToolTip::showText(help->globalPos(),
                m_lines[line].name + QStringLiteral(": ") + m_lines[line].value, this);
        return true;
    }
    return Canvas::event(event);
}

ElementPanel::ElementPanel(ViewState& state, QWidget* parent, Place place)
    : Panel(state, parent)
    , m_focus(Focus::of(state)) {
    m_frame = new PanelFrame(*this);
    auto* body = new QWidget(this);
    body->setAutoFillBackground(true);
    body->setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* scroll = new QScrollArea(body);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_canvas = new ElementCardCanvas(scroll);
    scroll->setWidget(m_canvas);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kPanelPadding, 6, kPanelPadding, 8);
    auto* copyButton = new QPushButton(tr("Copy…"), body);
    copyButton->setObjectName(QStringLiteral("copy"));
    auto* menu = new QMenu(copyButton);
    for (const auto& [text, format] :
        {std::pair(tr("As text"), 0), std::pair(tr("As Markdown"), 1), std::pair(tr("As JSON"), 2)})
        menu->addAction(text, this, [this, format = format] { copy(format); });
    copyButton->setMenu(menu);
    auto* layoutButton = new QPushButton(tr("Show in Layout"), body);
    layoutButton->setObjectName(QStringLiteral("layout"));
    m_script = new QPushButton(tr("Capture script…"), body);
    m_script->setObjectName(QStringLiteral("script"));
    for (QPushButton* button : {copyButton, layoutButton, m_script}) {
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    row->addStretch(1);
    layout->addWidget(scroll, 1);
    layout->addLayout(row);
    body->setFocusProxy(m_canvas);
    m_frame->setCanvas(body);
    m_actions = makeActions(m_focus, *this, place);
    connect(layoutButton, &QPushButton::clicked, this, [this] {
        if (m_focus.element())
            m_focus.setElement(*m_focus.element());
        emit m_focus.showRequested(QStringLiteral("layout"));
    });
    connect(m_script, &QPushButton::clicked, &m_focus, &Focus::captureScriptRequested);
    connect(&m_focus, &Focus::changed, this, &ElementPanel::updateAll);
    connect(&m_focus, &Focus::showRequested, this, &Panel::showRequested);
    connect(&state, &ViewState::resultChanged, this, [this] {
        m_picture = {};
        updateAll();
    });
    connect(&state, &ViewState::staleChanged, m_canvas, &Canvas::setStale);
    updateAll();
}

void ElementPanel::updateAll() {
    if (m_picture.divergence != m_focus.divergence() || m_picture.layer != m_focus.layer()
        || (!m_picture.divergence && m_picture.reason.isEmpty()))
        m_picture = elementsPicture(m_focus, ElementColour::Verdict);
    m_canvas->setLines(elementCard(m_picture, m_focus));
    m_script->setVisible(m_focus.divergence() && m_focus.divergence()->capture);
    if (m_canvas->lines().isEmpty())
        m_frame->showEmpty(sentence());
    else
        m_frame->showCanvas();
    refreshSentence();
    m_canvas->setSentence(sentence());
    emit twinChanged();
}

QString ElementPanel::sentence() const {
    if (m_picture.isEmpty())
        return m_picture.reason;
    if (!m_focus.element())
        return tr("Choose an element to see its values and its place.");
    return tr("Element %1 of %2.")
        .arg(indexText(m_picture.at().shape, *m_focus.element()), layerName(m_picture.at()));
}

QString ElementPanel::toText() const {
    QStringList lines{sentence()};
    for (const CardLine& line : m_canvas->lines())
        lines << QStringLiteral("%1: %2").arg(line.name, line.value);
    return lines.join(u'\n');
}

void ElementPanel::copy(int format) {
    QString text = toText();
    if (format == 1) {
        text = QStringLiteral("**%1**\n\n| | |\n| --- | --- |\n").arg(sentence());
        for (const CardLine& line : m_canvas->lines())
            text += QStringLiteral("| %1 | %2 |\n").arg(line.name, line.value);
    } else if (format == 2) {
        QJsonObject object;
        for (const CardLine& line : m_canvas->lines())
            object[line.name] = line.value;
        text = QString::fromUtf8(QJsonDocument(object).toJson());
    }
    QApplication::clipboard()->setText(text);
}

void ElementPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (m_canvas->lines().isEmpty()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter | Qt::TextWordWrap, sentence());
        return;
    }
    m_canvas->paintInto(painter, size);
}

std::vector<TwinRow> ElementPanel::twinRows() const {
    std::vector<TwinRow> rows;
    for (const CardLine& line : m_canvas->lines())
        rows.push_back({QStringLiteral("%1: %2").arg(line.name, line.value), {}});
    return rows;
}

} // namespace fivefold::views::divergence
