// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/interpreter.h"
#include "core/numerics/random.h"
#include "core/numerics/stored.h"

#include <algorithm>
#include <limits>

namespace fivefold::numerics {

namespace {

using ir::Op;

/// What a weight is for, as far as its random stand-in must know.
enum class Use : std::uint8_t { Product, Scale, Shift, Variance, Step, ZeroPoint };

struct Role {
    Use use = Use::Product;
    std::int64_t fanIn = 0; ///< 0: from the shape
};

/// Positions of scale and shift among the inputs of a normalisation.
Use normUse(Op op, std::size_t input) {
    switch (op) {
    case Op::LayerNormalization:
    case Op::GroupNormalization:
    case Op::InstanceNormalization:
    case Op::RMSNormalization:
    case Op::NormApply:
        return input == 1 ? Use::Scale : input == 2 ? Use::Shift : Use::Product;
    case Op::BatchNormalization: // X, scale, B, mean, variance
        return input == 1 ? Use::Scale
            : input == 4  ? Use::Variance
            : input >= 2  ? Use::Shift
                          : Use::Product;
    case Op::SkipLayerNormalization: // X, skip, gamma, beta, bias
    case Op::SkipRMSNormalization:
        return input == 2 ? Use::Scale : input >= 3 ? Use::Shift : Use::Product;
    case Op::EmbedLayerNormalization: // …, gamma, beta
        return input == 5 ? Use::Scale : input == 6 ? Use::Shift : Use::Product;
    case Op::QuantizeLinear:
    case Op::DequantizeLinear:
        return input == 1 ? Use::Step : input == 2 ? Use::ZeroPoint : Use::Product;
    default:
        return Use::Product;
    }
}

std::int64_t sizeAt(const std::vector<std::int64_t>& shape, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank
        ? std::max<std::int64_t>(1, shape[static_cast<std::size_t>(axis)])
        : 1;
}

/// Terms of the sums that the weight is used in.
std::int64_t fanIn(
    const ir::Node& node, std::size_t input, const std::vector<std::int64_t>& shape) {
    std::int64_t inner = 1;
    switch (node.op) {
    case Op::Conv:
    case Op::FusedConv:
        for (std::size_t axis = 1; axis < shape.size(); ++axis)
            inner = std::max<std::int64_t>(1, inner * std::max<std::int64_t>(1, shape[axis]));
        return inner;
    case Op::ConvTranspose:
        return sizeAt(shape, 0);
    case Op::Gemm:
    case Op::FusedGemm: {
        const bool isTurned = node.attributes.integer(input == 1 ? "transB" : "transA", 0) != 0;
        return input == 1 ? sizeAt(shape, isTurned ? 1 : 0) : sizeAt(shape, isTurned ? 0 : 1);
    }
    case Op::MatMul:
    case Op::FusedMatMul:
        return sizeAt(shape, input == 1 ? -2 : -1);
    default:
        return sizeAt(shape, -1);
    }
}

Role roleOf(const ir::Graph& graph, ir::ValueId value, const std::vector<std::int64_t>& shape) {
    Role role;
    for (const ir::NodeId user : graph.values[value].users) {
        if (!graph.nodes.contains(user))
            continue;
        const ir::Node& node = graph.nodes[user];
        const auto at = std::find(node.inputs.begin(), node.inputs.end(), value);
        if (at == node.inputs.end())
            continue;
        const auto input = static_cast<std::size_t>(at - node.inputs.begin());
        const Use use = normUse(node.op, input);
        if (use != Use::Product)
            return {use, 0};
        if (role.fanIn == 0)
            role.fanIn = fanIn(node, input, shape);
    }
    return role;
}

/// Small integers of the type: quantised weights and tables.
std::int64_t randomInteger(Random& random, ir::DType dtype) {
    const bool isSigned = dtype == ir::DType::Int8 || dtype == ir::DType::Int4
        || dtype == ir::DType::Int2 || dtype == ir::DType::Int16;
    const int bits = std::min(ir::bitWidth(dtype), 8);
    const std::int64_t range = std::int64_t(1) << std::max(bits, 1);
    if (isSigned)
        return random.below(range) - range / 2;
    return dtype == ir::DType::UInt8 || bits < 8 ? random.below(range) : random.below(2);
}

double randomNumber(Random& random, const Role& role) {
    constexpr double kRootThree = 1.7320508075688772; // uniform in ±√3 has variance 1
    switch (role.use) {
    case Use::Scale:
    case Use::Variance:
        return 1;
    case Use::Shift:
    case Use::ZeroPoint:
        return 0;
    case Use::Step:
        return 1.0 / 128;
    case Use::Product:
        break;
    }
    const double spread = 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, role.fanIn)));
    return random.between(-kRootThree, kRootThree) * spread;
}

Tensor randomWeight(const ir::Graph& graph, ir::ValueId value, ir::DType dtype,
    const std::vector<std::int64_t>& shape, std::uint64_t seed) {
    const ir::Value& source = graph.values[value];
    Random random(seedOf(source.name.empty() ? std::to_string(value.value) : source.name, seed));
    const Role role = roleOf(graph, value, shape);
    std::size_t count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<std::size_t>(size);
    if (!ir::isFloat(dtype)) {
        std::vector<std::int64_t> values(count);
        for (std::int64_t& v : values)
            v = dtype == ir::DType::Bool     ? 1
                : role.use == Use::ZeroPoint ? 0
                                             : randomInteger(random, dtype);
        return {dtype, shape, std::move(values)};
    }
    // Values of the type itself, so that both carriers hold the same.
    const Format format = formatOf(dtype);
    const bool isWide = dtype == ir::DType::Float32 || dtype == ir::DType::Float64;
    std::vector<double> values(count);
    for (double& v : values) {
        const auto narrow = static_cast<float>(randomNumber(random, role));
        v = isWide ? static_cast<double>(narrow) : round(static_cast<double>(narrow), format);
    }
    return {dtype, shape, std::move(values)};
}

/// Shape of a constant that may have no payload; nullopt where it is not known whole.
std::optional<std::vector<std::int64_t>> shapeOf(const ir::Graph& graph, ir::ValueId value) {
    const ir::Value& source = graph.values[value];
    if (source.data.isValid() && source.data.index() < graph.tensors.size())
        return graph.tensors[source.data].shape;
    return source.declared.shape ? ir::knownShape(*source.declared.shape) : std::nullopt;
}

constexpr std::int64_t kLargestWeight = std::int64_t(1) << 31; // elements

bool isTooLarge(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        if (size < 0 || __builtin_mul_overflow(count, size, &count) || count > kLargestWeight)
            return true;
    return false;
}

} // namespace

Weights::Weights(std::shared_ptr<const ir::Graph> graph, std::uint64_t seed)
    : m_graph(std::move(graph))
    , m_seed(seed) { }

base::Result<Tensor> Weights::of(
    ir::ValueId value, Carrier carrier, base::Diagnostics& diagnostics) {
    if (const auto found = m_entries.find({value.value, carrier}); found != m_entries.end())
        return found->second.tensor;
    if (!m_graph || !m_graph->values.contains(value))
        return base::Error{base::ErrorCode::NotFound, "There is no such constant.", {}};
    const ir::Value& source = m_graph->values[value];
    const bool isStored = source.data.isValid() && source.data.index() < m_graph->tensors.size();
    const bool hasPayload =
        isStored && m_graph->tensors[source.data].storage != ir::TensorStorage::Missing;
    const auto shape = shapeOf(*m_graph, value);
    const ir::DType dtype = isStored ? m_graph->tensors[source.data].dtype : source.declared.dtype;
    if (!shape || dtype == ir::DType::Undefined)
        return base::Error{base::ErrorCode::NotFound,
            "The file says neither contents nor shape of this constant; export the model with its "
            "weights.",
            source.name};
    if (isTooLarge(*shape))
        return base::Error{base::ErrorCode::Limit,
            "The constant has more than 2^31 elements, which is beyond what is executed here; run "
            "a smaller model.",
            source.name};
    if (hasPayload) {
        auto tensor = storedTensor(m_graph->tensors, source.data, carrier);
        if (!tensor)
            return tensor.error();
        m_entries[{value.value, carrier}] = {*tensor, false};
        return tensor;
    }
    Tensor tensor = randomWeight(*m_graph, value, dtype, *shape, m_seed);
    if (carrier == Carrier::Float)
        tensor = tensor.carried<float>();
    diagnostics.warn("numerics.random_weights", source.name,
        "The file has no values for this weight; seeded random ones of its shape are used.",
        "Put the model's weights beside it, or give a model that holds them.");
    m_entries[{value.value, carrier}] = {tensor, true};
    return tensor;
}

bool Weights::isRandom(ir::ValueId value) const {
    for (const Carrier carrier : {Carrier::Float, Carrier::Double})
        if (const auto found = m_entries.find({value.value, carrier}); found != m_entries.end())
            return found->second.isRandom;
    return false;
}

} // namespace fivefold::numerics
