// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fivefold::machines {

/// How a figure is known. Shown beside every figure.
enum class FigureStatus : std::uint8_t {
    Published, ///< in a document of the vendor or a paper, and read there
    Measured, ///< measured by somebody, and published
    Derived, ///< arithmetic on published figures; the formula is in the source
    Estimated, ///< recalled or inferred; shown with "~"
};
std::string_view toString(FigureStatus status);

/// One number of a machine, in base units (bytes, bytes per second, FLOP/s, hertz, watt, seconds,
/// counts). No value: unknown, which is shown as "unknown" and never as 0.
struct Figure {
    std::optional<double> value;
    std::string unit; ///< "B", "B/s", "FLOP/s", "Hz", "W", "s", "1"
    FigureStatus status = FigureStatus::Estimated;
    std::string source; ///< never empty for a known value
    std::string note;

    bool isKnown() const { return value.has_value(); }
    double valueOr(double fallback) const { return value.value_or(fallback); }
    bool operator==(const Figure&) const = default;
};

/// Arithmetic that a machine has a rate for. The order is the one of the pickers.
enum class Precision : std::uint8_t { Fp32, Tf32, Bf16, Fp16, Fp8, Int8, Int4 };
std::string_view toString(Precision precision); ///< "fp32", "tf32", …
std::optional<Precision> parsePrecision(std::string_view text);
/// Bits that one element of the precision takes in memory (tf32 is stored as 32).
int storageBits(Precision precision);
ir::DType storageType(Precision precision);
constexpr Precision kAllPrecisions[] = {Precision::Fp32, Precision::Tf32, Precision::Bf16,
    Precision::Fp16, Precision::Fp8, Precision::Int8, Precision::Int4};

/// Where a memory stands on the way from the arithmetic to the world.
enum class MemoryKind : std::uint8_t {
    Host,
    Device, ///< off-chip memory of the device: HBM, GDDR, LPDDR, MemoryX
    Cache, ///< managed by hardware: L2
    Scratchpad, ///< managed by compiler or kernel: VMEM, LX, PE memory, MEM slices, shared memory
    Registers,
};
std::string_view toString(MemoryKind kind);

struct Memory {
    std::string name; ///< "HBM3", "LX", "VMEM"
    MemoryKind kind = MemoryKind::Device;
    Figure capacity; ///< bytes of one instance
    Figure usable; ///< bytes of one instance that a program may use; unknown = capacity
    Figure bandwidth; ///< bytes per second of one instance
    Figure aggregateBandwidth; ///< bytes per second over all instances; unknown = bandwidth ×
                               ///< instances
    std::int64_t instances = 1; ///< how many there are on the device (one a core, one a PE)
    std::string managedBy; ///< "hardware", "compiler", "kernel"
    std::string scope; ///< "device", "per SM", "per core"
    std::string note;

    std::optional<double> usableBytes() const {
        return usable.isKnown() ? usable.value : capacity.value;
    }
    /// Bytes per second of all instances together.
    std::optional<double> totalBandwidth() const;
};

/// What a unit is there for.
enum class UnitRole {
    Core, ///< holds other units and runs a program of its own: SM, TensorCore, core
    Matrix, ///< multiplies and adds: tensor core, MXU, MXM plane
    Vector, ///< element-wise work and reductions
    Movement, ///< moves and rearranges: SXM, fabric
    Memory, ///< stores: MEM slice
    Control, ///< fetches and issues
    Other,
};
std::string_view toString(UnitRole role); ///< "core", "matrix", …

struct Unit {
    std::string name; ///< "SM", "tensor core", "MXU", "PE", "MXM plane", "core"
    std::string inside; ///< name of the unit that holds it; empty: the device
    UnitRole role = UnitRole::Other;
    Figure count;
    std::string shape; ///< in the vendor's words: "128×128 systolic array"
    /// A systolic array's rows (along k) and columns (along n) of cells, and the elements of n that
    /// a cell holds (unknown: 1).
    Figure rows, columns, lanes;
    std::map<std::string, Figure> figures; ///< rates and sizes of one unit, by key
};

struct Link {
    std::string name;
    Figure bandwidth;
    Figure count;
    Figure latency;
    std::string role; ///< "host", "chip", "fabric"
    std::string direction;
};

/// Notions that every machine has its own word for, in the order in which they are shown.
struct VocabularyEntry {
    std::string_view key; ///< of the JSON: "kernel"
    std::string_view notion; ///< what it means on all: "launched as one"
};
constexpr VocabularyEntry kVocabulary[] = {
    {"kernel", "launched as one"},
    {"work", "one unit's share"},
    {"lanes", "works in step"},
    {"tile", "unit of layout"},
    {"matrix", "multiplies"},
    {"scratchpad", "near memory"},
    {"transfer", "moves data"},
    {"relayout", "changes layout"},
};

/// A published measurement that predictions are compared with.
struct ValidationPoint {
    std::string workload;
    std::string config;
    double value = 0;
    std::string unit;
    std::string kind;
    std::string source;
};

/// A machine generation: data only. What its architecture does stands in core/families.
struct Machine {
    std::string id; ///< "gpu_h100_sxm"
    std::string name; ///< "NVIDIA H100 SXM"
    std::string family; ///< "gpu", "tpu", "cerebras", "groq", "spyre", "cpu"
    std::string generation; ///< the long name with the architecture
    int year = 0;
    std::map<Precision, Figure> peaks; ///< dense FLOP/s (integer precisions: op/s)
    std::vector<Memory> memories; ///< far to near
    std::vector<Unit> units;
    std::vector<Link> links;
    Figure clock;
    Figure power;
    /// Sizes and constants of the family's rules by key ("systolic_rows", "stick_bytes",
    /// "launch_s"). Each family documents the keys it reads in its header.
    std::map<std::string, Figure> parameters;
    /// Small integer tables, e.g. candidate CTA tiles.
    std::map<std::string, std::vector<std::vector<std::int64_t>>> tables;
    std::vector<ValidationPoint> validation;
    std::map<std::string, std::string> vocabulary; ///< key of kVocabulary → the machine's own word
    std::vector<std::string> unpublished; ///< sentences about what is not public
    bool isBaseline = false; ///< the editable reference CPU: not one of the five targets
    std::string path; ///< of the JSON it came from; "resource" for the bundled ones

    const Figure* parameter(std::string_view key) const;
    double parameterOr(std::string_view key, double fallback) const;
    std::optional<double> peak(Precision precision) const;
    /// The default precision of the contract: bf16 on GPU and TPU, fp16 elsewhere; where there is
    /// no rate for it, the first of fp16, fp8, fp32 that has one.
    Precision defaultPrecision() const;
    std::vector<Precision> ratedPrecisions() const;
    const Memory* memory(MemoryKind kind) const; ///< first of the kind, or null
    std::optional<std::size_t> memoryIndex(std::string_view name) const;
};

/// One row of `fivefold-cli machines`: every figure flattened with a dotted name ("peak.bf16",
/// "memory.HBM3.bandwidth").
struct NamedFigure {
    std::string name;
    Figure figure;
};
std::vector<NamedFigure> figures(const Machine& machine);

/// Reads one machine description. Strict: an unknown key, a missing unit, a known value without a
/// source or an unknown family is an Error that names the JSON path.
base::Result<Machine> readMachine(std::string_view json, std::string_view where);
base::Result<Machine> readMachineFile(const std::filesystem::path& path);

/// All bundled machines, in picker order: gpu, tpu, cerebras, groq, spyre, then the baseline;
/// within a family by year. Embedded in the program at build time, so that no file has to be found
/// at run time.
const std::vector<std::shared_ptr<const Machine>>& bundledMachines();
std::shared_ptr<const Machine> findMachine(std::string_view id); ///< null when unknown
/// A bundled machine by id, or the user's own JSON file by path.
base::Result<std::shared_ptr<const Machine>> machineByIdOrFile(const std::string& name);

/// The five families in their fixed order.
constexpr std::string_view kFamilies[] = {"gpu", "tpu", "cerebras", "groq", "spyre"};

} // namespace fivefold::machines
