// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/options.h"

#include <algorithm>
#include <charconv>

namespace fivefold::families::spyre {

namespace {

std::int64_t coresOf(const machines::Machine& machine) {
    const machines::Memory* lx = machine.memory(machines::MemoryKind::Scratchpad);
    const std::int64_t instances = lx ? lx->instances : kMaximumCores;
    return std::clamp<std::int64_t>(instances, 1, 1024);
}

} // namespace

Options options(const lowering::Settings& settings, const machines::Machine& machine) {
    Options out;
    out.division.cores = coresOf(machine);
    if (const auto cores = settings.values.find("cores"); cores != settings.values.end()) {
        std::int64_t wanted = 0;
        const std::string& text = cores->second;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wanted);
        if (error == std::errc{} && end == text.data() + text.size() && wanted >= 1)
            out.division.cores = std::min(wanted, out.division.cores);
    }
    if (const auto version = settings.values.find("layout"); version != settings.values.end())
        out.division.version =
            layout::parseSpyreLayoutVersion(version->second).value_or(out.division.version);
    return out;
}

std::vector<lowering::SettingInfo> settingInfos(const machines::Machine& machine) {
    const std::int64_t cores = coresOf(machine);
    return {{"cores", "Cores that the compiler may divide work over (SENCORES).",
                std::to_string(cores), {}, 1, cores},
        {"layout",
            "Generation of the public compiler: its stick layouts, work division and bundle rules.",
            std::string(layout::toString(layout::SpyreLayoutVersion::V2026_09)),
            {"2025-11", "2026-06", "2026-09"}, 0, 0}};
}

} // namespace fivefold::families::spyre
