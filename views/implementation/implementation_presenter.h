// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/implementations.h"
#include "views/common/view_state.h"

#include <QStringList>
#include <QVector>

#include <array>

namespace fivefold::views::implementation {

/// The two sides that are compared.
enum class Side { A, B };
constexpr std::size_t kSides = 2;
constexpr std::size_t index(Side side) {
    return static_cast<std::size_t>(side);
}

/// What is chosen on both sides for one operator.
struct Chosen {
    std::array<lowering::ImplementationValues, kSides> values;
    std::string focus; ///< key whose values the sweep shows
    bool operator==(const Chosen&) const = default;
};

/// One key: a row with a value on each side.
struct ChoiceRow {
    std::string key;
    QString name;
    QStringList values;
    std::array<int, kSides> chosen{}; ///< indices into `values`
    int preset = 0;
    bool isApplied = false; ///< the whole model can be lowered with it
    bool isFocused = false;
};

/// One figure of both sides.
struct FigureRow {
    QString label;
    std::array<QString, kSides> text;
    std::array<double, kSides> share{}; ///< of the larger side, 0..1
    QString ratio; ///< B ÷ A: "×1.4", "equal"
    bool isTime = false;
};

/// One value of the key in focus, the others as on side B.
struct SweepBar {
    QString value;
    QString time; ///< "8.3 µs"
    double share = 0; ///< of the slowest that fits, 0..1
    QString misfit; ///< why the machine cannot run it; empty: it can
    QString because;
    bool isPreset = false;
};

/// What the panel shows of the selected operator on this machine.
struct Picture {
    ir::NodeId node;
    QString title; ///< "attn/c_attn/MatMul · m 128 × n 2304 × k 768"
    QString reason; ///< why there is nothing; empty: there is
    std::vector<ChoiceRow> choices;
    std::vector<FigureRow> figures;
    std::vector<SweepBar> sweep;
    std::array<QString, kSides> because, misfit;
    std::array<double, kSides> seconds{};
    bool isEmpty() const { return !reason.isEmpty(); }
};

/// The first selected operator that has a choice; invalid without any. O(selected).
ir::NodeId operatorOf(const common::ViewState& state);
/// Side A as the model runs, side B the fastest other value of the first key.
Chosen startingWith(const analysis::Result& result, ir::NodeId node);
Picture present(const common::ViewState& state, ir::NodeId node, const Chosen& chosen);
/// What the two sides differ in, in one sentence.
QString sentence(const Picture& picture);
/// Label, A, B, ratio.
QString csv(const Picture& picture);

} // namespace fivefold::views::implementation
