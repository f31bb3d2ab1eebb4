// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/machines/machine.h"

namespace fivefold::machines {

using base::Error;
using base::ErrorCode;

base::Result<std::shared_ptr<const Machine>> machineByIdOrFile(const std::string& name) {
    if (auto machine = findMachine(name))
        return machine;
    std::error_code ignored;
    // A device or a pipe too: reading it says what is wrong with it.
    const auto status = std::filesystem::status(name, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
        auto machine = readMachineFile(name);
        if (!machine)
            return machine.error();
        return std::make_shared<const Machine>(*std::move(machine));
    }
    std::string known;
    for (const auto& machine : bundledMachines())
        known += (known.empty() ? "" : ", ") + machine->id;
    return Error{ErrorCode::NotFound,
        "No machine has this id, and no file this name; known machines: " + known + ".", name};
}

} // namespace fivefold::machines
