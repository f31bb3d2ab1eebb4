// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/layout/tensor_layout.h"

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QStringList>

#include <set>

namespace fivefold::test {

/// "[2,64]", "2x64" or "2,64" as numbers; "" and "[]" are empty.
inline std::vector<std::int64_t> numbers(QString text) {
    text.remove('[').remove(']').replace('x', ',');
    std::vector<std::int64_t> result;
    for (const QString& part : text.split(',', Qt::SkipEmptyParts))
        result.push_back(part.trimmed().toLongLong());
    return result;
}

inline std::vector<int> ints(const QString& text) {
    const auto wide = numbers(text);
    return {wide.begin(), wide.end()};
}

/// Rows of a CSV file with double-quoted fields; the header is left out. Empty when it cannot be
/// read.
inline std::vector<QStringList> csvRows(const QString& path) {
    QFile file(path);
    std::vector<QStringList> rows;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return rows;
    file.readLine();
    while (!file.atEnd()) {
        QStringList fields;
        QString field;
        bool quoted = false;
        for (const QChar c : QString::fromUtf8(file.readLine()).trimmed()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.push_back(field);
                field.clear();
            } else {
                field += c;
            }
        }
        fields.push_back(field);
        rows.push_back(fields);
    }
    return rows;
}

/// Path of a reference table: the whole one where FIVEFOLD_SHARED names a folder, else empty.
inline QString sharedTable(const QString& name) {
    const QString root = qEnvironmentVariable("FIVEFOLD_SHARED");
    return root.isEmpty() ? QString() : root + "/reference/" + name;
}

/// Checks that the elements and the non-padding places of a layout correspond one to one and that
/// no two share an address. Returns what is wrong, or an empty text. Visits every device element.
inline QString bijectionProblem(const layout::TensorLayout& layout) {
    using namespace layout;
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    for (std::int64_t flat = 0; flat < logicalElements(layout); ++flat) {
        const auto index = unflatten(layout.shape, flat);
        if (flatten(layout.shape, index) != flat)
            return QString("flatten does not invert unflatten at %1").arg(flat);
        const auto place = coordinates(layout, index);
        if (!place)
            return QString("element %1 has no place").arg(flat);
        if (indexAt(layout, *place) != index)
            return QString("element %1 does not come back from its place").arg(flat);
        const Location location = locationOf(layout, *place);
        if (location.unit < 0 || location.unit >= unitCount(layout))
            return QString("element %1 is on unit %2").arg(flat).arg(location.unit);
        if (location.address() < 0 || location.address() >= bytesPerUnit(layout))
            return QString("element %1 lies at byte %2").arg(flat).arg(location.address());
        if (!places.emplace(location.unit, location.bitAddress).second)
            return QString("element %1 shares its address").arg(flat);
    }
    std::int64_t padding = 0;
    for (std::int64_t device = 0; device < deviceElements(layout); ++device) {
        const auto place = coordinatesOf(layout, device);
        const auto index = indexAt(layout, place);
        if (!index)
            ++padding;
        else if (coordinates(layout, *index) != place)
            return QString("place %1 does not come back from its element").arg(device);
    }
    if (padding != paddedElements(layout))
        return QString("%1 places are padding, %2 are counted")
            .arg(padding)
            .arg(paddedElements(layout));
    return {};
}

} // namespace fivefold::test
