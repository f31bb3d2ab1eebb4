// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"

#include <QString>

namespace fivefold::views::common {

// Words for what the core names by an enumeration, as they stand in panels.
QString boundName(lowering::Bound bound); ///< "compute", "memory", "scheduling", "unknown"
QString className(ir::OpClass opClass); ///< "contraction", …
QString stageName(lowering::Stage stage); ///< "Laid out"
QString statusName(machines::FigureStatus status); ///< "published", …
QString supportName(
    lowering::Support support); ///< "native", "decomposed", "on the host", "unsupported"
QString severityName(base::Severity severity); ///< "error", "warning", "note"
QString roleName(lowering::ValueRole role); ///< "weight", "activation", …
QString decidedByName(lowering::DecidedBy decider);
QString dtypeName(ir::DType dtype); ///< "fp16"; "?" when undefined

/// A node's path as labels show it, so that no two operators look alike: without the slash in
/// front, without a scope that the next one repeats ("layer1.0/conv1/Conv" of
/// "/layer1/layer1.0/conv1/Conv"), and without an operator that its only step repeats ("conv1/conv"
/// of "conv1/Conv/conv"). Paths over kLongestName characters lose scopes at the front
/// ("…/stft/Conv").
QString shortName(const std::string& name);
constexpr int kLongestName = 40;
/// A path of at most so many characters, without scopes at the front where it must be; its last two
/// parts always stay.
QString fitPath(const QString& path, int longest);
/// The short name of a step: of the captured operator where the step is all that it became, else
/// with the name of the part ("attn/Softmax/exp").
QString stepName(const analysis::Result& result, lowering::StepId step);
/// True when the result's times carry a measured error band.
bool isValidated(const analysis::Result& result);
/// "8.1 µs (7.1–9.1)" with a measured band, "~8.1 µs" without one, "unknown" for nothing.
QString timeWithBand(const lowering::Estimate& estimate);
/// "8.1 µs (7.1–9.1)": the limits without their unit where it is the time's.
QString timeBetween(base::Seconds time, base::Seconds low, base::Seconds high);
/// "not validated", or "±12.8 % on 49 points".
QString validationText(const analysis::Result& result);
/// What a figure rests on, for tool tips: "published: IBM product page".
QString sourceText(const machines::Figure& figure);
/// Model, machine, precision, settings, program version and error band: the foot of every export.
QString footLine(const analysis::Result& result);
/// The text with an upper-case first letter and a full stop, as sentences of the core come without
/// one.
QString asSentence(const std::string& text);
/// What a text says first, without a full stop: its first sentence, and of one over
/// kLongestClause characters what stands before its last "; " or ": " that keeps it within. Never
/// empty for a text that is not; a full stop inside a name or a number ends nothing.
QString firstClause(const QString& text);
constexpr int kLongestClause = 110;

} // namespace fivefold::views::common
