// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/ir/operators.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace fivefold::frontends::onnx {

/// "ai.onnx" and "" are the same domain; gives "".
std::string_view normalisedDomain(std::string_view domain);

struct OperatorMatch {
    ir::Op op = ir::Op::Unknown;
    /// The operator works on channels-last data; the graph gets an attribute "channels_last" = 1.
    bool isChannelsLast = false;
};

/// The canonical operator of (domain, operator type); Unknown where the domain is not known or has
/// no such operator: an equal name in a foreign domain is not taken for the standard operator.
OperatorMatch matchOperator(std::string_view domain, std::string_view opType);

/// Newest operator set version of a standard domain whose rules are known here; nullopt for domains
/// without versions that matter.
std::optional<std::int64_t> newestKnownOpset(std::string_view domain);

} // namespace fivefold::frontends::onnx
