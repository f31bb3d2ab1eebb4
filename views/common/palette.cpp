// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/palette.h"

#include <QApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

// A resource of a static library is only linked in where it is named; the macro must stand outside
// namespaces.
static void initResources() {
    Q_INIT_RESOURCE(resources);
}

namespace fivefold::views::common {

using ColorMap = std::map<std::string, QColor, std::less<>>;

struct Palette::Data {
    ColorMap roles, selection, machine, operatorClass, bound, memoryLevel, verdict;
    std::vector<QColor> sequential;
};

namespace {

Theme g_theme = Theme::Light;

QColor find(const ColorMap& colors, std::string_view name, const QColor& fallback) {
    const auto found = colors.find(name);
    return found == colors.end() ? fallback : found->second;
}

ColorMap readColors(const QJsonObject& object) {
    ColorMap colors;
    for (auto it = object.begin(); it != object.end(); ++it)
        colors[it.key().toStdString()] = QColor(it.value().toString());
    return colors;
}

std::string_view levelName(machines::MemoryKind kind) {
    switch (kind) {
    case machines::MemoryKind::Host:
        return "host";
    case machines::MemoryKind::Device:
        return "device";
    case machines::MemoryKind::Cache:
        return "middle";
    case machines::MemoryKind::Scratchpad:
        return "scratchpad";
    case machines::MemoryKind::Registers:
        break;
    }
    return "registers";
}

/// Fusion with outlines of check boxes that show on a dark window, too: its own are always darker
/// than it.
class Style final : public QProxyStyle {
public:
    Style()
        : QProxyStyle(QStringLiteral("Fusion")) { }
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element != PE_IndicatorCheckBox || g_theme != Theme::Dark)
            return;
        painter->setPen(Palette::current().role("textDisabled"));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    }
};

/// Relative luminance, WCAG 2.
double luminance(const QColor& color) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

} // namespace

struct PaletteLoader {
    static QJsonObject tokens() {
        initResources();
        QFile file(QStringLiteral(":/themes/tokens.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                              : QJsonObject();
    }

    static Palette::Data read(const QString& theme) {
        const QJsonObject all = tokens();
        const auto part = [&](const char* group) {
            return readColors(all[QLatin1String(group)][theme].toObject());
        };
        Palette::Data data{part("palette"), part("selection"), part("machine"),
            part("operatorClass"), part("bound"), part("memoryLevel"), part("verdict"), {}};
        for (const auto& stop : all[QLatin1String("sequential")][theme].toArray())
            data.sequential.emplace_back(stop.toString());
        return data;
    }

    static const Palette& palette(Theme theme) {
        static const Palette::Data kLight = read(QStringLiteral("light"));
        static const Palette::Data kDark = read(QStringLiteral("dark"));
        static const Palette kPalettes[2] = {make(kLight), make(kDark)};
        return kPalettes[theme == Theme::Dark ? 1 : 0];
    }

    static Palette make(const Palette::Data& data) {
        Palette palette;
        palette.m_data = &data;
        return palette;
    }
};

const Palette& Palette::current() {
    return PaletteLoader::palette(g_theme);
}

Theme Palette::theme() {
    return g_theme;
}

void Palette::apply(QApplication& application, Theme theme) {
    g_theme = theme;
    application.setStyle(new Style);
    const Palette& own = current();
    QPalette colors(own.role("button"), own.role("window"));
    colors.setColor(QPalette::Window, own.role("window"));
    colors.setColor(QPalette::WindowText, own.role("text"));
    colors.setColor(QPalette::Base, own.role("base"));
    colors.setColor(QPalette::AlternateBase, own.role("alternate"));
    colors.setColor(QPalette::Text, own.role("text"));
    colors.setColor(QPalette::Button, own.role("button"));
    colors.setColor(QPalette::ButtonText, own.role("text"));
    colors.setColor(QPalette::BrightText, own.role("error"));
    colors.setColor(QPalette::Highlight, own.role("highlight"));
    colors.setColor(QPalette::HighlightedText, own.role("highlightText"));
    colors.setColor(QPalette::Link, own.role("link"));
    colors.setColor(QPalette::LinkVisited, own.role("link"));
    colors.setColor(QPalette::ToolTipBase, own.role("toolTip"));
    colors.setColor(QPalette::ToolTipText, own.role("text"));
    colors.setColor(QPalette::PlaceholderText, own.role("textSecondary"));
    colors.setColor(QPalette::Light, own.role("buttonTop"));
    colors.setColor(QPalette::Mid, own.role("separator"));
    colors.setColor(QPalette::Midlight, own.role("grid"));
    colors.setColor(QPalette::Dark, own.role("border"));
    colors.setColor(QPalette::Shadow, own.role("border"));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        colors.setColor(QPalette::Disabled, role, own.role("textDisabled"));
    application.setPalette(colors);
}

QColor Palette::role(std::string_view name) const {
    return find(m_data->roles, name, QColor(Qt::magenta));
}

QColor Palette::selection(std::string_view name) const {
    return find(m_data->selection, name, role("text"));
}

QColor Palette::machine(std::string_view family) const {
    return find(m_data->machine, family, role("neutral"));
}

QColor Palette::operatorClass(ir::OpClass opClass) const {
    switch (opClass) {
    case ir::OpClass::Contraction:
        return find(m_data->operatorClass, "contraction", role("neutral"));
    case ir::OpClass::Normalisation:
        return find(m_data->operatorClass, "normalisation", role("neutral"));
    case ir::OpClass::Pointwise:
        return find(m_data->operatorClass, "pointwise", role("neutral"));
    case ir::OpClass::Movement:
        return find(m_data->operatorClass, "movement", role("neutral"));
    case ir::OpClass::Control:
    case ir::OpClass::Other:
        break;
    }
    return role("neutral");
}

QColor Palette::bound(lowering::Bound bound) const {
    switch (bound) {
    case lowering::Bound::Compute:
        return find(m_data->bound, "compute", role("neutral"));
    case lowering::Bound::Memory:
        return find(m_data->bound, "memory", role("neutral"));
    case lowering::Bound::Scheduling:
        return find(m_data->bound, "scheduling", role("neutral"));
    case lowering::Bound::Unknown:
        break;
    }
    return role("neutral");
}

QColor Palette::memoryLevel(machines::MemoryKind kind) const {
    return find(m_data->memoryLevel, levelName(kind), role("neutral"));
}

QColor Palette::verdict(std::string_view name) const {
    return find(m_data->verdict, name, role("neutral"));
}

QColor Palette::sequential(double position) const {
    const auto& stops = m_data->sequential;
    if (stops.empty() || std::isnan(position))
        return role("neutralSoft");
    const double at = std::clamp(position, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const auto high = std::min(low + 1, stops.size() - 1);
    const double part = at - static_cast<double>(low);
    const auto mix = [&](float a, float b) { return static_cast<float>(a + (b - a) * part); };
    return QColor::fromRgbF(mix(stops[low].redF(), stops[high].redF()),
        mix(stops[low].greenF(), stops[high].greenF()),
        mix(stops[low].blueF(), stops[high].blueF()));
}

QColor Palette::textOn(const QColor& mark) {
    // Contrast with white is 1.05 / (L + 0.05), with black (L + 0.05) / 0.05: equal at L = 0.179
    // (WCAG 2).
    return luminance(mark) > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

QVector<qreal> Palette::dash(machines::MemoryKind kind) {
    static const QJsonObject kDashes =
        PaletteLoader::tokens()[QLatin1String("memoryLevel")][QLatin1String("dash")].toObject();
    const auto name = levelName(kind);
    QVector<qreal> pattern;
    for (const auto& part :
        kDashes[QLatin1String(name.data(), static_cast<qsizetype>(name.size()))].toArray())
        pattern.push_back(part.toDouble());
    return pattern;
}

} // namespace fivefold::views::common
