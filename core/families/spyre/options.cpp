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

std::string valueOf(const lowering::Settings& settings, const char* key) {
    const auto at = settings.values.find(key);
    return at == settings.values.end() ? std::string() : at->second;
}

/// The scratchpad's part: LX_PLANNING, LAYOUT_SOLVER, the relayout switch, DXP_LX_FRAC_AVAIL.
LxSettings lxSettings(const lowering::Settings& settings, const machines::Machine& machine,
    const DivisionRules& division) {
    LxSettings out;
    const machines::Memory* lx = machine.memory(machines::MemoryKind::Scratchpad);
    out.isOn = lx != nullptr && valueOf(settings, "lx") != "off";
    if (lx && lx->capacity.isKnown())
        out.lxBytes = static_cast<std::int64_t>(*lx->capacity.value);
    out.cores = division.cores;
    out.isAugust = division.isAugust();
    out.allowsRelayout = valueOf(settings, "lx_relayout") != "off";
    out.solver = parseLxSolver(valueOf(settings, "lx_solver")).value_or(out.solver);
    const std::string percent = valueOf(settings, "lx_backend_percent");
    int wanted = 0;
    const auto [end, error] =
        std::from_chars(percent.data(), percent.data() + percent.size(), wanted);
    if (error == std::errc{} && end == percent.data() + percent.size() && wanted >= 0
        && wanted <= 100)
        out.backendShare = wanted / 100.0;
    return out;
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
    out.lx = lxSettings(settings, machine, out.division);
    return out;
}

std::vector<lowering::SettingInfo> settingInfos(const machines::Machine& machine) {
    const std::int64_t cores = coresOf(machine);
    return {{"cores", "Cores that the compiler may divide work over (SENCORES).",
                std::to_string(cores), {}, 1, cores},
        {"layout",
            "Generation of the public compiler: its stick layouts, work division and bundle rules.",
            std::string(layout::toString(layout::SpyreLayoutVersion::V2026_09)),
            {"2025-11", "2026-06", "2026-09"}, 0, 0},
        {"lx", "Whether intermediates may stay in the LX scratchpad (LX_PLANNING).", "on",
            {"on", "off"}, 0, 0},
        {"lx_solver", "How LX addresses are chosen (LAYOUT_SOLVER).",
            std::string(toString(LxSolver::Greedy)), {"greedy", "firstfit", "bestfit"}, 0, 0},
        {"lx_relayout",
            "Whether LX tensors may be copied from cores to cores for a reader that divides them "
            "in "
            "another way; needs the greedy solver.",
            "on", {"on", "off"}, 0, 0},
        {"lx_backend_percent",
            "Share of LX left to the backend, in percent (DXP_LX_FRAC_AVAIL × 100).", "20", {}, 0,
            100}};
}

} // namespace fivefold::families::spyre
