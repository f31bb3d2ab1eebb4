// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/element_grid.h"
#include "views/divergence/focus.h"

#include <QString>
#include <QVector>

#include <memory>

namespace fivefold::views::divergence {

/// What the fill of an element means.
enum class ElementColour { Delta, Relative, Ulp, Verdict };

/// What the machine calls the parts of a layout.
struct LayoutWords {
    QString unit, line, lane; ///< "core", "stick", "lane"
};
LayoutWords layoutWords(const std::string& family);

/// Everything that the elements view draws of one layer.
struct ElementsPicture {
    std::shared_ptr<const compare::Divergence> divergence;
    std::optional<std::size_t> layer;
    QString reason; ///< not empty: why there is nothing to draw, a sentence
    QString noDevice; ///< not empty: why there are no device coordinates
    ElementGrid logical, device;
    LayoutWords words;
    const compare::Divergence::Contents* contents = nullptr; ///< null: values are not in memory
    const numerics::Lanes* lanes = nullptr; ///< of an origin where a rung laid it out
    ElementColour colour = ElementColour::Delta;
    /// By flat index: 1 wrong, 2 differs between repeats (bits).
    std::vector<std::uint8_t> marks;
    std::vector<float> measure; ///< by flat index: |Δ|, relative or ULP; empty: not known
    double low = 0, high = 1; ///< log10 at the ends of the scale, locked for the layer
    QString pattern; ///< "only indices ≥ 64"

    bool isEmpty() const { return !reason.isEmpty(); }
    const compare::Layer& at() const { return divergence->layers[*layer]; }
    bool isWrong(std::int64_t flat) const { return marks[static_cast<std::size_t>(flat)] & 1; }
    /// 0..1 on the locked log scale; 0 for no difference.
    double position(double measure) const;
};
/// More elements than this are not drawn: a sentence says so.
constexpr std::int64_t kMostElements = std::int64_t(1) << 26;

/// The picture of the focus's layer. O(elements).
ElementsPicture elementsPicture(const Focus& focus, ElementColour colour);

/// "loop range of the compiled copy [1, 64] · layout [2, 64]"; empty without lanes.
QString loopText(const numerics::Lanes& lanes);
/// "[1, 64]" of the loop range, "[2, 64]" of the layout.
QString loopExtents(const numerics::Lanes& lanes);
QString layoutExtents(const layout::TensorLayout& layout);
/// Whether the compiled loops cover a row of the device grid: nullopt where they do not say, else
/// the columns [first, last) that they cover (0, 0: none).
std::optional<std::pair<std::int64_t, std::int64_t>> coverOf(
    const ElementsPicture& picture, std::int64_t row);

QString elementsSentence(const ElementsPicture& picture, std::optional<std::int64_t> element);
QString colourName(ElementColour colour); ///< "|Δ|, log"

/// A line of the element card.
struct CardLine {
    QString name, value;
    bool isStrong = false;
};
/// Reference, device, Δ, expected from the device's own inputs, address, stick and lane, transfers,
/// loop range, source nodes. What is not known says so.
QVector<CardLine> elementCard(const ElementsPicture& picture, const Focus& focus);

} // namespace fivefold::views::divergence
