// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/schedule/firing_plan.h"

#include <algorithm>
#include <queue>

namespace fivefold::schedule {

namespace {

/// What holds an operation back the longest.
void hold(Course& course, std::int64_t until, WaitKind wait, std::size_t by) {
    if (until <= course.start)
        return;
    course.start = until;
    course.wait = wait;
    course.waitsFor = by;
}

void takeOperands(const FiringPlan& plan, std::size_t op, std::vector<Course>& courses) {
    Course& course = courses[op];
    for (const Token& token : plan.operandsOf(op)) {
        const std::int64_t there = arrival(courses[token.other], token);
        if (course.lastOperand != Course::kNone && there <= course.ready)
            continue;
        course.ready = std::max(course.ready, there);
        course.lastOperand = token.other;
    }
}

/// The last end of the operations that end, in the program, before another one starts.
class Before {
public:
    Before(const FiringPlan& plan, const std::vector<Course>& courses)
        : m_plan(plan)
        , m_courses(courses) {
        for (std::size_t op = 0; op < plan.operations.size(); ++op)
            if (!plan.operations[op].isBackground)
                m_byEnd.push_back(op);
        std::sort(m_byEnd.begin(), m_byEnd.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(plan.operations[a].programEnd, a)
                < std::pair(plan.operations[b].programEnd, b);
        });
    }

    /// Ask in program order.
    std::pair<std::int64_t, std::size_t> until(std::size_t op) {
        const std::int64_t start = m_plan.operations[op].programStart;
        for (; m_next < m_byEnd.size(); ++m_next) {
            const std::size_t other = m_byEnd[m_next];
            if (other >= op || m_plan.operations[other].programEnd > start)
                break;
            if (m_courses[other].end > m_last.first)
                m_last = {m_courses[other].end, other};
        }
        return m_last;
    }

private:
    const FiringPlan& m_plan;
    const std::vector<Course>& m_courses;
    std::vector<std::size_t> m_byEnd;
    std::size_t m_next = 0;
    std::pair<std::int64_t, std::size_t> m_last{0, Course::kNone};
};

} // namespace

std::vector<Course> playInOrder(const FiringPlan& plan, bool withJitter) {
    using Lane = std::pair<std::int64_t, std::size_t>; // free from, whom it served
    using Lanes = std::priority_queue<Lane, std::vector<Lane>, std::greater<>>;
    base::IdVector<lowering::ResourceId, Lanes> lanes(plan.lanes.size());
    std::vector<Course> courses(plan.operations.size());
    Before before(plan, courses);
    for (std::size_t i = 0; i < courses.size(); ++i) {
        const Operation& op = plan.operations[i];
        Course& course = courses[i];
        takeOperands(plan, i, courses);
        course.start = course.ready;
        const auto [passed, last] = before.until(i);
        hold(course, passed, WaitKind::Turn, last);
        if (i > 0) {
            course.since = courses[i - 1].start;
            hold(course, courses[i - 1].start, WaitKind::Turn, i - 1);
        }
        const std::int64_t duration = withJitter ? op.duration : op.planned;
        if (duration > 0 && lanes.contains(op.resource)) {
            Lanes& served = lanes[op.resource];
            if (static_cast<std::int64_t>(served.size()) >= plan.lanes[op.resource]) {
                hold(course, served.top().first, WaitKind::Resource, served.top().second);
                served.pop();
            }
            served.emplace(addUpTo(course.start, duration), i);
        }
        course.end = addUpTo(course.start, duration);
        course.hasFired = true;
    }
    return courses;
}

std::vector<Course> playAtSlots(const FiringPlan& plan) {
    std::vector<Course> courses(plan.operations.size());
    for (std::size_t i = 0; i < courses.size(); ++i) {
        const Operation& op = plan.operations[i];
        courses[i].start = op.slot;
        courses[i].end = addUpTo(op.slot, op.duration);
        courses[i].hasFired = true;
    }
    for (std::size_t i = 0; i < courses.size(); ++i) {
        Course& course = courses[i];
        takeOperands(plan, i, courses);
        course.since = std::min(course.ready, course.start);
        if (course.ready < course.start)
            course.wait = WaitKind::Slot;
    }
    return courses;
}

} // namespace fivefold::schedule
