"""Labelled real photos for training, split so that scores are calibrated on photos not trained on."""

from collections.abc import Iterator
from pathlib import Path

from vision.evaluate.labels import LabelledPhoto, load_labels
from vision.photo import read_photo
from vision.types import Image

_HELD_OUT = 3
"""Every third photo is kept from training: a reader is surer of what it has seen."""


def photos(folder: Path, held_out: bool) -> Iterator[tuple[Image, LabelledPhoto]]:
    """(photo, its labels) of the part for training or of the part held out from it.

    Raises KibitzError as `load_labels` and `read_photo`.
    """
    for number, labelled in enumerate(load_labels(folder)):
        if (number % _HELD_OUT == 0) == held_out:
            yield read_photo(labelled.image), labelled
