// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/families/spyre/index.h"
#include "core/lowering/stage_graph.h"

#include <boost/container/small_vector.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// The loop-level program that the compiler's passes work on: one operation a buffer, as Inductor's
/// IR has it (torch/_inductor/ir.py: ComputedBuffer, dependencies.py: MemoryDep). Views are not in
/// it: they are in the operands' index expressions. Plain data.
namespace fivefold::families::spyre {

using BufferIndex = std::size_t;
constexpr BufferIndex kNoBuffer = static_cast<BufferIndex>(-1);

/// Element order inside sticks (torch-spyre docs/source/compiler/element_arrangement.md).
enum class Arrangement : std::uint8_t { Standard, Dl16ToFp32, Fp32ToDl16, Exx2, Qfp8ch };
std::string_view toString(Arrangement arrangement); ///< "STANDARD", "DL16_TO_FP32", …

/// The compiler's SpyreTensorLayout. Device memory is row-major over deviceSize; the last axis is
/// the stick's lanes.
struct DeviceLayout {
    std::vector<std::int64_t> deviceSize;
    std::vector<std::int64_t> strideMap; ///< host elements per +1 on the axis; −1 = none
    Arrangement arrangement = Arrangement::Standard;

    std::int64_t lanes() const { return deviceSize.empty() ? 1 : deviceSize.back(); }
    std::int64_t elements() const; ///< product of deviceSize
    std::int64_t bytes() const; ///< 128 × sticks
    bool operator==(const DeviceLayout&) const = default;
};

enum class BufferRole : std::uint8_t {
    Input, ///< argument of the graph: input or weight
    Constant, ///< one element that the host fills (spyre.constant)
    Intermediate, ///< written by operations of the program
};

enum class MemorySpace : std::uint8_t { Unplaced, Lx, HbmPool, Hbm };
std::string_view toString(MemorySpace space); ///< "lx", "hbm_pool", "hbm", ""

struct Buffer {
    std::string name;
    lowering::ValueId value; ///< of the stage graph the program was read from; invalid: added since
    ir::DType dtype = ir::DType::Float16;
    std::vector<std::int64_t> shape; ///< host extents
    std::vector<std::int64_t> strides; ///< host strides, in elements
    BufferRole role = BufferRole::Intermediate;
    bool isOutput = false; ///< of the whole graph, itself or through a view
    bool isOutputThroughView = false;
    DeviceLayout layout; ///< empty deviceSize until layouts are chosen
    // Filled by placement:
    MemorySpace space = MemorySpace::Unplaced;
    std::int64_t address = 0; ///< byte offset in LX or in the pool, kernel argument for Hbm
    std::string reason; ///< why it is there and not in LX; a sentence
    /// Where the user wants it: true LX, false LPDDR5.
    std::optional<bool> wantsLx;
    bool isSpilled = false; ///< LX was allowed, but there was no room
    std::int64_t lxBytes = 0; ///< a core, where it lies in LX
    BufferIndex inPlaceOf = kNoBuffer; ///< whose LX slot it takes over when that one dies
};

/// One read or write. `index` is the element of the buffer's storage, over the operation's loops.
struct Access {
    BufferIndex buffer = kNoBuffer;
    Index index;
    /// Loop whose value comes from memory (a gather): its index into the loops, −1 none. Such a
    /// loop has no extent of its own in the iteration space.
    int indirectVariable = -1;
    bool operator==(const Access&) const = default;
};

enum class LoopKind : std::uint8_t {
    Pointwise,
    Reduction, ///< matrix products and top-k, too
    Restickify, ///< a copy from one stick dimension to another
    Fallback, ///< runs on the host
    Constant, ///< the host fills one element
    Alloc, ///< target of a concatenation or pad; writes nothing
};
std::string_view toString(LoopKind kind); ///< words of the JSON report

struct Loop {
    std::int64_t extent = 1;
    bool isReduced = false;
    bool isIndirect = false; ///< an index that a gather reads: no loop of its own in an OpSpec
    std::int64_t split = 1; ///< over the cores
};

/// Why an operation is in the program.
enum class LoopOrigin : std::uint8_t { Model, Restickify, Pad, BoundaryCopy, LxRelayout };

struct LoopOp {
    std::string op; ///< backend word: "batchmatmul", "realdiv", "identity", "ReStickifyOpHBM"
    LoopKind kind = LoopKind::Pointwise;
    LoopOrigin origin = LoopOrigin::Model;
    /// ATen and Spyre operators that it came from ("aten.mm.default"), the operator itself first,
    /// then the views that its operands read through.
    std::vector<std::string> aten;
    /// Name that the scratchpad's rules know the result by, where it is not atenName(): that of the
    /// last operator that hands on this very buffer ("expand" after aten.expand to the same shape,
    /// "copy_" after a spyre.copy_ that needs no operation of its own). Inductor renames a buffer's
    /// origin with each of them.
    std::string residencyName;
    lowering::NodeId node; ///< of the stage graph; invalid: added since
    /// Output loops first, one a host dimension of the result, then the reduced ones, then those
    /// that a gather reads: d0, d1, … before scheduling. Extents of 1 are not loops.
    std::vector<Loop> loops;
    std::vector<int> emitted; ///< loops in the order in which the compiler emits them: c0, c1, …
    std::vector<Access> reads; ///< operands in order
    Access write;
    std::vector<BufferIndex> otherWrites; ///< further results of a host operator
    bool isMutation = false; ///< writes into a buffer that another operation allocates
    std::int64_t bundle = -1; ///< −1: not in a bundle (host, constant, allocation)
    std::int64_t cores = 1; ///< product of the splits
    bool hasDivisionHint = false; ///< the decomposition fixed its division (attention)

    bool isMatmul() const { return op == "batchmatmul"; }
    bool isTopK() const { return op == "topkvalue" || op == "topkindex"; }
    bool isGather() const;
    std::vector<std::int64_t> extents() const; ///< one a loop
    /// "mm" of "aten.mm.default": the name the scratchpad's allow-list goes by. Empty where the
    /// compiler added the operation.
    std::string_view atenName() const;
    /// Operands of layout rules: each (buffer, index) once, without one-element constants.
    std::vector<Access> operands(const std::vector<Buffer>& buffers) const;
};

struct LoopProgram {
    std::vector<Buffer> buffers;
    std::vector<LoopOp> ops; ///< program order
    std::vector<BufferIndex> inputs; ///< in the graph's order
    std::vector<BufferIndex> outputs;
    /// Stored value → buffer; kNoBuffer for views and values that nobody stores.
    std::vector<BufferIndex> bufferOfValue;
};

/// What the reader needs to know of a graph input or output beyond its shape: the host strides that
/// the file states; empty where it states none.
using StridesOf = std::function<std::vector<std::int64_t>(lowering::ValueId)>;

/// Where the host strides of results come from: chosen as Inductor chooses them (before layouts),
/// or as that choice left them on the nodes (kStridesAttribute; contiguous where they have none).
enum class HostStrides : std::uint8_t { Choose, Stated };

/// The loops of a lowered graph (decomposed or later): one operation a node that is no view.
/// Layouts are those of the values, where they have one. O(nodes + edges).
///
/// Inductor decides the order of a result's dimensions late, by the strides that its operands have
/// at that moment (torch/_inductor/ir.py, FlexibleLayout, get_fill_order): when a view of it is
/// made, when a pointwise operator broadcasts it, when a small reduction or the host reads it, else
/// after the whole graph. Until then it counts as contiguous.
LoopProgram readLoops(const lowering::StageGraph& graph, const StridesOf& stridesOf,
    HostStrides hostStrides = HostStrides::Stated);

/// Index expression of the element `at` of a value, in the storage behind it.
Access addressOf(const lowering::StageGraph& graph, const LoopProgram& program,
    lowering::ValueId value, std::vector<Index> at, const std::vector<std::int64_t>& extents);

/// Attributes of nodes that the decomposition leaves for the loops.
constexpr const char* kAtenAttribute = "spyre.aten"; ///< "aten.mm.default"
/// A node that writes a part of a tensor: which input is the tensor so far (−1: it is the first
/// part, and allocates), which is the part, where it goes, and the whole shape.
constexpr const char* kIntoAttribute = "spyre.into";
constexpr const char* kPartAttribute = "spyre.part";
constexpr const char* kOffsetsAttribute = "spyre.offsets";
constexpr const char* kWholeAttribute = "spyre.whole";
/// Host strides of the result where it is not contiguous.
constexpr const char* kStridesAttribute = "spyre.host_strides";
/// Name of an operator that hands on the node's result: LoopOp::residencyName.
constexpr const char* kHandedOnAttribute = "spyre.handed_on";
constexpr const char* kHintAttribute = "spyre.division_hint"; ///< 1: see hasDivisionHint
constexpr const char* kSquareAttribute = "spyre.square"; ///< 1: reads its first operand twice

/// One device coordinate: offset + Σ numerator × ((variable mod modulus) / divisor), as the OpSpec
/// prints it ("floor(c1/64) + 12").
struct CoordinateTerm {
    int variable = 0;
    std::int64_t numerator = 1;
    std::int64_t modulus = 0; ///< 0: none
    std::int64_t divisor = 1;
    bool operator==(const CoordinateTerm&) const = default;
};
struct Coordinate {
    std::int64_t offset = 0;
    boost::container::small_vector<CoordinateTerm, 2> terms;
    bool uses(int variable) const;
    bool isZero() const { return offset == 0 && terms.empty(); }
    bool isVariable() const; ///< one loop, nothing else
    int onlyVariable() const; ///< −1: none, or several
    bool operator==(const Coordinate&) const = default;
    std::string text(char letter = 'd') const;
};

/// Coordinates of an access in a space of extents and strides (host or device; strides ≤ 0 are
/// skipped): which part of each loop moves along which axis (torch-spyre views.py,
/// compute_coordinates). nullopt where the index does not come apart that way.
std::optional<std::vector<Coordinate>> coordinatesOf(const std::vector<std::int64_t>& size,
    const std::vector<std::int64_t>& stride, const std::vector<std::int64_t>& extents,
    const Index& index);

} // namespace fivefold::families::spyre
