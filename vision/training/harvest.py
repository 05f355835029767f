"""Cut reader crops out of labelled real photos with a trained locator.

`python -m vision.training.harvest --deck DIR --photos DIR --out DIR`

The labels name whole cards or indices but give no rotation: the locator finds the indices, the
label under each gives its name. Where labels leave doubt (two cards' boxes cover the place, or none
fits what was located) the deck's reader chooses among the labelled names; a place that it reads quite
differently is left out then. A label without a place, on a photo of one card, names what looks most
like that card's corners; of several such labels the reader chooses.
"""

import argparse
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.cards import NOT_READABLE, READ_CLASSES
from vision.crop import upright_angle, upright_crop
from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.evaluate.labels import LabelledCard, LabelledPhoto, matches
from vision.evaluate.places import covers
from vision.grouping import SAME_PLACE
from vision.locate import Floats, Located
from vision.quads import best_shift
from vision.read import Readings
from vision.training.crops import FACTOR, SIZE
from vision.training.photos import photos
from vision.types import Image

_VARIANTS = 6
_AGREE = 0.4
"""A label whose outline overlaps with what was located by this much is believed."""
_DOUBT = 0.02
"""Any other label is believed when the reader gives it at least this chance."""
_LIKELY = 0.3
"""Of several labels without a place, one is believed when the reader gives it this chance."""
_UNKNOWN = 0.1
"""What a corner counts that the reader takes for another card: the deck may be new to it."""


def names_at(box: Floats, quad: Floats, labels: Sequence[LabelledCard]) -> tuple[set[str], bool]:
    """Labelled names whose box covers the middle of `box` (x0 y0 x1 y1), and whether a label's own
    outline agrees with what was located there: then it is believed whatever the reader says."""
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    card = np.concatenate([quad.min(0), quad.max(0)])
    names, sure = set(), False
    for label in labels:
        if label.box is not None and covers(label.box, x, y):
            left, top, width, height = label.box
            names.add(label.card)
            outline = box if label.kind == "index" else card
            sure |= _overlap(outline, np.array([left, top, left + width, top + height])) >= _AGREE
    return names, sure and len(names) == 1


def _overlap(a: Floats, b: Floats) -> float:
    """Intersection over union of two boxes x0 y0 x1 y1."""
    both = float(np.clip(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0, None).prod())
    return both / (float((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod()) - both + 1e-9)


def choose(labels: set[str], sure: bool, chances: np.ndarray, least: float = _DOUBT) -> str | None:
    """The class that the labels allow and the reader finds likeliest; None when it gives all less than `least`."""
    allowed = [i for i, c in enumerate(READ_CLASSES) if any(matches(name, c) for name in labels)]
    if not allowed:
        return None
    best = max(allowed, key=lambda i: chances[i])
    return READ_CLASSES[best] if sure or chances[best] >= least else None


def named(found: Located, readings: Readings, photo: LabelledPhoto) -> list[str | None]:
    """What the labels call each located index: a class of the reader, "-" where a photo that is labelled
    completely has no card, None where they don't tell."""
    faces = [label for label in photo.objects if label.card != "back"]
    silent = NOT_READABLE if photo.complete else None
    if len(faces) == 1 and faces[0].box is None and faces[0].card in READ_CLASSES:
        mine = _corners_of(faces[0].card, found, readings)
        return [faces[0].card if own else silent for own in mine]
    nowhere = {label.card for label in faces if label.box is None}
    names: list[str | None] = []
    for box, quad, chances in zip(found.boxes, found.quads, readings.chances, strict=True):
        labels, sure = names_at(box, quad, photo.objects)
        if nowhere and not labels:
            names.append(choose(nowhere, False, chances, _LIKELY))
        else:
            names.append(choose(labels, sure, chances) if labels else silent)
    return names


def _corners_of(name: str, found: Located, readings: Readings) -> list[bool]:
    """Which of the located indices belong to the only card of a photo: those that agree on where a
    card lies, and are likeliest that card's."""
    worth = found.scores * (readings.chances[:, READ_CLASSES.index(name)] + _UNKNOWN)
    best: tuple[float, list[bool]] = (0.0, [False] * len(found))
    for quad in found.quads:
        same = [best_shift(quad, other)[1] < SAME_PLACE for other in found.quads]
        best = max(best, (float(worth[same].sum()), same))
    return best[1]


def cut(
    image: Image, found: Located, names: Sequence[str | None], rng: np.random.Generator
) -> Iterator[tuple[Image, str]]:
    """Crops of the indices that have a name, several of each, with the locator's errors made larger."""
    for box, quad, name in zip(found.boxes, found.quads, names, strict=True):
        if name is None:
            continue
        extent = box[2:] - box[:2]
        for _ in range(_VARIANTS if name != NOT_READABLE else 2):
            centre = (box[:2] + box[2:]) / 2 + rng.normal(0, 0.05, 2) * extent
            side = FACTOR * float(extent.max()) * math.exp(rng.normal(0, 0.1))
            angle = upright_angle(quad) + rng.normal(0, 6)
            yield upright_crop(image, (float(centre[0]), float(centre[1])), side, angle, SIZE), name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deck", type=Path, required=True)
    parser.add_argument("--photos", type=Path, required=True, help="folder of labelled training photos")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=4)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    detector = OnnxDetector(load_deck(args.deck))
    crops: list[Image] = []
    names: list[str] = []
    for photo, labelled in photos(args.photos, held_out=False):
        found, readings = detector.look(photo)
        for crop, name in cut(photo, found, named(found, readings, labelled), rng):
            crops.append(crop)
            names.append(name)
    args.out.mkdir(parents=True, exist_ok=True)
    np.save(args.out / "crops-harvest.npy", np.stack(crops))
    np.save(args.out / "names-harvest.npy", np.array([READ_CLASSES.index(n) for n in names], np.int64))
    print(f"{len(crops)} crops of {len(Counter(names))} classes")


if __name__ == "__main__":
    main()
