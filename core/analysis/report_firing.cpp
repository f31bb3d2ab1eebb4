// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/report_firing.h"

#include <algorithm>
#include <charconv>

namespace fivefold::analysis {

using base::Error;
using base::ErrorCode;
using lowering::EventId;
using schedule::FiringOptions;
using schedule::FiringTrace;

namespace {

Error wrong(const std::string& sentence) {
    return Error{ErrorCode::InvalidArgument, sentence, "--play"};
}

template <typename Number> std::optional<Number> numberOf(const std::string& text) {
    Number number{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                     : std::nullopt;
}

std::optional<Error> setOption(
    FiringOptions& options, const std::string& key, const std::string& value) {
    if (key == "jitter") {
        const auto jitter = numberOf<double>(value);
        if (!jitter || !(*jitter >= 0 && *jitter <= FiringOptions::kMostJitter))
            return wrong("\"" + value
                + "\" is no jitter; write a share from 0 to 4, as in 0.3 for up to 30 % longer.");
        options.jitter = *jitter;
    } else if (key == "seed") {
        const auto seed = numberOf<std::uint64_t>(value);
        if (!seed)
            return wrong("\"" + value + "\" is no seed; write a whole number.");
        options.seed = *seed;
    } else if (key == "queue") {
        const auto room = numberOf<std::int64_t>(value);
        if (!room || *room < 1 || *room > FiringOptions::kMostRoom)
            return wrong(
                "\"" + value + "\" is no queue capacity; write a number from 1 to 1000000.");
        options.queueCapacity = *room;
    } else if (key == "late") {
        const auto event = numberOf<std::uint32_t>(value);
        if (!event)
            return wrong("\"" + value + "\" is no event; write the id of a transfer in events[].");
        options.late = EventId(*event);
    } else if (key == "arbitration") {
        const auto arbitration = schedule::parseArbitration(value);
        if (!arbitration)
            return wrong("\"" + value
                + "\" is no arbitration; use oldest_first, round_robin or critical_first.");
        options.arbitration = *arbitration;
    } else {
        return wrong("There is no option \"" + key
            + "\"; there are jitter, seed, queue, arbitration and late.");
    }
    return std::nullopt;
}

Json idOrNull(EventId id) {
    return id.isValid() ? Json(id.value) : Json(nullptr);
}

Json waitsJson(const FiringTrace& trace) {
    Json json = Json::object();
    for (std::size_t kind = 1; kind < schedule::kWaitKinds; ++kind)
        json[std::string(schedule::toString(static_cast<schedule::WaitKind>(kind)))] = {
            {"count", trace.waits[kind].count}, {"time_ps", trace.waits[kind].time.value}};
    return json;
}

class FiringWriter {
public:
    FiringWriter(JsonStream& json, const Result& result)
        : m_json(json)
        , m_program(result.program) { }

    void write(const FiringTrace& trace) {
        const FiringOptions& options = trace.options;
        m_json.beginObject();
        m_json.member("model", schedule::toString(options.model));
        m_json.member("arbitration", schedule::toString(options.arbitration));
        m_json.member("queue_capacity", options.queueCapacity);
        m_json.member("jitter", options.jitter);
        m_json.member("seed", options.seed);
        m_json.member("late", idOrNull(options.late));
        m_json.member("length_ps", trace.length.value);
        m_json.member("planned_ps", trace.planned.value);
        m_json.member("delayed", trace.delayed);
        m_json.member("late_operands", trace.lateOperands);
        m_json.member("late_results", trace.lateResults);
        m_json.member("wrong", trace.wrong);
        m_json.member("slack_ps", trace.slack.value);
        m_json.member("waits", waitsJson(trace));
        m_json.array("queues", trace.queues.size(), [&](std::size_t i) {
            const schedule::QueueUse& queue = trace.queues[i];
            Json tokens = Json::array();
            for (const auto& [at, count] : queue.changes)
                tokens.push_back({at.value, count});
            return Json{{"from", resource(queue.from)}, {"to", resource(queue.to)},
                {"peak", queue.peak}, {"tokens", tokens}};
        });
        m_json.member("deadlock", trace.deadlock ? deadlock(*trace.deadlock) : Json(nullptr));
        m_json.member("sentence", trace.sentence);
        m_json.array(
            "firings", trace.firings.size(), [&](std::size_t i) { return firing(trace, i); });
        m_json.array("flights", trace.flights.size(), [&](std::size_t i) {
            const schedule::Flight& flight = trace.flights[i];
            return Json{{"from_step", flight.from.value}, {"to_step", flight.to.value},
                {"leaves_ps", flight.leaves.value}, {"rests_ps", flight.rests.value},
                {"fetched_ps", flight.fetched.value}, {"arrives_ps", flight.arrives.value}};
        });
        m_json.endObject();
    }

private:
    Json resource(lowering::ResourceId id) const {
        return m_program.resources.contains(id) ? Json(m_program.resources[id].name)
                                                : Json(nullptr);
    }

    Json firing(const FiringTrace& trace, std::size_t index) const {
        const schedule::Firing& f = trace.firings[index];
        const lowering::Event& event = m_program.events[f.event];
        return Json{{"event", f.event.value}, {"name", schedule::eventName(m_program, f.event)},
            {"resource", resource(event.resource)}, {"since_ps", f.since.value},
            {"ready_ps", f.ready.value}, {"start_ps", f.start.value}, {"end_ps", f.end.value},
            {"operands", f.operands}, {"last_operand", idOrNull(f.lastOperand)},
            {"wait", schedule::toString(f.wait)}, {"waits_for", idOrNull(f.waitsFor)},
            {"rule", schedule::ruleOf(m_program, trace, index)}, {"delayed", f.isDelayed},
            {"late_operands", f.lateOperands}, {"wrong", f.isWrong}};
    }

    Json deadlock(const schedule::Deadlock& lock) const {
        Json cycle = Json::array(), stuck = Json::array(), waits = Json::array();
        for (const EventId id : lock.cycle)
            cycle.push_back(id.value);
        for (const schedule::Stuck& each : lock.stuck)
            stuck.push_back({{"event", each.event.value},
                {"name", schedule::eventName(m_program, each.event)},
                {"wait", schedule::toString(each.wait)}, {"waits_for", idOrNull(each.waitsFor)}});
        for (const schedule::WaitFor& wait : lock.waits)
            waits.push_back({{"waiter", wait.waiter.value}, {"holder", wait.holder.value},
                {"reason", schedule::toString(wait.reason)}, {"queue_from", resource(wait.from)},
                {"queue_to", resource(wait.to)}});
        return Json{{"at_ps", lock.at.value}, {"cycle", cycle}, {"stuck", stuck}, {"waits", waits}};
    }

    JsonStream& m_json;
    const lowering::Program& m_program;
};

} // namespace

base::Result<FiringOptions> parseFiringOptions(const std::string& text) {
    const auto colon = text.find(':');
    const auto model = schedule::parseExecutionModel(text.substr(0, colon));
    if (!model)
        return wrong("\"" + text.substr(0, colon)
            + "\" is no execution model; use program_counter, dynamic_dataflow or "
              "static_schedule.");
    FiringOptions options;
    options.model = *model;
    std::size_t at = colon == std::string::npos ? text.size() : colon + 1;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, end - at);
        const auto equals = part.find('=');
        if (equals == std::string::npos)
            return wrong("\"" + part + "\" is no option of a model; write KEY=VALUE.");
        if (auto failed = setOption(options, part.substr(0, equals), part.substr(equals + 1)))
            return *failed;
        at = end + 1;
    }
    return options;
}

base::Result<PlayRequest> playRequest(
    const ir::Graph& graph, const std::string& block, std::vector<FiringOptions> models) {
    PlayRequest request;
    request.models = std::move(models);
    if (block.empty())
        return request;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[ir::NodeId(i)].name == block) {
            request.block = PlayBlock::Selection;
            request.nodes = {ir::NodeId(i)};
            return request;
        }
    request.block = PlayBlock::Selection;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const std::string& path = graph.scopes[graph.nodes[ir::NodeId(i)].scope].path;
        if (path == block || (path.starts_with(block) && path[block.size()] == '/'))
            request.nodes.emplace_back(i);
    }
    if (request.nodes.empty())
        return Error{ErrorCode::NotFound,
            "The model has no node and no scope \"" + block
                + "\"; names and scopes are those of nodes[] in the report.",
            "--play-block"};
    return request;
}

void writeFiring(JsonStream& json, const Result& result, const Play& play) {
    json.key("firing");
    json.beginObject();
    json.member("block", toString(play.block));
    json.member("name", play.blockName);
    Json steps = Json::array();
    for (const lowering::StepId step : play.steps)
        steps.push_back(step.value);
    json.member("steps", steps);
    json.member("unknown_steps", play.unknownSteps);
    const OwnModel own = ownModel(result.machine().family);
    json.member(
        "own_model", Json{{"model", schedule::toString(own.model)}, {"because", own.because}});
    json.member("length_ps", play.length.value);
    json.member("difference", play.difference.empty() ? Json(nullptr) : Json(play.difference));
    json.key("traces");
    json.beginArray();
    for (const FiringTrace& trace : play.traces)
        FiringWriter(json, result).write(trace);
    json.endArray();
    json.endObject();
}

} // namespace fivefold::analysis
