// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/roofline/operator_forms.h"

#include "core/lowering/implementation_choice.h"
#include "core/lowering/tiling.h"
#include "core/lowering/work.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::roofline {

using base::Bytes;
using base::Flops;
using base::Seconds;
using lowering::AttentionSizes;
using lowering::ImplementationChoice;
using lowering::ImplementationRow;
using lowering::ImplementationValues;
using lowering::ProductSizes;
using lowering::SoftmaxForm;

namespace {

constexpr const char* kAttention = "attention";
constexpr const char* kQueryBlock = "query_block";
constexpr const char* kSoftmax = "softmax";
constexpr const char* kTiled = "tiled";
constexpr const char* kUnfused = "unfused";
constexpr std::array<std::int64_t, 5> kQueryBlocks = {16, 32, 64, 128, 256};
constexpr std::int64_t kKeyBlock = 64; ///< keys of one step of a tiled attention
constexpr std::int64_t kPresetQueryBlock = 64;
/// Elementary operations an element: maximum, subtraction, exponential, sum, quotient.
constexpr double kSoftmaxOperations = 5;

/// Rows and columns of a softmax node; nullopt when a size is unknown.
struct Rows {
    double rows = 0, columns = 0, elementBytes = 2;
    double bytes() const { return rows * columns * elementBytes; }
};

std::optional<Rows> softmaxRows(const lowering::StageGraph& graph, lowering::NodeId id) {
    if (!graph.nodes.contains(id))
        return std::nullopt;
    const lowering::Node& node = graph.nodes[id];
    if (node.canonical != ir::Op::Softmax || node.inputs.empty()
        || !graph.values.contains(node.inputs.front()))
        return std::nullopt;
    const lowering::Value& value = graph.values[node.inputs.front()];
    const auto bytes = value.bytes();
    const auto count = lowering::elements(value.shape);
    if (!count || *count <= 0 || !bytes)
        return std::nullopt;
    Rows rows;
    rows.columns = 1;
    for (const std::int64_t axis : lowering::reducedAxes(node, value.shape->size()))
        rows.columns *= static_cast<double>((*value.shape)[static_cast<std::size_t>(axis)]);
    rows.rows = static_cast<double>(*count) / std::max(1.0, rows.columns);
    rows.elementBytes = static_cast<double>(bytes->value) / static_cast<double>(*count);
    return rows;
}

ImplementationChoice softmaxChoice() {
    return {kSoftmax, "softmax",
        {std::string(toString(SoftmaxForm::Kept)), std::string(toString(SoftmaxForm::Online)),
            std::string(toString(SoftmaxForm::ThreePasses))},
        std::string(toString(SoftmaxForm::Kept))};
}

/// One kernel of a row, or a tiled one.
struct Part {
    double arithmetic = 0, bytes = 0;
};

class RowMaker {
public:
    RowMaker(const FormRates& rates, ImplementationValues values)
        : m_rates(rates) {
        m_row.choice = std::move(values);
        m_row.units = rates.units;
    }

    void add(const Part& part) {
        const double moving = part.bytes / m_rates.farBytesPerSecond;
        m_seconds += m_rates.kernelSeconds + std::max(part.arithmetic, moving);
        m_arithmetic += part.arithmetic;
        m_moving += moving;
        m_bytes += part.bytes;
        ++m_kernels;
    }

    void fits(double bytes, const std::string& what) {
        if (m_rates.nearBytes && bytes > *m_rates.nearBytes)
            m_row.misfit = what + " takes " + std::to_string(std::llround(bytes))
                + " bytes and a unit has " + std::to_string(std::llround(*m_rates.nearBytes)) + ".";
    }

    ImplementationRow finish(double flops, std::string because) {
        m_row.flops = m_row.paddedFlops = Flops(flops);
        m_row.time = Seconds(m_seconds);
        m_row.syncs = m_kernels - 1;
        m_row.bytesByLevel = {{m_rates.farLevel, Bytes(std::llround(m_bytes))}};
        m_row.because = std::move(because);
        return std::move(m_row);
    }

    double seconds() const { return m_seconds; }
    void setSeconds(double seconds) { m_seconds = seconds; }
    bool isMoving() const { return m_moving > m_arithmetic; }

private:
    const FormRates& m_rates;
    ImplementationRow m_row;
    double m_seconds = 0, m_arithmetic = 0, m_moving = 0, m_bytes = 0;
    std::int64_t m_kernels = 0;
};

double softmaxSeconds(const FormRates& rates, double elements) {
    return kSoftmaxOperations * elements / rates.vectorPerSecond;
}

ImplementationRow softmaxRow(
    const Rows& rows, const FormRates& rates, ImplementationValues values) {
    const SoftmaxForm form = *lowering::parseSoftmaxForm(values.at(kSoftmax));
    RowMaker maker(rates, std::move(values));
    const double elements = rows.rows * rows.columns;
    const double compute = softmaxSeconds(rates, elements);
    const auto passes = static_cast<double>(reads(form));
    maker.add({compute, rows.bytes() * (passes + 1)});
    if (form == SoftmaxForm::Kept)
        maker.fits(rows.columns * rows.elementBytes, "A row");
    const std::string why = form == SoftmaxForm::Kept ? "A row stays near: read once, written once."
        : form == SoftmaxForm::Online
        ? "A running maximum and sum need the input twice, not three times."
        : "Maximum, sum and quotient each read the input.";
    return maker.finish(kSoftmaxOperations * elements, why);
}

ProductSizes scoreProduct(const AttentionSizes& a) {
    return {a.batch * a.heads, a.queries, a.keys, a.headSize, a.elementBytes, false, false, 0};
}

ProductSizes contextProduct(const AttentionSizes& a) {
    return {a.batch * a.heads, a.queries, a.valueSize, a.keys, a.elementBytes, false, false, 0};
}

ImplementationRow unfusedRow(
    const AttentionSizes& a, const FormRates& rates, ImplementationValues values) {
    const SoftmaxForm form = *lowering::parseSoftmaxForm(values.at(kSoftmax));
    RowMaker maker(rates, std::move(values));
    const double scores = a.scoreBytes();
    const auto element = static_cast<double>(a.elementBytes);
    const double heads = static_cast<double>(a.batch) * static_cast<double>(a.heads);
    const double kvHeads = static_cast<double>(a.batch) * static_cast<double>(a.kvHeads);
    const auto tensor = [element](double count, std::int64_t length, std::int64_t width) {
        return count * static_cast<double>(length) * static_cast<double>(width) * element;
    };
    maker.add({rates.productSeconds(scoreProduct(a)),
        tensor(heads, a.queries, a.headSize) + tensor(kvHeads, a.keys, a.headSize) + scores});
    maker.add(
        {softmaxSeconds(rates, scores / element), scores * static_cast<double>(reads(form) + 1)});
    maker.add({rates.productSeconds(contextProduct(a)),
        scores + tensor(kvHeads, a.keys, a.valueSize) + tensor(heads, a.queries, a.valueSize)});
    if (form == SoftmaxForm::Kept)
        maker.fits(static_cast<double>(a.keys) * element, "A row of scores");
    const bool isMoving = maker.isMoving();
    return maker.finish(a.flops(),
        isMoving ? "The scores go out and come back between three kernels, which takes longer than "
                   "the arithmetic."
                 : "Three kernels; their arithmetic takes longer than moving the scores.");
}

ImplementationRow tiledRow(
    const AttentionSizes& a, const FormRates& rates, ImplementationValues values) {
    const std::int64_t block = std::stoll(values.at(kQueryBlock));
    RowMaker maker(rates, std::move(values));
    const double products =
        rates.productSeconds(scoreProduct(a)) + rates.productSeconds(contextProduct(a));
    const double scores = a.scoreBytes() / static_cast<double>(a.elementBytes);
    const double corrections = 2 * static_cast<double>(lowering::ceilDiv(a.keys, kKeyBlock))
        * static_cast<double>(a.batch * a.heads) * static_cast<double>(a.queries)
        * static_cast<double>(a.valueSize);
    const double vector = softmaxSeconds(rates, scores) + corrections / rates.vectorPerSecond;
    maker.add({std::max(products, vector), tiledAttentionBytes(a, block)});
    maker.fits(attentionTileBytes(a, block, kKeyBlock), "A tile");
    if (rates.tiledSeconds)
        if (const auto own = rates.tiledSeconds(a))
            maker.setSeconds(*own);
    const bool isMoving = maker.isMoving();
    return maker.finish(a.flops(),
        std::string("The scores never leave the unit; ")
            + (isMoving ? "keys and values, read once a block of queries, take longest."
                    : vector > products ? "the softmax on the vector unit takes longest."
                                        : "the two products take longest."));
}

} // namespace

std::vector<ImplementationChoice> formChoices(const lowering::StageGraph& graph,
    lowering::NodeId node, const FormRates& rates, bool isTiled) {
    if (lowering::attentionSizes(graph, node)) {
        ImplementationChoice block{kQueryBlock, "block of queries", {}, {}};
        for (const std::int64_t rows : kQueryBlocks)
            block.values.push_back(std::to_string(rows));
        block.preset = std::to_string(kPresetQueryBlock);
        std::vector<ImplementationChoice> choices = {
            {kAttention, "attention", {kTiled, kUnfused}, isTiled ? kTiled : kUnfused},
            softmaxChoice()};
        if (!rates.tiledSeconds)
            choices.push_back(std::move(block));
        return choices;
    }
    if (softmaxRows(graph, node))
        return {softmaxChoice()};
    return {};
}

base::Result<ImplementationRow> formRow(const machines::Machine& machine,
    const lowering::StageGraph& graph, lowering::NodeId node, const FormRates& rates, bool isTiled,
    const ImplementationValues& values) {
    auto complete =
        lowering::completeChoice(formChoices(graph, node, rates, isTiled), values, machine.name);
    if (!complete)
        return complete.error();
    if (const auto attention = lowering::attentionSizes(graph, node)) {
        const bool isUnfused = complete->at(kAttention) == kUnfused;
        if (isUnfused)
            return unfusedRow(*attention, rates, *std::move(complete));
        ImplementationValues chosen = *std::move(complete);
        chosen.try_emplace(kQueryBlock, std::to_string(kPresetQueryBlock));
        auto row = tiledRow(*attention, rates, chosen);
        if (rates.tiledSeconds)
            row.choice.erase(kQueryBlock);
        return row;
    }
    return softmaxRow(*softmaxRows(graph, node), rates, *std::move(complete));
}

} // namespace fivefold::roofline
