// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::views::common {

namespace {

SizeUnit g_sizeUnit = SizeUnit::Binary;

const QString kThinSpace = QString(QChar(0x2009));
const QChar kMinus(0x2212);

QString unknown() {
    return QStringLiteral("unknown");
}

/// Separators of the user's language; of English where the process runs in the C locale, which has
/// none.
QLocale separators() {
    const QLocale locale;
    return locale.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedStates)
                                           : locale;
}

QString decimals(double value, int places) {
    QString text = separators().toString(std::abs(value), 'f', places);
    // Rounding to nothing leaves no sign.
    if (value < 0 && std::round(std::abs(value) * std::pow(10, places)) > 0)
        text.prepend(kMinus);
    return text;
}

QString withUnit(const QString& number, const QString& unit) {
    return unit.isEmpty() ? number : number + kThinSpace + unit;
}

struct Scaled {
    double value;
    int step;
};

/// Divides by `base` until the number that `places` shows stays under it.
Scaled scale(double value, double base, int steps, int places) {
    int step = 0;
    const double rounding = std::pow(10, places);
    while (step + 1 < steps && std::round(std::abs(value) * rounding) / rounding >= base) {
        value /= base;
        ++step;
    }
    return {value, step};
}

/// One decimal below 100, none from there on: 8.1, 32.6, 312.
QString oneDecimal(double value) {
    return decimals(value, std::abs(value) < 99.95 ? 1 : 0);
}

/// Three significant digits, integers as they are: 4.13, 13.5, 768.
QString threeDigits(double value) {
    const double size = std::abs(value);
    if (value == std::round(value))
        return decimals(value, 0);
    return decimals(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/// Up to four significant digits without trailing zeros: 204.8, 2.039, 19.5.
QString fourDigits(double value) {
    const double size = std::abs(value);
    const int most = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
    int places = 0;
    while (places < most
        && std::abs(value * std::pow(10, places) - std::round(value * std::pow(10, places)))
            > 0.5 * std::pow(10, places - most))
        ++places;
    return decimals(value, places);
}

QString decimalPrefixed(double value, const QString& unit, QString (*digits)(double)) {
    static const std::array<QString, 7> kPrefixes = {QString(), QStringLiteral("k"),
        QStringLiteral("M"), QStringLiteral("G"), QStringLiteral("T"), QStringLiteral("P"),
        QStringLiteral("E")};
    const auto scaled = scale(value, 1000, static_cast<int>(kPrefixes.size()), 0);
    return withUnit(digits(scaled.value), kPrefixes[static_cast<std::size_t>(scaled.step)] + unit);
}

} // namespace

void setSizeUnit(SizeUnit unit) {
    g_sizeUnit = unit;
}

SizeUnit sizeUnit() {
    return g_sizeUnit;
}

QString formatTime(std::optional<base::Seconds> time) {
    if (!time || !std::isfinite(time->value))
        return unknown();
    static const std::array<QString, 5> kUnits = {QStringLiteral("ps"), QStringLiteral("ns"),
        QStringLiteral("µs"), QStringLiteral("ms"), QStringLiteral("s")};
    const double picoseconds = time->value * base::kPicosecondsPerSecond;
    if (picoseconds == 0)
        return withUnit(decimals(0, 0), QStringLiteral("µs"));
    const auto scaled = scale(picoseconds, 1000, static_cast<int>(kUnits.size()), 0);
    // Whole picoseconds are the grain of a time.
    const QString number = scaled.step == 0 ? decimals(scaled.value, 0) : oneDecimal(scaled.value);
    return withUnit(number, kUnits[static_cast<std::size_t>(scaled.step)]);
}

QString formatTime(base::Picoseconds time) {
    return formatTime(std::optional(base::toSeconds(time)));
}

QString formatBytes(std::optional<base::Bytes> bytes) {
    if (!bytes)
        return unknown();
    if (g_sizeUnit == SizeUnit::Bytes)
        return withUnit(formatCount(bytes->value), QStringLiteral("B"));
    const bool isBinary = g_sizeUnit == SizeUnit::Binary;
    static const std::array<QString, 7> kBinary = {QStringLiteral("B"), QStringLiteral("KiB"),
        QStringLiteral("MiB"), QStringLiteral("GiB"), QStringLiteral("TiB"), QStringLiteral("PiB"),
        QStringLiteral("EiB")};
    static const std::array<QString, 7> kDecimal = {QStringLiteral("B"), QStringLiteral("kB"),
        QStringLiteral("MB"), QStringLiteral("GB"), QStringLiteral("TB"), QStringLiteral("PB"),
        QStringLiteral("EB")};
    const auto scaled = scale(static_cast<double>(bytes->value), isBinary ? 1024 : 1000, 7, 0);
    return withUnit(threeDigits(scaled.value),
        (isBinary ? kBinary : kDecimal)[static_cast<std::size_t>(scaled.step)]);
}

QString formatRate(std::optional<double> bytesPerSecond) {
    if (!bytesPerSecond || !std::isfinite(*bytesPerSecond))
        return unknown();
    return decimalPrefixed(*bytesPerSecond, QStringLiteral("B/s"), fourDigits);
}

QString formatFlops(std::optional<double> flopsPerSecond) {
    if (!flopsPerSecond || !std::isfinite(*flopsPerSecond))
        return unknown();
    return decimalPrefixed(*flopsPerSecond, QStringLiteral("FLOP/s"), oneDecimal);
}

QString formatCount(std::optional<std::int64_t> count) {
    if (!count)
        return unknown();
    QString text = separators().toString(static_cast<qlonglong>(*count));
    if (*count < 0 && text.startsWith(u'-'))
        text[0] = kMinus;
    return text;
}

QString formatShortCount(std::optional<double> count) {
    if (!count || !std::isfinite(*count))
        return unknown();
    if (std::abs(*count) < 999.5)
        return decimals(*count, *count == std::round(*count) ? 0 : 1);
    return decimalPrefixed(*count, {}, oneDecimal);
}

QString formatShare(std::optional<double> share) {
    if (!share || !std::isfinite(*share))
        return unknown();
    const double percent = *share * 100;
    if (percent > 0 && percent < 0.5)
        return QStringLiteral("<1") + kThinSpace + u'%';
    return decimals(percent, 0) + kThinSpace + u'%';
}

QString formatShape(const std::optional<std::vector<std::int64_t>>& shape) {
    if (!shape)
        return QStringLiteral("?");
    if (shape->empty())
        return QStringLiteral("scalar");
    QString text;
    for (const auto extent : *shape)
        text += (text.isEmpty() ? QString() : QStringLiteral("×")) + QString::number(extent);
    return text;
}

QString formatShape(const std::optional<ir::Shape>& shape) {
    if (!shape)
        return QStringLiteral("?");
    if (shape->empty())
        return QStringLiteral("scalar");
    QString text;
    for (const auto& dim : *shape)
        text +=
            (text.isEmpty() ? QString() : QStringLiteral("×")) + QString::fromStdString(dim.text());
    return text;
}

QString formatAddress(std::int64_t address) {
    const bool isNegative = address < 0;
    const auto size =
        isNegative ? 0 - static_cast<std::uint64_t>(address) : static_cast<std::uint64_t>(address);
    return (isNegative ? QString(kMinus) : QString()) + QStringLiteral("0x")
        + QString::number(size, 16).toUpper();
}

QString formatFigure(const machines::Figure& figure) {
    if (!figure.isKnown())
        return unknown();
    const double value = *figure.value;
    const QString unit = QString::fromStdString(figure.unit);
    QString text;
    if (unit == QLatin1String("B") && std::abs(value) < 9e18)
        text = formatBytes(base::Bytes(static_cast<std::int64_t>(value)));
    else if (unit == QLatin1String("B/s"))
        text = formatRate(value);
    else if (unit == QLatin1String("FLOP/s"))
        text = formatFlops(value);
    else if (unit == QLatin1String("s"))
        text = formatTime(std::optional(base::Seconds(value)));
    else if (unit == QLatin1String("Hz"))
        text = decimalPrefixed(value, unit, fourDigits);
    else if (value == std::round(value) && std::abs(value) < 9e15)
        text = withUnit(formatCount(static_cast<std::int64_t>(value)),
            unit == QLatin1String("1") ? QString() : unit);
    else
        text = withUnit(fourDigits(value), unit == QLatin1String("1") ? QString() : unit);
    return figure.status == machines::FigureStatus::Estimated ? u'~' + text : text;
}

QString statusGlyph(machines::FigureStatus status) {
    switch (status) {
    case machines::FigureStatus::Published:
        return QStringLiteral("●");
    case machines::FigureStatus::Measured:
        return QStringLiteral("■");
    case machines::FigureStatus::Derived:
        return QStringLiteral("◐");
    case machines::FigureStatus::Estimated:
        break;
    }
    return QStringLiteral("○");
}

QString elideMiddle(const QString& text, int maximum) {
    if (maximum <= 0)
        return {};
    if (text.size() <= maximum)
        return text;
    if (maximum == 1)
        return QStringLiteral("…");
    const int tail = (maximum - 1) / 2;
    const int head = maximum - 1 - tail;
    return text.left(head) + QStringLiteral("…") + text.right(tail);
}

} // namespace fivefold::views::common
