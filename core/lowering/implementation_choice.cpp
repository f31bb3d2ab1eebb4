// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/implementation_choice.h"

#include <algorithm>

namespace fivefold::lowering {

const ImplementationValues* chosenImplementation(const Context& context, const Node& node) {
    const auto& chosen = context.settings.implementations;
    if (chosen.empty())
        return nullptr;
    for (const ir::NodeId source : node.sources)
        if (const auto found = chosen.find(context.typed.graph->nodes[source].name);
            found != chosen.end())
            return &found->second;
    return nullptr;
}

base::Result<ImplementationValues> completeChoice(const std::vector<ImplementationChoice>& choices,
    const ImplementationValues& values, const std::string& machine) {
    const auto list = [](const auto& items, auto text) {
        std::string all;
        for (const auto& item : items)
            all += (all.empty() ? "" : ", ") + text(item);
        return all.empty() ? std::string("none") : all;
    };
    for (const auto& [key, value] : values) {
        const auto found = std::ranges::find(choices, key, &ImplementationChoice::key);
        if (found == choices.end())
            return base::Error{base::ErrorCode::InvalidArgument,
                "\"" + key + "\" is no choice of this operator on " + machine + "; there are: "
                    + list(choices, [](const ImplementationChoice& c) { return c.key; }) + ".",
                {}};
        if (std::ranges::find(found->values, value) == found->values.end())
            return base::Error{base::ErrorCode::InvalidArgument,
                "\"" + value + "\" is no " + found->name + " on " + machine + "; there are: "
                    + list(found->values, [](const std::string& v) { return v; }) + ".",
                {}};
    }
    ImplementationValues complete = values;
    for (const ImplementationChoice& choice : choices)
        complete.try_emplace(choice.key, choice.preset);
    return complete;
}

} // namespace fivefold::lowering
