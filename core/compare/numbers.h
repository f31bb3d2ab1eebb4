// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/numerics/tensor.h"

#include <vector>

namespace fivefold::compare {

/// A tensor's elements as doubles: a view where they are carried so, else a copy. The tensor must
/// outlive it.
class Numbers {
public:
    explicit Numbers(const numerics::Tensor& tensor) {
        if (const auto* list = tensor.as<double>()) {
            m_data = list->data();
        } else {
            m_copy = tensor.numbers();
            m_data = m_copy.data();
        }
        m_size = tensor.size();
    }
    Numbers(const Numbers&) = delete;
    Numbers& operator=(const Numbers&) = delete;

    double operator[](std::int64_t at) const { return m_data[at]; }
    std::int64_t size() const { return m_size; }

private:
    std::vector<double> m_copy;
    const double* m_data = nullptr;
    std::int64_t m_size = 0;
};

} // namespace fivefold::compare
