// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/program.h"

namespace fivefold::lowering {

std::string_view toString(Stage stage) {
    switch (stage) {
    case Stage::Captured:
        return "captured";
    case Stage::Decomposed:
        return "decomposed";
    case Stage::Fused:
        return "fused";
    case Stage::LaidOut:
        return "laid_out";
    case Stage::Placed:
        return "placed";
    case Stage::Scheduled:
        return "scheduled";
    }
    return "captured";
}

std::optional<Stage> parseStage(std::string_view text) {
    for (const Stage stage : kStages)
        if (toString(stage) == text)
            return stage;
    return std::nullopt;
}

std::string_view toString(Support support) {
    switch (support) {
    case Support::Native:
        return "native";
    case Support::Decomposed:
        return "decomposed";
    case Support::Fallback:
        return "fallback";
    case Support::Unsupported:
        return "unsupported";
    }
    return "unsupported";
}

std::string_view toString(DecidedBy decider) {
    switch (decider) {
    case DecidedBy::Programmer:
        return "programmer";
    case DecidedBy::Compiler:
        return "compiler";
    case DecidedBy::Runtime:
        return "runtime";
    case DecidedBy::Hardware:
        return "hardware";
    }
    return "compiler";
}

std::string_view toString(ValueRole role) {
    switch (role) {
    case ValueRole::Input:
        return "input";
    case ValueRole::Weight:
        return "weight";
    case ValueRole::Constant:
        return "constant";
    case ValueRole::Activation:
        return "activation";
    case ValueRole::Output:
        return "output";
    case ValueRole::Scratch:
        return "scratch";
    case ValueRole::KvCache:
        return "kv_cache";
    }
    return "activation";
}

std::string_view toString(Bound bound) {
    switch (bound) {
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory";
    case Bound::Scheduling:
        return "scheduling";
    case Bound::Unknown:
        return "unknown";
    }
    return "unknown";
}

std::string_view toString(EventKind kind) {
    switch (kind) {
    case EventKind::Compute:
        return "compute";
    case EventKind::Read:
        return "read";
    case EventKind::Write:
        return "write";
    case EventKind::Launch:
        return "launch";
    case EventKind::Relayout:
        return "relayout";
    case EventKind::Wait:
        return "wait";
    case EventKind::HostWork:
        return "host work";
    }
    return "compute";
}

} // namespace fivefold::lowering
