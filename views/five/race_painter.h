// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel_frame.h"
#include "views/five/race_presenter.h"

#include <QRectF>

class QPainter;

namespace fivefold::views::five {

/// Rectangles of the race for one size.
struct RaceGeometry {
    QSizeF size;
    QVector<QRectF> lanes; ///< whole rows
    QVector<QRectF> tracks; ///< where the events run; the same left and right in all
    QRectF axis;

    double toX(double clock) const; ///< of a course of 0..1
    double fromX(double x) const; ///< clamped to 0..1
    int laneAt(const QPointF& point) const; ///< −1: none
};
RaceGeometry arrangeRace(const RacePicture& picture, const QSizeF& size);
/// The part of its track that a lane's events fill.
QRectF courseOf(const RacePicture& picture, const RaceGeometry& geometry, int lane, RaceClock kind);

/// The events of a lane, as they look before or after they have fired. What never changes while the
/// race runs: kept as a picture.
void paintLane(QPainter& painter, const Lane& lane, const QRectF& course, bool isFired);
/// Background, name, what runs now, place; everything but the events.
void paintLaneWords(QPainter& painter, const RacePicture& picture, const RaceGeometry& geometry,
    int lane, RaceClock kind, double clock);
/// A ring around the events that run now.
void paintRunning(QPainter& painter, const Lane& lane, const QRectF& course, base::Picoseconds at);
void paintRaceAxis(QPainter& painter, const RacePicture& picture, const RaceGeometry& geometry,
    RaceClock kind, double clock);
/// Everything at once, for exports.
void paintRace(QPainter& painter, const RacePicture& picture, const RaceGeometry& geometry,
    RaceClock kind, double clock);
common::Legend raceLegend();

} // namespace fivefold::views::five
