// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/machine_diagram.h"
#include "views/common/hover_card.h"
#include "views/common/panel_frame.h"
#include "views/common/view_state.h"

#include <QString>
#include <QVector>

#include <memory>
#include <optional>

namespace fivefold::views::machine {

/// One box of the machine in words, and what the selection has to do with it.
struct Box {
    std::size_t index = 0; ///< into the diagram
    QString title; ///< "core × 32", "LX"
    QString figures; ///< "2 MiB · unknown B/s"
    QString detail; ///< shape, who manages it
    machines::FigureStatus status =
        machines::FigureStatus::Published; ///< of the weakest figure shown
    bool hasStatus = false;
    bool isHome = false; ///< the selected tensor lies here
    bool isUsed = false; ///< the selected operator uses it
    bool isBound = false; ///< and waits for it
    QString use; ///< "32 of 32 work", "holds 192 KiB, 0.2 %"
    double share = 0; ///< of units that work, or of the capacity that is held; 0..1
};

/// The product that the array steps through.
struct Stepping {
    analysis::MachineArray array;
    analysis::Product product;
    lowering::SystolicRun run;
    QString name; ///< of the operator
    bool isSelected = false; ///< false: the program's first product, as nothing fitting is selected
};

struct Picture {
    std::shared_ptr<const machines::Machine> machine;
    analysis::MachineDiagram diagram;
    QVector<Box> boxes; ///< one a box of the diagram
    std::optional<Stepping> stepping;
    QString noStepping; ///< why the array does not step
    QString reason; ///< why there is nothing to show

    bool isEmpty() const { return machine == nullptr; }
};

Picture present(const common::ViewState& state);

/// What the machine is, or where the selection lives on it.
QString sentence(const Picture& picture, const common::ViewState& state);
common::CardContent card(const Picture& picture, std::size_t box);
common::CardContent vocabularyCard(const Picture& picture);
/// "launched as one: bundle", in the order of the notions.
QStringList vocabulary(const Picture& picture);
/// A box as one line of the list twin.
QString twinText(const Picture& picture, std::size_t box);
common::Legend legend(const Picture& picture);
QString footnote(const Picture& picture);
/// box, inside, kind, count, figure, value, unit, status, source: one line a figure.
QString csv(const Picture& picture);

/// "cycle 1,234 of 55,871", "fold 3 of 108 …", "stream 12 of 300", and the closed form with its
/// sizes.
QStringList cycleTexts(const Stepping& stepping, std::int64_t cycle);
/// The closed form in numbers: "⌈768/128⌉·⌈2304/128⌉·(128 + 2·128 + 128 − 2) − 1 = 55,079 cycles".
QString closedForm(const Stepping& stepping);

} // namespace fivefold::views::machine
