// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing_plan.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace fivefold::schedule {

using base::Picoseconds;
using lowering::ResourceId;

namespace {

/// Discrete events: operands that have come and resources that are free again. At each moment
/// resources serve ready operations until none may start.
class Dataflow {
public:
    Dataflow(const FiringPlan& plan, const FiringOptions& options)
        : m_plan(plan)
        , m_arbitration(options.arbitration)
        , m_room(std::clamp<std::int64_t>(options.queueCapacity, 1, FiringOptions::kMostRoom))
        , m_courses(plan.operations.size())
        , m_pending(plan.operations.size())
        , m_firstOperand(plan.operations.size(), std::numeric_limits<std::int64_t>::max())
        , m_queues(plan.queues.size())
        , m_units(plan.lanes.size() + 1) {
        for (std::size_t q = 0; q < m_queues.size(); ++q) {
            m_queues[q].use.from = plan.queues[q].from;
            m_queues[q].use.to = plan.queues[q].to;
        }
        for (std::size_t u = 0; u < plan.lanes.size(); ++u)
            m_units[u].free = plan.lanes[ResourceId(u)];
        rank();
    }

    DataflowCourse play() {
        for (std::size_t op = 0; op < m_courses.size(); ++op) {
            m_pending[op] = m_plan.operations[op].operands;
            if (m_pending[op] == 0)
                m_agenda.push({0, kReady, op});
        }
        while (!m_agenda.empty()) {
            m_now = m_agenda.top().at;
            while (!m_agenda.empty() && m_agenda.top().at == m_now)
                take();
            serve();
        }
        return finish();
    }

private:
    enum Kind : std::uint8_t { kFree, kReady };
    struct Item {
        std::int64_t at;
        Kind kind;
        std::size_t op;
        bool operator>(const Item& other) const {
            return std::tuple(at, kind, op) > std::tuple(other.at, other.kind, other.op);
        }
    };
    struct Queue {
        QueueUse use;
        std::int64_t tokens = 0;
        std::int64_t freedAt = -1; ///< when it last stopped being full
        std::size_t freedBy = Course::kNone;
        std::vector<std::size_t> producers; ///< units that put tokens in
    };
    using Ready = std::set<std::pair<std::int64_t, std::size_t>>; ///< (rank, operation)
    /// Ready operations of one unit that need room in the same queues.
    struct Group {
        std::vector<std::size_t> queues;
        Ready ready;
    };
    struct Unit {
        std::int64_t free = std::numeric_limits<std::int64_t>::max();
        std::int64_t freedAt = -1;
        std::size_t freedBy = Course::kNone;
        std::size_t served = 0; ///< the operation after the one served last
        std::map<std::vector<std::size_t>, std::size_t> groupOf;
        std::vector<Group> groups;
        bool isDirty = false;
    };

    /// Lower comes first. Critical first: the time from here to the end along the longest way.
    void rank() {
        m_rank.assign(m_courses.size(), 0);
        if (m_arbitration != Arbitration::CriticalFirst)
            return;
        for (std::size_t op = m_courses.size(); op-- > 0;) {
            std::int64_t longest = 0;
            for (const Token& token : m_plan.usesOf(op))
                longest = std::max(longest, -m_rank[token.other] - token.overlap);
            m_rank[op] = -addUpTo(longest, m_plan.operations[op].planned);
        }
    }

    std::size_t unitOf(std::size_t op) const {
        const ResourceId resource = m_plan.operations[op].resource;
        return m_plan.lanes.contains(resource) ? resource.index() : m_units.size() - 1;
    }

    void wake(std::size_t unit) {
        if (!std::exchange(m_units[unit].isDirty, true))
            m_dirty.push_back(unit);
    }

    void take() {
        const Item item = m_agenda.top();
        m_agenda.pop();
        Unit& unit = m_units[unitOf(item.op)];
        wake(unitOf(item.op));
        if (item.kind == kFree) {
            ++unit.free;
            unit.freedAt = m_now;
            unit.freedBy = item.op;
            return;
        }
        std::vector<std::size_t> queues = queuesOf(item.op);
        const auto [found, isNew] = unit.groupOf.try_emplace(queues, unit.groups.size());
        if (isNew) {
            for (const std::size_t queue : queues)
                m_queues[queue].producers.push_back(unitOf(item.op));
            unit.groups.push_back({std::move(queues), {}});
        }
        unit.groups[found->second].ready.insert({m_rank[item.op], item.op});
    }

    /// Queues that the operation's results go into, each once.
    std::vector<std::size_t> queuesOf(std::size_t op) const {
        std::vector<std::size_t> queues;
        for (const Token& token : m_plan.usesOf(op))
            if (token.queue != Token::kNoQueue)
                queues.push_back(token.queue);
        std::sort(queues.begin(), queues.end());
        queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
        return queues;
    }

    bool hasRoom(const Group& group) const {
        return std::all_of(group.queues.begin(), group.queues.end(),
            [&](std::size_t queue) { return m_queues[queue].tokens < m_room; });
    }

    void serve() {
        while (!m_dirty.empty()) {
            const auto lowest = std::min_element(m_dirty.begin(), m_dirty.end());
            const std::size_t unit = *lowest;
            m_dirty.erase(lowest);
            m_units[unit].isDirty = false;
            while (serveOne(unit)) { }
        }
    }

    bool serveOne(std::size_t index) {
        Unit& unit = m_units[index];
        if (unit.free <= 0)
            return false;
        const bool isInOrder = m_arbitration == Arbitration::OldestFirst;
        Group* best = nullptr;
        Ready::iterator choice{};
        for (Group& group : unit.groups) {
            if (group.ready.empty() || (!isInOrder && !hasRoom(group)))
                continue;
            const auto head = headOf(unit, group);
            if (!best || comesBefore(unit, *head, *choice)) {
                best = &group;
                choice = head;
            }
        }
        if (!best || !hasRoom(*best))
            return false;
        const std::size_t op = choice->second;
        best->ready.erase(choice);
        start(op, unit);
        return true;
    }

    Ready::iterator headOf(const Unit& unit, Group& group) const {
        if (m_arbitration != Arbitration::RoundRobin)
            return group.ready.begin();
        const auto next = group.ready.lower_bound({0, unit.served});
        return next == group.ready.end() ? group.ready.begin() : next;
    }

    bool comesBefore(const Unit& unit, const std::pair<std::int64_t, std::size_t>& a,
        const std::pair<std::int64_t, std::size_t>& b) const {
        if (m_arbitration != Arbitration::RoundRobin)
            return a < b;
        return std::pair(a.second < unit.served, a.second)
            < std::pair(b.second < unit.served, b.second);
    }

    void start(std::size_t op, Unit& unit) {
        Course& course = m_courses[op];
        course.start = m_now;
        course.end = addUpTo(m_now, m_plan.operations[op].duration);
        course.hasFired = true;
        if (course.start > course.ready)
            explain(op, unit);
        unit.served = op + 1;
        if (course.end > course.start) {
            --unit.free;
            m_agenda.push({course.end, kFree, op});
        }
        for (const Token& token : m_plan.operandsOf(op))
            if (token.queue != Token::kNoQueue)
                takeOut(token.queue, op);
        for (const Token& token : m_plan.usesOf(op)) {
            if (token.queue != Token::kNoQueue)
                count(m_queues[token.queue], +1);
            deliver(op, token);
        }
    }

    /// What ended the wait of a ready operation: room in a queue, or the unit.
    void explain(std::size_t op, const Unit& unit) {
        Course& course = m_courses[op];
        course.wait = WaitKind::Resource;
        course.waitsFor = unit.freedBy;
        std::int64_t last = unit.freedAt;
        for (const std::size_t queue : queuesOf(op))
            if (m_queues[queue].freedAt > course.ready && m_queues[queue].freedAt >= last) {
                last = m_queues[queue].freedAt;
                course.wait = WaitKind::QueueRoom;
                course.waitsFor = m_queues[queue].freedBy;
            }
    }

    void takeOut(std::size_t index, std::size_t by) {
        Queue& queue = m_queues[index];
        const bool wasFull = queue.tokens >= m_room;
        count(queue, -1);
        if (!wasFull || queue.tokens >= m_room)
            return;
        queue.freedAt = m_now;
        queue.freedBy = by;
        for (const std::size_t unit : queue.producers)
            wake(unit);
    }

    void count(Queue& queue, std::int64_t change) {
        queue.tokens += change;
        queue.use.peak = std::max(queue.use.peak, queue.tokens);
        auto& changes = queue.use.changes;
        if (!changes.empty() && changes.back().first.value == m_now)
            changes.back().second = queue.tokens;
        else
            changes.emplace_back(Picoseconds(m_now), queue.tokens);
    }

    void deliver(std::size_t from, const Token& token) {
        Course& course = m_courses[token.other];
        const std::int64_t there = arrival(m_courses[from], token);
        m_firstOperand[token.other] = std::min(m_firstOperand[token.other], there);
        if (course.lastOperand == Course::kNone || there > course.ready) {
            course.ready = std::max(course.ready, there);
            course.lastOperand = from;
        }
        if (--m_pending[token.other] == 0)
            m_agenda.push({course.ready, kReady, token.other});
    }

    DataflowCourse finish() {
        lookFrom();
        DataflowCourse out;
        bool isComplete = true;
        for (const Course& course : m_courses)
            isComplete = isComplete && course.hasFired;
        if (!isComplete)
            out.deadlock = findDeadlock();
        out.courses = std::move(m_courses);
        for (Queue& queue : m_queues)
            out.queues.push_back(std::move(queue.use));
        return out;
    }

    /// An operation is looked at when its first operand comes; one without operands when the one
    /// before it on its unit has started.
    void lookFrom() {
        std::vector<std::int64_t> before(m_units.size(), 0);
        for (std::size_t op = 0; op < m_courses.size(); ++op) {
            Course& course = m_courses[op];
            std::int64_t& last = before[unitOf(op)];
            course.since = course.lastOperand == Course::kNone ? last : m_firstOperand[op];
            if (course.hasFired) {
                course.since = std::min(course.since, course.start);
                last = std::max(last, course.start);
            }
        }
    }

    Deadlock findDeadlock() {
        Deadlock lock;
        lock.at = Picoseconds(m_now);
        std::vector<std::vector<std::size_t>> holders(m_queues.size());
        for (std::size_t op = 0; op < m_courses.size(); ++op)
            if (!m_courses[op].hasFired)
                for (const Token& token : m_plan.operandsOf(op))
                    if (token.queue != Token::kNoQueue && m_courses[token.other].hasFired)
                        holders[token.queue].push_back(op);
        const std::vector<std::size_t> heads = headsOfUnits();
        for (std::size_t op = 0; op < m_courses.size(); ++op)
            if (!m_courses[op].hasFired)
                addStuck(lock, op, holders, heads[unitOf(op)]);
        lock.cycle = waitCycle(lock.waits);
        return lock;
    }

    /// The ready operation that each unit must serve first; none where any with room may start.
    std::vector<std::size_t> headsOfUnits() const {
        std::vector<std::size_t> heads(m_units.size(), Course::kNone);
        if (m_arbitration != Arbitration::OldestFirst)
            return heads;
        for (std::size_t op = m_courses.size(); op-- > 0;)
            if (!m_courses[op].hasFired && m_pending[op] == 0)
                heads[unitOf(op)] = op;
        return heads;
    }

    void addStuck(Deadlock& lock, std::size_t op,
        const std::vector<std::vector<std::size_t>>& holders, std::size_t head) {
        const auto id = [&](std::size_t index) { return m_plan.operations[index].event; };
        const std::size_t first = lock.waits.size();
        for (const Token& token : m_plan.operandsOf(op))
            if (!m_courses[token.other].hasFired)
                lock.waits.push_back({id(op), id(token.other), WaitReason::Operand, {}, {}});
        WaitKind kind = WaitKind::Operand;
        if (lock.waits.size() == first) {
            kind = WaitKind::QueueRoom;
            for (const std::size_t queue : queuesOf(op))
                if (m_queues[queue].tokens >= m_room)
                    for (const std::size_t holder : holders[queue])
                        lock.waits.push_back({id(op), id(holder), WaitReason::Room,
                            m_queues[queue].use.from, m_queues[queue].use.to});
            if (lock.waits.size() == first)
                kind = WaitKind::Turn;
            if (head != Course::kNone && head != op)
                lock.waits.push_back({id(op), id(head), WaitReason::Turn, {}, {}});
        }
        lock.stuck.push_back({id(op), kind,
            lock.waits.size() > first ? lock.waits[first].holder : lowering::EventId()});
    }

    const FiringPlan& m_plan;
    const Arbitration m_arbitration;
    const std::int64_t m_room;
    std::vector<Course> m_courses;
    std::vector<std::size_t> m_pending;
    std::vector<std::int64_t> m_firstOperand;
    std::vector<std::int64_t> m_rank;
    std::vector<Queue> m_queues;
    std::vector<Unit> m_units; ///< by resource; the last one is for events without a resource
    std::vector<std::size_t> m_dirty;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> m_agenda;
    std::int64_t m_now = 0;
};

} // namespace

DataflowCourse playDataflow(const FiringPlan& plan, const FiringOptions& options) {
    return Dataflow(plan, options).play();
}

} // namespace fivefold::schedule
