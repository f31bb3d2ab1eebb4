# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
"""ONNX messages, opset 13, written without any library: what the samples need of protobuf."""


def varint(number):
    number &= (1 << 64) - 1  # negative numbers as protobuf has them
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
    """A float input or output; a name instead of a size makes it free."""
    dims = b"".join(field(1, field(2 if isinstance(size, str) else 1, size)) for size in shape)
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


def model(name, nodes, inputs, outputs, tensors, opset=13):
    graph = (b"".join(field(1, n) for n in nodes) + field(2, name)
             + b"".join(field(5, t) for t in tensors)
             + b"".join(field(11, value_info(*i)) for i in inputs)
             + b"".join(field(12, value_info(*o)) for o in outputs))
    return field(1, 8) + field(2, "fivefold") + field(7, graph) + field(8, field(1, "") + field(2, opset))
