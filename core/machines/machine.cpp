// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/machines/machine.h"

namespace fivefold::machines {

std::string_view toString(FigureStatus status) {
    switch (status) {
    case FigureStatus::Published:
        return "published";
    case FigureStatus::Measured:
        return "measured";
    case FigureStatus::Derived:
        return "derived";
    case FigureStatus::Estimated:
        return "estimated";
    }
    return "estimated";
}

std::string_view toString(Precision precision) {
    switch (precision) {
    case Precision::Fp32:
        return "fp32";
    case Precision::Tf32:
        return "tf32";
    case Precision::Bf16:
        return "bf16";
    case Precision::Fp16:
        return "fp16";
    case Precision::Fp8:
        return "fp8";
    case Precision::Int8:
        return "int8";
    case Precision::Int4:
        return "int4";
    }
    return "fp32";
}

std::optional<Precision> parsePrecision(std::string_view text) {
    for (const Precision precision : kAllPrecisions) {
        if (text == toString(precision))
            return precision;
    }
    return std::nullopt;
}

int storageBits(Precision precision) {
    return ir::bitWidth(storageType(precision));
}

ir::DType storageType(Precision precision) {
    switch (precision) {
    case Precision::Fp32:
    case Precision::Tf32:
        return ir::DType::Float32;
    case Precision::Bf16:
        return ir::DType::BFloat16;
    case Precision::Fp16:
        return ir::DType::Float16;
    case Precision::Fp8:
        return ir::DType::Float8E4M3FN;
    case Precision::Int8:
        return ir::DType::Int8;
    case Precision::Int4:
        return ir::DType::Int4;
    }
    return ir::DType::Float32;
}

std::string_view toString(UnitRole role) {
    switch (role) {
    case UnitRole::Core:
        return "core";
    case UnitRole::Matrix:
        return "matrix";
    case UnitRole::Vector:
        return "vector";
    case UnitRole::Movement:
        return "movement";
    case UnitRole::Memory:
        return "memory";
    case UnitRole::Control:
        return "control";
    case UnitRole::Other:
        break;
    }
    return "other";
}

std::string_view toString(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::Host:
        return "host";
    case MemoryKind::Device:
        return "device";
    case MemoryKind::Cache:
        return "cache";
    case MemoryKind::Scratchpad:
        return "scratchpad";
    case MemoryKind::Registers:
        return "registers";
    }
    return "device";
}

std::optional<double> Memory::totalBandwidth() const {
    if (aggregateBandwidth.isKnown())
        return aggregateBandwidth.value;
    if (bandwidth.isKnown())
        return *bandwidth.value * static_cast<double>(instances);
    return std::nullopt;
}

const Figure* Machine::parameter(std::string_view key) const {
    const auto found = parameters.find(std::string(key));
    return found == parameters.end() ? nullptr : &found->second;
}

double Machine::parameterOr(std::string_view key, double fallback) const {
    const Figure* figure = parameter(key);
    return figure ? figure->valueOr(fallback) : fallback;
}

std::optional<double> Machine::peak(Precision precision) const {
    const auto found = peaks.find(precision);
    return found == peaks.end() ? std::nullopt : found->second.value;
}

Precision Machine::defaultPrecision() const {
    const Precision wanted = family == "gpu" || family == "tpu" ? Precision::Bf16 : Precision::Fp16;
    for (const Precision precision : {wanted, Precision::Fp16, Precision::Fp8, Precision::Fp32}) {
        if (peak(precision))
            return precision;
    }
    const auto rated = ratedPrecisions();
    return rated.empty() ? wanted : rated.front();
}

std::vector<Precision> Machine::ratedPrecisions() const {
    std::vector<Precision> rated;
    for (const Precision precision : kAllPrecisions) {
        if (peak(precision))
            rated.push_back(precision);
    }
    return rated;
}

const Memory* Machine::memory(MemoryKind kind) const {
    for (const Memory& memory : memories) {
        if (memory.kind == kind)
            return &memory;
    }
    return nullptr;
}

std::optional<std::size_t> Machine::memoryIndex(std::string_view memoryName) const {
    for (std::size_t i = 0; i < memories.size(); ++i) {
        if (memories[i].name == memoryName)
            return i;
    }
    return std::nullopt;
}

} // namespace fivefold::machines
