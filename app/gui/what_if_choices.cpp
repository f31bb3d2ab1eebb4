// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/what_if_choices.h"

#include "core/analysis/precisions.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::app {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::app::WhatIfBar", text);
}

QString q(const std::string& text) {
    return QString::fromStdString(text);
}

/// "8×128 (512, 1)": a layout in the words of its family.
QString layoutText(const lowering::DeviceLayout& layout) {
    QStringList sizes;
    QStringList strides;
    for (const std::int64_t size : layout.deviceSize)
        sizes << QString::number(size);
    for (const std::int64_t stride : layout.strideMap)
        strides << QString::number(stride);
    return QStringLiteral("%1 (%2)").arg(
        sizes.join(QStringLiteral("×")), strides.join(QStringLiteral(", ")));
}

void addEdits(std::vector<TriedChoice>& tried, const Choices& choices) {
    const auto edits = choices.fusionEdits.find(choices.machine->family);
    if (edits == choices.fusionEdits.end())
        return;
    for (std::size_t i = 0; i < edits->second.size(); ++i) {
        const lowering::FusionEdit& edit = edits->second[i];
        const bool isSplit = edit.kind == lowering::FusionEdit::Kind::Split;
        tried.push_back({isSplit ? tr("Kernel cut before %1").arg(q(edit.node))
                                 : tr("Kernel of %1 joined with the next").arg(q(edit.node)),
            [family = edits->first, i](Choices& changed) {
                auto& list = changed.fusionEdits[family];
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
                if (list.empty())
                    changed.fusionEdits.erase(family);
            }});
    }
}

const lowering::SettingInfo* findSetting(
    const std::vector<lowering::SettingInfo>& infos, std::string_view key) {
    const auto found = std::ranges::find(infos, key, &lowering::SettingInfo::key);
    return found == infos.end() ? nullptr : &*found;
}

std::vector<lowering::SettingInfo> settingsOf(const machines::Machine& machine) {
    const lowering::Family* family = analysis::findFamily(machine.family);
    return family ? family->settings(machine) : std::vector<lowering::SettingInfo>{};
}

bool isInForce(const Choices& choices, const std::vector<lowering::SettingInfo>& infos,
    std::string_view key, std::string_view value) {
    if (key == "fusion")
        return choices.isFusionOn == (value == "on");
    if (key == "precision") {
        const auto precision = choices.precision.value_or(choices.machine->defaultPrecision());
        return machines::toString(precision) == value;
    }
    if (const auto set = choices.settings.find(std::string(key)); set != choices.settings.end())
        return set->second == value;
    const lowering::SettingInfo* info = findSetting(infos, key);
    return info && info->defaultValue == value;
}

void apply(Choices& choices, const std::vector<lowering::SettingInfo>& infos, std::string_view key,
    std::string_view value) {
    if (key == "fusion") {
        choices.isFusionOn = value == "on";
    } else if (key == "precision") {
        for (const auto precision : analysis::precisions(*choices.machine))
            if (machines::toString(precision) == value)
                choices.precision = precision;
    } else {
        const lowering::SettingInfo* info = findSetting(infos, key);
        if (info && info->defaultValue == value)
            choices.settings.erase(std::string(key));
        else
            choices.settings[std::string(key)] = std::string(value);
    }
}

} // namespace

std::vector<TriedChoice> triedChoices(const Choices& choices) {
    std::vector<TriedChoice> tried;
    addEdits(tried, choices);
    for (const auto& [node, rule] : choices.substitutes)
        tried.push_back({tr("Substitute for %1: %2").arg(q(node), q(rule)),
            [node = node](Choices& changed) { changed.substitutes.erase(node); }});
    for (const auto& [node, values] : choices.implementations) {
        QStringList texts;
        for (const auto& [key, value] : values)
            texts << q(key) + QLatin1Char(' ') + q(value);
        tried.push_back(
            {tr("Implementation of %1: %2").arg(q(node), texts.join(QStringLiteral(", "))),
                [node = node](Choices& changed) { changed.implementations.erase(node); }});
    }
    for (const auto& [value, level] : choices.placements)
        tried.push_back({tr("%1 kept in %2").arg(q(value), q(level)),
            [value = value](Choices& changed) { changed.placements.erase(value); }});
    for (const auto& [name, layout] : choices.inputLayouts)
        tried.push_back({tr("Input %1 arrives as %2").arg(q(name), layoutText(layout)),
            [name = name](Choices& changed) { changed.inputLayouts.erase(name); }});
    return tried;
}

std::vector<const lowering::PipelineMode*> modelledModes(const machines::Machine& machine) {
    std::vector<const lowering::PipelineMode*> modes;
    const lowering::Family* family = analysis::findFamily(machine.family);
    if (!family || findSetting(family->settings(machine), "mode"))
        return modes;
    bool isMoreThanPrecision = false;
    for (const lowering::PipelineMode& mode : family->compilerPipeline().modes) {
        if (!mode.isModelled || mode.settings.empty())
            continue;
        modes.push_back(&mode);
        for (const auto& [key, value] : mode.settings)
            isMoreThanPrecision |= key != "precision";
    }
    if (modes.size() < 2 || !isMoreThanPrecision)
        modes.clear();
    return modes;
}

std::optional<std::string> currentMode(const Choices& choices) {
    const auto infos = settingsOf(*choices.machine);
    for (const lowering::PipelineMode* mode : modelledModes(*choices.machine))
        if (std::ranges::all_of(mode->settings, [&](const auto& setting) {
                return isInForce(choices, infos, setting.first, setting.second);
            }))
            return std::string(mode->id);
    return std::nullopt;
}

std::optional<std::string> defaultMode(const machines::Machine& machine) {
    Choices untouched;
    // The choices outlive nothing: the pointer is not kept.
    untouched.machine = std::shared_ptr<const machines::Machine>(
        std::shared_ptr<const machines::Machine>(), &machine);
    return currentMode(untouched);
}

void clearMode(Choices& choices) {
    for (const lowering::PipelineMode* mode : modelledModes(*choices.machine))
        for (const auto& [key, value] : mode->settings) {
            if (key == "fusion")
                choices.isFusionOn = true;
            else if (key == "precision")
                choices.precision.reset();
            else
                choices.settings.erase(std::string(key));
        }
}

void setMode(Choices& choices, const std::string& id) {
    const auto infos = settingsOf(*choices.machine);
    clearMode(choices);
    for (const lowering::PipelineMode* mode : modelledModes(*choices.machine))
        if (mode->id == id)
            for (const auto& [key, value] : mode->settings)
                apply(choices, infos, key, value);
}

} // namespace fivefold::app
