// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/compare/divergence.h"

#include <QString>

namespace fivefold::views::divergence {

// Words of the divergence panels.
QString rungName(numerics::Rung rung); ///< "laid out"
QString rungShortName(numerics::Rung rung); ///< where the rungs stand close: "sched."
QString levelName(numerics::Level level); ///< "decomposition", "DMA"
QString levelTag(numerics::Level level); ///< as on the gaps of the ladder: "decompose"
QString howName(compare::HowKnown how); ///< "proved"
QString ruleName(compare::MatchRule rule); ///< "exact name"
/// A value of a tensor: "64.0", "−0.03125", "1.25e−7", "NaN", "∞".
QString valueText(double value);
/// An error: three digits, "0" only for none.
QString errorText(double error);
QString layerName(const compare::Layer& layer); ///< of the node, else the dump's key
QString wrongText(const compare::Layer& layer); ///< "1 / 65"; "–" where nothing was compared
QString indexText(const std::vector<std::int64_t>& shape, std::int64_t flat); ///< "[0, 64]", "64"
bool isCompared(const compare::Layer& layer); ///< neither unmatched nor missing

/// The banner's three lines.
struct BannerText {
    compare::Verdict mark = compare::Verdict::Clean; ///< glyph and stripe
    QString headline, level, proof;
    std::optional<compare::HowKnown> how; ///< nullopt: no frame
    bool isHang = false;
};
/// `origin`: index into the origins; nullopt: nothing diverges, or a hang.
BannerText bannerOf(const compare::Divergence& divergence, std::optional<std::size_t> origin);

QString layersSentence(const compare::Divergence& divergence);
QString ladderSentence(const compare::Divergence& divergence, std::optional<std::size_t> origin);
/// Whether the verdict has waits or transfers to draw.
bool hasWaits(const compare::LevelVerdict* verdict);
QString waitsSentence(const compare::LevelVerdict& verdict);

} // namespace fivefold::views::divergence
