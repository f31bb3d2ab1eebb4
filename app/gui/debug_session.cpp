// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/debug_session.h"

#include "app/gui/session.h"
#include "core/compare/fault_lab.h"

#include <utility>

namespace fivefold::app {

namespace {

using base::Error;
using base::ErrorCode;

std::vector<std::filesystem::path> pathsOf(const QStringList& paths) {
    std::vector<std::filesystem::path> result;
    for (const QString& path : paths)
        result.emplace_back(path.toStdString());
    return result;
}

/// The faults at the nodes that they befall; the first that a fault applies to where none is named.
base::Result<std::vector<numerics::Fault>> faultsOf(
    const DebugSources& sources, const numerics::Subject& subject) {
    std::vector<numerics::Fault> faults;
    for (const numerics::FaultId id : sources.planted) {
        numerics::Fault fault;
        fault.id = id;
        fault.seed = sources.seed;
        fault.parameters = sources.parameters;
        if (faults.empty() && !sources.plantedNode.isEmpty()) {
            const std::string name = sources.plantedNode.toStdString();
            for (std::size_t i = 0; i < subject.graph().nodes.size(); ++i)
                if (subject.graph().nodes[ir::NodeId(i)].name == name)
                    fault.node = ir::NodeId(i);
            if (!fault.node.isValid())
                return Error{ErrorCode::NotFound, "The model has no such operator.", name};
        }
        faults.push_back(fault);
    }
    return faults;
}

/// The machine's own run: with what is planted, or as it should be.
base::Result<base::Done> computeDevice(
    DebugCase& made, const DebugSources& sources, const base::Progress& progress) {
    analysis::DebugRequest& request = made.request;
    if (sources.isLab()) { // without inputs: on those that make the fault show
        auto faults = faultsOf(sources, request.subject);
        if (!faults)
            return faults.error();
        auto planted = compare::plant(request.subject, request.inputs, *faults, progress);
        if (!planted)
            return planted.error();
        request.device.repeats = {compare::dumpOf(planted->device, "fault lab")};
        request.planted = planted->faults;
        request.inputs = planted->inputs;
        made.planted = std::move(*planted);
        return base::Done{};
    }
    if (request.inputs.empty())
        request.inputs = numerics::randomInputs(*request.subject.typed, sources.seed);
    auto run =
        numerics::runRung(request.subject, numerics::Rung::Numerics, request.inputs, {}, progress);
    if (!run)
        return run.error();
    std::vector<std::pair<std::string, numerics::Tensor>> tensors;
    for (const auto& [id, datum] : run->values)
        if (datum.tensor.isDefined())
            tensors.emplace_back(request.subject.graph().values[id].name, datum.tensor);
    request.device.repeats = {compare::dumpOf(std::move(tensors), "computed here")};
    return base::Done{};
}

/// The comparison without what a student is to find.
std::shared_ptr<const compare::Divergence> withoutAnswer(const compare::Divergence& whole) {
    auto hidden = std::make_shared<compare::Divergence>(whole);
    hidden->levels.clear();
    hidden->headline = "A fault is planted. Which layer diverges first, and which level of the "
                       "stack is to blame?";
    for (compare::Layer& layer : hidden->layers)
        layer.pattern = {};
    return hidden;
}

} // namespace

base::Result<std::shared_ptr<const DebugCase>> makeCase(
    const DebugSources& sources, const analysis::Request& request, const base::Progress& progress) {
    auto made = std::make_shared<DebugCase>();
    made->isHidden = sources.isHidden;
    const QStringList& runs = sources.reference.isEmpty() ? sources.device : sources.reference;
    auto inputs = analysis::openInputs(*request.model->graph, sources.inputs.toStdString(),
        runs.isEmpty() ? std::string() : runs.front().toStdString(), progress);
    if (!inputs)
        return inputs.error();
    made->lowering = request;
    if (!inputs->empty()) { // sizes that the model leaves open are those of the run
        auto typed = analysis::subjectOf(request.model, request.bindings, *inputs, progress);
        if (!typed)
            return typed.error();
        made->lowering.bindings = typed->typed->options.bindings;
    }
    auto result = analysis::analyze(made->lowering, progress);
    if (!result)
        return result.error();
    made->request.subject = analysis::subjectOf(*result);
    made->request.inputs = std::move(*inputs);
    if (sources.device.isEmpty()) {
        if (auto done = computeDevice(*made, sources, progress); !done)
            return done.error();
    } else {
        auto device = analysis::openSide(pathsOf(sources.device), sources.edits, progress);
        if (!device)
            return device.error();
        made->request.device = std::move(*device);
    }
    if (!sources.reference.isEmpty()) {
        auto reference = analysis::openSide(pathsOf(sources.reference), {}, progress);
        if (!reference)
            return reference.error();
        made->request.reference = std::move(*reference);
    }
    auto divergence = analysis::debug(made->request, progress);
    if (!divergence)
        return divergence.error();
    made->divergence = *divergence;
    return std::shared_ptr<const DebugCase>(std::move(made));
}

DebugSession::DebugSession(Session& session)
    : m_session(session) {
    connect(&m_jobs, &JobRunner::failed, this, &DebugSession::failed);
    connect(&session, &Session::choicesChanged, this, [this] {
        if (m_sources)
            run();
    });
    connect(&session, &Session::opened, this, [this] {
        close();
        if (const auto pending = std::exchange(m_pending, std::nullopt))
            start(*pending);
    });
    connect(&session, &Session::failed, this, [this] { m_pending.reset(); });
}

DebugSession::~DebugSession() {
    m_jobs.cancel();
}

void DebugSession::start(const DebugSources& sources) {
    m_sources = sources;
    run();
}

void DebugSession::openAndStart(
    const QString& path, const QString& machine, const DebugSources& sources) {
    m_jobs.cancel();
    m_sources.reset(); // the old model is not compared again on the new machine
    if (!machine.isEmpty())
        m_session.setMachineNamed(machine);
    m_pending = sources;
    m_session.open(path);
}

void DebugSession::setEdits(const compare::MatchEdits& edits) {
    if (!m_sources)
        return;
    for (const auto& [key, value] : edits)
        m_sources->edits.insert_or_assign(key, value);
    run();
}

void DebugSession::close() {
    m_jobs.cancel();
    m_sources.reset();
    m_case.reset();
    m_session.state().setDivergence(nullptr);
    emit changed();
}

void DebugSession::reveal() {
    if (!m_case || !m_case->isHidden)
        return;
    auto shown = std::make_shared<DebugCase>(*m_case);
    shown->isHidden = false;
    m_case = std::move(shown);
    m_session.state().setDivergence(m_case->divergence);
    emit changed();
}

void DebugSession::run() {
    if (!m_session.model() || !m_session.choices().machine)
        return;
    using Made = base::Result<std::shared_ptr<const DebugCase>>;
    const analysis::Request request = m_session.requestFor(m_session.choices().machine);
    m_jobs.start<std::optional<Made>>(
        [sources = *m_sources, request](const base::Progress& progress) {
            return std::optional<Made>(makeCase(sources, request, progress));
        },
        [this](std::optional<Made> made) {
            if (!*made) {
                if (made->error().code != base::ErrorCode::Cancelled)
                    emit failed(QString::fromStdString(made->error().text()));
                return;
            }
            m_case = **made;
            m_session.state().setDivergence(
                m_case->isHidden ? withoutAnswer(*m_case->divergence) : m_case->divergence);
            emit changed();
        });
}

} // namespace fivefold::app
