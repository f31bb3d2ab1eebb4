// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/job_runner.h"
#include "core/analysis/pipeline.h"
#include "core/ir/resymbolise.h"
#include "views/common/view_state.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>

#include <memory>

namespace fivefold::app {

/// The part of the choices that names what is in one model: another file clears it.
struct ModelChoices {
    ir::Bindings bindings;
    /// Kernels cut and joined by the user, by family: operators are named as a family names them.
    std::map<std::string, std::vector<lowering::FusionEdit>> fusionEdits;
    /// As in lowering::Settings.
    std::map<std::string, lowering::DeviceLayout> inputLayouts;
    std::map<std::string, std::map<std::string, std::string>> implementations;
    std::map<std::string, std::string> placements;
    std::map<std::string, std::string> substitutes;
    bool operator==(const ModelChoices&) const = default;
};

/// What the user may change about an analysis: a value, so that undo is a swap.
struct Choices : ModelChoices {
    std::shared_ptr<const machines::Machine> machine;
    std::optional<machines::Precision> precision; ///< none: the machine's default
    bool isFusionOn = true;
    std::map<std::string, std::string>
        settings; ///< family settings that differ from their defaults
    bool operator==(const Choices&) const = default;
    /// Nothing is changed but the machine.
    bool isUntouched() const;
};

/// The sizes of a model that may be varied, and the model with those free that its file fixes.
struct VariableSizes {
    std::vector<ir::FreeAxis> axes; ///< own symbols first, then batch and sequence
    std::shared_ptr<const analysis::Model> freed; ///< null: no fixed size can be made free
    bool isKnown = false; ///< false: still being found out

    const ir::FreeAxis* find(const std::string& symbol) const;
    /// By symbol, or by "INPUT.AXIS".
    const ir::FreeAxis* findPlace(const ir::Graph& graph, const std::string& name) const;
};

/// The open model and what it is analysed for. Starts jobs, applies their results to the ViewState,
/// keeps the old picture when something fails. UI thread only.
class Session final : public QObject {
    Q_OBJECT

public:
    explicit Session(views::common::ViewState& state, QObject* parent = nullptr);

    views::common::ViewState& state() { return m_state; }
    JobRunner& jobs() { return m_jobs; }
    QUndoStack& undoStack() { return m_undo; }
    const Choices& choices() const { return m_choices; }
    std::shared_ptr<const analysis::Model> model() const { return m_model; }
    QString path() const { return m_path; }

    void open(const QString& path);
    void reload();
    void setMachine(std::shared_ptr<const machines::Machine> machine);
    /// A machine by id or file, or the preferred one of a family; a name that means nothing is a
    /// failure with its sentence.
    void setMachineNamed(const QString& name);
    /// The family's machine that was used last, else its default one.
    std::shared_ptr<const machines::Machine> preferredMachine(std::string_view family) const;
    /// Changes the what-if part (precision, fusion, settings, bindings) as one undoable step. Steps
    /// with the same `drag` (not empty) that follow each other are one.
    void change(const QString& text, Choices choices, const QString& drag = {});
    /// Binds a free symbol of the model or a fixed size that was proved free, by symbol or
    /// "INPUT.AXIS", as one undoable step. What cannot be bound is a failure with its sentence.
    void bind(const QString& symbol, qlonglong size);
    /// As one of the steps of a drag.
    void bindDragging(const QString& symbol, qlonglong size, const QString& drag);
    /// Takes a binding back.
    void unbind(const QString& symbol);
    /// The size that the choices bind a symbol to.
    std::optional<std::int64_t> boundSize(const std::string& symbol) const;
    const VariableSizes& sizes() const { return m_sizes; }
    /// Work in the background: sizes that may be varied, the total of the untouched model.
    JobRunner& backgroundJobs() { return m_background; }
    void resetWhatIf();
    /// Cuts or joins kernels on the machines of a family, as one undoable step.
    void editFusion(
        const std::string& family, const QString& text, const lowering::FusionEdit& edit);
    /// Tries a remedy on top of the choices, as one undoable step.
    void applyRemedy(const QString& text, const analysis::Remedy& remedy);
    /// What the choices mean for a machine: this one's, or another one beside it.
    analysis::Request requestFor(const std::shared_ptr<const machines::Machine>& machine) const;
    std::shared_ptr<analysis::TypedCache> typedCache() const { return m_cache; }
    /// The precision in force: the chosen one if the machine has a rate for it, else its default.
    machines::Precision precision() const;
    /// Total of the untouched model on this machine, for the Δ of the what-if bar.
    std::optional<base::Seconds> baselineTotal() const { return m_baselineTotal; }

    QStringList recentFiles() const;

signals:
    void opened(const QString& path);
    void choicesChanged();
    /// A sentence: what failed, where, what would mend it. The old picture stays.
    void failed(const QString& sentence);
    void recentFilesChanged();
    void sizesChanged(); ///< what may be varied is known
    void baselineChanged(); ///< the total of the untouched model is known

private:
    friend class ChoicesCommand;
    void apply(const Choices& choices);
    void analyze();
    analysis::Request requestFor(
        const std::shared_ptr<const machines::Machine>& machine, const Choices& choices) const;
    bool setBinding(Choices& choices, const std::string& symbol, std::int64_t size);
    bool usesFreedSizes(const ModelChoices& choices) const;
    void findSizes();
    void findBaseline();
    void remember(const QString& path);

    views::common::ViewState& m_state;
    JobRunner m_jobs;
    JobRunner m_background;
    QUndoStack m_undo;
    Choices m_choices;
    std::shared_ptr<const analysis::Model> m_model;
    std::shared_ptr<analysis::TypedCache> m_cache;
    QString m_path;
    VariableSizes m_sizes;
    std::optional<base::Seconds> m_baselineTotal;
    std::map<std::string, std::shared_ptr<const machines::Machine>, std::less<>> m_lastOfFamily;
};

} // namespace fivefold::app
