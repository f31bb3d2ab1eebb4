#!/usr/bin/env python3
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
"""Writes the three problem samples beside this file: ONNX, opset 13, without any library."""
import pathlib
import struct

from onnx_writer import FLOAT, INT64, attribute, attribute_list, model, node, tensor


def number(name, value):
    return tensor(name, FLOAT, [], struct.pack("<f", value))


def unsupported_operator():
    """A gate by erf between elementwise operators that would hand over their results on chip."""
    shape = [2048, 2048]
    return model(
        "unsupported_operator",
        [node("Add", ["x", "z"], "sum", "/block/Add"),
         node("Mul", ["sum", "half"], "scaled", "/gate/Mul"),
         node("Add", ["sum", "z"], "other", "/block/Add_1"),
         node("Erf", ["scaled"], "gate", "/gate/Erf"),
         node("Mul", ["gate", "scaled"], "gated", "/gate/Mul_1"),
         node("Add", ["gated", "other"], "mixed", "/block/Add_2"),
         node("Mul", ["mixed", "sum"], "y", "/block/Mul")],
        [("x", shape), ("z", shape)], [("y", shape)], [number("half", 0.5)])


def badly_mapped_shape():
    """A step of decoding with 16 new queries: the new key makes 129 of 128 cached ones."""
    heads, depth, queries, past = 64, 128, 512, "past"
    return model(
        "badly_mapped_shape",
        [node("Concat", ["cached_keys", "key"], "keys", "/cache/Concat", attribute("axis", 2)),
         node("Transpose", ["keys"], "columns", "/attn/Transpose",
              attribute_list("perm", [0, 1, 3, 2])),
         node("MatMul", ["query", "columns"], "scores", "/attn/MatMul"),
         node("Mul", ["scores", "scale"], "scaled", "/attn/Mul"),
         node("Softmax", ["scaled"], "weights", "/attn/Softmax", attribute("axis", 3)),
         node("Mul", ["weights", "gain"], "y", "/attn/Mul_1")],
        [("query", [1, heads, queries, depth]), ("cached_keys", [1, heads, past, depth]),
         ("key", [1, heads, 1, depth])],
        [("y", [1, heads, queries, "keys"])], [number("scale", 0.088), number("gain", 1.5)])


def one_placement():
    """A skip connection that occupies the near memory while the chain beside it runs."""
    shape = [3584, 4096]
    nodes = [node("Mul", ["x", "gain"], "skip", "/skip/Mul"),
             node("Add", ["skip", "shift"], "h0", "/chain/Add")]
    steps = 8
    for i in range(steps):
        op = "Mul" if i % 2 == 0 else "Add"
        other = "gain" if i % 2 == 0 else "shift"
        nodes.append(node(op, [f"h{i}", other], f"h{i + 1}", f"/chain/{op}_{i + 1}"))
    nodes.append(node("Add", [f"h{steps}", "skip"], "y", "/join/Add"))
    return model("one_placement", nodes, [("x", shape)], [("y", shape)],
                 [number("gain", 0.5), number("shift", 1.0)])


folder = pathlib.Path(__file__).parent
for make in (unsupported_operator, badly_mapped_shape, one_placement):
    (folder / f"{make.__name__}.onnx").write_bytes(make())
