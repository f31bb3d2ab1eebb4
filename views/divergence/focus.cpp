// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/focus.h"

#include "core/layout/tensor_layout.h"

#include <algorithm>

namespace fivefold::views::divergence {

using common::Selection;
using common::ViewState;

namespace {

std::int64_t sizeOf(const compare::Layer& layer) {
    std::int64_t size = 1;
    for (const std::int64_t extent : layer.shape)
        if (extent < 0 || __builtin_mul_overflow(size, extent, &size))
            return 0;
    return size;
}

std::optional<std::int64_t> firstElement(const compare::Layer& layer) {
    if (const auto wrong = layer.global.wrong.first())
        return wrong;
    return sizeOf(layer) > 0 ? std::optional<std::int64_t>(0) : std::nullopt;
}

} // namespace

Focus& Focus::of(ViewState& state) {
    if (auto* focus = state.findChild<Focus*>(QString(), Qt::FindDirectChildrenOnly))
        return *focus;
    return *new Focus(state);
}

Focus::Focus(ViewState& state)
    : QObject(&state)
    , m_state(state) {
    connect(&state, &ViewState::divergenceChanged, this, &Focus::takeDivergence);
    connect(&state, &ViewState::selectionChanged, this, &Focus::takeSelection);
    takeDivergence();
    if (!state.selection().isEmpty())
        takeSelection();
}

const std::shared_ptr<const compare::Divergence>& Focus::divergence() const {
    return m_state.divergence();
}

const compare::Layer* Focus::current() const {
    return m_layer ? &divergence()->layers[*m_layer] : nullptr;
}

void Focus::takeDivergence() {
    m_byValue.clear();
    m_byNode.clear();
    m_layer.reset();
    m_element.reset();
    if (const auto& divergence = this->divergence()) {
        const auto& layers = divergence->layers;
        for (std::size_t l = 0; l < layers.size(); ++l) {
            if (layers[l].value.isValid())
                m_byValue.try_emplace(layers[l].value.value, l);
            if (!layers[l].node.isValid())
                continue;
            const auto [found, isNew] = m_byNode.try_emplace(layers[l].node.value, l);
            if (!isNew && layers[found->second].global.wrong.isEmpty()
                && !layers[l].global.wrong.isEmpty())
                found->second = l; // of several outputs the one that is wrong
        }
        if (!divergence->origins.empty() && divergence->origins.front() < layers.size()) {
            m_layer = divergence->origins.front();
            m_element = firstElement(layers[*m_layer]);
        }
    }
    emit divergenceChanged();
    emit changed();
}

std::optional<std::size_t> Focus::layerOf(const Selection& selection) const {
    if (const auto found = m_byValue.find(selection.value.value);
        selection.value.isValid() && found != m_byValue.end())
        return found->second;
    for (const ir::NodeId node : selection.nodes)
        if (const auto found = m_byNode.find(node.value); found != m_byNode.end())
            return found->second;
    return std::nullopt;
}

void Focus::takeSelection() {
    if (m_isPushing || !divergence())
        return;
    const Selection& selection = m_state.selection();
    const auto layer = layerOf(selection);
    std::optional<std::int64_t> element;
    if (layer) {
        const compare::Layer& at = divergence()->layers[*layer];
        const bool isInside = selection.element && selection.value == at.value
            && selection.element->size() == at.shape.size()
            && std::equal(selection.element->begin(), selection.element->end(), at.shape.begin(),
                [](std::int64_t index, std::int64_t extent) {
                    return index >= 0 && index < extent;
                });
        element = isInside ? layout::flatten(at.shape, *selection.element) : firstElement(at);
    }
    set(layer, element);
}

Selection Focus::selectionOf(std::size_t layer, std::optional<std::int64_t> element) const {
    const compare::Layer& at = divergence()->layers[layer];
    Selection selection;
    if (at.node.isValid())
        selection.nodes = {at.node};
    selection.value = at.value;
    if (at.value.isValid() && element)
        selection.element = layout::unflatten(at.shape, *element);
    return selection;
}

void Focus::set(std::optional<std::size_t> layer, std::optional<std::int64_t> element) {
    if (layer == m_layer && element == m_element)
        return;
    m_layer = layer;
    m_element = element;
    emit changed();
}

void Focus::setLayer(std::size_t layer) {
    if (!divergence() || layer >= divergence()->layers.size())
        return;
    const auto element = firstElement(divergence()->layers[layer]);
    m_isPushing = true;
    m_state.setSelection(selectionOf(layer, element));
    m_isPushing = false;
    set(layer, element);
}

void Focus::setElement(std::int64_t flat) {
    if (!m_layer || flat < 0 || flat >= sizeOf(*current()))
        return;
    m_isPushing = true;
    m_state.setSelection(selectionOf(*m_layer, flat));
    m_isPushing = false;
    set(m_layer, flat);
}

std::optional<std::size_t> Focus::origin() const {
    const auto& divergence = this->divergence();
    if (!divergence || divergence->origins.empty())
        return std::nullopt;
    const auto& origins = divergence->origins;
    const auto found =
        m_layer ? std::find(origins.begin(), origins.end(), *m_layer) : origins.end();
    return found == origins.end() ? 0 : static_cast<std::size_t>(found - origins.begin());
}

const compare::LevelVerdict* Focus::verdict() const {
    if (!divergence())
        return nullptr;
    const std::size_t at = origin().value_or(0);
    return at < divergence()->levels.size() ? &divergence()->levels[at] : nullptr;
}

void Focus::goToNext() {
    if (!divergence() || divergence()->origins.empty())
        return;
    const auto& origins = divergence()->origins;
    const auto next = std::find_if(origins.begin(), origins.end(),
        [this](std::size_t origin) { return m_layer && origin > *m_layer; });
    setLayer(next == origins.end() ? origins.front() : *next);
}

void Focus::goToWorst() {
    if (divergence() && divergence()->worst)
        setLayer(*divergence()->worst);
}

void Focus::goToSuspects() {
    if (!divergence() || !divergence()->capture || divergence()->capture->interval.empty())
        return;
    const auto& interval = divergence()->capture->interval;
    const auto& layers = divergence()->layers;
    if (interval.front() >= layers.size())
        return;
    Selection selection = selectionOf(interval.front(), std::nullopt);
    for (const std::size_t layer : interval)
        if (layer < layers.size() && layers[layer].node.isValid()
            && !selection.contains(layers[layer].node))
            selection.nodes.push_back(layers[layer].node);
    m_isPushing = true;
    m_state.setSelection(std::move(selection));
    m_isPushing = false;
    set(interval.front(), firstElement(layers[interval.front()]));
}

} // namespace fivefold::views::divergence
