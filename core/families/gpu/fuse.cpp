// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/gpu/kernel_graph.h"
#include "core/families/gpu/kernel_label.h"
#include "core/families/gpu/stages.h"

#include "core/lowering/fusion.h"

namespace fivefold::families::gpu {

using namespace lowering;

base::Result<StageGraph> fuse(const Context& context, StageGraph decomposed) {
    if (!context.settings.isFusionOn)
        return oneKernelEach(
            std::move(decomposed), [](const Node& node) { return kernelKind(node); });
    const Device hardware = device(context);
    const BufferPlan plan =
        planBuffers(context, decomposed, hardware.sms, hardware.isConvolutionChannelsLast);
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    const std::vector<KernelGroup> groups =
        fuseBuffers(context, decomposed, plan, hardware.hasTemplates);
    if (context.progress.isCancelled())
        return base::Progress::cancelled();
    return kernelGraph(context, std::move(decomposed), plan, groups);
}

} // namespace fivefold::families::gpu
