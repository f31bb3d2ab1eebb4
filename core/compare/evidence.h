// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// One page: what, where, level, why not the neighbours, excerpt, reproducer, completeness of the
/// capture. Markdown.
std::string evidenceCard(
    const numerics::Subject& subject, const Divergence& divergence, std::size_t origin);

/// The page of a level: symptom, first artefact to look at, what exonerates it, public bugs, a
/// fault that shows it. Reconstructed from public descriptions, and labelled so.
struct LevelPage {
    numerics::Level level = numerics::Level::Capture;
    std::string_view title, symptom, artefact, exonerates;
    std::vector<std::string_view> publicBugs; ///< "torch-spyre 524: …"
    numerics::FaultId lesson{};
};
const LevelPage& levelPage(numerics::Level level);

} // namespace fivefold::compare
