#!/usr/bin/env python3
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
"""Writes the two fusion samples beside this file: ONNX, opset 13, without any library."""
import pathlib
import random
import struct


def varint(number):
    out = bytearray()
    while True:
        out.append((number & 0x7F) | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(out)


def field(number, value):
    """One protobuf field: an integer, or bytes, text or a message with its length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def integers(number, values):
    return b"".join(field(number, value) for value in values)


FLOAT, INT64 = 1, 7


def value_info(name, shape):
    dims = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, dims)))


def tensor(name, kind, shape, raw):
    return integers(1, shape) + field(2, kind) + field(8, name) + field(9, raw)


def node(op, inputs, output, name, attributes=b""):
    return (b"".join(field(1, i) for i in inputs) + field(2, output) + field(3, name)
            + field(4, op) + attributes)


def attribute(name, number):
    return field(5, field(1, name) + field(3, number) + field(20, 2))


def attribute_list(name, numbers):
    return field(5, field(1, name) + integers(8, numbers) + field(20, 7))


def model(name, nodes, inputs, outputs, tensors):
    graph = (b"".join(field(1, n) for n in nodes) + field(2, name)
             + b"".join(field(5, t) for t in tensors)
             + b"".join(field(11, value_info(*i)) for i in inputs)
             + b"".join(field(12, value_info(*o)) for o in outputs))
    return field(1, 8) + field(2, "fivefold") + field(7, graph) + field(8, field(1, "") + field(2, 13))


def saves_nothing():
    """A product, its bias and its activation, so small that what lies between stays on chip."""
    random.seed(0)
    weights = struct.pack("<4096f", *(random.gauss(0, 0.1) for _ in range(4096)))
    bias = struct.pack("<64f", *(random.gauss(0, 0.1) for _ in range(64)))
    return model(
        "fusion_saves_nothing",
        [node("MatMul", ["x", "w"], "product", "/fc/MatMul"),
         node("Add", ["product", "b"], "sum", "/fc/Add"),
         node("Relu", ["sum"], "y", "/act/Relu")],
        [("x", [128, 64])], [("y", [128, 64])],
        [tensor("w", FLOAT, [64, 64], weights), tensor("b", FLOAT, [64], bias)])


def loses():
    """Two reductions over different axes read one sum of three large tensors: a compiler that
    computes the sum again inside both reads six tensors instead of five with one stored."""
    axes = tensor("rows", INT64, [1], struct.pack("<q", 1))
    return model(
        "fusion_loses",
        [node("Add", ["a", "b"], "ab", "/sum/Add"),
         node("Add", ["ab", "c"], "abc", "/sum/Add_1"),
         node("ReduceSum", ["abc", "rows"], "by_row", "/rows/ReduceSum", attribute("keepdims", 0)),
         node("ReduceMax", ["abc"], "by_column", "/columns/ReduceMax",
              attribute_list("axes", [0]) + attribute("keepdims", 0))],
        [(name, [16384, 4096]) for name in "abc"],
        [("by_row", [16384]), ("by_column", [4096])], [axes])


folder = pathlib.Path(__file__).parent
(folder / "fusion_saves_nothing.onnx").write_bytes(saves_nothing())
(folder / "fusion_loses.onnx").write_bytes(loses())
