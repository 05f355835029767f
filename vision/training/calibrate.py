"""Fit a deck's scores on labelled photos, so that 0.9 means nine in ten.

`python -m vision.training.calibrate --deck models/standard --photos DIR`

Every grouped card is right, wrong or unknown (a place where the labels are silent and may be
incomplete). A logistic model on the evidence of `vision.grouping.Card` is fitted to the known ones.
"""

import argparse
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.deck import Calibration, Deck, load_deck
from vision.detector import OnnxDetector
from vision.evaluate.labels import LabelledPhoto, matches
from vision.evaluate.places import covers
from vision.grouping import Card, group
from vision.training.pack import write_deck_file
from vision.training.photos import photos
from vision.types import Image

_PRIOR = Calibration(bias=0.0, read=0.7, locate=0.2, corners=1.5, joker=-1.0)
_RIDGE = 2.0
"""Weight of the prior: about this many photos' worth of doubt."""


def judge(card: Card, photo: LabelledPhoto) -> bool | None:
    """Whether the labels say that a card's name is right; None when they don't tell."""
    if any(matches(label.card, card.name) for label in photo.objects):
        return True
    box = card.indices[0].box
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    if photo.complete or any(label.box is not None and covers(label.box, x, y) for label in photo.objects):
        return False
    return None


def evidence(
    detector: OnnxDetector, labelled_photos: Iterable[tuple[Image, LabelledPhoto]]
) -> Iterator[tuple[tuple[float, ...], bool]]:
    """(evidence, right) of every card that the labels of photos not trained on judge."""
    for photo, labelled in labelled_photos:
        for card in group(*detector.look(photo)):
            right = judge(card, labelled)
            if right is not None:
                yield card.evidence(card.chance), right


def fit(features: NDArray[np.float64], right: NDArray[np.float64], expected: Calibration = _PRIOR) -> Calibration:
    """Ridge logistic regression towards what is expected, by Newton's method."""
    x = np.column_stack([np.ones(len(features)), features])
    prior = np.array([expected.bias, expected.read, expected.locate, expected.corners, expected.joker])
    weights = prior.copy()
    for _ in range(50):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (chance - right) + _RIDGE * (weights - prior)
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + _RIDGE * np.eye(len(prior))
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return Calibration(*(round(float(w), 4) for w in weights))


def write(deck: Deck, calibration: Calibration) -> None:
    """Put the fitted numbers into the pack's `deck.toml`."""
    path = deck.folder / "deck.toml"
    about = tomllib.loads(path.read_text(encoding="utf-8"))
    about["calibration"] = msgspec.to_builtins(calibration)
    write_deck_file(path, about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deck", type=Path, required=True)
    parser.add_argument("--photos", type=Path, required=True, help="folder of labelled training photos")
    args = parser.parse_args()
    deck = load_deck(args.deck)
    rows = list(evidence(OnnxDetector(deck), photos(args.photos, held_out=True)))
    features = np.array([r for r, _ in rows])
    right = np.array([float(ok) for _, ok in rows])
    calibration = fit(features, right)
    write(deck, calibration)
    print(f"{len(rows)} cards, {int(right.sum())} right: {calibration}")


if __name__ == "__main__":
    main()
