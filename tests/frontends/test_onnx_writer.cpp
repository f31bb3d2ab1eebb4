// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/onnx_writer.h"
#include "model_writer.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace fivefold;

namespace {

base::Result<ir::Typed> typed(const std::shared_ptr<const ir::Graph>& graph) {
    base::Diagnostics diagnostics;
    return ir::infer(graph, {}, diagnostics);
}

std::vector<std::byte> bytesOf(const ir::Graph& graph, ir::ValueId id) {
    auto bytes = graph.tensors.read(graph.values[id].data);
    return bytes ? *bytes : std::vector<std::byte>{};
}

/// The first thing that differs, or empty.
QString difference(const ir::Graph& a, const ir::Graph& b) {
    if (a.nodes.size() != b.nodes.size() || a.blocks.size() != b.blocks.size())
        return "counts of nodes or blocks";
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        const ir::Node& x = a.nodes[ir::NodeId(i)];
        const ir::Node& y = b.nodes[ir::NodeId(i)];
        const QString name = QString::fromStdString(x.name);
        if (x.op != y.op || x.sourceOp != y.sourceOp || x.domain != y.domain
            || x.version != y.version || x.blocks.size() != y.blocks.size())
            return "operator of " + name;
        if (x.attributes.size() != y.attributes.size())
            return "attributes of " + name;
        if (x.inputs.size() != y.inputs.size() || x.outputs.size() != y.outputs.size())
            return "arity of " + name;
        for (std::size_t k = 0; k < x.inputs.size(); ++k) {
            if (x.inputs[k].isValid() != y.inputs[k].isValid())
                return "inputs of " + name;
            if (!x.inputs[k].isValid())
                continue;
            const ir::Value& from = a.values[x.inputs[k]];
            const ir::Value& to = b.values[y.inputs[k]];
            if (from.origin != to.origin || (!from.name.empty() && from.name != to.name))
                return "input " + QString::number(k) + " of " + name;
            if (from.origin == ir::ValueOrigin::Initializer
                && bytesOf(a, x.inputs[k]) != bytesOf(b, y.inputs[k]))
                return "weight " + QString::fromStdString(from.name);
        }
    }
    return {};
}

} // namespace

class TestOnnxWriter : public QObject {
    Q_OBJECT

private slots:
    void samplesComeBackTheSame();
    void bodiesAndTextsAreKept();
    void aCallOfAFunctionIsRefusedByName();
    void aFolderThatIsNotThereIsASentence();
};

void TestOnnxWriter::samplesComeBackTheSame() {
    const QDir samples(QStringLiteral(FIVEFOLD_SOURCE_DIR "/samples"));
    const QStringList files = samples.entryList({"*.onnx"}, QDir::Files);
    QVERIFY(files.size() >= 6);
    const QTemporaryDir folder;
    for (const QString& file : files) {
        const auto opened = tests::openFile(samples.filePath(file).toStdString());
        QVERIFY2(opened.isOk(), opened.message().c_str());
        const auto types = typed(*opened.result);
        QVERIFY(types.isOk());
        const std::filesystem::path path = folder.filePath(file).toStdString();
        const auto written = frontends::onnx::writeModel(*types, path);
        QVERIFY2(written.isOk(), written.isOk() ? "" : written.error().text().c_str());
        const auto again = tests::openFile(path);
        QVERIFY2(again.isOk(), again.message().c_str());
        QCOMPARE(difference(opened.graph(), again.graph()), QString());
    }
}

void TestOnnxWriter::bodiesAndTextsAreKept() {
    auto model = tests::emptyModel();
    auto& graph = *model.mutable_graph();
    tests::addInput(graph, "c", {}, tests::kBool);
    tests::addInput(graph, "x");
    auto* branch = tests::addNode(graph, "If", {"c"}, {"y"}, "branch");
    for (const char* role : {"then_branch", "else_branch"}) {
        auto* body = tests::addBody(*branch, role);
        tests::addNode(*body, role[0] == 't' ? "Relu" : "Neg", {"x"}, {std::string(role) + "_y"});
        tests::addOutput(*body, std::string(role) + "_y");
    }
    auto* pad = tests::addNode(graph, "Pad", {"y", "p"}, {"z"}, "pad");
    auto* mode = tests::addAttribute(*pad, "mode", 3);
    mode->set_s("edge");
    tests::addInitializer(graph, "p", {4}, tests::kInt64)->set_raw_data(std::string(32, '\0'));
    tests::addOutput(graph, "z");
    const auto opened = tests::readModel(model);
    QVERIFY2(opened.isOk(), opened.message().c_str());
    const auto types = typed(*opened.result);
    QVERIFY(types.isOk());
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("m.onnx").toStdString();
    QVERIFY(frontends::onnx::writeModel(*types, path).isOk());
    const auto again = tests::openFile(path);
    QVERIFY2(again.isOk(), again.message().c_str());
    QCOMPARE(difference(opened.graph(), again.graph()), QString());
    const auto node = tests::nodeNamed(again.graph(), "pad");
    QCOMPARE(again.graph().nodes[node].attributes.text("mode"), std::string("edge"));
}

void TestOnnxWriter::aCallOfAFunctionIsRefusedByName() {
    auto model = tests::emptyModel();
    tests::importOpset(model, "local", 1);
    auto* function = tests::addFunction(model, "local", "Twice", {"a"}, {"b"});
    tests::addNode(*function, "Add", {"a", "a"}, {"b"});
    auto& graph = *model.mutable_graph();
    tests::addInput(graph, "x");
    tests::addNode(graph, "Twice", {"x"}, {"y"}, "the call")->set_domain("local");
    tests::addOutput(graph, "y");
    const auto opened = tests::readModel(model);
    QVERIFY2(opened.isOk(), opened.message().c_str());
    const auto types = typed(*opened.result);
    QVERIFY(types.isOk());
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("m.onnx").toStdString();
    const auto written = frontends::onnx::writeModel(*types, path);
    QVERIFY(!written.isOk());
    QVERIFY(written.error().where == "the call");
    QVERIFY(!std::filesystem::exists(path));
}

void TestOnnxWriter::aFolderThatIsNotThereIsASentence() {
    const auto opened
        = tests::openFile(FIVEFOLD_SOURCE_DIR "/samples/unsupported_operator.onnx");
    QVERIFY(opened.isOk());
    const auto types = typed(*opened.result);
    QVERIFY(types.isOk());
    const auto written = frontends::onnx::writeModel(*types, "/nowhere/at/all/m.onnx");
    QVERIFY(!written.isOk());
    QVERIFY(written.error().message.ends_with('?'));
}

QTEST_GUILESS_MAIN(TestOnnxWriter)
#include "test_onnx_writer.moc"
