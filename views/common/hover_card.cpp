// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/hover_card.h"

#include "views/common/palette.h"

#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace fivefold::views::common {

namespace {

constexpr int kGap = 12; // clear of the mark and its halo

int clamped(int at, int size, int low, int high) {
    return std::max(low, std::min(at, high - size));
}

} // namespace

QRect placeCard(const QSize& card, const QRect& mark, const QRect& bounds) {
    const int besideY = clamped(mark.top(), card.height(), bounds.top(), bounds.bottom() + 1);
    if (mark.right() + 1 + kGap + card.width() <= bounds.right() + 1)
        return {QPoint(mark.right() + 1 + kGap, besideY), card};
    if (mark.left() - kGap - card.width() >= bounds.left())
        return {QPoint(mark.left() - kGap - card.width(), besideY), card};
    const int x = clamped(mark.left(), card.width(), bounds.left(), bounds.right() + 1);
    if (mark.bottom() + 1 + kGap + card.height() <= bounds.bottom() + 1)
        return {QPoint(x, mark.bottom() + 1 + kGap), card};
    return {QPoint(x, mark.top() - kGap - card.height()), card};
}

HoverCard::HoverCard(QWidget* parent)
    : QFrame(parent, Qt::ToolTip | Qt::FramelessWindowHint) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFrameShape(QFrame::Box);
    setLineWidth(1);
    m_label = new QLabel(this);
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::RichText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_label);
}

void HoverCard::present(const CardContent& content, const QRect& globalMark) {
    m_content = content;
    QString html = QStringLiteral("<b>%1</b>").arg(content.title.toHtmlEscaped());
    const auto lines = std::min<qsizetype>(content.lines.size(), CardContent::kMaximumLines);
    for (qsizetype line = 0; line < lines; ++line)
        html += QStringLiteral("<br>") + content.lines[line].toHtmlEscaped();
    m_label->setText(html);
    QPalette colors = palette();
    colors.setColor(QPalette::Window, Palette::current().role("toolTip"));
    colors.setColor(QPalette::WindowText, Palette::current().role("text"));
    setPalette(colors);
    m_label->setPalette(colors);
    setAutoFillBackground(true);
    m_label->setFixedWidth(kWidth - 18);
    m_label->setFixedHeight(m_label->heightForWidth(kWidth - 18));
    const QSize size(kWidth, m_label->height() + 18);
    const QScreen* where = screen();
    setGeometry(
        placeCard(size, globalMark, where ? where->availableGeometry() : QRect(0, 0, 1600, 1000)));
    show();
    raise();
}

} // namespace fivefold::views::common
