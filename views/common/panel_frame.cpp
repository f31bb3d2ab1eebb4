// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/panel_frame.h"

#include "views/common/canvas.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/common/type.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QStackedLayout>
#include <QTextLayout>
#include <QVBoxLayout>

namespace fivefold::views::common {

namespace {

constexpr qreal kMark = 12;
constexpr qreal kEntryGap = 16;

} // namespace

LegendEntry boundEntry(lowering::Bound bound) {
    return {boundName(bound), [bound](QPainter& painter, const QRectF& rect) {
                paintBoundGlyph(
                    painter, rect.adjusted(1, 1, -1, -1), bound, Palette::current().bound(bound));
            }};
}

LegendEntry classEntry(ir::OpClass opClass) {
    return {className(opClass), [opClass](QPainter& painter, const QRectF& rect) {
                paintClassGlyph(painter, rect, opClass, Palette::current().operatorClass(opClass));
            }};
}

void paintLegend(
    QPainter& painter, const QRectF& row, const Legend& legend, const QString& footnote) {
    painter.save();
    const QFont font = smallFont();
    painter.setFont(font);
    const qreal right = row.right() - kPanelPadding;
    qreal x = row.left() + kPanelPadding;
    for (const auto& entry : legend) {
        const qreal width = kMark + 4 + textWidth(font, entry.label);
        if (x + width > right)
            break;
        entry.mark(painter, QRectF(x, row.center().y() - kMark / 2, kMark, kMark));
        painter.setPen(Palette::current().role("text"));
        painter.drawText(QRectF(x + kMark + 4, row.top(), width, row.height()),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, entry.label);
        x += width + kEntryGap;
    }
    if (!footnote.isEmpty() && x + textWidth(font, footnote) <= right) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(row.adjusted(0, 0, -kPanelPadding, 0),
            Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, footnote);
    }
    painter.restore();
}

SentenceLabel::SentenceLabel(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(kSentenceHeight);
}

void SentenceLabel::setText(const QString& text, bool isError) {
    if (m_text == text && m_isError == isError)
        return;
    m_text = text;
    m_isError = isError;
    setToolTip(text);
    setAccessibleName(text);
    updateHeight();
    update();
}

void SentenceLabel::setMaximumLines(int lines) {
    m_maximumLines = std::max(1, lines);
    updateHeight();
    update();
}

QStringList SentenceLabel::lines(int width) const {
    const int room = width - 2 * kPanelPadding;
    const QFont font = bodyFont();
    if (room <= 0 || m_text.isEmpty())
        return {};
    const QString text = unbreakable(m_text);
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(room);
        const bool isLast = lines.size() + 1 == m_maximumLines;
        const QString rest = text.mid(line.textStart());
        if (isLast) {
            lines << QFontMetrics(font).elidedText(rest, Qt::ElideRight, room);
            break;
        }
        lines << rest.left(line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

void SentenceLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(bodyFont());
    painter.setPen(Palette::current().role(m_isError ? "error" : "text"));
    const int line = std::max(kSentenceLine, lineHeight(bodyFont()));
    int y = (kSentenceHeight - kSentenceLine) / 2;
    for (const auto& text : lines(width())) {
        painter.drawText(QRect(kPanelPadding, y, width() - 2 * kPanelPadding, line),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        y += line;
    }
}

void SentenceLabel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateHeight();
}

void SentenceLabel::updateHeight() {
    const int line = std::max(kSentenceLine, lineHeight(bodyFont()));
    const int count = std::max<int>(1, static_cast<int>(lines(width()).size()));
    const int height = count * line + kSentenceHeight - kSentenceLine;
    if (height != minimumHeight())
        setFixedHeight(height);
}

LegendRow::LegendRow(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(kLegendHeight);
}

void LegendRow::setLegend(Legend legend, const QString& footnote) {
    m_legend = std::move(legend);
    m_footnote = footnote;
    setToolTip(footnote);
    update();
}

void LegendRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Palette::current().role("canvas"));
    paintLegend(painter, rect(), m_legend, m_footnote);
}

PanelFrame::PanelFrame(Panel& panel)
    : QObject(&panel)
    , m_panel(panel) {
    auto* layout = new QVBoxLayout(&panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header = new QWidget(&panel);
    m_header->setFixedHeight(kHeaderHeight);
    m_headerLayout = new QHBoxLayout(m_header);
    m_headerLayout->setContentsMargins(kPanelPadding, 4, kPanelPadding, 4);
    m_headerLayout->setSpacing(8);
    m_sentence = new SentenceLabel(&panel);
    m_body = new QWidget(&panel);
    m_stack = new QStackedLayout(m_body);
    m_empty = new QLabel(m_body);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(24);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_empty->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_empty, &QLabel::linkActivated, this, [this] {
        if (m_action)
            m_action();
    });
    m_stack->addWidget(m_empty);
    m_legend = new LegendRow(&panel);
    m_legend->hide();
    layout->addWidget(m_header);
    layout->addWidget(m_sentence);
    layout->addWidget(m_body, 1);
    layout->addWidget(m_legend);
    panel.installEventFilter(this);
    connect(&panel, &Panel::sentenceChanged, this, &PanelFrame::updateSentence);
    connect(&panel.state(), &ViewState::staleChanged, this, [this](bool isStale) {
        if (auto* canvas = qobject_cast<Canvas*>(m_canvas))
            canvas->setStale(isStale);
        else if (auto* table = qobject_cast<Table*>(m_canvas))
            table->setStale(isStale);
    });
    updateVisibility();
}

void PanelFrame::keepHeaderFrom(int height) {
    m_compactFrom = height;
    updateVisibility();
}

bool PanelFrame::isCompact() const {
    return m_panel.height() >= m_compactFrom && m_panel.height() < kHeaderFromHeight;
}

void PanelFrame::setCanvas(QWidget* canvas) {
    m_canvas = canvas;
    m_stack->addWidget(canvas);
    m_panel.setFocusProxy(canvas);
}

void PanelFrame::setLegend(Legend legend, const QString& footnote) {
    m_hasLegend = !legend.isEmpty() || !footnote.isEmpty();
    m_legend->setLegend(std::move(legend), footnote);
    updateVisibility();
}

void PanelFrame::showEmpty(
    const QString& sentence, const QString& link, std::function<void()> action) {
    m_action = std::move(action);
    QString html = sentence.toHtmlEscaped();
    if (!link.isEmpty())
        html += QStringLiteral(" <a href=\"#\">%1</a>").arg(link.toHtmlEscaped());
    m_empty->setText(html);
    m_stack->setCurrentWidget(m_empty);
    updateVisibility();
}

void PanelFrame::showCanvas() {
    if (m_canvas)
        m_stack->setCurrentWidget(m_canvas);
    updateVisibility();
}

bool PanelFrame::isEmpty() const {
    return m_stack->currentWidget() == m_empty;
}

void PanelFrame::setError(const QString& error) {
    m_error = error;
    updateSentence(m_panel.sentence());
    updateVisibility();
}

bool PanelFrame::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_panel && event->type() == QEvent::Resize)
        updateVisibility();
    return QObject::eventFilter(watched, event);
}

void PanelFrame::updateVisibility() {
    const QSize size = m_panel.size();
    const bool isTiny =
        size.width() < kSmallestPanel.width() || size.height() < kSmallestPanel.height();
    if (const int height = isCompact() ? kCompactHeaderHeight : kHeaderHeight;
        height != m_header->minimumHeight()) {
        const int margin = (height - kHeaderHeight) / 2 + 4;
        m_header->setFixedHeight(height);
        m_headerLayout->setContentsMargins(kPanelPadding, margin, kPanelPadding, margin);
        m_sentence->setMaximumLines(isCompact() ? 1 : 2);
    }
    m_header->setVisible(!isTiny && m_headerLayout->count() > 0
        && size.height() >= std::min(m_compactFrom, kHeaderFromHeight));
    m_sentence->setVisible(!isEmpty() || isTiny || !m_error.isEmpty());
    m_body->setVisible(!isTiny);
    m_legend->setVisible(!isTiny && m_hasLegend && !isEmpty());
}

void PanelFrame::updateSentence(const QString& sentence) {
    if (m_error.isEmpty())
        m_sentence->setText(sentence);
    else
        m_sentence->setText(QStringLiteral("⚠ ") + m_error, true);
    if (auto* canvas = qobject_cast<Canvas*>(m_canvas))
        canvas->setSentence(sentence);
    else if (m_canvas)
        m_canvas->setAccessibleName(sentence);
}

} // namespace fivefold::views::common
