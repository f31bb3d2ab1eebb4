// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/byte_source.h"

namespace fivefold::compare::dumps {

/// The bytes that a base64 text stands for (RFC 4648, with padding, no line breaks), decoded as
/// they are read. An Error where the text cannot be base64 by its length; characters outside the
/// alphabet are an Error of the read that meets them.
base::Result<Source> base64Source(Source text);

} // namespace fivefold::compare::dumps
