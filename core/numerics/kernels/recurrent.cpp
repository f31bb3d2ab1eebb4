// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/numerics/kernels/pairs.h"
#include "core/numerics/kernels/product.h"
#include "core/numerics/kernels/scalar_functions.h"
#include "core/numerics/kernels/sums.h"
#include "core/numerics/kernels/tables.h"

#include <algorithm>
#include <array>
#include <functional>

namespace fivefold::numerics {

namespace {

using ir::Op;
using Function = std::function<double(double)>;

/// A named activation with its parameters; null for an unknown name.
Function activation(std::string name, double alpha, double beta, bool hasAlpha, bool hasBeta) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto a = [&](double fallback) { return hasAlpha ? alpha : fallback; };
    const auto b = [&](double fallback) { return hasBeta ? beta : fallback; };
    if (name == "relu")
        return [](double x) { return std::max(x, 0.0); };
    if (name == "tanh")
        return [](double x) { return std::tanh(x); };
    if (name == "sigmoid")
        return [](double x) { return scalar::sigmoid(x); };
    if (name == "affine")
        return [k = a(1), m = b(0)](double x) { return k * x + m; };
    if (name == "leakyrelu")
        return [k = a(0.01)](double x) { return x < 0 ? k * x : x; };
    if (name == "thresholdedrelu")
        return [k = a(1)](double x) { return x > k ? x : 0.0; };
    if (name == "scaledtanh")
        return [k = a(1), m = b(1)](double x) { return k * std::tanh(m * x); };
    if (name == "hardsigmoid")
        return [k = a(0.2), m = b(0.5)](double x) { return scalar::hardSigmoid(x, k, m); };
    if (name == "elu")
        return [k = a(1)](double x) { return x < 0 ? k * std::expm1(x) : x; };
    if (name == "softsign")
        return [](double x) { return x / (1 + std::abs(x)); };
    if (name == "softplus")
        return [](double x) { return scalar::softplus(x); };
    return {};
}

struct CellPlan {
    std::int64_t steps = 0, batch = 0, input = 0, hidden = 0, directions = 1, gates = 1;
    bool isBatchFirst = false;
    std::vector<bool> isBackward; ///< of each direction
    std::vector<Function> functions; ///< of all directions, one after another
    std::size_t functionsEach = 1;
    double clip = 0; ///< 0: none
    bool couplesForget = false, isLinearBeforeReset = false;
    Extents lengths; ///< of each sequence
};

std::vector<std::string> defaultNames(Op op, std::int64_t directions) {
    std::vector<std::string> one = op == Op::LSTM
        ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
        : op == Op::GRU ? std::vector<std::string>{"Sigmoid", "Tanh"}
                        : std::vector<std::string>{"Tanh"};
    std::vector<std::string> all;
    for (std::int64_t d = 0; d < directions; ++d)
        all.insert(all.end(), one.begin(), one.end());
    return all;
}

base::Result<base::Done> setFunctions(const Call& call, CellPlan& plan) {
    std::vector<std::string> names = defaultNames(call.operation.op, plan.directions);
    plan.functionsEach = names.size() / static_cast<std::size_t>(plan.directions);
    if (const auto* value = call.attributes().find("activations"))
        if (const auto* given = std::get_if<std::vector<std::string>>(value);
            given && !given->empty()) {
            if (given->size() != names.size())
                return call.error("it needs " + std::to_string(names.size()) + " activations.");
            names = *given;
        }
    const auto alphas = call.attributes().numbers("activation_alpha"),
               betas = call.attributes().numbers("activation_beta");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool hasAlpha = alphas && i < alphas->size(), hasBeta = betas && i < betas->size();
        plan.functions.push_back(activation(
            names[i], hasAlpha ? (*alphas)[i] : 0, hasBeta ? (*betas)[i] : 0, hasAlpha, hasBeta));
        if (!plan.functions.back())
            return call.error("its activation \"" + names[i].substr(0, 40) + "\" is unknown.");
    }
    return base::Done{};
}

/// Whether an operand has exactly that shape, or is not there.
bool fits(const Tensor* tensor, const Extents& shape) {
    return !tensor || tensor->shape() == shape;
}

base::Result<base::Done> checkOperands(const Call& call, const CellPlan& plan) {
    const std::int64_t d = plan.directions, h = plan.hidden, g = plan.gates;
    const Extents state = plan.isBatchFirst ? Extents{plan.batch, d, h} : Extents{d, plan.batch, h};
    const bool isSound = fits(call.input(1), {d, g * h, plan.input})
        && fits(call.input(2), {d, g * h, h}) && fits(call.input(3), {d, 2 * g * h})
        && fits(call.input(4), {plan.batch}) && fits(call.input(5), state)
        && (call.operation.op != Op::LSTM
            || (fits(call.input(6), state) && fits(call.input(7), {d, 3 * h})));
    if (!isSound)
        return call.error("the shapes of its weights, biases or states do not fit together.");
    return base::Done{};
}

base::Result<CellPlan> planOf(const Call& call) {
    auto x = call.required(0);
    auto w = call.required(1);
    auto r = call.required(2);
    if (!x || !w || !r)
        return call.error("it needs an input, weights and recurrent weights.");
    if ((*x)->rank() != 3 || (*w)->rank() != 3 || (*r)->rank() != 3)
        return call.error("its input and weights have to have three axes.");
    CellPlan plan;
    plan.gates = call.operation.op == Op::LSTM ? 4 : call.operation.op == Op::GRU ? 3 : 1;
    plan.isBatchFirst = call.attributes().integer("layout", 0) == 1;
    plan.steps = (*x)->shape()[plan.isBatchFirst ? 1 : 0];
    plan.batch = (*x)->shape()[plan.isBatchFirst ? 0 : 1];
    plan.input = (*x)->shape()[2];
    plan.hidden = (*r)->shape()[2];
    plan.clip = call.attributes().number("clip", 0);
    plan.couplesForget = call.attributes().integer("input_forget", 0) != 0;
    plan.isLinearBeforeReset = call.attributes().integer("linear_before_reset", 0) != 0;
    const std::string direction = call.attributes().text("direction", "forward");
    plan.directions = direction == "bidirectional" ? 2 : 1;
    plan.isBackward = {direction == "reverse"};
    if (plan.directions == 2)
        plan.isBackward = {false, true};
    if (plan.hidden > std::int64_t(1) << 40)
        return call.error("its hidden size is not sound.");
    if (auto done = checkOperands(call, plan); !done)
        return done.error();
    if (auto done = setFunctions(call, plan); !done)
        return done.error();
    for (const std::int64_t width : {plan.gates * plan.hidden, plan.directions * plan.hidden})
        if (auto error = call.tooLarge({plan.steps, plan.batch, width}))
            return *std::move(error);
    const Tensor* lengths = call.input(4);
    for (std::int64_t b = 0; b < plan.batch; ++b)
        plan.lengths.push_back(
            lengths ? std::clamp<std::int64_t>(lengths->integer(b), 0, plan.steps) : plan.steps);
    return plan;
}

/// Runs one direction over all steps.
template <typename T> class Direction {
public:
    Direction(const Call& call, const CellPlan& plan, std::int64_t number)
        : m_call(call)
        , m_p(plan)
        , m_number(number)
        , m_storage(call.evaluation.arithmetic
                  ? Rounder(call.evaluation.arithmetic->storage, *call.evaluation.arithmetic)
                  : Rounder())
        , m_width(plan.gates * plan.hidden) { }

    /// Steps × batch × hidden; the states after the last step of each sequence stay in hidden() and
    /// cell().
    base::Result<std::vector<T>> run(const std::vector<T>& x) {
        prepare(x);
        std::vector<T> result(static_cast<std::size_t>(m_p.steps * m_p.batch * m_p.hidden), T(0));
        for (std::int64_t step = 0; step < m_p.steps; ++step) {
            if (auto error = m_call.tooLarge({})) // cancelled
                return *std::move(error);
            multiplyRecurrent(m_hidden, m_recurrent, m_r, m_width);
            for (std::int64_t b = 0; b < m_p.batch; ++b)
                m_rows[static_cast<std::size_t>(b)] = rowOf(step, b);
            advanceStates();
            for (std::int64_t b = 0; b < m_p.batch; ++b)
                if (const std::int64_t at = m_rows[static_cast<std::size_t>(b)]; at >= 0)
                    std::copy_n(m_hidden.begin() + b * m_p.hidden, m_p.hidden,
                        result.begin() + (at * m_p.batch + b) * m_p.hidden);
        }
        return result;
    }
    const std::vector<T>& hidden() const { return m_hidden; }
    const std::vector<T>& cell() const { return m_cell; }

private:
    /// Row of the input that a sequence reads at a step; −1 past its end.
    std::int64_t rowOf(std::int64_t step, std::int64_t b) const {
        const std::int64_t length = m_p.lengths[static_cast<std::size_t>(b)];
        if (step >= length)
            return -1;
        return m_p.isBackward[static_cast<std::size_t>(m_number)] ? length - 1 - step : step;
    }

    std::vector<T> part(std::size_t index, std::int64_t size) const {
        const Tensor* tensor = m_call.input(index);
        if (!tensor)
            return std::vector<T>(static_cast<std::size_t>(size), T(0));
        const auto& list = *tensor->as<T>();
        const auto begin = list.begin() + m_number * size;
        return std::vector<T>(begin, begin + size);
    }
    std::vector<T> state(std::size_t index) const {
        const std::int64_t size = m_p.batch * m_p.hidden;
        const Tensor* tensor = m_call.input(index);
        if (!tensor || !m_p.isBatchFirst)
            return part(index, size);
        return *sliceAt(*tensor, 1, m_number).template as<T>();
    }

    void prepare(const std::vector<T>& x) {
        const std::vector<T> w = part(1, m_width * m_p.input);
        m_r = part(2, m_width * m_p.hidden);
        m_bias = part(3, 2 * m_width);
        m_hidden = state(5);
        if (m_call.operation.op == Op::LSTM) {
            m_cell = state(6);
            m_peephole = part(7, 3 * m_p.hidden);
        }
        m_projected.resize(static_cast<std::size_t>(m_p.steps * m_p.batch * m_width));
        m_recurrent.resize(static_cast<std::size_t>(m_p.batch * m_width));
        m_rows.resize(static_cast<std::size_t>(m_p.batch));
        const ProductPlace origin;
        multiply(m_call.evaluation, x, w, m_projected,
            {m_p.steps * m_p.batch, m_width, m_p.input, false, true}, std::span(&origin, 1));
    }

    void multiplyRecurrent(
        const std::vector<T>& h, std::vector<T>& to, const std::vector<T>& r, std::int64_t width) {
        const ProductPlace origin;
        multiply(m_call.evaluation, h, r, to, {m_p.batch, width, m_p.hidden, false, true},
            std::span(&origin, 1));
    }

    double clipped(double x) const { return m_p.clip > 0 ? std::clamp(x, -m_p.clip, m_p.clip) : x; }
    double apply(std::size_t function, double x) const {
        return m_p.functions[static_cast<std::size_t>(m_number) * m_p.functionsEach + function](
            clipped(x));
    }
    double inputTerm(std::int64_t b, std::int64_t gate, std::int64_t i) const {
        const std::int64_t at = m_rows[static_cast<std::size_t>(b)];
        const std::int64_t column = gate * m_p.hidden + i;
        return static_cast<double>(
                   m_projected[static_cast<std::size_t>((at * m_p.batch + b) * m_width + column)])
            + static_cast<double>(m_bias[static_cast<std::size_t>(column)]);
    }
    double recurrentTerm(std::int64_t b, std::int64_t gate, std::int64_t i) const {
        const std::int64_t column = gate * m_p.hidden + i;
        return static_cast<double>(m_recurrent[static_cast<std::size_t>(b * m_width + column)])
            + static_cast<double>(m_bias[static_cast<std::size_t>(m_width + column)]);
    }
    double sum(std::int64_t b, std::int64_t gate, std::int64_t i) const {
        return inputTerm(b, gate, i) + recurrentTerm(b, gate, i);
    }
    T stored(double x) const { return static_cast<T>(m_storage(x)); }

    void advanceStates() {
        if (m_call.operation.op == Op::GRU) {
            gru();
            return;
        }
        for (std::int64_t b = 0; b < m_p.batch; ++b) {
            if (m_rows[static_cast<std::size_t>(b)] < 0)
                continue;
            for (std::int64_t i = 0; i < m_p.hidden; ++i) {
                if (m_call.operation.op == Op::LSTM)
                    lstm(b, i);
                else
                    m_hidden[static_cast<std::size_t>(b * m_p.hidden + i)] =
                        stored(apply(0, sum(b, 0, i)));
            }
        }
    }

    /// Gates in the order input, output, forget, cell; peepholes input, output, forget.
    void lstm(std::int64_t b, std::int64_t i) {
        const auto at = static_cast<std::size_t>(b * m_p.hidden + i);
        const auto peephole = [&](std::int64_t gate) {
            return static_cast<double>(m_peephole[static_cast<std::size_t>(gate * m_p.hidden + i)]);
        };
        const auto before = static_cast<double>(m_cell[at]);
        const double in = apply(0, sum(b, 0, i) + peephole(0) * before);
        const double forget =
            m_p.couplesForget ? 1 - in : apply(0, sum(b, 2, i) + peephole(2) * before);
        const double now = forget * before + in * apply(1, sum(b, 3, i));
        const double out = apply(0, sum(b, 1, i) + peephole(1) * now);
        m_cell[at] = stored(now);
        m_hidden[at] = stored(out * apply(2, now));
    }

    /// Gates in the order update, reset, hidden.
    void gru() {
        const auto count = static_cast<std::size_t>(m_p.batch * m_p.hidden);
        std::vector<double> update(count), reset(count);
        for (std::int64_t b = 0; b < m_p.batch; ++b)
            for (std::int64_t i = 0; i < m_p.hidden; ++i) {
                if (m_rows[static_cast<std::size_t>(b)] < 0)
                    continue;
                update[static_cast<std::size_t>(b * m_p.hidden + i)] = apply(0, sum(b, 0, i));
                reset[static_cast<std::size_t>(b * m_p.hidden + i)] = apply(0, sum(b, 1, i));
            }
        std::vector<T> inner;
        if (!m_p.isLinearBeforeReset) {
            std::vector<T> held(count);
            inner.resize(count);
            for (std::size_t at = 0; at < count; ++at)
                held[at] = static_cast<T>(reset[at] * static_cast<double>(m_hidden[at]));
            multiplyRecurrent(held, inner,
                std::vector<T>(m_r.begin() + 2 * m_p.hidden * m_p.hidden, m_r.end()), m_p.hidden);
        }
        for (std::int64_t b = 0; b < m_p.batch; ++b)
            for (std::int64_t i = 0; i < m_p.hidden; ++i) {
                const auto at = static_cast<std::size_t>(b * m_p.hidden + i);
                if (m_rows[static_cast<std::size_t>(b)] < 0)
                    continue;
                const auto bias = static_cast<double>(
                    m_bias[static_cast<std::size_t>(m_width + 2 * m_p.hidden + i)]);
                const double recurrent = m_p.isLinearBeforeReset
                    ? reset[at] * recurrentTerm(b, 2, i)
                    : static_cast<double>(inner[at]) + bias;
                const double candidate = apply(1, inputTerm(b, 2, i) + recurrent);
                m_hidden[at] = stored(
                    (1 - update[at]) * candidate + update[at] * static_cast<double>(m_hidden[at]));
            }
    }

    const Call& m_call;
    const CellPlan& m_p;
    std::int64_t m_number;
    Rounder m_storage;
    std::int64_t m_width;
    std::vector<T> m_r, m_bias, m_peephole, m_hidden, m_cell, m_projected, m_recurrent;
    std::vector<std::int64_t> m_rows;
};

Tensor swapped(const Tensor& x, const std::vector<std::size_t>& order, bool swaps) {
    return swaps ? transposed(x, order) : x;
}

template <typename T> Outputs runCell(const Call& call, const CellPlan& plan, const Tensor& x) {
    const ir::DType dtype = x.dtype();
    const Tensor input = swapped(x, {1, 0, 2}, plan.isBatchFirst);
    std::vector<Tensor> all, hidden, cells;
    for (std::int64_t d = 0; d < plan.directions; ++d) {
        Direction<T> direction(call, plan, d);
        auto result = direction.run(*input.as<T>());
        if (!result)
            return result.error();
        const Extents state{plan.batch, plan.hidden};
        all.emplace_back(dtype, Extents{plan.steps, plan.batch, plan.hidden}, *std::move(result));
        hidden.emplace_back(dtype, state, direction.hidden());
        if (call.operation.op == Op::LSTM)
            cells.emplace_back(dtype, state, direction.cell());
    }
    std::vector<Datum> results;
    auto y = stacked(all, 1);
    if (!y)
        return call.error(y.error().message);
    results.emplace_back(swapped(*y, {2, 0, 1, 3}, plan.isBatchFirst));
    for (const auto* states : {&hidden, &cells}) {
        if (states->empty())
            continue;
        auto last = stacked(*states, 0);
        if (!last)
            return call.error(last.error().message);
        results.emplace_back(swapped(*last, {1, 0, 2}, plan.isBatchFirst));
    }
    return results;
}

Outputs recurrent(const Call& call) {
    auto plan = planOf(call);
    if (!plan)
        return plan.error();
    for (const std::size_t index : {0, 1, 2, 3, 5, 6, 7})
        if (const Tensor* operand = call.input(index);
            operand && !operand->as<float>() && !operand->as<double>())
            return call.error("it works on floats, but an operand holds none.");
    const Tensor& x = *call.input(0);
    return x.as<float>() ? runCell<float>(call, *plan, x) : runCell<double>(call, *plan, x);
}

constexpr std::pair<Op, Kernel> kTable[] = {
    {Op::LSTM, recurrent},
    {Op::GRU, recurrent},
    {Op::RNN, recurrent},
};

} // namespace

KernelTable recurrentKernels() {
    return kTable;
}

} // namespace fivefold::numerics
