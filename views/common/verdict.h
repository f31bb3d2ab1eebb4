// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"
#include "views/common/panel_frame.h"

#include <QColor>

#include <map>
#include <memory>
#include <optional>
#include <span>

class QPainter;

namespace fivefold::views::common {

// The verdicts of a comparison, the same in every panel.
QString verdictName(compare::Verdict verdict); ///< "clean", …
QColor verdictColour(compare::Verdict verdict); ///< grey for unmatched and missing
/// ✓ ≈ ↓ ✕ ↑ ? … on a disc in the verdict's colour, centred in `rect`, as large as fits; unmatched
/// is dashed, missing dotted, both without a fill.
void paintVerdictGlyph(QPainter& painter, const QRectF& rect, compare::Verdict verdict);
/// Border of a box under the verdict lens: 3 px for an origin, dashed for unmatched, dotted for
/// missing, else 2 px.
QPen verdictPen(compare::Verdict verdict);
LegendEntry verdictEntry(compare::Verdict verdict);

/// What a comparison says of captured nodes.
struct VerdictState {
    compare::Verdict verdict = compare::Verdict::Missing;
    std::size_t layer = 0; ///< that says so
    std::int64_t wrong = 0, total = 0; ///< elements, of that layer
};

/// Verdicts by captured node. O(layers) to make, O(log layers) to ask.
class VerdictMap {
public:
    explicit VerdictMap(std::shared_ptr<const compare::Divergence> divergence);

    /// The gravest of its outputs; nullopt: not compared.
    std::optional<VerdictState> of(ir::NodeId node) const;
    std::optional<VerdictState> of(ir::ValueId value) const; ///< one output, or an input
    /// The gravest of all: origin, inherited, healed, benign, clean, unmatched, missing.
    std::optional<VerdictState> of(std::span<const ir::NodeId> nodes) const;

private:
    std::map<std::uint32_t, VerdictState> m_states; ///< by node
    std::map<std::uint32_t, VerdictState> m_values;
};

} // namespace fivefold::views::common
