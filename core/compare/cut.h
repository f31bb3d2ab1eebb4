// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

namespace fivefold::compare {

/// A few nodes of a model with everything that they read: a case of its own.
struct Cut {
    std::vector<ir::NodeId> nodes; ///< of the model, in its order
    std::map<ir::ValueId, numerics::Tensor> inputs; ///< values that come from outside
    std::map<ir::ValueId, numerics::Tensor> constants; ///< weights, and what follows from constants
    std::vector<ir::ValueId> outputs;
};

/// The origin's node and, where an input of it is not in the device's dump, the nodes that make it
/// from values that are; at most `kMostNodes`. An Error names the value that cannot be had.
constexpr std::size_t kMostNodes = 8;
base::Result<Cut> cutAround(const numerics::Subject& subject, ir::NodeId origin, const Side& device,
    const numerics::Inputs& inputs);

/// What a cut holds beyond the origin.
struct CutChoice {
    /// Neighbours of the origin that are cut out with it: what they make is computed, not taken
    /// from the device.
    std::vector<ir::NodeId> also;
    bool isOriginInside =
        false; ///< its results are outputs only where nothing in the cut reads them
    ir::ValueId asGiven; ///< an input of the model that is taken from `inputs`, not from the device
};
base::Result<Cut> cutAround(const numerics::Subject& subject, ir::NodeId origin, const Side& device,
    const numerics::Inputs& inputs, const CutChoice& choice);

/// The cut as a model. Contents of constants go inside, inputs and outputs are declared with the
/// shapes of their tensors (float inputs keep the model's own type).
std::shared_ptr<const ir::Graph> graphOf(const ir::Graph& model, const Cut& cut);

/// A tensor's elements packed as its declared type stores them (little-endian).
std::vector<std::byte> packed(const numerics::Tensor& tensor);

} // namespace fivefold::compare
