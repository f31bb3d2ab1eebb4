// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/gui/job_runner.h"
#include "core/analysis/pipeline.h"
#include "views/common/view_state.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>

#include <memory>

namespace fivefold::app {

/// What the user may change about an analysis: a value, so that undo is a swap.
struct Choices {
    std::shared_ptr<const machines::Machine> machine;
    std::optional<machines::Precision> precision; ///< none: the machine's default
    bool isFusionOn = true;
    std::map<std::string, std::string>
        settings; ///< family settings that differ from their defaults
    ir::Bindings bindings;
    /// Kernels cut and joined by the user, by family: operators are named as a family names them.
    std::map<std::string, std::vector<lowering::FusionEdit>> fusionEdits;
    /// As in lowering::Settings.
    std::map<std::string, lowering::DeviceLayout> inputLayouts;
    std::map<std::string, std::map<std::string, std::string>> implementations;
    std::map<std::string, std::string> placements;
    std::map<std::string, std::string> substitutes;
    bool operator==(const Choices&) const = default;
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
    /// Changes the what-if part (precision, fusion, settings, bindings) as one undoable step.
    void change(const QString& text, Choices choices);
    /// Binds a free symbol of the model, as one undoable step.
    void bind(const QString& symbol, qlonglong size);
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

private:
    friend class ChoicesCommand;
    void apply(const Choices& choices);
    void analyze();
    void remember(const QString& path);

    views::common::ViewState& m_state;
    JobRunner m_jobs;
    QUndoStack m_undo;
    Choices m_choices;
    std::shared_ptr<const analysis::Model> m_model;
    std::shared_ptr<analysis::TypedCache> m_cache;
    QString m_path;
    std::optional<base::Seconds> m_baselineTotal;
    std::map<std::string, std::shared_ptr<const machines::Machine>, std::less<>> m_lastOfFamily;
};

} // namespace fivefold::app
