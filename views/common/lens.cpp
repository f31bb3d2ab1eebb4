// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/lens.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/common/verdict.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fivefold::views::common {

namespace {

// Ends of the ramps: 2⁸ and 2²⁸ bytes, 64 bits.
constexpr double kLeastBytes = 8, kBytesSpan = 20, kMostBits = 6;

QString tr(const char* text) {
    return QCoreApplication::translate("words", text);
}

/// Four sequential steps, tokens.json lens.decidedBy.
double deciderPosition(lowering::DecidedBy decider) {
    return (static_cast<double>(decider) + 1.5) / 5.0;
}

double rampPosition(double value, Lens lens) {
    switch (lens) {
    case Lens::Padding:
        return value;
    case Lens::Bytes:
        return (std::log2(std::max(1.0, value)) - kLeastBytes) / kBytesSpan;
    default:
        return std::log2(std::max(1.0, value)) / kMostBits;
    }
}

LegendEntry swatch(const QString& label, double position) {
    return {label, [position](QPainter& painter, const QRectF& rect) {
                painter.fillRect(rect, Palette::current().sequential(position));
            }};
}

/// Sums over the tensors of known size.
struct Measure {
    double bytes = 0, padding = 0, bits = 0;
    bool isKnown = false;

    void add(const lowering::Value& value) {
        const auto device = value.deviceBytes(), logical = value.bytes();
        if (!device || !logical)
            return;
        isKnown = true;
        bytes += static_cast<double>(device->value);
        padding += static_cast<double>(std::max<std::int64_t>(0, device->value - logical->value));
        bits = std::max(bits, static_cast<double>(ir::bitWidth(value.dtype)));
    }
    std::optional<double> of(Lens lens) const {
        if (!isKnown)
            return std::nullopt;
        switch (lens) {
        case Lens::Bytes:
            return bytes;
        case Lens::Padding:
            return bytes > 0 ? padding / bytes : 0;
        default:
            return bits;
        }
    }
};

LensMark ofClass(ir::OpClass opClass) {
    return {Palette::current().operatorClass(opClass), className(opClass)};
}

} // namespace

QString lensName(Lens lens) {
    switch (lens) {
    case Lens::OperatorClass:
        return tr("operator class");
    case Lens::Bytes:
        return tr("bytes");
    case Lens::Padding:
        return tr("padding");
    case Lens::DType:
        return tr("dtype");
    case Lens::Module:
        return tr("module");
    case Lens::Verdict:
        return tr("verdict");
    case Lens::DecidedBy:
        break;
    }
    return tr("decided by");
}

LensColours::LensColours(std::shared_ptr<const analysis::Result> result, Lens lens,
    std::shared_ptr<const compare::Divergence> divergence)
    : m_result(std::move(result))
    , m_lens(lens)
    , m_divergence(std::move(divergence)) {
    if (lens == Lens::Verdict && m_divergence)
        m_verdicts = std::make_shared<const VerdictMap>(m_divergence);
    if (!m_result || lens != Lens::Module)
        return;
    // Modules in the order of their first operators: neighbours then differ.
    const ir::Graph& graph = m_result->graph();
    m_isOddScope.assign(graph.scopes.size(), 2);
    std::uint8_t next = 0;
    for (const ir::Node& node : graph.nodes) {
        if (!graph.scopes.contains(node.scope) || m_isOddScope[node.scope.index()] < 2)
            continue;
        m_isOddScope[node.scope.index()] = next;
        next ^= 1;
    }
}

LensMark LensColours::ofDecider(lowering::DecidedBy decider) const {
    return {Palette::current().sequential(deciderPosition(decider)),
        QStringLiteral("PCRH").mid(static_cast<int>(decider), 1)};
}

LensMark LensColours::ofModule(const lowering::Node& node) const {
    const ir::Graph& graph = m_result->graph();
    if (node.sources.empty() || !graph.nodes.contains(node.sources.front()))
        return {{}, tr("no module")};
    const ir::ScopeId scope = graph.nodes[node.sources.front()].scope;
    if (!graph.scopes.contains(scope))
        return {{}, tr("no module")};
    return {Palette::current().role(m_isOddScope[scope.index()] == 1 ? "neutralSoft" : "neutral"),
        QString::fromStdString(graph.scopes[scope].path)};
}

LensMark LensColours::ofMeasure(std::optional<double> value) const {
    if (!value)
        return {{}, tr("unknown")};
    LensMark mark;
    mark.fill = Palette::current().sequential(std::clamp(rampPosition(*value, m_lens), 0.0, 1.0));
    if (m_lens == Lens::Bytes)
        mark.word = formatBytes(base::Bytes(std::llround(*value)));
    else if (m_lens == Lens::Padding)
        mark.word = formatShare(*value);
    else
        mark.word = tr("%1 bit").arg(*value);
    return mark;
}

LensMark LensColours::ofVerdicts(
    lowering::Stage stage, std::span<const lowering::NodeId> nodes) const {
    if (!m_verdicts)
        return {{}, tr("not compared")};
    const auto& graph = m_result->program.stages[static_cast<std::size_t>(stage)];
    std::vector<ir::NodeId> captured;
    for (const lowering::NodeId id : nodes)
        captured.insert(
            captured.end(), graph->nodes[id].sources.begin(), graph->nodes[id].sources.end());
    const auto state = m_verdicts->of(captured);
    if (!state)
        return {{}, tr("not compared")};
    return {verdictColour(state->verdict), verdictName(state->verdict)};
}

LensMark LensColours::node(lowering::Stage stage, lowering::NodeId node) const {
    return nodes(stage, std::span(&node, 1));
}

LensMark LensColours::nodes(lowering::Stage stage, std::span<const lowering::NodeId> nodes) const {
    const auto& graph =
        m_result ? m_result->program.stages[static_cast<std::size_t>(stage)] : nullptr;
    if (!graph || nodes.empty() || !graph->nodes.contains(nodes.front()))
        return {};
    const lowering::Node& first = graph->nodes[nodes.front()];
    switch (m_lens) {
    case Lens::OperatorClass: {
        // A contraction among them is what takes the time.
        const bool hasContraction = std::any_of(nodes.begin(), nodes.end(),
            [&](auto id) { return graph->nodes[id].opClass() == ir::OpClass::Contraction; });
        return ofClass(hasContraction ? ir::OpClass::Contraction : first.opClass());
    }
    case Lens::Module:
        return ofModule(first);
    case Lens::DecidedBy:
        return ofDecider(first.decidedBy);
    case Lens::Verdict:
        return ofVerdicts(stage, nodes);
    default:
        break;
    }
    Measure measure;
    for (const lowering::NodeId id : nodes)
        for (const lowering::ValueId output : graph->nodes[id].outputs)
            if (graph->values.contains(output))
                measure.add(graph->values[output]);
    return ofMeasure(measure.of(m_lens));
}

LensMark LensColours::value(lowering::Stage stage, lowering::ValueId value) const {
    const auto& graph =
        m_result ? m_result->program.stages[static_cast<std::size_t>(stage)] : nullptr;
    if (!graph || !graph->values.contains(value))
        return {};
    const lowering::Value& tensor = graph->values[value];
    if (m_lens == Lens::Bytes || m_lens == Lens::Padding || m_lens == Lens::DType) {
        Measure measure;
        measure.add(tensor);
        return ofMeasure(measure.of(m_lens));
    }
    const lowering::NodeId maker = tensor.producer.isValid() ? tensor.producer
        : tensor.users.empty()                               ? lowering::NodeId()
                                                             : tensor.users.front();
    return maker.isValid() ? node(stage, maker) : LensMark{{}, tr("unknown")};
}

LensMark LensColours::step(lowering::StepId step) const {
    if (!m_result || !m_result->program.steps.contains(step))
        return {};
    const lowering::Step& at = m_result->program.steps[step];
    if (m_lens == Lens::OperatorClass && at.mainNode.isValid())
        return node(lowering::Stage::Scheduled, at.mainNode);
    return nodes(lowering::Stage::Scheduled, at.nodes);
}

LensMark LensColours::event(lowering::EventId event) const {
    if (!m_result || !m_result->program.events.contains(event))
        return {};
    const lowering::Event& at = m_result->program.events[event];
    return m_lens == Lens::DecidedBy ? ofDecider(at.decidedBy) : step(at.step);
}

Legend lensLegend(Lens lens) {
    Legend legend;
    switch (lens) {
    case Lens::OperatorClass:
        for (const ir::OpClass opClass : {ir::OpClass::Contraction, ir::OpClass::Normalisation,
                 ir::OpClass::Pointwise, ir::OpClass::Movement})
            legend << classEntry(opClass);
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
        legend << swatch(tr("4 bit"), 2 / kMostBits) << swatch(tr("16 bit"), 4 / kMostBits)
               << swatch(tr("64 bit"), 1);
        break;
    case Lens::Module:
        legend << LegendEntry{
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
            legend << swatch(decidedByName(decider), deciderPosition(decider));
        break;
    case Lens::Verdict:
        for (const auto verdict : {compare::Verdict::Clean, compare::Verdict::Benign,
                 compare::Verdict::Origin, compare::Verdict::Inherited, compare::Verdict::Healed,
                 compare::Verdict::Unmatched, compare::Verdict::Missing})
            legend << verdictEntry(verdict);
        break;
    }
    return legend;
}

} // namespace fivefold::views::common
