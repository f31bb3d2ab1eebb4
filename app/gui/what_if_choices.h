// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/session.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::app {

/// One thing that was tried beside the sizes and settings: a cut kernel, a substitute, an
/// implementation, a placement, an input's layout.
struct TriedChoice {
    QString text; ///< "Substitute for /Gelu: tanh form"
    std::function<void(Choices&)> remove;
};

/// What was tried, of the family on screen, by kind and then by name.
std::vector<TriedChoice> triedChoices(const Choices& choices);

/// The modes of the family's compiler that its settings can stand for, by id; empty where there are
/// less than two, or where a setting or the precision is the same list.
std::vector<const lowering::PipelineMode*> modelledModes(const machines::Machine& machine);

/// The mode whose settings are all in force; nullopt: none (a mixture).
std::optional<std::string> currentMode(const Choices& choices);
/// What the untouched choices are in.
std::optional<std::string> defaultMode(const machines::Machine& machine);

/// Sets what a mode sets; the others' settings return to their defaults.
void setMode(Choices& choices, const std::string& id);
/// Returns every setting that some mode sets to its default.
void clearMode(Choices& choices);

} // namespace fivefold::app
