// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/waits_geometry.h"

class QPainter;

namespace fivefold::views::divergence {

/// The wait-for graph with its cycle, full queues at 100 %, transfers with their deadlines.
void paintWaits(QPainter& painter, const WaitsPicture& picture, const WaitsGeometry& geometry,
    int hoveredNode, const QVector<int>& selectedNodes);

} // namespace fivefold::views::divergence
