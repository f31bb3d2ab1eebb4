// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace fivefold::base {

/// How a long computation reports where it is and learns that it should stop. Cheap to copy; a default
/// one reports nowhere and is never cancelled.
class Progress {
public:
    /// stage: a short noun phrase in English ("shapes"); fraction: 0..1, negative when unknown.
    using Sink = std::function<void(std::string_view stage, double fraction)>;

    Progress() = default;
    explicit Progress(std::stop_token token, Sink sink = {})
        : m_token(std::move(token))
        , m_sink(std::move(sink)) { }

    void report(std::string_view stage, double fraction = -1) const {
        if (m_sink)
            m_sink(stage, fraction);
    }
    bool isCancelled() const { return m_token.stop_requested(); }
    static Error cancelled() { return {ErrorCode::Cancelled, "The work was cancelled.", {}}; }

private:
    std::stop_token m_token;
    Sink m_sink;
};

} // namespace fivefold::base
