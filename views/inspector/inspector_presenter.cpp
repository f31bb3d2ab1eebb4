// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/inspector/inspector_presenter.h"

#include "views/common/format.h"
#include "views/common/layout_text.h"
#include "views/common/sentences.h"
#include "views/inspector/inspector_costs.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::views::inspector {

using namespace common;

namespace {

/// Lists longer than this end with a count.
constexpr std::size_t kMostListed = 24;

QString tr(const char* text) {
    return QCoreApplication::translate("inspector", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

/// What is selected, resolved once.
struct Subject {
    const analysis::Result& result;
    ir::NodeId captured;
    ir::ValueId value;
    const lowering::StageGraph* scheduled = nullptr;
    lowering::NodeId lowered; ///< at Scheduled
    lowering::StepId step; ///< the first
    std::vector<lowering::StepId> steps; ///< of everything selected

    const ir::Node* capturedNode() const {
        return captured.isValid() ? &result.graph().nodes[captured] : nullptr;
    }
    const lowering::Node* loweredNode() const {
        return scheduled && scheduled->nodes.contains(lowered) ? &scheduled->nodes[lowered]
                                                               : nullptr;
    }
};

Subject subjectOf(const ViewState& state, const analysis::Result& result) {
    Subject subject{result, {}, state.selection().value, result.program.stages.back().get(), {}, {},
        state.stepsOf(state.selection())};
    if (!state.selection().nodes.empty())
        subject.captured = state.selection().nodes.front();
    Selection first = state.selection();
    if (first.nodes.size() > 1)
        first.nodes.resize(1);
    const auto lowered = state.loweredOf(first, lowering::Stage::Scheduled);
    if (!lowered.empty())
        subject.lowered = lowered.front();
    const auto steps = state.stepsOf(first);
    if (!steps.empty()) {
        subject.step = steps.front();
        // Of several lowered nodes the one that names the step says most.
        const auto main = result.program.steps[subject.step].mainNode;
        if (std::find(lowered.begin(), lowered.end(), main) != lowered.end())
            subject.lowered = main;
    }
    return subject;
}

void add(Lines& lines, const QString& label, const QString& value) {
    if (!value.isEmpty())
        lines.push_back(field(label, value));
}

ir::ValueType typeOf(const analysis::Result& result, ir::ValueId id) {
    if (result.typed && result.typed->types.contains(id))
        return result.typed->types[id];
    return result.graph().values[id].declared;
}

void addValue(Lines& lines, const Subject& subject, ir::ValueId id, const QString& label) {
    if (!subject.result.graph().values.contains(id))
        return;
    const ir::Value& value = subject.result.graph().values[id];
    const ir::ValueType type = typeOf(subject.result, id);
    Line line = field(label, value.name.empty() ? tr("(no name)") : text(value.name));
    line.note = dtypeName(type.dtype) + u' ' + formatShape(type.shape);
    if (value.origin == ir::ValueOrigin::Initializer)
        line.note += tr(" weight");
    line.link.value = id;
    lines.push_back(std::move(line));
}

void addValues(Lines& lines, const Subject& subject, const std::vector<ir::ValueId>& values,
    const QString& label) {
    std::size_t listed = 0;
    for (const auto id : values) {
        if (!id.isValid())
            continue;
        if (listed++ == kMostListed) {
            add(lines, label,
                tr("… and %1 more")
                    .arg(formatCount(static_cast<std::int64_t>(values.size() - kMostListed))));
            return;
        }
        addValue(lines, subject, id, label);
    }
}

void addTitle(Lines& lines, const Subject& subject, const ViewState& state) {
    Line line;
    line.kind = LineKind::Title;
    if (const auto* node = subject.capturedNode()) {
        line.text = text(node->name);
        line.opClass = ir::opClass(node->op);
        line.link.node = subject.captured;
    } else if (const auto* lowered = subject.loweredNode()) {
        line.text = text(lowered->name);
        line.opClass = lowered->opClass();
    } else if (subject.value.isValid()) {
        line.text = text(subject.result.graph().values[subject.value].name);
    } else {
        line.text = text(state.selection().added);
    }
    if (const auto* lowered = subject.loweredNode();
        lowered && subject.scheduled->kernels.contains(lowered->kernel))
        line.note = tr("in %1").arg(text(subject.scheduled->kernels[lowered->kernel].name));
    if (state.selection().nodes.size() > 1)
        line.note =
            tr("first of %1")
                .arg(formatCount(static_cast<std::int64_t>(state.selection().nodes.size())));
    line.toolTip = line.text;
    lines.push_back(std::move(line));
}

void addOperator(Lines& lines, const Subject& subject) {
    const auto* node = subject.capturedNode();
    const auto* lowered = subject.loweredNode();
    QString op;
    if (lowered)
        op = text(lowered->op);
    if (node) {
        const QString source = text(node->sourceOp);
        const QString domain =
            node->domain.empty() ? QString() : text(node->domain) + QStringLiteral("::");
        op = op.isEmpty() || op == source ? domain + source
                                          : op + QStringLiteral(" ← ") + domain + source;
    }
    add(lines, tr("operator"), op);
    if (lowered && lowered->support != lowering::Support::Native)
        add(lines, tr("support"), supportName(lowered->support));
    else if (node && !lowered && subject.result.nodes.contains(subject.captured))
        add(lines, tr("support"), supportName(subject.result.nodes[subject.captured].support));
    if (lowered && !lowered->addedBy.empty())
        add(lines, tr("added"), tr("at stage %1").arg(stageName(lowered->addedAt)));
    const ir::Attributes* attributes = node ? &node->attributes
        : lowered                           ? &lowered->attributes
                                            : nullptr;
    if (!attributes)
        return;
    QStringList parts;
    for (const auto& [name, value] : *attributes)
        parts << text(name) + QStringLiteral(" = ") + text(ir::toText(value));
    add(lines, tr("attributes"), parts.join(QStringLiteral(", ")));
}

/// The lowered counterpart of a captured value, for its layout and place.
const lowering::Value* loweredValue(const Subject& subject) {
    const auto* graph = subject.scheduled;
    if (!graph)
        return nullptr;
    if (subject.value.isValid())
        for (std::size_t v = 0; v < graph->values.size(); ++v)
            if (graph->values[lowering::ValueId(v)].source == subject.value)
                return &graph->values[lowering::ValueId(v)];
    const auto* node = subject.loweredNode();
    if (node && !node->outputs.empty() && graph->values.contains(node->outputs.front()))
        return &graph->values[node->outputs.front()];
    return nullptr;
}

void addLayout(Lines& lines, const Subject& subject) {
    const auto* value = loweredValue(subject);
    if (!value)
        return;
    Line line = field(tr("device type"), dtypeName(value->dtype));
    line.note = formatShape(value->shape);
    lines.push_back(line);
    if (!value->layout)
        return;
    Line layout = field(tr("result layout"), layoutText(*value->layout));
    if (!value->layout->deviceSize.empty())
        layout.note = text(value->layout->notation);
    lines.push_back(layout);
    const auto padding = paddingOf(*value->layout);
    if (!padding)
        add(lines, tr("padding"), tr("unknown"));
    else if (padding->bytes.value == 0)
        add(lines, tr("padding"), tr("none"));
    else
        add(lines, tr("padding"),
            tr("%1, %2 of the tensor")
                .arg(formatBytes(padding->bytes), formatShare(padding->share)));
}

void addStep(Lines& lines, const Subject& subject) {
    if (!subject.result.program.steps.contains(subject.step))
        return;
    const lowering::Step& step = subject.result.program.steps[subject.step];
    add(lines, tr("work division"), text(step.workDivision));
    addLayout(lines, subject);
}

void addRules(Because& because, const Subject& subject) {
    if (!subject.captured.isValid())
        return;
    const auto& program = subject.result.program;
    for (const auto stage : lowering::kStages) {
        const auto& graph = program.stages[static_cast<std::size_t>(stage)];
        const auto& map = subject.result.provenance.toStage[static_cast<std::size_t>(stage)];
        if (!graph || !map.contains(subject.captured))
            continue;
        for (const auto id : map[subject.captured])
            if (graph->nodes.contains(id))
                because.add(asSentence(graph->nodes[id].rule));
        for (const auto& removed : graph->removed)
            if (removed.node == subject.captured)
                because.add(tr("Removed at stage %1: %2.")
                                .arg(stageName(removed.stage), text(removed.rule)));
    }
}

/// Operators that the compiler added right before or after this one.
void addNeighbours(Because& because, const Subject& subject) {
    const auto* node = subject.loweredNode();
    if (!node)
        return;
    const lowering::StageGraph& graph = *subject.scheduled;
    const auto take = [&](lowering::NodeId id) {
        if (!graph.nodes.contains(id) || graph.nodes[id].addedBy.empty())
            return;
        Link link;
        for (std::size_t s = 0; s < subject.result.program.steps.size() && !link.isValid(); ++s) {
            const auto& nodes = subject.result.program.steps[lowering::StepId(s)].nodes;
            if (std::find(nodes.begin(), nodes.end(), id) != nodes.end())
                link.step = lowering::StepId(s);
        }
        because.add(text(graph.nodes[id].name) + QStringLiteral(" ← ")
                + firstClause(text(graph.nodes[id].addedBy)),
            link);
    };
    for (const auto input : node->inputs)
        if (graph.values.contains(input))
            take(graph.values[input].producer);
    for (const auto output : node->outputs)
        if (graph.values.contains(output))
            for (const auto user : graph.values[output].users)
                take(user);
}

void addBecause(Lines& lines, const Subject& subject) {
    Because because;
    const auto* lowered = subject.loweredNode();
    if (lowered && !lowered->addedBy.empty())
        because.add(tr("Added: %1").arg(asSentence(lowered->addedBy)));
    if (subject.result.program.steps.contains(subject.step))
        because.add(asSentence(subject.result.program.steps[subject.step].estimate.because));
    addCauses(because, subject.result, subject.steps);
    addNeighbours(because, subject);
    addRules(because, subject);
    if (lowered && subject.scheduled->kernels.contains(lowered->kernel))
        because.add(asSentence(subject.scheduled->kernels[lowered->kernel].reason));
    const auto* value = loweredValue(subject);
    for (const auto& buffer : subject.result.program.buffers)
        if (value && subject.scheduled->values.contains(buffer.value)
            && &subject.scheduled->values[buffer.value] == value)
            because.add(asSentence(buffer.reason));
    if (because.lines.empty())
        return;
    lines.push_back(heading(tr("Because")));
    lines.insert(lines.end(), because.lines.begin(), because.lines.end());
}

/// A picked tensor: its own type and who makes and reads it.
void addTensor(Lines& lines, const Subject& subject) {
    const ir::Graph& graph = subject.result.graph();
    const ir::Value& value = graph.values[subject.value];
    lines.push_back(heading(tr("Tensor %1").arg(text(value.name))));
    const ir::ValueType type = typeOf(subject.result, subject.value);
    add(lines, tr("type"), dtypeName(type.dtype) + u' ' + formatShape(type.shape));
    if (const auto* lowered = loweredValue(subject)) {
        add(lines, tr("role"), roleName(lowered->role));
        if (const auto bytes =
                lowered->shape && lowered->layout ? paddingOf(*lowered->layout) : std::nullopt)
            add(lines, tr("layout"), layoutText(*lowered->layout));
    }
    const auto link = [&](const QString& label, ir::NodeId id) {
        if (!graph.nodes.contains(id))
            return;
        Line line = field(label, text(graph.nodes[id].name));
        line.link.node = id;
        lines.push_back(std::move(line));
    };
    link(tr("made by"), value.producer);
    for (std::size_t u = 0; u < value.users.size() && u < kMostListed; ++u)
        link(tr("read by"), value.users[u]);
}

} // namespace

Line field(const QString& label, const QString& value) {
    Line line;
    line.label = label;
    line.text = value;
    line.toolTip = value;
    return line;
}

Line heading(const QString& value) {
    Line line;
    line.kind = LineKind::Heading;
    line.text = value;
    return line;
}

Lines present(const ViewState& state) {
    const auto result = state.result();
    if (!result)
        return {};
    if (state.selection().isEmpty())
        return overview(*result);
    const Subject subject = subjectOf(state, *result);
    Lines lines;
    addTitle(lines, subject, state);
    addOperator(lines, subject);
    addStep(lines, subject);
    if (!subject.step.isValid())
        addLayout(lines, subject);
    else
        addTimes(lines, *result, subject.steps);
    if (const auto* node = subject.capturedNode()) {
        addValues(lines, subject, node->inputs, tr("input"));
        addValues(lines, subject, node->outputs, tr("output"));
        if (result->cost && result->cost->nodes.contains(subject.captured)) {
            const ir::NodeCost& cost = result->cost->nodes[subject.captured];
            if (!cost.macs || *cost.macs > 0)
                add(lines, tr("MAC"), formatCount(cost.macs));
        }
    }
    if (subject.value.isValid())
        addTensor(lines, subject);
    addBecause(lines, subject);
    return lines;
}

QString sentence(const ViewState& state) {
    const auto result = state.result();
    if (!result)
        return tr("No model is open, so there is nothing to inspect.");
    const QString machine = text(result->machine().name);
    const analysis::Totals& totals = result->totals;
    if (state.selection().isEmpty()) {
        if (result->program.steps.empty())
            return tr("The model has no operators that run on %1.").arg(machine);
        const QString time = formatTime(std::optional(totals.time));
        return tr("%1 operators run as %2 steps on %3 in %4%5, %6.")
            .arg(formatCount(static_cast<std::int64_t>(result->graph().nodes.size())),
                formatCount(static_cast<std::int64_t>(result->program.steps.size())), machine,
                totals.unknownSteps > 0 ? tr("at least ") : QString(), time,
                validationText(*result));
    }
    const Subject subject = subjectOf(state, *result);
    const auto* node = subject.capturedNode();
    const QString name = node     ? shortName(node->name)
        : subject.value.isValid() ? text(result->graph().values[subject.value].name)
                                  : text(state.selection().added);
    if (!subject.step.isValid()) {
        if (subject.scheduled && node)
            for (const auto& removed : subject.scheduled->removed)
                if (removed.node == subject.captured)
                    return tr("%1 was removed on %2 at stage %3: %4.")
                        .arg(name, machine, stageName(removed.stage), text(removed.rule));
        return tr("%1 has no step of its own on %2.").arg(name, machine);
    }
    const lowering::Step& step = result->program.steps[subject.step];
    if (!step.estimate.isKnown)
        return tr("%1 takes an unknown time on %2.").arg(name, machine);
    return tr("%1 takes %2 on %3, bound by %4.")
        .arg(name, timeWithBand(step.estimate), machine, boundName(step.estimate.bound));
}

} // namespace fivefold::views::inspector
