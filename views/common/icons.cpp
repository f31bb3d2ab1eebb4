// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/icons.h"

#include "views/common/palette.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace fivefold::views::common {

namespace {

/// Draws the SVG in the theme's colour at the moment of painting, so that a change of theme needs
/// no new icons.
class ThemedIconEngine final : public QIconEngine {
public:
    explicit ThemedIconEngine(QByteArray svg)
        : m_svg(std::move(svg)) { }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const char* role = mode == QIcon::Disabled ? "textDisabled" : "text";
        QByteArray tinted = m_svg;
        // The icons are drawn in this one colour.
        tinted.replace("#000", Palette::current().role(role).name().toLatin1());
        QSvgRenderer(tinted).render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QIcon icon(const QString& name) {
    Palette::current(); // loads the resources, too
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemedIconEngine(file.readAll()));
}

} // namespace fivefold::views::common
