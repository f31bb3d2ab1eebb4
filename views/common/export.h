// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <QVector>

class QPainter;

namespace fivefold::views::common {

class Panel;

constexpr int kExportScale = 2; ///< PNG pixels a logical pixel

/// Writes a panel as a picture that stands alone: its sentence as caption, content with legend, and
/// a foot line of model, machine, settings, version and error band. The format is that of the
/// file's suffix: png, svg or pdf. `size` is that of the content in logical pixels.
base::Result<base::Done> exportPanel(Panel& panel, const QString& path, const QSize& size);
/// Writes the panel's table as CSV; fails for a panel that is no table.
base::Result<base::Done> exportCsv(const Panel& panel, const QString& path);

/// The picture that exportPanel writes, for a content of that size; returns the page's height.
/// Paints nothing when painter is null.
int paintExportPage(QPainter* painter, Panel& panel, const QSize& size);

/// One record after RFC 4180: fields with a comma, quote or line break are quoted, quotes doubled,
/// CRLF at the end.
QString csvRecord(const QStringList& fields);
/// A header line and records.
QString csvTable(const QStringList& header, const QVector<QStringList>& rows);
/// Writes UTF-8 text; the sentence of a failure names the file and the reason.
base::Result<base::Done> writeTextFile(const QString& path, const QString& text);

} // namespace fivefold::views::common
