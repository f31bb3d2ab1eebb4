// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/roofline/roofline_presenter.h"

#include <memory>

namespace fivefold::views::roofline {

/// From an operator's dot in the other result to its dot in the shown one.
struct Arrow {
    std::size_t from = 0; ///< index into Overlay::picture.dots
    std::size_t to = 0; ///< index into the shown picture's dots
};

/// A second result of the same model under the shown one: the state before, or another machine.
struct Overlay {
    std::shared_ptr<const analysis::Result> result;
    QString name; ///< "before", "NVIDIA A100"
    bool isBefore = false;
    std::string family; ///< of the machine, for its colour
    Picture picture;
    std::vector<Arrow> arrows; ///< of the operators that have a dot in both, longest first
};

/// Pairs the dots by the captured operator that names their step (by name for operators that a
/// compiler added); the longest step of each stands for it. O(dots · log dots).
Overlay makeOverlay(const analysis::Result& shown, const Picture& picture,
    std::shared_ptr<const analysis::Result> other, bool isBefore);

/// "Against before: 88.8 → 71.2 µs; …": the totals of both, and how the operator moved that is
/// selected or, without one, moved most.
QString overlaySentence(const Overlay& overlay, const Picture& picture,
    const analysis::Result& shown, std::optional<std::size_t> selected);

} // namespace fivefold::views::roofline
