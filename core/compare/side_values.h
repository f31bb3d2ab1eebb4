// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/compare/divergence.h"

#include <set>

namespace fivefold::compare {

/// The tensors of one side under the model's values: matched, in the model's axis order, read once
/// and kept until they are dropped.
class SideValues {
public:
    SideValues(const Side& side, const ir::Typed& typed);

    const Matching& matching() const { return m_matching; }
    std::size_t repeats() const { return m_side.repeats.size(); }
    const Match* of(ir::ValueId value) const;
    bool has(ir::ValueId value) const { return of(value) != nullptr; }
    /// Undefined where it is not there, has no contents, or cannot be read (said in notes()).
    const numerics::Tensor& tensor(ir::ValueId value, std::size_t repeat = 0);
    /// Declared figures of a dump without contents.
    const DumpEntry* entry(ir::ValueId value) const;
    void drop(ir::ValueId value);
    const std::vector<std::string>& notes() const { return m_notes; }

private:
    numerics::Tensor read(const Match& match, std::size_t repeat);

    Side m_side;
    const ir::Typed& m_typed;
    Matching m_matching;
    base::IdVector<ir::ValueId, std::int32_t> m_index; ///< into matches; −1: none
    std::map<std::pair<ir::ValueId, std::size_t>, numerics::Tensor> m_tensors;
    std::vector<std::string> m_notes;
};

/// Axes reordered: result axis i is axis `axes[i]` of the tensor.
numerics::Tensor transposed(const numerics::Tensor& tensor, const std::vector<std::int64_t>& axes);

/// The coarsest format that holds every element of most of a dump's wide float tensors: a device's
/// results that were widened when they were saved keep their own round-off. Looks at some tensors
/// only, and at none of `skipped` (keys): parameters are often kept wider than results.
numerics::Format formatOfContents(const Dump& dump, const std::set<std::string>& skipped = {});

} // namespace fivefold::compare
