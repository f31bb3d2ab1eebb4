// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/waits_geometry.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace fivefold::views::divergence {

namespace {

constexpr qsizetype kMostNodes = 8;
constexpr qsizetype kMostBars = 40;
constexpr double kNodeHeight = 28, kRow = 22, kTitle = 24, kMargin = 12;
constexpr double kNameShare = 0.3;

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::divergence", text);
}

QString resourceName(const analysis::Result* result, lowering::ResourceId id) {
    if (result && result->program.resources.contains(id))
        return QString::fromStdString(result->program.resources[id].name);
    return id.isValid() ? tr("unit %1").arg(id.value) : tr("a unit");
}

QString nameOf(const analysis::Result* result, lowering::EventId event) {
    if (result && result->program.events.contains(event))
        return QString::fromStdString(schedule::eventName(result->program, event));
    return event.isValid() ? tr("operation %1").arg(event.value) : tr("an operation");
}

QString queueName(const analysis::Result* result, const schedule::WaitFor& wait) {
    return QStringLiteral("%1 → %2").arg(
        resourceName(result, wait.from), resourceName(result, wait.to));
}

QString labelOf(const analysis::Result* result, const schedule::WaitFor& wait) {
    switch (wait.reason) {
    case schedule::WaitReason::Room:
        return tr("for room in %1").arg(queueName(result, wait));
    case schedule::WaitReason::Turn:
        return tr("for its turn");
    case schedule::WaitReason::Operand:
        break;
    }
    return tr("for a token");
}

void addGraph(
    WaitsPicture& picture, const schedule::Deadlock& deadlock, const analysis::Result* result) {
    std::map<std::uint32_t, int> index;
    const auto add = [&](lowering::EventId event, bool isInCycle) {
        const auto [found, isNew] =
            index.try_emplace(event.value, static_cast<int>(picture.nodes.size()));
        if (!isNew || picture.nodes.size() < kMostNodes) {
            if (isNew)
                picture.nodes.push_back({event, nameOf(result, event), isInCycle});
            return found->second;
        }
        index.erase(found);
        return -1;
    };
    for (const lowering::EventId event : deadlock.cycle)
        add(event, true);
    const auto inCycle = static_cast<int>(picture.nodes.size());
    for (const schedule::WaitFor& wait : deadlock.waits) {
        const int from = add(wait.waiter, false), to = add(wait.holder, false);
        if (from < 0 || to < 0)
            continue;
        const bool isInCycle =
            from < inCycle && to < inCycle && inCycle > 0 && to == (from + 1) % inCycle;
        picture.edges.push_back({from, to, labelOf(result, wait), isInCycle});
        if (wait.reason != schedule::WaitReason::Room)
            continue;
        const QString name = queueName(result, wait);
        const bool isKnown = std::any_of(picture.queues.begin(), picture.queues.end(),
            [&](const WaitsPicture::Queue& queue) { return queue.name == name; });
        if (!isKnown)
            picture.queues.push_back(
                {name, tr("%1 waits for room").arg(nameOf(result, wait.waiter))});
    }
    const auto stuck = static_cast<qsizetype>(deadlock.stuck.size());
    picture.hiddenNodes = std::max<qsizetype>(0, stuck - picture.nodes.size());
    picture.stoppedAt = deadlock.at;
}

void addBars(WaitsPicture& picture, const std::vector<numerics::Transfer>& transfers) {
    for (std::size_t t = 0; t < transfers.size() && picture.bars.size() < kMostBars; ++t) {
        const numerics::Transfer& transfer = transfers[t];
        WaitsPicture::Bar bar;
        bar.name =
            QStringLiteral("#%1 %2 → %3")
                .arg(t)
                .arg(QString::fromStdString(transfer.from), QString::fromStdString(transfer.to));
        bar.issued = transfer.issued;
        bar.completed = transfer.completed;
        bar.firstRead = transfer.firstRead;
        bar.deadline = transfer.deadline;
        bar.isClean = transfer.isClean();
        bar.isLate = transfer.deadline && transfer.completed > *transfer.deadline;
        bar.words = transferWords(transfer);
        picture.bars.push_back(std::move(bar));
    }
    if (picture.bars.isEmpty())
        return;
    picture.first = picture.bars.front().issued;
    picture.last = picture.first;
    for (const WaitsPicture::Bar& bar : picture.bars) {
        picture.first = std::min(picture.first, bar.issued);
        picture.last = std::max(
            {picture.last, bar.completed, bar.firstRead, bar.deadline.value_or(bar.completed)});
    }
}

} // namespace

QString transferWords(const numerics::Transfer& transfer) {
    const QString bytes = common::formatBytes(base::Bytes(transfer.bytes));
    if (transfer.copied != transfer.bytes)
        return tr("%1 of %2 copied").arg(common::formatBytes(base::Bytes(transfer.copied)), bytes);
    if (transfer.sourceSum != transfer.targetSum)
        return tr("%1 not equal to the source").arg(bytes);
    if (transfer.completed > transfer.firstRead)
        return tr("%1 read before they were there").arg(bytes);
    return tr("%1 equal").arg(bytes);
}

WaitsPicture waitsPicture(const compare::LevelVerdict& verdict, const analysis::Result* result) {
    WaitsPicture picture;
    if (verdict.deadlock)
        addGraph(picture, *verdict.deadlock, result);
    addBars(picture, verdict.transfers);
    return picture;
}

double WaitsGeometry::x(const WaitsPicture& picture, base::Picoseconds at) const {
    const double span = static_cast<double>((picture.last - picture.first).value);
    const double share = span > 0 ? static_cast<double>((at - picture.first).value) / span : 0;
    return axis.left() + axis.width() * std::clamp(share, 0.0, 1.0);
}

namespace {

/// On an ellipse, clockwise from the top left; two stand side by side.
void placeNodes(WaitsGeometry& geometry, const WaitsPicture& picture, double width, double height) {
    const auto count = picture.nodes.size();
    const double wide = std::clamp(width / (count <= 2 ? 3.2 : 3.6), 84.0, 220.0);
    geometry.graph = QRectF(0, 0, width, height);
    const QPointF centre = geometry.graph.center();
    const double rx = std::max(0.0, width / 2 - wide / 2 - kMargin),
                 ry = std::max(0.0, height / 2 - kNodeHeight / 2 - kMargin);
    for (qsizetype n = 0; n < count; ++n) {
        const double angle = std::numbers::pi * (count == 2 ? 1.0 : 1.25)
            + 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(count);
        const QPointF at(centre.x() + rx * std::cos(angle),
            centre.y() + (count == 2 ? 0 : ry * std::sin(angle)));
        geometry.nodes.push_back(
            QRectF(at.x() - wide / 2, at.y() - kNodeHeight / 2, wide, kNodeHeight));
    }
}

} // namespace

WaitsGeometry waitsGeometry(const WaitsPicture& picture, double width, double height) {
    WaitsGeometry geometry;
    const auto queues = static_cast<double>(picture.queues.size());
    const auto bars = static_cast<double>(picture.bars.size());
    const double below = (queues > 0 ? kTitle + queues * kRow : 0)
        + (bars > 0 ? kTitle + bars * kRow + kTitle : 0) + kMargin;
    double y = 0;
    if (!picture.nodes.isEmpty()) {
        const double least = picture.nodes.size() <= 2 ? 110 : 180;
        const double room = std::clamp(height - below, least, 420.0);
        placeNodes(geometry, picture, width, room);
        y = room;
    }
    const double left = kMargin + width * kNameShare;
    if (queues > 0) {
        geometry.queueTitle = QRectF(kMargin, y, width - 2 * kMargin, kTitle);
        y += kTitle;
        for (qsizetype q = 0; q < picture.queues.size(); ++q, y += kRow)
            geometry.queues.push_back(QRectF(left, y + 3, width * 0.3, kRow - 6));
    }
    if (bars > 0) {
        geometry.barTitle = QRectF(kMargin, y, width - 2 * kMargin, kTitle);
        y += kTitle;
        const double right = width - kMargin - std::min(200.0, width * 0.25);
        geometry.axis = QRectF(left, y, std::max(20.0, right - left), bars * kRow);
        for (qsizetype b = 0; b < picture.bars.size(); ++b, y += kRow)
            geometry.bars.push_back(QRectF(0, y, width, kRow));
        y += kTitle;
    }
    geometry.height = y + kMargin;
    return geometry;
}

} // namespace fivefold::views::divergence
