// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/view_state.h"

#include "core/compare/divergence.h"

#include <algorithm>

namespace fivefold::views::common {

namespace {

constexpr std::size_t kHistoryLimit = 200;

/// Drops what the graph does not have.
Selection pruned(Selection selection, const analysis::Result* result) {
    if (!result)
        return {};
    const ir::Graph& graph = result->graph();
    std::erase_if(selection.nodes, [&](ir::NodeId id) { return !graph.nodes.contains(id); });
    if (selection.value.isValid() && !graph.values.contains(selection.value)) {
        selection.value = {};
        selection.element.reset();
    }
    return selection;
}

template <typename Id> void appendUnique(std::vector<Id>& all, const std::vector<Id>& more) {
    for (const Id id : more)
        if (std::find(all.begin(), all.end(), id) == all.end())
            all.push_back(id);
}

/// A compared value and its first wrong element.
Selection selectionOf(const compare::Layer& layer) {
    Selection selection;
    if (layer.node.isValid())
        selection.nodes = {layer.node};
    selection.value = layer.value;
    const auto first = layer.global.wrong.first();
    if (!first || !layer.value.isValid())
        return selection;
    std::vector<std::int64_t> index(layer.shape.size());
    std::int64_t rest = *first;
    for (std::size_t axis = index.size(); axis-- > 0;) {
        if (layer.shape[axis] <= 0)
            return selection;
        index[axis] = rest % layer.shape[axis];
        rest /= layer.shape[axis];
    }
    selection.element = std::move(index);
    return selection;
}

const lowering::StageGraph* stageGraph(const analysis::Result* result, lowering::Stage stage) {
    return result ? result->program.stages[static_cast<std::size_t>(stage)].get() : nullptr;
}

} // namespace

bool Selection::contains(ir::NodeId node) const {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

ViewState::ViewState(QObject* parent)
    : QObject(parent) { }

ViewState::ViewState(ViewState& leader, QObject* parent)
    : QObject(parent)
    , m_leader(&leader) {
    connect(&leader, &ViewState::selectionChanged, this, &ViewState::selectionChanged);
    connect(&leader, &ViewState::hoverChanged, this, &ViewState::hoverChanged);
    connect(&leader, &ViewState::otherResultsChanged, this, &ViewState::otherResultsChanged);
    connect(&leader, &ViewState::divergenceChanged, this, &ViewState::divergenceChanged);
    connect(&leader, &ViewState::lensChanged, this, &ViewState::lensChanged);
    connect(&leader, &ViewState::historyChanged, this, &ViewState::historyChanged);
}

void ViewState::setResult(std::shared_ptr<const analysis::Result> result, bool isOtherModel) {
    const bool dropsPlay = result != m_result && m_play;
    m_result = std::move(result);
    if (dropsPlay) {
        m_play.reset();
        m_playTime = {};
    }
    const Selection before = m_selection;
    const Selection hoverBefore = m_hover;
    if (isOtherModel) {
        m_selection = {};
        m_hover = {};
        m_history.clear();
        m_historyAt = 0;
        m_cursor = {};
    } else {
        m_selection = pruned(m_selection, m_result.get());
        m_hover = pruned(m_hover, m_result.get());
    }
    const bool wasStale = std::exchange(m_isStale, false);
    emit resultChanged(isOtherModel);
    if (dropsPlay) {
        setPlaying(false);
        emit playChanged();
    }
    if (isOtherModel && m_divergence)
        setDivergence(nullptr);
    if (wasStale)
        emit staleChanged(false);
    if (before != m_selection)
        emit selectionChanged();
    if (hoverBefore != m_hover)
        emit hoverChanged();
    if (isOtherModel)
        emit historyChanged();
}

void ViewState::setStale(bool stale) {
    if (m_isStale == stale)
        return;
    m_isStale = stale;
    emit staleChanged(stale);
}

void ViewState::setOtherResults(std::vector<std::shared_ptr<const analysis::Result>> results) {
    if (m_leader)
        return m_leader->setOtherResults(std::move(results));
    if (results == m_otherResults)
        return;
    m_otherResults = std::move(results);
    emit otherResultsChanged();
}

void ViewState::setPlay(std::shared_ptr<const analysis::Play> play) {
    if (play == m_play)
        return;
    m_play = std::move(play);
    m_playTime = {};
    emit playChanged();
    emit playTimeChanged();
}

void ViewState::setPlayTime(base::Picoseconds time) {
    if (time == m_playTime)
        return;
    m_playTime = time;
    emit playTimeChanged();
}

void ViewState::setPlaying(bool isPlaying) {
    if (isPlaying == m_isPlaying)
        return;
    m_isPlaying = isPlaying;
    emit playingChanged(isPlaying);
}

void ViewState::setDivergence(std::shared_ptr<const compare::Divergence> divergence) {
    if (m_leader)
        return m_leader->setDivergence(std::move(divergence));
    if (divergence == m_divergence)
        return;
    const bool isFirst = !m_divergence;
    m_divergence = std::move(divergence);
    emit divergenceChanged();
    if (!m_divergence) {
        if (m_lens == Lens::Verdict)
            setLens(m_lensBefore);
        return;
    }
    if (isFirst) {
        m_lensBefore = m_lens == Lens::Verdict ? Lens::OperatorClass : m_lens;
        setLens(Lens::Verdict);
    } else if (m_lens == Lens::Verdict) {
        emit lensChanged();
    }
    if (!m_divergence->origins.empty()
        && m_divergence->origins.front() < m_divergence->layers.size())
        setSelection(
            views::common::selectionOf(m_divergence->layers[m_divergence->origins.front()]));
}

void ViewState::setSelection(Selection selection) {
    if (m_leader)
        return m_leader->setSelection(std::move(selection));
    selection = pruned(std::move(selection), m_result.get());
    if (selection == m_selection)
        return;
    m_selection = std::move(selection);
    pushHistory();
    emit selectionChanged();
}

void ViewState::selectNode(ir::NodeId node) {
    Selection selection;
    if (node.isValid())
        selection.nodes = {node};
    setSelection(std::move(selection));
}

void ViewState::toggleNode(ir::NodeId node) {
    if (!node.isValid())
        return;
    Selection selection = this->selection();
    selection.value = {};
    selection.element.reset();
    selection.added.clear();
    const auto found = std::find(selection.nodes.begin(), selection.nodes.end(), node);
    if (found != selection.nodes.end())
        selection.nodes.erase(found);
    else
        selection.nodes.push_back(node);
    setSelection(std::move(selection));
}

void ViewState::selectStep(lowering::StepId step) {
    if (m_result && m_result->program.steps.contains(step))
        setSelection(selectionOf(step));
}

void ViewState::selectLowered(lowering::Stage stage, lowering::NodeId node) {
    const auto* graph = stageGraph(m_result.get(), stage);
    if (graph && graph->nodes.contains(node))
        setSelection(selectionOf(stage, node));
}

Selection ViewState::selectionOf(lowering::StepId step) const {
    if (!m_result || !m_result->program.steps.contains(step))
        return {};
    Selection selection =
        selectionOf(lowering::Stage::Scheduled, m_result->program.steps[step].mainNode);
    if (selection.added.empty() && m_result->provenance.fromSteps.contains(step))
        appendUnique(selection.nodes, m_result->provenance.fromSteps[step]);
    return selection;
}

Selection ViewState::selectionOf(lowering::Stage stage, lowering::NodeId node) const {
    const auto* graph = stageGraph(m_result.get(), stage);
    if (!graph || !graph->nodes.contains(node))
        return {};
    Selection selection;
    selection.nodes = graph->nodes[node].sources;
    if (selection.nodes.empty())
        selection.added = graph->nodes[node].name;
    return selection;
}

void ViewState::selectValue(ir::ValueId value) {
    if (!m_result || !m_result->graph().values.contains(value))
        return;
    Selection selection;
    selection.value = value;
    if (const auto producer = m_result->graph().values[value].producer; producer.isValid())
        selection.nodes = {producer};
    setSelection(std::move(selection));
}

void ViewState::clearSelection() {
    setSelection({});
}

void ViewState::setHover(Selection hover) {
    if (m_leader)
        return m_leader->setHover(std::move(hover));
    hover = pruned(std::move(hover), m_result.get());
    if (hover == m_hover)
        return;
    m_hover = std::move(hover);
    emit hoverChanged();
}

void ViewState::setStage(lowering::Stage stage) {
    if (m_stage == stage)
        return;
    m_stage = stage;
    emit stageChanged();
}

void ViewState::setCursor(base::Picoseconds cursor) {
    if (m_cursor == cursor)
        return;
    m_cursor = cursor;
    emit cursorChanged();
}

void ViewState::setLens(Lens lens) {
    if (m_leader)
        return m_leader->setLens(lens);
    if (m_lens == lens)
        return;
    m_lens = lens;
    emit lensChanged();
}

bool ViewState::canGoBack() const {
    if (m_leader)
        return m_leader->canGoBack();
    return m_historyAt > 0 || (!m_history.empty() && m_selection != m_history[m_historyAt]);
}

bool ViewState::canGoForward() const {
    if (m_leader)
        return m_leader->canGoForward();
    return m_historyAt + 1 < m_history.size();
}

void ViewState::goBack() {
    if (m_leader)
        return m_leader->goBack();
    if (!canGoBack())
        return;
    if (m_selection == m_history[m_historyAt])
        --m_historyAt;
    m_selection = pruned(m_history[m_historyAt], m_result.get());
    emit selectionChanged();
    emit historyChanged();
}

void ViewState::goForward() {
    if (m_leader)
        return m_leader->goForward();
    if (!canGoForward())
        return;
    m_selection = pruned(m_history[++m_historyAt], m_result.get());
    emit selectionChanged();
    emit historyChanged();
}

void ViewState::pushHistory() {
    if (!m_selection.isEmpty()) {
        if (!m_history.empty())
            m_history.resize(m_historyAt + 1);
        if (m_history.empty() || m_history.back() != m_selection)
            m_history.push_back(m_selection);
        if (m_history.size() > kHistoryLimit)
            m_history.erase(m_history.begin());
        m_historyAt = m_history.size() - 1;
    }
    emit historyChanged();
}

std::vector<lowering::NodeId> ViewState::selectedLowered(lowering::Stage stage) const {
    return loweredOf(selection(), stage);
}

std::vector<lowering::StepId> ViewState::selectedSteps() const {
    return stepsOf(selection());
}

std::vector<lowering::StepId> ViewState::stepsOf(const Selection& selection) const {
    std::vector<lowering::StepId> steps;
    if (!m_result)
        return steps;
    for (const auto node : selection.nodes)
        if (m_result->provenance.toSteps.contains(node))
            appendUnique(steps, m_result->provenance.toSteps[node]);
    if (selection.added.empty())
        return steps;
    const auto added = loweredOf({{}, {}, selection.added, {}}, lowering::Stage::Scheduled);
    if (added.empty())
        return steps;
    const auto& all = m_result->program.steps;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const auto& nodes = all[lowering::StepId(s)].nodes;
        if (std::find(nodes.begin(), nodes.end(), added.front()) != nodes.end())
            appendUnique(steps, {lowering::StepId(s)});
    }
    return steps;
}

std::vector<lowering::NodeId> ViewState::loweredOf(
    const Selection& selection, lowering::Stage stage) const {
    std::vector<lowering::NodeId> lowered;
    const auto* graph = stageGraph(m_result.get(), stage);
    if (!graph)
        return lowered;
    const auto& map = m_result->provenance.toStage[static_cast<std::size_t>(stage)];
    for (const auto node : selection.nodes)
        if (map.contains(node))
            appendUnique(lowered, map[node]);
    if (selection.added.empty())
        return lowered;
    for (std::size_t n = 0; n < graph->nodes.size(); ++n)
        if (graph->nodes[lowering::NodeId(n)].name == selection.added)
            appendUnique(lowered, {lowering::NodeId(n)});
    return lowered;
}

ir::ValueId ViewState::shownValue() const {
    if (selection().value.isValid() || !m_result)
        return selection().value;
    for (const auto id : selection().nodes) {
        if (!m_result->graph().nodes.contains(id))
            continue;
        for (const auto output : m_result->graph().nodes[id].outputs)
            if (output.isValid())
                return output;
    }
    return {};
}

} // namespace fivefold::views::common
