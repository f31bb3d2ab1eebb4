// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/rungs/physical_lanes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fivefold::numerics {

namespace {

/// Steps in device numbers of every axis: units outermost, the rest in the listed order.
Extents deviceStrides(const layout::TensorLayout& layout) {
    Extents strides(layout.axes.size(), 0);
    std::int64_t stride = 1;
    for (const bool wantsUnits : {false, true})
        for (std::size_t i = layout.axes.size(); i-- > 0;)
            if ((layout.axes[i].role == layout::AxisRole::Unit) == wantsUnits) {
                strides[i] = stride;
                stride *= std::max<std::int64_t>(1, layout.axes[i].extent);
            }
    return strides;
}

/// Axes of a dimension, coarsest step first, as layout::coordinates decides.
std::vector<std::size_t> axesOf(const layout::TensorLayout& layout, int dimension) {
    std::vector<std::size_t> axes;
    for (std::size_t i = 0; i < layout.axes.size(); ++i) {
        const layout::Axis& axis = layout.axes[i];
        if (axis.dimension == dimension && axis.step > 0 && axis.extent > 0)
            axes.push_back(i);
    }
    std::stable_sort(axes.begin(), axes.end(),
        [&](std::size_t a, std::size_t b) { return layout.axes[a].step > layout.axes[b].step; });
    return axes;
}

std::int64_t offsetOf(const layout::TensorLayout& layout, const std::vector<std::size_t>& axes,
    const Extents& strides, std::int64_t rest) {
    std::int64_t offset = 0;
    for (const std::size_t i : axes) {
        const layout::Axis& axis = layout.axes[i];
        const std::int64_t coordinate = std::min(rest / axis.step, axis.extent - 1);
        rest -= coordinate * axis.step;
        offset += coordinate * strides[i];
    }
    return rest == 0 ? offset : -1;
}

std::int64_t elementCount(const Extents& extents) {
    return std::accumulate(
        extents.begin(), extents.end(), std::int64_t(1), std::multiplies<std::int64_t>());
}

} // namespace

std::int64_t integerPoison(double poison) {
    constexpr std::int64_t kJunk = 0x5A5A5A5A5A; // fits a double exactly
    return poison == 0 ? 0 : std::isfinite(poison) ? std::llround(poison) : kJunk;
}

LaneIndex::LaneIndex(const layout::TensorLayout& layout)
    : m_lanes(layout::deviceElements(layout))
    , m_shape(layout.shape)
    , m_reach(layout.shape.size(), 1)
    , m_offsets(layout.shape.size()) {
    const Extents strides = deviceStrides(layout);
    for (std::size_t d = 0; d < m_shape.size(); ++d) {
        const auto axes = axesOf(layout, static_cast<int>(d));
        std::int64_t reach = 1;
        for (const std::size_t i : axes)
            reach += (layout.axes[i].extent - 1) * layout.axes[i].step;
        m_reach[d] = std::min(reach, std::max<std::int64_t>(m_lanes, 0));
        m_offsets[d].resize(static_cast<std::size_t>(m_reach[d]));
        for (std::int64_t i = 0; i < m_reach[d]; ++i)
            m_offsets[d][static_cast<std::size_t>(i)] = offsetOf(layout, axes, strides, i);
    }
    m_isPlain = m_lanes == elementCount(m_shape);
    std::int64_t stride = 1;
    for (std::size_t d = m_shape.size(); d-- > 0 && m_isPlain; stride *= m_shape[d]) {
        m_isPlain = m_reach[d] == m_shape[d];
        for (std::int64_t i = 0; i < m_reach[d] && m_isPlain; ++i)
            m_isPlain = m_offsets[d][static_cast<std::size_t>(i)] == i * stride;
    }
}

bool LaneIndex::reachesAll() const {
    for (std::size_t d = 0; d < m_shape.size(); ++d) {
        if (m_reach[d] < m_shape[d])
            return false;
        for (std::int64_t i = 0; i < m_shape[d]; ++i)
            if (m_offsets[d][static_cast<std::size_t>(i)] < 0)
                return false;
    }
    return m_lanes >= elementCount(m_shape);
}

std::int64_t LaneIndex::laneOf(std::span<const std::int64_t> index) const {
    std::int64_t lane = 0;
    for (std::size_t d = 0; d < index.size() && d < m_offsets.size(); ++d) {
        if (index[d] < 0 || index[d] >= m_reach[d])
            return -1;
        const std::int64_t offset = m_offsets[d][static_cast<std::size_t>(index[d])];
        if (offset < 0)
            return -1;
        lane += offset;
    }
    return lane;
}

template <typename T>
std::vector<T> readBox(
    const LaneIndex& index, const std::vector<T>& lanes, const Extents& box, T outside) {
    if (index.isPlain() && box == index.shape())
        return lanes;
    std::vector<T> values(static_cast<std::size_t>(elementCount(box)), outside);
    if (box.empty()) {
        if (!lanes.empty())
            values[0] = lanes[0];
        return values;
    }
    const auto last = index.offsets(box.size() - 1);
    const auto count = std::min<std::size_t>(
        last.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, box.back())));
    forEachRow(index, box, [&](std::int64_t flat, std::int64_t base) {
        if (base < 0)
            return;
        T* out = values.data() + flat;
        const T* in = lanes.data() + base;
        for (std::size_t i = 0; i < count; ++i)
            if (last[i] >= 0)
                out[i] = in[last[i]];
    });
    return values;
}

template <typename T>
void writeBox(const LaneIndex& index, const std::vector<T>& values, const Extents& box,
    std::vector<T>& lanes, std::vector<std::uint8_t>* written) {
    if (box.empty()) {
        if (!lanes.empty() && !values.empty()) {
            lanes[0] = values[0];
            if (written)
                (*written)[0] = 1;
        }
        return;
    }
    const auto last = index.offsets(box.size() - 1);
    const auto count = std::min<std::size_t>(
        last.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, box.back())));
    forEachRow(index, box, [&](std::int64_t flat, std::int64_t base) {
        if (base < 0)
            return;
        const T* in = values.data() + flat;
        T* out = lanes.data() + base;
        for (std::size_t i = 0; i < count; ++i)
            if (last[i] >= 0)
                out[last[i]] = in[i];
        if (written)
            for (std::size_t i = 0; i < count; ++i)
                if (last[i] >= 0)
                    (*written)[static_cast<std::size_t>(base + last[i])] = 1;
    });
}

template <typename T>
void fillPadding(const LaneIndex& index, std::span<const std::size_t> axes, T value,
    std::vector<T>& lanes, std::vector<std::uint8_t>* written) {
    Extents box = index.shape();
    if (box.empty())
        return;
    for (const std::size_t axis : axes)
        box[axis] = index.reach()[axis];
    const std::size_t rank = box.size();
    const auto last = index.offsets(rank - 1);
    Extents at(rank, 0);
    forEachRow(index, box, [&](std::int64_t flat, std::int64_t base) {
        if (base < 0)
            return;
        std::int64_t rest = flat / box.back();
        bool isOuterPad = false;
        for (std::size_t d = rank - 1; d-- > 0; rest /= box[d])
            isOuterPad = isOuterPad || rest % box[d] >= index.shape()[d];
        const std::int64_t first = isOuterPad ? 0 : index.shape()[rank - 1];
        for (std::int64_t i = first; i < box.back(); ++i) {
            const std::int64_t offset = last[static_cast<std::size_t>(i)];
            if (offset < 0)
                continue;
            lanes[static_cast<std::size_t>(base + offset)] = value;
            if (written)
                (*written)[static_cast<std::size_t>(base + offset)] = 1;
        }
    });
}

template std::vector<double> readBox(
    const LaneIndex&, const std::vector<double>&, const Extents&, double);
template std::vector<std::int64_t> readBox(
    const LaneIndex&, const std::vector<std::int64_t>&, const Extents&, std::int64_t);
template void writeBox(const LaneIndex&, const std::vector<double>&, const Extents&,
    std::vector<double>&, std::vector<std::uint8_t>*);
template void writeBox(const LaneIndex&, const std::vector<std::int64_t>&, const Extents&,
    std::vector<std::int64_t>&, std::vector<std::uint8_t>*);
template void fillPadding(const LaneIndex&, std::span<const std::size_t>, double,
    std::vector<double>&, std::vector<std::uint8_t>*);
template void fillPadding(const LaneIndex&, std::span<const std::size_t>, std::int64_t,
    std::vector<std::int64_t>&, std::vector<std::uint8_t>*);
template void fillPadding(const LaneIndex&, std::span<const std::size_t>, std::uint8_t,
    std::vector<std::uint8_t>&, std::vector<std::uint8_t>*);
template void writeBox(const LaneIndex&, const std::vector<std::uint8_t>&, const Extents&,
    std::vector<std::uint8_t>&, std::vector<std::uint8_t>*);

DeviceValue::DeviceValue(std::shared_ptr<const layout::TensorLayout> layout,
    std::shared_ptr<const LaneIndex> index, ir::DType dtype, bool isInteger, double poison)
    : m_layout(std::move(layout))
    , m_index(std::move(index))
    , m_dtype(dtype)
    , m_isInteger(isInteger)
    , m_poison(poison) {
    fill();
}

DeviceValue::DeviceValue(std::shared_ptr<const layout::TensorLayout> layout,
    std::shared_ptr<const LaneIndex> index, Tensor contents, double poison, bool isTracked)
    : m_whole(std::move(contents))
    , m_layout(std::move(layout))
    , m_index(std::move(index))
    , m_dtype(m_whole.tensor.dtype())
    , m_isInteger(m_whole.tensor.as<std::int64_t>() != nullptr)
    , m_isTracked(isTracked)
    , m_poison(poison) { }

void DeviceValue::apply(const Pad& pad, std::vector<std::uint8_t>* written) const {
    if (!m_isInteger)
        return fillPadding(*m_index, pad.axes, pad.value, *m_floats, written);
    const double value = pad.value;
    const std::int64_t nearest = value >= 9.2e18 ? std::numeric_limits<std::int64_t>::max()
        : value <= -9.2e18                       ? std::numeric_limits<std::int64_t>::min()
        : std::isnan(value)                      ? integerPoison(value)
                                                 : std::llround(value);
    fillPadding(*m_index, pad.axes, nearest, *m_integers, written);
}

/// Makes the lanes: from pristine contents, or of poison alone.
void DeviceValue::fill() const {
    const auto lanes = static_cast<std::size_t>(m_index->lanes());
    const bool hasContents = m_whole.tensor.isDefined();
    if (m_isInteger && !m_integers) {
        m_integers = std::make_shared<std::vector<std::int64_t>>(lanes, integerPoison(m_poison));
        if (hasContents)
            writeBox(*m_index, *m_whole.tensor.as<std::int64_t>(), m_index->shape(), *m_integers,
                nullptr);
    } else if (!m_isInteger && !m_floats) {
        m_floats = std::make_shared<std::vector<double>>(lanes, m_poison);
        const auto* own = m_whole.tensor.as<double>();
        if (own)
            writeBox(*m_index, *own, m_index->shape(), *m_floats, nullptr);
        else if (hasContents)
            writeBox(*m_index, m_whole.tensor.numbers(), m_index->shape(), *m_floats, nullptr);
    } else {
        return;
    }
    for (const Pad& pad : m_pads)
        apply(pad, nullptr);
}

/// Before lanes change at will: what was written is noted, and they alone count from here on.
void DeviceValue::forgetContents() {
    if (m_isTracked)
        changeWritten();
    m_whole = {};
    m_pads.clear();
    m_read = {};
}

const std::vector<double>& DeviceValue::floats() const {
    fill();
    return *m_floats;
}

const std::vector<std::int64_t>& DeviceValue::integers() const {
    fill();
    return *m_integers;
}

std::vector<double>& DeviceValue::changeFloats() {
    fill();
    if (m_floats.use_count() > 1)
        m_floats = std::make_shared<std::vector<double>>(*m_floats);
    forgetContents();
    return *m_floats;
}

std::vector<std::int64_t>& DeviceValue::changeIntegers() {
    fill();
    if (m_integers.use_count() > 1)
        m_integers = std::make_shared<std::vector<std::int64_t>>(*m_integers);
    forgetContents();
    return *m_integers;
}

/// Starts to track what is written; contents and the pads that were set count as written.
std::vector<std::uint8_t>& DeviceValue::changeWritten() {
    if (m_written.empty()) {
        m_written.assign(static_cast<std::size_t>(m_index->lanes()), 0);
        if (m_whole.tensor.isDefined()) {
            const std::vector<std::uint8_t> ones(
                static_cast<std::size_t>(m_whole.tensor.size()), 1);
            writeBox(*m_index, ones, m_index->shape(), m_written, nullptr);
            for (const Pad& pad : m_pads)
                fillPadding(*m_index, pad.axes, std::uint8_t(1), m_written, nullptr);
        }
    }
    return m_written;
}

Datum DeviceValue::whole() const {
    if (!m_index || m_whole.tensor.isDefined())
        return m_whole;
    if (!m_read.isDefined())
        m_read = box(m_index->shape());
    return m_read;
}

Tensor DeviceValue::box(const Extents& extents) const {
    if (m_whole.tensor.isDefined() && extents == m_index->shape())
        return m_whole.tensor;
    if (m_isInteger)
        return {m_dtype, extents, readBox(*m_index, integers(), extents, integerPoison(m_poison))};
    return {m_dtype, extents, readBox(*m_index, floats(), extents, m_poison)};
}

void DeviceValue::write(const Tensor& box, bool isTracked) {
    auto* written = isTracked ? &changeWritten() : nullptr;
    if (m_isInteger) {
        std::vector<std::int64_t>& lanes = changeIntegers();
        if (const auto* list = box.as<std::int64_t>())
            return writeBox(*m_index, *list, box.shape(), lanes, written);
        std::vector<std::int64_t> list(static_cast<std::size_t>(box.size()));
        for (std::size_t i = 0; i < list.size(); ++i)
            list[i] = box.integer(static_cast<std::int64_t>(i));
        return writeBox(*m_index, list, box.shape(), lanes, written);
    }
    std::vector<double>& lanes = changeFloats();
    if (const auto* list = box.as<double>())
        return writeBox(*m_index, *list, box.shape(), lanes, written);
    writeBox(*m_index, box.numbers(), box.shape(), lanes, written);
}

void DeviceValue::pad(std::span<const std::size_t> axes, double value) {
    const Pad pad{{axes.begin(), axes.end()}, value};
    const bool hasContents = m_whole.tensor.isDefined();
    const bool isSame = !m_pads.empty() && m_pads.back().axes == pad.axes
        && (m_pads.back().value == value || (std::isnan(m_pads.back().value) && std::isnan(value)));
    if (hasContents && isSame)
        return;
    if (!hasContents || m_floats || m_integers) {
        fill();
        if (m_floats.use_count() > 1)
            m_floats = std::make_shared<std::vector<double>>(*m_floats);
        if (m_integers.use_count() > 1)
            m_integers = std::make_shared<std::vector<std::int64_t>>(*m_integers);
        apply(pad, m_written.empty() ? nullptr : &m_written);
    } else if (!m_written.empty()) {
        fillPadding(*m_index, axes, std::uint8_t(1), m_written, nullptr);
    }
    if (hasContents)
        m_pads.push_back(pad);
}

Lanes DeviceValue::lanes() const {
    Lanes result;
    result.layout = *m_layout;
    if (m_isInteger)
        result.values.assign(integers().begin(), integers().end());
    else
        result.values = floats();
    DeviceValue copy = *this;
    result.isWritten = copy.changeWritten();
    result.loopRange = loopRange;
    if (result.loopRange.empty())
        for (const layout::Axis& axis : m_layout->axes)
            result.loopRange.emplace_back(0, axis.extent);
    return result;
}

} // namespace fivefold::numerics
