// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/layout/layout_for.h"
#include "core/layout/spyre_layout.h"
#include "core/machines/machine.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fivefold::cli {

using base::Error;
using base::ErrorCode;
using Json = nlohmann::ordered_json;

namespace {

struct Options {
    std::string machine;
    std::string shape;
    std::string dtype;
    std::string order;
    std::string strides;
    std::string version;
    std::string output = "-";
};

base::Result<layout::LayoutQuery> query(const Options& options, const machines::Machine& machine) {
    layout::LayoutQuery query;
    query.family = machine.family;
    query.version = options.version;
    auto shape = parseIntegers(options.shape, "--shape");
    auto order = parseIntegers(options.order, "--order");
    auto strides = parseIntegers(options.strides, "--stride");
    for (const auto* numbers : {&shape, &order, &strides})
        if (!*numbers)
            return numbers->error();
    query.shape = *shape;
    query.strides = *strides;
    for (std::int64_t dimension : *order)
        query.order.push_back(static_cast<int>(std::clamp<std::int64_t>(dimension, -2, 1 << 20)));
    const auto dtype = ir::parseDType(options.dtype);
    if (!dtype)
        return Error{ErrorCode::InvalidArgument,
            "\"" + options.dtype
                + "\" is no element type; use fp32, bf16, fp16, fp8, int8, int32, int64, uint8 or "
                  "bool.",
            "--dtype"};
    query.dtype = *dtype;
    const auto parameter = [&](const char* key, auto fallback) {
        return static_cast<decltype(fallback)>(
            machine.parameterOr(key, static_cast<double>(fallback)));
    };
    query.tpuGeneration = parameter("generation", query.tpuGeneration);
    query.peRows = parameter("usable_rows", query.peRows);
    query.peColumns = parameter("usable_columns", query.peColumns);
    query.lanes = parameter("lanes", query.lanes);
    query.slices = parameter("mem_slices", query.slices);
    return query;
}

Json layoutJson(const layout::TensorLayout& layout, const machines::Machine& machine) {
    Json axes = Json::array();
    for (const layout::Axis& axis : layout.axes)
        axes.push_back({{"extent", axis.extent}, {"dimension", axis.dimension}, {"step", axis.step},
            {"role", layout::toString(axis.role)}});
    Json json{{"machine", machine.id}, {"shape", layout.shape},
        {"dtype", ir::shortName(layout.dtype)}, {"notation", layout.notation}, {"axes", axes}};
    if (machine.family == "spyre") {
        json["device_size"] = layout.deviceSize;
        json["stride_map"] = layout.strideMap;
        json["sticks"] = layout::spyreSticks(layout);
    }
    if (machine.family == "tpu")
        json["xla_layout"] = layout.notation;
    json["elements"] = layout::logicalElements(layout);
    json["padded_elements"] = layout::paddedElements(layout);
    json["bytes"] = layout::deviceBytes(layout);
    json["waste"] = layout::waste(layout);
    return json;
}

base::Result<base::Done> printLayout(const Options& options) {
    auto machine = machines::machineByIdOrFile(options.machine);
    if (!machine)
        return machine.error();
    auto asked = query(options, **machine);
    if (!asked)
        return asked.error();
    auto layout = layout::layoutFor(*asked);
    if (!layout)
        return layout.error();
    return writeOutput(options.output,
        [&](std::ostream& out) { out << layoutJson(*layout, **machine).dump(1) << '\n'; });
}

} // namespace

void addLayoutCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("layout", "Lay a tensor out in a machine's memory");
    auto options = std::make_shared<Options>();
    command->add_option("--machine", options->machine, "Machine id or a machine's JSON file")
        ->required();
    command->add_option("--shape", options->shape, "Extents, e.g. 2,65; '' is a scalar")
        ->required();
    command->add_option("--dtype", options->dtype, "Element type, e.g. fp16")->required();
    command->add_option("--order", options->order, "Dimensions, slow to fast; -1 last: sparse");
    command->add_option("--stride", options->strides, "Host strides in elements");
    command->add_option("--layout-version", options->version, "Spyre: 2025-11, 2026-06 or 2026-09");
    command->add_option("--json", options->output, "Where the JSON goes; - is stdout");
    command->callback([options, &action] { action = [options] { return printLayout(*options); }; });
}

} // namespace fivefold::cli
