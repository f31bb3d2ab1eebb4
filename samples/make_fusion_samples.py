#!/usr/bin/env python3
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
"""Writes the two fusion samples beside this file: ONNX, opset 13, without any library."""
import pathlib
import random
import struct

from onnx_writer import FLOAT, INT64, attribute, attribute_list, model, node, tensor


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
