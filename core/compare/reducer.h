// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/level.h"

#include <filesystem>
#include <functional>

namespace fivefold::compare {

/// The smallest case that still fails.
struct Reproducer {
    std::shared_ptr<const ir::Graph> graph; ///< of a few operators, weights inside
    numerics::Inputs inputs; ///< the device's own values at the cut
    std::vector<std::pair<std::string, numerics::Tensor>> expected, device; ///< of its outputs
    std::optional<numerics::Fault> fault; ///< that explains it; its node is one of `graph`
    /// "machine", "precision", "tolerance", "level", "how", "pattern", "residue": shown and kept.
    std::map<std::string, std::string> policy;
    std::vector<std::string> steps; ///< what was cut, and what was tried and kept
    std::string torchText; ///< the same as PyTorch source
};

/// Types and lowers a changed graph for the machine of the case; given by who knows the families.
using Lowerer =
    std::function<base::Result<numerics::Subject>(std::shared_ptr<const ir::Graph> graph)>;

/// Reduces an origin: cuts the graph around it by the device's own values (golden injection), then
/// shrinks each dimension over {1, E − 1, E, E + 1, 2E + 1} (E: elements of a stick or tile of the
/// machine) as long as the same kind of wrongness stays under the fault that explains it. Without
/// such a fault the shape stays. `device` and `inputs`: of the comparison.
base::Result<Reproducer> reduce(const numerics::Subject& subject, const Divergence& divergence,
    std::size_t origin, const Side& device, const numerics::Inputs& inputs, const Lowerer& lower,
    const base::Progress& progress = {});

/// One folder: model.onnx, inputs.npz, expected.npz, device.npz, policy.json, repro.py, README.md.
base::Result<base::Done> writeReproducer(
    const Reproducer& reproducer, const std::filesystem::path& folder);

/// What a folder shows when it is run again here.
struct Replay {
    std::int64_t wrong = 0, total = 0; ///< stored device values against the run here
    bool isReproduced = false; ///< the run here under the policy gives the device's wrong elements
    std::string sentence;
};
base::Result<Reproducer> readReproducer(const std::filesystem::path& folder);
base::Result<Replay> replay(
    const Reproducer& reproducer, const Lowerer& lower, const base::Progress& progress = {});

} // namespace fivefold::compare
