"""Open what `--deck` names: a deck pack, or, where the user trusts them, PyTorch weights."""

from pathlib import Path

from vision.deck import DeckFile, load_deck
from vision.detector import Detector, OnnxDetector

WEIGHTS = ".pt"


def open_deck(path: Path | None, decks: int = 1) -> tuple[DeckFile, Detector]:
    """What a deck pack says of itself, and its detector; None is the default pack.

    Loading a `.pt` file runs whatever code is in it: a caller may pass one only when the user said
    that it is trusted, and never one that came over the network. Raises KibitzError as `load_deck`
    and `vision.weights.WeightsDetector`.
    """
    if path is not None and path.suffix == WEIGHTS:
        from vision.weights import WeightsDetector

        detector = WeightsDetector(path, load_deck(), decks)
        return detector.about, detector
    deck = load_deck(path)
    return deck.about, OnnxDetector(deck, decks=decks)
