"""Check an ONNX file before any runtime opens it.

A model pack may come from a stranger. Hash and size are checked by `deck.py`; this module refuses
what would make the runtime read other files: tensors stored as *external data*. It walks the
protobuf wire format (https://protobuf.dev/programming-guides/encoding/) along the message types of
onnx.proto that can hold a tensor, so no ONNX library is needed and nothing is executed.
"""

from collections.abc import Iterator

# Message type -> field number -> message type of that field (onnx.proto, IR version 10).
_FIELDS: dict[str, dict[int, str]] = {
    "Model": {7: "Graph", 20: "Training", 25: "Function"},
    "Training": {1: "Graph", 2: "Graph"},
    "Function": {7: "Node", 11: "Attribute"},
    "Graph": {1: "Node", 5: "Tensor", 15: "SparseTensor"},
    "Node": {5: "Attribute"},
    "Attribute": {
        5: "Tensor",
        6: "Graph",
        10: "Tensor",
        11: "Graph",
        22: "SparseTensor",
        23: "SparseTensor",
    },
    "SparseTensor": {1: "Tensor", 2: "Tensor"},
}
_EXTERNAL_DATA = 13
_DATA_LOCATION = 14
_MAX_DEPTH = 32


class MalformedModel(ValueError):
    """The bytes are no well-formed ONNX model."""


def has_external_data(model: bytes) -> bool:
    """Whether any tensor of the serialised ModelProto `model` lies in another file.

    Raises MalformedModel when the bytes don't parse or hold no graph.
    """
    view = memoryview(model)
    if not any(number == 7 for number, _ in _fields(view)):
        raise MalformedModel("no graph")
    return _search(view, "Model", 0)


def _search(view: memoryview, kind: str, depth: int) -> bool:
    if depth > _MAX_DEPTH:
        raise MalformedModel("nested too deep")
    for number, value in _fields(view):
        if kind == "Tensor":
            if number == _EXTERNAL_DATA or (number == _DATA_LOCATION and value != 0):
                return True
        elif number in _FIELDS[kind]:
            if not isinstance(value, memoryview):
                raise MalformedModel(f"field {number} of {kind} is no message")
            if _search(value, _FIELDS[kind][number], depth + 1):
                return True
    return False


def _fields(view: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Field number and value of each top-level field: an int (varint) or the field's bytes."""
    at = 0
    while at < len(view):
        key, at = _varint(view, at)
        if key >> 32:
            raise MalformedModel("bad key")  # other readers drop what is beyond 32 bits, and see another field
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(view, at)
            yield number, value
            continue
        if wire == 2:
            length, at = _varint(view, at)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise MalformedModel(f"wire type {wire}")
        if at + length > len(view):
            raise MalformedModel("truncated")
        yield number, view[at : at + length]
        at += length


def _varint(view: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(view) and shift < 70:
        byte = view[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if not byte & 0x80:
            return value, at
        shift += 7
    raise MalformedModel("bad varint")
