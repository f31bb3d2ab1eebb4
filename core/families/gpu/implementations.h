// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/gpu/device.h"
#include "core/lowering/staged_family.h"

namespace fivefold::families::gpu {

/// Matrix products and convolutions: `tile` (the machine's CTA tiles) and `split` (of k); softmax
/// and attention: roofline/operator_forms.h, a tiled attention as attention_time.h has it.
lowering::ImplementationRules implementationRules();

/// The device with the tile and split that the user chose for the kernel's product; nullopt where
/// nothing was. A choice that the product does not have is a diagnostic. O(nodes of the kernel).
std::optional<Device> chosenDevice(const lowering::Context& context, const Device& device,
    const lowering::StageGraph& graph, lowering::KernelId kernel);

} // namespace fivefold::families::gpu
