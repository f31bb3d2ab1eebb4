// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/fx/fx_reader.h"
#include "core/ir/cost.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <algorithm>

using namespace fivefold;
using ir::Op;

namespace {

struct Read {
    std::shared_ptr<const ir::Graph> graph;
    base::Diagnostics diagnostics;
    std::string error;
};

Read readText(const std::string& text) {
    Read read;
    auto result = frontends::fx::readText(text, "graph.py", read.diagnostics);
    if (result)
        read.graph = *result;
    else
        read.error = result.error().message;
    return read;
}

Read readFile(const QString& path) {
    QFile file(path);
    if (!file.open(QFile::ReadOnly))
        return {nullptr, {}, "cannot open " + path.toStdString()};
    return readText(file.readAll().toStdString());
}

Read sample(const char* name) {
    return readFile(QStringLiteral(FIVEFOLD_SOURCE_DIR "/tests/frontends/fx/data/") + name + ".py");
}

/// A graph of one forward function with these lines.
Read lines(const std::string& parameters, const std::string& body) {
    return readText(
        "class <lambda>(torch.nn.Module):\n    def forward(self, " + parameters + "):\n" + body);
}

const ir::Node* node(const Read& read, std::string_view name) {
    for (const ir::Node& n : read.graph->nodes)
        if (n.name == name)
            return &n;
    return nullptr;
}

std::vector<std::int64_t> contents(const Read& read, ir::ValueId id) {
    const ir::Value& value = read.graph->values[id];
    return value.data.isValid()
        ? read.graph->tensors.integers(value.data).value_or(std::vector<std::int64_t>{-999})
        : std::vector<std::int64_t>{-999};
}

std::int64_t countOf(const Read& read, Op op) {
    return std::count_if(read.graph->nodes.begin(), read.graph->nodes.end(),
        [op](const ir::Node& n) { return n.op == op; });
}

ir::Typed typedOf(Read& read, bool ignoresDeclared, std::map<std::string, std::int64_t> dims = {}) {
    ir::InferenceOptions options;
    options.ignoreDeclared = ignoresDeclared;
    options.bindings.dims = std::move(dims);
    return *ir::infer(read.graph, options, read.diagnostics);
}

using Integers = std::vector<std::int64_t>;

} // namespace

class TestFxReader : public QObject {
    Q_OBJECT
private slots:
    void onlyGraphTextIsRecognised();
    void namesTypesAndStridesAreThoseOfTheText();
    void attentionBecomesCanonicalOperators();
    void resultsOfACallAreTakenApart();
    void annotationsWithoutStridesAreRead();
    void literalsBecomeInitialisers();
    void inPlaceCallsAreTheirOperators();
    void windowsOfPoolsAndConvolutions();
    void viewsKeepTheirArguments();
    void symbolsBecomeDimensions();
    void branchesAreBodies();
    void storedTensorsAreInitialisers();
    void stackTracesNameModules();
    void unknownOperatorsKeepTheirTypes();
    void shapesBeyondInt64AreUnknown();
    void scalarsHaveAnAxisInAten();
    void badTextIsLocated_data();
    void badTextIsLocated();
    void hostileNestingIsRefused();
    void shapesAgreeWithTheText_data();
    void shapesAgreeWithTheText();
    void allGivenGraphsAgreeWithTheirText();
};

void TestFxReader::onlyGraphTextIsRecognised() {
    const frontends::fx::FxReader reader;
    const auto sniff = [&](std::string_view text) {
        return reader.sniff(std::as_bytes(std::span(text.data(), text.size())));
    };
    QCOMPARE(
        sniff("class <lambda>(torch.nn.Module):\n    def forward(self, a):\n        return a\n"),
        100);
    QCOMPARE(
        sniff("# comment\n\nclass GraphModule(torch.nn.Module):\n    def forward(self):\n"), 100);
    QCOMPARE(sniff("import torch\nclass Repro(torch.nn.Module):\n    def forward(self, x):\n"), 0);
    QCOMPARE(sniff("HloModule jit_f\n"), 0);
    QCOMPARE(sniff(""), 0);
}

void TestFxReader::namesTypesAndStridesAreThoseOfTheText() {
    const Read read = sample("attention_causal_eager");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(QString::fromStdString(read.graph->info.format), QString("fx"));
    QCOMPARE(read.graph->main().inputs.size(), std::size_t(5));
    const ir::Value& input = read.graph->values[read.graph->main().inputs[0]];
    QCOMPARE(QString::fromStdString(input.name), QString("arg0_1"));
    QCOMPARE(input.declared.dtype, ir::DType::Float16);
    QCOMPARE(*input.strides, (Integers{768, 1}));
    const ir::Node* permute = node(read, "permute_2");
    QVERIFY(permute);
    QCOMPARE(QString::fromStdString(permute->sourceOp), QString("aten.permute.default"));
    QCOMPARE(QString::fromStdString(permute->domain), QString("aten"));
    const ir::Value& output = read.graph->values[permute->outputs[0]];
    QCOMPARE(QString::fromStdString(output.name), QString("permute_2"));
    QCOMPARE(*output.strides, (Integers{294912, 64, 2304, 1}));
    QCOMPARE(QString::fromStdString(read.graph->values[read.graph->main().outputs[0]].name),
        QString("view_13"));
    QVERIFY(read.diagnostics.empty());
}

void TestFxReader::attentionBecomesCanonicalOperators() {
    Read read = sample("attention_causal_eager");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(countOf(read, Op::Gemm), 2);
    QCOMPARE(countOf(read, Op::MatMul), 2);
    QCOMPARE(countOf(read, Op::SoftmaxStatistics), 1);
    QCOMPARE(countOf(read, Op::Unknown), 0);
    const ir::Node* addmm = node(read, "addmm");
    QCOMPARE(QString::fromStdString(read.graph->values[addmm->inputs[0]].name), QString("view"));
    QCOMPARE(QString::fromStdString(read.graph->values[addmm->inputs[2]].name), QString("arg1_1"));
    const ir::Typed typed = typedOf(read, false);
    // 256·2304·768 + 256·768·768 + 2·24·128·128·64
    QCOMPARE(
        ir::modelCost(typed).macs.value_or(-1), std::int64_t(452984832 + 150994944 + 50331648));
}

void TestFxReader::resultsOfACallAreTakenApart() {
    const Read read = sample("attention_causal_eager");
    const ir::Node* split = node(read, "split");
    QCOMPARE(split->op, Op::Split);
    QCOMPARE(split->outputs.size(), std::size_t(3));
    QCOMPARE(split->attributes.integer("axis", -1), 2);
    QCOMPARE(contents(read, split->inputs[1]), (Integers{768, 768, 768}));
    const ir::Node* part = node(read, "getitem_2");
    QCOMPARE(part->op, Op::Identity);
    QCOMPARE(QString::fromStdString(part->sourceOp), QString("getitem"));
    QVERIFY(part->domain.empty());
    QCOMPARE(part->inputs[0], split->outputs[2]);
}

void TestFxReader::annotationsWithoutStridesAreRead() {
    const Read read = sample("layer_norm_transformed");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Value& input = read.graph->values[read.graph->main().inputs[0]];
    QVERIFY(!input.strides);
    QVERIFY(input.declared.shape.has_value());
    QVERIFY(countOf(read, Op::VarianceMean) == 1);
}

void TestFxReader::literalsBecomeInitialisers() {
    const Read read = lines("arg0_1: \"f16[4, 8][8, 1]cpu\"",
        "        mul: \"f16[4, 8][8, 1]cpu\" = torch.ops.aten.mul.Tensor(arg0_1, 0.125)\n"
        "        full: \"f16[2][1]cpu\" = torch.ops.aten.full.default([2], -inf, dtype = "
        "torch.float16, "
        "layout = torch.strided, device = device(type='cpu'), pin_memory = False)\n"
        "        sub: \"f16[4, 8][8, 1]cpu\" = torch.ops.aten.rsub.Scalar(mul, 1)\n"
        "        return (sub, full)\n");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Value& scalar = read.graph->values[node(read, "mul")->inputs[1]];
    QVERIFY(scalar.name.empty());
    QCOMPARE(read.graph->tensors.numbers(scalar.data)->front(), 0.125);
    const auto value = *node(read, "full")->attributes.tensor("value");
    QCOMPARE(read.graph->tensors[value].dtype, ir::DType::Float16);
    QCOMPARE(read.graph->tensors.numbers(value)->front(), -std::numeric_limits<double>::infinity());
    const ir::Node* sub = node(read, "sub");
    QCOMPARE(read.graph->tensors.numbers(read.graph->values[sub->inputs[0]].data)->front(), 1.0);
    QCOMPARE(read.graph->parameterCount(), 0);
}

void TestFxReader::inPlaceCallsAreTheirOperators() {
    const Read read = lines("a: \"f32[4][1]cpu\"",
        "        add_: \"f32[4][1]cpu\" = torch.ops.aten.add_.Tensor(a, a, alpha = 2)\n"
        "        relu_: \"f32[4][1]cpu\" = torch.ops.aten.relu_.default(add_);  add_ = a = None\n"
        "        return relu_\n");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(node(read, "add_")->op, Op::Add);
    QCOMPARE(node(read, "add_")->attributes.number("alpha", 0), 2.0);
    QCOMPARE(node(read, "relu_")->op, Op::Relu);
    QCOMPARE(QString::fromStdString(node(read, "relu_")->sourceOp), QString("aten.relu_.default"));
}

void TestFxReader::windowsOfPoolsAndConvolutions() {
    const Read read =
        lines("x: \"f32[1, 3, 8, 8][192, 64, 8, 1]cpu\", w: \"f32[4, 3, 3, 3][27, 9, 3, 1]cpu\"",
            "        convolution: \"f32[1, 4, 4, 4][64, 16, 4, 1]cpu\" = "
            "torch.ops.aten.convolution.default(x, "
            "w, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)\n"
            "        pool = torch.ops.prims._low_memory_max_pool_with_offsets.default(convolution, "
            "[3, 3], "
            "[2, 2], [1, 1], [1, 1], False)\n"
            "        getitem: \"f32[1, 4, 2, 2][16, 4, 2, 1]cpu\" = pool[0];  pool = None\n"
            "        return (getitem,)\n");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Node* conv = node(read, "convolution");
    QCOMPARE(conv->op, Op::Conv);
    QCOMPARE(conv->inputs.size(), std::size_t(2));
    QCOMPARE(*conv->attributes.integers("pads"), (Integers{1, 1, 1, 1}));
    QCOMPARE(*conv->attributes.integers("strides"), (Integers{2, 2}));
    const ir::Node* pool = node(read, "pool");
    QCOMPARE(pool->op, Op::MaxPool);
    QCOMPARE(*pool->attributes.integers("kernel_shape"), (Integers{3, 3}));
    QCOMPARE(pool->outputs.size(), std::size_t(2));
}

void TestFxReader::viewsKeepTheirArguments() {
    const Read read = lines("x: \"f32[4, 6][6, 1]cpu\"",
        "        slice_1: \"f32[4, 2][6, 2]cpu\" = torch.ops.aten.slice.Tensor(x, 1, 1, "
        "9223372036854775807, 3)\n"
        "        t: \"f32[2, 4][2, 6]cpu\" = torch.ops.aten.transpose.int(slice_1, 0, -1)\n"
        "        select: \"f32[4][6]cpu\" = torch.ops.aten.select.int(t, 0, -1)\n"
        "        clone: \"f32[4][1]cpu\" = torch.ops.aten.clone.default(select, memory_format = "
        "torch.contiguous_format)\n"
        "        return clone\n");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Node* slice = node(read, "slice_1");
    QCOMPARE(contents(read, slice->inputs[1]), (Integers{1}));
    QCOMPARE(
        contents(read, slice->inputs[2]), (Integers{std::numeric_limits<std::int64_t>::max()}));
    QCOMPARE(contents(read, slice->inputs[4]), (Integers{3}));
    QCOMPARE(*node(read, "t")->attributes.integers("perm"), (Integers{1, 0}));
    QCOMPARE(contents(read, node(read, "select")->inputs[1]), (Integers{-1}));
    QCOMPARE(QString::fromStdString(node(read, "clone")->attributes.text("memory_format")),
        QString("torch.contiguous_format"));
}

void TestFxReader::symbolsBecomeDimensions() {
    Read read = lines("arg0_1: \"Sym(s0)\", arg1_1: \"f32[s0, 8][8, 1]cpu\"",
        "        sym_size_int: \"Sym(s0)\" = torch.ops.aten.sym_size.int(arg1_1, 0)\n"
        "        mul: \"Sym(8*s0)\" = sym_size_int * 8;  sym_size_int = None\n"
        "        view: \"f32[8*s0][1]cpu\" = torch.ops.aten.view.default(arg1_1, [mul])\n"
        "        return (view,)\n");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(QString::fromStdString(
                 ir::toText(*read.graph->values[node(read, "view")->outputs[0]].declared.shape)),
        QString("8*s0"));
    const ir::Typed typed = typedOf(read, false, {{"s0", 16}});
    const auto& shape = typed.type(node(read, "view")->outputs[0]).shape;
    QCOMPARE(shape->at(0).known().value_or(-1), std::int64_t(128));
    QCOMPARE(read.diagnostics.count("infer.declared_differs"), 0);
}

void TestFxReader::branchesAreBodies() {
    const Read read = sample("cond_symbolic");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Node* cond = node(read, "cond");
    QCOMPARE(cond->op, Op::If);
    QCOMPARE(cond->blocks.size(), std::size_t(2));
    QCOMPARE(countOf(read, Op::Sin), 1);
    QCOMPARE(countOf(read, Op::Cos), 1);
    // The branch reads the outer value itself.
    QCOMPARE(node(read, "sin")->inputs[0], read.graph->main().inputs[1]);
}

void TestFxReader::storedTensorsAreInitialisers() {
    const Read read = lines("x: \"f32[3][1]cpu\"",
        "        _tensor_constant0: \"f32[3][1]cpu\" = self._tensor_constant0\n"
        "        add: \"f32[3][1]cpu\" = torch.ops.aten.add.Tensor(x, _tensor_constant0);  x = "
        "None\n"
        "        return add\n");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Value& stored = read.graph->values[node(read, "add")->inputs[1]];
    QCOMPARE(stored.origin, ir::ValueOrigin::Initializer);
    QCOMPARE(read.graph->tensors[stored.data].storage, ir::TensorStorage::Missing);
    QCOMPARE(read.graph->parameterCount(), 3);
}

void TestFxReader::stackTracesNameModules() {
    const Read read = lines("x: \"f32[3][1]cpu\"",
        "        # File: m.py:3 in forward, code: x = L__self___fc1(x)\n"
        "        relu: \"f32[3][1]cpu\" = torch.ops.aten.relu.default(x)\n"
        "        # No stacktrace found for following nodes\n"
        "        neg: \"f32[3][1]cpu\" = torch.ops.aten.neg.default(relu)\n"
        "        return neg\n");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(QString::fromStdString(read.graph->scopes[node(read, "relu")->scope].path),
        QString("/fc1"));
    QCOMPARE(node(read, "neg")->scope, ir::Graph::rootScope());
}

void TestFxReader::unknownOperatorsKeepTheirTypes() {
    Read read = lines("x: \"f32[3][1]cpu\"",
        "        y: \"f32[7][1]cpu\" = torch.ops.mylib.special.default(x, [1, x], mode = 'a')\n"
        "        z = torch.ops.mylib.several.default(y)\n"
        "        getitem: \"i64[2][1]cpu\" = z[1]\n"
        "        return getitem\n");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(node(read, "y")->op, Op::Unknown);
    QCOMPARE(node(read, "y")->inputs.size(), std::size_t(2));
    QCOMPARE(read.diagnostics.count("fx.unknown_operator"), 2);
    const ir::Typed typed = typedOf(read, false);
    QVERIFY(typed.type(node(read, "y")->outputs[0]).shape->at(0).is(7));
    QCOMPARE(typed.type(node(read, "getitem")->outputs[0]).dtype, ir::DType::Int64);
}

void TestFxReader::shapesBeyondInt64AreUnknown() {
    Read read = lines("x: \"f16[99999999999999999999, 4][4, 1]cpu\", y: \"f16[4611686018427387904, "
                      "4][4, 1]cpu\", z: \"f16[4611686018427387904, 0][4, 1]cpu\"",
        "        a: \"f16[99999999999999999999, 4][4, 1]cpu\" = torch.ops.aten.neg.default(x)\n"
        "        return (a,)\n");
    QVERIFY2(read.graph, read.error.c_str());
    QCOMPARE(read.diagnostics.count("fx.shape_too_large"), 3);
    const ir::Typed typed = typedOf(read, false);
    const auto& inputs = read.graph->main().inputs;
    QVERIFY(!typed.type(inputs[0]).shape);
    QVERIFY(!typed.type(inputs[1]).shape);
    QVERIFY(typed.type(inputs[2]).shape); // without elements
    QVERIFY(!typed.type(node(read, "a")->outputs[0]).shape);
}

void TestFxReader::scalarsHaveAnAxisInAten() {
    Read read = lines("x: \"f32[][]cpu\", y: \"f32[][]cpu\", i: \"i64[][]cpu\"",
        "        sum_1: \"f32[][]cpu\" = torch.ops.aten.sum.dim_IntList(x, [-1], True)\n"
        "        argmax: \"i64[][]cpu\" = torch.ops.aten.argmax.default(x, 0)\n"
        "        max_1 = torch.ops.aten.max.dim(x, -1)\n"
        "        getitem: \"f32[][]cpu\" = max_1[0]\n"
        "        topk = torch.ops.aten.topk.default(x, 1, -1)\n"
        "        getitem_1: \"i64[][]cpu\" = topk[1]\n"
        "        sort = torch.ops.aten.sort.default(x, 0, True)\n"
        "        getitem_2: \"f32[][]cpu\" = sort[0]\n"
        "        softmax: \"f32[][]cpu\" = torch.ops.aten._softmax.default(x, -1, False)\n"
        "        cumsum: \"f32[][]cpu\" = torch.ops.aten.cumsum.default(x, 0)\n"
        "        flip: \"f32[][]cpu\" = torch.ops.aten.flip.default(x, [0])\n"
        "        cat: \"f32[2][1]cpu\" = torch.ops.aten.cat.default([x, y], -1)\n"
        "        index: \"f32[][]cpu\" = torch.ops.aten.index_select.default(x, 0, i)\n"
        "        return (sum_1, argmax, getitem, getitem_1, getitem_2, softmax, cumsum, flip, cat, "
        "index)\n");
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Typed typed = typedOf(read, true);
    QCOMPARE(read.diagnostics.entries().size(), std::size_t(0));
    for (const char* name : {"sum_1", "argmax", "getitem", "getitem_1", "getitem_2", "softmax",
             "cumsum", "flip", "index"}) {
        const auto& shape = typed.type(node(read, name)->outputs[0]).shape;
        QVERIFY2(shape && shape->empty(), name);
    }
    const auto& cat = typed.type(node(read, "cat")->outputs[0]).shape;
    QVERIFY(cat && cat->size() == 1 && cat->at(0).is(2));

    // An axis that even a vector of one element has not is still wrong.
    Read wrong = lines("x: \"f32[][]cpu\"",
        "        amax: \"f32[][]cpu\" = torch.ops.aten.amax.default(x, [1])\n"
        "        return (amax,)\n");
    (void)typedOf(wrong, true);
    QCOMPARE(wrong.diagnostics.count("infer.bad_node"), 1);
}

void TestFxReader::badTextIsLocated_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("place");
    QTest::newRow("bracket") << "        a = torch.ops.aten.neg.default((x, 1)\n"
                             << "Line 4, column 1";
    QTest::newRow("quote") << "        a = f('x)\n"
                           << "Line 3, column 15";
    QTest::newRow("operand") << "        a = f(x,,y)\n"
                             << "Line 3, column 17";
    QTest::newRow("statement") << "        x\n"
                               << "Line 3, column 9";
    QTest::newRow("number") << "        a = f(12zz)\n"
                            << "Line 3, column 15";
    QTest::newRow("character") << "        a = f(x) $\n"
                               << "Line 3, column 18";
}

void TestFxReader::badTextIsLocated() {
    QFETCH(QString, body);
    QFETCH(QString, place);
    const Read read = lines("x", body.toStdString());
    QVERIFY(!read.graph);
    QVERIFY2(QString::fromStdString(read.error).startsWith(place), read.error.c_str());
    QVERIFY(read.error.back() == '.');
}

void TestFxReader::hostileNestingIsRefused() {
    for (const char* open : {"(", "[", "{", "-", "f(", "x[", "not "}) {
        std::string body = "        a = ";
        for (int i = 0; i < 100000; ++i)
            body += open;
        QVERIFY(!lines("x", body + "\n").graph);
    }
    std::string sum = "        a = x";
    for (int i = 0; i < 100000; ++i)
        sum += " + x";
    QVERIFY(!lines("x", sum + "\n").graph);
    std::string chain = "        a = x";
    for (int i = 0; i < 100000; ++i)
        chain += "[0]";
    QVERIFY(!lines("x", chain + "\n").graph);
    const Read many = lines("x",
        "        a = torch.ops.mylib.f.default(x)\n        b = a[999999999999]\n        return "
        "b\n");
    QVERIFY2(many.graph, many.error.c_str());
    Read partial = lines("x", "        a = f(x) - 9223372036854775807\n        return a\n");
    QVERIFY2(partial.graph, partial.error.c_str());
    QVERIFY(!typedOf(partial, false).type(partial.graph->main().outputs[0]).shape);
}

void TestFxReader::shapesAgreeWithTheText_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"attention_causal_eager", "topk_softmax_router", "embedding_position",
             "pool_flatten_linear", "cumsum_mul", "layer_norm_transformed", "spyre_layer_norm"})
        QTest::newRow(name) << name;
}

void TestFxReader::shapesAgreeWithTheText() {
    QFETCH(QString, name);
    Read read = sample(name.toUtf8());
    QVERIFY2(read.graph, read.error.c_str());
    const ir::Typed typed = typedOf(read, true);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < read.graph->values.size(); ++i) {
        const ir::Value& value = read.graph->values[ir::ValueId(i)];
        if (value.origin != ir::ValueOrigin::NodeOutput || !value.declared.shape)
            continue;
        const auto& shape = typed.types[ir::ValueId(i)].shape;
        QVERIFY2(shape.has_value(), value.name.c_str());
        QVERIFY2(*shape == *value.declared.shape, value.name.c_str());
        ++compared;
    }
    QVERIFY(compared >= 3);
}

void TestFxReader::allGivenGraphsAgreeWithTheirText() {
    const QString shared = QString::fromLocal8Bit(qgetenv("FIVEFOLD_SHARED"));
    if (shared.isEmpty())
        QSKIP("FIVEFOLD_SHARED is not set");
    std::size_t files = 0;
    std::size_t equal = 0;
    std::size_t open = 0;
    for (const char* folder :
        {"inductor", "spyre/graphs", "spyre/graphs_lowered", "compile-debug"}) {
        QDirIterator found(shared + "/data/" + folder,
            {"*fx_graph_readable.py", "*fx_graph_transformed.py"}, QDir::Files,
            QDirIterator::Subdirectories);
        while (found.hasNext()) {
            const QString path = found.next();
            Read read = readFile(path);
            QVERIFY2(read.graph, (path.toStdString() + ": " + read.error).c_str());
            ++files;
            const std::string trouble = [&] {
                base::Diagnostics diagnostics;
                const auto trusted = *ir::infer(read.graph, {}, diagnostics);
                for (const auto& entry : diagnostics.entries())
                    return entry.node + ": " + entry.message;
                for (const auto& entry : read.diagnostics.entries())
                    return entry.node + ": " + entry.message;
                return std::string();
            }();
            if (!trouble.empty())
                qInfo("%s: %s", qPrintable(path), trouble.c_str());
            const ir::Typed typed = typedOf(read, true);
            for (std::size_t i = 0; i < read.graph->values.size(); ++i) {
                const ir::Value& value = read.graph->values[ir::ValueId(i)];
                if (value.origin != ir::ValueOrigin::NodeOutput || !value.declared.shape)
                    continue;
                const auto& shape = typed.types[ir::ValueId(i)].shape;
                if (!shape || std::any_of(shape->begin(), shape->end(), [](const ir::Dim& d) {
                        return d.isUnknown();
                    })) {
                    ++open;
                    qInfo("%s: %s is not inferred", qPrintable(path), value.name.c_str());
                    continue;
                }
                if (*shape != *value.declared.shape)
                    qInfo("%s: %s is inferred as %s", qPrintable(path), value.name.c_str(),
                        ir::toText(*shape).c_str());
                QVERIFY2(*shape == *value.declared.shape, value.name.c_str());
                ++equal;
            }
        }
    }
    qInfo("%zu graphs; %zu shapes inferred as stated, %zu left to the text", files, equal, open);
    QVERIFY(files >= 250);
    QVERIFY(equal > 100 * open);
}

QTEST_GUILESS_MAIN(TestFxReader)
#include "test_fx_reader.moc"
