// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace fivefold::app {

/// A file of the samples folder ("faults/clone_65.onnx"): beside the program, in the source tree,
/// or installed. Empty when missing.
QString samplePath(const QString& name);

} // namespace fivefold::app
