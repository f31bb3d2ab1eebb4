// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/fault_lab.h"
#include "core/numerics/rungs/fault_rules.h"

#include <algorithm>
#include <array>
#include <limits>

namespace fivefold::compare {

using numerics::FaultId;

namespace {

constexpr Carrier at(int fault, std::string_view family, std::string_view machine,
    std::array<std::string_view, 2> samples, std::array<std::string_view, 2> nodes) {
    return {static_cast<FaultId>(fault), family, machine, samples, nodes};
}

constexpr std::string_view kGpu = "gpu_h100_sxm", kTpu = "tpu_v5e", kWse = "cerebras_wse3";

// Each fault where its public twins were seen (debugging.md, sections 3.1 and 5).
constexpr std::array kCarriers{
    at(1, "gpu", "gpu_t4", {"mean_rows", "mean_cube"}, {"mean", "mean"}),
    at(2, "gpu", kGpu, {"where_flag", "where_leaky"}, {"where", "where"}),
    at(3, "gpu", kGpu, {"alias_view", "alias_squeeze"}, {"view", "squeeze"}),
    at(4, "cpu", "cpu_reference", {"gelu_rows", "gelu_erf"}, {"gelu", "erf"}),
    at(5, "gpu", kGpu, {"softmax_rows", "softmax_narrow"}, {"softmax", "softmax"}),
    at(6, "gpu", kGpu, {"norm_rows", "norm_channels"}, {"norm", "norm"}),
    at(7, "gpu", kGpu, {"attention_causal", "attention_where"}, {"mask", "mask"}),
    at(8, "gpu", kGpu, {"bias_rows", "bias_table"}, {"bias", "bias"}),
    at(9, "gpu", kGpu, {"scaled_bias", "scaled_gemm"}, {"scale", "scale"}),
    at(10, "tpu", kTpu, {"relu_bias", "relu_conv"}, {"relu", "relu"}),
    at(11, "tpu", kTpu, {"log_exp", "exp_log"}, {"log", "exp"}),
    at(12, "spyre", "spyre", {"clone_65", "clone_rows"}, {"clone", "clone"}),
    at(13, "spyre", "spyre", {"max_rows", "max_cube"}, {"max", "max"}),
    at(14, "spyre", "spyre", {"softmax_rows", "softmax_narrow"}, {"softmax", "softmax"}),
    at(15, "spyre", "spyre", {"mean_rows", "mean_cube"}, {"mean", "mean"}),
    at(16, "spyre", "spyre", {"exp_product", "relu_product"}, {"product", "product"}),
    at(17, "tpu", kTpu, {"transpose_six", "transpose_copy"}, {"transpose", "transpose"}),
    at(18, "spyre", "spyre", {"clone_rows", "bias_table"}, {"clone", "bias"}),
    at(19, "spyre", "spyre", {"clone_rows", "bias_table"}, {"relu", "bias"}),
    at(20, "spyre", "spyre", {"attention_where", "where_flag"}, {"v", "doubled"}),
    at(21, "spyre", "spyre", {"shared_product", "two_products"}, {"product", "second"}),
    at(22, "gpu", kGpu, {"shared_product", "two_products"}, {"product", "second"}),
    at(23, "spyre", "spyre", {"shared_product", "two_products"}, {"product", "second"}),
    at(24, "cerebras", kWse, {"shared_product", "two_products"}, {"product", "second"}),
    at(25, "cerebras", kWse, {"held_residual", "held_gate"}, {"y", "y"}),
    at(26, "cerebras", kWse, {"two_readers", "held_gate"}, {"shared", "held"}),
    at(27, "cerebras", kWse, {"shared_product", "two_products"}, {"product", "second"}),
    at(28, "spyre", "spyre", {"shared_product", "two_products"}, {"product", "second"}),
    // Not the copy of 65: the element that a short burst leaves out there is the one outside of
    // full sticks (F12), and no dump could tell the two apart.
    at(29, "spyre", "spyre", {"bias_table", "clone_rows"}, {"bias", "clone"}),
    at(30, "spyre", "spyre", {"shared_product", "two_products"}, {"product", "second"}),
    at(31, "spyre", "spyre", {"thirds", "subnormal_line"}, {"mul", "third_of"}),
    at(32, "gpu", kGpu, {"sum_long", "product_long"}, {"sum", "product"}),
    at(33, "gpu", kGpu, {"subnormal_rows", "subnormal_line"}, {"small", "small"}),
    at(34, "gpu", kGpu, {"attention_causal", "attention_where"}, {"mask", "mask"}),
    at(35, "gpu", kGpu, {"thirds", "relu_bias"}, {"mul", "product"}),
};

bool isIn(int number, int first, int last) {
    return number >= first && number <= last;
}

} // namespace

std::span<const Carrier> carriers() {
    return kCarriers;
}

std::string notApplicable(FaultId fault, std::string_view family) {
    const int n = numerics::number(fault);
    if (isIn(n, 12, 16) && (family == "gpu" || family == "cpu"))
        return "Loads and stores are masked element by element: memory holds no padding lanes.";
    if (isIn(n, 20, 31) && family == "cpu")
        return "The reference processor runs one operator after another in coherent memory.";
    if (family == "groq") {
        if (isIn(n, 24, 27))
            return "The compiler fixes every cycle: no unit waits for another, and no queue can "
                   "fill up.";
        if (n == 28 || n == 30)
            return "Transfers have no completions to miss: their cycle is known at compile time.";
    }
    if (n == 27 && family != "cerebras")
        return "Queues of this machine hold their sender back; none drops what it cannot take.";
    if (n == 33 && family == "spyre")
        return "The 1-6-9 format has no subnormal numbers: they are zero by design.";
    return {};
}

std::vector<numerics::Fault> applicable(const numerics::Subject& subject, ir::NodeId node) {
    std::vector<numerics::Fault> result;
    const std::string family = subject.machine ? subject.machine->family : std::string();
    for (const numerics::FaultFacts& facts : numerics::faultCatalogue()) {
        if (!family.empty() && !notApplicable(facts.id, family).empty())
            continue;
        if (!numerics::appliesTo(facts.id, subject, node))
            continue;
        numerics::Fault fault;
        fault.id = facts.id;
        fault.node = node;
        result.push_back(fault);
    }
    return result;
}

std::span<const NanCause> nanCauses() {
    // What a transfer has not brought is whatever was there: here NaN, so that all four look alike.
    static constexpr std::array kCauses{
        NanCause{"decomposition", FaultId{5}, "softmax", std::nullopt},
        NanCause{"fusion", FaultId{10}, "relu", std::nullopt},
        NanCause{"layout", FaultId{16}, "product", std::nullopt},
        NanCause{"dma", FaultId{28}, "logits", std::numeric_limits<double>::quiet_NaN()}};
    return kCauses;
}

} // namespace fivefold::compare
