// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/banner_panel.h"

#include "views/common/canvas.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/type.h"
#include "views/common/verdict.h"

#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>

#include <algorithm>

namespace fivefold::views::divergence {

using namespace common;
using compare::HowKnown;

namespace {

constexpr double kStripe = 5, kGlyph = 32, kGlyphLeft = 24, kTextLeft = 72, kMargin = 16;
constexpr double kFrame = 24;

QFont lineFont(double pixels, bool isBold) {
    QFont font = bodyFont();
    font.setPixelSize(std::max(1, qRound(QFontInfo(bodyFont()).pixelSize() * pixels / 12)));
    font.setBold(isBold);
    return font;
}

/// The font of a line, smaller where the text would not fit.
QFont fittingFont(double pixels, double smaller, bool isBold, const QString& text, double room) {
    const QFont font = lineFont(pixels, isBold);
    return textWidth(font, text) <= room ? font : lineFont(smaller, isBold);
}

/// proved: 2 px frame with a tick; matched: 1 px with ≈; undecided: dashed with a question mark.
double paintHow(QPainter& painter, const QRectF& row, HowKnown how, const QColor& colour) {
    painter.setFont(boldFont());
    const QString word = howName(how);
    const double width = 30 + textWidth(boldFont(), word) + 8;
    const QRectF frame(row.left(), row.center().y() - kFrame / 2, width, kFrame);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(how == HowKnown::Undecided ? dashedPen(colour, 1.5, {4, 3})
                                              : QPen(colour, how == HowKnown::Proved ? 2 : 1));
    painter.drawRoundedRect(frame, 2, 2);
    painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF c(frame.left() + 16, frame.center().y());
    if (how == HowKnown::Proved)
        painter.drawPolyline(
            QPolygonF{c + QPointF(-5, 0), c + QPointF(-1.5, 4), c + QPointF(5, -4)});
    else
        painter.drawText(QRectF(frame.left() + 6, frame.top(), 20, frame.height()), Qt::AlignCenter,
            how == HowKnown::Matched ? QStringLiteral("≈") : QStringLiteral("?"));
    painter.setPen(Palette::current().role("text"));
    painter.drawText(frame.adjusted(30, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, word);
    return width;
}

void paintProof(
    QPainter& painter, const BannerText& text, const QRectF& row, const QColor& colour) {
    QRectF rest = row;
    if (text.how)
        rest.setLeft(row.left() + paintHow(painter, row, *text.how, colour) + 12);
    painter.setFont(bodyFont());
    painter.setPen(Palette::current().role("textSecondary"));
    drawElided(painter, rest, text.proof);
}

} // namespace

void paintBanner(
    QPainter& painter, const BannerText& text, const QRectF& rect, double buttons, bool isFlat) {
    const QColor colour = verdictColour(text.mark);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect, Palette::current().role("canvas"));
    painter.fillRect(QRectF(rect.left(), rect.top(), kStripe, rect.height()), colour);
    const bool isNarrow = rect.width() < 420;
    const double glyph = isFlat || isNarrow ? 20 : kGlyph;
    const double left = rect.left() + (isNarrow ? 40 : kTextLeft);
    paintVerdictGlyph(painter,
        QRectF(rect.left() + (isNarrow ? 12 : kGlyphLeft), rect.top() + (isFlat ? 6 : 16), glyph,
            glyph),
        text.mark);
    const double right = rect.right() - kMargin;
    const double top = rect.top() + (isFlat ? 1 : 12);
    const double freeRight = right - buttons;
    painter.setPen(Palette::current().role("text"));
    painter.setFont(fittingFont(isFlat ? 13 : 16, 12.5, true, text.headline, right - left));
    drawElided(painter, QRectF(left, top, right - left, 24), text.headline);
    // Two lines have no room for the frame, and how it is known is always said.
    const QString level = isFlat && text.how
        ? BannerPanel::tr("%1: %2").arg(howName(*text.how), text.level)
        : text.level;
    painter.setFont(fittingFont(isFlat ? 12 : 14, 12, false, level, right - left));
    drawElided(painter,
        QRectF(left, top + (isFlat ? 21 : 26), (isFlat ? freeRight : right) - left, 24), level);
    if (!isFlat)
        paintProof(painter, text, QRectF(left, top + 54, freeRight - left, 28), colour);
    painter.restore();
}

BannerPanel::BannerPanel(ViewState& state, QWidget* parent, Place place)
    : Panel(state, parent)
    , m_focus(Focus::of(state)) {
    setMinimumHeight(kFlatBannerHeight);
    setFocusPolicy(Qt::StrongFocus);
    m_actions = makeActions(m_focus, *this, place);
    m_empty = new EmptyLabel(m_focus, this);
    addButton(QStringLiteral("evidence"), tr("Evidence card…"), m_actions[3]);
    addButton(QStringLiteral("reduce"), tr("Reduce…"), m_actions[4]);
    addButton(QStringLiteral("next"), tr("Next  N"), m_actions[0]);
    addButton(QStringLiteral("worst"), tr("Worst  ⇧N"), m_actions[1]);
    connect(&m_focus, &Focus::changed, this, &BannerPanel::updateText);
    updateText();
}

QPushButton* BannerPanel::addButton(const QString& name, const QString& text, QAction* action) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(action->text());
    button->setFixedHeight(24);
    button->setFocusPolicy(Qt::TabFocus);
    button->setEnabled(action->isEnabled());
    connect(button, &QPushButton::clicked, action, [action] { action->trigger(); });
    connect(action, &QAction::changed, button,
        [action, button] { button->setEnabled(action->isEnabled()); });
    m_buttons << button;
    return button;
}

QPushButton* BannerPanel::button(const QString& name) const {
    return findChild<QPushButton*>(name);
}

QString BannerPanel::sentence() const {
    if (!m_focus.divergence())
        return EmptyLabel::sentence();
    QStringList parts{m_text.headline, m_text.level};
    if (m_text.how)
        parts << tr("Known as: %1.").arg(howName(*m_text.how));
    if (!m_text.proof.isEmpty())
        parts << m_text.proof;
    return parts.join(u' ');
}

bool BannerPanel::isFlat() const {
    return height() < 92;
}

void BannerPanel::updateText() {
    const auto& divergence = m_focus.divergence();
    m_text = divergence ? bannerOf(*divergence, m_focus.origin()) : BannerText();
    m_empty->setVisible(!divergence);
    placeButtons();
    refreshSentence();
    setToolTip(divergence ? sentence() : QString());
    update();
    emit twinChanged();
}

/// Those that fit beside half of the line, the last two first; all are in the menus, too.
void BannerPanel::placeButtons() {
    m_empty->setGeometry(rect());
    const bool isShown = m_focus.divergence() && m_focus.origin();
    double used = 0;
    QList<QPushButton*> shown;
    for (QPushButton* button : {m_buttons[2], m_buttons[3], m_buttons[0], m_buttons[1]}) {
        const double width = button->sizeHint().width() + 8;
        const bool fits = isShown && used + width <= std::max(200.0, this->width() * 0.5 - 40)
            && used + width <= this->width() - 100;
        button->setVisible(fits);
        if (!fits)
            continue;
        used += width;
        shown << button;
    }
    double x = width() - kMargin - used + 8;
    const double y = isFlat() ? 22 : 12 + 54 + 2;
    for (QPushButton* button : m_buttons) {
        if (!shown.contains(button))
            continue;
        const int wide = button->sizeHint().width();
        button->setGeometry(qRound(x), qRound(y), wide, 24);
        x += wide + 8;
    }
    m_buttonsWidth = used;
}

void BannerPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Palette::current().role("canvas"));
    if (!m_focus.divergence())
        return;
    if (state().isStale())
        painter.setOpacity(Canvas::kStaleOpacity);
    paintBanner(painter, m_text, rect(), m_buttonsWidth, isFlat());
}

void BannerPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    placeButtons();
}

void BannerPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (m_focus.divergence())
        paintBanner(painter, m_text, QRectF(0, 0, size.width(), kBannerHeight), 0, false);
}

std::vector<TwinRow> BannerPanel::twinRows() const {
    std::vector<TwinRow> rows;
    if (!m_focus.divergence())
        return rows;
    for (const QString& line : {m_text.headline, m_text.level, m_text.proof})
        if (!line.isEmpty())
            rows.push_back({line, {}});
    return rows;
}

} // namespace fivefold::views::divergence
