// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/session.h"

#include <QFileInfo>
#include <QSettings>

namespace fivefold::app {

using base::ErrorCode;

namespace {

constexpr int kRecentFiles = 9; // Ctrl+1 … Ctrl+9
constexpr auto kRecentKey = "recentFiles";
constexpr auto kDefaultMachine = "spyre";
/// One generation a family, for the keys Alt+1 to Alt+5.
constexpr std::string_view kDefaultMachines[] = {
    "gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"};

using AnalysisResult = base::Result<std::shared_ptr<const analysis::Result>>;

struct Opened {
    std::shared_ptr<const analysis::Model> model;
    AnalysisResult result;
};

QString sentence(const base::Error& error) {
    return QString::fromStdString(error.text());
}

} // namespace

/// Swaps the session's choices.
class ChoicesCommand final : public QUndoCommand {
public:
    ChoicesCommand(Session& session, const QString& text, Choices before, Choices after)
        : QUndoCommand(text)
        , m_session(session)
        , m_before(std::move(before))
        , m_after(std::move(after)) { }

    void undo() override { m_session.apply(m_before); }
    void redo() override { m_session.apply(m_after); }

private:
    Session& m_session;
    Choices m_before;
    Choices m_after;
};

Session::Session(views::common::ViewState& state, QObject* parent)
    : QObject(parent)
    , m_state(state)
    , m_cache(std::make_shared<analysis::TypedCache>()) {
    m_choices.machine = machines::findMachine(kDefaultMachine);
    connect(&m_jobs, &JobRunner::started, this, [this] { m_state.setStale(true); });
    connect(&m_jobs, &JobRunner::finished, this, [this] { m_state.setStale(false); });
    connect(&m_jobs, &JobRunner::failed, this, &Session::failed);
}

namespace {

machines::Precision precisionOn(const machines::Machine& machine, const Choices& choices) {
    if (choices.precision && machine.peak(*choices.precision))
        return *choices.precision;
    return machine.defaultPrecision();
}

} // namespace

machines::Precision Session::precision() const {
    return precisionOn(*m_choices.machine, m_choices);
}

analysis::Request Session::requestFor(
    const std::shared_ptr<const machines::Machine>& machine) const {
    analysis::Request request;
    request.model = m_model;
    request.machine = machine;
    request.bindings = m_choices.bindings;
    request.settings.precision = precisionOn(*machine, m_choices);
    request.settings.isPrecisionGiven = m_choices.precision.has_value();
    request.settings.isFusionOn = m_choices.isFusionOn;
    for (const auto& [key, value] : m_choices.settings)
        if (analysis::checkSetting(*machine, key, value))
            request.settings.values[key] = value;
    if (const auto edits = m_choices.fusionEdits.find(machine->family);
        edits != m_choices.fusionEdits.end())
        request.settings.fusionEdits = edits->second;
    request.settings.inputLayouts = m_choices.inputLayouts;
    request.settings.implementations = m_choices.implementations;
    request.settings.placements = m_choices.placements;
    request.settings.substitutes = m_choices.substitutes;
    return request;
}

void Session::open(const QString& path) {
    const std::filesystem::path file(path.toStdString());
    const bool isReload = path == m_path;
    analysis::Request request = requestFor(m_choices.machine);
    if (!isReload) {
        request.bindings = {};
        request.settings.fusionEdits.clear();
    }
    m_jobs.start<Opened>(
        [file, request, cache = m_cache](const base::Progress& progress) mutable {
            progress.report("reading");
            auto model = analysis::openModel(file, progress);
            if (!model)
                return Opened{nullptr, model.error()};
            request.model = *model;
            return Opened{*model, analysis::analyze(request, progress, cache.get())};
        },
        [this, path, isReload](Opened done) {
            if (!done.result) {
                if (done.result.error().code != ErrorCode::Cancelled)
                    emit failed(sentence(done.result.error()));
                return;
            }
            m_model = done.model;
            m_path = path;
            if (!isReload) {
                m_choices.bindings = {};
                m_choices.fusionEdits.clear();
                m_undo.clear();
            }
            m_baselineTotal = (*done.result)->totals.time;
            m_state.setResult(*done.result, !isReload);
            remember(path);
            emit this->opened(path);
            emit choicesChanged();
        });
}

void Session::reload() {
    if (!m_path.isEmpty())
        open(m_path);
}

void Session::setMachine(std::shared_ptr<const machines::Machine> machine) {
    if (!machine || machine == m_choices.machine)
        return;
    m_lastOfFamily[machine->family] = machine;
    Choices choices = m_choices;
    choices.machine = std::move(machine);
    m_baselineTotal.reset();
    apply(choices);
}

void Session::setMachineNamed(const QString& name) {
    const std::string wanted = name.toStdString();
    if (wanted == m_choices.machine->family || wanted == m_choices.machine->path)
        return;
    if (analysis::findFamily(wanted)) {
        setMachine(preferredMachine(wanted));
        return;
    }
    auto machine = machines::machineByIdOrFile(wanted);
    if (machine)
        setMachine(*machine);
    else
        emit failed(sentence(machine.error()));
}

std::shared_ptr<const machines::Machine> Session::preferredMachine(std::string_view family) const {
    if (const auto last = m_lastOfFamily.find(family); last != m_lastOfFamily.end())
        return last->second;
    for (std::string_view id : kDefaultMachines)
        if (const auto machine = machines::findMachine(id); machine && machine->family == family)
            return machine;
    return m_choices.machine;
}

void Session::change(const QString& text, Choices choices) {
    if (choices == m_choices)
        return;
    m_undo.push(new ChoicesCommand(*this, text, m_choices, std::move(choices)));
}

void Session::bind(const QString& symbol, qlonglong size) {
    Choices choices = m_choices;
    choices.bindings.dims[symbol.toStdString()] = size;
    change(tr("%1 = %2").arg(symbol).arg(size), std::move(choices));
}

void Session::resetWhatIf() {
    Choices choices;
    choices.machine = m_choices.machine;
    change(tr("Reset"), std::move(choices));
}

void Session::editFusion(
    const std::string& family, const QString& text, const lowering::FusionEdit& edit) {
    Choices choices = m_choices;
    choices.fusionEdits[family].push_back(edit);
    change(text, std::move(choices));
}

void Session::applyRemedy(const QString& text, const analysis::Remedy& remedy) {
    Choices choices = m_choices;
    for (const auto& [symbol, size] : remedy.binds)
        choices.bindings.dims[symbol] = size;
    for (const auto& [key, value] : remedy.settings)
        choices.settings[key] = value;
    for (const auto& [name, layout] : remedy.inputLayouts)
        choices.inputLayouts[name] = layout;
    for (const auto& [node, how] : remedy.implementations)
        for (const auto& [key, value] : how)
            choices.implementations[node][key] = value;
    for (const auto& [value, level] : remedy.placements)
        choices.placements[value] = level;
    for (const auto& [node, rule] : remedy.substitutes)
        choices.substitutes[node] = rule;
    choices.isFusionOn = remedy.isFusionOn.value_or(choices.isFusionOn);
    change(text, std::move(choices));
}

void Session::apply(const Choices& choices) {
    m_choices = choices;
    emit choicesChanged();
    analyze();
}

void Session::analyze() {
    if (!m_model)
        return;
    const bool isBaseline = m_choices.settings.empty() && m_choices.isFusionOn
        && !m_choices.precision && m_choices.bindings == ir::Bindings{}
        && m_choices.fusionEdits.empty();
    m_jobs.start<AnalysisResult>(
        [request = requestFor(m_choices.machine), cache = m_cache](const base::Progress& progress) {
            return analysis::analyze(request, progress, cache.get());
        },
        [this, isBaseline](AnalysisResult result) {
            if (!result) {
                if (result.error().code != ErrorCode::Cancelled)
                    emit failed(sentence(result.error()));
                return;
            }
            if (isBaseline)
                m_baselineTotal = (*result)->totals.time;
            m_state.setResult(*result, false);
        });
}

QStringList Session::recentFiles() const {
    return QSettings().value(kRecentKey).toStringList();
}

void Session::remember(const QString& path) {
    QStringList recent = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    while (recent.size() > kRecentFiles)
        recent.removeLast();
    QSettings().setValue(kRecentKey, recent);
    emit recentFilesChanged();
}

} // namespace fivefold::app
