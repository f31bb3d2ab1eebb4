// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/lowering/rewriter.h"

#include <functional>
#include <string>
#include <vector>

/// Puts a copy between a stored tensor and an operator that reads it through views.
namespace fivefold::families::spyre {

/// The views between a value and the stored tensor behind it, the one next to the tensor first;
/// `value` becomes the tensor. O(views).
std::vector<lowering::NodeId> viewsBehind(const lowering::Rewriter& rewriter,
    lowering::ValueId& value, const std::function<bool(lowering::ValueId)>& isStored);

/// A node right in front of `user`, in its kernel.
lowering::ValueId insertLaidOut(lowering::Rewriter& rewriter, lowering::NodeId user,
    lowering::ValueId from, lowering::NewNode node, const std::string& why,
    std::shared_ptr<const layout::TensorLayout> layout);

/// The views once more over `base`, a tensor of the same shape, for one user; `last` is the value
/// that they ended in. A part of a split becomes a slice.
lowering::ValueId repeatViews(lowering::Rewriter& rewriter, lowering::NodeId user,
    lowering::ValueId base, const std::vector<lowering::NodeId>& views, lowering::ValueId last,
    const std::string& why);

} // namespace fivefold::families::spyre
