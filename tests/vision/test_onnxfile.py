"""Models that keep weights in other files are found out from their bytes alone."""

from pathlib import Path

import numpy as np
import pytest
from onnx_bytes import message, model, number, tensor, text, varint

from vision.deck import Deck
from vision.errors import KibitzError
from vision.onnxfile import MalformedModel, has_external_data
from vision.session import Network


def test_a_model_in_one_file_has_none(deck: Deck) -> None:
    assert not has_external_data(model(tensor(None)))
    assert not has_external_data(deck.locate_path.read_bytes())
    assert not has_external_data(deck.read_path.read_bytes())


@pytest.mark.parametrize(
    "bytes_",
    [
        pytest.param(model(tensor("weights.bin")), id="initializer"),
        pytest.param(model(tensor(None), message(5, message(5, tensor("/etc/passwd")))), id="attribute"),
        pytest.param(model(tensor(None), message(5, message(10, tensor("w")))), id="attribute list"),
        pytest.param(model(tensor(None), message(5, message(6, message(5, tensor("w"))))), id="subgraph"),
        pytest.param(model(tensor(None), message(5, message(6, message(15, message(1, tensor("w")))))), id="sparse"),
        pytest.param(model(tensor(None)) + message(25, message(7, message(5, message(5, tensor("w"))))), id="function"),
        pytest.param(model(tensor(None)) + message(20, message(1, message(5, tensor("w")))), id="training"),
    ],
)
def test_weights_elsewhere_are_found_wherever_they_hide(bytes_: bytes) -> None:
    assert has_external_data(bytes_)


def test_the_runtime_accepts_the_model_that_this_file_builds(tmp_path: Path) -> None:
    """So the refusals above are about the external data, not about a broken model."""
    (tmp_path / "add.onnx").write_bytes(model(tensor(None)))
    assert Network(tmp_path / "add.onnx", 1).run(np.arange(4, dtype=np.float32)).tolist() == [0, 1, 2, 3]


def test_the_runtime_reads_no_file_that_a_model_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.bin").write_bytes(np.ones(4, np.float32).tobytes())
    for name in ("w.bin", str(tmp_path / "w.bin"), f"../{tmp_path.name}/w.bin"):
        (tmp_path / "add.onnx").write_bytes(model(tensor(name)))
        with pytest.raises(KibitzError) as caught:
            Network(tmp_path / "add.onnx", 1)
        assert caught.value.code == "model_unusable"


@pytest.mark.parametrize("garbage", [b"", b"not a model at all", b"\xff" * 40, model(tensor(None))[:60]])
def test_garbage_is_no_model(garbage: bytes) -> None:
    with pytest.raises(MalformedModel):
        has_external_data(garbage)


@pytest.mark.parametrize("wire", [0, 2])
def test_a_field_number_that_others_read_as_another_is_refused(wire: int) -> None:
    """Tags are 32 bits wide: the runtime drops a higher bit, and sees external data."""
    entry = text(1, "location") + text(2, "weights.bin")
    hidden = (
        varint(1 << 32 | 14 << 3) + varint(1)
        if wire == 0
        else (varint(1 << 32 | 13 << 3 | 2) + varint(len(entry)) + entry)
    )
    with pytest.raises(MalformedModel):
        has_external_data(model(tensor(None) + hidden))


def test_a_place_of_weights_that_is_cut_to_external_is_found() -> None:
    assert has_external_data(model(tensor(None) + number(14, (1 << 32) + 1)))


def test_endless_nesting_is_refused() -> None:
    graph = b""
    for _ in range(60):
        graph = message(1, message(5, message(6, graph)))
    with pytest.raises(MalformedModel):
        has_external_data(message(7, graph))
