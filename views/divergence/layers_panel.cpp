// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/layers_panel.h"

#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/common/verdict.h"
#include "views/divergence/layers_painter.h"
#include "views/divergence/words.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace fivefold::views::divergence {

using namespace common;

namespace {

/// A strip that a function paints.
class Strip final : public QWidget {
public:
    using Paint = std::function<void(QPainter&, const QRectF&)>;
    Strip(Paint paint, QWidget* parent)
        : QWidget(parent)
        , m_paint(std::move(paint)) { }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), Palette::current().role("canvas"));
        m_paint(painter, rect());
    }

private:
    Paint m_paint;
};

QString q(const std::string& text) {
    return QString::fromStdString(text);
}

QString rowWords(const compare::Divergence& divergence, std::size_t index) {
    const compare::Layer& layer = divergence.layers[index];
    QString text =
        QStringLiteral("%1 %2: %3").arg(index).arg(layerName(layer), verdictName(layer.verdict));
    if (isCompared(layer))
        text += LayersPanel::tr(", %1 of %2 wrong, max |Δ| %3")
                    .arg(formatCount(layer.global.wrong.count), formatCount(layer.global.total),
                        errorText(layer.global.maxAbs));
    return text;
}

} // namespace

LayersCanvas::LayersCanvas(Focus& focus, QWidget* parent)
    : Canvas(parent)
    , m_focus(focus) {
    setMinimumWidth(1);
}

void LayersCanvas::setPicture(LayersPicture picture) {
    m_picture = std::move(picture);
    m_hovered = -1;
    setRoom(m_room);
    update();
}

void LayersCanvas::setRoom(int height) {
    m_room = height;
    const auto rows = static_cast<int>(m_picture.rows());
    m_rowHeight = rows * kTallLayerRow <= height ? kTallLayerRow : kLayerRow;
    setMinimumHeight(std::max(1, rows * m_rowHeight));
    update();
}

QRect LayersCanvas::rowRect(std::size_t row) const {
    return {0, static_cast<int>(row) * m_rowHeight, width(), m_rowHeight};
}

void LayersCanvas::paintCanvas(QPainter& painter, const QRect& dirty) {
    m_rowsPainted = dirty.height() / m_rowHeight + 2;
    paintLayerRows(painter, m_picture, width(), m_rowHeight, dirty,
        m_focus.layer() ? static_cast<int>(*m_focus.layer()) : -1, m_hovered);
}

void LayersCanvas::clicked(const QPoint& position, Qt::KeyboardModifiers) {
    const int row = rowAt(position.y(), m_rowHeight, m_picture.rows());
    if (row >= 0)
        m_focus.setLayer(static_cast<std::size_t>(row));
    else
        m_focus.clear();
}

void LayersCanvas::doubleClicked(const QPoint&) {
    emit m_focus.showRequested(QStringLiteral("elements"));
}

void LayersCanvas::hovered(const QPoint* position) {
    const int row = position ? rowAt(position->y(), m_rowHeight, m_picture.rows()) : -1;
    if (row == m_hovered)
        return;
    m_hovered = row;
    Selection hover;
    if (row >= 0) {
        const compare::Layer& layer = m_picture.divergence->layers[static_cast<std::size_t>(row)];
        if (layer.node.isValid())
            hover.nodes = {layer.node};
        hover.value = layer.value;
    }
    m_focus.state().setHover(std::move(hover));
    update();
}

CardContent LayersCanvas::cardAt(const QPoint& position, QRect& mark) const {
    const int row = rowAt(position.y(), m_rowHeight, m_picture.rows());
    if (row < 0)
        return {};
    mark = rowRect(static_cast<std::size_t>(row));
    const compare::Layer& layer = m_picture.divergence->layers[static_cast<std::size_t>(row)];
    CardContent card;
    card.title = layer.nodeName.empty() ? q(layer.key) : q(layer.nodeName);
    card.lines << QStringLiteral("%1 %2").arg(formatShape(layer.shape), dtypeName(layer.dtype));
    if (!layer.reason.empty())
        card.lines << asSentence(layer.reason);
    if (isCompared(layer)) {
        card.lines << tr("%1 wrong; max |Δ| %2, max relative %3")
                          .arg(wrongText(layer), errorText(layer.global.maxAbs),
                              errorText(layer.global.maxRel));
        if (!layer.tolerance.reason.empty())
            card.lines << tr("tolerance: %1").arg(q(layer.tolerance.reason));
    }
    if (!layer.pattern.sentence.empty())
        card.lines << tr("pattern: %1").arg(q(layer.pattern.sentence));
    card.lines << tr("key %1, by %2").arg(q(layer.key), ruleName(layer.rule));
    return card;
}

void LayersCanvas::keyPressEvent(QKeyEvent* event) {
    const auto rows = static_cast<int>(m_picture.rows());
    const int now = m_focus.layer() ? static_cast<int>(*m_focus.layer()) : -1;
    const int page = std::max(1, m_room / m_rowHeight - 1);
    int next = now;
    switch (event->key()) {
    case Qt::Key_Down:
        next = now + 1;
        break;
    case Qt::Key_Up:
        next = now - 1;
        break;
    case Qt::Key_PageDown:
        next = now + page;
        break;
    case Qt::Key_PageUp:
        next = now - page;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = rows - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit m_focus.showRequested(QStringLiteral("elements"));
        return;
    default:
        Canvas::keyPressEvent(event);
        return;
    }
    if (rows > 0)
        m_focus.setLayer(static_cast<std::size_t>(std::clamp(next, 0, rows - 1)));
}

/// The list scrolls; there is nothing to zoom.
void LayersCanvas::wheelEvent(QWheelEvent* event) {
    hideCard();
    event->ignore();
}

LayersPanel::LayersPanel(ViewState& state, QWidget* parent, Place place)
    : Panel(state, parent)
    , m_focus(Focus::of(state)) {
    m_frame = new PanelFrame(*this);
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header = new Strip(
        [this](QPainter& painter, const QRectF& rect) {
            painter.fillRect(rect, Palette::current().role("window"));
            paintLayersHeader(painter, QRectF(0, 0, m_canvas->width(), rect.height()));
        },
        body);
    m_header->setFixedHeight(kLayersHeader);
    m_scroll = new QScrollArea(body);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_canvas = new LayersCanvas(m_focus, m_scroll);
    m_scroll->setWidget(m_canvas);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->installEventFilter(this);
    m_before = new Strip(
        [this](QPainter& painter, const QRectF& rect) {
            if (m_focus.divergence())
                paintBefore(painter, *m_focus.divergence(), rect);
        },
        body);
    layout->addWidget(m_header);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_before);
    body->setFocusProxy(m_canvas);
    m_frame->setCanvas(body);
    m_actions = makeActions(m_focus, *this, place);
    connect(&m_focus, &Focus::divergenceChanged, this, &LayersPanel::updateAll);
    connect(&m_focus, &Focus::changed, this, [this] {
        m_canvas->update();
        showCurrent();
        refreshSentence();
    });
    connect(&m_focus, &Focus::showRequested, this, &Panel::showRequested);
    connect(&state, &ViewState::staleChanged, m_canvas, &Canvas::setStale);
    updateAll();
}

QString LayersPanel::sentence() const {
    return m_focus.divergence() ? layersSentence(*m_focus.divergence()) : EmptyLabel::sentence();
}

void LayersPanel::updateAll() {
    m_canvas->setPicture(layersPicture(m_focus.divergence()));
    if (!m_focus.divergence()) {
        m_frame->showEmpty(
            sentence(), tr("Open dump…"), [this] { emit m_focus.openDumpRequested(); });
        m_frame->setLegend({});
    } else {
        m_frame->showCanvas();
        m_frame->setLegend(
            {{tr("local error"), paintLocalMark}, {tr("inherited error"), paintInheritedMark}},
            tr("bars: log scale, locked"));
    }
    updateRoom();
    refreshSentence();
    m_canvas->setSentence(sentence());
    emit twinChanged();
}

void LayersPanel::updateRoom() {
    const int body = m_scroll->parentWidget()->height() - kLayersHeader;
    const int before = m_focus.divergence() ? beforeHeight(*m_focus.divergence(), body * 2 / 5) : 0;
    m_before->setFixedHeight(before);
    m_before->setVisible(before > 0);
    m_canvas->setRoom(m_scroll->viewport()->height());
}

void LayersPanel::showCurrent() {
    if (!m_focus.layer())
        return;
    const QRect row = m_canvas->rowRect(*m_focus.layer());
    m_scroll->ensureVisible(0, row.center().y(), 0, row.height());
}

void LayersPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    updateRoom();
}

bool LayersPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize) {
        updateRoom();
        m_header->update();
        showCurrent();
    }
    return Panel::eventFilter(watched, event);
}

void LayersPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    const auto& divergence = m_focus.divergence();
    if (!divergence) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter, sentence());
        return;
    }
    const int body = size.height() - kLayersHeader - kLegendHeight;
    const int before = beforeHeight(*divergence, body * 2 / 5);
    const int room = std::max(0, body - before);
    paintLayersHeader(painter, QRectF(0, 0, size.width(), kLayersHeader));
    painter.save();
    painter.setClipRect(QRect(0, kLayersHeader, size.width(), room));
    painter.translate(0, kLayersHeader);
    const int row = static_cast<int>(m_canvas->picture().rows()) * kTallLayerRow <= room
        ? kTallLayerRow
        : kLayerRow;
    paintLayerRows(painter, m_canvas->picture(), size.width(), row, QRect(0, 0, size.width(), room),
        m_focus.layer() ? static_cast<int>(*m_focus.layer()) : -1, -1);
    painter.restore();
    if (before > 0)
        paintBefore(painter, *divergence, QRectF(0, kLayersHeader + room, size.width(), before));
    paintLegend(painter, QRectF(0, size.height() - kLegendHeight, size.width(), kLegendHeight),
        {{tr("local error"), paintLocalMark}, {tr("inherited error"), paintInheritedMark}},
        tr("bars: log scale, locked"));
}

QString LayersPanel::toCsv() const {
    if (!m_focus.divergence())
        return {};
    QVector<QStringList> rows;
    for (const compare::Layer& layer : m_focus.divergence()->layers) {
        const bool has = isCompared(layer);
        const auto verdict = compare::toString(layer.verdict);
        rows << QStringList{QString::number(rows.size()), q(layer.nodeName), q(layer.key),
            QString::fromUtf8(verdict.data(), static_cast<int>(verdict.size())),
            has ? QString::number(layer.global.wrong.count) : QString(),
            has ? QString::number(layer.global.total) : QString(),
            has ? QString::number(layer.global.maxAbs, 'g', 17) : QString(),
            layer.local ? QString::number(layer.local->maxAbs, 'g', 17) : QString()};
    }
    return csvTable({QStringLiteral("layer"), QStringLiteral("node"), QStringLiteral("key"),
                        QStringLiteral("verdict"), QStringLiteral("wrong"), QStringLiteral("total"),
                        QStringLiteral("max_abs"), QStringLiteral("local_max_abs")},
        rows);
}

std::vector<TwinRow> LayersPanel::twinRows() const {
    std::vector<TwinRow> rows;
    if (!m_focus.divergence())
        return rows;
    for (std::size_t l = 0; l < m_focus.divergence()->layers.size(); ++l) {
        const compare::Layer& layer = m_focus.divergence()->layers[l];
        Selection selection;
        if (layer.node.isValid())
            selection.nodes = {layer.node};
        selection.value = layer.value;
        rows.push_back({rowWords(*m_focus.divergence(), l), std::move(selection)});
    }
    return rows;
}

} // namespace fivefold::views::divergence
