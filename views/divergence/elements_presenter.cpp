// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/elements_presenter.h"

#include "core/numerics/format.h"
#include "views/common/format.h"
#include "views/common/layout_text.h"
#include "views/common/sentences.h"
#include "views/divergence/waits_geometry.h"
#include "views/divergence/words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivefold::views::divergence {

using compare::Verdict;

namespace {

constexpr double kLeastDecades = 3;

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::divergence", text);
}

QString q(const std::string& text) {
    return QString::fromStdString(text);
}

QString bracketed(const std::vector<std::int64_t>& extents) {
    QStringList parts;
    for (const std::int64_t extent : extents)
        parts << QString::number(extent);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

/// The layout that the compiler gave the value, where the shape is the compared one.
std::shared_ptr<const layout::TensorLayout> plannedLayout(
    const analysis::Result* result, const compare::Layer& layer) {
    if (!result || !layer.value.isValid())
        return nullptr;
    const auto& graph = result->program.stages[static_cast<std::size_t>(lowering::Stage::LaidOut)];
    if (!graph)
        return nullptr;
    for (const lowering::Value& value : graph->values)
        if (value.source == layer.value && value.layout)
            return value.layout;
    return nullptr;
}

void setLayout(ElementsPicture& picture, const Focus& focus) {
    const compare::Layer& layer = picture.at();
    const auto result = focus.state().result();
    picture.words = layoutWords(result ? result->machine().family : std::string());
    std::shared_ptr<const layout::TensorLayout> layout;
    const auto& origins = picture.divergence->origins;
    const auto found = std::find(origins.begin(), origins.end(), *picture.layer);
    const auto origin = static_cast<std::size_t>(found - origins.begin());
    if (found != origins.end() && origin < picture.divergence->levels.size()
        && picture.divergence->levels[origin].lanes) {
        picture.lanes = &*picture.divergence->levels[origin].lanes;
        layout =
            std::shared_ptr<const layout::TensorLayout>(picture.divergence, &picture.lanes->layout);
    } else {
        layout = plannedLayout(result.get(), layer);
    }
    if (!layout) {
        picture.noDevice = tr("The machine's layout of this value is not known.");
        return;
    }
    if (layout->shape != layer.shape) {
        picture.noDevice = tr("The machine's layout is of another shape than the dump.");
        picture.lanes = nullptr;
        return;
    }
    picture.device = ElementGrid::device(std::move(layout));
}

double measureOf(const ElementsPicture& picture, double device, double reference) {
    const double delta = std::abs(device - reference);
    if (std::isnan(device) && std::isnan(reference))
        return 0;
    switch (picture.colour) {
    case ElementColour::Relative:
        return delta == 0 ? 0 : delta / std::max(std::abs(reference), 1e-30);
    case ElementColour::Ulp: {
        const auto ulps =
            numerics::ulpDistance(device, reference, numerics::formatOf(picture.at().dtype));
        return ulps ? static_cast<double>(*ulps) : std::numeric_limits<double>::infinity();
    }
    default:
        return device == reference ? 0 : delta;
    }
}

void setMeasure(ElementsPicture& picture) {
    if (!picture.contents)
        return;
    const auto total =
        std::min(picture.contents->device.size(), picture.contents->reference.size());
    const auto& shape = picture.at().shape;
    std::int64_t wanted = 1;
    for (const std::int64_t extent : shape)
        wanted *= extent;
    if (total != wanted) {
        picture.contents = nullptr;
        return;
    }
    picture.measure.resize(static_cast<std::size_t>(total));
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::int64_t i = 0; i < total; ++i) {
        const double measure = measureOf(
            picture, picture.contents->device.number(i), picture.contents->reference.number(i));
        picture.measure[static_cast<std::size_t>(i)] = static_cast<float>(measure);
        if (measure > 0 && std::isfinite(measure)) {
            least = std::min(least, measure);
            most = std::max(most, measure);
        }
    }
    if (most > 0) {
        picture.high = std::log10(most);
        picture.low = std::min(std::log10(least), picture.high - kLeastDecades);
    }
}

void setMarks(ElementsPicture& picture, std::int64_t total) {
    picture.marks.assign(static_cast<std::size_t>(total), 0);
    const auto mark = [&](const compare::ElementSet& set, std::uint8_t bit) {
        for (const auto& run : set.runs)
            for (std::int64_t i = std::max<std::int64_t>(0, run.begin);
                 i < std::min(run.end, total); ++i)
                picture.marks[static_cast<std::size_t>(i)] |= bit;
    };
    mark(picture.at().global.wrong, 1);
    mark(picture.at().unstable, 2);
}

QString chainText(const Focus& focus, const compare::Layer& layer) {
    const auto result = focus.state().result();
    if (!result || !layer.node.isValid() || !result->graph().nodes.contains(layer.node))
        return layer.key.empty() ? tr("unknown") : tr("dump key %1").arg(q(layer.key));
    const ir::Node& node = result->graph().nodes[layer.node];
    QStringList parts{common::shortName(node.name)};
    const auto& stage =
        result->program.stages[static_cast<std::size_t>(lowering::Stage::Scheduled)];
    if (stage && result->provenance.toStage.back().contains(layer.node)) {
        QStringList machine;
        for (const lowering::NodeId id : result->provenance.toStage.back()[layer.node])
            if (const QString op = q(stage->nodes[id].op); !machine.contains(op))
                machine << op;
        if (!machine.isEmpty())
            parts.prepend(machine.mid(0, 3).join(QStringLiteral(" + ")));
    }
    parts << q(node.sourceOp);
    parts.removeDuplicates();
    return parts.join(QStringLiteral(" ← "));
}

/// What came in and went out where all are clean, else the first that is not.
QString transfersText(const compare::LevelVerdict& verdict) {
    const auto& all = verdict.transfers;
    const auto words = [&](std::size_t t) {
        const numerics::Transfer& transfer = all[t];
        const QString way = transfer.from == "host" ? tr("in")
            : transfer.to == "host"
            ? tr("out")
            : QStringLiteral("%1 → %2").arg(q(transfer.from), q(transfer.to));
        return QStringLiteral("%1 #%2: %3").arg(way).arg(t).arg(transferWords(transfer));
    };
    const auto bad = std::find_if(
        all.begin(), all.end(), [](const numerics::Transfer& t) { return !t.isClean(); });
    if (bad != all.end())
        return words(static_cast<std::size_t>(bad - all.begin()));
    QString text = words(0);
    if (all.size() > 1)
        text += QStringLiteral(" · ")
            + (all.back().to == "host" ? tr("out #%1: equal").arg(all.size() - 1)
                                       : tr("%1 more: equal").arg(all.size() - 1));
    return text;
}

} // namespace

LayoutWords layoutWords(const std::string& family) {
    if (family == "spyre")
        return {tr("core"), tr("stick"), tr("lane")};
    if (family == "cerebras")
        return {tr("PE"), tr("row"), tr("lane")};
    if (family == "groq")
        return {tr("slice"), tr("vector"), tr("lane")};
    if (family == "gpu")
        return {tr("SM"), tr("row"), tr("lane")};
    return {tr("core"), tr("row"), tr("lane")};
}

double ElementsPicture::position(double measure) const {
    if (!(measure > 0))
        return std::isnan(measure) ? 1 : 0;
    if (std::isinf(measure))
        return 1;
    return std::clamp(0.15 + 0.85 * (std::log10(measure) - low) / (high - low), 0.15, 1.0);
}

QString colourName(ElementColour colour) {
    switch (colour) {
    case ElementColour::Delta:
        return tr("|Δ|, log");
    case ElementColour::Relative:
        return tr("relative, log");
    case ElementColour::Ulp:
        return tr("ULP, log");
    case ElementColour::Verdict:
        break;
    }
    return tr("verdict");
}

ElementsPicture elementsPicture(const Focus& focus, ElementColour colour) {
    ElementsPicture picture;
    picture.divergence = focus.divergence();
    picture.layer = focus.layer();
    picture.colour = colour;
    if (!picture.divergence) {
        picture.reason = tr("No device dump yet, so no elements to compare.");
        return picture;
    }
    if (!picture.layer) {
        picture.reason = tr("Choose a layer to see its elements.");
        return picture;
    }
    const compare::Layer& layer = picture.at();
    if (!isCompared(layer)) {
        picture.reason = layer.verdict == Verdict::Missing
            ? tr("%1 is not in the device's dump, so there are no elements to compare.")
                  .arg(layerName(layer))
            : tr("%1 has no counterpart, so there are no elements to compare.")
                  .arg(layerName(layer));
        return picture;
    }
    picture.logical = ElementGrid::logical(layer.shape);
    if (picture.logical.isEmpty()) {
        picture.reason = tr("%1 has no elements.").arg(layerName(layer));
        return picture;
    }
    std::int64_t total = 1;
    for (const std::int64_t extent : layer.shape)
        total *= extent; // does not overflow: the grid is not empty
    if (total > kMostElements) {
        picture.reason = tr("%1 has %2 elements: too many to draw here.")
                             .arg(layerName(layer), common::formatCount(total));
        return picture;
    }
    setMarks(picture, total);
    const auto found = picture.divergence->contents.find(*picture.layer);
    if (found != picture.divergence->contents.end())
        picture.contents = &found->second;
    setLayout(picture, focus);
    setMeasure(picture);
    picture.pattern = q(layer.pattern.sentence);
    return picture;
}

QString loopExtents(const numerics::Lanes& lanes) {
    QStringList parts;
    for (const auto& [begin, end] : lanes.loopRange)
        parts << (begin == 0 ? QString::number(end)
                             : QStringLiteral("%1…%2").arg(begin).arg(end - 1));
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

QString layoutExtents(const layout::TensorLayout& layout) {
    std::vector<std::int64_t> extents;
    for (const layout::Axis& axis : layout.axes)
        extents.push_back(axis.extent);
    return bracketed(extents);
}

QString loopText(const numerics::Lanes& lanes) {
    if (lanes.loopRange.empty())
        return {};
    return tr("loop range of the compiled copy %1 · layout %2")
        .arg(loopExtents(lanes), layoutExtents(lanes.layout));
}

std::optional<std::pair<std::int64_t, std::int64_t>> coverOf(
    const ElementsPicture& picture, std::int64_t row) {
    if (!picture.lanes || picture.device.isEmpty()
        || picture.lanes->loopRange.size() != picture.lanes->layout.axes.size())
        return std::nullopt;
    const auto& axes = picture.lanes->layout.axes;
    const auto at = picture.device.coordinates(row, 0);
    std::int64_t first = 0, last = picture.device.columns();
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const auto& [begin, end] = picture.lanes->loopRange[a];
        const bool isLane =
            axes[a].role == layout::AxisRole::Lane || axes[a].role == layout::AxisRole::Pack;
        if (!isLane && (at[a] < begin || at[a] >= end))
            return std::pair<std::int64_t, std::int64_t>(0, 0);
        if (isLane && axes[a].extent == picture.device.columns()) {
            first = begin;
            last = std::min(end, last);
        }
    }
    return std::pair(first, std::max(first, last));
}

QString elementsSentence(const ElementsPicture& picture, std::optional<std::int64_t> element) {
    if (picture.isEmpty())
        return picture.reason;
    const compare::Layer& layer = picture.at();
    QString text = layer.global.wrong.isEmpty()
        ? tr("All %1 elements of %2 are within the tolerance")
              .arg(common::formatCount(layer.global.total), layerName(layer))
        : tr("%1 of %2 elements of %3 are wrong")
              .arg(common::formatCount(layer.global.wrong.count),
                  common::formatCount(layer.global.total), layerName(layer));
    if (!picture.pattern.isEmpty())
        text += tr("; pattern: %1").arg(picture.pattern);
    if (!picture.contents)
        text += tr("; their values are not in memory");
    text += u'.';
    if (element && picture.contents)
        text += tr(" Element %1: reference %2, device %3.")
                    .arg(indexText(layer.shape, *element),
                        valueText(picture.contents->reference.number(*element)),
                        valueText(picture.contents->device.number(*element)));
    return text;
}

namespace {

void addValues(QVector<CardLine>& lines, const ElementsPicture& picture, std::int64_t flat) {
    const auto* contents = picture.contents;
    const QString unknown = tr("not in memory");
    lines.push_back(
        {tr("reference"), contents ? valueText(contents->reference.number(flat)) : unknown, true});
    lines.push_back(
        {tr("device"), contents ? valueText(contents->device.number(flat)) : unknown, true});
    if (contents && flat < contents->expected.size() && contents->expected.isDefined())
        lines.push_back({tr("from its inputs"), valueText(contents->expected.number(flat))});
    const compare::Layer& layer = picture.at();
    QString delta = tr("%1 of %2 wrong")
                        .arg(common::formatCount(layer.global.wrong.count),
                            common::formatCount(layer.global.total));
    if (contents) {
        const double difference = contents->device.number(flat) - contents->reference.number(flat);
        delta = (picture.isWrong(flat) ? valueText(difference)
                                       : tr("%1, within tolerance").arg(valueText(difference)))
            + QStringLiteral(", ") + delta;
    }
    lines.push_back({tr("Δ"), delta});
    if (layer.unstable.contains(flat))
        lines.push_back({tr("repeats"), tr("differs between runs: a race")});
}

void addPlace(QVector<CardLine>& lines, const ElementsPicture& picture, std::int64_t flat) {
    const auto place = picture.device.placeOf(flat);
    if (!place) {
        lines.push_back({tr("address"), tr("layout not known")});
        return;
    }
    const layout::Location at = picture.device.location(place->first, place->second);
    lines.push_back({tr("address"), tr("base + %1").arg(common::formatAddress(at.address()))});
    const bool hasUnits = layout::unitCount(*picture.device.layout()) > 1;
    lines.push_back({tr("%1, %2").arg(picture.words.line, picture.words.lane)
            + (hasUnits ? QStringLiteral(", ") + picture.words.unit : QString()),
        QStringLiteral("%1, %2").arg(place->first).arg(place->second)
            + (hasUnits ? QStringLiteral(", %1").arg(at.unit) : QString())});
}

} // namespace

QVector<CardLine> elementCard(const ElementsPicture& picture, const Focus& focus) {
    QVector<CardLine> lines;
    if (picture.isEmpty() || !focus.element())
        return lines;
    addValues(lines, picture, *focus.element());
    addPlace(lines, picture, *focus.element());
    const auto& origins = picture.divergence->origins;
    const bool isOrigin =
        std::find(origins.begin(), origins.end(), *picture.layer) != origins.end();
    const compare::LevelVerdict* verdict = isOrigin ? focus.verdict() : nullptr;
    lines.push_back({tr("transfer"),
        verdict && !verdict->transfers.empty() ? transfersText(*verdict) : tr("not given")});
    lines.push_back({tr("loop range"),
        picture.lanes && !picture.lanes->loopRange.empty()
            ? tr("%1 of %2").arg(loopExtents(*picture.lanes), layoutExtents(picture.lanes->layout))
            : tr("not given")});
    lines.push_back({tr("from"), chainText(focus, picture.at())});
    return lines;
}

} // namespace fivefold::views::divergence
