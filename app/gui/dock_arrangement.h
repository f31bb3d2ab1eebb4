// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QMap>
#include <QSize>
#include <QString>

class QDockWidget;
class QMainWindow;

namespace fivefold::app {

/// Window sizes with an arrangement of their own.
enum class SizeClass { Small, Medium, Wide }; ///< from 1024, 1280 and 1600 pixels of width

SizeClass sizeClass(const QSize& window);

/// Puts the docks (by panel id) into the default arrangement of the size class.
void arrangeDefault(QMainWindow& window, const QMap<QString, QDockWidget*>& docks, SizeClass size);
/// Two graphs above two layouts; everything else is hidden.
void arrangeCompare(QMainWindow& window, const QMap<QString, QDockWidget*>& docks,
    QDockWidget* secondGraph, QDockWidget* secondLayout);
/// The graph and one other panel ("layout"); everything else is hidden.
void arrangeLecture(
    QMainWindow& window, const QMap<QString, QDockWidget*>& docks, const QString& other);
/// Verdict above layers, graph and ladder; below, elements and the one that is selected.
void arrangeDebug(QMainWindow& window, const QMap<QString, QDockWidget*>& docks);
/// The default widths and heights of a class, whatever lies where.
void resizeDefault(QMainWindow& window, const QMap<QString, QDockWidget*>& docks, SizeClass size);

/// Arrangements are kept per size class. restore() is false when none is stored (or it does not
/// fit).
void storeArrangement(const QMainWindow& window, SizeClass size);
bool restoreArrangement(QMainWindow& window, SizeClass size);
void forgetArrangement(SizeClass size);

} // namespace fivefold::app
