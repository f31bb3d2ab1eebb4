// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/units.h"
#include "core/ir/dim.h"
#include "core/machines/machine.h"

#include <QLocale>
#include <QString>

#include <optional>

namespace fivefold::views::common {

/// How sizes are written; one preference for the whole program.
enum class SizeUnit { Binary, Decimal, Bytes };
void setSizeUnit(SizeUnit unit);
SizeUnit sizeUnit();

// Numbers as users read them: three digits, a thin space before the unit, a real minus sign,
// "unknown" for nothing.
QString formatTime(std::optional<base::Seconds> time); ///< "8.1 µs", "12.6 ms"
QString formatTime(base::Picoseconds time);
QString formatBytes(std::optional<base::Bytes> bytes); ///< "4.13 MiB" by preference
QString formatRate(std::optional<double> bytesPerSecond); ///< "204.8 GB/s", decimal
QString formatFlops(std::optional<double> flopsPerSecond); ///< "98.3 TFLOP/s"
QString formatCount(std::optional<std::int64_t> count); ///< exact with separators: "327,155,712"
QString formatShortCount(std::optional<double> count); ///< "226.5 M"
QString formatShare(std::optional<double> share); ///< 0..1 → "37 %"
QString formatShape(
    const std::optional<std::vector<std::int64_t>>& shape); ///< "12×128×64", "scalar", "?"
QString formatShape(const std::optional<ir::Shape>& shape); ///< with symbols: "batch×seq×768"
QString formatAddress(std::int64_t address); ///< "0x1AA00"
QString formatFigure(
    const machines::Figure& figure); ///< value with unit; "~" in front of estimates; "unknown"
QString statusGlyph(machines::FigureStatus status); ///< ● ◐ ○ ■
/// Elides in the middle, for names.
QString elideMiddle(const QString& text, int maximum);

} // namespace fivefold::views::common
