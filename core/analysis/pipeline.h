// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/analysis/result.h"
#include "core/base/progress.h"

#include <filesystem>
#include <mutex>

namespace fivefold::analysis {

/// The families, in the fixed order gpu, tpu, cerebras, groq, spyre, cpu: the one place that knows
/// them all.
const std::vector<const lowering::Family*>& families();
const lowering::Family* findFamily(std::string_view id);

/// Checks `--set key=value` against what the machine's family declares: an unknown key, a value out of range or not among
/// the choices is an Error that lists what is possible.
base::Result<base::Done> checkSetting(
    const machines::Machine& machine, const std::string& key, const std::string& value);

/// Opens a model file of any known format.
base::Result<std::shared_ptr<const Model>> openModel(
    const std::filesystem::path& path, const base::Progress& progress = {});

/// A model of a graph, with its symbolic types.
std::shared_ptr<const Model> modelOf(std::shared_ptr<const ir::Graph> graph,
    base::Diagnostics diagnostics, const base::Progress& progress = {});

/// Inference and costs depend on the bindings alone: kept for the last few requests, so that five
/// machines share them. Thread-safe.
class TypedCache {
public:
    struct Entry {
        std::shared_ptr<const ir::Typed> typed;
        std::shared_ptr<const ir::ModelCost> cost;
        base::Diagnostics diagnostics;
    };
    base::Result<std::shared_ptr<const Entry>> get(const std::shared_ptr<const Model>& model,
        const ir::Bindings& bindings, const base::Progress& progress);

private:
    struct Slot {
        std::weak_ptr<const Model> model;
        ir::Bindings bindings;
        std::shared_ptr<const Entry> entry;
    };
    std::mutex m_mutex;
    std::vector<Slot> m_slots; ///< most recent last
};

/// Lowers the model for the machine and derives everything a panel needs. A precision without a
/// rate on the machine is an Error that lists those that have one.
base::Result<std::shared_ptr<const Result>> analyze(
    const Request& request, const base::Progress& progress = {}, TypedCache* cache = nullptr);

} // namespace fivefold::analysis
