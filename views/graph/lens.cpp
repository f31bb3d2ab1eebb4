// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/lens.h"

#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::graph {

using common::Lens;
using common::Palette;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::graph", text);
}

/// Four sequential steps, tokens.json lens.decidedBy.
double deciderPosition(lowering::DecidedBy decider) {
    return (static_cast<double>(decider) + 1.5) / 5.0;
}

struct Measure {
    double value = -1; ///< −1: unknown
    QString word;
};

Measure measure(const DisplayBox& box, const lowering::StageGraph& graph, Lens lens) {
    double bytes = 0, padded = 0, bits = 0;
    bool isKnown = false;
    for (const lowering::NodeId id : box.lowered)
        for (const lowering::ValueId output : graph.nodes[id].outputs) {
            if (!graph.values.contains(output))
                continue;
            const lowering::Value& value = graph.values[output];
            const auto device = value.deviceBytes();
            const auto logical = value.bytes();
            if (!device || !logical)
                continue;
            isKnown = true;
            bytes += static_cast<double>(device->value);
            padded += static_cast<double>(device->value - logical->value);
            bits = std::max(bits, static_cast<double>(ir::bitWidth(value.dtype)));
        }
    if (!isKnown)
        return {-1, tr("unknown")};
    switch (lens) {
    case Lens::Bytes:
        return {bytes, common::formatBytes(base::Bytes(std::llround(bytes)))};
    case Lens::Padding:
        return {bytes > 0 ? std::max(0.0, padded / bytes) : 0,
            common::formatShare(bytes > 0 ? std::max(0.0, padded / bytes) : 0)};
    default:
        return {bits, tr("%1 bit").arg(bits)};
    }
}

/// Position on the ramp: bytes by their logarithm from 256 B to 256 MiB, padding as it is, bits by
/// their logarithm to 64.
double rampPosition(double value, Lens lens) {
    if (lens == Lens::Padding)
        return value;
    if (lens == Lens::Bytes)
        return (std::log2(std::max(1.0, value)) - 8) / 20;
    return std::log2(std::max(1.0, value)) / 6;
}

common::LegendEntry swatch(const QString& label, double position) {
    return {label, [position](QPainter& painter, const QRectF& rect) {
                painter.fillRect(rect, Palette::current().sequential(position));
            }};
}

} // namespace

Bands bandsOf(const DisplayGraph& graph, const analysis::Result& result, Lens lens) {
    Bands bands;
    const Palette& palette = Palette::current();
    const auto& stage = result.program.stages[static_cast<std::size_t>(graph.stage)];
    std::string module;
    bool isOdd = false;
    for (const DisplayBox& box : graph.boxes) {
        QColor colour = palette.operatorClass(box.opClass);
        QString word = common::className(box.opClass);
        if (lens == Lens::Module) {
            const std::string at = box.fullName.section('/', 0, -2).toStdString();
            isOdd = at == module ? isOdd : !isOdd;
            module = at;
            colour = palette.role(isOdd ? "neutralSoft" : "neutral");
            word = QString::fromStdString(at);
        } else if (lens == Lens::DecidedBy && stage && !box.lowered.empty()) {
            const auto decider = stage->nodes[box.lowered.front()].decidedBy;
            colour = palette.sequential(deciderPosition(decider));
            word = QStringLiteral("PCRH").mid(static_cast<int>(decider), 1);
        } else if (lens != Lens::OperatorClass && stage) {
            const Measure m = measure(box, *stage, lens);
            colour = m.value < 0
                ? QColor()
                : palette.sequential(std::clamp(rampPosition(m.value, lens), 0.0, 1.0));
            word = m.word;
        }
        bands.colours.push_back(colour);
        bands.words.push_back(word);
    }
    return bands;
}

common::Legend legendOf(Lens lens, bool hasAdded) {
    common::Legend legend;
    switch (lens) {
    case Lens::OperatorClass:
        for (const ir::OpClass opClass : {ir::OpClass::Contraction, ir::OpClass::Normalisation,
                 ir::OpClass::Pointwise, ir::OpClass::Movement})
            legend << common::classEntry(opClass);
        break;
    case Lens::Bytes:
        legend << swatch(tr("256 B"), 0.05) << swatch(tr("bytes of the results"), 0.5)
               << swatch(tr("256 MiB"), 1);
        break;
    case Lens::Padding:
        legend << swatch(tr("no padding"), 0) << swatch(tr("half"), 0.5)
               << swatch(tr("all padding"), 1);
        break;
    case Lens::DType:
        legend << swatch(tr("4 bit"), 2 / 6.0) << swatch(tr("16 bit"), 4 / 6.0)
               << swatch(tr("64 bit"), 1);
        break;
    case Lens::Module:
        legend << common::LegendEntry{
            tr("neighbouring modules alternate"), [](QPainter& painter, const QRectF& rect) {
                painter.fillRect(
                    rect.adjusted(0, 0, -rect.width() / 2, 0), Palette::current().role("neutral"));
                painter.fillRect(rect.adjusted(rect.width() / 2, 0, 0, 0),
                    Palette::current().role("neutralSoft"));
            }};
        break;
    case Lens::DecidedBy:
        for (const auto decider : {lowering::DecidedBy::Programmer, lowering::DecidedBy::Compiler,
                 lowering::DecidedBy::Runtime, lowering::DecidedBy::Hardware})
            legend << swatch(common::decidedByName(decider), deciderPosition(decider));
        break;
    }
    if (hasAdded)
        legend << common::LegendEntry{
            tr("added by the compiler"), [](QPainter& painter, const QRectF& rect) {
                painter.setPen(common::dashedPen(
                    Palette::current().operatorClass(ir::OpClass::Movement), 1.5, {3, 2}));
                painter.setBrush(Qt::NoBrush);
                painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 2, 2);
            }};
    return legend;
}

} // namespace fivefold::views::graph
