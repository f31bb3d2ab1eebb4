// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/dumps/listing.h"

namespace fivefold::compare::dumps {

/// What a pickle builds, as data: nothing of it is ever executed. Values refer to others by their
/// index in Pickle::values, so that a pickle that refers to itself is harmless.
struct PickleValue {
    enum class Kind : std::uint8_t {
        None,
        Boolean,
        Integer,
        Real,
        Text,
        Bytes,
        Tuple,
        List,
        Dict, ///< Dict: keys and values in turn; an OrderedDict too
        Global, ///< one of the allowed names
        Storage, ///< items: none; see below
        Tensor,
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0; ///< Storage: number of elements; Tensor: offset in elements
    double real = 0;
    ir::DType dtype = ir::DType::Undefined; ///< of a storage or a tensor
    std::string text; ///< Text, Bytes, Global "module name"; Storage: its key
    std::vector<std::uint32_t> items;
    // Of a tensor:
    std::uint32_t storage = 0;
    std::vector<std::int64_t> shape, strides;
};

struct Pickle {
    std::vector<PickleValue> values;
    std::uint32_t root = 0;
};

/// Runs the opcodes of PyTorch's `data.pkl` over data alone. Names that may occur:
/// `torch._utils._rebuild_tensor_v2`, `torch._utils._rebuild_parameter`, `collections.OrderedDict`
/// and `torch.*Storage`; calls of nothing else. Any other name or opcode, BUILD included, is an
/// Error that says so. Bounded by the limits of pickles.
base::Result<Pickle> readPickle(
    std::span<const std::byte> bytes, const DumpLimits& limits, const std::string& where);

} // namespace fivefold::compare::dumps
