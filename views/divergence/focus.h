// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"
#include "views/common/view_state.h"

#include <map>
#include <optional>

namespace fivefold::views::divergence {

/// What the divergence panels of one view state look at together: a layer, an element of it, an
/// origin; and what they ask the window for. Follows the linked selection and sets it; holds what
/// the selection cannot name (a layer without a counterpart in the model, dumps without a model).
class Focus final : public QObject {
    Q_OBJECT

public:
    /// The one of the state, made at the first call; the state owns it.
    static Focus& of(common::ViewState& state);

    const std::shared_ptr<const compare::Divergence>& divergence() const;
    common::ViewState& state() const { return m_state; }

    /// Index into the divergence's layers; nullopt: nothing that was compared is selected.
    std::optional<std::size_t> layer() const { return m_layer; }
    const compare::Layer* current() const; ///< null likewise
    /// Selects the layer and its first wrong element, or its first element. Bad indices are
    /// ignored.
    void setLayer(std::size_t layer);
    /// Flat logical index inside the layer; nullopt: none.
    std::optional<std::int64_t> element() const { return m_element; }
    void setElement(std::int64_t flat);

    /// Index into the divergence's origins: that of the layer, else the first; nullopt: none.
    std::optional<std::size_t> origin() const;
    /// Of the origin, or of a hang without one; null where none is known.
    const compare::LevelVerdict* verdict() const;

    void goToNext(); ///< the next origin after the layer, around
    void goToWorst();
    /// Selects the nodes of the suspect interval; the first is the clicked one.
    void goToSuspects();
    void clear() { m_state.clearSelection(); }

signals:
    void divergenceChanged(); ///< before changed()
    void changed(); ///< layer, element or divergence
    // What the window does.
    void openDumpRequested();
    void compareComputedRequested();
    void faultLabRequested();
    void evidenceRequested(std::size_t origin);
    void reduceRequested(std::size_t origin);
    void captureScriptRequested();
    void plantRequested(fivefold::numerics::FaultId fault);
    void matchingRequested();
    void showRequested(const QString& panelId);

private:
    explicit Focus(common::ViewState& state);
    void takeDivergence();
    void takeSelection();
    std::optional<std::size_t> layerOf(const common::Selection& selection) const;
    common::Selection selectionOf(std::size_t layer, std::optional<std::int64_t> element) const;
    void set(std::optional<std::size_t> layer, std::optional<std::int64_t> element);

    common::ViewState& m_state;
    std::optional<std::size_t> m_layer;
    std::optional<std::int64_t> m_element;
    bool m_isPushing = false;
    std::map<std::uint32_t, std::size_t> m_byValue, m_byNode;
};

} // namespace fivefold::views::divergence

Q_DECLARE_METATYPE(fivefold::numerics::FaultId)
