"""Deck packs: every way in which one can be wrong has its own error."""

import hashlib
from pathlib import Path

import pytest
from onnx_bytes import model, tensor

from vision.cards import READ_CLASSES
from vision.deck import MOST_BYTES, Deck, default_folder, load_deck
from vision.errors import KibitzError
from vision.onnxfile import has_external_data
from vision.session import Network

WEIGHTS = {name: model(tensor(None), producer=name) for name in ("locate.onnx", "read.onnx")}

ALTERED = WEIGHTS["read.onnx"] + b"\0"


def pack(folder: Path, old: str = "", new: str = "", card: str | None = None) -> Path:
    """A pack of two tiny models with a right card, in which `old` was replaced by `new`."""
    for name, content in WEIGHTS.items():
        (folder / name).write_bytes(content)
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in WEIGHTS.items()}
    text = f"""
name = "test"
version = "1"
licence = "CC0-1.0"
[locate]
file = "locate.onnx"
sha256 = "{sums['locate.onnx']}"
[read]
file = "read.onnx"
sha256 = "{sums['read.onnx']}"
size = 64
factor = 1.4
[figures]
recall = 0.5
"""
    assert old in text
    (folder / "deck.toml").write_text(card if card is not None else text.replace(old, new))
    return folder


def refused(folder: Path) -> KibitzError:
    with pytest.raises(KibitzError) as caught:
        load_deck(folder)
    return caught.value


def test_a_good_pack_loads(tmp_path: Path) -> None:
    deck = load_deck(pack(tmp_path))
    assert deck.about.name == "test"
    assert deck.read_path == tmp_path / "read.onnx"
    assert deck.about.read.classes == READ_CLASSES


def test_the_shipped_pack_is_small_and_in_one_piece(deck: Deck) -> None:
    sizes = [path.stat().st_size for path in (deck.locate_path, deck.read_path)]
    assert sum(sizes) < 20_000_000
    assert not has_external_data(deck.locate_path.read_bytes())
    assert not has_external_data(deck.read_path.read_bytes())


def test_changed_weights_are_named_with_both_hashes(tmp_path: Path) -> None:
    pack(tmp_path)
    (tmp_path / "read.onnx").write_bytes(ALTERED)
    error = refused(tmp_path)
    assert error.code == "model_hash_wrong"
    assert error.params == {
        "path": str(tmp_path / "read.onnx"),
        "found": hashlib.sha256(ALTERED).hexdigest()[:12],
        "wanted": hashlib.sha256(WEIGHTS["read.onnx"]).hexdigest()[:12],
    }


def test_missing_files_are_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "nowhere").code == "deck_missing"
    pack(tmp_path)
    (tmp_path / "locate.onnx").unlink()
    error = refused(tmp_path)
    assert error.code == "model_missing"
    assert error.params["path"] == str(tmp_path / "locate.onnx")


@pytest.mark.parametrize(
    ("old", "new", "card"),
    [
        ("", "", "name = "),
        ("", "", "\x00"),
        ('name = "test"', "", None),
        ("size = 64", 'size = "large"', None),
        ("size = 64", "", None),
    ],
)
def test_a_damaged_card_is_refused(tmp_path: Path, old: str, new: str, card: str | None) -> None:
    error = refused(pack(tmp_path, old, new, card))
    assert error.code == "deck_corrupt"
    assert error.params["why"]


@pytest.mark.parametrize("name", ["../locate.onnx", "/etc/passwd", "sub/locate.onnx", "locate.pt"])
def test_a_model_file_must_lie_in_the_pack_and_be_onnx(tmp_path: Path, name: str) -> None:
    assert refused(pack(tmp_path, 'file = "locate.onnx"', f'file = "{name}"')).code == "model_path_outside"


def test_a_huge_model_is_refused_unread(tmp_path: Path) -> None:
    pack(tmp_path)
    with (tmp_path / "read.onnx").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert refused(tmp_path).code == "model_too_large"


@pytest.mark.parametrize(
    ("content", "code"),
    [(model(tensor("/etc/passwd")), "model_external_data"), (b"not a model", "model_unusable")],
)
def test_a_model_with_outside_weights_is_refused_even_with_the_right_hash(
    tmp_path: Path, content: bytes, code: str
) -> None:
    old = hashlib.sha256(WEIGHTS["read.onnx"]).hexdigest()
    pack(tmp_path, old, hashlib.sha256(content).hexdigest())
    (tmp_path / "read.onnx").write_bytes(content)
    assert refused(tmp_path).code == code


def test_the_environment_names_another_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_DECK", str(pack(tmp_path)))
    assert load_deck().folder == tmp_path
    monkeypatch.delenv("KIBITZ_DECK")
    assert default_folder().parts[-2:] == ("models", "standard")


def test_a_model_that_is_no_network_is_refused_when_opened(tmp_path: Path) -> None:
    (tmp_path / "read.onnx").write_bytes(b"not a model")
    with pytest.raises(KibitzError) as caught:
        Network(tmp_path / "read.onnx", 1)
    assert caught.value.code == "model_unusable"
