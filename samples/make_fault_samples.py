#!/usr/bin/env python3
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
"""Writes the samples of the fault lab into faults/ beside this file: small graphs, weights inside,
ONNX opset 20 without any library. Each carries one or several faults of the catalogue."""
import math
import pathlib
import random
import struct

from onnx_writer import FLOAT, INT64, attribute, attribute_list, field, model, node, tensor

BOOL = 9


def floats(name, shape, values):
    return tensor(name, FLOAT, shape, struct.pack(f"<{len(values)}f", *values))


def number(name, value):
    return floats(name, [], [value])


def ints(name, values):
    return tensor(name, INT64, [len(values)], struct.pack(f"<{len(values)}q", *values))


def random_floats(name, shape, scale, low=None):
    """Multiples of 1/64, so that every format of the machines holds them to a few bits."""
    draw = random.Random(name)
    count = math.prod(shape)
    least = -scale if low is None else low
    return floats(name, shape, [round(draw.uniform(least, scale) * 64) / 64 for _ in range(count)])


def causal(name, size):
    return floats(name, [size, size],
                  [0.0 if c <= r else -math.inf for r in range(size) for c in range(size)])


def one(op, inputs, output, name=None, attributes=b""):
    return node(op, inputs, output, name or output, attributes)


def clone(value, output):
    """What torch's clone is exported as. The attribute keeps the copy on Spyre, whose compiler
    drops an identity that nobody asked for; other readers pass over it."""
    kind = field(5, field(1, "spyre.aten") + field(4, "aten.clone.default") + field(20, 3))
    return one("Identity", [value], output, attributes=kind)


def keep(value):
    return attribute("keepdims", value)


SAMPLES = {}


def sample(inputs, outputs, nodes, tensors=()):
    """A model whose nodes are named as what they give."""
    def add(make):
        SAMPLES[make.__name__] = model(make.__name__, nodes, inputs, outputs, list(tensors), 20)
        return make
    return add


# A copy of 65 elements, and what a student sees behind it.
@sample([("x", [65])], [("sum", [1])],
        [clone("x", "clone"), one("Add", ["clone", "x"], "add"),
         one("Mul", ["add", "half"], "mul"), one("Relu", ["mul"], "relu"),
         one("ReduceSum", ["relu", "axis"], "sum", attributes=keep(1))],
        [number("half", 0.5), ints("axis", [0])])
def clone_65(): pass


# Rows of 70: one full stick and a part.
@sample([("x", [3, 70])], [("mul", [3, 70])],
        [one("Add", ["x", "one"], "add"), clone("add", "clone"),
         one("Relu", ["clone"], "relu"), one("Mul", ["relu", "half"], "mul")],
        [number("half", 0.5), number("one", 1.0)])
def clone_rows(): pass


@sample([("x", [4, 65])], [("centred", [4, 65])],
        [one("Mul", ["x", "two"], "mul"),
         one("ReduceMean", ["mul", "axis"], "mean", attributes=keep(1)),
         one("Sub", ["mul", "mean"], "centred")],
        [number("two", 2.0), ints("axis", [1])])
def mean_rows(): pass


@sample([("x", [3, 7, 9])], [("y", [3, 7])],
        [one("Add", ["x", "one"], "add"),
         one("ReduceMean", ["add", "axis"], "mean", attributes=keep(0)),
         one("Mul", ["mean", "two"], "y")],
        [number("two", 2.0), number("one", 1.0), ints("axis", [2])])
def mean_cube(): pass


# A choice by a flag that follows from the input, and one by element.
@sample([("x", [8, 65])], [("y", [8, 65])],
        [one("ReduceMax", ["x", "axes"], "largest", attributes=keep(1)),
         one("Greater", ["largest", "zero"], "flag"), one("Mul", ["x", "two"], "doubled"),
         one("Add", ["x", "one"], "moved"), one("Where", ["flag", "doubled", "moved"], "where"),
         one("Mul", ["where", "half"], "y")],
        [number("two", 2.0), number("one", 1.0), number("half", 0.5), number("zero", 0.0),
         ints("axes", [0, 1])])
def where_flag(): pass


@sample([("x", [4, 65])], [("y", [4, 65])],
        [one("Greater", ["x", "zero"], "positive"), one("Mul", ["x", "tenth"], "leak"),
         one("Where", ["positive", "x", "leak"], "where"), one("Add", ["where", "one"], "y")],
        [number("tenth", 0.125), number("one", 1.0), number("zero", 0.0)])
def where_leaky(): pass


# Updates in place as functional capture writes them: a reader of the updated tensor behind a view.
@sample([("x", [4, 65])], [("update", [4, 65]), ("y", [260])],
        [one("Add", ["x", "one"], "update"), one("Reshape", ["update", "shape"], "view"),
         one("Mul", ["view", "two"], "y")],
        [number("two", 2.0), number("one", 1.0), ints("shape", [260])])
def alias_view(): pass


@sample([("x", [1, 1, 12])], [("update", [1, 1, 12]), ("y", [12])],
        [one("Add", ["x", "five"], "start"), one("Reciprocal", ["start"], "update"),
         one("Squeeze", ["update", "axes"], "squeeze"), one("Mul", ["squeeze", "two"], "y")],
        [number("five", 5.0), number("two", 2.0), ints("axes", [0, 1])])
def alias_squeeze(): pass


@sample([("x", [4, 65])], [("y", [4, 65])],
        [one("Mul", ["x", "two"], "mul"), one("Gelu", ["mul"], "gelu"),
         one("Add", ["gelu", "one"], "y")],
        [number("two", 1.0), number("one", 1.0)])
def gelu_rows(): pass


@sample([("x", [2, 96])], [("y", [2, 96])],
        [one("Div", ["x", "root"], "div"), one("Erf", ["div"], "erf"),
         one("Add", ["erf", "one"], "add"), one("Mul", ["x", "add"], "mul"),
         one("Mul", ["mul", "half"], "y")],
        [number("root", math.sqrt(2)), number("one", 1.0), number("half", 0.5)])
def gelu_erf(): pass


@sample([("x", [3, 65])], [("y", [3, 65])],
        [one("Add", ["x", "bias"], "logits"),
         one("Softmax", ["logits"], "softmax", attributes=attribute("axis", -1)),
         one("Mul", ["softmax", "two"], "y")],
        [number("two", 2.0), random_floats("bias", [65], 1)])
def softmax_rows(): pass


@sample([("x", [5, 3])], [("y", [5, 3])],
        [one("Mul", ["x", "two"], "logits"),
         one("Softmax", ["logits"], "softmax", attributes=attribute("axis", -1)),
         one("Add", ["softmax", "one"], "y")],
        [number("two", 2.0), number("one", 1.0)])
def softmax_narrow(): pass


@sample([("x", [4, 96])], [("y", [4, 96])],
        [one("Mul", ["x", "one"], "mul"),
         one("LayerNormalization", ["mul", "gain", "shift"], "norm", attributes=attribute("axis", -1)),
         one("Relu", ["norm"], "y")],
        [number("one", 1.0), random_floats("gain", [96], 1.5, 0.5), random_floats("shift", [96], 0.5)])
def norm_rows(): pass


@sample([("x", [2, 3, 65])], [("y", [2, 3, 65])],
        [one("Mul", ["x", "one"], "mul"),
         one("InstanceNormalization", ["mul", "gain", "shift"], "norm"),
         one("Relu", ["norm"], "y")],
        [number("one", 1.0), random_floats("gain", [3], 1.5, 0.5), random_floats("shift", [3], 0.5)])
def norm_channels(): pass


@sample([("x", [3, 65])], [("y", [3, 65])],
        [one("ReduceMean", ["x", "axis"], "mean", attributes=keep(1)),
         one("Sub", ["x", "mean"], "centred"), one("Mul", ["centred", "centred"], "square"),
         one("ReduceMean", ["square", "axis"], "variance", attributes=keep(1)),
         one("Add", ["variance", "epsilon"], "add"), one("Sqrt", ["add"], "deviation"),
         one("Div", ["centred", "deviation"], "y")],
        [ints("axis", [1]), number("epsilon", 2.0 ** -10)])
def norm_spelled(): pass


@sample([("q", [20, 16]), ("k", [16, 20]), ("v", [20, 16])], [("y", [20, 16])],
        [one("Mul", ["q", "quarter"], "scaled"), one("MatMul", ["scaled", "k"], "scores"),
         one("Add", ["scores", "causal"], "mask"),
         one("Softmax", ["mask"], "softmax", attributes=attribute("axis", -1)),
         one("MatMul", ["softmax", "v"], "y")],
        [number("quarter", 0.25), causal("causal", 20)])
def attention_causal(): pass


@sample([("x", [12, 32])], [("y", [12, 16])],
        [one("MatMul", ["x", "wq"], "q"), one("MatMul", ["x", "wk"], "k"),
         one("MatMul", ["x", "wv"], "v"),
         one("Transpose", ["k"], "kt", attributes=attribute_list("perm", [1, 0])),
         one("MatMul", ["q", "kt"], "scores"), one("Where", ["open", "scores", "low"], "mask"),
         one("Softmax", ["mask"], "softmax", attributes=attribute("axis", -1)),
         one("MatMul", ["softmax", "v"], "y")],
        [random_floats(n, [32, 16], 0.5) for n in ("wq", "wk", "wv")]
        + [tensor("open", BOOL, [12, 12], bytes(c <= r for r in range(12) for c in range(12))),
           number("low", -math.inf)])
def attention_where(): pass


@sample([("x", [6, 64])], [("y", [6, 48])],
        [one("MatMul", ["x", "w"], "product"), one("Add", ["product", "rows"], "bias"),
         one("Relu", ["bias"], "y")],
        [random_floats("w", [64, 48], 0.25), random_floats("rows", [6, 1], 4)])
def bias_rows(): pass


@sample([("x", [5, 65])], [("y", [5, 65])],
        [one("Mul", ["x", "two"], "mul"), one("Add", ["mul", "table"], "bias"),
         one("Abs", ["bias"], "y")],
        [number("two", 2.0), random_floats("table", [5, 65], 4)])
def bias_table(): pass


@sample([("x", [8, 64])], [("y", [8, 48])],
        [one("MatMul", ["x", "w"], "product"), one("Add", ["product", "b"], "add"),
         one("Mul", ["add", "alpha"], "scale"), one("Abs", ["scale"], "y")],
        [random_floats("w", [64, 48], 0.25), random_floats("b", [48], 4), number("alpha", 0.125)])
def scaled_bias(): pass


@sample([("x", [4, 32])], [("y", [4, 65])],
        [one("Gemm", ["x", "w", "b"], "gemm"), one("Mul", ["gemm", "alpha"], "scale"),
         one("Add", ["scale", "one"], "y")],
        [random_floats("w", [32, 65], 0.25), random_floats("b", [65], 4), number("alpha", 0.25),
         number("one", 1.0)])
def scaled_gemm(): pass


@sample([("x", [8, 64])], [("y", [8, 48])],
        [one("MatMul", ["x", "w"], "product"), one("Add", ["product", "b"], "add"),
         one("Relu", ["add"], "relu"), one("Mul", ["relu", "two"], "y")],
        [random_floats("w", [64, 48], 0.25), random_floats("b", [48], 4), number("two", 2.0)])
def relu_bias(): pass


@sample([("x", [1, 3, 6, 6])], [("y", [1, 4, 6, 6])],
        [one("Conv", ["x", "w", "b"], "conv",
             attributes=attribute_list("pads", [1, 1, 1, 1]) + attribute_list("kernel_shape", [3, 3])),
         one("Relu", ["conv"], "relu"), one("Mul", ["relu", "two"], "y")],
        [random_floats("w", [4, 3, 3, 3], 0.5), random_floats("b", [4], 4), number("two", 2.0)])
def relu_conv(): pass


@sample([("x", [65])], [("y", [65])],
        [one("Add", ["x", "one"], "start"), one("Exp", ["start"], "exp"), one("Log", ["exp"], "log"),
         one("Mul", ["log", "half"], "y")], [number("one", 1.0), number("half", 0.5)])
def log_exp(): pass


@sample([("x", [4, 40])], [("y", [4, 40])],
        [one("Mul", ["x", "two"], "start"), one("Log", ["start"], "log"), one("Exp", ["log"], "exp"),
         one("Add", ["exp", "one"], "y")], [number("one", 1.0), number("two", 2.0)])
def exp_log(): pass


@sample([("x", [4, 65])], [("y", [4, 65])],
        [one("Mul", ["x", "two"], "mul"),
         one("ReduceMax", ["mul", "axis"], "max", attributes=keep(1)),
         one("Sub", ["mul", "max"], "y")],
        [number("two", 2.0), ints("axis", [1])])
def max_rows(): pass


@sample([("x", [2, 3, 33])], [("y", [2, 3])],
        [one("Add", ["x", "one"], "add"),
         one("ReduceMax", ["add", "axis"], "max", attributes=keep(0)),
         one("Mul", ["max", "two"], "y")],
        [number("two", 2.0), number("one", 0.25), ints("axis", [2])])
def max_cube(): pass


@sample([("x", [4, 65])], [("y", [4, 64])],
        [one("Exp", ["x"], "exp"), one("MatMul", ["exp", "w"], "product"),
         one("Mul", ["product", "half"], "y")],
        [random_floats("w", [65, 64], 0.25), number("half", 0.5)])
def exp_product(): pass


@sample([("x", [6, 100])], [("y", [6, 32])],
        [one("Relu", ["x"], "relu"), one("MatMul", ["relu", "w"], "product"),
         one("Add", ["product", "b"], "y")],
        [random_floats("w", [100, 32], 0.25), random_floats("b", [32], 1)])
def relu_product(): pass


@sample([("x", [72, 91])], [("y", [91, 72])],
        [one("Add", ["x", "one"], "add"),
         one("Transpose", ["add"], "transpose", attributes=attribute_list("perm", [1, 0])),
         one("Mul", ["transpose", "half"], "y")], [number("one", 1.0), number("half", 0.5)])
def transpose_copy(): pass


@sample([("x", [3, 1, 2])], [("y", [1, 6])],
        [one("Mul", ["x", "two"], "mul"),
         one("Transpose", ["mul"], "transpose", attributes=attribute_list("perm", [1, 2, 0])),
         one("Reshape", ["transpose", "shape"], "reshape"), one("Add", ["reshape", "one"], "y")],
        [number("one", 1.0), number("two", 1.0), ints("shape", [1, 6])])
def transpose_six(): pass


# A tensor that is held while others are made, and read at the end.
@sample([("x", [64, 128])], [("y", [64, 128])],
        [one("Mul", ["x", "two"], "held"), one("Add", ["x", "one"], "a"),
         one("MatMul", ["a", "w"], "b"), one("Relu", ["b"], "c"), one("Add", ["c", "held"], "y")],
        [number("one", 1.0), number("two", 2.0), random_floats("w", [128, 128], 0.125)])
def held_residual(): pass


@sample([("x", [32, 96])], [("y", [32, 96])],
        [one("MatMul", ["x", "w1"], "held"), one("Relu", ["held"], "a"),
         one("MatMul", ["a", "w2"], "b"), one("Sigmoid", ["b"], "c"), one("Mul", ["c", "held"], "y")],
        [random_floats("w1", [96, 96], 0.125), random_floats("w2", [96, 96], 0.125)])
def held_gate(): pass


# One result that two products read.
@sample([("x", [32, 64])], [("y", [32, 64])],
        [one("MatMul", ["x", "w0"], "shared"), one("MatMul", ["shared", "w1"], "left"),
         one("MatMul", ["shared", "w2"], "right"), one("Add", ["left", "right"], "y")],
        [random_floats(n, [64, 64], 0.125) for n in ("w0", "w1", "w2")])
def two_readers(): pass


# Work that all cores share, and a chain of two products behind each other.
@sample([("x", [128, 256])], [("y", [128, 192])],
        [one("Mul", ["x", "half"], "mul"), one("MatMul", ["mul", "w"], "product"),
         one("Relu", ["product"], "y")],
        [number("half", 0.5), random_floats("w", [256, 192], 0.125)])
def shared_product(): pass


@sample([("x", [96, 130])], [("y", [96, 70])],
        [one("MatMul", ["x", "w1"], "first"), one("Relu", ["first"], "relu"),
         one("MatMul", ["relu", "w2"], "second"), one("Add", ["second", "b"], "y")],
        [random_floats("w1", [130, 100], 0.125), random_floats("w2", [100, 70], 0.125),
         random_floats("b", [70], 1)])
def two_products(): pass


@sample([("x", [2, 4096])], [("y", [2, 1])],
        [one("Mul", ["x", "one"], "mul"),
         one("ReduceSum", ["mul", "axis"], "sum", attributes=keep(1)), one("Mul", ["sum", "part"], "y")],
        [number("one", 1.0), ints("axis", [1]), number("part", 2.0 ** -6)])
def sum_long(): pass


# Two faults in a row: a copy, and a long sum behind it.
@sample([("x", [1, 4097])], [("sum", [1, 1])],
        [clone("x", "clone"), one("Mul", ["clone", "one"], "mul"),
         one("ReduceSum", ["mul", "axis"], "sum", attributes=keep(1))],
        [number("one", 1.0), ints("axis", [1])])
def two_faults(): pass


# What controls need: a discontinuity, and chance.
@sample([("x", [6, 40])], [("y", [6, 40])],
        [one("Mul", ["x", "third"], "mul"), one("Floor", ["mul"], "floor"),
         one("Exp", ["floor"], "y")], [number("third", 1 / 3)])
def floor_rows(): pass


@sample([("x", [6, 40])], [("y", [6, 40])],
        [one("Add", ["x", "one"], "add"), one("RandomUniformLike", ["add"], "noise"),
         one("Mul", ["add", "noise"], "y")], [number("one", 1.0)])
def random_rows(): pass


@sample([("x", [3, 4000])], [("y", [3, 4])],
        [one("Abs", ["x"], "abs"), one("MatMul", ["abs", "w"], "product"),
         one("Mul", ["product", "part"], "y")],
        [floats("w", [4000, 4], [1.0] * 16000), number("part", 2.0 ** -6)])
def product_long(): pass


@sample([("x", [4, 65])], [("y", [4, 65])],
        [one("Abs", ["x"], "abs"), one("Mul", ["abs", "tiny"], "small"), one("Mul", ["small", "big"], "y")],
        [number("tiny", 2.0 ** -127), number("big", 2.0 ** 100)])
def subnormal_rows(): pass


@sample([("x", [70])], [("y", [70])],
        [one("Mul", ["x", "third"], "third_of"), one("Mul", ["third_of", "tiny"], "small"),
         one("Mul", ["small", "big"], "y")],
        [number("third", 1 / 3), number("tiny", 2.0 ** -126), number("big", 2.0 ** 100)])
def subnormal_line(): pass


@sample([("x", [4, 65])], [("y", [4, 65])],
        [one("Mul", ["x", "third"], "mul"), one("Add", ["mul", "tenth"], "add"), one("Abs", ["add"], "y")],
        [number("third", 1 / 3), number("tenth", 0.1)])
def thirds(): pass


# Alike at the output, told apart by where they begin: the lesson "One NaN, four causes".
@sample([("x", [4, 65])], [("y", [4, 48])],
        [clone("x", "load"), one("MatMul", ["load", "w1"], "hidden"), one("Add", ["hidden", "b"], "bias"),
         one("Relu", ["bias"], "relu"), one("Sqrt", ["relu"], "sqrt"), one("Mul", ["sqrt", "sharp"], "logits"),
         one("Softmax", ["logits"], "softmax", attributes=attribute("axis", -1)),
         one("MatMul", ["softmax", "w"], "product"), one("Mul", ["product", "two"], "y")],
        [random_floats("w1", [65, 50], 0.25), random_floats("b", [50], 2), number("sharp", 64.0),
         random_floats("w", [50, 48], 0.25), number("two", 2.0)])
def one_nan(): pass


folder = pathlib.Path(__file__).parent / "faults"
folder.mkdir(exist_ok=True)
for title, data in SAMPLES.items():
    (folder / f"{title}.onnx").write_bytes(data)
