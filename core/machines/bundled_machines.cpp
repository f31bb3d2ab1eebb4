// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/machines/bundled_data.h"
#include "core/machines/machine.h"

#include <algorithm>
#include <tuple>

namespace fivefold::machines {

namespace {

std::size_t familyRank(const Machine& machine) {
    const auto found = std::find(std::begin(kFamilies), std::end(kFamilies), machine.family);
    return static_cast<std::size_t>(found - std::begin(kFamilies));
}

std::vector<std::shared_ptr<const Machine>> readBundled() {
    std::vector<std::shared_ptr<const Machine>> machines;
    for (const BundledText& bundled : bundledTexts()) {
        auto machine = readMachine(bundled.text, bundled.file);
        if (!machine)
            continue; // a test reads every bundled file and shows the error
        machine->path = "resource";
        machines.push_back(std::make_shared<const Machine>(*std::move(machine)));
    }
    const auto key = [](const std::shared_ptr<const Machine>& machine) {
        return std::tuple(familyRank(*machine), machine->year, std::string_view(machine->id));
    };
    std::sort(machines.begin(), machines.end(),
        [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return machines;
}

} // namespace

const std::vector<std::shared_ptr<const Machine>>& bundledMachines() {
    static const std::vector<std::shared_ptr<const Machine>> machines = readBundled();
    return machines;
}

std::shared_ptr<const Machine> findMachine(std::string_view id) {
    for (const auto& machine : bundledMachines()) {
        if (machine->id == id)
            return machine;
    }
    return nullptr;
}

} // namespace fivefold::machines
