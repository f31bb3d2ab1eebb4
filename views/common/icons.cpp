// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/icons.h"

#include "views/common/palette.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace fivefold::views::common {

namespace {

QPixmap render(const QByteArray& svg, const QColor& color, int pixels) {
    QByteArray tinted = svg;
    tinted.replace("#000", color.name().toLatin1()); // the icons are drawn in this one colour
    QSvgRenderer renderer(tinted);
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    return pixmap;
}

} // namespace

QIcon icon(const QString& name) {
    const Palette& palette = Palette::current(); // loads the resources, too
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon result;
    for (const int size : {16, 20, 24, 32, 48}) {
        result.addPixmap(render(svg, palette.role("text"), size), QIcon::Normal);
        result.addPixmap(render(svg, palette.role("textDisabled"), size), QIcon::Disabled);
    }
    return result;
}

} // namespace fivefold::views::common
