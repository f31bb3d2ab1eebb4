// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/ir/element_codec.h"
#include "core/numerics/format.h"

#include <QTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace fivefold;
using numerics::Format;
using numerics::Rounding;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// DLFloat16 by its definition: sign, 6 bits of exponent with bias 31, 9 of fraction.
double decodeDlFloat(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & 0x7FFF;
    if (magnitude == 0x7FFF)
        return std::numeric_limits<double>::quiet_NaN();
    const double value = magnitude == 0
        ? 0
        : std::ldexp(512.0 + (magnitude & 511), static_cast<int>(magnitude >> 9) - 31 - 9);
    return bits & 0x8000 ? -value : value;
}

/// Finite values of a small format in ascending order, from all of its patterns.
std::vector<double> valuesOf(Format format) {
    std::vector<double> result;
    const int bits = numerics::facts(format).bits;
    for (std::uint32_t pattern = 0; pattern < 1U << bits; ++pattern) {
        const double value = format == Format::DlFloat16 ? decodeDlFloat(pattern)
            : format == Format::Fp16    ? ir::decodeSmallFloat(ir::DType::Float16, pattern)
            : format == Format::Bf16    ? ir::decodeSmallFloat(ir::DType::BFloat16, pattern)
            : format == Format::Fp8E4M3 ? ir::decodeSmallFloat(ir::DType::Float8E4M3FN, pattern)
                                        : ir::decodeSmallFloat(ir::DType::Float8E5M2, pattern);
        if (std::isfinite(value))
            result.push_back(value);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

const Format kSmall[] = {
    Format::Bf16, Format::Fp16, Format::DlFloat16, Format::Fp8E4M3, Format::Fp8E5M2};

double fp32(double value) {
    return static_cast<double>(static_cast<float>(value));
}

double rounded(double value, Format format) {
    return numerics::round(value, format);
}

class FormatTest : public QObject {
    Q_OBJECT

private slots:
    void names() {
        for (int i = 0; i < 10; ++i) {
            const auto format = static_cast<Format>(i);
            QVERIFY(numerics::parseFormat(numerics::toString(format)) == format);
        }
        QVERIFY(!numerics::parseFormat("fp12"));
        QVERIFY(numerics::formatOf(ir::DType::UInt8) == Format::Fp64); // 255 has to stay
    }

    void factsOfTheTable() {
        // debugging.md section 1.3.
        QCOMPARE(numerics::facts(Format::Fp16).largest, 65504.0);
        QCOMPARE(numerics::facts(Format::Fp8E4M3).largest, 448.0);
        QCOMPARE(numerics::facts(Format::Fp8E5M2).largest, 57344.0);
        QCOMPARE(numerics::facts(Format::Fp32).largest, double(std::numeric_limits<float>::max()));
        QVERIFY(numerics::facts(Format::DlFloat16).largest > 65504);
        QCOMPARE(numerics::facts(Format::DlFloat16).unitRoundoff, std::ldexp(1.0, -10));
        QCOMPARE(numerics::facts(Format::Fp64).largest, std::numeric_limits<double>::max());
        QCOMPARE(numerics::facts(Format::Fp64).smallestNormal, std::numeric_limits<double>::min());
    }

    void stopsCountingOnes_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<double>("stop");
        QTest::newRow("fp16") << int(Format::Fp16) << 2048.0;
        QTest::newRow("dlfloat16") << int(Format::DlFloat16) << 1024.0;
        QTest::newRow("bf16") << int(Format::Bf16) << 256.0;
        QTest::newRow("e4m3") << int(Format::Fp8E4M3) << 16.0;
        QTest::newRow("e5m2") << int(Format::Fp8E5M2) << 8.0;
    }
    void stopsCountingOnes() {
        QFETCH(int, format);
        QFETCH(double, stop);
        double sum = 0;
        for (int i = 0; i < 4096; ++i)
            sum = rounded(sum + 1, static_cast<Format>(format));
        QCOMPARE(sum, stop);
        QCOMPARE(rounded(std::ldexp(1.0, 24) + 1, Format::Fp32), std::ldexp(1.0, 24));
    }

    void everyPatternIsItself() {
        for (const Format format : kSmall) {
            const std::vector<double> values = valuesOf(format);
            QCOMPARE(values.back(), numerics::facts(format).largest);
            const auto above = std::upper_bound(values.begin(), values.end(), 0.0);
            if (!numerics::facts(format).hasSubnormals)
                QCOMPARE(*above, numerics::facts(format).smallestNormal);
            for (const double value : values) {
                QCOMPARE(rounded(value, format), value);
                QCOMPARE(numerics::round(value, format, Rounding::TowardZero), value);
            }
        }
    }

    /// Between each two neighbours: quarters go to the nearer, the middle to the even one,
    /// truncation inwards; the distance in units is the count.
    void everyGapIsHalved() {
        for (const Format format : kSmall) {
            const std::vector<double> values = valuesOf(format);
            const auto zero = std::find(values.begin(), values.end(), 0.0) - values.begin();
            for (std::size_t i = static_cast<std::size_t>(zero); i + 1 < values.size(); ++i) {
                const double low = values[i];
                const double high = values[i + 1];
                const double gap = high - low;
                QCOMPARE(rounded(low + gap / 4, format), low);
                QCOMPARE(rounded(-(low + gap * 3 / 4), format), -high);
                const bool isEven = (static_cast<std::ptrdiff_t>(i) - zero) % 2 == 0;
                const double middle = low + gap / 2;
                if (format != Format::DlFloat16 || middle != 65504)
                    QCOMPARE(rounded(middle, format), isEven ? low : high);
                QCOMPARE(numerics::round(-(low + gap * 3 / 4), format, Rounding::TowardZero), -low);
                QCOMPARE(numerics::ulpDistance(low, high, format), std::int64_t(1));
                QCOMPARE(numerics::ulpDistance(-high, high, format),
                    2 * (static_cast<std::int64_t>(i) + 1 - zero));
                QCOMPARE(numerics::ulp(low, format), gap);
            }
        }
    }

    void singleIsTheProcessors() {
        std::uint64_t state = 1;
        for (int i = 0; i < 200000; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const double value = std::bit_cast<double>(state);
            if (std::isfinite(value))
                QCOMPARE(rounded(value, Format::Fp32), fp32(value));
            const double near = std::ldexp(double(std::int32_t(state >> 32)), -140 - (i % 20));
            QCOMPARE(rounded(near, Format::Fp32), fp32(near));
        }
    }

    void beyondTheLargest() {
        QCOMPARE(rounded(65520, Format::Fp16), kInfinity);
        QCOMPARE(rounded(65519, Format::Fp16), 65504.0);
        QCOMPARE(rounded(-1e9, Format::Fp8E4M3), -448.0);
        QCOMPARE(rounded(kInfinity, Format::Fp8E4M3), 448.0);
        QCOMPARE(rounded(61440, Format::Fp8E5M2), kInfinity);
        QVERIFY(std::isnan(rounded(1e10, Format::DlFloat16)));
        QVERIFY(std::isnan(rounded(-kInfinity, Format::DlFloat16)));
        QCOMPARE(numerics::round(1e6, Format::Fp16, Rounding::TowardZero), 65504.0);
        QCOMPARE(rounded(200, Format::Int8), 127.0);
        QCOMPARE(rounded(-200, Format::Int8), -128.0);
        QCOMPARE(rounded(2.5, Format::Int4), 2.0);
        QVERIFY(std::isnan(rounded(std::nan(""), Format::Fp8E4M3)));
        QCOMPARE(rounded(3.4e38, Format::Bf16), kInfinity);
    }

    void distances() {
        QVERIFY(!numerics::ulpDistance(std::nan(""), 1, Format::Fp16));
        QCOMPARE(numerics::ulpDistance(std::nan(""), std::nan(""), Format::Fp16), std::int64_t(0));
        QCOMPARE(numerics::ulpDistance(65504, kInfinity, Format::Fp16), std::int64_t(1));
        QCOMPARE(numerics::ulpDistance(448, kInfinity, Format::Fp8E4M3), std::int64_t(1));
        QCOMPARE(numerics::ulpDistance(0.0, -0.0, Format::Fp64), std::int64_t(0));
        QCOMPARE(
            numerics::ulpDistance(1.0, std::nextafter(1.0, 2.0), Format::Fp64), std::int64_t(1));
        QCOMPARE(numerics::ulpDistance(-kInfinity, kInfinity, Format::Fp64),
            std::numeric_limits<std::int64_t>::max());
        QCOMPARE(numerics::ulpDistance(-3, 4, Format::Int8), std::int64_t(7));
    }

    void publicReports() {
        // O09, torch-spyre 2516: full(-65504) came back as infinity; the corrected chain gives
        // the neighbour inside.
        QCOMPARE(rounded(-65504, Format::DlFloat16), -65472.0);
        QCOMPARE(rounded(65504, Format::DlFloat16), 65472.0);
        QCOMPARE(rounded(65505, Format::DlFloat16), 65536.0);
        // O23, pytorch 126848: flushed or kept.
        const double product = 0.1875 * std::ldexp(1.0, -124);
        QCOMPARE(float(rounded(product, Format::Fp32)), 8.8162076e-39F);
        QCOMPARE(numerics::round(product, Format::Fp32, Rounding::NearestEven, true), 0.0);
        // O24, pytorch 2391: a sum in half.
        double sum = 0;
        for (const double term :
            {32000., 32000., 32000., 32000., -32000., -32000., -32000., -32000.})
            sum = rounded(sum + term, Format::Fp16);
        QCOMPARE(sum, kInfinity);
        // O29, openxla 41579: one product left unrounded.
        const double a = fp32(1e20);
        const double b = fp32(1e10);
        const double exact = a * b; // 48 bits: exact
        QCOMPARE(rounded(exact - rounded(exact, Format::Fp32), Format::Fp32),
            rounded(std::fma(a, b, -fp32(exact)), Format::Fp32));
        QCOMPARE(std::abs(rounded(exact - rounded(exact, Format::Fp32), Format::Fp32)),
            4.993411122843311e21);
        QCOMPARE(rounded(fp32(exact) - fp32(exact), Format::Fp32), 0.0);
    }

    void policies() {
        for (const auto& machine : machines::bundledMachines()) {
            for (const machines::Precision precision : machines::kAllPrecisions) {
                const numerics::Arithmetic arithmetic = numerics::arithmeticOf(*machine, precision);
                QVERIFY(!arithmetic.policy.empty() && !arithmetic.source.empty());
                QVERIFY(!arithmetic.isExact());
            }
        }
        const auto spyre =
            numerics::arithmeticOf(*machines::findMachine("spyre"), machines::Precision::Fp16);
        QVERIFY(spyre.storage == Format::DlFloat16);
        const auto tpu =
            numerics::arithmeticOf(*machines::findMachine("tpu_v5e"), machines::Precision::Fp32);
        QVERIFY(tpu.multiply == Format::Bf16 && tpu.storage == Format::Fp32);
    }
};

} // namespace

QTEST_APPLESS_MAIN(FormatTest)
#include "test_format.moc"
