// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/compare/divergence.h"

#include <QRectF>
#include <QString>
#include <QVector>

namespace fivefold::views::divergence {

/// Who waits for whom, which queues are full, and when transfers came.
struct WaitsPicture {
    struct Node {
        lowering::EventId event;
        QString name; ///< "read of /clone"
        bool isInCycle = false;
    };
    struct Edge {
        int from = 0, to = 0; ///< into nodes
        QString label; ///< "waits for room in A → B"
        bool isInCycle = false;
    };
    struct Queue {
        QString name; ///< "LPDDR5 in → array"; it is full: somebody waits for room in it
        QString words; ///< who waits
    };
    struct Bar {
        QString name; ///< "#3 LX → LPDDR5"
        base::Picoseconds issued, completed, firstRead;
        std::optional<base::Picoseconds> deadline;
        bool isClean = true, isLate = false; ///< late: past its deadline
        QString words; ///< "256 B equal", "192 of 256 B copied"
    };
    QVector<Node> nodes; ///< the cycle first, in its order
    QVector<Edge> edges;
    qsizetype hiddenNodes = 0; ///< that also wait
    QVector<Queue> queues;
    QVector<Bar> bars;
    base::Picoseconds first, last; ///< of the bars, deadlines included
    std::optional<base::Picoseconds> stoppedAt;

    bool isEmpty() const { return nodes.isEmpty() && bars.isEmpty(); }
};
/// `result`: names events and queues where its program is the one that was run; may be null.
WaitsPicture waitsPicture(const compare::LevelVerdict& verdict, const analysis::Result* result);
QString transferWords(const numerics::Transfer& transfer); ///< "256 B equal"

struct WaitsGeometry {
    QVector<QRectF> nodes;
    QVector<QRectF> queues; ///< the bar of occupancy
    QVector<QRectF> bars; ///< a row of the time axis
    QRectF graph, queueTitle, barTitle, axis;
    double height = 0; ///< that all of it needs
    double x(const WaitsPicture& picture, base::Picoseconds at) const;
};
WaitsGeometry waitsGeometry(const WaitsPicture& picture, double width, double height);

} // namespace fivefold::views::divergence
