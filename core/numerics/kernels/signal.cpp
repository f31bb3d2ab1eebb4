// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/inference/arithmetic.h"
#include "core/numerics/kernels/operands.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace fivefold::numerics {

namespace {

using ir::Op;
using Spectrum = std::vector<std::complex<double>>;

constexpr double kTwoPi = 6.283185307179586;

/// In place, for a length that is a power of two (Cooley and Tukey).
void radixTwo(Spectrum& values, double sign) {
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
    for (std::size_t length = 2; length <= n; length <<= 1)
        for (std::size_t k = 0; k < length / 2; ++k) {
            const auto turn = std::polar(
                1.0, sign * kTwoPi * static_cast<double>(k) / static_cast<double>(length));
            for (std::size_t start = k; start < n; start += length) {
                const auto odd = values[start + length / 2] * turn;
                values[start + length / 2] = values[start] - odd;
                values[start] += odd;
            }
        }
}

/// Sum over t of x[t]·exp(±2πi·k·t/n), without a factor.
Spectrum transformed(Spectrum values, bool isInverse) {
    const std::size_t n = values.size();
    const double sign = isInverse ? 1 : -1;
    if (n > 0 && (n & (n - 1)) == 0) {
        radixTwo(values, sign);
        return values;
    }
    Spectrum turns(n), result(n);
    for (std::size_t k = 0; k < n; ++k)
        turns[k] = std::polar(1.0, sign * kTwoPi * static_cast<double>(k) / static_cast<double>(n));
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t t = 0; t < n; ++t)
            result[k] += values[t] * turns[k * t % n];
    return result;
}

std::complex<double> complexAt(const Tensor& x, std::int64_t flat, std::int64_t parts) {
    return {x.number(flat * parts), parts == 2 ? x.number(flat * parts + 1) : 0.0};
}

/// DFT: axis as attribute (17) or as input (20); one-sided spectra keep n/2 + 1 bins, and the
/// inverse of one is real.
Outputs dft(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents& from = (*x)->shape();
    if (from.size() < 2 || from.back() < 1 || from.back() > 2)
        return call.error("the last axis must hold one or two parts of a number.");
    const int version = call.operation.version;
    const bool isNew = version == 0 || version >= 20 || call.input(2);
    const std::int64_t wanted = call.input(2) && call.input(2)->size() > 0 ? call.input(2)->integer(0)
        : isNew && !call.attributes().has("axis") ? -2
                                                  : call.attributes().integer("axis", 1);
    const auto axis = axisIn(wanted, from.size());
    if (!axis || *axis + 1 == from.size())
        return badAxis(call, wanted, from.size());
    const bool isInverse = call.attributes().integer("inverse", 0) != 0;
    const bool isOneSided = call.attributes().integer("onesided", 0) != 0;
    const bool isReal = isOneSided && isInverse;
    const std::int64_t parts = from.back();
    const std::int64_t own = from[*axis];
    const std::int64_t length =
        integerOf(call, 1, "dft_length").value_or(isReal ? 2 * (own - 1) : own);
    if (length < 1)
        return call.error("the length of the transform must be 1 or more.");
    const std::int64_t bins = isOneSided && !isInverse ? length / 2 + 1 : length;
    Extents shape = from;
    shape[*axis] = bins;
    shape.back() = isReal ? 1 : 2;
    if (const auto error = call.tooLarge(shape))
        return *error;
    const std::int64_t inner = productOf(from, *axis + 1, from.size() - 1);
    const std::int64_t outer = productOf(from, 0, *axis);
    std::vector<double> values(static_cast<std::size_t>(productOf(shape)));
    for (std::int64_t row = 0; row < outer * inner; ++row) {
        Spectrum line(static_cast<std::size_t>(length));
        const std::int64_t base = row / inner * own * inner + row % inner;
        for (std::int64_t t = 0; t < std::min(own, length); ++t)
            line[static_cast<std::size_t>(t)] = complexAt(**x, base + t * inner, parts);
        if (isReal) // the other half mirrors
            for (std::int64_t t = std::min(own, length / 2 + 1); t < length; ++t)
                line[static_cast<std::size_t>(t)] =
                    std::conj(line[static_cast<std::size_t>(length - t)]);
        const Spectrum result = transformed(std::move(line), isInverse);
        const double factor = isInverse ? 1.0 / static_cast<double>(length) : 1.0;
        for (std::int64_t k = 0; k < bins; ++k) {
            const auto at = static_cast<std::size_t>(
                ((row / inner * bins + k) * inner + row % inner) * shape.back());
            values[at] = result[static_cast<std::size_t>(k)].real() * factor;
            if (!isReal)
                values[at + 1] = result[static_cast<std::size_t>(k)].imag() * factor;
        }
    }
    return one(tensorOf(call, (*x)->dtype(), std::move(shape), std::move(values)));
}

/// STFT-17: (batch, signal, 1 | 2) to (batch, frames, bins, 2).
Outputs stft(const Call& call) {
    const auto x = call.required(0);
    const auto step = integerOf(call, 1, "frame_step");
    if (!x)
        return x.error();
    Extents from = (*x)->shape();
    if (from.size() == 2)
        from.push_back(1);
    const auto window = numbersOf(call, 2);
    const std::int64_t length = integerOf(call, 3, "frame_length")
                                    .value_or(window           ? std::ssize(*window)
                                            : from.size() == 3 ? from[1]
                                                               : 0);
    if (from.size() != 3 || !step || *step < 1 || length < 1 || from.back() < 1 || from.back() > 2
        || (window && std::ssize(*window) != length))
        return call.error("signal, frame step, window and frame length do not fit together.");
    const bool isOneSided = call.attributes().integer("onesided", 1) != 0;
    const std::int64_t bins = isOneSided ? length / 2 + 1 : length;
    const std::int64_t frames = from[1] < length ? 0 : (from[1] - length) / *step + 1;
    const Extents shape{from[0], frames, bins, 2};
    if (const auto error = call.tooLarge(shape))
        return *error;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(productOf(shape)));
    for (std::int64_t frame = 0; frame < from[0] * frames; ++frame) {
        const std::int64_t base = frame / frames * from[1] + frame % frames * *step;
        Spectrum line(static_cast<std::size_t>(length));
        for (std::int64_t t = 0; t < length; ++t)
            line[static_cast<std::size_t>(t)] = complexAt(**x, base + t, from[2])
                * (window ? (*window)[static_cast<std::size_t>(t)] : 1.0);
        const Spectrum result = transformed(std::move(line), false);
        for (std::int64_t k = 0; k < bins; ++k) {
            values.push_back(result[static_cast<std::size_t>(k)].real());
            values.push_back(result[static_cast<std::size_t>(k)].imag());
        }
    }
    return one(tensorOf(call, (*x)->dtype(), shape, std::move(values)));
}

/// MelWeightMatrix-17, as its specification's function computes it.
Outputs melWeights(const Call& call) {
    double operands[5];
    for (std::size_t i = 0; i < 5; ++i) {
        const auto operand = call.required(i);
        if (!operand)
            return operand.error();
        if ((*operand)->size() != 1)
            return call.error("its operands must be scalars.");
        operands[i] = (*operand)->number(0);
    }
    const auto mels = static_cast<std::int64_t>(operands[0]);
    const auto length = static_cast<std::int64_t>(operands[1]);
    if (mels < 1 || length < 1 || !(operands[2] > 0))
        return call.error("bins, transform length and sample rate must be positive.");
    const Extents shape{length / 2 + 1, mels};
    if (const auto error = call.tooLarge(shape))
        return *error;
    const auto melOf = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
    const double low = melOf(operands[3]);
    const double step = (melOf(operands[4]) - low) / static_cast<double>(mels + 2);
    Extents bins;
    for (std::int64_t i = 0; i < mels + 2; ++i) {
        const double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + low) / 2595) - 1);
        bins.push_back(static_cast<std::int64_t>(
            std::floor(static_cast<double>(length + 1) * hertz / operands[2])));
    }
    std::vector<double> values(static_cast<std::size_t>(productOf(shape)), 0.0);
    const auto set = [&](std::int64_t row, std::int64_t column, double value) {
        if (row >= 0 && row < shape[0])
            values[static_cast<std::size_t>(row * mels + column)] = value;
    };
    for (std::int64_t i = 0; i < mels; ++i) {
        const std::int64_t left = bins[static_cast<std::size_t>(i)];
        const std::int64_t centre = bins[static_cast<std::size_t>(i + 1)];
        const std::int64_t right = bins[static_cast<std::size_t>(i + 2)];
        if (left == centre)
            set(centre, i, 1);
        for (std::int64_t j = left; left != centre && j <= centre; ++j)
            set(j, i, static_cast<double>(j - left) / static_cast<double>(centre - left));
        for (std::int64_t j = centre; j < right; ++j)
            set(j, i, static_cast<double>(right - j) / static_cast<double>(right - centre));
    }
    return one(tensorOf(call,
        ir::inference::dtypeAttribute(call.attributes(), "output_datatype", ir::DType::Float32),
        shape, std::move(values)));
}

/// Rows of square matrices: elimination with partial pivoting. `inverse`, where it is wanted,
/// starts as the identity. Returns the determinant.
double eliminate(std::vector<double>& m, std::size_t n, std::vector<double>* inverse) {
    double determinant = 1;
    const auto swapRows = [n](std::vector<double>& a, std::size_t p, std::size_t q) {
        for (std::size_t k = 0; k < n; ++k)
            std::swap(a[p * n + k], a[q * n + k]);
    };
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c + 1; r < n; ++r)
            if (std::abs(m[r * n + c]) > std::abs(m[pivot * n + c]))
                pivot = r;
        if (m[pivot * n + c] == 0)
            return 0;
        if (pivot != c) {
            determinant = -determinant;
            swapRows(m, pivot, c);
            if (inverse)
                swapRows(*inverse, pivot, c);
        }
        determinant *= m[c * n + c];
        for (std::size_t r = inverse ? 0 : c + 1; r < n; ++r) {
            const double factor = r == c ? 0 : m[r * n + c] / m[c * n + c];
            for (std::size_t k = 0; factor != 0 && k < n; ++k) {
                m[r * n + k] -= factor * m[c * n + k];
                if (inverse)
                    (*inverse)[r * n + k] -= factor * (*inverse)[c * n + k];
            }
        }
    }
    for (std::size_t r = 0; inverse && r < n; ++r)
        for (std::size_t k = 0; k < n; ++k)
            (*inverse)[r * n + k] /= m[r * n + r];
    return determinant;
}

/// Det, and Inverse of com.microsoft.
Outputs squareMatrices(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents& from = (*x)->shape();
    if (from.size() < 2 || from.back() != from[from.size() - 2])
        return call.error("it needs square matrices.");
    const auto n = static_cast<std::size_t>(from.back());
    const bool isInverse = call.operation.op == Op::Inverse;
    const Extents shape = isInverse ? from : Extents(from.begin(), from.end() - 2);
    const std::vector<double> all = (*x)->numbers();
    const std::int64_t count = productOf(from, 0, from.size() - 2);
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto begin = all.begin() + i * static_cast<std::int64_t>(n * n);
        std::vector<double> matrix(begin, begin + static_cast<std::ptrdiff_t>(n * n));
        std::vector<double> inverse(isInverse ? n * n : 0, 0.0);
        for (std::size_t d = 0; isInverse && d < n; ++d)
            inverse[d * n + d] = 1;
        const double determinant = eliminate(matrix, n, isInverse ? &inverse : nullptr);
        if (!isInverse)
            values.push_back(determinant);
        else if (determinant == 0)
            return call.error("a matrix has no inverse.");
        else
            values.insert(values.end(), inverse.begin(), inverse.end());
    }
    return one(tensorOf(call, (*x)->dtype(), shape, std::move(values)));
}

/// Losses over (N, C, rest…): −weight[t]·logProbability[n, t, …], reduced.
Outputs loss(const Call& call, const Tensor& logs, std::vector<double> numbers) {
    const auto target = call.required(1);
    if (!target)
        return target.error();
    const Extents& from = logs.shape();
    if (from.size() < 2
        || (*target)->size() != productOf(from) / std::max<std::int64_t>(1, from[1]))
        return call.error("scores and labels do not fit together.");
    const auto weights = numbersOf(call, 2);
    const std::int64_t classes = from[1], inner = productOf(from, 2);
    if (weights && std::ssize(*weights) != classes)
        return call.error("it needs one weight for each class.");
    const bool ignores = call.attributes().has("ignore_index");
    const std::int64_t ignored = call.attributes().integer("ignore_index", 0);
    std::vector<double> losses;
    double sum = 0, weightSum = 0;
    for (std::int64_t i = 0; i < (*target)->size(); ++i) {
        const std::int64_t label = (*target)->integer(i);
        if (ignores && label == ignored) {
            losses.push_back(0);
            continue;
        }
        if (label < 0 || label >= classes)
            return call.error("label " + std::to_string(label) + " is outside "
                + std::to_string(classes) + " classes.");
        const double weight = weights ? (*weights)[static_cast<std::size_t>(label)] : 1;
        const std::int64_t at = (i / inner * classes + label) * inner + i % inner;
        losses.push_back(-weight * numbers[static_cast<std::size_t>(at)]);
        sum += losses.back();
        weightSum += weight;
    }
    const std::string reduction = call.attributes().text("reduction", "mean");
    if (reduction == "none")
        return one(tensorOf(call, logs.dtype(), (*target)->shape(), std::move(losses)));
    return one(tensorOf(call, logs.dtype(), {}, {reduction == "sum" ? sum : sum / weightSum}));
}

Outputs negativeLogLikelihood(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    return loss(call, **x, (*x)->numbers());
}

Outputs softmaxCrossEntropy(const Call& call) {
    const auto x = call.required(0);
    if (!x)
        return x.error();
    const Extents& from = (*x)->shape();
    if (from.size() < 2)
        return call.error("scores need a batch and classes.");
    std::vector<double> logs = (*x)->numbers();
    const std::int64_t classes = from[1], inner = productOf(from, 2);
    for (std::int64_t row = 0; row < from[0] * inner; ++row) {
        double* base = logs.data() + row / inner * classes * inner + row % inner;
        double largest = -INFINITY, sum = 0;
        for (std::int64_t c = 0; c < classes; ++c)
            largest = std::max(largest, base[c * inner]);
        for (std::int64_t c = 0; c < classes; ++c)
            sum += std::exp(base[c * inner] - largest);
        for (std::int64_t c = 0; c < classes; ++c)
            base[c * inner] -= largest + std::log(sum);
    }
    auto result = loss(call, **x, logs);
    if (result && call.operation.outputs > 1)
        result->emplace_back(tensorOf(call, (*x)->dtype(), from, std::move(logs)));
    return result;
}

} // namespace

KernelTable signalKernels() {
    static const std::pair<Op, Kernel> table[] = {{Op::DFT, dft}, {Op::STFT, stft},
        {Op::MelWeightMatrix, melWeights}, {Op::Det, squareMatrices}, {Op::Inverse, squareMatrices},
        {Op::NegativeLogLikelihoodLoss, negativeLogLikelihood},
        {Op::SoftmaxCrossEntropyLoss, softmaxCrossEntropy}};
    return table;
}

} // namespace fivefold::numerics
