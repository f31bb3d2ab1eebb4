// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/tpu/converts.h"

#include "core/families/tpu/operators.h"

#include <algorithm>
#include <unordered_map>

namespace fivefold::families::tpu {

namespace {

using namespace lowering;
using ir::DType;
using ir::Op;

constexpr std::string_view kWiden = "The vector unit has no arithmetic in this 16-bit type: it "
                                    "works in f32 between two conversions.";
constexpr std::string_view kNarrow =
    "What leaves the vector unit's f32 arithmetic is stored in the 16-bit type of the model.";

bool isNarrow(DType type) {
    return type == DType::BFloat16 || type == DType::Float16;
}

enum class Arithmetic : std::uint8_t { Always, IfWide, Never };

/// Selections stay narrow; maxima and movement follow their operands.
Arithmetic arithmeticOf(const Node& node, OpKind kind) {
    switch (node.canonical) {
    case Op::Max:
    case Op::Min:
    case Op::Relu:
    case Op::Clip:
    case Op::ReduceMax:
    case Op::ReduceMin:
    case Op::MaxPool:
    case Op::GlobalMaxPool:
    case Op::ArgMax:
    case Op::ArgMin:
        return Arithmetic::IfWide;
    case Op::Where:
    case Op::Cast:
    case Op::CastLike:
    case Op::Equal:
    case Op::Identity:
        return Arithmetic::Never;
    default:
        break;
    }
    if (kind == OpKind::Reduce)
        return ir::opClass(node.canonical) == ir::OpClass::Normalisation ? Arithmetic::Always
                                                                         : Arithmetic::Never;
    if (kind != OpKind::Loop && kind != OpKind::Relayout)
        return Arithmetic::Never;
    return node.opClass() == ir::OpClass::Pointwise ? Arithmetic::Always : Arithmetic::IfWide;
}

class Converter {
public:
    Converter(StageGraph graph, const Device& device)
        : m_device(device)
        , m_isOutput(graph.values.size(), 0)
        , m_isWide(graph.values.size(), 0)
        , m_rewriter(std::move(graph), Stage::Fused, hloWords()) {
        for (const ValueId output : m_rewriter.graph().outputs)
            if (output.isValid())
                m_isOutput[output.index()] = 1;
    }

    StageGraph run() {
        for (std::size_t k = 0; k < m_rewriter.graph().kernels.size(); ++k)
            convert(KernelId(k));
        return std::move(m_rewriter).finish();
    }

private:
    void convert(KernelId kernel) {
        m_other.clear();
        const std::vector<NodeId> nodes = m_rewriter.graph().kernels[kernel].nodes;
        for (const NodeId id : nodes)
            visit(id, kernel);
        for (const NodeId id : nodes)
            for (const ValueId output : std::vector<ValueId>(m_rewriter.node(id).outputs))
                if (output.isValid() && isWide(output))
                    leave(output, id, kernel);
    }

    bool isWide(ValueId id) const {
        return id.index() < m_isWide.size() && m_isWide[id.index()] != 0;
    }

    void visit(NodeId id, KernelId kernel) {
        const Node& node = m_rewriter.node(id);
        const bool readsWide = std::any_of(node.inputs.begin(), node.inputs.end(),
            [this](ValueId input) { return input.isValid() && isWide(input); });
        Arithmetic arithmetic = arithmeticOf(node, kindOf(node));
        if (m_device.generation >= 7 && arithmetic == Arithmetic::Always
            && node.canonical != Op::Rsqrt && !readsFloat16(node))
            arithmetic = Arithmetic::IfWide;
        const bool works = arithmetic == Arithmetic::Always
            || (arithmetic == Arithmetic::IfWide && readsWide && m_device.generation < 7);
        for (std::size_t i = 0; i < m_rewriter.node(id).inputs.size(); ++i) {
            const ValueId input = m_rewriter.node(id).inputs[i];
            if (!input.isValid())
                continue;
            const Value& value = m_rewriter.graph().values[input];
            if (works && isNarrow(value.dtype) && !value.fill)
                swap(id, i, input, DType::Float32, kernel);
            else if (!works && isWide(input) && m_rewriter.node(id).canonical != Op::Cast)
                swap(id, i, input, m_narrow[input.value], kernel);
        }
        if (works)
            widen(id);
    }

    bool readsFloat16(const Node& node) const {
        return std::any_of(node.inputs.begin(), node.inputs.end(), [this](ValueId input) {
            return input.isValid() && m_rewriter.graph().values[input].dtype == DType::Float16;
        });
    }

    void widen(NodeId id) {
        for (const ValueId output : std::vector<ValueId>(m_rewriter.node(id).outputs)) {
            if (!output.isValid() || !isNarrow(m_rewriter.graph().values[output].dtype))
                continue;
            m_narrow[output.value] = m_rewriter.graph().values[output].dtype;
            m_isWide[output.index()] = 1;
            m_rewriter.editValue(output).dtype = DType::Float32;
        }
    }

    /// The other form of a value inside the kernel, made once.
    void swap(NodeId user, std::size_t index, ValueId value, DType type, KernelId kernel) {
        if (const auto known = m_other.find(value.value); known != m_other.end()) {
            m_rewriter.setInput(user, index, known->second);
            return;
        }
        const ValueId made = m_rewriter.insertBefore(
            user, index, cast(), std::string(type == DType::Float32 ? kWiden : kNarrow));
        adopt(made, kernel);
        m_rewriter.editValue(made).dtype = type;
        m_other.emplace(value.value, made);
    }

    static NewNode cast() {
        NewNode node;
        node.canonical = Op::Cast;
        node.suffix = "convert";
        return node;
    }

    void adopt(ValueId made, KernelId kernel) {
        const NodeId id = m_rewriter.value(made).producer;
        m_rewriter.edit(id).kernel = kernel;
        m_isWide.resize(m_rewriter.graph().values.size(), 0);
        m_isOutput.resize(m_rewriter.graph().values.size(), 0);
    }

    /// Readers outside get the 16-bit form; sums along rows stay f32.
    void leave(ValueId value, NodeId producer, KernelId kernel) {
        const bool isResult = m_isOutput[value.index()] != 0;
        const bool isSum = m_rewriter.node(producer).canonical == Op::ReduceSum;
        std::vector<NodeId> outside;
        for (const NodeId user : m_rewriter.users(value))
            if (m_rewriter.node(user).kernel != kernel)
                outside.push_back(user);
        const DType type = m_narrow[value.value];
        if (isResult) {
            const auto& outputs = m_rewriter.graph().outputs;
            for (std::size_t i = 0; i < outputs.size(); ++i)
                if (m_rewriter.resolve(m_rewriter.graph().outputs[i]) == value)
                    finishOutput(i, type, kernel, outside);
            return;
        }
        if (outside.empty() || isSum)
            return;
        ValueId narrow;
        if (const auto known = m_other.find(value.value); known != m_other.end()) {
            narrow = known->second;
            for (const NodeId user : outside)
                redirect(user, value, narrow);
        } else {
            narrow = m_rewriter.insertAfter(value, outside, cast(), std::string(kNarrow));
            adopt(narrow, kernel);
            m_rewriter.editValue(narrow).dtype = type;
        }
    }

    void redirect(NodeId user, ValueId from, ValueId to) {
        for (std::size_t i = 0; i < m_rewriter.node(user).inputs.size(); ++i)
            if (m_rewriter.input(user, i) == from)
                m_rewriter.setInput(user, i, to);
    }

    void finishOutput(
        std::size_t index, DType type, KernelId kernel, const std::vector<NodeId>& outside) {
        const ValueId value = m_rewriter.resolve(m_rewriter.graph().outputs[index]);
        const ValueId made = m_rewriter.insertBeforeOutput(index, cast(), std::string(kNarrow));
        adopt(made, kernel);
        m_rewriter.editValue(made).dtype = type;
        for (const NodeId user : outside)
            redirect(user, value, made);
    }

    const Device& m_device;
    std::vector<std::uint8_t> m_isOutput;
    std::vector<std::uint8_t> m_isWide; ///< f32 inside its kernel, 16-bit in the model
    std::unordered_map<std::uint32_t, DType> m_narrow; ///< the model's type of wide values
    std::unordered_map<std::uint32_t, ValueId> m_other; ///< of this kernel
    Rewriter m_rewriter;
};

bool hasNarrowValues(const StageGraph& graph) {
    return std::any_of(graph.values.begin(), graph.values.end(),
        [](const Value& value) { return isNarrow(value.dtype); });
}

} // namespace

StageGraph withConverts(StageGraph fused, const Device& device) {
    if (!hasNarrowValues(fused))
        return fused;
    return Converter(std::move(fused), device).run();
}

bool isRuleConvert(const Node& node) {
    return node.canonical == Op::Cast && (node.addedBy == kWiden || node.addedBy == kNarrow);
}

} // namespace fivefold::families::tpu
