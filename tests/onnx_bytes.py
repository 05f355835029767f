"""Tiny ONNX models written byte by byte: y = x + w (onnx.proto has the field numbers)."""


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def message(number: int, body: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(body)) + body


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def text(field: int, value: str) -> bytes:
    return message(field, value.encode())


def tensor(path: str | None) -> bytes:
    """TensorProto w of 4 floats: inside the file, or in the file `path`."""
    plain = number(1, 4) + number(2, 1) + text(8, "w")
    if path is None:
        return plain + message(9, bytes(16))
    return plain + message(13, text(1, "location") + text(2, path)) + number(14, 1)


def value_info(name: str) -> bytes:
    shape = message(2, message(1, number(1, 4)))
    return text(1, name) + message(2, message(1, number(1, 1) + shape))


def model(initializer: bytes, attribute: bytes = b"", producer: str = "") -> bytes:
    """ModelProto around an initializer; `attribute` is more bytes of its node."""
    node = text(1, "x") + text(1, "w") + text(2, "y") + text(4, "Add") + attribute
    graph = message(1, node) + text(2, "g") + message(5, initializer)
    graph += message(11, value_info("x")) + message(12, value_info("y"))
    return number(1, 8) + text(2, producer) + message(7, graph) + message(8, text(1, "") + number(2, 17))
