"""Take photos into a deck that is being taught: looked at one by one, refused with a reason, never lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.assemble import assemble
from vision.deck import Deck
from vision.detector import OnnxDetector
from vision.errors import KibitzError
from vision.evaluate.labels import LabelledCard, LabelledPhoto, load_labels, named_photos
from vision.photo import SUFFIXES, read_photo
from vision.teaching.workspace import Workspace
from vision.types import Image

LONG_SIDE = 1600
"""Larger photos are made smaller to this many pixels before they are looked at: corner signs are large
enough then, and memory small."""
_SIGN = 0.3
"""A find of this score is a corner sign."""
_SURE = 0.9


@dataclass(frozen=True, slots=True)
class Look:
    """What the shipped eyes see on a photo: whether there is a corner sign, and the cards that they read
    with certainty (on a deck they don't know they may be wrong)."""

    signs: int
    sure: frozenset[str]


@dataclass(slots=True)
class Taken:
    """What became of the photos: how many are new, which were known already, why some were refused, and
    which look like another card than they are named: (file, name, what it looks like)."""

    new: int = 0
    known: int = 0
    refused: list[KibitzError] = field(default_factory=list)
    doubtful: list[tuple[str, str, str]] = field(default_factory=list)


class Eyes:
    """The shipped pack's eyes."""

    def __init__(self, deck: Deck, threads: int | None = None) -> None:
        self.deck = deck
        self.detector = OnnxDetector(deck, threads)

    def look(self, image: Image) -> Look:
        """What is on a picture."""
        found, readings = self.detector.look(shrunk(image))
        cards = assemble(found, readings, self.deck.about.calibration)
        sure = frozenset(card.card for card in cards if card.card != "?" and card.score >= _SURE)
        return Look(int((found.scores >= _SIGN).sum()), sure)


def shrunk(image: Image, long_side: int = LONG_SIDE) -> Image:
    """The picture, made smaller if its longer side has more than so many pixels."""
    factor = long_side / max(image.shape[:2])
    if factor >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def opened(photo: LabelledPhoto) -> tuple[Image, LabelledPhoto]:
    """A photo, made smaller if it is large, and its labels on that. Raises KibitzError as `read_photo`."""
    whole = read_photo(photo.image)
    image = shrunk(whole)
    k = image.shape[1] / whole.shape[1]
    labels = tuple(
        msgspec.structs.replace(
            label,
            box=label.box and (k * label.box[0], k * label.box[1], k * label.box[2], k * label.box[3]),
            quad=label.quad and tuple((k * x, k * y) for x, y in label.quad),
        )
        for label in photo.objects
    )
    return image, msgspec.structs.replace(photo, objects=labels)


def photos_of(folder: Path, cards: Sequence[str] = ()) -> tuple[list[LabelledPhoto], list[KibitzError]]:
    """The photos of a folder with what they show: by its labels.json, by their names, or, with `cards`,
    one card each in the order of their names; and what is wrong with single photos.

    Raises KibitzError: labels_missing, labels_corrupt, labels_outside, teach_count.
    """
    if cards:
        files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES) if folder.is_dir() else []
        if not files:
            raise KibitzError("no_photos", path=str(folder), kinds=", ".join(SUFFIXES))
        if len(files) != len(cards):
            raise KibitzError("teach_count", photos=len(files), cards=len(cards), path=str(folder))
        return [LabelledPhoto(f, True, None, None, (LabelledCard(c),)) for f, c in zip(files, cards, strict=True)], []
    if (folder / "labels.json").is_file():
        return load_labels(folder), []
    return named_photos(folder)


def take_in(
    workspace: Workspace, eyes: Eyes, photos: Sequence[LabelledPhoto], done: Callable[[], None] = lambda: None
) -> Taken:
    """Look at every photo and keep those in which a corner sign is found (or that need none: an empty
    table). `done` is called after each. What was taken in stays so when this is stopped.

    Raises KibitzError `teach_unwritable`.
    """
    taken = Taken()
    for photo in photos:
        try:
            if _take(workspace, eyes, photo, taken):
                taken.new += 1
            else:
                taken.known += 1
        except KibitzError as error:
            if error.code == "teach_unwritable":
                raise
            taken.refused.append(error)
        done()
    return taken


def _take(workspace: Workspace, eyes: Eyes, photo: LabelledPhoto, taken: Taken) -> bool:
    look = eyes.look(read_photo(photo.image))
    faces = {label.card for label in photo.objects} - {"back"}
    if faces and not look.signs:
        raise KibitzError("teach_no_sign", path=str(photo.image))
    if photo.complete and len(faces) == 1 and look.sure and not look.sure & faces:
        taken.doubtful.append((photo.image.name, min(faces), min(look.sure)))
    return workspace.add(photo.image.read_bytes(), photo.image.suffix, photo.objects, photo.complete)
