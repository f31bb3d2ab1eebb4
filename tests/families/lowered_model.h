// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/frontends/reader.h"
#include "core/ir/cost.h"
#include "core/lowering/family.h"
#include "core/lowering/inlining.h"

#include <memory>
#include <string>

/// What the tests of the families share: models built node by node or read from a file, and their
/// lowering.
namespace fivefold::test {

/// Builds a captured graph node by node; shapes and types of results come from inference.
class ModelBuilder {
public:
    ModelBuilder();
    ir::ValueId input(const std::string& name, const std::vector<std::int64_t>& shape,
        ir::DType dtype = ir::DType::Float32);
    ir::ValueId weight(const std::string& name, const std::vector<std::int64_t>& shape,
        ir::DType dtype = ir::DType::Float32);
    ir::ValueId scalar(const std::string& name, double value);
    ir::ValueId integers(const std::string& name, const std::vector<std::int64_t>& values);
    ir::ValueId node(
        ir::Op op, const std::vector<ir::ValueId>& inputs, ir::Attributes attributes = {});
    void output(ir::ValueId value);
    std::shared_ptr<const ir::Graph> finish();

private:
    ir::ValueId constant(const std::string& name, ir::TensorData data);
    std::shared_ptr<ir::Graph> m_graph;
};

/// A model lowered for one machine, with all that the lowering saw.
struct Lowered {
    std::shared_ptr<const ir::Graph> graph;
    std::shared_ptr<const ir::Typed> typed;
    std::shared_ptr<const ir::ModelCost> cost;
    std::shared_ptr<const machines::Machine> machine;
    lowering::Settings settings;
    base::Diagnostics diagnostics;
    lowering::Program program;
    std::string error; ///< empty when all went well

    const lowering::StageGraph& stage(lowering::Stage s) const { return program.stage(s); }
    /// Findings of verify() over all stages, each led by the stage's name.
    std::vector<std::string> findings() const;
};

/// Settings of a family at a precision.
lowering::Settings settingsAt(machines::Precision precision,
    std::map<std::string, std::string> values = {}, bool isFusionOn = true);

Lowered lowerGraph(const lowering::Family& family, std::shared_ptr<const ir::Graph> graph,
    const std::string& machine,
    lowering::Settings settings = settingsAt(machines::Precision::Bf16));
Lowered lowerFile(const lowering::Family& family, const std::string& path,
    const std::string& machine,
    lowering::Settings settings = settingsAt(machines::Precision::Bf16));

/// The sample that every family's tests lower.
const std::string kAttentionBlock = FIVEFOLD_SOURCE_DIR "/samples/attention_block.onnx";

/// Post-grad ATen graphs in the tree, as Inductor prints them; sorted by name.
std::vector<std::string> atenGraphs();

/// One sentence a line.
std::string joined(const std::vector<std::string>& sentences);

/// Kernels of the stage that hold a node of the captured node's.
std::vector<lowering::KernelId> kernelsOf(const lowering::StageGraph& graph, ir::NodeId captured);
ir::NodeId findNode(const ir::Graph& graph, ir::Op op, int number = 0);

/// Sentences about what breaks the rules of every program: times above the roofs, parts that do not
/// add up, buffers outside their lives, overlapping buffers, a schedule that does not end at the
/// sum of its steps. Buffers overlap within one memory only: on the same unit, or where one is on
/// every unit.
std::vector<std::string> violations(const Lowered& lowered);
/// Findings and violations, one sentence a line; empty = sound.
std::string broken(const Lowered& lowered);

} // namespace fivefold::test
