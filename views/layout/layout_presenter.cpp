// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/layout_presenter.h"

#include "core/ir/element_reader.h"
#include "core/lowering/layout_query.h"
#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace fivefold::views::layout {

using namespace common;
using lowering::Stage;

class KnownValues {
public:
    KnownValues(std::shared_ptr<const analysis::Result> result, ir::TensorId tensor)
        : m_result(std::move(result))
        , m_reader(std::in_place, m_result->graph().tensors, tensor) { }
    explicit KnownValues(double fill)
        : m_fill(fill) { }

    std::optional<ir::ElementValue> at(std::int64_t flat) {
        if (m_fill)
            return *m_fill;
        return m_reader ? m_reader->at(flat) : std::nullopt;
    }

private:
    std::shared_ptr<const analysis::Result> m_result;
    std::optional<ir::ElementReader> m_reader;
    std::optional<double> m_fill;
};

namespace {

constexpr int kValueDigits = 5; ///< significant digits of an element on screen

QString tr(const char* text) {
    return QCoreApplication::translate("layout", text);
}

/// Stages before Laid out have no layouts: the panel then looks one ahead.
Stage shownStage(const ViewState& state) {
    return std::max(state.stage(), Stage::LaidOut);
}

/// Splits that the Spyre family leaves on a node: b, m, n, k of a product, else one an output
/// dimension.
constexpr const char* kSplits = "spyre.splits";

QString shapeWords(const std::vector<std::int64_t>& shape, ir::DType dtype) {
    QStringList extents;
    for (const std::int64_t extent : shape)
        extents << QLocale()
                       .toString(static_cast<qlonglong>(extent))
                       .remove(QLocale().groupSeparator());
    const QString text = shape.empty() ? tr("scalar") : extents.join(QStringLiteral(" × "));
    return text + u' ' + dtypeName(dtype);
}

/// How a node's work is dealt over units that share the memory the tensor lies in.
std::vector<Deal> dealsOf(
    const lowering::Node& node, const std::vector<std::int64_t>& shape, QString& caption) {
    const auto splits = node.attributes.integers(kSplits);
    if (!splits || shape.empty())
        return {};
    const auto rank = static_cast<int>(shape.size());
    std::vector<Deal> deals;
    QStringList parts;
    const auto add = [&](int dimension, std::int64_t count, const QString& letter) {
        if (dimension < 0 || count <= 1)
            return;
        deals.push_back({dimension, count});
        parts << letter + QString::number(count);
    };
    if (node.opClass() == ir::OpClass::Contraction && splits->size() == 4) {
        std::int64_t batch = (*splits)[0];
        for (int d = 0; d < rank - 2 && batch > 1; ++d) {
            const std::int64_t extent = shape[static_cast<std::size_t>(d)];
            std::int64_t taken = std::min(batch, extent);
            while (taken > 1 && (batch % taken != 0 || extent % taken != 0))
                --taken;
            add(d, taken, QStringLiteral("b"));
            batch /= std::max<std::int64_t>(1, taken);
        }
        add(rank - 2, (*splits)[1], QStringLiteral("m"));
        add(rank - 1, (*splits)[2], QStringLiteral("n"));
    } else if (splits->size() == shape.size()) {
        for (int d = 0; d < rank; ++d)
            add(d, (*splits)[static_cast<std::size_t>(d)], QStringLiteral("d%1 ÷ ").arg(d));
    }
    caption = parts.join(QStringLiteral(" × "));
    return deals;
}

/// The lowered value of a stage that shows the captured one; prefers results of the selected nodes.
lowering::ValueId loweredValue(const ViewState& state, Stage stage, ir::ValueId value) {
    const lowering::StageGraph& graph = state.result()->program.stage(stage);
    if (!value.isValid())
        return {};
    lowering::ValueId found;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const lowering::ValueId id(i);
        if (graph.values[id].source != value)
            continue;
        if (!found.isValid() || (!graph.values[found].layout && graph.values[id].layout))
            found = id;
    }
    return found;
}

lowering::NodeId longestNode(const analysis::Result& result) {
    lowering::NodeId best;
    base::Seconds longest(-1);
    for (const auto& step : result.program.steps) {
        const base::Seconds time = step.estimate.time * static_cast<double>(step.executions);
        if (step.estimate.isKnown && step.mainNode.isValid() && longest < time) {
            longest = time;
            best = step.mainNode;
        }
    }
    return best;
}

QString choiceLabel(const lowering::Value& value) {
    const QString name = value.name.empty() ? tr("result") : shortName(value.name);
    return name + QStringLiteral(" · ")
        + (value.shape ? shapeWords(*value.shape, value.dtype) : tr("shape unknown"));
}

void addChoices(
    const lowering::StageGraph& graph, lowering::NodeId id, QVector<TensorChoice>& choices) {
    if (!graph.nodes.contains(id))
        return;
    const lowering::Node& node = graph.nodes[id];
    const auto add = [&](lowering::ValueId value) {
        if (!graph.values.contains(value))
            return;
        const bool isThere = std::any_of(choices.begin(), choices.end(),
            [value](const TensorChoice& choice) { return choice.lowered == value; });
        if (!isThere)
            choices.push_back(
                {choiceLabel(graph.values[value]), graph.values[value].source, value});
    };
    for (const auto output : node.outputs)
        add(output);
    for (const auto input : node.inputs)
        add(input);
}

/// Why a captured node has nothing left at this stage.
QString removedReason(const analysis::Result& result, Stage stage, ir::NodeId node) {
    for (const auto& removed : result.program.stage(stage).removed)
        if (removed.node == node)
            return tr("%1 was removed on this machine at stage %2: %3")
                .arg(shortName(result.graph().nodes[node].name), stageName(removed.stage),
                    asSentence(removed.rule));
    return {};
}

QString nothingReason(const ViewState& state, Stage stage, ir::ValueId value) {
    const analysis::Result& result = *state.result();
    for (const auto node : state.selection().nodes)
        if (const QString reason = removedReason(result, stage, node); !reason.isEmpty())
            return reason;
    if (value.isValid() && result.graph().values.contains(value)) {
        const auto& captured = result.graph().values[value];
        return tr(
            "%1 lies in no memory of %2: a kernel keeps it inside itself, or it was folded away.")
            .arg(captured.name.empty() ? tr("The tensor") : shortName(captured.name),
                QString::fromStdString(result.machine().name));
    }
    return tr("The selection has no tensor; select an operator or an edge of the graph.");
}

void fillGrid(const ViewState& state, Picture& picture) {
    const analysis::Result& result = *state.result();
    const lowering::StageGraph& graph = result.program.stage(picture.stage);
    const lowering::Value& value = graph.values[picture.lowered];
    picture.name = value.name.empty() ? tr("The result") : shortName(value.name);
    if (!value.shape) {
        picture.reason =
            tr("The shape of %1 is unknown, so it has no layout; bind the model's symbols.")
                .arg(picture.name);
        return;
    }
    picture.shapeText = shapeWords(*value.shape, value.dtype);
    if (!value.layout) {
        picture.reason = tr("%1, %2, has no layout on %3: no memory of the device holds it.")
                             .arg(picture.name, picture.shapeText,
                                 QString::fromStdString(result.machine().name));
        return;
    }
    // Splits are known from Placed on; they hold for the same node of the laid-out graph.
    std::vector<Deal> deals;
    QString caption;
    const lowering::StageGraph& placed = result.program.stage(Stage::Placed);
    if (value.producer.isValid())
        for (const auto& node : placed.nodes)
            if (node.name == graph.nodes[value.producer].name) {
                deals = dealsOf(node, *value.shape, caption);
                break;
            }
    picture.grid = std::make_shared<Grid>(*value.layout, std::move(deals));
    picture.words = wordsOf(result.machine().family);
    picture.unitCaption = picture.words.unit + u's';
    if (!caption.isEmpty())
        picture.unitCaption += QStringLiteral(" · ") + caption;
    for (const auto& buffer : result.program.buffers)
        if (buffer.level < result.machine().memories.size() && placed.values.contains(buffer.value)
            && placed.values[buffer.value].name == value.name) {
            picture.memory = result.machine().memories[buffer.level].kind;
            break;
        }
}

/// Values that stand in the file, or that one number gives all elements.
std::shared_ptr<KnownValues> valuesOf(
    const std::shared_ptr<const analysis::Result>& result, const lowering::Value& value) {
    if (value.source.isValid() && result->graph().values.contains(value.source)) {
        const ir::Value& captured = result->graph().values[value.source];
        if (captured.data.isValid() && captured.data.index() < result->graph().tensors.size()) {
            const ir::TensorData& data = result->graph().tensors[captured.data];
            if (data.storage != ir::TensorStorage::Missing && value.shape == data.shape)
                return std::make_shared<KnownValues>(result, captured.data);
        }
    }
    return value.fill ? std::make_shared<KnownValues>(*value.fill) : nullptr;
}

/// The tensor as if one dimension had another size; the layout's own order is kept where a machine
/// lets one choose.
std::shared_ptr<const Grid> whatIfGrid(const machines::Machine& machine,
    const fivefold::layout::TensorLayout& layout, const WhatIf& whatIf) {
    auto shape = layout.shape;
    if (whatIf.dimension < 0 || static_cast<std::size_t>(whatIf.dimension) >= shape.size()
        || whatIf.size < 0 || shape[static_cast<std::size_t>(whatIf.dimension)] == whatIf.size)
        return nullptr;
    shape[static_cast<std::size_t>(whatIf.dimension)] = whatIf.size;
    const auto made =
        fivefold::layout::layoutFor(lowering::layoutQuery(machine, std::move(shape), layout.dtype));
    return made ? std::make_shared<Grid>(*made, std::vector<Deal>()) : nullptr;
}

void tryWhatIf(const analysis::Result& result, Picture& picture, const WhatIf& whatIf) {
    const auto grid = whatIfGrid(result.machine(), picture.grid->layout(), whatIf);
    if (!grid)
        return;
    picture.grid = grid;
    picture.whatIf = whatIf;
    picture.values = nullptr; // another tensor than the file's
    picture.unitCaption = picture.words.unit + u's';
    picture.shapeText = shapeWords(grid->layout().shape, grid->layout().dtype);
}

QString paddingText(const fivefold::layout::TensorLayout& layout) {
    const std::int64_t padded = fivefold::layout::paddedElements(layout);
    if (padded == 0)
        return tr("no padding");
    const auto bytes = (base::Bytes(padded) * layout.elementBits).value / 8;
    return tr("%1 of padding (%2)")
        .arg(formatBytes(base::Bytes(bytes)), wasteText(fivefold::layout::waste(layout)));
}

} // namespace

QString wasteText(double share) {
    const double percent = share * 100;
    const QString number = percent == std::floor(percent) ? QLocale().toString(percent, 'f', 0)
                                                          : QLocale().toString(percent, 'f', 1);
    return number + QChar(0x2009) + u'%'; // a thin space before the unit
}

Words wordsOf(const std::string& family) {
    if (family == "spyre")
        return {tr("core"), tr("stick"), tr("sticks"), tr("block"), QStringLiteral("c")};
    if (family == "tpu")
        return {tr("core"), tr("row"), tr("rows"), tr("tile"), QStringLiteral("t")};
    if (family == "cerebras")
        return {tr("PE"), tr("row"), tr("rows"), tr("block"), QStringLiteral("p")};
    if (family == "groq")
        return {tr("slice"), tr("vector"), tr("vectors"), tr("block"), QStringLiteral("s")};
    if (family == "gpu")
        return {tr("SM"), tr("row"), tr("rows"), tr("block"), QStringLiteral("s")};
    return {tr("core"), tr("row"), tr("rows"), tr("block"), QStringLiteral("c")};
}

Picture present(const ViewState& state, const std::optional<WhatIf>& whatIf) {
    Picture picture;
    const auto result = state.result();
    if (!result) {
        picture.reason = tr("No model is open; open one to see where its tensors lie.");
        return picture;
    }
    picture.stage = shownStage(state);
    const lowering::StageGraph& graph = result->program.stage(picture.stage);
    ir::ValueId value = state.shownValue();
    const auto selected = state.selectedLowered(picture.stage);
    for (const auto id : selected)
        addChoices(graph, id, picture.choices);
    picture.lowered = loweredValue(state, picture.stage, value);
    // The first result of a node may live on under another name: a lowered node that came from it
    // has it.
    if (!picture.lowered.isValid() && !state.selection().value.isValid()
        && !picture.choices.isEmpty())
        picture.lowered = picture.choices.front().lowered;
    if (state.selection().isEmpty()) {
        const lowering::NodeId longest = longestNode(*result);
        // Steps name nodes of the scheduled stage.
        const lowering::StageGraph& scheduled = result->program.stage(Stage::Scheduled);
        if (scheduled.nodes.contains(longest) && !scheduled.nodes[longest].outputs.empty()) {
            picture.stage = Stage::Scheduled;
            picture.lowered = scheduled.nodes[longest].outputs.front();
            addChoices(scheduled, longest, picture.choices);
            picture.isDefault = true;
        }
    }
    const lowering::StageGraph& shown = result->program.stage(picture.stage);
    if (!shown.values.contains(picture.lowered)) {
        picture.reason = shown.values.empty()
            ? tr("The model has no tensors, so there is no layout to show.")
            : nothingReason(state, picture.stage, value);
        return picture;
    }
    picture.value = shown.values[picture.lowered].source;
    fillGrid(state, picture);
    if (!picture.isEmpty()) {
        picture.modelShape = picture.grid->layout().shape;
        picture.values = valuesOf(result, shown.values[picture.lowered]);
        if (result->machine().family == "spyre"
            && shown.values[picture.lowered].dtype == ir::DType::UInt8)
            picture.estimate = tr("No public rule lays uint8 out on Spyre: it is taken as int8, an "
                                  "estimate.");
        if (whatIf)
            tryWhatIf(*result, picture, *whatIf);
    }
    return picture;
}

std::int64_t lineNumber(const Grid& grid, const Place& place) {
    const std::int64_t bits = std::max<std::int64_t>(
        1, grid.lanes() * grid.packs() * std::max(1, grid.layout().elementBits));
    return grid.bitAddress(place) / bits;
}

QString sentence(const Picture& picture, const std::optional<Place>& place) {
    if (picture.isEmpty())
        return picture.reason;
    const Grid& grid = *picture.grid;
    const auto& layout = grid.layout();
    QString text = tr("%1, %2: ").arg(picture.name, picture.shapeText);
    if (fivefold::layout::deviceElements(layout) == 0)
        return text + tr("an empty tensor, which takes no memory.");
    const std::int64_t perLine = grid.lanes() * grid.packs();
    text += tr("%1 of %2")
                .arg(formatCount(grid.allLines()) + u' '
                        + (grid.allLines() == 1 ? picture.words.line : picture.words.lines),
                    formatCount(perLine));
    if (grid.units() > 1)
        text += tr(", %1 on each of %2 %3s")
                    .arg(formatCount(grid.lines(0)), formatCount(grid.units()), picture.words.unit);
    text += QStringLiteral(", ") + paddingText(layout) + u'.';
    if (place) {
        const auto index = grid.indexAt(*place);
        text += u' '
            + (index ? tr("Element %1 is %2.")
                           .arg(formatCount(fivefold::layout::flatten(layout.shape, *index)),
                               lineText(picture, *place))
                     : tr("%1 is padding.").arg(lineText(picture, *place)));
    }
    if (picture.whatIf)
        text +=
            tr(" What if: d%1 is %2 here, of this tensor only; in the model it is %3.")
                .arg(QString::number(picture.whatIf->dimension), formatCount(picture.whatIf->size),
                    formatCount(
                        picture.modelShape[static_cast<std::size_t>(picture.whatIf->dimension)]));
    if (!picture.estimate.isEmpty())
        text += u' ' + picture.estimate;
    if (picture.isDefault)
        text += tr(" Nothing is selected: this is the result of the longest step.");
    return text;
}

QString indexText(const Picture& picture, const Place& place) {
    const auto index = picture.grid->indexAt(place);
    if (!index)
        return tr("padding");
    QStringList parts;
    for (const std::int64_t i : *index)
        parts << QString::number(i);
    return u'[' + parts.join(QStringLiteral(", ")) + u']';
}

QString addressText(const Picture& picture, const Place& place, bool isHex) {
    const std::int64_t bits = picture.grid->bitAddress(place);
    QString text = tr("base + %1").arg(isHex ? formatAddress(bits / 8) : QString::number(bits / 8));
    if (bits % 8 != 0)
        text += tr(", bit %1").arg(bits % 8);
    return text;
}

QString lineText(const Picture& picture, const Place& place) {
    return tr("%1 %2, lane %3")
        .arg(picture.words.line, formatCount(lineNumber(*picture.grid, place)),
            QString::number(place.lane)
                + (picture.grid->packs() > 1 ? QStringLiteral(".%1").arg(place.pack) : QString()));
}

QString unitText(const Picture& picture, const Place& place) {
    if (picture.grid->units() <= 1)
        return tr("the device");
    return tr("%1 %2 of %3")
        .arg(picture.words.unit, QString::number(place.unit), formatCount(picture.grid->units()));
}

QString valueText(const Picture& picture, const Place& place) {
    if (picture.isEmpty() || !picture.values)
        return {};
    const auto index = picture.grid->indexAt(place);
    const auto value = index
        ? picture.values->at(fivefold::layout::flatten(picture.grid->layout().shape, *index))
        : std::nullopt;
    if (!value)
        return {};
    if (const auto* number = std::get_if<double>(&*value))
        return QLocale().toString(*number, 'g', kValueDigits).replace(u'-', QChar(0x2212));
    if (const auto* integer = std::get_if<std::int64_t>(&*value))
        return QString::number(*integer).replace(u'-', QChar(0x2212));
    return u'"' + QString::fromStdString(std::get<std::string>(*value)) + u'"';
}

std::optional<Place> placeOfText(const Picture& picture, const Place& now, QString text) {
    if (picture.isEmpty())
        return std::nullopt;
    const Grid& grid = *picture.grid;
    text = text.trimmed();
    if (text.startsWith(QStringLiteral("base"), Qt::CaseInsensitive))
        text = text.mid(4).remove(u'+').trimmed();
    bool isNumber = false;
    if (text.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive)) {
        const qlonglong address = text.mid(2).toLongLong(&isNumber, 16);
        return isNumber ? grid.placeAtAddress(now.unit, address) : std::nullopt;
    }
    const bool isIndex = text.contains(u',') || text.startsWith(u'[');
    text.remove(u'[').remove(u']');
    std::vector<std::int64_t> index;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        index.push_back(part.trimmed().toLongLong(&isNumber));
        if (!isNumber)
            return std::nullopt;
    }
    if (isIndex)
        return grid.placeAt(index);
    if (index.size() != 1 || index[0] < 0
        || index[0] >= fivefold::layout::logicalElements(grid.layout()))
        return std::nullopt;
    return grid.placeAt(fivefold::layout::unflatten(grid.layout().shape, index[0]));
}

QString notationText(const Picture& picture) {
    const auto& layout = picture.grid->layout();
    if (layout.deviceSize.empty())
        return QString::fromStdString(layout.notation);
    QStringList parts;
    for (const std::int64_t extent : layout.deviceSize)
        parts << QString::number(extent);
    return u'[' + parts.join(QStringLiteral(", ")) + u']';
}

} // namespace fivefold::views::layout
