// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/type.h"

#include <QFontInfo>
#include <QFontMetrics>
#include <QGuiApplication>

#include <algorithm>

namespace fivefold::views::common {

namespace {

constexpr int kSmallest = 11; // px, tokens.json type.px.small
constexpr double kBody = 12; // px, tokens.json type.px.body

QFont scaled(double tokenPixels) {
    QFont font = QGuiApplication::font();
    const int body = QFontInfo(font).pixelSize();
    font.setPixelSize(std::max(kSmallest, qRound(body * tokenPixels / kBody)));
    return font;
}

} // namespace

QFont bodyFont() {
    return scaled(kBody);
}

QFont smallFont() {
    return scaled(11);
}

QFont boldFont() {
    QFont font = scaled(kBody);
    font.setBold(true);
    return font;
}

QFont figureFont() {
    QFont font = scaled(16);
    font.setBold(true);
    return font;
}

QFont monoFont() {
    QFont font = scaled(kBody);
    font.setFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
    font.setStyleHint(QFont::Monospace);
    return font;
}

QString unbreakable(QString text) {
    text.replace(QChar(0x2009), QChar(0x202F)); // thin space → narrow no-break space
    // A slash allows a break, but not one inside a unit.
    for (const auto& unit : {QStringLiteral("FLOP/"), QStringLiteral("B/s")})
        for (qsizetype at = text.indexOf(unit); at >= 0; at = text.indexOf(unit, at + 1))
            text.insert(at + unit.indexOf(u'/') + 1, QChar(0x2060)); // word joiner
    return text;
}

int textWidth(const QFont& font, const QString& text) {
    return QFontMetrics(font).horizontalAdvance(text);
}

int lineHeight(const QFont& font) {
    return QFontMetrics(font).height();
}

} // namespace fivefold::views::common
