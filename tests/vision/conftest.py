"""The shipped deck's detector and the photos that the tests read."""

import json
from pathlib import Path

import pytest

from vision.deck import Deck, load_deck
from vision.detector import OnnxDetector
from vision.photo import read_photo
from vision.types import Image

DATA = Path(__file__).parent / "data"
PHOTOS: list[tuple[str, frozenset[str]]] = [
    (row["image"], frozenset(row["cards"])) for row in json.loads((DATA / "cards.json").read_text())
]


@pytest.fixture(scope="session")
def deck() -> Deck:
    return load_deck()


@pytest.fixture(scope="session")
def detector(deck: Deck) -> OnnxDetector:
    return OnnxDetector(deck)


@pytest.fixture(scope="session")
def photos() -> dict[str, Image]:
    return {name: read_photo(DATA / name) for name, _ in PHOTOS}
