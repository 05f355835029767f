"""Deck packs: a folder with `locate.onnx`, `read.onnx` and `deck.toml`, checked before use."""

import hashlib
import os
import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import msgspec

from vision.cards import READ_CLASSES
from vision.errors import KibitzError
from vision.onnxfile import MalformedModel, has_external_data

MOST_BYTES = 30_000_000
"""A model file larger than this is refused."""

_Line = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
_Factor = Annotated[float, msgspec.Meta(gt=0, le=10)]


class NetworkFile(msgspec.Struct, frozen=True):
    """One ONNX file: name inside the pack and SHA-256 of its bytes."""

    file: str
    sha256: str


class Locate(NetworkFile, frozen=True, kw_only=True):
    """The locator: `index_px` is the span of index heights it reads well, in pixels."""

    index_px: tuple[float, float] = (10.0, 60.0)
    least_score: float = 0.25


class Read(NetworkFile, frozen=True, kw_only=True):
    """The reader: input side in pixels, crop side in index box sides, classes by output."""

    size: Annotated[int, msgspec.Meta(ge=16, le=256)]
    factor: _Factor
    classes: tuple[str, ...] = READ_CLASSES


class Calibration(msgspec.Struct, frozen=True):
    """Logistic map from what the networks say to the chance that a name is right.

    score = sigmoid(bias + read * logit(p) + locate * logit(confidence) + corners * (n - 1)).
    """

    bias: float = 0.0
    read: float = 1.0
    locate: float = 0.0
    corners: float = 1.0
    joker: float = 0.0


class DeckFile(msgspec.Struct, frozen=True):
    """`deck.toml`. `data` (what it was trained on) and `figures` (how well it reads) are for people."""

    name: _Line
    version: _Line
    licence: _Line
    locate: Locate
    read: Read
    calibration: Calibration = Calibration()
    report_score: float = 0.6
    """Cards below this score are reported as unreadable."""
    data: dict[str, Any] = {}
    figures: dict[str, Any] = {}

    def __post_init__(self) -> None:
        unknown = set(self.read.classes) - set(READ_CLASSES)
        if unknown or self.read.classes[-1:] != READ_CLASSES[-1:]:
            raise ValueError(f"read.classes must be card names and end with {READ_CLASSES[-1]!r}")


class Deck(msgspec.Struct, frozen=True):
    """A checked deck pack."""

    folder: Path
    about: DeckFile

    @property
    def locate_path(self) -> Path:
        return self.folder / self.about.locate.file

    @property
    def read_path(self) -> Path:
        return self.folder / self.about.read.file


def shipped_folder() -> Path:
    """The pack that ships with Kibitz."""
    return Path(str(resources.files("models"))) / "standard"


def default_folder() -> Path:
    """The pack named by KIBITZ_DECK, else the one that ships with Kibitz."""
    chosen = os.environ.get("KIBITZ_DECK")
    return Path(chosen) if chosen else shipped_folder()


def load_deck(folder: Path | None = None) -> Deck:
    """Read and check a deck pack.

    Raises KibitzError: deck_missing, deck_corrupt (deck.toml), model_missing, model_too_large,
    model_hash_wrong, model_path_outside, model_unusable, model_external_data.
    """
    folder = default_folder() if folder is None else folder
    path = folder / "deck.toml"
    try:
        with path.open("rb") as file:
            about = msgspec.convert(tomllib.load(file), DeckFile)
    except FileNotFoundError as error:
        raise KibitzError("deck_missing", path=str(folder)) from error
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise KibitzError("deck_corrupt", path=str(path), why=str(error).splitlines()[0]) from error
    for network in (about.locate, about.read):
        _check(folder, network)
    return Deck(folder, about)


def _check(folder: Path, network: NetworkFile) -> None:
    path = folder / network.file
    if Path(network.file).name != network.file or path.suffix != ".onnx":
        raise KibitzError("model_path_outside", path=network.file)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise KibitzError("model_too_large", path=str(path), size=size, limit=MOST_BYTES)
        content = path.read_bytes()
    except OSError as error:
        raise KibitzError("model_missing", path=str(path)) from error
    found = hashlib.sha256(content).hexdigest()
    if found != network.sha256:
        raise KibitzError("model_hash_wrong", path=str(path), found=found[:12], wanted=network.sha256[:12])
    try:
        external = has_external_data(content)
    except MalformedModel as error:
        raise KibitzError("model_unusable", path=str(path), why=str(error)) from error
    if external:
        raise KibitzError("model_external_data", path=str(path))
