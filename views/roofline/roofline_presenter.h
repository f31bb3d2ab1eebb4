// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/view_state.h"

#include <optional>
#include <vector>

namespace fivefold::views::roofline {

/// A ceiling of the chart: FLOP/s when flat, bytes/s when slanted.
struct Roof {
    QString label; ///< "fp16 98.3 TFLOP/s"
    QString source; ///< "published: …"
    machines::FigureStatus status = machines::FigureStatus::Estimated;
    bool isMemory = false;
    bool isCurrent = false; ///< the compute ceiling of the chosen precision
    double value = 0;
    std::size_t level = 0; ///< of a memory roof
    machines::MemoryKind kind = machines::MemoryKind::Device;
};

/// One step as the chart shows it.
struct Dot {
    lowering::StepId step;
    QString name;
    double intensity = 0; ///< FLOP per byte at `level`
    double achieved = 0; ///< FLOP/s, never above the roofs that hold for it
    double share = 0; ///< of the program's time, 0..1
    base::Seconds time; ///< of all executions
    lowering::Bound bound = lowering::Bound::Unknown;
    std::size_t level = 0;
    std::optional<double> cap; ///< FLOP/s that its scheduling alone allows
    std::vector<std::pair<std::size_t, double>> levels; ///< (level, FLOP per byte), far to near
    bool isClamped = false; ///< the model's figure was above a roof
    /// Its bytes stay at levels without a published bandwidth: no slanted roof holds for it.
    bool isWithoutRoof = false;
};

/// Everything the chart draws, whatever its size. Built once a result.
struct Picture {
    std::vector<Roof> roofs;
    std::vector<Dot> dots; ///< by falling time
    double peak = 0; ///< FLOP/s of the current ceiling; 0: unknown
    std::size_t withoutTraffic = 0; ///< points without bytes at any level: they have no place
    std::size_t unknownSteps = 0;
    std::size_t farLevel = 0; ///< level of most dots

    const Roof* memoryRoof(std::size_t level) const;
    bool hasDotsWithoutRoof() const;
};

Picture present(const analysis::Result& result);
/// The lowest roof at this intensity of the level and under the current compute ceiling; nullopt
/// without any.
std::optional<double> roofAt(const Picture& picture, std::size_t level, double intensity);
/// Index of the dot of the selection that takes most time.
std::optional<std::size_t> selectedDot(const Picture& picture, const common::ViewState& state);
QString sentence(const Picture& picture, const common::ViewState& state);

} // namespace fivefold::views::roofline
