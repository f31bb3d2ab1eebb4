// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/frontends/model_writer.h"

#include <QTest>

#include <fstream>
#include <iterator>
#include <random>

using namespace fivefold;
using namespace fivefold::tests;

namespace {

/// A little of everything that a file can hold.
proto::ModelProto richModel() {
    auto model = emptyModel(18, 10);
    importOpset(model, "local", 1);
    auto& graph = *model.mutable_graph();
    addInput(graph, "x", {-1, 3});
    addInput(graph, "c", {}, kBool);
    addFloats(graph, "w", {3, 300});
    addExternal(*addInitializer(graph, "e", {4}), "weights.bin", 16, 16);
    auto* sparse = graph.add_sparse_initializer();
    sparse->mutable_values()->set_name("s");
    sparse->mutable_values()->set_data_type(kFloat);
    sparse->mutable_values()->add_dims(2);
    sparse->mutable_values()->set_raw_data("abcdefgh");
    sparse->mutable_indices()->set_data_type(kInt64);
    sparse->mutable_indices()->add_dims(2);
    sparse->mutable_indices()->add_int64_data(3);
    sparse->mutable_indices()->add_int64_data(5);
    sparse->add_dims(9);
    addNode(graph, "MatMul", {"x", "w"}, {"m"}, "/a/b/MatMul");
    addNode(graph, "F", {"m"}, {"f"}, "call")->set_domain("local");
    auto* node = addNode(graph, "If", {"c"}, {"y"}, "/a/If");
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto& body = *addBody(*node, branch);
        auto* constant = addNode(body, "Constant", {}, {"k"});
        addAttribute(*constant, "value_ints", 7)->add_ints(5);
        addNode(body, "Add", {"f", "k"}, {"r"});
        addOutput(body, "r");
    }
    auto& function = *addFunction(model, "local", "F", {"p"}, {"q"});
    addNode(function, "Softmax", {"p"}, {"q"});
    addOutput(graph, "y", {-1, 300});
    return model;
}

/// Opens damaged bytes and touches all that was read. Returns whether they opened.
bool survives(const std::string& bytes) {
    const auto opened = readBytes(bytes, "/nonexistent/model.onnx");
    if (!opened.isOk()) {
        [&] { QVERIFY(!opened.message().empty()); }();
        return false;
    }
    const ir::Graph& graph = opened.graph();
    const std::string broken = brokenInvariant(graph);
    [&] { QVERIFY2(broken.empty(), broken.c_str()); }();
    (void)graph.fileNodeCount();
    (void)graph.parameterCount();
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        (void)graph.tensors.numbers(ir::TensorId(i));
        (void)graph.tensors.integers(ir::TensorId(i));
    }
    return true;
}

std::string mutated(std::string bytes, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
        const std::size_t at = below(bytes.size());
        switch (below(5)) {
        case 0:
            bytes[at] = static_cast<char>(random());
            break;
        case 1:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 2:
            bytes.erase(at, 1 + below(8));
            break;
        case 3:
            bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(24)));
            break;
        default:
            bytes.resize(at);
        }
    }
    return bytes;
}

/// Iterations per model; more by FIVEFOLD_MUTATIONS.
int iterations() {
    const QByteArray wanted = qgetenv("FIVEFOLD_MUTATIONS");
    return wanted.isEmpty() ? 2000 : wanted.toInt();
}

} // namespace

class TestOnnxMutations : public QObject {
    Q_OBJECT
private slots:
    void damagedModelsNeverCrash_data();
    void damagedModelsNeverCrash();
    void everySingleByteMayChange();
};

void TestOnnxMutations::damagedModelsNeverCrash_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("a model with everything")
        << QByteArray::fromStdString(richModel().SerializeAsString());
    const QByteArray shared = qgetenv("FIVEFOLD_SHARED");
    if (shared.isEmpty())
        return;
    for (const char* name : {"onnx/nested_loop_if_loop", "onnx/lstm_lm_stripped",
             "onnx/resnet50_stripped", "onnx/unet_c32_stripped", "onnx-dynamo/dynamo20_cond",
             "onnx-genai/engine__synthetic-paged__decoder"}) {
        std::ifstream file(shared.toStdString() + "/data/" + name + ".onnx", std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), {});
        if (!bytes.empty())
            QTest::newRow(name) << QByteArray::fromStdString(bytes);
    }
}

void TestOnnxMutations::damagedModelsNeverCrash() {
    QFETCH(QByteArray, bytes);
    std::mt19937_64 random(bytes.size()); // the same damage in every run
    const std::string original = bytes.toStdString();
    QVERIFY(survives(original));
    int opened = 0;
    for (int i = 0; i < iterations(); ++i) {
        opened += survives(mutated(original, random));
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(opened > 0);
    QVERIFY(opened < iterations());
}

void TestOnnxMutations::everySingleByteMayChange() {
    const std::string original = richModel().SerializeAsString();
    for (std::size_t at = 0; at < original.size(); ++at) {
        for (const char value : {'\x00', '\x7f', '\xff'}) {
            std::string changed = original;
            changed[at] = value;
            survives(changed);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

QTEST_APPLESS_MAIN(TestOnnxMutations)
#include "test_onnx_mutations.moc"
