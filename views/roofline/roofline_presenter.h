// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/roofline/gap.h"
#include "views/common/view_state.h"

#include <optional>
#include <vector>

namespace fivefold::views::roofline {

using fivefold::roofline::Charge;

/// A ceiling of the chart: FLOP/s when flat, bytes/s when slanted.
struct Roof {
    QString name; ///< "fp16", "LPDDR5"
    QString label; ///< "fp16 98.3 TFLOP/s"
    QString source; ///< "published: …"
    machines::FigureStatus status = machines::FigureStatus::Estimated;
    bool isMemory = false;
    bool isCurrent = false; ///< the compute ceiling of the chosen precision
    double value = 0;
    std::size_t level = 0; ///< of a memory roof
    machines::MemoryKind kind = machines::MemoryKind::Device;
};

/// An operator at one memory level.
struct LevelDot {
    std::size_t level = 0;
    double intensity = 0; ///< FLOP per byte of this level
    base::Bytes bytes; ///< of all executions
};

/// A measurement of the same operator.
struct Measured {
    double achieved = 0; ///< FLOP/s; may lie above a roof
    QString source;
    QString reason; ///< why it lies above a roof ("operands fit L2"); empty below
};

/// One step as the chart shows it.
struct Dot {
    lowering::StepId step;
    QString name;
    double intensity = 0; ///< FLOP per byte at `level`
    double achieved = 0; ///< FLOP/s, never above the roofs that hold for it
    double share = 0; ///< of the program's time, 0..1
    base::Seconds time; ///< of all executions
    base::Flops flops; ///< of all executions
    lowering::Bound bound = lowering::Bound::Unknown;
    ir::OpClass opClass = ir::OpClass::Movement;
    std::size_t level = 0;
    std::optional<double> cap; ///< FLOP/s that its scheduling alone allows
    std::vector<LevelDot> levels; ///< where it moves bytes, far to near
    /// The model's figure, where it was above a roof and is drawn on it.
    std::optional<double> above;
    /// Its bytes stay at levels without a published bandwidth: no slanted roof holds for it.
    bool isWithoutRoof = false;
    std::optional<Measured> measured;
};

/// Everything the chart draws, whatever its size. Built once a result.
struct Picture {
    std::vector<Roof> roofs;
    std::vector<Dot> dots; ///< by falling time
    double peak = 0; ///< FLOP/s of the current ceiling; 0: unknown
    std::size_t withoutTraffic = 0; ///< points without bytes at any level: they have no place
    std::size_t unknownSteps = 0;
    std::size_t farLevel = 0; ///< level of most dots
    Charge charge = Charge::ToCause; ///< who pays for relayouts in the caps
    bool hasRelayouts = false; ///< a step's time is charged to another under Charge::ToCause

    const Roof* memoryRoof(std::size_t level) const;
    bool hasDotsWithoutRoof() const;
};

Picture present(const analysis::Result& result, Charge charge = Charge::ToCause);
/// The lowest roof at this intensity of the level and under the current compute ceiling; nullopt
/// without any.
std::optional<double> roofAt(const Picture& picture, std::size_t level, double intensity);
/// Indices of the dots of these steps, in the order of the dots. O(dots + steps).
std::vector<std::size_t> dotsOf(const Picture& picture, const std::vector<lowering::StepId>& steps);
/// Index of the dot of the selection that takes most time.
std::optional<std::size_t> selectedDot(const Picture& picture, const common::ViewState& state);

/// What several operators take together.
struct Sum {
    std::size_t count = 0;
    base::Seconds time;
    double share = 0; ///< of the program's time
    base::Flops flops;
    std::size_t level = 0; ///< the farthest where they move bytes
    base::Bytes bytes; ///< there
    lowering::Bound bound = lowering::Bound::Unknown; ///< of most of the time
};
Sum sumOf(const Picture& picture, const std::vector<std::size_t>& dots);

/// "453 MFLOP"
QString workText(base::Flops flops);
/// FLOP per byte: three digits.
QString intensityText(double intensity);
QString levelName(const analysis::Result& result, std::size_t level);
/// Time, work and bytes of several operators.
QString sumSentence(
    const Picture& picture, const std::vector<std::size_t>& dots, const analysis::Result& result);
QString sentence(const Picture& picture, const common::ViewState& state);

} // namespace fivefold::views::roofline
