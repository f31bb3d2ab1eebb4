// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/lowering/attention_shape.h"

namespace fivefold::lowering {

namespace {

using Extents = std::vector<std::int64_t>;

class Reader {
public:
    Reader(const Values& values, const Node& node)
        : m_values(values)
        , m_node(node) { }

    ValueId input(std::size_t i) const {
        return i < m_node.inputs.size() ? m_node.inputs[i] : ValueId();
    }
    const Extents* shape(ValueId id) const {
        return m_values.contains(id) && m_values[id].shape ? &*m_values[id].shape : nullptr;
    }
    const Extents* inputShape(std::size_t i) const { return shape(input(i)); }
    const Extents* outputShape(std::size_t i) const {
        return i < m_node.outputs.size() ? shape(m_node.outputs[i]) : nullptr;
    }
    std::int64_t attribute(std::string_view name) const {
        return m_node.attributes.integer(name, 0);
    }

    std::optional<AttentionShape> standard() const;
    std::optional<AttentionShape> projecting(AttentionForm form) const;
    std::optional<AttentionShape> multiHead() const;
    std::optional<AttentionShape> grouped() const;

private:
    /// Length of a cache [batch, heads, length, size]; 0 where there is none.
    std::int64_t cacheLength(ValueId id) const {
        const Extents* s = shape(id);
        return s && s->size() == 4 ? (*s)[2] : 0;
    }

    const Values& m_values;
    const Node& m_node;
};

std::optional<AttentionShape> Reader::standard() const {
    const Extents* q = inputShape(0);
    const Extents* k = inputShape(1);
    const Extents* v = inputShape(2);
    if (!q || !k || !v || q->size() < 2 || q->size() != k->size() || q->size() != v->size())
        return std::nullopt;
    AttentionShape a;
    a.mask = input(3);
    a.pastKey = input(4);
    a.pastValue = input(5);
    if (q->size() == 3) {
        a.heads = attribute("q_num_heads");
        a.kvHeads = attribute("kv_num_heads");
        if (a.heads <= 0 || a.kvHeads <= 0)
            return std::nullopt;
        a.batch = (*q)[0];
        a.queries = (*q)[1];
        a.newKeys = (*k)[1];
        a.headSize = (*q)[2] / a.heads;
        a.valueSize = (*v)[2] / a.kvHeads;
    } else {
        const std::size_t r = q->size();
        a.heads = r > 2 ? (*q)[r - 3] : 1;
        a.kvHeads = r > 2 ? (*k)[r - 3] : 1;
        a.batch = 1;
        for (std::size_t i = 0; i + 3 < r; ++i)
            if (__builtin_mul_overflow(a.batch, (*q)[i], &a.batch))
                return std::nullopt;
        a.queries = (*q)[r - 2];
        a.areKeysTransposed = attribute("keys_transposed") != 0;
        a.newKeys = (*k)[a.areKeysTransposed ? r - 1 : r - 2];
        a.headSize = (*q)[r - 1];
        a.valueSize = (*v)[r - 1];
    }
    a.keys = a.newKeys + cacheLength(a.pastKey);
    return a;
}

std::optional<AttentionShape> Reader::projecting(AttentionForm form) const {
    const Extents* x = inputShape(0);
    const Extents* w = inputShape(1);
    AttentionShape a;
    a.form = form;
    a.heads = attribute("num_heads");
    const std::size_t xRank = form == AttentionForm::Packed ? 2 : 3;
    if (!x || !w || x->size() != xRank || w->size() != 2 || a.heads <= 0)
        return std::nullopt;
    a.kvHeads = a.heads;
    a.modelSize = x->back();
    std::int64_t hidden = (*w)[1] / 3;
    std::int64_t valueHidden = hidden;
    if (const auto sizes = m_node.attributes.integers("qkv_hidden_sizes");
        sizes && sizes->size() == 3) {
        hidden = (*sizes)[0];
        valueHidden = (*sizes)[2];
    }
    a.headSize = hidden / a.heads;
    a.valueSize = valueHidden / a.heads;
    a.bias = input(2);
    if (form == AttentionForm::Packed) {
        // Offsets [batch, length] say how the tokens are laid out in a padded batch.
        const Extents* offsets = inputShape(3);
        if (!offsets || offsets->size() != 2)
            return std::nullopt;
        a.batch = (*offsets)[0];
        a.queries = (*offsets)[1];
    } else {
        a.batch = (*x)[0];
        a.queries = (*x)[1];
        a.mask = input(m_node.canonical == ir::Op::QAttention ? 5 : 3);
    }
    a.newKeys = a.keys = a.queries;
    const ValueId past = input(m_node.canonical == ir::Op::QAttention ? 8 : 4);
    if (form == AttentionForm::Projecting)
        if (const Extents* s = shape(past); s && s->size() == 5) {
            a.pastKey = past;
            a.keys += (*s)[3];
        }
    return a;
}

std::optional<AttentionShape> Reader::multiHead() const {
    const Extents* q = inputShape(0);
    const Extents* k = inputShape(1);
    const Extents* v = inputShape(2);
    AttentionShape a;
    a.form = AttentionForm::MultiHead;
    a.heads = a.kvHeads = attribute("num_heads");
    if (!q || a.heads <= 0)
        return std::nullopt;
    a.bias = input(3);
    a.mask = input(5).isValid() ? input(5) : input(4);
    a.pastKey = input(6);
    a.pastValue = input(7);
    a.batch = (*q)[0];
    if (q->size() == 5) { // packed Q, K, V: [batch, length, heads, 3, size]
        a.isPackedQkv = true;
        a.queries = a.newKeys = (*q)[1];
        a.headSize = a.valueSize = (*q)[4];
    } else if (q->size() == 3 && k) {
        a.queries = (*q)[1];
        a.headSize = (*q)[2] / a.heads;
        if (k->size() == 5) { // packed K, V: [batch, length, heads, 2, size]
            a.newKeys = (*k)[1];
            a.valueSize = (*k)[4];
        } else if (v && (k->size() == 3 || k->size() == 4)) {
            a.newKeys = k->size() == 4 ? (*k)[2] : (*k)[1];
            a.valueSize = v->size() == 4 ? (*v)[3] : v->back() / a.heads;
        } else {
            return std::nullopt;
        }
    } else {
        return std::nullopt;
    }
    a.keys = a.newKeys + cacheLength(a.pastKey);
    return a;
}

std::optional<AttentionShape> Reader::grouped() const {
    const Extents* q = inputShape(0);
    AttentionShape a;
    a.form = AttentionForm::Grouped;
    a.heads = attribute("num_heads");
    a.kvHeads = attribute("kv_num_heads");
    if (!q || q->size() != 3 || a.heads <= 0 || a.kvHeads <= 0)
        return std::nullopt;
    a.batch = (*q)[0];
    a.queries = a.newKeys = (*q)[1];
    a.isPackedQkv = !input(1).isValid();
    a.headSize = (*q)[2] / (a.isPackedQkv ? a.heads + 2 * a.kvHeads : a.heads);
    a.valueSize = a.headSize;
    a.pastKey = input(3);
    a.pastValue = input(4);
    a.mask = input(10);
    const Extents* present = outputShape(1);
    a.keys = present && present->size() == 4 ? (*present)[2] : a.newKeys + cacheLength(a.pastKey);
    return a;
}

} // namespace

bool isAttention(ir::Op op) {
    return op == ir::Op::Attention || op == ir::Op::MultiHeadAttention
        || op == ir::Op::GroupQueryAttention || op == ir::Op::PackedAttention
        || op == ir::Op::QAttention;
}

std::optional<AttentionShape> attentionShape(const Values& values, const Node& node) {
    const Reader reader(values, node);
    std::optional<AttentionShape> shape;
    switch (node.canonical) {
    case ir::Op::Attention:
        // The contrib operator of the same name has num_heads; the standard one never does.
        shape = node.attributes.has("num_heads") ? reader.projecting(AttentionForm::Projecting)
                                                 : reader.standard();
        break;
    case ir::Op::QAttention:
        shape = reader.projecting(AttentionForm::Projecting);
        break;
    case ir::Op::PackedAttention:
        shape = reader.projecting(AttentionForm::Packed);
        break;
    case ir::Op::MultiHeadAttention:
        shape = reader.multiHead();
        break;
    case ir::Op::GroupQueryAttention:
        shape = reader.grouped();
        break;
    default:
        return std::nullopt;
    }
    const auto isSane = [](const AttentionShape& a) {
        for (const std::int64_t size : {a.batch, a.queries, a.keys, a.headSize, a.valueSize})
            if (size < 0)
                return false;
        return a.heads > 0 && a.kvHeads > 0;
    };
    return shape && isSane(*shape) ? shape : std::nullopt;
}

} // namespace fivefold::lowering
