// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/analysis/published_points.h"

#include "core/analysis/pipeline.h"
#include "core/analysis/predict.h"
#include "core/analysis/published_rows.h"
#include "core/analysis/residual_network.h"
#include "core/families/gpu/device.h"
#include "core/families/tpu/measured.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace fivefold::analysis {

namespace {

using machines::Machine;
using machines::Precision;
using roofline::MeasuredOperator;
using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
    Words words;
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        words.push_back(text.substr(0, end));
        if (end == text.size())
            return words;
        text.remove_prefix(end + 1);
    }
}

/// What a row predicts: "product fp16 64 12288 12288; +framework_op_s".
struct Operator {
    std::string_view kind;
    std::optional<Precision> precision;
    std::vector<std::int64_t> sizes;
    Words added; ///< parameters in seconds
    std::map<std::string, std::string> settings;

    double size(std::size_t i) const {
        return i < sizes.size() ? static_cast<double>(sizes[i]) : 0;
    }
};

Operator readOperator(std::string_view text) {
    Operator result;
    bool isFirst = true;
    for (std::string_view part : split(text, ';')) {
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        if (!isFirst && !part.empty() && part.front() == '+')
            result.added.push_back(part.substr(1));
        else if (const std::size_t equals = part.find('='); !isFirst && equals != part.npos)
            result.settings[std::string(part.substr(0, equals))] = part.substr(equals + 1);
        if (!isFirst)
            continue;
        isFirst = false;
        const Words words = split(part, ' ');
        result.kind = words.front();
        if (words.size() > 1)
            result.precision = machines::parsePrecision(words[1]);
        for (std::size_t i = 2; i < words.size(); ++i) {
            std::int64_t number = 0;
            std::from_chars(words[i].data(), words[i].data() + words[i].size(), number);
            result.sizes.push_back(number);
        }
    }
    return result;
}

std::optional<double> measuredSeconds(const Machine& machine, const Operator& op) {
    MeasuredOperator row;
    row.machine = machine.id;
    row.precision = op.precision;
    if (op.kind == "attention" && op.sizes.size() == 4) {
        row.attention = MeasuredOperator::Attention::Prefill;
        row.b = op.sizes[0];
        row.heads = row.keyValueHeads = op.sizes[1];
        row.sequence = op.sizes[2];
        row.headSize = op.sizes[3];
    } else if (op.sizes.size() >= 3) {
        row.op = "matmul";
        row.m = op.sizes[0];
        row.n = op.sizes[1];
        row.k = op.sizes[2];
    }
    const auto microseconds = predict({row}).front();
    return microseconds ? std::optional(*microseconds * 1e-6) : std::nullopt;
}

/// A kernel of the GPU family that reads `elements` and writes as many.
double streamSeconds(const Machine& machine, const Operator& op, double elements) {
    const families::gpu::Device device =
        families::gpu::deviceOf(machine, op.precision.value_or(Precision::Fp16));
    const families::gpu::StreamConstants& c =
        op.kind == "softmax" ? device.softmax : device.pointwise;
    const double bytes = 2 * elements * static_cast<double>(device.elementBytes) * c.passes;
    return c.fixedSeconds + bytes / (device.dramBandwidth * c.efficiency);
}

/// M N K in blocks of BM BN BK, one after another: a grid step is the larger of its product and
/// grid_step_s, and the operands are read again for every block that needs them.
std::optional<double> blocksSeconds(const Machine& machine, const Operator& op) {
    const auto peak = op.precision ? machine.peak(*op.precision) : std::nullopt;
    const machines::Memory* memory = machine.memory(machines::MemoryKind::Device);
    if (op.sizes.size() != 6 || !peak || !memory)
        return std::nullopt;
    const double m = op.size(0), n = op.size(1), k = op.size(2);
    const double blocksM = m / op.size(3), blocksN = n / op.size(4), blocksK = k / op.size(5);
    const double steps = blocksM * blocksN * blocksK;
    const double product = 2 * op.size(3) * op.size(4) * op.size(5)
        / (*peak * machine.parameterOr("matmul_efficiency", 1));
    const double bytes =
        machines::storageBits(*op.precision) / 8.0 * (m * k * blocksN + k * n * blocksM + m * n);
    return std::max(steps * std::max(product, machine.parameterOr("grid_step_s", 0)),
        bytes / (memory->totalBandwidth().value_or(0) * machine.parameterOr("hbm_efficiency", 1)));
}

std::optional<double> networkSeconds(
    const std::shared_ptr<const Machine>& machine, const Operator& op) {
    static const auto kModel =
        std::make_shared<const Model>(Model{residualNetwork50(), base::Diagnostics()});
    Request request{kModel, machine, {}, {}};
    request.settings.precision = op.precision.value_or(machine->defaultPrecision());
    request.settings.isPrecisionGiven = true;
    request.settings.values = op.settings;
    const auto result = analyze(request);
    if (!result || (*result)->totals.unknownSteps > 0)
        return std::nullopt;
    return (*result)->totals.time.value;
}

std::optional<double> predictedSeconds(
    const std::shared_ptr<const Machine>& machine, const Operator& op) {
    std::optional<double> seconds;
    if (op.kind == "product" || op.kind == "attention")
        seconds = measuredSeconds(*machine, op);
    else if (op.kind == "elementwise")
        seconds = streamSeconds(*machine, op, op.size(0));
    else if (op.kind == "softmax")
        seconds = streamSeconds(*machine, op, op.size(0) * op.size(1));
    else if (op.kind == "blocks")
        seconds = blocksSeconds(*machine, op);
    else if (op.kind == "resnet50")
        seconds = networkSeconds(machine, op);
    for (const std::string_view key : op.added) {
        const machines::Figure* figure = machine->parameter(key);
        if (!seconds || !figure || !figure->isKnown())
            return std::nullopt;
        *seconds += *figure->value;
    }
    return seconds;
}

/// Units of work that a rate counts.
double workOf(const Operator& op) {
    if (op.kind == "attention") // two products; half of the scores are masked
        return 2 * op.size(0) * op.size(1) * op.size(2) * op.size(2) * op.size(3);
    if (op.kind == "elementwise")
        return op.size(0);
    if (op.kind == "softmax")
        return op.size(0) * op.size(1);
    return 2 * op.size(0) * op.size(1) * op.size(2);
}

/// A time in the row's unit: ms, or a rate of the operator's work.
std::optional<double> inUnit(std::string_view unit, const Operator& op, double seconds) {
    if (unit == "ms")
        return seconds * 1e3;
    if (unit.starts_with("TFLOP/s"))
        return workOf(op) / seconds / 1e12;
    if (unit == "Gelem/s")
        return workOf(op) / seconds / 1e9;
    return std::nullopt;
}

PublishedPoint readPoint(const Words& cells) {
    PublishedPoint point;
    std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), point.number);
    std::from_chars(cells[4].data(), cells[4].data() + cells[4].size(), point.measured);
    point.machine = cells[1];
    point.workload = cells[2];
    point.config = cells[3];
    point.unit = cells[5];
    point.kind = cells[6];
    point.source = cells[7];
    point.isScored = cells[8] == "scored";
    point.isCalibration = cells[8] == "calibration";
    point.note = cells[10];
    const auto machine = machines::findMachine(point.machine);
    if (cells[9].empty() || !machine)
        return point;
    const Operator op = readOperator(cells[9]);
    if (const auto seconds = predictedSeconds(machine, op))
        point.predicted = inUnit(point.unit, op, *seconds);
    if (point.predicted && *point.predicted > 0 && point.measured > 0)
        point.factor =
            std::max(*point.predicted / point.measured, point.measured / *point.predicted);
    return point;
}

} // namespace

const std::vector<PublishedPoint>& publishedPoints() {
    static const std::vector<PublishedPoint> kPoints = [] {
        constexpr std::size_t kColumns = 11;
        std::vector<PublishedPoint> points;
        for (const std::string_view line : split(publishedRows(), '\n'))
            if (const Words cells = split(line, '\t');
                cells.size() == kColumns && !line.starts_with('#'))
                points.push_back(readPoint(cells));
        return points;
    }();
    return kPoints;
}

std::optional<double> medianFactor(
    const std::vector<PublishedPoint>& points, std::string_view prefix) {
    std::vector<double> factors;
    for (const PublishedPoint& point : points)
        if (point.isScored && point.factor && std::string_view(point.machine).starts_with(prefix))
            factors.push_back(*point.factor);
    if (factors.empty())
        return std::nullopt;
    std::sort(factors.begin(), factors.end());
    const std::size_t middle = factors.size() / 2;
    return factors.size() % 2 == 1 ? factors[middle] : (factors[middle - 1] + factors[middle]) / 2;
}

} // namespace fivefold::analysis
