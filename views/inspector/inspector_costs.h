// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/inspector/inspector_presenter.h"

#include <QSet>

#include <span>

/// Lines that say what something costs and why.
namespace fivefold::views::inspector {

/// "12.4 µJ", "unknown".
QString formatEnergy(std::optional<double> joules);
/// "1.2–1.8 µJ" with "at least" where a part is unknown; "unknown" where all are.
QString energyText(const roofline::StepEnergy& energy);
/// Value, range as a band, and in the card every part with its source.
Line energyLine(const QString& label, const roofline::StepEnergy& energy);

/// Time, what the machine's compiler takes it to be, the gap, and what it consists of: compute,
/// each memory level, each part of the scheduling; of all executions. Energy last.
void addTimes(
    Lines& lines, const analysis::Result& result, std::span<const lowering::StepId> steps);

/// Collects sentences, each once.
struct Because {
    Lines lines;
    QSet<QString> seen;
    void add(const QString& sentence, Link link = {});
    void addOnce(Line line);
};
/// The dearest causes of the steps' costs, each with its chain; relayouts that they asked for are
/// among them.
void addCauses(
    Because& because, const analysis::Result& result, std::span<const lowering::StepId> steps);

/// The six stages with what each adds, then the sentence.
void addLadder(Lines& lines, const analysis::Result& result);

} // namespace fivefold::views::inspector
