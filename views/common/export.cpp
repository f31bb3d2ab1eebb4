// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/export.h"

#include "views/common/palette.h"
#include "views/common/panel.h"
#include "views/common/sentences.h"
#include "views/common/type.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace fivefold::views::common {

namespace {

constexpr int kMargin = 16;
constexpr int kGap = 8;
constexpr int kPdfDpi = 96; // one logical pixel a unit

base::Error failure(const QString& path, const QString& why) {
    return {base::ErrorCode::Unreadable,
        QStringLiteral("The export could not be written: %1.").arg(why).toStdString(),
        path.toStdString()};
}

QFont captionFont() {
    QFont font = bodyFont();
    font.setPixelSize(qRound(font.pixelSize() * 14 / 12.0)); // tokens.json type.px.caption : body
    return font;
}

int textHeight(const QFont& font, const QString& text, int width) {
    return QFontMetrics(font)
        .boundingRect(QRect(0, 0, width, 10000), Qt::AlignLeft | Qt::TextWordWrap, text)
        .height();
}

} // namespace

int paintExportPage(QPainter* painter, Panel& panel, const QSize& size) {
    const QString caption = unbreakable(panel.sentence());
    const auto result = panel.state().result();
    const QString foot = result ? footLine(*result) : QString();
    const int captionHeight = textHeight(captionFont(), caption, size.width());
    const int footHeight = textHeight(smallFont(), foot, size.width());
    const int contentTop = kMargin + captionHeight + kGap;
    const int footTop = contentTop + size.height() + kGap;
    const int height = footTop + footHeight + kMargin;
    if (!painter)
        return height;
    const Palette& palette = Palette::current();
    painter->fillRect(QRect(0, 0, size.width() + 2 * kMargin, height), palette.role("canvas"));
    painter->setFont(captionFont());
    painter->setPen(palette.role("text"));
    painter->drawText(QRect(kMargin, kMargin, size.width(), captionHeight),
        Qt::AlignLeft | Qt::TextWordWrap, caption);
    painter->save();
    painter->translate(kMargin, contentTop);
    painter->setClipRect(QRect(QPoint(0, 0), size));
    panel.paintContent(*painter, size);
    painter->restore();
    painter->setFont(smallFont());
    painter->setPen(palette.role("textSecondary"));
    painter->drawText(
        QRect(kMargin, footTop, size.width(), footHeight), Qt::AlignLeft | Qt::TextWordWrap, foot);
    return height;
}

base::Result<base::Done> exportPanel(Panel& panel, const QString& path, const QSize& size) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QSize page(size.width() + 2 * kMargin, paintExportPage(nullptr, panel, size));
    if (suffix == QLatin1String("png")) {
        QImage image(page * kExportScale, QImage::Format_RGB32);
        if (image.isNull())
            return failure(path, QStringLiteral("a picture of that size does not fit the memory"));
        image.setDevicePixelRatio(kExportScale);
        QPainter painter(&image);
        paintExportPage(&painter, panel, size);
        painter.end();
        if (!image.save(path, "PNG"))
            return failure(path, QStringLiteral("the file or its folder cannot be written"));
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize(page);
        svg.setViewBox(QRect(QPoint(0, 0), page));
        svg.setTitle(panel.title());
        svg.setDescription(panel.sentence());
        QPainter painter;
        if (!painter.begin(&svg))
            return failure(path, QStringLiteral("the file or its folder cannot be written"));
        paintExportPage(&painter, panel, size);
    } else if (suffix == QLatin1String("pdf")) {
        QPdfWriter pdf(path);
        pdf.setResolution(kPdfDpi);
        pdf.setTitle(panel.title());
        pdf.setPageSize(QPageSize(QSizeF(page) / kPdfDpi, QPageSize::Inch));
        pdf.setPageMargins({});
        QPainter painter;
        if (!painter.begin(&pdf))
            return failure(path, QStringLiteral("the file or its folder cannot be written"));
        paintExportPage(&painter, panel, size);
    } else {
        return base::Error{base::ErrorCode::InvalidArgument,
            "A panel is exported as .png, .svg or .pdf: choose a file name that ends in one of "
            "them.",
            path.toStdString()};
    }
    return base::Done{};
}

base::Result<base::Done> exportCsv(const Panel& panel, const QString& path) {
    const QString csv = panel.toCsv();
    if (csv.isEmpty())
        return base::Error{base::ErrorCode::Unsupported,
            QStringLiteral("%1 is no table: export it as .png, .svg or .pdf.")
                .arg(panel.title())
                .toStdString(),
            path.toStdString()};
    return writeTextFile(path, csv);
}

QString csvRecord(const QStringList& fields) {
    QString record;
    for (qsizetype f = 0; f < fields.size(); ++f) {
        if (f > 0)
            record += u',';
        QString field = fields[f];
        if (field.contains(u',') || field.contains(u'"') || field.contains(u'\n')
            || field.contains(u'\r'))
            field = u'"' + field.replace(u'"', QLatin1String("\"\"")) + u'"';
        record += field;
    }
    return record + QLatin1String("\r\n");
}

QString csvTable(const QStringList& header, const QVector<QStringList>& rows) {
    QString csv = csvRecord(header);
    for (const auto& row : rows)
        csv += csvRecord(row);
    return csv;
}

base::Result<base::Done> writeTextFile(const QString& path, const QString& text) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return failure(path, file.errorString());
    file.write(text.toUtf8());
    if (!file.commit())
        return failure(path, file.errorString());
    return base::Done{};
}

} // namespace fivefold::views::common
