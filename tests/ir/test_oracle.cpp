// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/reader.h"
#include "core/ir/inference.h"

#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <QDirIterator>
#include <QTest>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <string>

using namespace fivefold;
using ir::ValueKind;

namespace {

/// Where Debian's libonnx-testdata puts the ONNX project's backend tests.
constexpr const char* kDebianTests = "/usr/share/libonnx-testdata";

QStringList modelsUnder(const QString& folder) {
    QStringList models;
    QDirIterator files(folder, {"*.onnx"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        models << files.next();
    std::sort(models.begin(), models.end());
    return models;
}

void forgetDeclared(onnx::GraphProto& graph) {
    graph.clear_value_info();
    for (onnx::ValueInfoProto& output : *graph.mutable_output())
        output.clear_type();
    for (onnx::NodeProto& node : *graph.mutable_node())
        for (onnx::AttributeProto& attribute : *node.mutable_attribute())
            if (attribute.has_g())
                forgetDeclared(*attribute.mutable_g());
}

/// The same model without the file's word about anything but inputs, so that both sides infer.
std::optional<onnx::ModelProto> undeclared(const std::string& path) {
    onnx::ModelProto model;
    std::ifstream file(path, std::ios::binary);
    if (!model.ParseFromIstream(&file))
        return std::nullopt;
    forgetDeclared(*model.mutable_graph());
    return model;
}

using TypeByName = std::map<std::string, onnx::TypeProto>;

/// What libonnx infers, or nothing where it gives up on the model (an operator or a version it does
/// not know).
std::optional<TypeByName> oracleTypes(onnx::ModelProto& model) {
    try {
        onnx::shape_inference::InferShapes(
            model, onnx::OpSchemaRegistry::Instance(), {true, 1, true});
    } catch (const std::exception&) {
        return std::nullopt;
    }
    TypeByName types;
    for (const auto* list : {&model.graph().value_info(), &model.graph().output()})
        for (const onnx::ValueInfoProto& value : *list)
            types[value.name()] = value.type();
    return types;
}

/// ONNX' own name of an element type as ours are written: "FLOAT" → "float32".
std::string elementName(int code) {
    std::string name = onnx::TensorProto_DataType_Name(onnx::TensorProto_DataType(code));
    if (name == "FLOAT")
        return "float32";
    if (name == "DOUBLE")
        return "float64";
    std::ranges::transform(
        name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return name;
}

struct Flat {
    ValueKind kind = ValueKind::Tensor;
    const onnx::TypeProto_Tensor* tensor = nullptr; ///< the element's, of sequences and optionals
};

Flat flattened(const onnx::TypeProto& type) {
    if (type.has_tensor_type())
        return {ValueKind::Tensor, &type.tensor_type()};
    const onnx::TypeProto* inner = nullptr;
    ValueKind kind = ValueKind::Tensor;
    if (type.has_sequence_type()) {
        kind = ValueKind::Sequence;
        inner = &type.sequence_type().elem_type();
    } else if (type.has_optional_type()) {
        kind = ValueKind::Optional;
        inner = &type.optional_type().elem_type();
    }
    return {kind, inner && inner->has_tensor_type() ? &inner->tensor_type() : nullptr};
}

std::string textOf(const onnx::TensorShapeProto& shape) {
    std::string text = "[";
    for (const auto& dim : shape.dim())
        text += (text.size() > 1 ? "," : "")
            + (dim.has_dim_value() ? std::to_string(dim.dim_value()) : "?");
    return text + "]";
}

/// What libonnx knows and ours does not say too; empty when ours is the same or better.
std::string disagreement(const onnx::TypeProto& oracle, const ir::ValueType& ours) {
    const Flat flat = flattened(oracle);
    if (!flat.tensor)
        return {};
    if (flat.kind != ours.kind)
        return "another kind of container";
    if (flat.tensor->elem_type() != 0
        && ir::parseDType(elementName(flat.tensor->elem_type())) != ours.dtype)
        return elementName(flat.tensor->elem_type()) + " against our "
            + std::string(ir::name(ours.dtype));
    if (!flat.tensor->has_shape())
        return {};
    const onnx::TensorShapeProto& shape = flat.tensor->shape();
    const std::string both = textOf(shape) + " against our "
        + (ours.shape ? ir::toText(*ours.shape) : std::string("unknown rank"));
    if (!ours.shape || int(ours.shape->size()) != shape.dim_size())
        return both;
    for (int i = 0; i < shape.dim_size(); ++i) {
        const auto size = ours.shape->at(std::size_t(i)).known();
        const std::int64_t theirs = shape.dim(i).has_dim_value() ? shape.dim(i).dim_value() : -1;
        // A declared size of 0 is free here, as exporters write it for dynamic axes.
        if (theirs >= 0 && size != theirs && (theirs > 0 || size))
            return both;
    }
    return {};
}

bool isWhollyKnown(const onnx::TypeProto& type) {
    const Flat flat = flattened(type);
    return flat.tensor && flat.tensor->has_shape()
        && std::ranges::all_of(flat.tensor->shape().dim(),
            [](const auto& dim) { return dim.has_dim_value() && dim.dim_value() >= 0; });
}

/// Values where the two differ for a known reason.
struct Known {
    const char* model; ///< the folder of the test
    const char* value;
    const char* why;
};
constexpr Known kKnown[] = {
    // Wrong in libonnx.
    {"test_loop13_seq", "seq_res",
        "libonnx keeps the scalar shape of the empty sequence that enters the loop; the body "
        "inserts slices of a "
        "vector, so the items have rank 1 and differing lengths."},
    // Less known here.
    {"test_loop16_seq_none", "seq_res",
        "A value has one container here: an optional of a sequence is an optional until test "
        "values bind it."},
    {"test_optional_get_element_sequence", "output",
        "The same: what is taken out of it reads as a tensor."},
};

bool isKnown(const QString& path, const std::string& value) {
    return std::ranges::any_of(kKnown, [&](const Known& known) {
        return path.contains('/' + QLatin1String(known.model) + '/') && value == known.value;
    });
}

} // namespace

/// The shape inference of the ONNX project as an oracle for ours.
class TestOracle : public QObject {
    Q_OBJECT

private slots:
    void whatLibonnxKnowsIsKnownHere_data();
    void whatLibonnxKnowsIsKnownHere();

private:
    struct Count {
        int models = 0;
        int values = 0;
        int wholly = 0;
    };
    void compare(const QString& path, Count& count, QStringList& findings);
};

void TestOracle::whatLibonnxKnowsIsKnownHere_data() {
    QTest::addColumn<QString>("folder");
    QTest::newRow("samples") << QString(FIVEFOLD_SOURCE_DIR "/samples");
    for (const char* part : {"node", "simple", "pytorch-converted", "pytorch-operator"})
        QTest::newRow(part) << QString(kDebianTests) + "/data/" + part;
    const QString shared = qEnvironmentVariable("FIVEFOLD_SHARED");
    for (const char* part : {"onnx", "onnx-genai", "onnx-dynamo"})
        QTest::newRow(qPrintable(QString("shared ") + part))
            << (shared.isEmpty() ? QString() : shared + "/data/" + part);
}

void TestOracle::whatLibonnxKnowsIsKnownHere() {
    QFETCH(QString, folder);
    if (folder.isEmpty() || !QFileInfo::exists(folder))
        QSKIP("neither libonnx-testdata nor FIVEFOLD_SHARED has this folder");
    Count count;
    QStringList findings;
    const QStringList models = modelsUnder(folder);
    for (const QString& path : models)
        compare(path, count, findings);
    qInfo("%d of %d models, %d values, %d of them with a wholly known shape", count.models,
        int(models.size()), count.values, count.wholly);
    QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
    QVERIFY(count.values > 0);
}

void TestOracle::compare(const QString& path, Count& count, QStringList& findings) {
    auto model = undeclared(path.toStdString());
    const auto oracle = model ? oracleTypes(*model) : std::nullopt;
    if (!oracle)
        return;
    base::Diagnostics diagnostics;
    const auto graph = frontends::open(path.toStdString(), diagnostics);
    if (!graph) {
        findings << path + ": " + QString::fromStdString(graph.error().text());
        return;
    }
    ir::InferenceOptions options;
    options.ignoreDeclared = true;
    const auto typed = ir::infer(*graph, options, diagnostics);
    ++count.models;
    for (std::size_t i = 0; i < (*graph)->values.size(); ++i) {
        const ir::Value& value = (*graph)->values[ir::ValueId(i)];
        const auto found = oracle->find(value.name);
        if (value.block != ir::Graph::mainBlock() || found == oracle->end())
            continue;
        ++count.values;
        count.wholly += isWhollyKnown(found->second) ? 1 : 0;
        const std::string difference = disagreement(found->second, typed->type(ir::ValueId(i)));
        if (!difference.empty() && !isKnown(path, value.name))
            findings << path + ": " + QString::fromStdString(value.name + ": " + difference);
    }
}

QTEST_APPLESS_MAIN(TestOracle)
#include "test_oracle.moc"
