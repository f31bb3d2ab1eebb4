// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/layout/address.h"
#include "core/layout/padding_curve.h"
#include "core/layout/spyre_layout.h"
#include "core/lowering/layout_query.h"
#include "core/machines/machine.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

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
    std::string curve;
    std::string element;
    std::string address;
    std::int64_t unit = 0;
    std::int64_t peRows = 0;
    std::int64_t peColumns = 0;
    std::string output = "-";
};

Error wrong(std::string message, const char* option) {
    return Error{ErrorCode::InvalidArgument, std::move(message), option};
}

base::Result<layout::LayoutQuery> query(const Options& options, const machines::Machine& machine) {
    auto shape = parseIntegers(options.shape, "--shape");
    auto order = parseIntegers(options.order, "--order");
    auto strides = parseIntegers(options.strides, "--stride");
    for (const auto* numbers : {&shape, &order, &strides})
        if (!*numbers)
            return numbers->error();
    const auto dtype = ir::parseDType(options.dtype);
    if (!dtype)
        return wrong("\"" + options.dtype
                + "\" is no element type; use fp32, bf16, fp16, fp8, int8, int32, int64, uint8 or "
                  "bool.",
            "--dtype");
    layout::LayoutQuery query = lowering::layoutQuery(machine, *shape, *dtype);
    query.version = options.version;
    query.strides = *strides;
    for (std::int64_t dimension : *order)
        query.order.push_back(static_cast<int>(std::clamp<std::int64_t>(dimension, -2, 1 << 20)));
    if ((options.peRows > 0 || options.peColumns > 0) && machine.family != "cerebras")
        return wrong("only a wafer has a rectangle of PEs; leave --pe-rows and --pe-columns out",
            "--pe-columns");
    if (options.peRows > 0)
        query.peRows = options.peRows;
    if (options.peColumns > 0)
        query.peColumns = options.peColumns;
    return query;
}

/// "DIM=FROM..TO".
struct CurveRange {
    int dimension = -1;
    std::int64_t from = 1, to = 256;
};

base::Result<CurveRange> parseCurve(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t dots = text.find("..");
    if (equals == std::string::npos || dots == std::string::npos || dots < equals)
        return wrong("\"" + text + "\" is no range of sizes; write DIM=FROM..TO, as in -1=1..256",
            "--curve");
    const std::string parts[] = {
        text.substr(0, equals), text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2)};
    std::int64_t numbers[3];
    for (std::size_t i = 0; i < 3; ++i) {
        auto number = parseIntegers(parts[i], "--curve");
        if (!number)
            return number.error();
        if (number->size() != 1)
            return wrong("a dimension and two sizes are needed; write DIM=FROM..TO", "--curve");
        numbers[i] = number->front();
    }
    if (numbers[0] < INT32_MIN || numbers[0] > INT32_MAX)
        return wrong("the shape has no such dimension", "--curve");
    return CurveRange{static_cast<int>(numbers[0]), numbers[1], numbers[2]};
}

base::Result<base::Done> addCurve(
    const std::string& text, const layout::LayoutQuery& query, Json& json) {
    const auto range = parseCurve(text);
    if (!range)
        return range.error();
    const auto curve = layout::paddingCurve(query, range->dimension, range->from, range->to);
    if (!curve)
        return curve.error();
    const int rank = static_cast<int>(query.shape.size());
    const int dimension = range->dimension < 0 ? rank + range->dimension : range->dimension;
    Json points = Json::array();
    for (const layout::CurvePoint& point : curve->points)
        points.push_back({{"size", point.size}, {"waste", point.waste}, {"bytes", point.bytes}});
    const auto next =
        layout::nextFree(*curve, query.shape[static_cast<std::size_t>(dimension)] - 1);
    json["curve_dimension"] = dimension;
    json["next_free_size"] = next ? Json(*next) : Json(nullptr);
    json["curve"] = std::move(points);
    return base::Done{};
}

Json placeJson(const layout::TensorLayout& layout, const layout::Location& at,
    const std::optional<std::vector<std::int64_t>>& index) {
    return {{"element", index ? Json(layout::flatten(layout.shape, *index)) : Json(nullptr)},
        {"index", index ? Json(*index) : Json(nullptr)}, {"unit", at.unit}, {"block", at.block},
        {"row", at.row}, {"lane", at.lane}, {"pack", at.pack}, {"address", at.address()},
        {"bit", at.bitAddress % 8}};
}

/// Where an element lies ("64" or "0,64"), or what lies at an address ("0x100").
base::Result<base::Done> addPlace(
    const Options& options, const layout::TensorLayout& layout, Json& json) {
    if (!options.element.empty()) {
        const auto numbers = parseIntegers(options.element, "--element");
        if (!numbers)
            return numbers.error();
        std::vector<std::int64_t> index = *numbers;
        if (index.size() == 1 && layout.shape.size() != 1) {
            if (index[0] < 0 || index[0] >= layout::logicalElements(layout))
                return wrong("the tensor has no element of this number", "--element");
            index = layout::unflatten(layout.shape, index[0]);
        }
        const auto at = layout::locate(layout, index);
        if (!at)
            return wrong("the index lies outside the tensor; give one number a dimension, or the "
                         "element's flat number",
                "--element");
        json["place"] = placeJson(layout, *at, index);
    } else if (!options.address.empty()) {
        char* end = nullptr;
        errno = 0;
        const long long address = std::strtoll(options.address.c_str(), &end, 0);
        if (errno != 0 || *end != '\0' || end == options.address.c_str())
            return wrong(
                "\"" + options.address + "\" is no address; write 0x100 or 256", "--address");
        const auto found = layout::coordinatesAtAddress(layout, options.unit, address);
        if (!found)
            return wrong("the address lies outside the tensor's memory in this unit", "--address");
        json["place"] =
            placeJson(layout, layout::locationOf(layout, *found), layout::indexAt(layout, *found));
    }
    return base::Done{};
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
    Json json = layoutJson(*layout, **machine);
    if (auto placed = addPlace(options, *layout, json); !placed)
        return placed;
    if (!options.curve.empty())
        if (auto added = addCurve(options.curve, *asked, json); !added)
            return added;
    return writeOutput(options.output, [&](std::ostream& out) { out << json.dump(1) << '\n'; });
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
    command->add_option("--curve", options->curve,
        "Padding over the sizes of a dimension: DIM=FROM..TO; a negative DIM counts from the end");
    auto* element =
        command->add_option("--element", options->element, "Where it lies: flat number, or 0,64");
    command->add_option("--address", options->address, "What lies there, in bytes: 0x100 or 256")
        ->excludes(element);
    command->add_option("--unit", options->unit, "Unit whose memory --address means; default 0");
    command->add_option("--pe-rows", options->peRows, "Wafer: rows of PEs that share the tensor")
        ->check(CLI::PositiveNumber);
    command->add_option("--pe-columns", options->peColumns, "Wafer: columns of PEs that share it")
        ->check(CLI::PositiveNumber);
    command->add_option("--json", options->output, "Where the JSON goes; - is stdout");
    command->callback([options, &action] { action = [options] { return printLayout(*options); }; });
}

} // namespace fivefold::cli
