// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace fivefold::views::common {
class Panel;
}

namespace fivefold::app {

class Session;

/// What panels ask for becomes undoable steps of the session: kernels cut and joined, sizes bound.
void connectRequests(const std::vector<views::common::Panel*>& panels, Session& session);

} // namespace fivefold::app
