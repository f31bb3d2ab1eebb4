// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/session.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

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

/// Swaps the session's choices. The steps of one drag become one command.
class ChoicesCommand final : public QUndoCommand {
public:
    ChoicesCommand(
        Session& session, const QString& text, Choices before, Choices after, const QString& drag)
        : QUndoCommand(text)
        , m_session(session)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_drag(drag) { }

    void undo() override { m_session.apply(m_before); }
    void redo() override { m_session.apply(m_after); }
    int id() const override { return m_drag.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const ChoicesCommand&>(*other);
        if (next.m_drag != m_drag)
            return false;
        m_after = next.m_after;
        setText(next.text());
        return true;
    }

private:
    Session& m_session;
    Choices m_before;
    Choices m_after;
    QString m_drag;
};

bool Choices::isUntouched() const {
    return settings.empty() && isFusionOn && !precision
        && static_cast<const ModelChoices&>(*this) == ModelChoices{};
}

const ir::FreeAxis* VariableSizes::find(const std::string& symbol) const {
    const auto found = std::ranges::find(axes, symbol, &ir::FreeAxis::symbol);
    return found == axes.end() ? nullptr : &*found;
}

const ir::FreeAxis* VariableSizes::findPlace(
    const ir::Graph& graph, const std::string& name) const {
    if (const ir::FreeAxis* axis = find(name))
        return axis;
    for (const ir::FreeAxis& axis : axes)
        for (const auto& [input, at] : axis.inputs)
            if (graph.values[input].name + "." + std::to_string(at) == name)
                return &axis;
    return nullptr;
}

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

/// Own symbols with their limits, then every fixed size that may be batch or sequence, tried; the
/// model with all of those free that can be free together.
VariableSizes variableSizes(
    const std::shared_ptr<const analysis::Model>& model, const base::Progress& progress) {
    VariableSizes sizes;
    sizes.axes = ir::ownAxes(model->graph, progress);
    auto graph = model->graph;
    for (ir::FreeAxis& axis : ir::freeAxes(model->graph, progress)) {
        if (axis.isProved) {
            if (auto freed = ir::resymbolise(graph, axis, progress)) {
                graph = *freed;
            } else {
                axis.isProved = false;
                axis.reason = freed.error().message;
            }
        }
        sizes.axes.push_back(std::move(axis));
    }
    if (graph != model->graph)
        sizes.freed = analysis::modelOf(graph, model->diagnostics, progress);
    sizes.isKnown = true;
    return sizes;
}

} // namespace

void Session::findSizes() {
    m_background.start<VariableSizes>(
        [model = m_model](
            const base::Progress& progress) { return variableSizes(model, progress); },
        [this](VariableSizes sizes) {
            m_sizes = std::move(sizes);
            emit sizesChanged();
            if (usesFreedSizes(m_choices))
                analyze();
            else if (!m_choices.isUntouched())
                findBaseline();
        });
}

/// The total of the untouched model, where nothing has asked for it yet.
void Session::findBaseline() {
    if (m_baselineTotal || !m_model || !m_sizes.isKnown)
        return;
    Choices untouched;
    untouched.machine = m_choices.machine;
    m_background.start<AnalysisResult>(
        [request = requestFor(m_choices.machine, untouched), cache = m_cache](
            const base::Progress& progress) {
            return analysis::analyze(request, progress, cache.get());
        },
        [this, machine = m_choices.machine, model = m_model](AnalysisResult result) {
            if (!result || machine != m_choices.machine || model != m_model)
                return;
            m_baselineTotal = (*result)->totals.time;
            emit baselineChanged();
        });
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

bool Session::usesFreedSizes(const ModelChoices& choices) const {
    return m_sizes.freed && std::ranges::any_of(m_sizes.axes, [&](const ir::FreeAxis& axis) {
        return axis.size > 0 && axis.isProved && choices.bindings.dims.contains(axis.symbol);
    });
}

analysis::Request Session::requestFor(
    const std::shared_ptr<const machines::Machine>& machine) const {
    return requestFor(machine, m_choices);
}

analysis::Request Session::requestFor(
    const std::shared_ptr<const machines::Machine>& machine, const Choices& choices) const {
    analysis::Request request;
    request.model = m_model;
    request.machine = machine;
    request.bindings = choices.bindings;
    if (usesFreedSizes(choices)) {
        request.model = m_sizes.freed;
        for (const ir::FreeAxis& axis : m_sizes.axes)
            if (axis.size > 0 && axis.isProved)
                request.bindings.dims.emplace(axis.symbol, axis.size);
    }
    request.settings.precision = precisionOn(*machine, choices);
    request.settings.isPrecisionGiven = choices.precision.has_value();
    request.settings.isFusionOn = choices.isFusionOn;
    for (const auto& [key, value] : choices.settings)
        if (analysis::checkSetting(*machine, key, value))
            request.settings.values[key] = value;
    if (const auto edits = choices.fusionEdits.find(machine->family);
        edits != choices.fusionEdits.end())
        request.settings.fusionEdits = edits->second;
    request.settings.inputLayouts = choices.inputLayouts;
    request.settings.implementations = choices.implementations;
    request.settings.placements = choices.placements;
    request.settings.substitutes = choices.substitutes;
    return request;
}

void Session::open(const QString& path) {
    const std::filesystem::path file(path.toStdString());
    const bool isReload = path == m_path;
    Choices choices = m_choices;
    if (!isReload)
        static_cast<ModelChoices&>(choices) = {};
    const analysis::Request request = requestFor(m_choices.machine, choices);
    m_jobs.start<Opened>(
        [file, request, cache = m_cache](const base::Progress& progress) {
            progress.report("reading");
            auto model = analysis::openModel(file, progress);
            if (!model)
                return Opened{nullptr, model.error()};
            analysis::Request opened = request;
            opened.model = *model;
            return Opened{*model, analysis::analyze(opened, progress, cache.get())};
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
                static_cast<ModelChoices&>(m_choices) = {};
                m_undo.clear();
            }
            m_sizes = {};
            m_baselineTotal.reset();
            if (m_choices.isUntouched())
                m_baselineTotal = (*done.result)->totals.time;
            m_state.setResult(*done.result, !isReload);
            remember(path);
            emit this->opened(path);
            emit choicesChanged();
            findSizes();
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

void Session::change(const QString& text, Choices choices, const QString& drag) {
    if (choices == m_choices)
        return;
    m_undo.push(new ChoicesCommand(*this, text, m_choices, std::move(choices), drag));
}

/// False, and a failure is told, where the size cannot be bound.
bool Session::setBinding(Choices& choices, const std::string& symbol, std::int64_t size) {
    const ir::FreeAxis* axis = m_model ? m_sizes.findPlace(*m_model->graph, symbol) : nullptr;
    if (axis && axis->size > 0) {
        if (!axis->isProved) {
            emit failed(QString::fromStdString(axis->reason));
            return false;
        }
        if (size == axis->size)
            choices.bindings.dims.erase(axis->symbol);
        else
            choices.bindings.dims[axis->symbol] = size;
        return true;
    }
    if (!m_model || symbol.find('.') == std::string::npos) {
        choices.bindings.dims[symbol] = size;
        return true;
    }
    const auto added =
        ir::addBinding(choices.bindings, *m_model->graph, symbol + "=" + std::to_string(size));
    if (!added)
        emit failed(sentence(added.error()));
    return static_cast<bool>(added);
}

void Session::bind(const QString& symbol, qlonglong size) {
    bindDragging(symbol, size, {});
}

void Session::bindDragging(const QString& symbol, qlonglong size, const QString& drag) {
    Choices choices = m_choices;
    if (setBinding(choices, symbol.toStdString(), size))
        change(tr("%1 = %2").arg(symbol).arg(size), std::move(choices), drag);
}

namespace {

/// The key of an unnamed axis, "INPUT.AXIS".
std::optional<std::pair<std::string, int>> axisKey(const std::string& symbol) {
    const std::size_t dot = symbol.rfind('.');
    if (dot == std::string::npos)
        return std::nullopt;
    bool isNumber = false;
    const int axis = QString::fromStdString(symbol.substr(dot + 1)).toInt(&isNumber);
    return isNumber ? std::optional(std::pair(symbol.substr(0, dot), axis)) : std::nullopt;
}

} // namespace

void Session::unbind(const QString& symbol) {
    Choices choices = m_choices;
    choices.bindings.dims.erase(symbol.toStdString());
    if (const auto key = axisKey(symbol.toStdString()))
        choices.bindings.axes.erase(*key);
    change(tr("Restore %1").arg(symbol), std::move(choices));
}

std::optional<std::int64_t> Session::boundSize(const std::string& symbol) const {
    const ir::Bindings& bindings = m_choices.bindings;
    if (const auto found = bindings.dims.find(symbol); found != bindings.dims.end())
        return found->second;
    if (const auto key = axisKey(symbol))
        if (const auto found = bindings.axes.find(*key); found != bindings.axes.end())
            return found->second;
    return std::nullopt;
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
        if (!setBinding(choices, symbol, size))
            return;
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
    const bool isBaseline = m_choices.isUntouched();
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
            findBaseline();
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
