// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/operators.h"
#include "core/lowering/program.h"
#include "core/machines/machine.h"

#include <QColor>
#include <QPalette>
#include <QVector>

#include <string_view>

class QApplication;

namespace fivefold::views::common {

enum class Theme { Light, Dark };

/// All colours by role, from resources/themes/tokens.json. Panels ask here and nowhere else.
class Palette {
public:
    static const Palette& current(); ///< of the active theme
    static Theme theme();
    /// Switches style (Fusion), QPalette and chart colours of the application; emits nothing: the
    /// caller updates windows.
    static void apply(QApplication& application, Theme theme);

    /// Role names of tokens.json "palette": "canvas", "textSecondary", "grid", "hatch", …
    QColor role(std::string_view name) const;
    QColor selection(std::string_view name) const; ///< "ring", "halo", "row", "hover", "brush"
    QColor machine(std::string_view family) const;
    QColor operatorClass(ir::OpClass opClass) const;
    QColor bound(lowering::Bound bound) const;
    QColor memoryLevel(machines::MemoryKind kind) const;
    QColor verdict(std::string_view name) const;
    /// Six stops, linear in L*; position 0..1.
    QColor sequential(double position) const;
    /// Black or white, whichever contrasts more with the mark.
    static QColor textOn(const QColor& mark);
    /// Dash pattern of a memory level's line.
    static QVector<qreal> dash(machines::MemoryKind kind);

private:
    friend struct PaletteLoader;
    struct Data;
    const Data* m_data = nullptr;
};

/// Second cues. Paint inside `rect`, in the class colour.
void paintClassGlyph(
    QPainter& painter, const QRectF& rect, ir::OpClass opClass, const QColor& color);
void paintBoundGlyph(
    QPainter& painter, const QRectF& rect, lowering::Bound bound, const QColor& color);
void paintMachineGlyph(
    QPainter& painter, const QRectF& rect, std::string_view family, const QColor& color);
/// Padding hatch: 45°, pitch 6, 1.5 px; unresolved hatch: 135°, pitch 10.
void paintHatch(
    QPainter& painter, const QRectF& rect, const QColor& color, bool isUnresolved = false);
/// The one look of a selection: 2 px ring and 4 px halo outside it; hover: 1 px outline.
void paintSelectionRing(QPainter& painter, const QRectF& rect, bool isPrimary, qreal radius = 3);
void paintHoverOutline(QPainter& painter, const QRectF& rect, qreal radius = 3);

} // namespace fivefold::views::common
