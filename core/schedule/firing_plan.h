// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/schedule/firing.h"

#include <limits>

namespace fivefold::schedule {

/// A token's way from one operation to another. It is there `overlap` before the first one ends.
struct Token {
    std::size_t other = 0; ///< index of the producer (of an operand) or the consumer (of a use)
    std::int64_t overlap = 0; ///< ps, ≥ 0
    std::size_t queue = kNoQueue; ///< index into FiringPlan::queues
    static constexpr std::size_t kNoQueue = static_cast<std::size_t>(-1);
};

/// An event made ready to play.
struct Operation {
    lowering::EventId event;
    lowering::StepId step;
    lowering::ResourceId resource;
    std::int64_t planned = 0; ///< ps without jitter
    std::int64_t duration = 0; ///< ps, with jitter
    std::int64_t slot = 0; ///< ps from the start of the block: where the compiler put it
    std::int64_t programStart = 0, programEnd = 0; ///< ps in the program
    bool isBackground = false; ///< a copy beside the program: nobody waits for it but who takes it
    std::size_t firstOperand = 0, operands = 0; ///< of FiringPlan::operands
    std::size_t firstUse = 0, uses = 0; ///< of FiringPlan::uses
};

/// The dataflow of a block: operations in program order and the tokens between them. Every token
/// goes from an earlier to a later operation.
struct FiringPlan {
    std::vector<Operation> operations;
    std::vector<Token> operands; ///< by consumer
    std::vector<Token> uses; ///< by producer
    struct Queue {
        lowering::ResourceId from, to;
    };
    std::vector<Queue> queues;
    base::IdVector<lowering::ResourceId, std::int64_t> lanes; ///< events a resource serves at once
    std::int64_t length = 0; ///< ps: the last slot's end

    std::span<const Token> operandsOf(std::size_t op) const {
        return {operands.data() + operations[op].firstOperand, operations[op].operands};
    }
    std::span<const Token> usesOf(std::size_t op) const {
        return {uses.data() + operations[op].firstUse, operations[op].uses};
    }
};

FiringPlan planFiring(const lowering::Program& program, const FiringOptions& options,
    std::span<const lowering::StepId> block);

/// How one operation went, by index into FiringPlan::operations.
struct Course {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::int64_t since = 0, ready = 0, start = 0, end = 0; ///< ps
    std::size_t lastOperand = kNone, waitsFor = kNone;
    WaitKind wait = WaitKind::None;
    bool hasFired = false;
};

/// Program order, each as early as tokens and resource let it, not before the operation before it
/// starts, and not before those end that end before it in the program.
std::vector<Course> playInOrder(const FiringPlan& plan, bool withJitter);
/// At the slots.
std::vector<Course> playAtSlots(const FiringPlan& plan);

struct DataflowCourse {
    std::vector<Course> courses;
    std::vector<QueueUse> queues; ///< as FiringPlan::queues
    std::optional<Deadlock> deadlock;
};
DataflowCourse playDataflow(const FiringPlan& plan, const FiringOptions& options);

/// a + b, at most the largest number.
inline std::int64_t addUpTo(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// When a token is there, once its producer has started.
inline std::int64_t arrival(const Course& producer, const Token& token) {
    return std::max(producer.start, producer.end - token.overlap);
}

} // namespace fivefold::schedule
